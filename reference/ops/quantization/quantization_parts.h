/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_QUANTIZATION_QUANTIZATION_PARTS_H
#define ASSAY_REFERENCE_OPS_QUANTIZATION_QUANTIZATION_PARTS_H

/* Helpers that truth and error bounds of quantization share. The diagnosis reads SCALE and ZERO as well. */

#include "reference/ops/quantization/quantization_affine.h"

#include <math.h>

/* Sensitivities: x/s, or q − z when dequantizing; s; z; and the element itself: grad_output, or the
 * integer. */
enum { RATIO, SCALE, ZERO, NUMBER, SENSITIVITIES };
enum { SATURATES = 40 };

static inline double quantization_clamped(double n, double least, double most)
{
    return n < least ? least : n > most ? most : n;
}

/* Returns n·s exactly, as a pair of doubles; n is an integer of at most 33 bits. */
static inline struct value quantization_product(double n, double s)
{
    double hi = n * s;
    return isfinite(hi) ? value_from_dd(hi, fma(n, s, -hi)) : value_of(hi);
}

#endif
