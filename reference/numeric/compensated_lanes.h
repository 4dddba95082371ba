/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_NUMERIC_COMPENSATED_LANES_H
#define ASSAY_REFERENCE_NUMERIC_COMPENSATED_LANES_H

/* Adds a long sum in eight compensated lanes: each lane holds hi + lo, where lo collects what rounding loses
 * of hi. The method is Sum2 of Ogita, Rump and Oishi, SIAM J. Sci. Comput. 26 (2005). A term may be a
 * double-double whose low part is at most 2^-53 of it. Start from zeros, call lanes_add for each term, then
 * lanes_total.
 *
 * With n terms and at most k = n/8 + 1 of them in a lane, |lo| ≤ (k + 1)·2^-53·Σ|terms| in each lane, and lo
 * is rounded 2k times. The lo of the total, ≤ (k + 9)·2^-53·Σ|terms|, is rounded 16 times. The error is at
 * most
 *
 *     (2k(k + 1) + 16(k + 9))·2^-106·Σ|terms| ≤ (k + 9)²·2^-105·Σ|terms|. */

#include "reference/numeric/double_double.h"

#include <stdint.h>

enum { LANES = 8 };

struct compensated_lanes {
    double hi[LANES], lo[LANES];
};

/* Adds term number j, which is x + rest. */
static inline void lanes_add(struct compensated_lanes *s, int64_t j, double x, double rest)
{
    int lane = (int)(j % LANES);
    struct double_double sum = dd_sum(s->hi[lane], x);
    s->hi[lane] = sum.hi;
    s->lo[lane] += sum.lo + rest;
}

/* Returns the error bound of a sum of n terms, relative to Σ|terms|. */
static inline double lanes_error(double n)
{
    return (n / LANES + 10) * (n / LANES + 10) * 0x1p-105;
}

static inline struct double_double lanes_total(const struct compensated_lanes *s)
{
    struct double_double total = {0, 0};
    for (int lane = 0; lane < LANES; lane++) {
        struct double_double sum = dd_sum(total.hi, s->hi[lane]);
        total.hi = sum.hi;
        total.lo += sum.lo + s->lo[lane];
    }
    return dd_sum(total.hi, total.lo);
}

#endif
