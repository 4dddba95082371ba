/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* instance_norm, of [batch, channels, …].
 *
 * Definition: PyTorch torch.nn.functional.instance_norm(input, running_mean=None, running_var=None,
 * weight=None, bias=None, use_input_stats=True, momentum=0.1, eps=1e-5). With use_input_stats each channel of
 * each sample is normalized by its own mean and biased variance, and running statistics, where there are any,
 * become the *mean over the samples* of (1 − momentum)·running + momentum·statistic, with the unbiased
 * variance, in place: PyTorch repeats them for each sample, calls batch_norm on [1, batch·channels, …] and
 * averages what it leaves (instance_norm in aten/src/ATen/native/Normalization.cpp, pytorch@4aef9dcfddc2).
 * Without use_input_stats it normalizes by the running statistics, which must stay unchanged. They are judged
 * in either case. All operands have the input's dtype; with a 16-bit input, scale, shift and running
 * statistics may be float32, as in batch_norm. Must be rejected: with use_input_stats, a single value per
 * channel of a sample; without it, missing running statistics (both as in PyTorch's function); one running
 * statistic without the other (as in PyTorch on CUDA and in batch_norm). Gradient: group_norm.c. Truth and
 * error bound: reference/ops/normalization/normalization.h. */

#include "reference/ops/normalization/normalization.h"

static bool signature(const struct op *op, const struct op_operands *operands, struct op_signature *out,
                      struct error *reason)
{
    const struct view *x = normalization_view(op, operands, "input");
    const bool evaluates = !attributes_integer(operands->attributes, "use_input_stats", 1);
    enum dtype dtype;
    if (!(op->dtypes >> x->dtype & 1)) {
        return error_set(reason, "%s: dtype %s is not supported", op->name, dtype_info(x->dtype)->name);
    }
    if (x->shape.rank < 2) {
        return error_set(reason, "%s: needs dimensions [batch, channels, …]", op->name);
    }
    if (!evaluates && normalization_inner(&x->shape) == 1) {
        return error_set(reason, "%s: a channel of a single value has no variance", op->name);
    }
    if (!normalization_statistics_given(op, operands, evaluates, reason) ||
        !normalization_parameters_fit(op, operands, x, &dtype, reason)) {
        return false;
    }
    normalization_gradient_outputs(out, x, 0, &x->shape);
    return true;
}

/* Each sample has groups of its own; all samples have the same scale and shift. A call with running
 * statistics has no rows, because these judged tensors depend on all samples. */
static bool rows(const struct op_operands *operands, struct op_rows *rows)
{
    rows->output = rows->input[0] = 1;
    return operands->inputs < 2 || operands->input[1].storage < 0;
}

static const struct op ops[] = {
    {.name = "instance_norm",
     .variant = NORMALIZATION_INSTANCE,
     .operands = {{"input", OPERAND_READ},
                  {"running_mean", OPERAND_MUTATED | OPERAND_OPTIONAL},
                  {"running_var", OPERAND_MUTATED | OPERAND_OPTIONAL},
                  {"weight", OPERAND_OPTIONAL},
                  {"bias", OPERAND_OPTIONAL}},
     .outputs = 1,
     .attributes = {{"use_input_stats", ATTRIBUTE_BOOL},
                    {"momentum", ATTRIBUTE_REAL},
                    {"eps", ATTRIBUTE_REAL}},
     .defaults = {{"use_input_stats", DEFAULT_VALUE, 1},
                  {"momentum", DEFAULT_VALUE, 0.1},
                  {"eps", DEFAULT_VALUE, 1e-5}},
     .signature = signature,
     .rows = rows,
     NORMALIZATION_UPDATING},
};

const struct op_set op_set_instance_norm = {.op = ops, .count = sizeof ops / sizeof *ops};
