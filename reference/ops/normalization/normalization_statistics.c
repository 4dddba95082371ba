/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/ops/normalization/normalization_statistics.h"
#include "reference/numeric/elementary/portable.h"
#include "reference/numeric/round_up.h"

#include <limits.h>
#include <math.h>

int64_t normalization_groups(const struct normalization *n)
{
    return n->over_batch ? n->channels : n->batch * n->groups_per_sample;
}

int64_t normalization_samples(const struct normalization *n)
{
    return n->averages ? n->batch : 1;
}

int64_t normalization_group_of_sample(const struct normalization *n, int64_t sample, int64_t channel)
{
    return sample * n->channels + channel;
}

int64_t normalization_length(const struct normalization *n)
{
    return n->inner * (n->over_batch ? n->batch : n->channels / n->groups_per_sample);
}

int64_t normalization_channel_element(const struct normalization *n, int64_t channel, int64_t j)
{
    return (j / n->inner * n->channels + channel) * n->inner + j % n->inner;
}

int64_t normalization_element(const struct normalization *n, int64_t group, int64_t j)
{
    return n->over_batch ? normalization_channel_element(n, group, j) : group * normalization_length(n) + j;
}

int64_t normalization_channel_of(const struct normalization *n, int64_t element)
{
    return element / n->inner % n->channels;
}

int64_t normalization_group_of(const struct normalization *n, int64_t element)
{
    return n->over_batch ? normalization_channel_of(n, element) : element / normalization_length(n);
}

/* --- spans */

struct span span_of(double x)
{
    int e = 0;
    frexp(x, &e);
    return x == 0 ? (struct span){INT_MIN / 4, INT_MIN / 4} : (struct span){e, e - 53};
}

static bool is_zero(struct span a)
{
    return a.top == INT_MIN / 4;
}

struct span span_join(struct span a, struct span b)
{
    if (is_zero(a) || is_zero(b)) {
        return is_zero(a) ? b : a;
    }
    return (struct span){a.top > b.top ? a.top : b.top, a.unit < b.unit ? a.unit : b.unit};
}

struct span span_times(struct span a, struct span b)
{
    return is_zero(a) ? a : is_zero(b) ? b : (struct span){a.top + b.top, a.unit + b.unit};
}

struct span span_sum(struct span a, int64_t terms)
{
    for (int64_t k = 1; k < terms && !is_zero(a); k *= 2) {
        a.top++;
    }
    return a;
}

mpfr_prec_t span_bits(struct span a)
{
    return a.top - a.unit < 2 ? 2 : a.top - a.unit;
}

/* --- moments */

void moments_init(struct moments *moments)
{
    *moments = (struct moments){.special = false};
    mpfr_inits2(64, moments->sum, moments->w, (mpfr_ptr)0);
    mpfr_init2(moments->root, NORMALIZATION_BITS);
}

void moments_clear(struct moments *moments)
{
    mpfr_clears(moments->sum, moments->w, moments->root, (mpfr_ptr)0);
}

struct span moments_deviation_span(const struct moments *moments)
{
    struct span scaled = span_times(moments->x, span_of(moments->a));
    return span_sum(span_join(scaled, moments->x), 2);
}

void moments_deviation(const struct moments *moments, double x, mpfr_ptr deviation)
{
    mpfr_set_d(deviation, x, MPFR_RNDN);
    mpfr_mul_d(deviation, deviation, moments->a, MPFR_RNDN);
    mpfr_sub(deviation, deviation, moments->sum, MPFR_RNDN);
}

/* Evaluation: m and V are inputs. */
static void moments_given(const struct normalization *n, int64_t group, struct moments *moments)
{
    double m = tensor_component(n->running_mean, group), v = tensor_component(n->running_var, group);
    moments->a = 1;
    moments->n = 0;
    moments->mean = m;
    moments->deviation = round_up_root(fmax(v, 0));
    moments->special = !isfinite(m) || !isfinite(v);
    moments->r = 1 / sqrt(v + n->eps);
    if (moments->special) {
        return;
    }
    moments->x = span_join(moments->x, span_of(m));
    moments->wide = span_sum(span_join(span_of(v), span_of(n->eps)), 2);
    mpfr_set_prec(moments->sum, 53);
    mpfr_set_d(moments->sum, m, MPFR_RNDN);
    mpfr_set_prec(moments->w, span_bits(moments->wide));
    mpfr_set_d(moments->w, v, MPFR_RNDN);
    mpfr_add_d(moments->w, moments->w, n->eps, MPFR_RNDN);
}

/* S and W from the group's elements, which are finite and in moments->x. */
static void moments_taken(const struct normalization *n, int64_t group, struct moments *moments)
{
    int64_t length = normalization_length(n);
    struct span square = span_sum(span_times(moments->x, moments->x), length);
    struct span scaled = span_times(span_sum(moments->x, length), span_sum(moments->x, length));
    struct span eps = span_times(span_of(n->eps), span_times(span_of(moments->n), span_of(moments->n)));
    moments->wide = span_sum(span_join(span_join(span_times(square, span_of(moments->n)), scaled), eps), 3);
    mpfr_set_prec(moments->sum, span_bits(span_sum(moments->x, length)));
    mpfr_set_prec(moments->w, span_bits(moments->wide));
    mpfr_t term, total;
    mpfr_init2(term, 106);
    mpfr_init2(total, span_bits(moments->wide));
    mpfr_set_zero(moments->sum, 1);
    mpfr_set_zero(total, 1);
    double sum_abs = 0;
    for (int64_t j = 0; j < length; j++) {
        double x = tensor_component(n->x, normalization_element(n, group, j));
        sum_abs = round_up_sum(sum_abs, fabs(x));
        if (n->centred) {
            mpfr_add_d(moments->sum, moments->sum, x, MPFR_RNDN);
        }
        mpfr_set_d(term, x, MPFR_RNDN);
        mpfr_sqr(term, term, MPFR_RNDN);
        mpfr_add(total, total, term, MPFR_RNDN);
    }
    mpfr_mul_d(total, total, moments->n, MPFR_RNDN);
    mpfr_sqr(moments->w, moments->sum, MPFR_RNDN);
    mpfr_sub(moments->w, total, moments->w, MPFR_RNDN); /* n² V, exact */
    moments->mean = mpfr_get_d(moments->sum, MPFR_RNDN) / moments->n;
    moments->mean_abs = round_up_quotient(sum_abs, moments->n);
    mpfr_sqrt(term, moments->w, MPFR_RNDU);
    moments->deviation = round_up_quotient(mpfr_get_d(term, MPFR_RNDU), moments->n);
    mpfr_set_d(term, n->eps, MPFR_RNDN);
    mpfr_mul_d(term, term, moments->n, MPFR_RNDN);
    mpfr_set_prec(total, span_bits(moments->wide));
    mpfr_mul_d(total, term, moments->n, MPFR_RNDN);
    mpfr_add(moments->w, moments->w, total, MPFR_RNDN);
    mpfr_clears(term, total, (mpfr_ptr)0);
}

void moments_of(const struct normalization *n, int64_t group, struct moments *moments)
{
    int64_t length = normalization_length(n);
    bool nan = false, infinite = false;
    double plain = 0;
    moments->x = span_of(0);
    moments->mean_abs = 0;
    moments->special = moments->infinite = moments->undefined = false;
    for (int64_t j = 0; j < length; j++) {
        double x = tensor_component(n->x, normalization_element(n, group, j));
        nan = nan || isnan(x);
        infinite = infinite || isinf(x);
        plain += isfinite(x) ? 0 : x;
        if (isfinite(x)) {
            moments->x = span_join(moments->x, span_of(x));
        }
    }
    moments->a = moments->n = (double)length;
    if (n->evaluates) {
        moments_given(n, group, moments); /* special elements do not affect other elements */
    } else if (nan || infinite) {
        moments->special = true;
        moments->mean = plain; /* NaN, or the infinity */
        moments->deviation = INFINITY;
        moments->infinite = !nan && !n->centred;
    } else {
        moments_taken(n, group, moments);
    }
    if (!moments->special && mpfr_sgn(moments->w) <= 0) {
        moments->special = true;
        moments->undefined = !n->evaluates;
    }
    if (!moments->special) {
        moments->root_exact = mpfr_rec_sqrt(moments->root, moments->w, MPFR_RNDN) == 0;
        mpfr_t r;
        mpfr_init2(r, 64);
        mpfr_mul_d(r, moments->root, moments->a, MPFR_RNDU);
        moments->r = mpfr_get_d(r, MPFR_RNDU);
        mpfr_clear(r);
    }
}

double normalization_kappa(double mean, double deviation)
{
    return deviation > 0 ? portable_hypot(deviation, mean) / deviation * (1 + 0x1p-49) : 1;
}
