/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Certified normalized elements y = scale·deviation/sqrt(W) + shift, in MPFR at growing precision. */

#include "reference/operator/ziv.h"
#include "reference/ops/normalization/normalization_bound.h"
#include "reference/ops/normalization/normalization_truth.h"

#include <math.h>
#include <stdlib.h>

/* The operands of one element, y = scale·deviation/sqrt(W) + shift. */
struct affine {
    const struct moments *moments;
    mpfr_srcptr deviation; /* exact */
    double scale, shift;
};

/* Computes y = g·X + b in the precision p of `y`: g·deviation, ·root, + b, each rounded once, and root
 * rounded once, so that |error| ≤ 4·2^-p·|g·X| + 2^-p·|y|. Returns the certified relative bits, 0 if the sum
 * cancels completely. */
static int affine_round(const struct affine *e, mpfr_srcptr root, bool root_exact, mpfr_ptr y, mpfr_ptr term,
                        bool *exact)
{
    int inexact = !root_exact;
    inexact |= mpfr_mul_d(term, e->deviation, e->scale, MPFR_RNDN);
    inexact |= mpfr_mul(term, term, root, MPFR_RNDN);
    inexact |= mpfr_add_d(y, term, e->shift, MPFR_RNDN);
    *exact = !inexact;
    if (mpfr_zero_p(y) || mpfr_zero_p(term)) {
        return *exact || mpfr_zero_p(term) ? (int)mpfr_get_prec(y) - 4 : 0;
    }
    mpfr_exp_t lost = mpfr_get_exp(term) - mpfr_get_exp(y);
    return (int)mpfr_get_prec(y) - 5 - (lost > 0 ? (int)lost : 0);
}

/* True if y is exactly 0: g²·deviation² = b²·W, and g·deviation and b have opposite signs. */
static bool affine_cancels(const struct affine *e)
{
    mpfr_t left, right;
    mpfr_init2(left, 2 * mpfr_get_prec(e->deviation) + 106);
    mpfr_init2(right, mpfr_get_prec(e->moments->w) + 106);
    mpfr_mul_d(left, e->deviation, e->scale, MPFR_RNDN);
    bool unlike = mpfr_sgn(left) * (e->shift > 0 ? 1 : -1) < 0;
    mpfr_sqr(left, left, MPFR_RNDN);
    mpfr_mul_d(right, e->moments->w, e->shift, MPFR_RNDN);
    mpfr_mul_d(right, right, e->shift, MPFR_RNDN);
    bool equal = mpfr_equal_p(left, right);
    mpfr_clears(left, right, (mpfr_ptr)0);
    return unlike && equal;
}

static bool affine_climb(const struct affine *e, struct value *value, int *bits, struct error *error)
{
    if (affine_cancels(e)) {
        *value = value_of(0);
        return true;
    }
    for (mpfr_prec_t precision = 2 * NORMALIZATION_BITS; precision <= ZIV_CAP_BITS; precision *= 2) {
        mpfr_t y, term, root;
        bool exact;
        mpfr_inits2(precision, y, term, root, (mpfr_ptr)0);
        bool root_exact = mpfr_rec_sqrt(root, e->moments->w, MPFR_RNDN) == 0;
        int certified = affine_round(e, root, root_exact, y, term, &exact);
        if (certified >= ZIV_TARGET_BITS) {
            *value = value_from_mpfr(y, exact);
            *bits = certified < *bits ? certified : *bits;
        }
        mpfr_clears(y, term, root, (mpfr_ptr)0);
        if (certified >= ZIV_TARGET_BITS) {
            return true;
        }
    }
    return error_set(error, "a normalized element cancels beyond %d bits", ZIV_CAP_BITS);
}

/* The value of an element if its statistics are special (a NaN, an infinity, or V + eps ≤ 0), or if its
 * scale, shift or, in evaluation, x is not finite. */
static struct value special_element(const struct moments *moments, double x, double scale, double shift)
{
    if (moments->special && moments->n == 0) { /* evaluation: V infinite, or V + eps not positive */
        return value_of((x - moments->mean) * moments->r * scale + shift);
    }
    if (moments->special) {
        double normal = moments->infinite && isfinite(x) ? 0 : NAN;
        return value_of(normal * scale + shift);
    }
    double deviation = moments->a * x - moments->mean * moments->a;
    double sign = isnan(deviation) ? NAN : isinf(deviation) ? deviation : (deviation > 0) - (deviation < 0);
    return value_of(sign * scale + shift);
}

/* True if an infinite result may also be NaN: X·scale overflows before an infinite shift is added, or X
 * underflows before it is multiplied by an infinite scale. */
static bool meets_infinity(const struct moments *moments, enum dtype dtype, double x, double scale,
                           double shift)
{
    const enum dtype type = dtype == DTYPE_FLOAT64 ? dtype : DTYPE_FLOAT32; /* of 16 bits */
    const double normal = fabs((x - moments->mean) * moments->r);
    return isfinite(normal) && ((isinf(shift) && normal * fabs(scale) >= dtype_max(type)) ||
                                (isinf(scale) && normal < 2 * dtype_least_normal(type)));
}

static double component_or(const struct tensor *tensor, int64_t k, double otherwise)
{
    return tensor ? tensor_component(tensor, k) : otherwise;
}

struct scratch {
    mpfr_t deviation, y, term;
};

static bool element_truth(const struct normalization *n, const struct moments *moments, int64_t i,
                          struct scratch *scratch, struct truth_output *out, int *bits, struct error *error)
{
    int64_t channel = normalization_channel_of(n, i);
    double x = tensor_component(n->x, i), scale = component_or(n->weight, channel, 1),
           shift = component_or(n->bias, channel, 0);
    double *s = &out->sensitivity[i * FORWARD_SENSITIVITIES];
    normalization_describe(moments, s);
    s[ELEMENT_X] = fabs(x);
    s[ELEMENT_WEIGHT] = fabs(scale);
    s[ELEMENT_BIAS] = fabs(shift);
    if (moments->special || !isfinite(x) || !isfinite(scale) || !isfinite(shift)) {
        out->value[i] = special_element(moments, x, scale, shift);
        out->value[i].meets =
            value_is_infinite(&out->value[i]) && meets_infinity(moments, out->dtype, x, scale, shift);
        return true;
    }
    struct span span = span_times(span_join(span_of(x), moments->x), span_of(moments->a));
    mpfr_prec_t precision = span_bits(span_sum(span_join(span, moments->x), 4));
    if (mpfr_get_prec(scratch->deviation) != precision) {
        mpfr_set_prec(scratch->deviation, precision);
    }
    moments_deviation(moments, x, scratch->deviation);
    mpfr_mul(scratch->y, scratch->deviation, moments->root, MPFR_RNDN);
    s[ELEMENT_NORMAL] = fabs(mpfr_get_d(scratch->y, MPFR_RNDA));
    struct affine affine = {moments, scratch->deviation, scale, shift};
    bool exact;
    int certified =
        affine_round(&affine, moments->root, moments->root_exact, scratch->y, scratch->term, &exact);
    if (certified < ZIV_TARGET_BITS) {
        return affine_climb(&affine, &out->value[i], bits, error);
    }
    out->value[i] = value_from_mpfr(scratch->y, exact);
    if (!out->value[i].exact) {
        *bits = certified < *bits ? certified : *bits;
        *bits = ZIV_TARGET_BITS < *bits ? ZIV_TARGET_BITS : *bits; /* a double-double has 106 bits */
    }
    return true;
}

struct normalization_certifier {
    const struct normalization *n;
    struct moments moments;
    int64_t group; /* the group of `moments`; < 0: none yet */
    struct scratch scratch;
};

struct normalization_certifier *normalization_certifier_create(const struct normalization *n)
{
    struct normalization_certifier *c = malloc(sizeof *c);
    if (c) {
        c->n = n;
        c->group = -1;
        moments_init(&c->moments);
        mpfr_inits2(NORMALIZATION_BITS, c->scratch.deviation, c->scratch.y, c->scratch.term, (mpfr_ptr)0);
    }
    return c;
}

void normalization_certifier_destroy(struct normalization_certifier **certifier)
{
    struct normalization_certifier *c = *certifier;
    if (c) {
        moments_clear(&c->moments);
        mpfr_clears(c->scratch.deviation, c->scratch.y, c->scratch.term, (mpfr_ptr)0);
    }
    free(c);
    *certifier = NULL;
}

bool normalization_certify(struct normalization_certifier *c, int64_t group, int64_t element,
                           struct truth_output *y, int *bits, struct error *error)
{
    if (c->group != group) {
        moments_of(c->n, group, &c->moments);
        c->group = group;
    }
    return element_truth(c->n, &c->moments, element, &c->scratch, y, bits, error);
}

bool normalization_truth(const struct normalization *n, struct truth_output *y, int *bits,
                         struct error *error)
{
    struct normalization_certifier *c = normalization_certifier_create(n);
    int64_t groups = y->elements ? normalization_groups(n) : 0, length = normalization_length(n);
    bool good = c || error_set(error, "out of memory");
    for (int64_t g = 0; good && g < groups; g++) {
        for (int64_t j = 0; good && j < length; j++) {
            good = normalization_certify(c, g, normalization_element(n, g, j), y, bits, error);
        }
    }
    normalization_certifier_destroy(&c);
    return good;
}
