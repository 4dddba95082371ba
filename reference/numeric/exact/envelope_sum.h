/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_NUMERIC_EXACT_ENVELOPE_SUM_H
#define ASSAY_REFERENCE_NUMERIC_EXACT_ENVELOPE_SUM_H

/* What independent rounding errs in a sum: the part of the envelope that knows no operator. The letters are
 * those of reference/operator/envelope.h. */

#include "reference/base/dtype.h"
#include "reference/numeric/simd/multiversion.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* Accumulators that may be: of the dtype's own width, float32 and float64. */
enum envelope_width { ENVELOPE_OWN, ENVELOPE_FLOAT32, ENVELOPE_FLOAT64, ENVELOPE_WIDTHS };

/* The widths' roundoffs for judged tensors of which `dtype` is the coarsest. */
void envelope_widths(enum dtype dtype, double u[ENVELOPE_WIDTHS]);

/* Σ x_k of n terms, added in any order. */
struct envelope_sum {
    double total, absolute;        /* Σ x, Σ|x| */
    double order;                  /* root of the prefixes' energy: the natural order's or the mean over all
                                      permutations', whichever is greater */
    double squares;                /* sqrt(Σ x²): a rounding of each term */
    double drift[ENVELOPE_WIDTHS]; /* D */
};

/* `u` as envelope_widths gives it. Terms that are no numbers leave NaN everywhere. */
void envelope_sum(const double *x, int64_t n, const double u[ENVELOPE_WIDTHS], struct envelope_sum *sum);
/* The same of terms that float32 holds, in half the memory. */
void envelope_sum_narrow(const float *x, int64_t n, const double u[ENVELOPE_WIDTHS],
                         struct envelope_sum *sum);

/* The same where the last term may also come first: a bias added behind a sum, or where the sum starts. x is
 * overwritten. */
void envelope_sum_started(double *x, int64_t n, const double u[ENVELOPE_WIDTHS], struct envelope_sum *sum);

/* What one pass over the terms gathers, for who passes over many sums at once
 * (reference/numeric/exact/dot_enclosure.h). Of the terms times 2^-scale, so that no square leaves the range. */
struct envelope_prefixes {
    int64_t n;
    int scale;
    double total, absolute, squares, natural, greatest; /* Σ s_k² and max |s_k| for k ≥ 2 */
};

/* All of `sum` but the drift; returns s*, the greatest prefix in any order, times 2^-scale. */
double envelope_sum_of(const struct envelope_prefixes *prefixes, struct envelope_sum *sum);

/* Whether the lattice that sums of the size of s* lie on may be coarse beside the terms: false only where D
 * surely holds no such part. */
bool envelope_coarse(const struct envelope_prefixes *prefixes, double greatest, double u);

/* sqrt(a² + b²), without libm and without leaving the range in between. No branch: loops over it are vectors.
 */
static inline double envelope_join(double a, double b)
{
    double x = fabs(a), y = fabs(b), high = x > y ? x : y, low = x > y ? y : x, ratio = low / high;
    bool finite = (high > 0) & (high < INFINITY);
    return either(mask_of(finite), high * sqrt(1 + ratio * ratio), x + y); /* else zero, infinite or NaN */
}

/* The same of many: sqrt(Σ x²). */
double envelope_join_all(const double *x, int count);

#endif
