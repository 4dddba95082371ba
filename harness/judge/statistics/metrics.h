/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_JUDGE_STATISTICS_METRICS_H
#define ASSAY_HARNESS_JUDGE_STATISTICS_METRICS_H

/* What is measured over the elements of a case.
 *
 *   e    (got − truth)/ulp(truth); complex: |got − truth| over the ulp of |truth|
 *   bias mean of sgn(truth)·d, d = (got − RN(truth))/ulp: against RN(truth), since correct rounding itself is
 *      biased against the truth on small formats. It fails iff |bias| > mean(E_compute/ulp) + 6·sd(d)·√(c/N),
 *      N ≥ 256: the mean error of a correct variant is within its bound, and 6 standard errors of the mean
 *      are chance at 1e-9. c: elements of one truth are one observation (bias.h). No part of it have elements
 *      next to a tie, and those whose E_compute is no less than |truth|, which say nothing of a bias
 *   ν    |got − truth|/B
 *   ρ    B/scale
 *   nmse Σ(got − truth)²/Σ truth²
 *
 * One accumulator per case; numbers of non-finite elements enter the counts only. */

#include "harness/judge/statistics/quantile.h"
#include "reference/operator/op.h"
#include "reports/records/record.h"

enum { BIAS_LEAST_ELEMENTS = 256, METRICS_BUCKETS = RECORD_ULP_BUCKETS };

/* Each sum is kept in parts, to which elements add in turn: number n of those that are finite to part n
 * mod 4. Vectors of four then add as one element after the other does, to the bit. */
enum { METRICS_PARTS = 4 };
struct metrics_sums {
    double ulp[METRICS_PARTS], square_error[METRICS_PARTS], square_truth[METRICS_PARTS];
    double d[METRICS_PARTS], square_d[METRICS_PARTS];  /* Σ d, Σ d² */
    double bound[METRICS_PARTS], scale[METRICS_PARTS]; /* Σ E/ulp, Σ |truth|/ulp */
};
static inline double metrics_sum(const double part[METRICS_PARTS])
{
    return (part[0] + part[1]) + (part[2] + part[3]);
}

struct metrics {
    int64_t elements, finite; /* judged; with finite truth and result */
    int64_t over_0, over_1, over_bound;
    int64_t exact, faithful; /* equal to RN(truth); |e| < 1 */
    int64_t missed;          /* refused, and no ulp tells how far: a special value, or one of a truth of 0 */
    int64_t bucket[METRICS_BUCKETS]; /* |e| over those that have one: see metrics_bucket */
    double max_ulp;                  /* over the finite ones */
    double max_nu, max_quality;
    int64_t biased;          /* elements in the bias test */
    struct metrics_sums sum; /* over the finite ones; d, square_d, bound, scale: of the bias test */
    double cluster;          /* c; below 1: not counted, 1 */
    struct quantile nu, rho;
    struct quantile power; /* of the tensor in hand: ρ once over its scale */
    bool lost;             /* out of memory somewhere */
};

/* All zero is empty. */
void metrics_destroy(struct metrics *metrics);

/* One judged element. `truth`: its component values; got: its bytes; E_compute < 0 keeps it out of the bias
 * test. */
struct measured {
    enum dtype dtype;
    const struct value *truth;
    const void *got;
    bool accepted;
    double nu, quality_nu, compute_error;
    double power; /* ρ times the tensor's scale */
};
void metrics_add(struct metrics *metrics, const struct measured *element);

/* Adds what was measured over further elements of the tensor in hand. False when out of memory. */
bool metrics_merge(struct metrics *to, struct metrics *from);

/* Behind the last element of a tensor. False when out of memory, there or earlier. */
bool metrics_end_tensor(struct metrics *metrics, double scale);

/* The part to which the next finite element adds. */
static inline int metrics_part(const struct metrics *metrics)
{
    return (int)(metrics->finite % METRICS_PARTS);
}

/* An element in the bias test. away: truth − RN(truth); step: got − RN(truth). */
void metrics_add_bias(struct metrics *metrics, int part, double truth, double away, double step,
                      double compute_error, double ulp);

/* Error of one element in ulp, of integers in steps; NaN where truth or got is not finite, and where only the
 * truth is a floating zero. */
double metrics_ulp_error(enum dtype dtype, const struct value *truth, const void *got);

/* 0: no error; k: up to 2^(k − 2) ulp, a half for 1; the last one: everything beyond. */
static inline int metrics_bucket(double ulp)
{
    double size = fabs(ulp);
    uint64_t bits;
    memcpy(&bits, &size, sizeof bits);
    if (size == 0) {
        return 0;
    }
    if (!(size <= 0x1p12)) {
        return METRICS_BUCKETS - 1;
    }
    int above = (int)((bits - 1) >> 52) - 1022; /* size in (2^(above − 1), 2^above] */
    return above < 0 ? 1 : above + 2;
}

int metrics_buckets(const struct metrics *metrics); /* how many, without those behind the last that counts */

double metrics_bias(const struct metrics *metrics);       /* 0 when no element took part */
double metrics_bias_limit(const struct metrics *metrics); /* infinity where N/c < BIAS_LEAST_ELEMENTS */
bool metrics_bias_fails(const struct metrics *metrics);
double
metrics_bias_resolution(const struct metrics *metrics); /* least relative scale error that would fail */
double metrics_percentile_nu(struct metrics *metrics, double fraction); /* as a quantile */
double metrics_median_rho(struct metrics *metrics);

#endif
