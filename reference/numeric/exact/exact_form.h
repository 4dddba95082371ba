/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_NUMERIC_EXACT_EXACT_FORM_H
#define ASSAY_REFERENCE_NUMERIC_EXACT_EXACT_FORM_H

/* Exact numbers r + Σ c_i·log(b_i) with rational r and c_i and integers b_i > 1. Sums, products with
 * rationals and logarithms of rationals stay in this form. It can be decided whether such a number is 0,
 * which no interval can. */

#include <gmp.h>
#include <stdbool.h>

struct exact_form_log {
    mpq_t factor;
    mpz_t base; /* > 1 */
};

/* `known` is false for numbers outside this form or with too many logarithms; the other members are then
 * undefined. */
struct exact_form {
    bool known;
    mpq_t rational;
    struct exact_form_log *log; /* owned; the bases are distinct */
    int logs, room;
};

void exact_form_init(struct exact_form *form); /* sets it to 0 */
void exact_form_clear(struct exact_form *form);

void exact_form_forget(struct exact_form *form);
void exact_form_set(struct exact_form *form, const struct exact_form *x);
void exact_form_set_double(struct exact_form *form, double x); /* unknown where x is not finite */
/* Sets the form to a decimal number such as "0.044715" or "1e-12"; unknown where `digits` is not one. */
void exact_form_set_decimal(struct exact_form *form, const char *digits);

/* Returns whether the form is known and has no logarithm. */
bool exact_form_is_rational(const struct exact_form *form);

/* Adds factor·x to the form. */
void exact_form_add(struct exact_form *form, mpq_srcptr factor, const struct exact_form *x);
/* Sets form = x·y, or x/y with `inverse`. The form becomes unknown where neither factor (or not the divisor
 * y) is rational, and where the divisor is 0. */
void exact_form_multiply(struct exact_form *form, const struct exact_form *x, const struct exact_form *y,
                         bool inverse);
/* Sets form = log(x) for a positive rational x. */
void exact_form_log(struct exact_form *form, const struct exact_form *x);
/* Sets form = √x for a rational x that is a square. */
void exact_form_sqrt(struct exact_form *form, const struct exact_form *x);

/* Returns whether the form is known and 0. The bases are split until no two have a common divisor. Logarithms
 * of such numbers have no rational relation, and none with 1 by Lindemann's theorem (A. Baker, Transcendental
 * Number Theory, 1975, theorem 1.4), so that the form is 0 only if r and every factor are. Removes the
 * logarithms of `form`. */
bool exact_form_is_zero(struct exact_form *form);

#endif
