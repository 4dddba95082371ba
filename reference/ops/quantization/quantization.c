/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The operators quantize_…, dequantize_… and fake_quantize_…
 * (reference/ops/quantization/quantization_affine.h).
 *
 * As in PyTorch's quantized_decomposed operators, integers are tensors of int8, uint8 or int32; quant_min and
 * quant_max default to the ends of the dtype (torch.quantize_per_tensor). …_per_block, which PyTorch has only
 * for groups with another rounding, is per channel with a scale for each block_size neighbours of the last
 * dimension (ONNX QuantizeLinear). A NaN may become any number; infinities saturate. Refused are a zero point
 * outside quant_min … quant_max, quant_min > quant_max, and axes and lengths that do not fit. */

#include "reference/ops/quantization/quantization_affine.h"

enum {
    FLOATS = 1U << DTYPE_FLOAT16 | 1U << DTYPE_BFLOAT16 | 1U << DTYPE_FLOAT32,
    WHOLE = 1U << DTYPE_INT8 | 1U << DTYPE_UINT8 | 1U << DTYPE_INT32
};

#define ROW(name_, action_, grain_, dtypes_, ...)                                                            \
    {                                                                                                        \
        .family = "quantization", .name = name_, .variant = QUANTIZATION_VARIANT(action_, grain_),           \
        .dtypes = dtypes_, .outputs = 1, .elementwise = (grain_) == GRAIN_TENSOR,                            \
        .signature = quantization_signature, .truth = quantization_truth,                                    \
        .sensitivities = quantization_sensitivities, .accept = quantization_accept,                          \
        .bound = quantization_bound, .one_rounding = quantization_rounds_once, __VA_ARGS__                   \
    }

#define TENSOR                                                                                               \
    {"scale", ATTRIBUTE_REAL},                                                                               \
    {                                                                                                        \
        "zero_point", ATTRIBUTE_INTEGER                                                                      \
    }
#define INTERVAL                                                                                             \
    {"quant_min", ATTRIBUTE_INTEGER},                                                                        \
    {                                                                                                        \
        "quant_max", ATTRIBUTE_INTEGER                                                                       \
    }
#define OPERANDS(scale, zero_point)                                                                          \
    {                                                                                                        \
        {"input", OPERAND_READ}, {scale, OPERAND_READ},                                                      \
        {                                                                                                    \
            zero_point, OPERAND_READ                                                                         \
        }                                                                                                    \
    }
#define INTO                                                                                                 \
    .choices = {                                                                                             \
        {"dtype", "int8", DTYPE_INT8}, {"dtype", "uint8", DTYPE_UINT8}, {"dtype", "int32", DTYPE_INT32}}
#define OUT                                                                                                  \
    .choices = {{"out_dtype", "float16", DTYPE_FLOAT16},                                                     \
                {"out_dtype", "bfloat16", DTYPE_BFLOAT16},                                                   \
                {"out_dtype", "float32", DTYPE_FLOAT32}}
#define OUT_DEFAULT                                                                                          \
    {                                                                                                        \
        "out_dtype", DEFAULT_VALUE, DTYPE_FLOAT32                                                            \
    }

static const struct op ops[] = {
    ROW("quantize_per_tensor", QUANTIZE, GRAIN_TENSOR, FLOATS, .operands = {{"input", OPERAND_READ}},
        .attributes = {TENSOR, INTERVAL, {"dtype", ATTRIBUTE_CHOICE}}, INTO),
    ROW("quantize_per_channel", QUANTIZE, GRAIN_CHANNEL, FLOATS,
        .operands = OPERANDS("scales", "zero_points"),
        .attributes = {{"axis", ATTRIBUTE_INTEGER}, INTERVAL, {"dtype", ATTRIBUTE_CHOICE}}, INTO),
    ROW("quantize_per_block", QUANTIZE, GRAIN_BLOCK, FLOATS, .operands = OPERANDS("scales", "zero_points"),
        .attributes = {{"block_size", ATTRIBUTE_INTEGER}, INTERVAL, {"dtype", ATTRIBUTE_CHOICE}}, INTO),
    ROW("dequantize_per_tensor", DEQUANTIZE, GRAIN_TENSOR, WHOLE, .operands = {{"input", OPERAND_READ}},
        .attributes = {TENSOR, {"out_dtype", ATTRIBUTE_CHOICE}}, .defaults = {OUT_DEFAULT}, OUT),
    ROW("dequantize_per_channel", DEQUANTIZE, GRAIN_CHANNEL, WHOLE,
        .operands = OPERANDS("scales", "zero_points"),
        .attributes = {{"axis", ATTRIBUTE_INTEGER}, {"out_dtype", ATTRIBUTE_CHOICE}},
        .defaults = {OUT_DEFAULT}, OUT),
    ROW("dequantize_per_block", DEQUANTIZE, GRAIN_BLOCK, WHOLE, .operands = OPERANDS("scales", "zero_points"),
        .attributes = {{"block_size", ATTRIBUTE_INTEGER}, {"out_dtype", ATTRIBUTE_CHOICE}},
        .defaults = {OUT_DEFAULT}, OUT),
    ROW("fake_quantize_per_tensor_affine", FAKE_QUANTIZE, GRAIN_TENSOR, FLOATS,
        .operands = {{"input", OPERAND_READ}}, .attributes = {TENSOR, INTERVAL}),
    ROW("fake_quantize_per_channel_affine", FAKE_QUANTIZE, GRAIN_CHANNEL, FLOATS,
        .operands = OPERANDS("scale", "zero_point"), .attributes = {{"axis", ATTRIBUTE_INTEGER}, INTERVAL}),
    ROW("fake_quantize_per_tensor_affine_backward", FAKE_QUANTIZE_BACKWARD, GRAIN_TENSOR, FLOATS,
        .operands = {{"grad_output", OPERAND_READ}, {"input", OPERAND_READ}},
        .attributes = {TENSOR, INTERVAL}),
    ROW("fake_quantize_per_channel_affine_backward", FAKE_QUANTIZE_BACKWARD, GRAIN_CHANNEL, FLOATS,
        .operands = {{"grad_output", OPERAND_READ},
                     {"input", OPERAND_READ},
                     {"scale", OPERAND_READ},
                     {"zero_point", OPERAND_READ}},
        .attributes = {{"axis", ATTRIBUTE_INTEGER}, INTERVAL}),
};

const struct op_set op_set_quantization = {.op = ops, .count = sizeof ops / sizeof *ops};
