/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* group_norm and its gradient, and the gradient of instance_norm (instance_norm.c).
 *
 * Definition: PyTorch torch.nn.functional.group_norm(input, num_groups, weight=None, bias=None, eps=1e-5).
 * Gradients: [grad_out, input, weight?] → dx, and, if there is a weight, dweight and dbias; the gradient of
 * instance_norm uses the statistics of the input, a group per channel. Must be rejected: a number of groups
 * that does not divide the channels, and instance_norm of a single value per channel. Truth and error bound:
 * reference/ops/normalization/normalization.h. */

#include "reference/ops/normalization/normalization.h"

static bool is_instance(const struct op *op)
{
    return normalization_kind(op) == NORMALIZATION_INSTANCE;
}

static bool check_groups(const struct op *op, const struct op_operands *operands, const struct view *x,
                         struct error *reason)
{
    if (x->shape.rank < (is_instance(op) ? 3 : 2)) {
        return error_set(reason, "%s: needs dimensions [batch, channels, …]", op->name);
    }
    int64_t channels = x->shape.dim[1], groups = attributes_integer(operands->attributes, "num_groups", 0);
    if (!is_instance(op)) {
        return (groups > 0 && channels % groups == 0) ||
               error_set(reason, "%s: %lld groups do not divide %lld channels", op->name, (long long)groups,
                         (long long)channels);
    }
    return normalization_inner(&x->shape) != 1 ||
           error_set(reason, "%s: a channel of a single value has no variance", op->name);
}

static bool signature(const struct op *op, const struct op_operands *operands, struct op_signature *out,
                      struct error *reason)
{
    const struct view *x = normalization_view(op, operands, "input");
    if (!(op->dtypes >> x->dtype & 1)) {
        return error_set(reason, "%s: dtype %s is not supported", op->name, dtype_info(x->dtype)->name);
    }
    if (!check_groups(op, operands, x, reason)) {
        return false;
    }
    struct shape channels = {.rank = 1, .dim = {x->shape.dim[1]}};
    if (!normalization_fits(op, operands, "grad_out", x, &x->shape, reason) ||
        !normalization_fits(op, operands, "weight", x, &channels, reason) ||
        !normalization_fits(op, operands, "bias", x, &channels, reason)) {
        return false;
    }
    bool affine = normalization_is_gradient(op) && normalization_view(op, operands, "weight");
    normalization_gradient_outputs(out, x, affine ? 2 : 0, &channels);
    return true;
}

/* Each sample has groups of its own; all samples have the same scale and shift. A gradient with a weight has
 * no rows, because dweight and dbias sum over samples. */
static bool rows_of_samples(const struct op_operands *operands, struct op_rows *rows)
{
    (void)operands;
    rows->output = rows->input[0] = 1;
    return true;
}

static bool gradient_rows(const struct op_operands *operands, struct op_rows *rows)
{
    rows->input[1] = 1;
    return (operands->inputs < 3 || operands->input[2].storage < 0) && rows_of_samples(operands, rows);
}

#define OPERATOR(name_, variant_, outputs_, rows_, ...)                                                      \
    {                                                                                                        \
        .name = name_, .variant = variant_, .outputs = outputs_, .defaults = {{"eps", DEFAULT_VALUE, 1e-5}}, \
        .signature = signature, .rows = rows_, .bounded = true, NORMALIZATION_OPERATOR, __VA_ARGS__          \
    }
#define GRADIENT                                                                                             \
    .operands = {{"grad_out", OPERAND_READ}, {"input", OPERAND_READ}, {"weight", OPERAND_OPTIONAL}}

static const struct op ops[] = {
    OPERATOR("group_norm", NORMALIZATION_GROUP, 1, rows_of_samples,
             .operands = {{"input", OPERAND_READ}, {"weight", OPERAND_OPTIONAL}, {"bias", OPERAND_OPTIONAL}},
             .attributes = {{"num_groups", ATTRIBUTE_INTEGER}, {"eps", ATTRIBUTE_REAL}}),
    OPERATOR("group_norm_backward", NORMALIZATION_GROUP | NORMALIZATION_GRADIENT, 3, gradient_rows, GRADIENT,
             .attributes = {{"num_groups", ATTRIBUTE_INTEGER}, {"eps", ATTRIBUTE_REAL}}),
    OPERATOR("instance_norm_backward", NORMALIZATION_INSTANCE | NORMALIZATION_GRADIENT, 3, gradient_rows,
             GRADIENT, .attributes = {{"eps", ATTRIBUTE_REAL}}),
};

const struct op_set op_set_group_norm = {.op = ops, .count = sizeof ops / sizeof *ops};
