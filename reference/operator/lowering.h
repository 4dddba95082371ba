/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPERATOR_LOWERING_H
#define ASSAY_REFERENCE_OPERATOR_LOWERING_H

/* Operators whose calls are lowered to another operator of the element-wise or the row-wise class. A struct
 * lowering says which operator that is and how the call is rewritten. The lowered call supplies truth, bounds
 * and acceptance; its judged tensor has the same shape. */

#include "reference/operator/op.h"

/* A call rewritten for the other operator. */
struct lowered_call {
    struct op_call call;
    struct attributes attributes; /* room for attributes that the other operator has and the call does not */
    struct tensor input[OPERANDS_MAX];
    bool own[OPERANDS_MAX]; /* true: the operand was made for the lowered call and is destroyed with it;
                               false: it belongs to the call */
};

struct lowering {
    const struct op *(*op)(const struct op *op, const struct attributes *attributes);
    /* Fills the operands of `s`. `s` starts as a copy of the call with the other operator, the most inputs
     * that this operator takes, and `input` as their array. Returns false when out of memory. */
    bool (*lower)(struct lowered_call *s, const struct op_call *call);
};

/* The functions of an operator (struct op in reference/operator/op.h) that has a lowering. */
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
    .bound = lowering_bound, .bounds = lowering_bounds, .primitive_error = lowering_primitive_error,         \
    .accept = lowering_accept, .naive_may_overflow = lowering_naive_may_overflow
#define LOWERING_TRUTHS .truth = lowering_truth, .enclose = lowering_enclose, .certify = lowering_certify

#endif
