/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_NORMALIZATION_PAIRS_H
#define ASSAY_REFERENCE_NORMALIZATION_PAIRS_H

/* Statistics of one group in double-double, with their errors (proved in normalization_pairs.c). */

#include "reference/normalization_statistics.h"
#include "reference/pair.h"

struct group_pairs {
    struct pair mean, r;
    double error_mean, error_r; /* δm absolute; of r relative, below 2^-60 */
    struct moments moments;     /* for sensitivities alone: n, mean, mean_abs, deviation, r */
};

/* What leaves this range goes to the certified truth. */
#define PAIRS_GREATEST 0x1p300

/* `x` holds the group's elements. False where the group is not for this arithmetic. */
bool normalization_pairs(const struct normalization *n, int64_t group, const double *x,
                         struct group_pairs *e);

/* x − m, and what it errs by beside rounding m: δm + 2^-103·(|x| + |m|). */
static inline struct pair deviation_pair(const struct group_pairs *e, double x)
{
    struct pair d = pair_sum(x, -e->mean.hi);
    return pair_tidy(d.hi, d.lo - e->mean.lo);
}

static inline double deviation_error(const struct group_pairs *e, double x)
{
    return e->error_mean + 0x1p-103 * (__builtin_fabs(x) + __builtin_fabs(e->mean.hi));
}

#endif
