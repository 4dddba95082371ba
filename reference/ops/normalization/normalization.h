/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_NORMALIZATION_NORMALIZATION_H
#define ASSAY_REFERENCE_OPS_NORMALIZATION_NORMALIZATION_H

/* The callbacks of struct op and the operand checks that layer_norm.c, group_norm.c, instance_norm.c and
 * batch_norm.c share. An operator file lists its operators and initializes the callbacks with the macro
 * NORMALIZATION_OPERATOR, or NORMALIZATION_UPDATING if the operator updates running statistics. */

#include "reference/ops/normalization/normalization_bound.h"
#include "reference/ops/normalization/normalization_truth.h"

/* The field `variant` of struct op: a kind, plus NORMALIZATION_GRADIENT for a gradient. */
enum normalization_kind {
    NORMALIZATION_LAYER,
    NORMALIZATION_RMS,
    NORMALIZATION_GROUP,
    NORMALIZATION_INSTANCE,
    NORMALIZATION_BATCH
};
enum { NORMALIZATION_GRADIENT = 8 };
enum {
    NORMALIZATION_DTYPES =
        1U << DTYPE_FLOAT16 | 1U << DTYPE_BFLOAT16 | 1U << DTYPE_FLOAT32 | 1U << DTYPE_FLOAT64
};

enum normalization_kind normalization_kind(const struct op *op);
bool normalization_is_gradient(const struct op *op);

/* The product of the dimensions after [batch, channels]; 1 if there are none. */
int64_t normalization_inner(const struct shape *shape);

/* Return the input with that name, or NULL if the operator has no such input or the call omits it. */
const struct tensor *normalization_operand(const struct op_call *call, const char *name);
const struct view *normalization_view(const struct op *op, const struct op_operands *operands,
                                      const char *name);
/* True if the call omits the operand, or the operand has the dtype of `x` and the shape `shape`. Otherwise
 * sets `reason` and returns false. */
bool normalization_fits(const struct op *op, const struct op_operands *operands, const char *name,
                        const struct view *x, const struct shape *shape, struct error *reason);
/* Declares the outputs: output 0 like `x`, then `parameters` outputs of the dtype of `x` and `shape`. */
void normalization_gradient_outputs(struct op_signature *out, const struct view *x, int parameters,
                                    const struct shape *shape);

/* --- callbacks of struct op (reference/operator/op.h) for operators whose judged tensors are y, or dx and,
 * if the call has a weight, dweight and dbias */

bool normalization_op_truth(const struct op_call *call, struct truth *truth, struct error *error);
bool normalization_op_certify(const struct op_call *call, struct truth *truth, int output, int64_t element,
                              struct error *error);
int normalization_op_sensitivities(const struct op_call *call, int output);
double normalization_op_bound(const struct bound_query *query);
double normalization_op_primitive_error(const struct bound_query *query);
bool normalization_op_naive_may_overflow(const struct bound_query *query);
bool normalization_op_naive_is_infinite(const struct bound_query *query);
void normalization_op_accept(const struct bound_query *query, struct accept *accept);

#define NORMALIZATION_OPERATOR                                                                               \
    .family = "norm", .dtypes = NORMALIZATION_DTYPES, .truth = normalization_op_truth,                       \
    .enclose = normalization_op_truth, .certify = normalization_op_certify,                                  \
    .sensitivities = normalization_op_sensitivities, .bound = normalization_op_bound,                        \
    .primitive_error = normalization_op_primitive_error,                                                     \
    .naive_may_overflow = normalization_op_naive_may_overflow,                                               \
    .naive_is_infinite = normalization_op_naive_is_infinite, .naive_by_word = true,                          \
    .accept = normalization_op_accept

/* --- callbacks for batch_norm and instance_norm. If the call has running statistics, the judged tensors are
 * running_mean, running_var and y, in this order. */

bool normalization_updating_truth(const struct op_call *call, struct truth *truth, struct error *error);
bool normalization_updating_certify(const struct op_call *call, struct truth *truth, int output,
                                    int64_t element, struct error *error);
int normalization_updating_sensitivities(const struct op_call *call, int output);
double normalization_updating_bound(const struct bound_query *query);
bool normalization_updating_naive_may_overflow(const struct bound_query *query);
bool normalization_updating_naive_is_infinite(const struct bound_query *query);
void normalization_updating_accept(const struct bound_query *query, struct accept *accept);

#define NORMALIZATION_UPDATING                                                                               \
    .family = "norm", .dtypes = NORMALIZATION_DTYPES, .truth = normalization_updating_truth,                 \
    .enclose = normalization_updating_truth, .certify = normalization_updating_certify,                      \
    .sensitivities = normalization_updating_sensitivities, .bound = normalization_updating_bound,            \
    .primitive_error = normalization_op_primitive_error,                                                     \
    .naive_may_overflow = normalization_updating_naive_may_overflow,                                         \
    .naive_is_infinite = normalization_updating_naive_is_infinite, .naive_by_word = true,                    \
    .accept = normalization_updating_accept

/* Checks weight, bias and running statistics: shape [channels], and one common dtype, which must be the dtype
 * of `x`, or float32 if `x` has a 16-bit dtype. Stores the common dtype in `*dtype`. */
bool normalization_parameters_fit(const struct op *op, const struct op_operands *operands,
                                  const struct view *x, enum dtype *dtype, struct error *reason);
/* Checks that the call has both running statistics or neither, and both in evaluation. */
bool normalization_statistics_given(const struct op *op, const struct op_operands *operands, bool evaluates,
                                    struct error *reason);

/* Reads the operands and attributes of a call. */
struct normalization normalization_of(const struct op_call *call);
/* Computes the truths and envelopes of the judged tensors from `out` to the last one of `truth`: y, or dx,
 * dweight and dbias. `enclosed`: compute values with radii where that is cheaper. */
bool normalization_truth_behind(const struct normalization *n, bool enclosed, struct truth *truth,
                                struct truth_output *out, struct error *error);
#endif
