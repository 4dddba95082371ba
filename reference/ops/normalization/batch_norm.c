/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* batch_norm and its gradient, of [batch, channels, …] with 2 to 5 dimensions.
 *
 * Definition: PyTorch torch.nn.functional.batch_norm(input, running_mean, running_var, weight=None,
 * bias=None, training=False, momentum=0.1, eps=1e-5). Training normalizes by the batch's own mean and biased
 * variance and updates the running statistics, if there are any, by the mean and the *unbiased* variance:
 * (1 − momentum)·running + momentum·statistic, in place. Evaluation normalizes by the running statistics and
 * must leave them unchanged. They are judged in either case. All operands have the input's dtype; with a
 * 16-bit input, scale, shift and running statistics may be float32, as under automatic mixed precision.
 * Gradient: [grad_out, input, running_mean?, running_var?, weight?] → dx, and, if there is a weight, dweight
 * and dbias. Must be rejected: training on a single value per channel, and evaluation without running
 * statistics. Truth and error bound: reference/ops/normalization/normalization.h. */

#include "reference/ops/normalization/normalization.h"

static bool check_statistics(const struct op *op, const struct op_operands *operands, const struct view *x,
                             struct error *reason)
{
    bool training = attributes_integer(operands->attributes, "training", 0) != 0;
    if (x->shape.rank < 2 || x->shape.rank > 5) {
        return error_set(reason, "%s: needs 2 to 5 dimensions [batch, channels, …]", op->name);
    }
    if (!normalization_statistics_given(op, operands, !training, reason)) {
        return false;
    }
    return !training || x->shape.dim[0] * normalization_inner(&x->shape) != 1 ||
           error_set(reason, "%s: expected more than 1 value per channel when training", op->name);
}

static bool signature(const struct op *op, const struct op_operands *operands, struct op_signature *out,
                      struct error *reason)
{
    const struct view *x = normalization_view(op, operands, "input");
    if (!(op->dtypes >> x->dtype & 1)) {
        return error_set(reason, "%s: dtype %s is not supported", op->name, dtype_info(x->dtype)->name);
    }
    if (!check_statistics(op, operands, x, reason) ||
        !normalization_fits(op, operands, "grad_out", x, &x->shape, reason)) {
        return false;
    }
    enum dtype dtype;
    if (!normalization_parameters_fit(op, operands, x, &dtype, reason)) {
        return false;
    }
    struct shape channels = {.rank = 1, .dim = {x->shape.dim[1]}};
    bool affine = normalization_is_gradient(op) && normalization_view(op, operands, "weight");
    normalization_gradient_outputs(out, x, affine ? 2 : 0, &channels);
    for (int o = 1; o < out->outputs; o++) {
        out->output[o].dtype = dtype;
    }
    return true;
}

static const struct op ops[] = {
    {.name = "batch_norm",
     .variant = NORMALIZATION_BATCH,
     .operands = {{"input", OPERAND_READ},
                  {"running_mean", OPERAND_MUTATED | OPERAND_OPTIONAL},
                  {"running_var", OPERAND_MUTATED | OPERAND_OPTIONAL},
                  {"weight", OPERAND_OPTIONAL},
                  {"bias", OPERAND_OPTIONAL}},
     .outputs = 1,
     .attributes = {{"training", ATTRIBUTE_BOOL}, {"momentum", ATTRIBUTE_REAL}, {"eps", ATTRIBUTE_REAL}},
     .defaults = {{"training", DEFAULT_VALUE, 0},
                  {"momentum", DEFAULT_VALUE, 0.1},
                  {"eps", DEFAULT_VALUE, 1e-5}},
     .signature = signature,
     NORMALIZATION_UPDATING},
    {NORMALIZATION_OPERATOR, .name = "batch_norm_backward",
     .variant = NORMALIZATION_BATCH | NORMALIZATION_GRADIENT,
     .operands = {{"grad_out", OPERAND_READ},
                  {"input", OPERAND_READ},
                  {"running_mean", OPERAND_OPTIONAL},
                  {"running_var", OPERAND_OPTIONAL},
                  {"weight", OPERAND_OPTIONAL}},
     .outputs = 3, .attributes = {{"training", ATTRIBUTE_BOOL}, {"eps", ATTRIBUTE_REAL}},
     .defaults = {{"training", DEFAULT_VALUE, 0}, {"eps", DEFAULT_VALUE, 1e-5}}, .signature = signature},
};

const struct op_set op_set_batch_norm = {.op = ops, .count = sizeof ops / sizeof *ops};
