/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_QUANTIZATION_QUANTIZATION_AFFINE_H
#define ASSAY_REFERENCE_OPS_QUANTIZATION_QUANTIZATION_AFFINE_H

/* Affine quantization: q = clamp(round(x / s) + z, quant_min, quant_max), halves to even, the zero point z
 * added after the rounding; dequantization is (q − z)·s. s and z belong to the call (per tensor), to a
 * channel, or to a block of neighbours along the last dimension.
 *
 * A program may divide by s or multiply by its reciprocal, in the type of intermediates, and may round the
 * scale to that type. So its x/s is off by at most δ = |x/s|·(the profile's division error + u, + u more
 * where that type does not hold s), and q is what any number within δ of x/s gives: one number outside the
 * tie band. If s is a power of two, both ways and q are exact, ties included. Beyond the digits of that type
 * (int32) the sum with z may round as well.
 *
 * Sources: PyTorch, torch.ao.quantization.fx._decomposed (quantized_decomposed::quantize_per_tensor,
 * …_per_channel, dequantize_…), torch.fake_quantize_per_tensor_affine and …_per_channel_affine; ONNX
 * QuantizeLinear (block_size). */

#include "reference/operator/op.h"

enum quantization_action { QUANTIZE, DEQUANTIZE, FAKE_QUANTIZE, FAKE_QUANTIZE_BACKWARD };
enum quantization_grain { GRAIN_TENSOR, GRAIN_CHANNEL, GRAIN_BLOCK };

/* The action and the grain in an operator's `variant`. Scales are positive; PyTorch does not define results
 * for others, so any result is right. */
#define QUANTIZATION_VARIANT(action, grain) ((action) | (grain) << 4)
static inline enum quantization_action quantization_action(const struct op *op)
{
    return (enum quantization_action)(op->variant & 15);
}
static inline enum quantization_grain quantization_grain(const struct op *op)
{
    return (enum quantization_grain)(op->variant >> 4);
}

/* Fills the ends of q: quant_min and quant_max where given, else the ends of the dtype `to`. */
void quantization_limits(const struct attributes *attributes, enum dtype to, int64_t *least, int64_t *most);

bool quantization_signature(const struct op *op, const struct op_operands *operands, struct op_signature *out,
                            struct error *reason);
bool quantization_truth(const struct op_call *call, struct truth *truth, struct error *error);
int quantization_sensitivities(const struct op_call *call, int output);
void quantization_accept(const struct bound_query *query, struct accept *accept);
double quantization_bound(const struct bound_query *query);
bool quantization_rounds_once(const struct bound_query *query);

/* Returns round(x / s) of the exact quotient, halves to even, for s > 0 and finite x; ±2^40 where |x / s| is
 * greater, because everything saturates there. */
double quantization_nearest(double x, double s);

#endif
