/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/ops/product_sum/single_sum.h"
#include "reference/numeric/round_up.h"
#include "reference/operator/ziv.h"
#include "reference/ops/product_sum/product_sum_bound.h"

#include <math.h>
#include <stdlib.h>

/* Precisions in which sums of up to 2^40 products of two float32 or of two float64, and one product, are
 * exact. */
enum { NARROW_BITS = 640, WIDE_BITS = 4352, PRODUCT_BITS = 106 };

/* What is collected while the terms are added. */
struct running {
    double special, magnitude, subnormal;
    bool border;
    struct casts casts;
};

bool single_sum_create(struct single_sum *sum, bool wide, bool plain, int64_t terms)
{
    *sum = (struct single_sum){
        .wide = wide, .plain = plain, .x = malloc(((size_t)terms + 1) * sizeof *sum->x), .made = true};
    mpfr_init2(sum->exact, wide ? WIDE_BITS : NARROW_BITS);
    mpfr_init2(sum->term, PRODUCT_BITS);
    return sum->x != NULL;
}

void single_sum_clear(struct single_sum *sum)
{
    if (sum->made) {
        mpfr_clears(sum->exact, sum->term, (mpfr_ptr)0);
    }
    free(sum->x);
}

static void describe_casts(const struct casts *c, double *sensitivity)
{
    sensitivity[CAST_INFINITE] = c->infinite;
    sensitivity[CAST_OTHER] = c->other;
    sensitivity[ONE_SIGN] = !(c->positive && c->negative);
}

/* Adds a·b, whose factors have the distances p and q to their other neighbours. */
static void add(struct single_sum *s, struct running *r, double a, double b, double p, double q, int flags)
{
    casts_add(&r->casts, a, b, p, q, flags);
    if (!isfinite(a) || !isfinite(b)) {
        r->special += a * b; /* 0 · inf and inf − inf are NaN, as in IEEE 754 */
        return;
    }
    double magnitude = s->wide ? round_up_product(fabs(a), fabs(b)) : fabs(a * b); /* float32: exact */
    r->magnitude = round_up_sum(r->magnitude, magnitude);
    if (flags & SUBNORMAL_FACTOR) {
        r->subnormal = round_up_sum(r->subnormal, magnitude);
    }
    if (!s->wide) {
        mpfr_add_d(s->exact, s->exact, a * b, MPFR_RNDN);
    } else if (a != 0 && b != 0) {
        mpfr_set_d(s->term, a, MPFR_RNDN);
        mpfr_mul_d(s->term, s->term, b, MPFR_RNDN);
        mpfr_add(s->exact, s->exact, s->term, MPFR_RNDN);
    }
}

/* Both factors of a term. An absent factor is 0; `lonely`: its partner is a NaN or an infinity. */
struct pair {
    double a, b, p, q;
    int flags;
    bool absent, lonely;
};

static struct pair pair_at(const struct single_terms *t, int64_t k)
{
    int64_t l = t->l ? t->l[k] : 0, r = t->r[k];
    struct pair pair = {.absent = l < 0 || r < 0};
    if (l >= 0) {
        pair.a = t->left ? t->left->x[l] : 1;
        pair.p = t->left ? factor_other(t->left, l) : 0;
        pair.flags |= t->left ? t->left->flags[l] : 0;
    }
    if (r >= 0) {
        pair.b = t->right->x[r];
        pair.q = factor_other(t->right, r);
        pair.flags |= t->right->flags[r];
    }
    pair.lonely = pair.absent && (!isfinite(pair.a) || !isfinite(pair.b));
    return pair;
}

static struct value value_of_sum(const struct single_sum *s, const struct running *r, double *sensitivity,
                                 int *bits)
{
    sensitivity[MAGNITUDE] = r->magnitude;
    sensitivity[SUBNORMAL] = r->subnormal;
    sensitivity[BORDER_SPECIAL] = r->border;
    describe_casts(&r->casts, sensitivity);
    if (r->special != 0) { /* infinite or NaN */
        return value_of(r->special);
    }
    struct value value = value_from_mpfr(s->exact, true);
    if (!value.exact && ZIV_TARGET_BITS < *bits) {
        *bits = ZIV_TARGET_BITS; /* a double-double has 106 bits */
    }
    return value;
}

void single_sum_surround(const struct envelope_sum *sum, bool plain, struct truth_output *out, int64_t e)
{
    struct envelope *envelope = &out->envelope[e];
    envelope->spread = plain ? sum->order : envelope_join(sum->order, sum->squares);
    for (int k = 0; k < ENVELOPE_WIDTHS; k++) {
        envelope->drift[k] = sum->drift[k];
    }
    envelope_alone(envelope, e, sum->total);
}

void single_sum_of(struct single_sum *s, const struct single_terms *t, struct truth_output *out, int64_t e,
                   bool envelope, int *bits)
{
    double *sensitivity = &out->sensitivity[e * out->sensitivities], u[ENVELOPE_WIDTHS];
    struct running r = {.special = 0};
    mpfr_set_zero(s->exact, 1);
    for (int64_t k = 0; k < t->terms; k++) {
        struct pair pair = pair_at(t, k);
        s->x[k] = pair.absent ? 0 : pair.a * pair.b;
        if (pair.absent) {
            r.border = r.border || pair.lonely;
            continue;
        }
        add(s, &r, pair.a, pair.b, pair.p, pair.q, pair.flags);
    }
    if (t->bias) {
        add(s, &r, t->bias->x[t->bias_at], 1, factor_other(t->bias, t->bias_at), 0,
            t->bias->flags[t->bias_at]);
        s->x[t->terms] = t->bias->x[t->bias_at];
    }
    out->value[e] = value_of_sum(s, &r, sensitivity, bits);
    if (envelope) {
        struct envelope_sum sum;
        envelope_widths(out->dtype, u);
        if (t->bias) {
            envelope_sum_started(s->x, t->terms + 1, u, &sum);
        } else {
            envelope_sum(s->x, t->terms, u, &sum);
        }
        single_sum_surround(&sum, s->plain, out, e);
    }
}

double single_sum_subnormal(const struct single_terms *t)
{
    double sum = 0;
    for (int64_t k = 0; k < t->terms; k++) {
        struct pair pair = pair_at(t, k);
        if (!pair.absent && (pair.flags & SUBNORMAL_FACTOR)) {
            sum = round_up_sum(sum, round_up_product(fabs(pair.a), fabs(pair.b)));
        }
    }
    bool bias = t->bias && (t->bias->flags[t->bias_at] & SUBNORMAL_FACTOR);
    return bias ? round_up_sum(sum, fabs(t->bias->x[t->bias_at])) : sum;
}

void single_sum_casts(const struct single_terms *t, double *sensitivity)
{
    struct casts casts = {.other = 0};
    for (int64_t k = 0; k < t->terms; k++) {
        struct pair pair = pair_at(t, k);
        if (!pair.absent) {
            casts_add(&casts, pair.a, pair.b, pair.p, pair.q, pair.flags);
        }
    }
    if (t->bias) {
        casts_add(&casts, t->bias->x[t->bias_at], 1, factor_other(t->bias, t->bias_at), 0,
                  t->bias->flags[t->bias_at]);
    }
    describe_casts(&casts, sensitivity);
}
