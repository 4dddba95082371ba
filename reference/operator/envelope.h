/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_ENVELOPE_H
#define ASSAY_REFERENCE_ENVELOPE_H

/* The envelope: what *independent* rounding errs on random data, a limit beside the certified bound B that is
 * as sharp as rounding really is. docs/explanation/envelope.md states the model, its limits and the
 * false-alarm rate.
 *
 * Of one judged element:
 *
 *   - S, the standard deviation of the result, to first order, when every rounding of a legal algorithm is an
 *     independent relative error of the accumulating type's roundoff: the largest over the operator's legal
 *     forms. It is proportional to u, so S/u belongs to the inputs alone and is cached with the truth.
 *   - D, what rounding loses one way: small terms behind a large sum, data on a lattice that is coarse beside
 *     the sums. It depends on the width of the accumulator; a truth holds it for every width that may be.
 *   - N, what is not random: u_out·|truth| + η, allowances of primitives, truncated series, second order, D.
 *   - Q = 16·S + N.
 *
 * Every number here comes from + − × ÷ and square roots of doubles in loops of a fixed order, without
 * contraction and without libm: the same bits on every machine. */

#include "reference/operator/profile.h"
#include "reference/base/tensor.h"
#include "reference/numeric/simd/wide_loops.h"

#include <math.h>

/* Accumulators that may be: of the dtype's own width, float32 and float64. */
enum envelope_width { ENVELOPE_OWN, ENVELOPE_FLOAT32, ENVELOPE_FLOAT64, ENVELOPE_WIDTHS };

/* One judged element, from its inputs alone. */
struct envelope {
    double spread; /* S/u; infinity or NaN: undecided, no limit. 0: nothing is random, N alone decides */
    double drift[ENVELOPE_WIDTHS]; /* the part of N that roundings make: D, second order; absolute */
    double truncation;             /* of series cut for the output's dtype; absolute */
    double group_spread;           /* S_c/u of its group: the deviation of a common scale error */
    int64_t group;                 /* elements of one number share errors; < 0: of no group */
    /* Determinants: S/u of the elimination. While 16·S and what second order adds stay below 1, rounding
     * changes neither the sign nor, of a logarithm, NaN into a number; else the element is undecided. 0: no
     * such rule. */
    double sign_spread;
};

/* The widths' roundoffs for judged tensors of which `dtype` is the coarsest. */
void envelope_widths(enum dtype dtype, double u[ENVELOPE_WIDTHS]);

/* --- sums */

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

/* What one pass over the terms gathers, for who passes over many sums at once (reference/numeric/exact/exact_sum.h). Of the
 * terms times 2^-scale, so that no square leaves the range. */
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

/* A group of one element: S_c = S/|truth|. */
void envelope_alone(struct envelope *element, int64_t group, double truth);

#endif
