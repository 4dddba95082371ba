/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_SHARED_NEAR_MIDPOINT_H
#define ASSAY_SUITES_SHARED_NEAR_MIDPOINT_H

/* Rows whose result shows the order in which it was summed.
 *
 * float16 and bfloat16 results of a float32 accumulator seldom show another order of the sum: its rounding
 * errors are 2^-13 and less of the result's spacing. Where the exact result lies near the middle between two
 * numbers of the dtype, such an error decides to which of them it is rounded. */

#include "reference/base/dtype.h"

/* How a row of numbers becomes one number; of reductions that are not among them nothing is known. */
enum row_result {
    ROW_SUM,
    ROW_MEAN,
    ROW_PRODUCT,
    ROW_VARIANCE, /* with n − 1 degrees of freedom */
    ROW_DEVIATION,
    ROW_NORM, /* the square root of the sum of squares */
    ROW_RMS,  /* the first number over the root of the mean square */
    ROW_LOGSUMEXP
};

/* Replaces the last two of n ≥ 3 numbers by numbers from 1 to 2 (of ROW_LOGSUMEXP from −4 to −2), so that the
 * result of the row is as near a midpoint of the dtype as 8,192 pairs of them allow (of ROW_LOGSUMEXP 1,024).
 * All other numbers are rounded to the dtype, as they are when a tensor holds them. The same bits on every
 * machine:
 * + − × ÷, square roots and reference/numeric/elementary/elementary.h. Rows of float32 and float64 stay as they are but for
 * that. */
void near_midpoint(enum row_result kind, enum dtype dtype, double *row, int64_t n);

#endif
