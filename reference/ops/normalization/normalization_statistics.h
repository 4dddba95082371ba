/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_NORMALIZATION_NORMALIZATION_STATISTICS_H
#define ASSAY_REFERENCE_OPS_NORMALIZATION_NORMALIZATION_STATISTICS_H

/* The common description of layer, RMS, group, instance and batch normalization, and exact statistics.
 * A *group* is a set of elements with common statistics, a *channel* a set of elements with a common scale
 * and shift.
 *
 * Every input is viewed as [batch, channels, inner]. A group consists of consecutive channels of one sample
 * (layer_norm: all channels, inner = 1), or, if `over_batch`, of one channel of all samples. With n elements
 * in a group,
 *
 *     m = (sum x)/n,   V = (sum (x − m)^2)/n,   r = 1/sqrt(V + eps),   X = (x − m)·r,   y = g·X + b,
 *
 * where m = 0 for RMS, and m and V are inputs in evaluation. Gradients, with w = g·dy and means over the
 * group:
 *
 *     dx = r·(w − mean(w) − X·mean(w·X)),   dg = sum dy·X,   db = sum dy over the channel,
 *
 * where RMS omits mean(w), and dx = r·w in evaluation. */

#include "reference/operator/op.h"

struct normalization {
    bool centred;    /* false for RMS: m = 0 */
    bool over_batch; /* a group is one channel of the whole batch */
    bool evaluates;  /* m and V are running_mean and running_var */
    bool averages;   /* running statistics are means over the samples; a group is a channel of a sample
                        (instance_norm) */
    int64_t batch, channels, inner;
    int64_t groups_per_sample; /* divides channels; unused if over_batch */
    double eps;
    /* NULL if absent */
    const struct tensor *x, *grad, *weight, *bias, *running_mean, *running_var;
};

int64_t normalization_groups(const struct normalization *n);
/* The number of samples whose statistics update a running statistic: the batch if `averages`, else 1. */
int64_t normalization_samples(const struct normalization *n);
int64_t normalization_group_of_sample(const struct normalization *n, int64_t sample, int64_t channel);
int64_t normalization_length(const struct normalization *n);                            /* of a group */
int64_t normalization_element(const struct normalization *n, int64_t group, int64_t j); /* j-th of a group */
int64_t normalization_group_of(const struct normalization *n, int64_t element);
int64_t normalization_channel_of(const struct normalization *n, int64_t element);

/* The j-th of the batch·inner elements of one channel. */
int64_t normalization_channel_element(const struct normalization *n, int64_t channel, int64_t j);

/* --- exact statistics of one group
 *
 * With S = sum x, Q = sum x², a = n and W = n·Q − S² + eps·n² (S = 0 for RMS), x − m = (a·x − S)/a and
 * V + eps = W/a². So X = (a·x − S)/sqrt(W) and r = a/sqrt(W). In evaluation a = 1, S = m and W = V + eps.
 * struct moments holds a, S and W exactly. */

/* A set of numbers: multiples of 2^unit below 2^top in magnitude. top = unit if the set holds only 0. It
 * gives the precision in which sums and products are exact. */
struct span {
    int top, unit;
};

struct moments {
    bool special;   /* the group has a NaN or an infinity, or V + eps is not positive; `root` is then unset */
    bool infinite;  /* RMS with an infinity and no NaN: X = 0 for finite elements */
    bool undefined; /* finite data with V + eps = 0: any result is admitted, because a rounded mean leaves a
                       deviation that is divided by 0 */
    double a;
    mpfr_t sum, w; /* S and W, exact */
    mpfr_t root;   /* 1/sqrt(W), rounded to NORMALIZATION_BITS */
    bool root_exact;
    struct span x;    /* of the finite elements; in evaluation of m, too */
    struct span wide; /* of W */
    /* For sensitivities: the mean rounded to nearest, the others rounded up. */
    double n, mean, mean_abs, deviation, r; /* n = 0 in evaluation; deviation = sqrt(V): V may overflow */
};

enum { NORMALIZATION_BITS = 192 };

void moments_init(struct moments *moments);
void moments_clear(struct moments *moments);
void moments_of(const struct normalization *n, int64_t group, struct moments *moments);

struct span span_of(double x);
struct span span_join(struct span a, struct span b);  /* contains both */
struct span span_times(struct span a, struct span b); /* contains all products */
struct span span_sum(struct span a, int64_t terms);   /* contains all sums of `terms` numbers */
mpfr_prec_t span_bits(struct span a);                 /* precision in which its numbers are exact */

/* a·x − S for an element x of the group; exact if `deviation` has the precision
 * span_bits(moments_deviation_span(…)). */
struct span moments_deviation_span(const struct moments *moments);
void moments_deviation(const struct moments *moments, double x, mpfr_ptr deviation);

double normalization_kappa(double mean, double deviation); /* sqrt(1 + m²/V), an upper bound */

#endif
