/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_NORMALIZATION_NORMALIZATION_PAIRS_H
#define ASSAY_REFERENCE_OPS_NORMALIZATION_NORMALIZATION_PAIRS_H

/* Statistics of one group in double-double arithmetic, with error bounds that normalization_pairs.c proves.
 * The enclosures of y, of gradients and of running statistics are computed from them; elements that they
 * cannot decide are certified with MPFR. */

#include "reference/numeric/double_double.h"
#include "reference/ops/normalization/normalization_statistics.h"

struct group_pairs {
    struct double_double mean, variance, r;
    double error_mean, error_variance, error_r; /* δm and δV absolute; δr relative, below 2^-60 */
    struct moments moments;                     /* only n, mean, mean_abs, deviation and r are set */
};

/* Larger magnitudes are left to the certified truth. */
#define PAIRS_GREATEST 0x1p300

/* True if |x| is 0 or in [2^-200, 2^200]: the product of two such numbers is exact as a double-double. */
static inline bool is_factor(double x)
{
    double size = __builtin_fabs(x);
    return size == 0 || (size >= 0x1p-200 && size <= 0x1p200);
}

/* a − b with an error of at most 2^-103·(|a| + |b|). */
static inline struct double_double dd_minus(struct double_double a, struct double_double b)
{
    return dd_plus(dd_plus(a, -b.hi), -b.lo);
}

/* Stores `value` as element `at`, with the radius error·(1 + 2^-20) + 2^-800; 2^-800 covers underflow.
 * Returns false if the caller must certify the element: the radius exceeds 2^-20·u·|value| (a zero, or
 * cancellation), or the exact value may be a double, so that a result may be without error. */
bool normalization_keep(struct truth_output *out, int64_t at, struct double_double value, double error);

/* Fills `e`; `x` holds the group's elements. False if a number is out of range or δr is not below 2^-60: the
 * caller must certify the group. */
bool normalization_pairs(const struct normalization *n, int64_t group, const double *x,
                         struct group_pairs *e);

/* x − m as a double-double. Its error is at most deviation_error() = δm + 2^-103·(|x| + |m|). */
static inline struct double_double deviation_pair(const struct group_pairs *e, double x)
{
    struct double_double d = dd_sum(x, -e->mean.hi);
    return dd_tidy(d.hi, d.lo - e->mean.lo);
}

static inline double deviation_error(const struct group_pairs *e, double x)
{
    return e->error_mean + 0x1p-103 * (__builtin_fabs(x) + __builtin_fabs(e->mean.hi));
}

#endif
