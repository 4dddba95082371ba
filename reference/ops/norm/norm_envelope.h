/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_NORM_NORM_ENVELOPE_H
#define ASSAY_REFERENCE_OPS_NORM_NORM_ENVELOPE_H

/* Computes the envelope of y ≈ (Σ x^p)^(1/p) over n finite magnitudes x. `element`: the number of the output
 * element, which is its own envelope group. For p = 0, ±infinity and for y not above 0, `envelope` is left
 * unchanged. False when out of memory. */

#include "reference/operator/truth.h"

bool norm_envelope(const double *x, int64_t n, double p, enum dtype dtype, double y, int64_t element,
                   struct envelope *envelope);

#endif
