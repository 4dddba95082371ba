/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_LOSS_LOSS_H
#define ASSAY_REFERENCE_OPS_LOSS_LOSS_H

/* The loss operator class: a function of input and target, element by element, whose results, their mean or
 * their sum are returned (`reduction`), or its gradient by the input. Its operators are in
 * reference/ops/loss/losses.c and loss_gradients.c.
 *
 * struct loss holds, for each reduction, the element-wise or row-wise operator that a call is lowered to;
 * truths, error bounds and envelopes are those of that operator. In its formulas grad is grad_output, x the
 * input, y the target, z the weight; pos_weight and count, the number that a mean divides by, have their own
 * names. A weight that is left out is 1 everywhere: a product with it rounds nothing.
 *
 * Shapes: input and target have one shape, or broadcast as in PyTorch with `broadcasts`; weights broadcast to
 * the input. A gradient's grad_output has the input's shape, or is a scalar for a reduced loss. All operands
 * and the result have one dtype. */

#include "reference/operator/lowering.h"
#include "reference/ops/elementwise/elementwise.h"
#include "reference/ops/rowwise/rowwise.h"

enum loss_reduction { LOSS_NONE, LOSS_MEAN, LOSS_SUM, LOSS_BATCHMEAN, LOSS_REDUCTIONS };

/* The operator that calls of each reduction are lowered to. */
struct loss_forms {
    struct op op[LOSS_REDUCTIONS];
};

struct loss {
    const struct loss_forms *forms;
    const char *flag; /* an attribute, and the forms that apply where it is given and not 0; NULL: none */
    const struct loss_forms *flagged;
    bool broadcasts;
    const char *positive, *not_negative; /* attributes that must be positive, or not negative; NULL: none */
};

/* Returns the number that a mean over this shape divides by. */
double loss_count(const struct attributes *attributes, const struct shape *shape);

bool loss_signature(const struct op *op, const struct op_operands *operands, struct op_signature *signature,
                    struct error *reason);
bool loss_truth(const struct op_call *call, struct truth *truth, struct error *error);
bool loss_enclose(const struct op_call *call, struct truth *truth, struct error *error);
int loss_sensitivities(const struct op_call *call, int output);
extern const struct lowering loss_lowering;

/* Words of `reduction`. LOSS_ANY_REDUCTION is for kl_div and for the operators that calls are lowered to. */
#define LOSS_REDUCTION                                                                                       \
    .choices = {                                                                                             \
        {"reduction", "none", LOSS_NONE}, {"reduction", "mean", LOSS_MEAN}, {"reduction", "sum", LOSS_SUM}}
#define LOSS_ANY_REDUCTION                                                                                   \
    .choices = {{"reduction", "none", LOSS_NONE},                                                            \
                {"reduction", "mean", LOSS_MEAN},                                                            \
                {"reduction", "sum", LOSS_SUM},                                                              \
                {"reduction", "batchmean", LOSS_BATCHMEAN}}

#define LOSS_OP(name_, ...)                                                                                  \
    .family = "loss", .name = name_, .outputs = 1, .dtypes = ELEMENTWISE_FLOATS,                             \
    .signature = loss_signature, .lowering = &loss_lowering, .truth = loss_truth, .enclose = loss_enclose,   \
    .certify = lowering_certify, .sensitivities = loss_sensitivities, LOWERING_LIMITS, .bounded = true,      \
    .loss = (&(const struct loss){__VA_ARGS__})

#endif
