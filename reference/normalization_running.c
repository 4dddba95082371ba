/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Truths of running statistics, p the momentum: (1 − p)·old + p·statistic.
 *
 * In double-double 1 − p is exact as a pair, both products err by 2^-101, n/(n − 1)·V by as much twice more,
 * their sum by 2^-103: with δm and δV of normalization_pairs.c
 *
 *     δmean = |p|·δm + 2^-100·(|kept| + |taken|),   δvar = |p|·n/(n − 1)·δV + 2^-99·(|kept| + |taken|). */

#include "reference/ladder.h"
#include "reference/normalization_bound.h"
#include "reference/normalization_pairs.h"
#include "reference/normalization_truth.h"

#include <math.h>
#include <stdlib.h>

/* (1 − momentum)·old + momentum·statistic, statistic = numerator/divisor, the numerator exact. */
static struct value blend(double momentum, double old, mpfr_srcptr numerator, double divisor, int *bits)
{
    mpfr_t kept, taken, weight;
    mpfr_init2(weight, 1200); /* 1 − momentum, exact for every double momentum that matters */
    mpfr_init2(kept, 4500);
    mpfr_init2(taken, 4500);
    mpfr_set_d(weight, momentum, MPFR_RNDN);
    mpfr_ui_sub(weight, 1, weight, MPFR_RNDN);
    mpfr_mul_d(kept, weight, old, MPFR_RNDN);
    int inexact = mpfr_mul_d(taken, numerator, momentum, MPFR_RNDN);
    inexact |= mpfr_div_d(taken, taken, divisor, MPFR_RNDN);
    inexact |= mpfr_add(kept, kept, taken, MPFR_RNDN);
    struct value value = value_from_mpfr(kept, !inexact);
    if (!value.exact && LADDER_TARGET_BITS < *bits) {
        *bits = LADDER_TARGET_BITS;
    }
    mpfr_clears(kept, taken, weight, (mpfr_ptr)0);
    return value;
}

static double old_of(const struct normalization *n, int output, int64_t channel)
{
    return tensor_component(output == 0 ? n->running_mean : n->running_var, channel);
}

static bool is_left_alone(const struct normalization *n)
{
    return n->evaluates || normalization_length(n) == 0;
}

/* An empty batch leaves them, as PyTorch does, or gives the mean of nothing. */
static struct value value_left(const struct normalization *n, double old)
{
    struct value value = value_of(old);
    value.open = !n->evaluates;
    return value;
}

static void describe(const struct moments *moments, double old, double *sensitivity)
{
    normalization_describe(moments, sensitivity);
    sensitivity[RUNNING_OLD] = fabs(old);
}

static struct value blended_mean(const struct moments *moments, double momentum, double old, int *bits)
{
    bool usual = !moments->special || moments->undefined; /* the data are finite */
    return !usual || !isfinite(old) ? value_of((1 - momentum) * old + momentum * moments->mean)
                                    : blend(momentum, old, moments->sum, moments->n, bits);
}

static struct value blended_variance(const struct moments *moments, double eps, double momentum, double old,
                                     int *bits)
{
    bool usual = !moments->special || moments->undefined;
    if (!usual || !isfinite(old)) {
        return value_of(usual ? (1 - momentum) * old + momentum : NAN);
    }
    mpfr_t scatter, part; /* n²V = W − eps·n² */
    mpfr_init2(scatter, mpfr_get_prec(moments->w));
    mpfr_init2(part, 53 * 3);
    mpfr_set_d(part, eps, MPFR_RNDN);
    mpfr_mul_d(part, part, moments->n, MPFR_RNDN);
    mpfr_mul_d(part, part, moments->n, MPFR_RNDN);
    mpfr_sub(scatter, moments->w, part, MPFR_RNDN);
    struct value value = blend(momentum, old, scatter, moments->n * (moments->n - 1), bits);
    mpfr_clears(scatter, part, (mpfr_ptr)0);
    return value;
}

void normalization_running_certify(const struct normalization *n, double momentum, int output,
                                   int64_t channel, struct truth_output *out, int *bits)
{
    struct moments moments;
    double old = old_of(n, output, channel);
    if (is_left_alone(n)) {
        out->value[channel] = value_left(n, old);
        return;
    }
    moments_init(&moments);
    moments_of(n, channel, &moments);
    describe(&moments, old, &out->sensitivity[channel * RUNNING_SENSITIVITIES]);
    out->value[channel] = output == 0 ? blended_mean(&moments, momentum, old, bits)
                                      : blended_variance(&moments, n->eps, momentum, old, bits);
    moments_clear(&moments);
}

void normalization_running_truth(const struct normalization *n, double momentum, struct truth_output *out,
                                 int *bits)
{
    for (int64_t k = 0; k < 2 * n->channels; k++) {
        normalization_running_certify(n, momentum, (int)(k % 2), k / 2, &out[k % 2], bits);
    }
}

/* False where the element is to be certified. */
static bool take_running(const struct group_pairs *e, double momentum, int output, int64_t channel,
                         double old, struct truth_output *out)
{
    double n = e->moments.n, unbiased = n / (n - 1);
    struct pair statistic = output == 0 ? e->mean : pair_over(pair_times(e->variance, n), n - 1),
                kept = pair_times(pair_sum(1, -momentum), old), taken = pair_times(statistic, momentum);
    double size = fabs(kept.hi) + fabs(taken.hi),
           error = output == 0 ? fabs(momentum) * e->error_mean + 0x1p-100 * size
                               : fabs(momentum) * unbiased * e->error_variance + 0x1p-99 * size;
    describe(&e->moments, old, &out->sensitivity[channel * RUNNING_SENSITIVITIES]);
    return normalization_keep(out, channel, pair_plus(pair_plus(kept, taken.hi), taken.lo), error);
}

bool normalization_running_enclosure(const struct normalization *n, double momentum, struct truth_output *out,
                                     int *bits)
{
    int64_t length = normalization_length(n);
    double *x = malloc(((size_t)length + 1) * sizeof *x);
    bool good = x && truth_output_radius(&out[0], true) && truth_output_radius(&out[1], true);
    for (int64_t c = 0; good && c < n->channels; c++) {
        struct group_pairs e;
        for (int64_t j = 0; j < length; j++) {
            x[j] = tensor_component(n->x, normalization_element(n, c, j));
        }
        bool known = length > 1 && !n->evaluates && is_factor(momentum) && normalization_pairs(n, c, x, &e);
        for (int o = 0; o < 2; o++) {
            double old = old_of(n, o, c);
            if (!known || !is_factor(old) || !take_running(&e, momentum, o, c, old, &out[o])) {
                normalization_running_certify(n, momentum, o, c, &out[o], bits);
                out[o].radius[c] = 0;
            }
        }
    }
    free(x);
    return good;
}
