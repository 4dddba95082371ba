/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Certified gradients with respect to scale and shift, sums over the elements of a channel:
 * dg = sum over groups of (sum dy·D)/sqrt(W), with exact inner sums, and db = sum dy, exact. D = a·x − S. */

#include "reference/numeric/elementary/portable.h"
#include "reference/numeric/round_up.h"
#include "reference/operator/ziv.h"
#include "reference/ops/normalization/normalization_bound.h"
#include "reference/ops/normalization/normalization_truth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The contribution of one group to a channel: dot/sqrt(W) with dot = sum dy·D. */
struct share {
    const struct moments *moments;
    mpfr_t dot;
};

struct channel {
    int64_t shares;
    struct share *share;
    bool special, open; /* special: not finite; open: NaN or infinite, by the order of operations */
};

/* Adds the shares at `precision` p in y and returns the certified relative bits. Each share has a relative
 * error of 2·2^-p, each addition an error of 2^-p times at most the sum of magnitudes. */
static int add_shares(const struct channel *c, mpfr_prec_t precision, mpfr_ptr y)
{
    mpfr_t root, term, magnitude;
    mpfr_inits2(precision, root, term, magnitude, (mpfr_ptr)0);
    mpfr_set_zero(y, 1);
    mpfr_set_zero(magnitude, 1);
    for (int64_t k = 0; k < c->shares; k++) {
        if (precision == NORMALIZATION_BITS) {
            mpfr_set(root, c->share[k].moments->root, MPFR_RNDN);
        } else {
            mpfr_rec_sqrt(root, c->share[k].moments->w, MPFR_RNDN);
        }
        mpfr_mul(term, c->share[k].dot, root, MPFR_RNDN);
        mpfr_add(y, y, term, MPFR_RNDN);
        mpfr_abs(term, term, MPFR_RNDN);
        mpfr_add(magnitude, magnitude, term, MPFR_RNDN);
    }
    mpfr_exp_t lost = mpfr_zero_p(y) ? precision : mpfr_get_exp(magnitude) - mpfr_get_exp(y);
    mpfr_clears(root, term, magnitude, (mpfr_ptr)0);
    return (int)precision - 6 - portable_log2_ceiling((double)c->shares + 2) - (int)lost;
}

/* Joins shares of equal W; true if all joined shares are 0, so that the sum is exactly 0. */
static bool shares_cancel(struct channel *c)
{
    int64_t kept = 0;
    for (int64_t k = 0; k < c->shares; k++) {
        int64_t same = 0;
        while (same < kept && !mpfr_equal_p(c->share[same].moments->w, c->share[k].moments->w)) {
            same++;
        }
        if (same < kept) {
            mpfr_t sum;
            mpfr_init2(sum, mpfr_get_prec(c->share[k].dot) + mpfr_get_prec(c->share[same].dot) + 2200);
            mpfr_add(sum, c->share[same].dot, c->share[k].dot, MPFR_RNDN);
            mpfr_swap(sum, c->share[same].dot);
            mpfr_clear(sum);
        } else {
            struct share other = c->share[kept];
            c->share[kept] = c->share[k];
            c->share[k] = other;
            kept++;
        }
    }
    int64_t left = 0;
    for (int64_t k = 0; k < kept; k++) {
        left += !mpfr_zero_p(c->share[k].dot);
    }
    c->shares = kept;
    return left == 0;
}

static bool channel_value(struct channel *c, struct value *value, int *bits, struct error *error)
{
    if (c->special) {
        *value = value_of(NAN);
        value->open = c->open;
        return true;
    }
    for (mpfr_prec_t precision = NORMALIZATION_BITS; precision <= ZIV_CAP_BITS; precision *= 2) {
        mpfr_t y;
        mpfr_init2(y, precision);
        int certified = add_shares(c, precision, y);
        bool enough = certified >= ZIV_TARGET_BITS;
        if (enough) {
            *value = value_from_mpfr(y, false);
            *bits = ZIV_TARGET_BITS < *bits ? ZIV_TARGET_BITS : *bits;
        } else if (precision == NORMALIZATION_BITS && shares_cancel(c)) {
            *value = value_of(0);
            enough = true;
        }
        mpfr_clear(y);
        if (enough) {
            return true;
        }
    }
    return error_set(error, "the gradient of a scale cancels beyond %d bits", ZIV_CAP_BITS);
}

/* Sets c->special and c->open. A NaN, or an infinity in x, makes the sum NaN. An infinity in dy makes it
 * infinite or NaN, depending on the order of operations (open). */
static void channel_special(const struct normalization *n, const struct moments *moments, int64_t channel,
                            struct channel *c, double *s)
{
    bool decided = false;
    c->special = false;
    for (int64_t j = 0; j < n->batch * n->inner; j++) {
        int64_t i = normalization_channel_element(n, channel, j);
        const struct moments *m = &moments[normalization_group_of(n, i)];
        double dy = tensor_component(n->grad, i), x = tensor_component(n->x, i);
        const double given = (x - m->mean) * m->r * dy; /* in evaluation */
        const bool evaluated = n->evaluates && m->special && !m->undefined;
        bool lost = evaluated
                        ? isnan(given)
                        : (m->special && !m->infinite && !m->undefined) || (m->infinite && !isfinite(x));
        decided = decided || lost || isnan(dy) || isnan(x);
        c->special =
            c->special || lost || m->undefined || !isfinite(dy) || !isfinite(x) || (evaluated && given != 0);
        s[GREATEST_R] = m->undefined ? INFINITY : s[GREATEST_R];
    }
    c->open = c->special && !decided;
}

/* Gathers one channel: a share for each sequence of elements in one group. */
static void channel_gather(const struct normalization *n, const struct moments *moments, int64_t channel,
                           struct channel *c, double *s)
{
    int64_t terms = n->batch * n->inner;
    struct weight_measures measures = {.r = 0};
    const struct moments *measured = NULL;
    mpfr_t deviation, product;
    mpfr_inits2(64, deviation, product, (mpfr_ptr)0);
    channel_special(n, moments, channel, c, s);
    c->shares = 0;
    s[CHANNEL_TERMS] = (double)terms;
    for (int64_t j = 0; j < terms && !c->special; j++) {
        int64_t i = normalization_channel_element(n, channel, j);
        const struct moments *m = &moments[normalization_group_of(n, i)];
        double dy = tensor_component(n->grad, i), x = tensor_component(n->x, i);
        if (m->special) { /* RMS beside an infinity, or an infinite variance: X = 0 */
            continue;
        }
        if (c->shares == 0 || c->share[c->shares - 1].moments != m) {
            c->share[c->shares++].moments = m;
            struct span span = moments_deviation_span(m), all = span_of(0);
            if (n->evaluates) {
                span = (struct span){1100, -1200}; /* contains every double */
            }
            for (int64_t k = j; k < terms; k++) { /* the following elements of this group */
                int64_t at = normalization_channel_element(n, channel, k);
                if (&moments[normalization_group_of(n, at)] != m ||
                    !isfinite(tensor_component(n->grad, at))) {
                    break;
                }
                all = span_join(all, span_of(tensor_component(n->grad, at)));
            }
            mpfr_set_prec(deviation, span_bits(span));
            mpfr_set_prec(product, span_bits(span) + 53);
            mpfr_set_prec(c->share[c->shares - 1].dot, span_bits(span_sum(span_times(span, all), terms)));
            mpfr_set_zero(c->share[c->shares - 1].dot, 1);
        }
        moments_deviation(m, x, deviation);
        mpfr_mul_d(product, deviation, dy, MPFR_RNDN);
        mpfr_add(c->share[c->shares - 1].dot, c->share[c->shares - 1].dot, product, MPFR_RNDN);
        if (m != measured) {
            measures = normalization_weight_measures(m, n->eps);
            measured = m;
        }
        double normal =
            round_up_product(fabs(mpfr_get_d(deviation, MPFR_RNDA)), mpfr_get_d(m->root, MPFR_RNDU));
        normalization_weight_term(&measures, fabs(dy), fabs(x), normal, s);
    }
    normalization_weight_close(s);
    mpfr_clears(deviation, product, (mpfr_ptr)0);
}

struct normalization_weight_certifier {
    const struct normalization *n;
    int64_t groups;
    struct moments *moments; /* of every group */
    struct channel channel;  /* with room for a share of each group of a channel */
};

static int64_t most_shares(const struct normalization *n)
{
    return n->over_batch ? 1 : n->batch;
}

struct normalization_weight_certifier *normalization_weight_certifier_create(const struct normalization *n,
                                                                             struct error *error)
{
    int64_t groups = normalization_groups(n), most = most_shares(n);
    struct normalization_weight_certifier *c = calloc(1, sizeof *c);
    if (!c || !(c->moments = malloc(((size_t)groups + 1) * sizeof *c->moments)) ||
        !(c->channel.share = malloc(((size_t)most + 1) * sizeof *c->channel.share))) {
        free(c ? c->moments : NULL);
        free(c);
        error_set(error, "out of memory for %lld groups", (long long)groups);
        return NULL;
    }
    c->n = n;
    c->groups = groups;
    for (int64_t g = 0; g < groups; g++) {
        moments_init(&c->moments[g]);
        moments_of(n, g, &c->moments[g]);
    }
    for (int64_t k = 0; k < most; k++) {
        mpfr_init2(c->channel.share[k].dot, 64);
    }
    return c;
}

void normalization_weight_certifier_destroy(struct normalization_weight_certifier **certifier)
{
    struct normalization_weight_certifier *c = *certifier;
    for (int64_t g = 0; c && g < c->groups; g++) {
        moments_clear(&c->moments[g]);
    }
    for (int64_t k = 0; c && k < most_shares(c->n); k++) {
        mpfr_clear(c->channel.share[k].dot);
    }
    if (c) {
        free(c->moments);
        free(c->channel.share);
    }
    free(c);
    *certifier = NULL;
}

bool normalization_weight_certify(struct normalization_weight_certifier *c, int64_t channel,
                                  struct truth_output *dweight, int *bits, struct error *error)
{
    double *s = &dweight->sensitivity[channel * CHANNEL_SENSITIVITIES];
    memset(s, 0, CHANNEL_SENSITIVITIES * sizeof *s);
    channel_gather(c->n, c->moments, channel, &c->channel, s);
    return channel_value(&c->channel, &dweight->value[channel], bits, error);
}

void normalization_bias_certify(const struct normalization *n, int64_t channel, struct truth_output *dbias,
                                int *bits)
{
    int64_t terms = n->batch * n->inner;
    struct span span = span_of(0);
    double plain = 0, magnitude = 0;
    for (int64_t j = 0; j < terms; j++) {
        double dy = tensor_component(n->grad, normalization_channel_element(n, channel, j));
        plain += dy; /* used only if the sum is not finite */
        magnitude = round_up_sum(magnitude, fabs(dy));
        span = isfinite(dy) ? span_join(span, span_of(dy)) : span;
    }
    double *s = &dbias->sensitivity[channel * BIAS_SENSITIVITIES];
    s[CHANNEL_TERMS] = (double)terms;
    s[BIAS_SUM_ABS] = magnitude;
    dbias->value[channel] = value_of(plain);
    if (isfinite(magnitude)) {
        mpfr_t sum;
        mpfr_init2(sum, span_bits(span_sum(span, terms)));
        mpfr_set_zero(sum, 1);
        for (int64_t j = 0; j < terms; j++) {
            mpfr_add_d(sum, sum, tensor_component(n->grad, normalization_channel_element(n, channel, j)),
                       MPFR_RNDN);
        }
        dbias->value[channel] = value_from_mpfr(sum, true);
        *bits = !dbias->value[channel].exact && ZIV_TARGET_BITS < *bits ? ZIV_TARGET_BITS : *bits;
        mpfr_clear(sum);
    }
}
