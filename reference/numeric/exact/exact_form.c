/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/numeric/exact/exact_form.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LOGS_MAX = 1024, DIGITS_MAX = 40, EXPONENT_MAX = 400 };

void exact_form_init(struct exact_form *form)
{
    *form = (struct exact_form){.known = true};
    mpq_init(form->rational);
}

static void drop_log(struct exact_form *form, int k)
{
    mpq_clear(form->log[k].factor);
    mpz_clear(form->log[k].base);
    form->log[k] = form->log[--form->logs];
}

static void drop_logs(struct exact_form *form)
{
    while (form->logs > 0) {
        drop_log(form, form->logs - 1);
    }
}

void exact_form_clear(struct exact_form *form)
{
    drop_logs(form);
    free(form->log);
    mpq_clear(form->rational);
}

void exact_form_forget(struct exact_form *form)
{
    form->known = false;
    drop_logs(form);
}

static void set_zero(struct exact_form *form)
{
    drop_logs(form);
    form->known = true;
    mpq_set_ui(form->rational, 0, 1);
}

/* Adds factor·log(base) to the form, for base > 0. */
static void add_log(struct exact_form *form, mpq_srcptr factor, mpz_srcptr base)
{
    if (!form->known || mpz_cmp_ui(base, 1) == 0) {
        return;
    }
    for (int k = 0; k < form->logs; k++) {
        if (mpz_cmp(form->log[k].base, base) == 0) {
            mpq_add(form->log[k].factor, form->log[k].factor, factor);
            return;
        }
    }
    if (form->logs == form->room) {
        int room = form->room ? 2 * form->room : 8;
        struct exact_form_log *more =
            room > LOGS_MAX ? NULL : realloc(form->log, (size_t)room * sizeof *more);
        if (!more) {
            exact_form_forget(form);
            return;
        }
        form->log = more;
        form->room = room;
    }
    struct exact_form_log *log = &form->log[form->logs++];
    mpq_init(log->factor);
    mpq_set(log->factor, factor);
    mpz_init_set(log->base, base);
}

void exact_form_add(struct exact_form *form, mpq_srcptr factor, const struct exact_form *x)
{
    mpq_t product;
    if (!form->known || !x->known) {
        exact_form_forget(form);
        return;
    }
    mpq_init(product);
    mpq_mul(product, factor, x->rational);
    mpq_add(form->rational, form->rational, product);
    for (int k = 0; k < x->logs; k++) {
        mpq_mul(product, factor, x->log[k].factor);
        add_log(form, product, x->log[k].base);
    }
    mpq_clear(product);
}

void exact_form_set(struct exact_form *form, const struct exact_form *x)
{
    mpq_t one;
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    set_zero(form);
    exact_form_add(form, one, x);
    mpq_clear(one);
}

void exact_form_set_double(struct exact_form *form, double x)
{
    set_zero(form);
    if (isfinite(x)) {
        mpq_set_d(form->rational, x);
    } else {
        exact_form_forget(form);
    }
}

void exact_form_set_decimal(struct exact_form *form, const char *digits)
{
    char whole[DIGITS_MAX + 1];
    char *end = NULL;
    const char *mark = strpbrk(digits, "eE");
    long exponent = mark ? strtol(mark + 1, &end, 10) : 0;
    size_t length = 0;
    bool point = false, good = !mark || (*end == '\0' && labs(exponent) < EXPONENT_MAX);
    set_zero(form);
    for (const char *at = digits; good && *at && at != mark; at++) {
        if (*at == '.' && !point) {
            point = true;
        } else if (*at >= '0' && *at <= '9' && length < DIGITS_MAX) {
            whole[length++] = *at;
            exponent -= point;
        } else {
            good = false;
        }
    }
    if (!good || length == 0) {
        exact_form_forget(form);
        return;
    }
    mpz_t power;
    whole[length] = '\0';
    mpz_init(power);
    mpz_ui_pow_ui(power, 10, (unsigned long)labs(exponent));
    mpz_set_str(mpq_numref(form->rational), whole, 10);
    if (exponent > 0) {
        mpz_mul(mpq_numref(form->rational), mpq_numref(form->rational), power);
    } else {
        mpz_set(mpq_denref(form->rational), power);
    }
    mpq_canonicalize(form->rational);
    mpz_clear(power);
}

bool exact_form_is_rational(const struct exact_form *form)
{
    return form->known && form->logs == 0;
}

void exact_form_multiply(struct exact_form *form, const struct exact_form *x, const struct exact_form *y,
                         bool inverse)
{
    bool scales = exact_form_is_rational(y);
    const struct exact_form *scale = scales ? y : x, *other = scales ? x : y;
    mpq_t factor;
    set_zero(form);
    if (!x->known || !y->known || !exact_form_is_rational(scale) ||
        (inverse && (!scales || mpq_sgn(y->rational) == 0))) {
        exact_form_forget(form);
        return;
    }
    mpq_init(factor);
    if (inverse) {
        mpq_inv(factor, scale->rational);
    } else {
        mpq_set(factor, scale->rational);
    }
    exact_form_add(form, factor, other);
    mpq_clear(factor);
}

void exact_form_log(struct exact_form *form, const struct exact_form *x)
{
    set_zero(form);
    if (!exact_form_is_rational(x) || mpq_sgn(x->rational) <= 0) {
        exact_form_forget(form);
        return;
    }
    mpq_t sign;
    mpq_init(sign);
    mpq_set_si(sign, 1, 1);
    add_log(form, sign, mpq_numref(x->rational));
    mpq_set_si(sign, -1, 1);
    add_log(form, sign, mpq_denref(x->rational));
    mpq_clear(sign);
}

void exact_form_sqrt(struct exact_form *form, const struct exact_form *x)
{
    set_zero(form);
    if (!exact_form_is_rational(x) || mpq_sgn(x->rational) < 0 ||
        !mpz_perfect_square_p(mpq_numref(x->rational)) || !mpz_perfect_square_p(mpq_denref(x->rational))) {
        exact_form_forget(form);
        return;
    }
    mpz_sqrt(mpq_numref(form->rational), mpq_numref(x->rational));
    mpz_sqrt(mpq_denref(form->rational), mpq_denref(x->rational));
}

/* Moves the last logarithm of `pending` to `coprime`, whose bases have pairwise no common divisor. If its
 * base has a divisor in common with one of them, that divisor and the two quotients go back to `pending`. */
static void refine_one(struct exact_form *pending, struct exact_form *coprime)
{
    struct exact_form_log one = pending->log[--pending->logs];
    mpz_t divisor;
    bool common = false;
    mpz_init(divisor);
    for (int k = 0; !common && k < coprime->logs; k++) {
        struct exact_form_log *other = &coprime->log[k];
        mpz_gcd(divisor, one.base, other->base);
        common = mpz_cmp_ui(divisor, 1) != 0;
        if (common) {
            mpz_divexact(one.base, one.base, divisor);
            mpz_divexact(other->base, other->base, divisor);
            add_log(pending, one.factor, one.base);
            add_log(pending, other->factor, other->base);
            mpq_add(one.factor, one.factor, other->factor);
            add_log(pending, one.factor, divisor);
            drop_log(coprime, k);
        }
    }
    if (!common) {
        add_log(coprime, one.factor, one.base);
    }
    mpq_clear(one.factor);
    mpz_clears(one.base, divisor, NULL);
}

bool exact_form_is_zero(struct exact_form *form)
{
    if (!form->known || mpq_sgn(form->rational) != 0) {
        return false;
    }
    struct exact_form coprime;
    exact_form_init(&coprime);
    while (form->known && form->logs > 0) {
        refine_one(form, &coprime);
    }
    bool zero = form->known && coprime.known;
    for (int k = 0; zero && k < coprime.logs; k++) {
        zero = mpq_sgn(coprime.log[k].factor) == 0;
    }
    exact_form_clear(&coprime);
    return zero;
}
