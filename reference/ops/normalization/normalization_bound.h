/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_NORMALIZATION_NORMALIZATION_BOUND_H
#define ASSAY_REFERENCE_OPS_NORMALIZATION_NORMALIZATION_BOUND_H

/* Sensitivities of normalizations (the numbers that a truth holds per element besides its value), and the
 * error bounds computed from them. normalization_bound.c derives the bounds, normalization_range.c the
 * overflow conditions. Notation: normalization_statistics.h. */

#include "reference/ops/normalization/normalization_statistics.h"

enum normalization_sensitivity {
    GROUP_LENGTH, /* 0 in evaluation */
    GROUP_MEAN_ABS,
    GROUP_MEAN,
    GROUP_DEVIATION, /* sqrt(V); RMS: the root mean square */
    ELEMENT_X,       /* |x| */
    ELEMENT_NORMAL,  /* |X| */
    ELEMENT_WEIGHT,  /* |g|; of a gradient |w| */
    ELEMENT_BIAS,    /* |b|; of a gradient |mean(w)| */
    FORWARD_SENSITIVITIES,
    GROUP_PROJECTION = FORWARD_SENSITIVITIES, /* |mean(w·X)| */
    GROUP_W,                                  /* mean|w| */
    GROUP_W_X,                                /* mean|w·x| */
    GROUP_W_NORMAL,                           /* mean|w·X| */
    GRADIENT_SENSITIVITIES,
    /* Running statistics use GROUP_LENGTH to GROUP_DEVIATION, too. If several samples are averaged,
     * GROUP_MEAN_ABS, GROUP_MEAN and GROUP_DEVIATION are arithmetic means over the samples for running_mean,
     * and root mean squares over the samples for running_var. */
    RUNNING_OLD = GROUP_DEVIATION + 1,
    RUNNING_SAMPLES,  /* number of samples whose statistics are averaged */
    RUNNING_GREATEST, /* the greatest deviation of a sample */
    RUNNING_SENSITIVITIES,
    /* dweight; sums and maxima over the elements of a channel, with e = |dy| */
    CHANNEL_TERMS = 0,    /* number of elements of the channel */
    CHANNEL_LENGTH,       /* number of elements of a group; 0 in evaluation */
    CHANNEL_MEAN_ABS,     /* sum e·r·mean|x| */
    CHANNEL_X,            /* sum e·r·(|x| + |m|) */
    CHANNEL_NORMAL,       /* sum e·|X| */
    CHANNEL_VARIANCE,     /* sum e·|X|·V/(V + eps) */
    CHANNEL_KAPPA,        /* sum e·|X|·V·kappa/(V + eps) */
    CHANNEL_MEAN_SQUARE,  /* sum e·|X|·mean|x|²/(V + eps) */
    GREATEST_KAPPA,       /* max V·kappa/(V + eps) over the groups */
    GREATEST_MEAN_SQUARE, /* max mean|x|²/(V + eps) */
    GREATEST_ROOT,        /* max sqrt((V + eps)/eps) */
    GREATEST_R,           /* max r; infinite if V + eps = 0 */
    CHANNEL_R,            /* sum e·r */
    CHANNEL_E,            /* sum e: an underflow of η in every X changes dweight by η·sum e */
    CHANNEL_PRODUCTS,     /* sum e·(|x| + |m|); infinite beyond float64 */
    GREATEST_SQUARES,     /* max sqrt(sum x²) over the groups */
    CHANNEL_SENSITIVITIES,
    /* dbias; CHANNEL_TERMS comes first */
    BIAS_SUM_ABS = 1,
    BIAS_SENSITIVITIES
};

/* Stores GROUP_LENGTH to GROUP_DEVIATION. */
void normalization_describe(const struct moments *moments, double *sensitivity);

/* The sensitivities of dweight are upper bounds. Start with zeros and CHANNEL_TERMS, call
 * normalization_weight_term once per element with e = |dy|, x = |x|, normal = |X| rounded up and the measures
 * of the element's group, then normalization_weight_close, which raises the sums by their rounding errors.
 * The underflow error of a term is less than the η that the error bound adds for it. */
struct weight_measures {
    double n, r, mean_abs, mean, variance, kappa, square, root, squares;
};
struct weight_measures normalization_weight_measures(const struct moments *moments, double eps);
void normalization_weight_term(const struct weight_measures *measures, double e, double x, double normal,
                               double *sensitivity);
void normalization_weight_close(double *sensitivity);

/* E_compute, the absolute error bound, of the queried element. `centred` is false for RMS. */
double normalization_bound(const struct bound_query *query, bool centred, double eps);
double normalization_gradient_bound(const struct bound_query *query, bool centred, double eps);
double normalization_weight_bound(const struct bound_query *query, bool centred);
double normalization_bias_bound(const struct bound_query *query);
double normalization_running_bound(const struct bound_query *query, double momentum, bool variance);

/* For y of a forward operator: true if a computed V + eps may be 0 although the exact one is positive. This
 * happens if squares underflow or the variance cancels, and eps is below η. The computed r is then infinite,
 * and its product with a zero element or a zero scale is NaN. */
bool normalization_root_is_open(const struct bound_query *query, bool centred, double eps);

/* For running_var: true if the computed unbiased variance of a sample may overflow. Its product with the
 * momentum is then NaN (momentum 0) or infinite, although the exact result may be in range. If samples are
 * averaged, also true if the updated value of one sample may overflow the dtype of the running statistic,
 * because PyTorch stores it in this dtype. */
bool normalization_variance_may_overflow(const struct bound_query *query, double momentum);

/* accept_default with the error bound `error`. Accepts zeros of either sign, because x − m may round to
 * either, and also NaN if `nan`. */
void normalization_accept(const struct bound_query *query, double error, bool nan, struct accept *accept);
/* Whether intermediates of the naive forms leave the range (normalization_range.c). NAIVE_INFINITE: only by
 * an overflow after which the result is infinite or NaN. NAIVE_MAY_OVERFLOW: the result may be any number. */
enum naive { NAIVE_IN_RANGE, NAIVE_INFINITE, NAIVE_MAY_OVERFLOW };
/* y (gradient = false) or dx; then dweight; then a running statistic. */
enum naive normalization_naive(const struct bound_query *query, double eps, bool gradient);
enum naive normalization_naive_weight(const struct bound_query *query);
bool normalization_naive_running_may_overflow(const struct bound_query *query, bool variance);

#endif
