/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* conv1d, conv2d, conv3d [input, weight, bias?], conv_transpose1d, conv_transpose2d, conv_transpose3d, and
 * their gradients [grad_output, input, weight], whose results are grad_input, grad_weight and grad_bias.
 *
 * Definition: PyTorch torch.nn.functional.conv2d (a correlation: taps are not flipped), conv_transpose2d, and
 * aten::convolution_backward. stride, padding, dilation, output_padding: one number for all spatial
 * dimensions or one for each; padding also one pair begin, end for each. same: PyTorch's padding = "same".
 * Without a batch the input has one dimension less.
 *
 * Truth and error bound: sums of products (reference/ops/product_sum); the index maps are in
 * convolution_map.c. Profiles may declare Winograd's algorithm: convolution_winograd.h. */

#include "reference/ops/convolution/convolution_map.h"
#include "reference/ops/convolution/convolution_shape.h"
#include "reference/ops/convolution/convolution_winograd.h"

enum { DTYPES = 1U << DTYPE_FLOAT16 | 1U << DTYPE_BFLOAT16 | 1U << DTYPE_FLOAT32 | 1U << DTYPE_FLOAT64 };

static bool check_dtypes(const struct op *op, const struct op_operands *operands, struct error *reason)
{
    const struct view *input = operands->input;
    for (int i = 0; i < operands->inputs; i++) {
        if (input[i].storage < 0) {
            continue;
        }
        if (!(op->dtypes >> input[i].dtype & 1)) {
            return error_set(reason, "%s: dtype %s is not supported", op->name,
                             dtype_info(input[i].dtype)->name);
        }
        if (input[i].dtype != input[0].dtype) {
            return error_set(reason, "%s: input %d (%s) is %s beside %s", op->name, i,
                             op_operand_name(op, operands->inputs, i), dtype_info(input[i].dtype)->name,
                             dtype_info(input[0].dtype)->name);
        }
    }
    return true;
}

static bool signature(const struct op *op, const struct op_operands *operands, struct op_signature *out,
                      struct error *reason)
{
    const struct view *input = operands->input;
    struct convolution c;
    if (!check_dtypes(op, operands, reason) ||
        !convolution_of(op, operands->attributes, &input[0].shape, &input[1].shape, &c, reason)) {
        return false;
    }
    const int64_t channels = op->variant & CONVOLUTION_TRANSPOSED ? c.x_channels : c.y_channels;
    if (operands->inputs > 2 && input[2].storage >= 0 &&
        (input[2].shape.rank != 1 || input[2].shape.dim[0] != channels)) {
        return error_set(reason, "%s: bias must be [%lld], one number for each channel of the result",
                         op->name, (long long)channels);
    }
    *out = (struct op_signature){.outputs = 1, .output[0] = {input[0].dtype, c.output}};
    return true;
}

static bool gradient_signature(const struct op *op, const struct op_operands *operands,
                               struct op_signature *out, struct error *reason)
{
    const struct view *input = operands->input;
    struct convolution c;
    if (!check_dtypes(op, operands, reason) ||
        !convolution_of(op, operands->attributes, &input[1].shape, &input[2].shape, &c, reason)) {
        return false;
    }
    if (!shape_equal(&input[0].shape, &c.output)) {
        char wanted[SHAPE_TEXT];
        shape_print(&c.output, wanted, sizeof wanted);
        return error_set(reason, "%s: grad_output must have the shape of the result, %s", op->name, wanted);
    }
    const int64_t channels = op->variant & CONVOLUTION_TRANSPOSED ? c.x_channels : c.y_channels;
    *out = (struct op_signature){.outputs = 3,
                                 .output = {{input[0].dtype, input[1].shape},
                                            {input[0].dtype, input[2].shape},
                                            {input[0].dtype, shape_of(1, channels)}}};
    return true;
}

/* Samples are independent rows. */
static bool rows(const struct op_operands *operands, struct op_rows *rows)
{
    rows->output = rows->input[0] = 1;
    return operands->input[0].shape.rank == operands->input[1].shape.rank;
}

/* PRODUCT_SUM(&convolution_map) with Winograd's algorithm beside it. */
#define CONVOLUTION                                                                                          \
    .product_sum = &convolution_map, .costly = true, .plain = true, .truth = convolution_truth,              \
    .enclose = convolution_enclose, .certify = product_sum_certify,                                          \
    .sensitivities = convolution_sensitivities, .bound = convolution_bound,                                  \
    .primitive_error = convolution_primitive_error, .may_overflow = convolution_may_overflow,                \
    .accept = product_sum_accept, .bounded = true, .assumes = convolution_assumes
#define FORWARD(name_, variant_, ...)                                                                        \
    {                                                                                                        \
        .family = "convolution", .name = name_, .variant = (variant_), .outputs = 1, .dtypes = DTYPES,       \
        .operands = {{"input", OPERAND_READ}, {"weight", OPERAND_READ}, {"bias", OPERAND_OPTIONAL}},         \
        .signature = signature, .rows = rows, CONVOLUTION, __VA_ARGS__                                       \
    }
#define BACKWARD(name_, variant_, ...)                                                                       \
    {                                                                                                        \
        .family = "convolution", .name = name_, .variant = (variant_) | CONVOLUTION_GRADIENT, .outputs = 3,  \
        .dtypes = DTYPES,                                                                                    \
        .operands = {{"grad_output", OPERAND_READ}, {"input", OPERAND_READ}, {"weight", OPERAND_READ}},      \
        .results = {{"grad_input", 0}, {"grad_weight", 0}, {"grad_bias", 0}},                                \
        .signature = gradient_signature, CONVOLUTION, __VA_ARGS__                                            \
    }
#define LISTS                                                                                                \
    .attributes = {{"stride", ATTRIBUTE_INTEGERS},                                                           \
                   {"padding", ATTRIBUTE_INTEGERS},                                                          \
                   {"same", ATTRIBUTE_BOOL},                                                                 \
                   {"dilation", ATTRIBUTE_INTEGERS},                                                         \
                   {"groups", ATTRIBUTE_INTEGER}},                                                           \
    .defaults = {{"same", DEFAULT_VALUE, 0}, {"groups", DEFAULT_VALUE, 1}}
#define TRANSPOSED_LISTS                                                                                     \
    .attributes = {{"stride", ATTRIBUTE_INTEGERS},                                                           \
                   {"padding", ATTRIBUTE_INTEGERS},                                                          \
                   {"output_padding", ATTRIBUTE_INTEGERS},                                                   \
                   {"groups", ATTRIBUTE_INTEGER},                                                            \
                   {"dilation", ATTRIBUTE_INTEGERS}},                                                        \
    .defaults = {{"groups", DEFAULT_VALUE, 1}}

static const struct op ops[] = {
    FORWARD("conv1d", 1, LISTS),
    FORWARD("conv2d", 2, LISTS),
    FORWARD("conv3d", 3, LISTS),
    FORWARD("conv_transpose1d", CONVOLUTION_TRANSPOSED | 1, TRANSPOSED_LISTS),
    FORWARD("conv_transpose2d", CONVOLUTION_TRANSPOSED | 2, TRANSPOSED_LISTS),
    FORWARD("conv_transpose3d", CONVOLUTION_TRANSPOSED | 3, TRANSPOSED_LISTS),
    BACKWARD("conv1d_backward", 1, LISTS),
    BACKWARD("conv2d_backward", 2, LISTS),
    BACKWARD("conv3d_backward", 3, LISTS),
    BACKWARD("conv_transpose1d_backward", CONVOLUTION_TRANSPOSED | 1, TRANSPOSED_LISTS),
    BACKWARD("conv_transpose2d_backward", CONVOLUTION_TRANSPOSED | 2, TRANSPOSED_LISTS),
    BACKWARD("conv_transpose3d_backward", CONVOLUTION_TRANSPOSED | 3, TRANSPOSED_LISTS),
};

const struct op_set op_set_convolution = {.op = ops, .count = sizeof ops / sizeof *ops};
