/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_DETERMINANT_DETERMINANT_FIXED_H
#define ASSAY_REFERENCE_OPS_DETERMINANT_DETERMINANT_FIXED_H

/* log|det A| to all digits by one elimination in integers, where elimination in double has bounded the
 * inverse (reference/ops/determinant/determinant_verified.h). */

#include "reference/ops/determinant/determinant_verified.h"

/* Sets sign, logabs, log2_abs and bits of `d`; *certified: to ZIV_TARGET_BITS and more. v: proved and
 * verified. False when out of memory. */
bool determinant_fixed(const struct verified_determinant *v, struct determinant *d, bool *certified);

#endif
