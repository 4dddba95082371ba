/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_STAND_IN_H
#define ASSAY_REFERENCE_STAND_IN_H

/* Operators for whose calls another one stands, of the element-wise or of the row kit: which one, and the
 * call as that takes it, are written down. Truth, limits and acceptance are the other's, whose judged tensor
 * is of the same shape. */

#include "reference/operator/op.h"

/* A call as the other operator takes it. */
struct stood {
    struct op_call call;
    struct attributes attributes; /* for those that the other has and the call has not */
    struct tensor input[OPERANDS_MAX];
    bool own[OPERANDS_MAX]; /* made for this, and destroyed with it; others are the call's */
};

struct stand_in {
    const struct op *(*op)(const struct op *op, const struct attributes *attributes);
    /* Fills the operands. `s` begins as the call with the other's name, as many inputs as that has at most,
     * and `input` for them. False when out of memory. */
    bool (*stand)(struct stood *s, const struct op_call *call);
};

/* The functions of an operator (reference/operator/op.h) that has a stand-in. */
bool stand_in_truth(const struct op_call *call, struct truth *truth, struct error *error);
bool stand_in_enclose(const struct op_call *call, struct truth *truth, struct error *error);
bool stand_in_certify(const struct op_call *call, struct truth *truth, int output, int64_t element,
                      struct error *error);
double stand_in_bound(const struct bound_query *query);
void stand_in_bounds(const struct bound_query *query, int64_t first, int count, double *compute);
double stand_in_allowance(const struct bound_query *query);
void stand_in_accept(const struct bound_query *query, struct accept *accept);
bool stand_in_naive_escapes(const struct bound_query *query);

#define STAND_IN_LIMITS                                                                                      \
    .bound = stand_in_bound, .bounds = stand_in_bounds, .allowance = stand_in_allowance,                     \
    .accept = stand_in_accept, .naive_escapes = stand_in_naive_escapes
#define STAND_IN_TRUTHS .truth = stand_in_truth, .enclose = stand_in_enclose, .certify = stand_in_certify

#endif
