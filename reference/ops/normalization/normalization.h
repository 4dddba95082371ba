/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_NORMALIZATION_NORMALIZATION_H
#define ASSAY_REFERENCE_OPS_NORMALIZATION_NORMALIZATION_H

/* What the operators of normalization share (reference/ops/…_norm.c), on statistics, truths and bounds. */

#include "reference/ops/normalization/normalization_bound.h"
#include "reference/ops/normalization/normalization_truth.h"

/* The variants: one of the kinds, and whether it is the gradient. */
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

/* The axes of [batch, channels, inner …] behind the channels, as one. */
int64_t normalization_inner(const struct shape *shape);

/* An operand by name, NULL where the operator or the call has none. */
const struct tensor *normalization_operand(const struct op_call *call, const char *name);
const struct view *normalization_view(const struct op *op, const struct op_operands *operands,
                                      const char *name);
/* Where it is there, the operand of that name must have the dtype of `x` and this shape. */
bool normalization_fits(const struct op *op, const struct op_operands *operands, const char *name,
                        const struct view *x, const struct shape *shape, struct error *reason);
/* Outputs of a gradient: dx like x, and where `parameters`, so many more of `shape`. */
void normalization_gradient_outputs(struct op_signature *out, const struct view *x, int parameters,
                                    const struct shape *shape);

/* --- the functions of an operator (reference/operator/op.h), the same for all: judged are y, or dx and where they are
 * asked for dweight and dbias. */

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
    .primitive_error = normalization_op_primitive_error, .naive_may_overflow = normalization_op_naive_may_overflow,                \
    .naive_is_infinite = normalization_op_naive_is_infinite, .naive_by_word = true,                          \
    .accept = normalization_op_accept

/* --- the same of an operator that updates running statistics, which are judged before y where they are
 * there. */

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
    .primitive_error = normalization_op_primitive_error, .naive_may_overflow = normalization_updating_naive_may_overflow,          \
    .naive_is_infinite = normalization_updating_naive_is_infinite, .naive_by_word = true,                    \
    .accept = normalization_updating_accept

/* Scale, shift and running statistics must be a number per channel, of the dtype of the first of them, which
 * is the input's or float32 beside a 16-bit input; that dtype. Running statistics must be there both or
 * neither, and in evaluation. */
bool normalization_parameters_fit(const struct op *op, const struct op_operands *operands,
                                  const struct view *x, enum dtype *dtype, struct error *reason);
bool normalization_statistics_given(const struct op *op, const struct op_operands *operands, bool evaluates,
                                    struct error *reason);

/* What a call asks for, and its truth where judged tensors stand before those (running
 * statistics): `out` is the first of them. */
struct normalization normalization_of(const struct op_call *call);
bool normalization_truth_behind(const struct normalization *n, bool enclosed, struct truth *truth,
                                struct truth_output *out, struct error *error);
#endif
