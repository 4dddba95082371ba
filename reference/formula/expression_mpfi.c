/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/formula/expression_mpfi.h"
#include "reference/numeric/elementary/special_functions.h"
#include "reference/numeric/exact/fixed_exp.h"

static void set_unknown(mpfi_ptr out)
{
    mpfr_set_inf(&out->left, -1);
    mpfr_set_inf(&out->right, 1);
}

typedef int mpfr_function(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);

/* True for a single nonzero number; zeros have two signs. */
static bool is_number(mpfi_srcptr x)
{
    return mpfr_regular_p(&x->left) && mpfr_equal_p(&x->left, &x->right);
}

/* Sets the right end of the result of a single number, whose left end was rounded down: one evaluation gives
 * both, because they are equal or neighbours. */
static void close_above(mpfi_ptr out, int inexact)
{
    mpfr_set(&out->right, &out->left, MPFR_RNDN);
    if (inexact != 0) {
        mpfr_nextabove(&out->right);
    }
}

/* Encloses a function that is increasing or, with `falls`, decreasing, by its values at both ends. */
static int monotone(mpfi_ptr out, mpfi_srcptr x, mpfr_function *f, bool falls)
{
    mpfr_srcptr low = falls ? &x->right : &x->left, high = falls ? &x->left : &x->right;
    f(&out->left, low, MPFR_RNDD);
    f(&out->right, high, MPFR_RNDU);
    return 0;
}

static int enclose_erf(mpfi_ptr out, mpfi_srcptr x)
{
    return monotone(out, x, mpfr_erf, false);
}

static int enclose_erfc(mpfi_ptr out, mpfi_srcptr x)
{
    return monotone(out, x, mpfr_erfc, true);
}

static int enclose_rsqrt(mpfi_ptr out, mpfi_srcptr x)
{
    return monotone(out, x, mpfr_rec_sqrt, true);
}

/* The hull of x^y over the four corners. */
static void corners_of_pow(mpfi_ptr out, mpfi_srcptr x, mpfi_srcptr y)
{
    mpfr_t power;
    mpfr_init2(power, mpfr_get_prec(&out->left));
    for (int corner = 0; corner < 4; corner++) {
        mpfr_srcptr a = corner & 1 ? &x->right : &x->left, b = corner & 2 ? &y->right : &y->left;
        mpfr_pow(power, a, b, MPFR_RNDD);
        if (corner == 0 || mpfr_less_p(power, &out->left)) {
            mpfr_set(&out->left, power, MPFR_RNDD);
        }
        mpfr_pow(power, a, b, MPFR_RNDU);
        if (corner == 0 || mpfr_greater_p(power, &out->right)) {
            mpfr_set(&out->right, power, MPFR_RNDU);
        }
    }
    mpfr_clear(power);
}

void enclose_pow(mpfi_ptr out, mpfi_srcptr x, mpfi_srcptr y)
{
    bool point = mpfr_equal_p(&x->left, &x->right) && mpfr_equal_p(&y->left, &y->right);
    bool whole = mpfr_equal_p(&y->left, &y->right) && mpfr_integer_p(&y->left);
    bool rising = mpfr_sgn(&x->left) >= 0 || mpfr_sgn(&x->right) < 0;
    if (point && is_number(x)) {
        close_above(out, mpfr_pow(&out->left, &x->left, &y->left, MPFR_RNDD));
    } else if (point || mpfr_sgn(&x->left) > 0 ||
               (whole && rising && (mpfr_sgn(&x->left) != 0 || mpfr_sgn(&y->left) > 0))) {
        corners_of_pow(out, x, y);
    } else if (whole && mpfr_sgn(&y->left) > 0) { /* x on both sides of 0 */
        mpfr_t half;
        mpfr_init2(half, mpfr_get_prec(&y->left));
        mpfr_div_2ui(half, &y->left, 1, MPFR_RNDN);
        corners_of_pow(out, x, y);
        if (mpfr_integer_p(half)) {
            mpfr_set_zero(&out->left, 1);
        }
        mpfr_clear(half);
    } else {
        set_unknown(out);
    }
}

/* 1 if the comparison holds for all pairs, 0 if for none, else [0, 1]. */
void enclose_comparison(mpfi_ptr out, enum node_kind kind, mpfi_srcptr a, mpfi_srcptr b)
{
    bool all, none;
    if (kind == NODE_LESS || kind == NODE_LESS_EQUAL) {
        bool or_equal = kind == NODE_LESS_EQUAL;
        all = or_equal ? mpfr_lessequal_p(&a->right, &b->left) : mpfr_less_p(&a->right, &b->left);
        none = or_equal ? mpfr_greater_p(&a->left, &b->right) : mpfr_greaterequal_p(&a->left, &b->right);
    } else {
        bool apart = mpfr_less_p(&a->right, &b->left) || mpfr_greater_p(&a->left, &b->right);
        bool same = mpfr_equal_p(&a->left, &a->right) && mpfr_equal_p(&b->left, &b->right) &&
                    mpfr_equal_p(&a->left, &b->left);
        all = kind == NODE_EQUAL ? same : apart;
        none = kind == NODE_EQUAL ? apart : same;
    }
    mpfr_set_ui(&out->left, all, MPFR_RNDN);
    mpfr_set_ui(&out->right, !none, MPFR_RNDN);
}

void enclose_sign_bit(mpfi_ptr out, mpfi_srcptr x)
{
    mpfr_set_si(&out->left, mpfr_sgn(&x->right) < 0, MPFR_RNDN);
    mpfr_set_si(&out->right, mpfr_sgn(&x->left) <= 0, MPFR_RNDN);
}

void enclose_least_or_most(mpfi_ptr out, bool most, mpfi_srcptr a, mpfi_srcptr b)
{
    int (*choose)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t) = most ? mpfr_max : mpfr_min;
    choose(&out->left, &a->left, &b->left, MPFR_RNDD);
    choose(&out->right, &a->right, &b->right, MPFR_RNDU);
}

void enclose_select(mpfi_ptr out, mpfi_srcptr condition, mpfi_srcptr a, mpfi_srcptr b)
{
    if (!mpfr_zero_p(&condition->left)) {
        mpfi_set(out, a);
    } else if (mpfr_zero_p(&condition->right)) {
        mpfi_set(out, b);
    } else {
        mpfi_union(out, a, b);
    }
}

void enclose_function(mpfi_ptr out, enum node_kind kind, mpfi_srcptr x)
{
    static const struct {
        mpfr_function *of_number;
        int (*of_interval)(mpfi_ptr, mpfi_srcptr);
    } function[NODE_KINDS] = {
        [NODE_NEGATE] = {mpfr_neg, mpfi_neg},    [NODE_ABS] = {mpfr_abs, mpfi_abs},
        [NODE_SQRT] = {mpfr_sqrt, mpfi_sqrt},    [NODE_EXP] = {mpfr_exp, mpfi_exp},
        [NODE_EXP2] = {mpfr_exp2, mpfi_exp2},    [NODE_EXPM1] = {mpfr_expm1, mpfi_expm1},
        [NODE_LOG] = {mpfr_log, mpfi_log},       [NODE_LOG2] = {mpfr_log2, mpfi_log2},
        [NODE_LOG10] = {mpfr_log10, mpfi_log10}, [NODE_LOG1P] = {mpfr_log1p, mpfi_log1p},
        [NODE_SIN] = {mpfr_sin, mpfi_sin},       [NODE_COS] = {mpfr_cos, mpfi_cos},
        [NODE_TAN] = {mpfr_tan, mpfi_tan},       [NODE_TANH] = {mpfr_tanh, mpfi_tanh},
        [NODE_ATAN] = {mpfr_atan, mpfi_atan},    [NODE_ERF] = {mpfr_erf, enclose_erf},
        [NODE_ERFC] = {mpfr_erfc, enclose_erfc}, [NODE_RSQRT] = {mpfr_rec_sqrt, enclose_rsqrt}};
    if (kind == NODE_EXP && fixed_exp(out, x)) {
        return;
    }
    if (kind == NODE_ERFINV) {
        special_enclose_erfinv(out, x);
    } else if (kind == NODE_LGAMMA) {
        special_enclose_lgamma(out, x);
    } else if (kind == NODE_DIGAMMA) {
        special_enclose_digamma(out, x);
    } else if (is_number(x)) {
        close_above(out, function[kind].of_number(&out->left, &x->left, MPFR_RNDD));
    } else {
        function[kind].of_interval(out, x);
    }
}
