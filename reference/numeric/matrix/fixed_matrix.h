/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_NUMERIC_MATRIX_FIXED_MATRIX_H
#define ASSAY_REFERENCE_NUMERIC_MATRIX_FIXED_MATRIX_H

/* Computes e^(A/2^S) and its squares in fixed point: GMP integers times 2^-precision, with one rigorous bound
 * on the ∞-norm of the error, an MPFR number rounded up. Call fixed_create, fixed_exponential, then
 * fixed_square S times. */

#include "reference/base/error.h"

#include <gmp.h>
#include <mpfr.h>
#include <stdbool.h>

enum { FIXED_POWERS = 5 /* the number of powers of the matrix that the series uses */ };

struct fixed {
    int n;
    mpfr_prec_t precision;
    mpz_t *sum;   /* the result: n×n, row-major */
    mpfr_t error; /* ≥ ‖sum − e^…‖∞ */
    mpz_t *power[FIXED_POWERS + 1], *spare;
    mpfr_t error_of[FIXED_POWERS + 1]; /* error bounds of the powers */
    struct integer_product *product;   /* NULL for small orders, which are multiplied directly */
    mpz_t dot;
    mpfr_t norm, t, ulp;
};

/* Returns false when out of memory; call fixed_destroy then too. */
bool fixed_create(struct fixed *f, int n, mpfr_prec_t precision);
void fixed_destroy(struct fixed *f);

/* Sets sum = e^(a/2^squarings); requires ‖a/2^squarings‖∞ ≤ 1/4. Returns false when out of memory. */
bool fixed_exponential(struct fixed *f, const double *a, int squarings);

/* Replaces sum by sum² and updates the error bound. */
void fixed_square(struct fixed *f);

#endif
