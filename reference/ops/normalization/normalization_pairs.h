/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_NORMALIZATION_NORMALIZATION_PAIRS_H
#define ASSAY_REFERENCE_OPS_NORMALIZATION_NORMALIZATION_PAIRS_H

/* Statistics of one group in double-double, with their errors (proved in normalization_pairs.c). */

#include "reference/ops/normalization/normalization_statistics.h"
#include "reference/numeric/double_double.h"

struct group_pairs {
    struct double_double mean, variance, r;
    double error_mean, error_variance, error_r; /* δm and δV absolute; of r relative, below 2^-60 */
    struct moments moments;                     /* for sensitivities alone: n, mean, mean_abs, deviation, r */
};

/* What leaves this range goes to the certified truth. */
#define PAIRS_GREATEST 0x1p300

/* 0 or in [2^-200, 2^200]: a product of two is exact as a pair. */
static inline bool is_factor(double x)
{
    double size = __builtin_fabs(x);
    return size == 0 || (size >= 0x1p-200 && size <= 0x1p200);
}

/* The difference of two pairs, but for 2^-103 of both magnitudes. */
static inline struct double_double dd_minus(struct double_double a, struct double_double b)
{
    return dd_plus(dd_plus(a, -b.hi), -b.lo);
}

/* Sets the value, and as its radius `error`, raised by 2^-20 of itself and 2^-800 for what underflows. False
 * where the element is to be certified at once: a zero, or what cancels, of a radius beyond 2^-20·u of it; or
 * what may be a double, so that a result may have no error at all. */
bool normalization_keep(struct truth_output *out, int64_t at, struct double_double value, double error);

/* `x` holds the group's elements. False where the group is not for this arithmetic. */
bool normalization_pairs(const struct normalization *n, int64_t group, const double *x,
                         struct group_pairs *e);

/* x − m, and what it errs by beside rounding m: δm + 2^-103·(|x| + |m|). */
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
