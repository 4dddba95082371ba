/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_QUANTIZATION_QUANTIZATION_AFFINE_H
#define ASSAY_REFERENCE_OPS_QUANTIZATION_QUANTIZATION_AFFINE_H

/* Affine quantization: q = clamp(round(x / s) + z, quant_min, quant_max), halves to even, the zero point
 * added behind the rounding; back (q − z)·s. s and z are numbers of the call (per tensor), of a channel or of
 * a block of neighbours along the last dimension.
 *
 * The quotient may be a division or a product with the reciprocal, in the type of intermediates, and the
 * scale be rounded to it: x/s is off by δ = |x/s|·(the profile's division + u, + u where that type does not
 * hold s), and q is what any number within δ of x/s gives: outside the tie band there is one. Where s is a
 * power of two both ways are exact, and so is q, in the ties too. Beyond the digits of that type (int32) the
 * sum with z may round as well.
 *
 * Sources: PyTorch, torch.ao.quantization.fx._decomposed (quantized_decomposed::quantize_per_tensor,
 * …_per_channel, dequantize_…), torch.fake_quantize_per_tensor_affine and …_per_channel_affine; ONNX
 * QuantizeLinear (block_size). */

#include "reference/operator/op.h"

enum quantization_action { QUANTIZE, DEQUANTIZE, FAKE_QUANTIZE, FAKE_QUANTIZE_BACKWARD };
enum quantization_grain { GRAIN_TENSOR, GRAIN_CHANNEL, GRAIN_BLOCK };

/* What an operator's `variant` says. Scales are positive numbers: of others PyTorch says nothing, and any
 * result is right. */
#define QUANTIZATION_VARIANT(action, grain) ((action) | (grain) << 4)
static inline enum quantization_action quantization_action(const struct op *op)
{
    return (enum quantization_action)(op->variant & 15);
}
static inline enum quantization_grain quantization_grain(const struct op *op)
{
    return (enum quantization_grain)(op->variant >> 4);
}

/* The interval of q: as given, or that of the dtype that is quantized to. */
void quantization_limits(const struct attributes *attributes, enum dtype to, int64_t *least, int64_t *most);

bool quantization_signature(const struct op *op, const struct op_operands *operands, struct op_signature *out,
                            struct error *reason);
bool quantization_truth(const struct op_call *call, struct truth *truth, struct error *error);
int quantization_sensitivities(const struct op_call *call, int output);
void quantization_accept(const struct bound_query *query, struct accept *accept);
double quantization_bound(const struct bound_query *query);
bool quantization_rounds_once(const struct bound_query *query);

/* round(x / s), halves to even, of the exact quotient; s > 0. Beyond ±2^40, where everything saturates,
 * ±2^40; x finite. */
double quantization_nearest(double x, double s);

#endif
