/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* layer_norm, rms_norm and their gradients.
 *
 * Definition: PyTorch torch.nn.functional.layer_norm(input, normalized_shape, weight=None, bias=None,
 * eps=1e-5) and rms_norm(input, normalized_shape, weight=None, eps). The gradients recompute the statistics
 * from input: [grad_out, input, weight?] → dx, and, if there is a weight, dweight, and for layer_norm dbias.
 * The default of eps is 1e-5, for rms_norm torch.finfo(input.dtype).eps. Truth and error bound:
 * reference/ops/normalization/normalization.h. */

#include "reference/ops/normalization/normalization.h"

static bool is_tail(const struct shape *tail, const struct shape *of)
{
    for (int d = 0; d < tail->rank; d++) {
        if (tail->rank > of->rank || tail->dim[d] != of->dim[of->rank - tail->rank + d]) {
            return false;
        }
    }
    return tail->rank > 0;
}

static bool signature(const struct op *op, const struct op_operands *operands, struct op_signature *out,
                      struct error *reason)
{
    const struct view *x = normalization_view(op, operands, "input"),
                      *weight = normalization_view(op, operands, "weight");
    const struct integers *given = attributes_integers(operands->attributes, "normalized_shape");
    struct shape normalized;
    if (!(op->dtypes >> x->dtype & 1)) {
        return error_set(reason, "%s: dtype %s is not supported", op->name, dtype_info(x->dtype)->name);
    }
    if (!given || !integers_to_shape(given, &normalized) || !is_tail(&normalized, &x->shape)) {
        char asked[INTEGERS_TEXT] = "missing", got[SHAPE_TEXT];
        if (given) {
            numbers_print(given->item, given->count, asked, sizeof asked);
        }
        shape_print(&x->shape, got, sizeof got);
        return error_set(reason,
                         "%s: normalized_shape must be the input's last dimensions, those of %s; it is %s",
                         op->name, got, asked);
    }
    if (!normalization_fits(op, operands, "grad_out", x, &x->shape, reason) ||
        !normalization_fits(op, operands, "weight", x, &normalized, reason) ||
        !normalization_fits(op, operands, "bias", x, &normalized, reason)) {
        return false;
    }
    bool affine = normalization_is_gradient(op) && weight;
    bool shifts = normalization_kind(op) == NORMALIZATION_LAYER;
    normalization_gradient_outputs(out, x, affine ? shifts ? 2 : 1 : 0, &normalized);
    return true;
}

/* Each normalized row is a group of its own; all rows have the same weight and bias. */
static bool rows(const struct op_operands *operands, struct op_rows *rows)
{
    const struct integers *normalized = attributes_integers(operands->attributes, "normalized_shape");
    rows->output = rows->input[0] = operands->input[0].shape.rank - normalized->count;
    return rows->output > 0;
}

/* Only calls without a weight have rows: dweight sums over rows, and a call with several judged tensors
 * cannot have rows. */
static bool gradient_rows(const struct op_operands *operands, struct op_rows *of)
{
    bool good = (operands->inputs < 3 || operands->input[2].storage < 0) && rows(operands, of);
    of->input[1] = of->input[0];
    return good;
}

#define OPERATOR(name_, variant_, outputs_, rows_, default_, eps_, ...)                                      \
    {                                                                                                        \
        .name = name_, .variant = variant_, .operands = {__VA_ARGS__}, .outputs = outputs_,                  \
        .attributes = {{"normalized_shape", ATTRIBUTE_INTEGERS}, {"eps", ATTRIBUTE_REAL}},                   \
        .defaults = {{"eps", default_, eps_}}, .signature = signature, .rows = rows_, .bounded = true,       \
        NORMALIZATION_OPERATOR                                                                               \
    }

static const struct op ops[] = {
    OPERATOR("layer_norm", NORMALIZATION_LAYER, 1, rows, DEFAULT_VALUE, 1e-5, {"input", OPERAND_READ},
             {"weight", OPERAND_OPTIONAL}, {"bias", OPERAND_OPTIONAL}),
    OPERATOR("rms_norm", NORMALIZATION_RMS, 1, rows, DEFAULT_EPSILON, 0, {"input", OPERAND_READ},
             {"weight", OPERAND_OPTIONAL}),
    OPERATOR("layer_norm_backward", NORMALIZATION_LAYER | NORMALIZATION_GRADIENT, 3, gradient_rows,
             DEFAULT_VALUE, 1e-5, {"grad_out", OPERAND_READ}, {"input", OPERAND_READ},
             {"weight", OPERAND_OPTIONAL}),
    OPERATOR("rms_norm_backward", NORMALIZATION_RMS | NORMALIZATION_GRADIENT, 2, gradient_rows,
             DEFAULT_EPSILON, 0, {"grad_out", OPERAND_READ}, {"input", OPERAND_READ},
             {"weight", OPERAND_OPTIONAL}),
};

const struct op_set op_set_layer_norm = {.op = ops, .count = sizeof ops / sizeof *ops};
