/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_DETERMINANT_DETERMINANT_FIXED_H
#define ASSAY_REFERENCE_OPS_DETERMINANT_DETERMINANT_FIXED_H

/* log|det A| to ZIV_TARGET_BITS by one elimination in fixed point, for a matrix whose inverse elimination in
 * double has bounded (determinant_verified.h). */

#include "reference/ops/determinant/determinant_verified.h"

/* `v` must be verified. If the result has at least ZIV_TARGET_BITS certified bits, sets *certified and sign,
 * logabs, log2_abs and bits of `d`. False when out of memory. */
bool determinant_fixed(const struct verified_determinant *v, struct determinant *d, bool *certified);

#endif
