/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_NORMALIZATION_NORMALIZATION_BOUND_H
#define ASSAY_REFERENCE_OPS_NORMALIZATION_NORMALIZATION_BOUND_H

/* Sensitivities of normalizations, and the bounds that they give (derived in normalization_bound.c). */

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
    /* of running statistics; of several samples GROUP_MEAN_ABS, GROUP_MEAN and GROUP_DEVIATION are the
     * samples' arithmetic means for running_mean, their root mean squares for running_var */
    RUNNING_OLD = GROUP_DEVIATION + 1,
    RUNNING_SAMPLES,  /* whose statistics are averaged */
    RUNNING_GREATEST, /* GROUP_DEVIATION of the sample with the greatest one */
    RUNNING_SENSITIVITIES,
    /* of dweight, over the elements of a channel: e = |dy| */
    CHANNEL_TERMS = 0,
    CHANNEL_LENGTH,       /* of a group; 0 in evaluation */
    CHANNEL_MEAN_ABS,     /* sum e·r·mean|x| */
    CHANNEL_X,            /* sum e·r·(|x| + |m|) */
    CHANNEL_NORMAL,       /* sum e·|X| */
    CHANNEL_VARIANCE,     /* sum e·|X|·V/(V + eps) */
    CHANNEL_KAPPA,        /* sum e·|X|·V·kappa/(V + eps) */
    CHANNEL_MEAN_SQUARE,  /* sum e·|X|·mean|x|²/(V + eps) */
    GREATEST_KAPPA,       /* of V·kappa/(V + eps) over the groups */
    GREATEST_MEAN_SQUARE, /* of mean|x|²/(V + eps) */
    GREATEST_ROOT,        /* of sqrt((V + eps)/eps) */
    GREATEST_R,           /* of r; infinite where V + eps = 0 */
    CHANNEL_R,            /* sum e·r */
    CHANNEL_E,            /* sum e: an X that underflows is lost so many times */
    CHANNEL_PRODUCTS,     /* sum e·(|x| + |m|); infinite beyond float64 */
    GREATEST_SQUARES,     /* of sqrt(sum x²) over the groups */
    CHANNEL_SENSITIVITIES,
    /* of dbias */
    BIAS_SUM_ABS = 1,
    BIAS_SENSITIVITIES
};

void normalization_describe(const struct moments *moments, double *sensitivity); /* the GROUP_… of any */

/* CHANNEL_… and GREATEST_… of dweight: what all elements of a group have in common; each element with e =
 * |dy|, |x|, and |X| rounded up; then what rounding may have lost of the sums, once CHANNEL_TERMS is set.
 * What underflows of a term is less than the η that the bound adds for it. */
struct weight_measures {
    double n, r, mean_abs, mean, variance, kappa, square, root, squares;
};
struct weight_measures normalization_weight_measures(const struct moments *moments, double eps);
void normalization_weight_term(const struct weight_measures *measures, double e, double x, double normal,
                               double *sensitivity);
void normalization_weight_close(double *sensitivity);

/* E_compute of one element. `centred` is false for RMS. */
double normalization_bound(const struct bound_query *query, bool centred, double eps);
double normalization_gradient_bound(const struct bound_query *query, bool centred, double eps);
double normalization_weight_bound(const struct bound_query *query, bool centred);
double normalization_bias_bound(const struct bound_query *query);
double normalization_running_bound(const struct bound_query *query, double momentum, bool variance);

/* Whether a computed V + eps may be 0 where the true one is not: squares that underflow, or a variance that
 * cancels, without an eps that the arithmetic holds. The root is infinite then, and what it meets of zeros,
 * an element or a scale, becomes NaN. Of a forward operator's y. */
bool normalization_root_is_open(const struct bound_query *query, bool centred, double eps);

/* Whether the unbiased variance of a sample, which running statistics take a share of, leaves the range:
 * times a share of 0 it is NaN, else infinite, although the whole may be in range; or, where samples are
 * averaged, whether the updated value of one may leave the range of the statistic's dtype, in which PyTorch
 * keeps it. */
bool normalization_variance_may_overflow(const struct bound_query *query, double momentum);

/* accept_default with `error`, the sign of a zero left open: x − m may round to a zero of either sign; NaN as
 * well where `nan`. */
void normalization_accept(const struct bound_query *query, double error, bool nan, struct accept *accept);
/* NAIVE_INFINITE: by an overflow alone, of which an infinity or NaN is left; NAIVE_MAY_OVERFLOW: of which anything
 * may be left. */
enum naive { NAIVE_IN_RANGE, NAIVE_INFINITE, NAIVE_MAY_OVERFLOW };
/* How intermediates of the naive forms leave the range (normalization_range.c): of y or dx, of dweight;
 * whether those of a running statistic do. */
enum naive normalization_naive(const struct bound_query *query, double eps, bool gradient);
enum naive normalization_naive_weight(const struct bound_query *query);
bool normalization_naive_running_may_overflow(const struct bound_query *query, bool variance);

#endif
