/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Whether the naive forms of normalization leave the range of the accumulating dtype.
 *
 * The naive forms are a textbook's, without scaling: sum x, and sum x² or sum (x − m)², which lose up to η a
 * term by underflow, so that V + eps has a relative error below u only above η/u; x·r and m·r separately; and
 * for gradients sum w·x and r³, as in PyTorch's kernels. If one of these overflows or underflows, the result
 * may be any number.
 *
 * The following products may also overflow, although a later operation would bring them back into the range:
 *
 *     y        X·g before + b, and the folded scale g·r, by which x and m are multiplied
 *     dx       w = g·dy before ·r, also in evaluation; n·w − sum w − X·sum w·X before ·r/n
 *     dweight  sum dy·(x − m) before ·r
 *
 * An infinity in one of them leaves an infinity or NaN. Their underflow errors are covered by the η of the
 * error bounds, except for a folded scale below the normal range, whose error a large x multiplies. */

#include "reference/numeric/elementary/portable.h"
#include "reference/operator/bound_memo.h"
#include "reference/ops/normalization/normalization_bound.h"

#include <math.h>

struct limits {
    double max, least, resolved; /* resolved: the least V + eps whose underflow error is below u·(V + eps) */
};

static struct limits limits_of(const struct bound_query *query)
{
    const struct profile *profile = query->profile;
    enum dtype accumulate = DTYPE_FLOAT64; /* the narrowest: float32 parameters may go with 16-bit elements */
    for (int o = 0; o < query->truth->outputs; o++) {
        enum dtype other = profile->accumulate[query->truth->output[o].dtype];
        accumulate = dtype_max(other) < dtype_max(accumulate) ? other : accumulate;
    }
    return (struct limits){.max = dtype_max(accumulate),
                           .least = dtype_least_normal(accumulate),
                           .resolved = profile_underflow_unit(profile, accumulate) /
                                       profile_unit_roundoff(profile, accumulate)};
}

static const double *finite_sensitivity(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[query->output];
    return out->sensitivities && out->value[query->element].class == VALUE_FINITE
               ? &out->sensitivity[query->element * out->sensitivities]
               : NULL;
}

/* The reciprocal root of V + eps. */
static double scale_of(const double *s, double eps)
{
    return 1 / portable_hypot(s[GROUP_DEVIATION], sqrt(eps));
}

/* True if the folded scale g·r underflows, so that it loses digits. */
static bool fold_underflows(const double *s, double eps, double least)
{
    double fold = s[ELEMENT_WEIGHT] * scale_of(s, eps);
    return s[ELEMENT_WEIGHT] > 0 && fold < least;
}

/* True if g·r or its product with x or m may overflow; X·g is not larger. `error`: the error bound of y. */
static bool forward_overflows(const double *s, double eps, double error, double max)
{
    double fold = s[ELEMENT_WEIGHT] * scale_of(s, eps), shifted = s[ELEMENT_X] + fabs(s[GROUP_MEAN]);
    return fmax(fold, fold * shifted) + error > max;
}

/* True if a product of dx overflows; n = 0 in evaluation. */
static bool gradient_overflows(const double *s, double max)
{
    double n = fmax(s[GROUP_LENGTH], 1), w = s[ELEMENT_WEIGHT];
    double along = s[ELEMENT_NORMAL] * s[GROUP_PROJECTION];
    return n * (w + s[ELEMENT_BIAS] + along) > max || n * s[GROUP_W_NORMAL] > max;
}

static bool statistics_may_overflow(const struct bound_query *query, const double *s, double eps,
                                    bool gradient)
{
    struct limits limits = limits_of(query);
    double n = s[GROUP_LENGTH], root = portable_hypot(s[GROUP_DEVIATION], sqrt(eps)), r = 1 / root;
    double squares = n > 0 ? sqrt(n) * portable_hypot(s[GROUP_MEAN], s[GROUP_DEVIATION]) : s[GROUP_DEVIATION];
    double shifted = s[ELEMENT_X] + fabs(s[GROUP_MEAN]);
    bool may_overflow = squares > sqrt(limits.max) || root < sqrt(limits.resolved) ||
                        n * s[GROUP_MEAN_ABS] > limits.max || fmax(shifted, shifted * r) > limits.max;
    if (gradient && n > 0) {
        double cube = r * r * r;
        may_overflow = may_overflow || cube > limits.max || cube < limits.least ||
                       n * s[GROUP_W_X] > limits.max || n * s[GROUP_W] > limits.max;
    }
    return may_overflow || (!gradient && fold_underflows(s, eps, limits.least));
}

static bool products_overflow(const struct bound_query *query, const double *s, double eps, bool gradient)
{
    double max = limits_of(query).max;
    return gradient ? gradient_overflows(s, max) : forward_overflows(s, eps, op_bound(query), max);
}

enum naive normalization_naive(const struct bound_query *query, double eps, bool gradient)
{
    const double *s = finite_sensitivity(query);
    return !s                                                 ? NAIVE_IN_RANGE
           : statistics_may_overflow(query, s, eps, gradient) ? NAIVE_MAY_OVERFLOW
           : products_overflow(query, s, eps, gradient)       ? NAIVE_INFINITE
                                                              : NAIVE_IN_RANGE;
}

static bool weight_statistics_may_overflow(const struct bound_query *query, const double *s)
{
    struct limits limits = limits_of(query);
    return s[GREATEST_SQUARES] > sqrt(limits.max) || s[GREATEST_R] > 1 / sqrt(limits.resolved) ||
           s[CHANNEL_X] > limits.max;
}

enum naive normalization_naive_weight(const struct bound_query *query)
{
    const double *s = finite_sensitivity(query);
    return !s                                           ? NAIVE_IN_RANGE
           : weight_statistics_may_overflow(query, s)   ? NAIVE_MAY_OVERFLOW
           : s[CHANNEL_PRODUCTS] > limits_of(query).max ? NAIVE_INFINITE
                                                        : NAIVE_IN_RANGE;
}

bool normalization_naive_running_may_overflow(const struct bound_query *query, bool variance)
{
    const double *s = finite_sensitivity(query);
    if (!s || s[GROUP_LENGTH] == 0) {
        return false;
    }
    struct limits limits = limits_of(query);
    /* The greatest sample is at most sqrt(N) times the samples' root mean square, or N times their mean. */
    double n = s[GROUP_LENGTH], samples = s[RUNNING_SAMPLES],
           squares = sqrt(n * samples) * portable_hypot(s[GROUP_MEAN], s[GROUP_DEVIATION]);
    return n * samples * s[GROUP_MEAN_ABS] > limits.max ||
           (samples > 1 && samples * s[RUNNING_OLD] > limits.max) ||
           (variance && (squares > sqrt(limits.max) || s[GROUP_DEVIATION] < sqrt(limits.resolved)));
}
