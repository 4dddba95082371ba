/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_NUMERIC_MATRIX_FIXED_MATRIX_H
#define ASSAY_REFERENCE_NUMERIC_MATRIX_FIXED_MATRIX_H

/* e^(A/2^S), and its squares, in fixed point: GMP integers times 2^-precision, with one rigorous bound on the
 * ∞-norm of the error, a 64-bit number rounded up. */

#include "reference/base/error.h"

#include <gmp.h>
#include <mpfr.h>
#include <stdbool.h>

enum { FIXED_POWERS = 5 /* of the matrix, which the series is summed by */ };

struct fixed {
    int n;
    mpfr_prec_t precision;
    mpz_t *sum;   /* n×n, row-major: the result */
    mpfr_t error; /* ≥ ‖sum − e^…‖∞ */
    mpz_t *power[FIXED_POWERS + 1], *spare;
    mpfr_t error_of[FIXED_POWERS + 1]; /* of the powers */
    struct integer_product *product;   /* NULL for small orders */
    mpz_t dot;
    mpfr_t norm, t, ulp;
};

/* False when out of memory; destroy then as well. */
bool fixed_create(struct fixed *f, int n, mpfr_prec_t precision);
void fixed_destroy(struct fixed *f);

/* sum = e^(a/2^squarings), ‖a/2^squarings‖∞ ≤ 1/4. False when out of memory. */
bool fixed_exponential(struct fixed *f, const double *a, int squarings);

/* sum ← sum². */
void fixed_square(struct fixed *f);

#endif
