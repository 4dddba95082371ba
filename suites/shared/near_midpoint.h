/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_SHARED_NEAR_MIDPOINT_H
#define ASSAY_SUITES_SHARED_NEAR_MIDPOINT_H

/* Rows of numbers whose result shows in which order they were summed.
 *
 * float16 and bfloat16 results of a float32 accumulator seldom show the order: its rounding errors are at
 * most 2^-13 of the result's spacing. Where the exact result is close to the middle between two numbers of
 * the dtype, such an error decides which of them it is rounded to. */

#include "reference/base/dtype.h"

/* How a row of numbers becomes one number. */
enum row_result {
    ROW_SUM,
    ROW_MEAN,
    ROW_PRODUCT,
    ROW_VARIANCE, /* with n − 1 degrees of freedom */
    ROW_DEVIATION,
    ROW_NORM, /* the square root of the sum of squares */
    ROW_RMS,  /* the first number over the root mean square of all */
    ROW_LOGSUMEXP
};

/* Replaces the last two of n ≥ 3 numbers so that the result of the row is as near to a midpoint of the dtype
 * as 8,192 pairs from [1, 2) allow (ROW_LOGSUMEXP: 1,024 pairs from (−4, −2]). All other numbers are rounded
 * to the dtype. Of float32 and float64 the last two stay as they are. The same bits on every machine: + − ×
 * ÷, square roots and reference/numeric/elementary/elementary.h. */
void near_midpoint(enum row_result kind, enum dtype dtype, double *row, int64_t n);

#endif
