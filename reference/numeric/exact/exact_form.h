/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_NUMERIC_EXACT_EXACT_FORM_H
#define ASSAY_REFERENCE_NUMERIC_EXACT_EXACT_FORM_H

/* Numbers r + Σ c_i·log(b_i) with rational r and c_i and whole b_i > 1, exactly: what sums, products with
 * rationals and logarithms of rationals are made of. Whether such a number is 0 can be decided, which no
 * interval tells. */

#include <gmp.h>
#include <stdbool.h>

struct exact_form_log {
    mpq_t factor;
    mpz_t base; /* > 1 */
};

/* `told` false: another number, or one of too many logarithms; the rest then says nothing. */
struct exact_form {
    bool known;
    mpq_t rational;
    struct exact_form_log *log; /* owned; no base twice */
    int logs, room;
};

void exact_form_init(struct exact_form *form); /* 0 */
void exact_form_clear(struct exact_form *form);

void exact_form_forget(struct exact_form *form);
void exact_form_set(struct exact_form *form, const struct exact_form *x);
void exact_form_set_double(struct exact_form *form, double x); /* untold where x is not finite */
/* "0.044715", "1e-12"; untold where that is no decimal number. */
void exact_form_set_decimal(struct exact_form *form, const char *digits);

/* Whether it is told and has no logarithm. */
bool exact_form_is_rational(const struct exact_form *form);

/* form += factor·x. */
void exact_form_add(struct exact_form *form, mpq_srcptr factor, const struct exact_form *x);
/* form = x·y, or x/y with `inverse`: untold where neither, or not y, is rational, and where y is 0. */
void exact_form_multiply(struct exact_form *form, const struct exact_form *x, const struct exact_form *y,
                         bool inverse);
/* form = log(x) of a positive rational x. */
void exact_form_log(struct exact_form *form, const struct exact_form *x);
/* form = √x of a rational that is a square. */
void exact_form_sqrt(struct exact_form *form, const struct exact_form *x);

/* Whether it is told and 0. The bases are split until no two have a common divisor: logarithms of such
 * numbers have no rational relation, and by Lindemann's theorem none with 1 (A. Baker, Transcendental Number
 * Theory, 1975, theorem 1.4), so that r and every factor must be 0. Leaves `form` without its logarithms. */
bool exact_form_is_zero(struct exact_form *form);

#endif
