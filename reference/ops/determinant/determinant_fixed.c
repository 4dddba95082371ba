/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The matrix B = DPA·E, in the order of the pivots found in double and scaled by powers of two
 * (determinant_verified.h), is eliminated in fixed point with unit ε = 2^-p in Crout's order: each
 * b_ij − Σ_k l_ik·u_kj is summed exactly and then truncated once.
 *
 *   - The conversion of an entry of B to fixed point has an error below ε.
 *   - u_ij is this sum, truncated: an error below ε.
 *   - l_ij is its truncated quotient by u_jj: the error of l_ij·u_jj is below ε·|u_jj|.
 *
 * So LU = B + Δ with |Δ_ij| < ε·(1 + max(1, μ)) ≤ 2ε·max(1, μ), μ the greatest |u_jj|, for any L and without
 * pivoting. With F = B⁻¹Δ and φ = 2nε·max(1, μ)·‖B⁻¹‖ ≥ ‖F‖ (Frobenius norms),
 *
 *     log|det B| = Σ log|u_ii| − log det(I + F),   |log det(I + F)| ≤ Σ_k |tr F^k|/k ≤ √n·φ/(1 − φ),
 *
 * since |tr F| ≤ √n·‖F‖ and |tr F^k| ≤ ‖F‖^k. A verified determinant comes with a bound of ‖B⁻¹‖ and a proved
 * sign. */

#include "reference/ops/determinant/determinant_fixed.h"
#include "reference/numeric/elementary/portable.h"
#include "reference/numeric/exact/exact_determinant.h"
#include "reference/operator/ziv.h"

#include <gmp.h>
#include <math.h>
#include <stdlib.h>

enum {
    FRACTION = ZIV_START_BITS,      /* p */
    LOGARITHM = ZIV_START_BITS + 32 /* bits of the product of the pivots and of its logarithm */
};

struct fixed {
    int n;
    mpz_t *lower, *upper; /* L below its diagonal, row by row; U column by column */
    mpz_t sum;
};

static bool fixed_create(struct fixed *f, int n)
{
    size_t count = (size_t)n * (size_t)n;
    *f = (struct fixed){n, malloc(count * sizeof *f->lower), malloc(count * sizeof *f->upper), {{0}}};
    bool good = f->lower && f->upper;
    for (size_t i = 0; good && i < count; i++) {
        mpz_init(f->lower[i]);
        mpz_init(f->upper[i]);
    }
    mpz_init(f->sum);
    return good;
}

static void fixed_destroy(struct fixed *f)
{
    size_t count = (size_t)f->n * (size_t)f->n;
    for (size_t i = 0; f->lower && f->upper && i < count; i++) {
        mpz_clear(f->lower[i]);
        mpz_clear(f->upper[i]);
    }
    mpz_clear(f->sum);
    free(f->lower);
    free(f->upper);
}

/* Computes entry (i, j) of U or L from the preceding entries of row i of L and column j of U; b: the entry of
 * B. */
static void eliminate(struct fixed *f, int i, int j, double b)
{
    mpz_t *row = f->lower + (size_t)i * (size_t)f->n, *column = f->upper + (size_t)j * (size_t)f->n;
    exact_determinant_integer(f->sum, b, -FRACTION);
    mpz_mul_2exp(f->sum, f->sum, FRACTION);
    for (int k = 0; k < i && k < j; k++) {
        mpz_submul(f->sum, row[k], column[k]);
    }
    if (i <= j) {
        mpz_tdiv_q_2exp(column[i], f->sum, FRACTION);
    } else {
        mpz_tdiv_q(row[j], f->sum, column[j]);
    }
}

/* Computes L and U, and μ, rounded up, in *greatest. False if a pivot is 0. */
static bool factorize(struct fixed *f, const struct verified_determinant *v, double *greatest)
{
    const int *row = v->lu[0].row;
    *greatest = 0;
    for (int j = 0; j < f->n; j++) {
        for (int i = 0; i < f->n; i++) {
            double b = v->a[(size_t)row[i] * (size_t)f->n + (size_t)j] * v->row[i] * v->column[j];
            eliminate(f, i, j, b);
            if (i == j && mpz_sgn(f->upper[(size_t)j * (size_t)f->n + (size_t)j]) == 0) {
                return false;
            }
        }
        long exponent;
        double pivot = fabs(mpz_get_d_2exp(&exponent, f->upper[(size_t)j * (size_t)f->n + (size_t)j]));
        pivot = ldexp(pivot, (int)exponent - FRACTION) * (1 + 0x1p-50);
        *greatest = pivot > *greatest ? pivot : *greatest;
    }
    return true;
}

/* The logarithm of the product of the pivots, with the scaling by D and E removed. */
static void take_logarithm(const struct fixed *f, const struct verified_determinant *v, mpfr_t log)
{
    mpfr_t pivot;
    long shift = 0;
    mpfr_init2(pivot, LOGARITHM);
    mpfr_set_ui(log, 1, MPFR_RNDN);
    for (size_t i = 0; i < (size_t)f->n; i++) {
        int row, column;
        frexp(v->row[i], &row);
        frexp(v->column[i], &column);
        shift += row - 1 + column - 1 + FRACTION;
        mpfr_set_z(pivot, f->upper[i * (size_t)f->n + i], MPFR_RNDN);
        mpfr_mul(log, log, pivot, MPFR_RNDN);
    }
    mpfr_mul_2si(log, log, -shift, MPFR_RNDN);
    mpfr_abs(log, log, MPFR_RNDN);
    mpfr_log(log, log, MPFR_RNDN);
    mpfr_clear(pivot);
}

/* Stores value and bits; the pivots and their product round 2n times to LOGARITHM bits, the logarithm once.
 * bits = 0 if nothing is certified. */
static void conclude(const struct verified_determinant *v, double greatest, mpfr_srcptr log,
                     struct determinant *d)
{
    double n = v->n, size = fabs(mpfr_get_d(log, MPFR_RNDZ)),
           phi = ldexp(2 * n * fmax(1, greatest) * v->inverse_norm, -FRACTION) * (1 + 0x1p-40),
           rounding = ldexp(2 * n + 2 + size, 1 - LOGARITHM);
    d->bits = 0;
    if (phi < 0.5 && size > 0) {
        double error = (sqrt(n) * phi / (1 - phi) + rounding) * (1 + 0x1p-40);
        d->bits = (int)fmax(0, floor(-portable_log2(error / size) - 0x1p-20));
    }
    d->sign = v->sign;
    d->logabs = value_from_mpfr(log, false);
    d->log2_abs = mpfr_get_d(log, MPFR_RNDN) / M_LN2;
}

bool determinant_fixed(const struct verified_determinant *v, struct determinant *d, bool *certified)
{
    struct fixed f;
    double greatest;
    int n = v->n;
    bool good = fixed_create(&f, n);
    *certified = false;
    if (good && factorize(&f, v, &greatest)) {
        mpfr_t log;
        mpfr_init2(log, LOGARITHM);
        take_logarithm(&f, v, log);
        conclude(v, greatest, log, d);
        *certified = d->bits >= ZIV_TARGET_BITS;
        mpfr_clear(log);
    }
    fixed_destroy(&f);
    return good;
}
