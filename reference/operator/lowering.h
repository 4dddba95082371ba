/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPERATOR_LOWERING_H
#define ASSAY_REFERENCE_OPERATOR_LOWERING_H

/* Operators for whose calls another one stands, of the element-wise or of the row kit: which one, and the
 * call as that takes it, are written down. Truth, limits and acceptance are the other's, whose judged tensor
 * is of the same shape. */

#include "reference/operator/op.h"

/* A call as the other operator takes it. */
struct lowered_call {
    struct op_call call;
    struct attributes attributes; /* for those that the other has and the call has not */
    struct tensor input[OPERANDS_MAX];
    bool own[OPERANDS_MAX]; /* made for this, and destroyed with it; others are the call's */
};

struct lowering {
    const struct op *(*op)(const struct op *op, const struct attributes *attributes);
    /* Fills the operands. `s` begins as the call with the other's name, as many inputs as that has at most,
     * and `input` for them. False when out of memory. */
    bool (*lower)(struct lowered_call *s, const struct op_call *call);
};

/* The functions of an operator (reference/operator/op.h) that has a stand-in. */
bool lowering_truth(const struct op_call *call, struct truth *truth, struct error *error);
bool lowering_enclose(const struct op_call *call, struct truth *truth, struct error *error);
bool lowering_certify(const struct op_call *call, struct truth *truth, int output, int64_t element,
                      struct error *error);
double lowering_bound(const struct bound_query *query);
void lowering_bounds(const struct bound_query *query, int64_t first, int count, double *compute);
double lowering_primitive_error(const struct bound_query *query);
void lowering_accept(const struct bound_query *query, struct accept *accept);
bool lowering_naive_may_overflow(const struct bound_query *query);

#define LOWERING_LIMITS                                                                                      \
    .bound = lowering_bound, .bounds = lowering_bounds, .primitive_error = lowering_primitive_error,                     \
    .accept = lowering_accept, .naive_may_overflow = lowering_naive_may_overflow
#define LOWERING_TRUTHS .truth = lowering_truth, .enclose = lowering_enclose, .certify = lowering_certify

#endif
