/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_JUDGE_STATISTICS_METRICS_H
#define ASSAY_HARNESS_JUDGE_STATISTICS_METRICS_H

/* Metrics over the elements of a case. One struct metrics accumulates them; elements whose truth or result is
 * not finite enter the counts only.
 *
 *   e     (got − truth)/ulp(truth); complex: |got − truth| over the ulp of |truth|
 *   bias  mean of sgn(truth)·d, d = (got − RN(truth))/ulp
 *   ν     |got − truth|/B
 *   ρ     B/scale
 *   nmse  Σ(got − truth)²/Σ truth²
 *
 * The bias is taken against RN(truth), since correct rounding itself is biased against the truth in small
 * formats. The test fails iff |bias| > mean(E_compute/ulp) + 6·sd(d)·√(c/n) and n/c ≥ 256, n being the
 * elements of the test: the mean error of a correct variant is within its bound, and 6 standard errors of the
 * mean are chance at 1e-9. c counts elements of one truth as one observation (bias.h). Two kinds of element
 * are excluded: those next to a rounding tie, and those whose E_compute is no less than |truth|, which say
 * nothing of a bias. */

#include "harness/judge/statistics/quantile.h"
#include "reference/operator/op.h"
#include "reports/records/record.h"

enum { BIAS_LEAST_ELEMENTS = 256, METRICS_BUCKETS = RECORD_ULP_BUCKETS };

/* Each sum is kept in parts: finite element number n adds to part n mod 4. Vectors of four then add as one
 * element after the other does, to the bit. */
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
    int64_t elements, finite; /* judged; of these with finite truth and result */
    int64_t over_0, over_1, over_bound;
    int64_t exact, faithful;         /* equal to RN(truth); |e| < 1 */
    int64_t missed;                  /* refused, with no error in ulp: a special value, or a truth of 0 */
    int64_t bucket[METRICS_BUCKETS]; /* histogram of |e|, see metrics_bucket */
    double max_ulp;                  /* over finite elements */
    double max_nu, max_quality;
    int64_t biased;          /* elements in the bias test */
    struct metrics_sums sum; /* over finite elements; d, square_d, bound, scale: over the bias test */
    double cluster;          /* c; below 1: not computed, taken as 1 */
    struct quantile error_over_bound, bound_over_scale;
    struct quantile power; /* of the current tensor: ρ times its scale */
    bool lost;             /* an allocation has failed */
};

/* Frees what the metrics own and empties them. A struct of zeros is empty. */
void metrics_destroy(struct metrics *metrics);

/* One judged element: `truth` has a value per component, `got` its bytes. E_compute < 0 excludes it from the
 * bias test. */
struct measured {
    enum dtype dtype;
    const struct value *truth;
    const void *got;
    bool accepted;
    double error_over_bound, quality_nu, compute_error;
    double power; /* ρ times the tensor's scale */
};
void metrics_add(struct metrics *metrics, const struct measured *element);

/* Adds the metrics of further elements of the current tensor, or of further tensors; the quantiles of `from`
 * are then empty. False if out of memory. */
bool metrics_merge(struct metrics *to, struct metrics *from);

/* To be called after the last element of a tensor: divides its ρ by the scale. False if out of memory, now or
 * earlier. */
bool metrics_end_tensor(struct metrics *metrics, double scale);

/* The part of the sums to which the next finite element adds. */
static inline int metrics_part(const struct metrics *metrics)
{
    return (int)(metrics->finite % METRICS_PARTS);
}

/* Adds an element to the bias test, unless it lies next to a tie or its E_compute is no less than |truth|.
 * away: truth − RN(truth); step: got − RN(truth). */
void metrics_add_bias(struct metrics *metrics, int part, double truth, double away, double step,
                      double compute_error, double ulp);

/* The error of one element in ulp of its truth: signed, for complex numbers the distance, for integers got −
 * truth. NaN if truth or got is not finite, and if a floating truth is zero and got is not. */
double metrics_ulp_error(enum dtype dtype, const struct value *truth, const void *got);

/* The bucket of an error in ulp: 0 for no error; k ≥ 1 for up to 2^(k − 2) ulp; the last one for all that is
 * greater. */
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

int metrics_buckets(const struct metrics *metrics); /* up to the last one that is not empty */

double metrics_bias(const struct metrics *metrics);       /* 0 if no element is in the bias test */
double metrics_bias_limit(const struct metrics *metrics); /* infinity where n/c < BIAS_LEAST_ELEMENTS */
bool metrics_bias_fails(const struct metrics *metrics);
double
metrics_bias_resolution(const struct metrics *metrics); /* the least relative scale error that would fail */
double metrics_percentile_nu(struct metrics *metrics, double fraction); /* see quantile_at */
double metrics_median_rho(struct metrics *metrics);

#endif
