/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_NUMERIC_EXACT_ENVELOPE_SUM_H
#define ASSAY_REFERENCE_NUMERIC_EXACT_ENVELOPE_SUM_H

/* The error of independent rounding in a sum: the part of the envelope that does not depend on an operator.
 * The letters S, D and N are those of reference/operator/envelope.h. */

#include "reference/base/dtype.h"
#include "reference/numeric/simd/multiversion.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* The possible types of accumulators: the dtype's own width, float32 and float64. */
enum envelope_width { ENVELOPE_OWN, ENVELOPE_FLOAT32, ENVELOPE_FLOAT64, ENVELOPE_WIDTHS };

/* Sets u[] to the unit roundoffs of the widths, for judged tensors whose coarsest dtype is `dtype`. */
void envelope_widths(enum dtype dtype, double u[ENVELOPE_WIDTHS]);

/* Statistics of Σ x_k over n terms, added in any order. */
struct envelope_sum {
    double total, absolute;        /* Σ x, Σ|x| */
    double order;                  /* square root of the energy of the prefixes: the greater of the natural
                                      order's and the mean over all permutations */
    double squares;                /* sqrt(Σ x²): the deviation from one rounding of each term, over u */
    double drift[ENVELOPE_WIDTHS]; /* D */
};

/* Computes the statistics of n terms; `u` is what envelope_widths gives. A term that is not finite makes them
 * NaN. */
void envelope_sum(const double *x, int64_t n, const double u[ENVELOPE_WIDTHS], struct envelope_sum *sum);
/* envelope_sum for float32 terms, which take half the memory. */
void envelope_sum_narrow(const float *x, int64_t n, const double u[ENVELOPE_WIDTHS],
                         struct envelope_sum *sum);

/* envelope_sum where the last term may also come first: a bias that is added after the sum, or that the sum
 * starts from. Takes the greater result of both orders. Overwrites x. */
void envelope_sum_started(double *x, int64_t n, const double u[ENVELOPE_WIDTHS], struct envelope_sum *sum);

/* What one pass over the terms collects, for callers that pass over many sums at once
 * (reference/numeric/exact/dot_enclosure.h). The terms are multiplied by 2^-scale first, so that no square
 * leaves the range. */
struct envelope_prefixes {
    int64_t n;
    int scale;
    /* `natural` is Σ s_k² and `greatest` max |s_k|, over k ≥ 2. */
    double total, absolute, squares, natural, greatest;
};

/* Fills all of `sum` except the drift. Returns s*, the greatest prefix in any order, times 2^-scale. */
double envelope_sum_of(const struct envelope_prefixes *prefixes, struct envelope_sum *sum);

/* Returns whether the lattice of the floating-point numbers near s* (`greatest`) may be coarse beside the
 * deviation of the terms. False only where D certainly has no part from such a lattice. */
bool envelope_coarse(const struct envelope_prefixes *prefixes, double greatest, double u);

/* Returns sqrt(a² + b²), without libm and without leaving the range in between. It has no branch, so that
 * loops over it vectorise. */
static inline double envelope_join(double a, double b)
{
    double x = fabs(a), y = fabs(b), high = x > y ? x : y, low = x > y ? y : x, ratio = low / high;
    bool finite = (high > 0) & (high < INFINITY);
    /* otherwise zero, infinite or NaN */
    return either(mask_of(finite), high * sqrt(1 + ratio * ratio), x + y);
}

/* Returns sqrt(Σ x²). */
double envelope_join_all(const double *x, int count);

#endif
