/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_NORMALIZATION_NORMALIZATION_STATISTICS_H
#define ASSAY_REFERENCE_OPS_NORMALIZATION_NORMALIZATION_STATISTICS_H

/* What layer, RMS, group, instance and batch normalization share: *groups* of elements that have statistics
 * in common, and *channels* of elements that have a scale and a shift in common.
 *
 * Every input is seen as [batch, channels, inner]. A group is a run of channels of one sample (layer_norm:
 * all of them, inner = 1), or, where `over_batch`, one channel of all samples. With n elements in a group,
 *
 *     m = (sum x)/n,   V = (sum (x − m)^2)/n,   r = 1/sqrt(V + eps),   X = (x − m)·r,   y = g·X + b,
 *
 * for RMS m = 0, in evaluation m and V are given. Gradients, with w = g·dy and means over the group:
 *
 *     dx = r·(w − mean(w) − X·mean(w·X)),   dg = sum dy·X,   db = sum dy over the channel,
 *
 * for RMS without mean(w), in evaluation dx = r·w. */

#include "reference/operator/op.h"

struct normalization {
    bool centred;    /* false: the mean is taken for 0 (RMS) */
    bool over_batch; /* a group is one channel of the whole batch */
    bool evaluates;  /* m and V are running_mean and running_var */
    bool averages; /* running statistics are means over the samples, each a group a channel (instance_norm) */
    int64_t batch, channels, inner;
    int64_t groups_per_sample; /* divides channels; unused where over_batch */
    double eps;
    /* NULL where absent */
    const struct tensor *x, *grad, *weight, *bias, *running_mean, *running_var;
};

int64_t normalization_groups(const struct normalization *n);
/* How many groups a running statistic is updated by, and the group of one of them. */
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
 * x − m and V + eps are rational: with S = sum x and Q = sum x², a·x − S over a = n, and
 * W = n·Q − S² + eps·n² over n². So X = (a·x − S)/sqrt(W) and r = a/sqrt(W); in evaluation a = 1, S = m and
 * W = V + eps. All three are held exactly. */
struct span { /* multiples of 2^unit below 2^top in magnitude; top = unit for nothing but zeros */
    int top, unit;
};

struct moments {
    bool special;   /* a NaN or an infinity takes part, or V + eps is not positive */
    bool infinite;  /* RMS: no NaN, but an infinity: X is 0 for what is finite */
    bool undefined; /* of finite data, V + eps = 0: a rounded mean leaves a deviation, and anything may follow
                     */
    double a;
    mpfr_t sum, w; /* S, W: exact */
    mpfr_t root;   /* 1/sqrt(W), rounded to NORMALIZATION_BITS */
    bool root_exact;
    struct span x;    /* of the group's elements and S/a */
    struct span wide; /* of W */
    /* for sensitivities: the mean to nearest, the others rounded up */
    double n, mean, mean_abs, deviation, r; /* deviation = sqrt(V): squares leave float64's range */
};

enum { NORMALIZATION_BITS = 192 };

void moments_init(struct moments *moments);
void moments_clear(struct moments *moments);
void moments_of(const struct normalization *n, int64_t group, struct moments *moments);

struct span span_of(double x);
struct span span_join(struct span a, struct span b);  /* holds both */
struct span span_times(struct span a, struct span b); /* of products */
struct span span_sum(struct span a, int64_t terms);   /* of sums of so many */
mpfr_prec_t span_bits(struct span a);                 /* precision that is exact for it */

/* a·x − S, exact in a variable of span_bits(moments_deviation_span(…)). */
struct span moments_deviation_span(const struct moments *moments);
void moments_deviation(const struct moments *moments, double x, mpfr_ptr deviation);

double normalization_kappa(double mean, double deviation); /* sqrt(1 + m²/V), an upper bound */

#endif
