/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/numeric/elementary/special_functions.h"
#include "reference/numeric/elementary/portable.h"

#include <math.h>

enum { TIER_BITS = 80, GUARD_BITS = 32, SLACK_BITS = 12, NEWTON_MOST = 24 };

/* --- erfinv: the y with erf(y) = x, for 0 < x < 1; near 1 by the complement c = 1 − x, which is exact */

struct inverse {
    mpfr_t x, c, y, f, slope, step;
    mpfr_prec_t precision;
    bool by_complement; /* x > 1/2 */
};

static void inverse_start(struct inverse *w, mpfr_srcptr x, mpfr_prec_t precision)
{
    mpfr_prec_t whole = mpfr_get_prec(x) + 2;
    w->precision = precision + GUARD_BITS;
    mpfr_inits2(w->precision, w->y, w->f, w->slope, w->step, (mpfr_ptr)0);
    mpfr_inits2(whole, w->x, w->c, (mpfr_ptr)0);
    mpfr_abs(w->x, x, MPFR_RNDN);
    w->by_complement = mpfr_cmp_d(w->x, 0.5) > 0;
    mpfr_ui_sub(w->c, 1, w->x, MPFR_RNDN); /* exact where x > 1/2 */
}

static void inverse_end(struct inverse *w)
{
    mpfr_clears(w->x, w->c, w->y, w->f, w->slope, w->step, (mpfr_ptr)0);
}

/* Estimates y: x·√π/2 for small x, else S. Winitzki's formula, within 1 in 400. */
static void guess(struct inverse *w)
{
    double x = mpfr_get_d(w->x, MPFR_RNDN), c = mpfr_get_d(w->c, MPFR_RNDN);
    if (x < 0x1p-5) {
        mpfr_const_pi(w->y, MPFR_RNDN);
        mpfr_sqrt(w->y, w->y, MPFR_RNDN);
        mpfr_mul(w->y, w->y, w->x, MPFR_RNDN);
        mpfr_div_2ui(w->y, w->y, 1, MPFR_RNDN);
        return;
    }
    double a = 0.147, l = portable_log(c * (2 - c)), half = 2 / (M_PI * a) + l / 2;
    mpfr_set_d(w->y, sqrt(sqrt(half * half - l / a) - half), MPFR_RNDN);
}

/* Repeats Newton's step until it is below the square root of the precision; each about doubles the digits. */
static void refine(struct inverse *w)
{
    for (int k = 0; k < NEWTON_MOST; k++) {
        if (w->by_complement) {
            mpfr_erfc(w->f, w->y, MPFR_RNDN);
            mpfr_sub(w->f, w->c, w->f, MPFR_RNDN);
        } else {
            mpfr_erf(w->f, w->y, MPFR_RNDN);
            mpfr_sub(w->f, w->f, w->x, MPFR_RNDN);
        }
        mpfr_sqr(w->slope, w->y, MPFR_RNDN);
        mpfr_exp(w->slope, w->slope, MPFR_RNDN);
        mpfr_mul(w->f, w->f, w->slope, MPFR_RNDN);
        mpfr_const_pi(w->slope, MPFR_RNDN);
        mpfr_sqrt(w->slope, w->slope, MPFR_RNDN);
        mpfr_mul(w->step, w->f, w->slope, MPFR_RNDN);
        mpfr_div_2ui(w->step, w->step, 1, MPFR_RNDN);
        mpfr_sub(w->y, w->y, w->step, MPFR_RNDN);
        if (mpfr_zero_p(w->step) ||
            mpfr_get_exp(w->step) < mpfr_get_exp(w->y) - (w->precision / 2 + GUARD_BITS / 4)) {
            return;
        }
    }
}

/* Returns whether erf(end) is certainly at or below x (`below`), or at or above it. erf rises, so `end` is
 * then a lower (upper) bound of erfinv(x). */
static bool lies_beyond(struct inverse *w, mpfr_srcptr end, bool below)
{
    if (w->by_complement) {
        mpfr_erfc(w->f, end, below ? MPFR_RNDD : MPFR_RNDU);
        return below ? mpfr_greaterequal_p(w->f, w->c) : mpfr_lessequal_p(w->f, w->c);
    }
    mpfr_erf(w->f, end, below ? MPFR_RNDU : MPFR_RNDD);
    return below ? mpfr_lessequal_p(w->f, w->x) : mpfr_greaterequal_p(w->f, w->x);
}

/* Sets step = y·(1 ∓ 2^(SLACK_BITS − precision)) if that is verified to be a bound of erfinv(x), else 0 or ∞.
 */
static void bound_of(struct inverse *w, bool below)
{
    mpfr_rnd_t away = below ? MPFR_RNDD : MPFR_RNDU;
    mpfr_div_2ui(w->slope, w->y, (unsigned long)(w->precision - SLACK_BITS), MPFR_RNDU);
    if (below) {
        mpfr_sub(w->step, w->y, w->slope, away);
    } else {
        mpfr_add(w->step, w->y, w->slope, away);
    }
    if (mpfr_sgn(w->y) <= 0 || !lies_beyond(w, w->step, below)) {
        if (below) {
            mpfr_set_zero(w->step, 1);
        } else {
            mpfr_set_inf(w->step, 1);
        }
    }
}

int special_erfinv(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t round)
{
    if (mpfr_nan_p(x) || mpfr_cmp_si(x, 1) > 0 || mpfr_cmp_si(x, -1) < 0) {
        mpfr_set_nan(y);
        return 0;
    }
    if (mpfr_zero_p(x)) {
        return mpfr_set(y, x, round);
    }
    if (mpfr_cmp_si(x, 1) == 0 || mpfr_cmp_si(x, -1) == 0) {
        mpfr_set_inf(y, mpfr_sgn(x));
        return 0;
    }
    struct inverse w;
    const bool negative = mpfr_sgn(x) < 0, below = (round == MPFR_RNDD) != negative;
    inverse_start(&w, x, mpfr_get_prec(y));
    guess(&w);
    refine(&w);
    bound_of(&w, below);
    if (negative) {
        mpfr_neg(w.step, w.step, MPFR_RNDN);
    }
    int inexact = mpfr_set(y, w.step, round);
    inverse_end(&w);
    return inexact ? inexact : round == MPFR_RNDD ? -1 : 1;
}

int special_lgamma(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t round)
{
    int sign;
    return mpfr_lgamma(y, &sign, x, round);
}

/* --- over intervals */

static bool set_unknown(mpfi_ptr out)
{
    mpfr_set_inf(&out->left, -1);
    mpfr_set_inf(&out->right, 1);
    return false;
}

static bool is_point(mpfi_srcptr x)
{
    return mpfr_equal_p(&x->left, &x->right);
}

/* Returns whether x contains no pole (0 or a negative integer); otherwise sets `out` to [−∞, ∞]. */
static bool between_poles(mpfi_ptr out, mpfi_srcptr x)
{
    if (mpfr_nan_p(&x->left) || mpfr_nan_p(&x->right) || mpfr_inf_p(&x->left)) {
        return set_unknown(out);
    }
    if (mpfr_sgn(&x->left) > 0) {
        return true;
    }
    mpfr_t next;
    mpfr_init2(next, mpfr_get_prec(&x->left));
    mpfr_ceil(next, &x->left);
    bool free = mpfr_greater_p(next, &x->right);
    mpfr_clear(next);
    return free || set_unknown(out);
}

void special_enclose_erfinv(mpfi_ptr out, mpfi_srcptr x)
{
    if (!is_point(x) && !(mpfr_cmp_si(&x->left, -1) >= 0 && mpfr_cmp_si(&x->right, 1) <= 0)) {
        set_unknown(out);
        return;
    }
    special_erfinv(&out->left, &x->left, MPFR_RNDD);
    special_erfinv(&out->right, &x->right, MPFR_RNDU);
}

/* Encloses a result that was rounded to nearest by its neighbours, or by itself where it is exact. */
static void around(mpfi_ptr out, int inexact)
{
    mpfr_set(&out->right, &out->left, MPFR_RNDN);
    if (inexact) {
        mpfr_nextbelow(&out->left);
        mpfr_nextabove(&out->right);
    }
}

void special_enclose_digamma(mpfi_ptr out, mpfi_srcptr x)
{
    if (is_point(x)) {
        around(out, mpfr_digamma(&out->left, &x->left, MPFR_RNDN));
    } else if (between_poles(out, x)) {
        mpfr_digamma(&out->left, &x->left, MPFR_RNDD);
        mpfr_digamma(&out->right, &x->right, MPFR_RNDU);
    }
}

void special_enclose_lgamma(mpfi_ptr out, mpfi_srcptr x)
{
    if (is_point(x)) {
        around(out, special_lgamma(&out->left, &x->left, MPFR_RNDN));
        return;
    }
    if (!between_poles(out, x)) {
        return;
    }
    mpfr_t slope, width, end;
    mpfr_inits2(mpfr_get_prec(&out->left), slope, width, end, (mpfr_ptr)0);
    mpfr_digamma(slope, &x->left, MPFR_RNDD);
    mpfr_sub(width, &x->right, &x->left, MPFR_RNDU);
    special_lgamma(end, &x->left, MPFR_RNDU);
    special_lgamma(&out->left, &x->left, MPFR_RNDD);
    special_lgamma(&out->right, &x->right, MPFR_RNDU);
    mpfr_max(&out->right, &out->right, end, MPFR_RNDU);
    if (mpfr_sgn(slope) < 0) {
        mpfr_mul(width, width, slope, MPFR_RNDD);
        mpfr_add(&out->left, &out->left, width, MPFR_RNDD);
    }
    mpfr_clears(slope, width, end, (mpfr_ptr)0);
}

/* --- doubles */

/* Sets *value to the middle of an enclosure and *radius to an upper bound of the distance of its ends. */
static void within(mpfi_srcptr y, double *value, double *radius)
{
    mpfr_t away;
    *value = mpfr_get_d(&y->left, MPFR_RNDN);
    *radius = 0;
    if (mpfr_nan_p(&y->left) || (mpfr_inf_p(&y->left) && mpfr_equal_p(&y->left, &y->right)) ||
        (mpfr_zero_p(&y->left) && mpfr_zero_p(&y->right))) {
        return;
    }
    *radius = INFINITY;
    if (isinf(*value) || mpfr_inf_p(&y->right)) {
        *value = mpfr_inf_p(&y->left) || mpfr_inf_p(&y->right) ? NAN : *value;
        return;
    }
    mpfr_init2(away, TIER_BITS);
    mpfr_sub_d(away, &y->right, *value, MPFR_RNDU);
    double above = fabs(mpfr_get_d(away, MPFR_RNDU));
    mpfr_sub_d(away, &y->left, *value, MPFR_RNDD);
    *radius = fmax(above, fabs(mpfr_get_d(away, MPFR_RNDD)));
    mpfr_clear(away);
}

void special_point(void (*enclose)(mpfi_ptr, mpfi_srcptr), double x, double *value, double *radius)
{
    mpfi_t from, to;
    if (isnan(x)) {
        *value = NAN;
        *radius = 0;
        return;
    }
    mpfi_init2(from, 53);
    mpfi_init2(to, TIER_BITS);
    mpfr_set_d(&from->left, x, MPFR_RNDN); /* keeps the sign of a zero */
    mpfr_set_d(&from->right, x, MPFR_RNDN);
    enclose(to, from);
    within(to, value, radius);
    mpfi_clear(from);
    mpfi_clear(to);
}

void special_interval(void (*enclose)(mpfi_ptr, mpfi_srcptr), double low, double high, double *below,
                      double *above)
{
    mpfi_t from, to;
    *below = *above = NAN;
    if (isnan(low) || isnan(high)) {
        return;
    }
    mpfi_init2(from, 53);
    mpfi_init2(to, TIER_BITS);
    mpfr_set_d(&from->left, low, MPFR_RNDN);
    mpfr_set_d(&from->right, high, MPFR_RNDN);
    enclose(to, from);
    *below = mpfr_get_d(&to->left, MPFR_RNDD);
    *above = mpfr_get_d(&to->right, MPFR_RNDU);
    mpfi_clear(from);
    mpfi_clear(to);
}
