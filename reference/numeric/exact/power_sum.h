/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_NUMERIC_EXACT_POWER_SUM_H
#define ASSAY_REFERENCE_NUMERIC_EXACT_POWER_SUM_H

/* Σ x^p exactly, for whole p from 1 to POWER_SUM_MOST, in one long integer. */

#include <mpfr.h>
#include <stdint.h>

enum { POWER_SUM_MOST = 4 };

/* Of n magnitudes, `apart` numbers from one to the next; NaN and infinity as they add up. `sum` has room for
 * all bits (power_norm_bits). */
void power_sum(const double *x, int64_t n, int64_t apart, int p, mpfr_ptr sum);

#endif
