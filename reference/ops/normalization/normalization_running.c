/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Truths of running statistics, (1 − p)·old + p·statistic with the momentum p. For instance_norm the
 * statistic is the mean over the N samples, because the mean of the updated values is the update by the mean.
 *
 * In double-double 1 − p is exact, both products have a relative error of 2^-101, n/(n − 1)·V two more of the
 * same size, and their sum an error of 2^-103. With δm and δV of normalization_pairs.c
 *
 *     δmean = |p|·δm + 2^-100·(|kept| + |taken|),   δvar = |p|·n/(n − 1)·δV + 2^-99·(|kept| + |taken|).
 *
 * A sum of N double-doubles has an error of 2·(N − 1)·2^-103 times the sum of magnitudes, its quotient by N a
 * relative error of 2^-101. So δm and δV of an average are the means of the samples' δm and δV, plus (N +
 * 2)·2^-100·mean|statistic|. */

#include "reference/numeric/elementary/portable.h"
#include "reference/operator/ziv.h"
#include "reference/ops/normalization/normalization_bound.h"
#include "reference/ops/normalization/normalization_pairs.h"
#include "reference/ops/normalization/normalization_truth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EXACT_BITS = 4500 }; /* precision in which sums of n²·V and of n·m are exact */

/* (1 − momentum)·old + momentum·statistic, statistic = numerator/divisor/samples, the numerator exact. */
static struct value blend(double momentum, double old, mpfr_srcptr numerator, double divisor, double samples,
                          int *bits)
{
    mpfr_t kept, taken, weight;
    mpfr_init2(weight, 1200); /* 1 − momentum, exact for every double momentum that matters */
    mpfr_init2(kept, EXACT_BITS);
    mpfr_init2(taken, EXACT_BITS);
    mpfr_set_d(weight, momentum, MPFR_RNDN);
    mpfr_ui_sub(weight, 1, weight, MPFR_RNDN);
    mpfr_mul_d(kept, weight, old, MPFR_RNDN);
    int inexact = mpfr_mul_d(taken, numerator, momentum, MPFR_RNDN);
    inexact |= mpfr_div_d(taken, taken, divisor, MPFR_RNDN);
    inexact |= mpfr_div_d(taken, taken, samples, MPFR_RNDN);
    inexact |= mpfr_add(kept, kept, taken, MPFR_RNDN);
    struct value value = value_from_mpfr(kept, !inexact);
    if (!value.exact && ZIV_TARGET_BITS < *bits) {
        *bits = ZIV_TARGET_BITS;
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
    return n->evaluates || normalization_length(n) == 0 || normalization_samples(n) == 0;
}

/* The value of a statistic that is not updated. For an empty batch it is open: the statistic may stay as in
 * PyTorch, or become the mean of no numbers. The same holds for instance_norm in evaluation, because PyTorch
 * averages over the samples there, too. */
static struct value value_left(const struct normalization *n, double old)
{
    struct value value = value_of(old);
    value.open = !n->evaluates || normalization_samples(n) == 0;
    return value;
}

/* --- the samples of one channel */

/* Adds one sample's part to the sensitivities, which must be 0 before the first sample. */
static void describe_sample(const struct moments *moments, int output, int64_t samples, double *sensitivity)
{
    double own[GROUP_DEVIATION + 1];
    normalization_describe(moments, own);
    for (int k = GROUP_MEAN_ABS; k <= GROUP_DEVIATION; k++) {
        sensitivity[k] = samples == 1  ? own[k]
                         : output == 0 ? sensitivity[k] + own[k] / (double)samples
                                       : portable_hypot(sensitivity[k], own[k] / sqrt((double)samples));
    }
    sensitivity[GROUP_LENGTH] = own[GROUP_LENGTH];
    sensitivity[RUNNING_GREATEST] = fmax(sensitivity[RUNNING_GREATEST], own[GROUP_DEVIATION]);
}

/* Completes the sensitivities. Each addition or root of describe_sample rounds at most three times by 2^-53;
 * the factor covers all of them. */
static void describe_all(double old, int64_t samples, double *sensitivity)
{
    for (int k = GROUP_MEAN_ABS; samples > 1 && k <= GROUP_DEVIATION; k++) {
        sensitivity[k] *= 1 + ((double)samples + 4) * 0x1p-50;
    }
    sensitivity[RUNNING_OLD] = fabs(old);
    sensitivity[RUNNING_SAMPLES] = (double)samples;
}

/* The numerators of a statistic over the samples of a channel. */
struct numerators {
    mpfr_t sum, scatter;
    bool usual;     /* all data are finite */
    double special; /* the sum of the means that are NaN or infinite */
    double mean;    /* the mean, rounded */
};

/* Adds n²·V = W − eps·n² to `scatter`. */
static void add_scatter(const struct moments *moments, double eps, mpfr_ptr scatter)
{
    mpfr_t part;
    mpfr_init2(part, 53 * 3);
    mpfr_set_d(part, eps, MPFR_RNDN);
    mpfr_mul_d(part, part, moments->n, MPFR_RNDN);
    mpfr_mul_d(part, part, moments->n, MPFR_RNDN);
    mpfr_add(scatter, scatter, moments->w, MPFR_RNDN);
    mpfr_sub(scatter, scatter, part, MPFR_RNDN);
    mpfr_clear(part);
}

static void gather(const struct normalization *n, int output, int64_t channel, double *sensitivity,
                   struct numerators *all)
{
    const int64_t samples = normalization_samples(n);
    struct moments moments;
    moments_init(&moments);
    memset(sensitivity, 0, RUNNING_SENSITIVITIES * sizeof *sensitivity);
    mpfr_set_zero(all->sum, 1);
    mpfr_set_zero(all->scatter, 1);
    for (int64_t s = 0; s < samples; s++) {
        moments_of(n, normalization_group_of_sample(n, s, channel), &moments);
        describe_sample(&moments, output, samples, sensitivity);
        if (moments.special && !moments.undefined) {
            all->usual = false;
            all->special += moments.mean;
        } else if (output == 0) {
            mpfr_add(all->sum, all->sum, moments.sum, MPFR_RNDN);
            all->mean += moments.mean / (double)samples;
        } else {
            add_scatter(&moments, n->eps, all->scatter);
        }
    }
    moments_clear(&moments);
}

static struct value updated(const struct normalization *n, const struct numerators *all, double momentum,
                            int output, double old, int *bits)
{
    const double length = (double)normalization_length(n), samples = (double)normalization_samples(n);
    if (!all->usual) {
        return value_of(output == 0 ? (1 - momentum) * old + momentum * all->special : NAN);
    }
    if (!isfinite(old)) {
        return value_of((1 - momentum) * old + momentum * (output == 0 ? all->mean : 1));
    }
    return output == 0 ? blend(momentum, old, all->sum, length, samples, bits)
                       : blend(momentum, old, all->scatter, length * (length - 1), samples, bits);
}

void normalization_running_certify(const struct normalization *n, double momentum, int output,
                                   int64_t channel, struct truth_output *out, int *bits)
{
    double old = old_of(n, output, channel),
           *sensitivity = &out->sensitivity[channel * RUNNING_SENSITIVITIES];
    if (is_left_alone(n)) {
        if (n->averages) {
            describe_all(old, normalization_samples(n), sensitivity);
        }
        out->value[channel] = value_left(n, old);
        return;
    }
    struct numerators all = {.usual = true};
    mpfr_init2(all.sum, EXACT_BITS);
    mpfr_init2(all.scatter, EXACT_BITS);
    gather(n, output, channel, sensitivity, &all);
    describe_all(old, normalization_samples(n), sensitivity);
    out->value[channel] = updated(n, &all, momentum, output, old, bits);
    mpfr_clears(all.sum, all.scatter, (mpfr_ptr)0);
}

void normalization_running_truth(const struct normalization *n, double momentum, struct truth_output *out,
                                 int *bits)
{
    for (int64_t k = 0; k < 2 * n->channels; k++) {
        normalization_running_certify(n, momentum, (int)(k % 2), k / 2, &out[k % 2], bits);
    }
}

/* --- enclosures in double-double */

/* statistic[0]: the mean, [1]: the biased variance; while samples are added, sums, then means over the
 * samples; with error bounds, and the sums of magnitudes. */
struct averages {
    double length;
    struct double_double statistic[2];
    double error[2], size[2];
};

static void add_sample(struct averages *all, const struct group_pairs *e)
{
    const struct double_double statistic[2] = {e->mean, e->variance};
    const double error[2] = {e->error_mean, e->error_variance};
    for (int o = 0; o < 2; o++) {
        all->statistic[o] = dd_plus(dd_plus(all->statistic[o], statistic[o].hi), statistic[o].lo);
        all->error[o] += error[o];
        all->size[o] += fabs(statistic[o].hi);
    }
    all->length = e->moments.n;
}

static void close_averages(struct averages *all, int64_t samples)
{
    const double count = (double)samples, up = 1 + (count + 8) * 0x1p-52;
    for (int o = 0; samples > 1 && o < 2; o++) {
        all->statistic[o] = dd_over(all->statistic[o], count);
        all->error[o] = (all->error[o] / count + (count + 2) * 0x1p-100 * (all->size[o] / count)) * up;
    }
}

/* Stores an enclosure of one element; false if the caller must certify it. */
static bool take_running(const struct averages *all, double momentum, int output, int64_t channel, double old,
                         struct truth_output *out)
{
    double n = all->length, unbiased = n / (n - 1);
    struct double_double statistic =
                             output == 0 ? all->statistic[0] : dd_over(dd_times(all->statistic[1], n), n - 1),
                         kept = dd_times(dd_sum(1, -momentum), old), taken = dd_times(statistic, momentum);
    double size = fabs(kept.hi) + fabs(taken.hi),
           error = output == 0 ? fabs(momentum) * all->error[0] + 0x1p-100 * size
                               : fabs(momentum) * unbiased * all->error[1] + 0x1p-99 * size;
    return normalization_keep(out, channel, dd_plus(dd_plus(kept, taken.hi), taken.lo), error);
}

/* Computes the averages and sensitivities of a channel; false if normalization_pairs rejects a sample. `x`:
 * room for a group. */
static bool average_pairs(const struct normalization *n, int64_t channel, double *x, struct truth_output *out,
                          struct averages *all)
{
    const int64_t samples = normalization_samples(n), length = normalization_length(n);
    *all = (struct averages){.length = 0};
    for (int o = 0; o < 2; o++) {
        memset(&out[o].sensitivity[channel * RUNNING_SENSITIVITIES], 0,
               RUNNING_SENSITIVITIES * sizeof(double));
    }
    for (int64_t s = 0; s < samples; s++) {
        const int64_t group = normalization_group_of_sample(n, s, channel);
        struct group_pairs e;
        for (int64_t j = 0; j < length; j++) {
            x[j] = tensor_component(n->x, normalization_element(n, group, j));
        }
        if (!normalization_pairs(n, group, x, &e)) {
            return false;
        }
        add_sample(all, &e);
        for (int o = 0; o < 2; o++) {
            describe_sample(&e.moments, o, samples, &out[o].sensitivity[channel * RUNNING_SENSITIVITIES]);
        }
    }
    close_averages(all, samples);
    return true;
}

bool normalization_running_enclosure(const struct normalization *n, double momentum, struct truth_output *out,
                                     int *bits)
{
    const int64_t samples = normalization_samples(n), length = normalization_length(n);
    double *x = malloc(((size_t)length + 1) * sizeof *x);
    bool good = x && truth_output_radius(&out[0], true) && truth_output_radius(&out[1], true);
    for (int64_t c = 0; good && c < n->channels; c++) {
        struct averages all;
        bool known = length > 1 && samples > 0 && !n->evaluates && is_factor(momentum) &&
                     average_pairs(n, c, x, out, &all);
        for (int o = 0; o < 2; o++) {
            double old = old_of(n, o, c);
            if (known && is_factor(old)) {
                describe_all(old, samples, &out[o].sensitivity[c * RUNNING_SENSITIVITIES]);
            }
            if (!known || !is_factor(old) || !take_running(&all, momentum, o, c, old, &out[o])) {
                normalization_running_certify(n, momentum, o, c, &out[o], bits);
                out[o].radius[c] = 0;
            }
        }
    }
    free(x);
    return good;
}
