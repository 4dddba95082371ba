/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_NORMALIZATION_H
#define ASSAY_REFERENCE_NORMALIZATION_H

/* What the operators of normalization share (reference/ops/…_norm.c), on statistics, truths and bounds. */

#include "reference/normalization_bound.h"
#include "reference/normalization_truth.h"

/* The variants: one of the kinds, and whether it is the gradient. */
enum normalization_kind {
    NORMALIZATION_LAYER,
    NORMALIZATION_RMS,
    NORMALIZATION_GROUP,
    NORMALIZATION_INSTANCE,
    NORMALIZATION_BATCH
};
enum { NORMALIZATION_GRADIENT = 8 };

enum normalization_kind normalization_kind(const struct op *op);
bool normalization_is_gradient(const struct op *op);

/* The truth of a forward operator (n->grad absent), or of a gradient: dx, then dweight and dbias where asked
 * for. `out` are its outputs. `enclosed`: within radii, see op.h. */
bool normalization_any_truth(const struct normalization *n, bool enclosed, struct truth *truth,
                             struct truth_output *out, struct error *error);
/* Certifies one element of a judged tensor, of y or of a gradient. */
bool normalization_any_certify(const struct normalization *n, struct truth *truth, int output,
                               int64_t element, struct error *error);

/* An operand by name, NULL where the operator or the call has none. */
const struct tensor *normalization_operand(const struct op_call *call, const char *name);
const struct view *normalization_view(const struct op *op, const struct op_operands *operands,
                                      const char *name);
/* Where it is there, the operand of that name must have the dtype of `x` and this shape. */
bool normalization_fits(const struct op *op, const struct op_operands *operands, const char *name,
                        const struct view *x, const struct shape *shape, struct error *reason);
int normalization_gradient_sensitivities(int output);
/* Outputs of a gradient: dx like x, and where `parameters`, so many more of `shape`. */
void normalization_gradient_outputs(struct op_signature *out, const struct view *x, int parameters,
                                    const struct shape *shape);
double normalization_any_gradient_bound(const struct bound_query *query, bool centred, double eps);

/* What primitives and underflow may err: the bound of an exactness probe. */
double normalization_allowance(const struct bound_query *query, double (*bound)(const struct bound_query *));
#endif
