/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_LOSS_LOSS_H
#define ASSAY_REFERENCE_OPS_LOSS_LOSS_H

/* The loss kit: a function of input and target, element by element, whose results, their mean or their sum
 * are returned (`reduction`), and its gradient by the input, are rows of reference/ops/loss/losses.c.
 *
 * A row holds the operators of the element-wise and of the row kit that stand for a call, by its reduction:
 * formulas of grad, x the input, y the target, z the weight, pos_weight and count, the number that a mean is
 * over; truths, limits and envelopes are theirs. A weight that is left out is 1 everywhere: a product with it
 * rounds nothing.
 *
 * Shapes: those of input and target are equal, or broadcast as PyTorch's do where `broadcasts`; weights
 * broadcast to the input's. A gradient's grad_output has the input's shape, or is a scalar of a reduced loss.
 * All operands have one dtype; the result has it too. */

#include "reference/ops/elementwise/elementwise.h"
#include "reference/ops/rowwise/rowwise.h"
#include "reference/operator/lowering.h"

enum loss_reduction { LOSS_NONE, LOSS_MEAN, LOSS_SUM, LOSS_BATCHMEAN, LOSS_REDUCTIONS };

/* What stands for calls of each reduction. */
struct loss_forms {
    struct op op[LOSS_REDUCTIONS];
};

struct loss {
    const struct loss_forms *forms;
    const char *flag; /* an attribute, and the forms that hold where it is given and not 0; NULL: none */
    const struct loss_forms *flagged;
    bool broadcasts;
    const char *positive, *not_negative; /* attributes that must be so; NULL: none */
};

/* The number that a mean of so many elements is over. */
double loss_count(const struct attributes *attributes, const struct shape *shape);

bool loss_signature(const struct op *op, const struct op_operands *operands, struct op_signature *signature,
                    struct error *reason);
bool loss_truth(const struct op_call *call, struct truth *truth, struct error *error);
bool loss_enclose(const struct op_call *call, struct truth *truth, struct error *error);
int loss_sensitivities(const struct op_call *call, int output);
extern const struct lowering loss_lowering;

/* Words that a call may say; any: of kl_div, and of the operators that stand for calls of any loss. */
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
