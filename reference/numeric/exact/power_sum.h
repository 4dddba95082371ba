/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_NUMERIC_EXACT_POWER_SUM_H
#define ASSAY_REFERENCE_NUMERIC_EXACT_POWER_SUM_H

/* Σ x^p computed exactly, for integers p from 1 to POWER_SUM_MOST, in one long integer. */

#include <mpfr.h>
#include <stdint.h>

enum { POWER_SUM_MOST = 4 };

/* Sets `sum` to Σ x^p over n magnitudes, `apart` doubles from one to the next. A NaN or an infinity gives the
 * result of adding it. `sum` must have enough precision for the exact sum (power_norm_bits). */
void power_sum(const double *x, int64_t n, int64_t apart, int p, mpfr_ptr sum);

#endif
