/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/numeric/elementary/portable.h"
#include "reference/numeric/matrix/fixed_matrix.h"
#include "reference/operator/ziv.h"
#include "reference/ops/matrix_exp/matrix_component.h"

#include <gmp.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

enum {
    CAP_ABSOLUTE = 1024,   /* precision from which an absolute enclosure of an entry is accepted */
    ABSOLUTE_BITS = 200,   /* whose width is at most 2^-ABSOLUTE_BITS·‖A‖₁‖e^A‖₁ */
    GROWTH_BITS = 1 << 17, /* entries beyond 2^GROWTH_BITS are out of range */
    SCALAR_BITS = 256
};

/* Stores |e^(A/2^k)|, rounded up, with the exponent of its largest entry. */
static void record_stage(struct fixed *f, struct block *block, int k)
{
    int count = f->n * f->n;
    double *stage = &block->stage[(size_t)k * (size_t)count];
    long error_exponent, largest = LONG_MIN;
    double error = mpfr_get_d_2exp(&error_exponent, f->error, MPFR_RNDU);
    for (int i = 0; i < count; i++) {
        long bits = mpz_sgn(f->sum[i]) ? (long)mpz_sizeinbase(f->sum[i], 2) - f->precision : LONG_MIN;
        largest = bits > largest ? bits : largest;
    }
    largest = largest == LONG_MIN ? error_exponent : largest;
    block->exponent[k] = largest;
    error = ldexp(error, (int)fmax(-4000, fmin(4000, (double)(error_exponent - largest))));
    for (int i = 0; i < count; i++) {
        long e;
        double x = fabs(mpz_get_d_2exp(&e, f->sum[i]));
        e -= f->precision + largest;
        if (k == 1) {
            block->half_sign[i] = (signed char)mpz_sgn(f->sum[i]);
        }
        stage[i] = block->reach[i] ? ldexp(x, (int)fmax(-4000, (double)e)) * (1 + 0x1p-50) + error : 0;
    }
}

/* Squares e^(A/2^squarings) to e^A and records every stage. False if entries exceed 2^GROWTH_BITS. */
static bool square_up(struct fixed *f, struct block *block)
{
    record_stage(f, block, block->squarings);
    for (int k = block->squarings - 1; k >= 0; k--) {
        fixed_square(f);
        record_stage(f, block, k);
        if (block->exponent[k] > GROWTH_BITS) {
            return false;
        }
    }
    return true;
}

/* Stores the entries if the error bound certifies all of them. */
static bool harvest(struct fixed *f, struct block *block)
{
    int count = f->n * f->n, least = INT_MAX;
    long exponent = mpfr_regular_p(f->error) ? mpfr_get_exp(f->error) : LONG_MAX / 2; /* if it overflowed */
    bool absolute =
        f->precision >= CAP_ABSOLUTE &&
        (double)exponent <= portable_log2(block->norm) + (double)block->exponent[0] - ABSOLUTE_BITS - 2;
    mpfr_t x;
    mpfr_init2(x, 64);
    for (int i = 0; i < count && least >= ZIV_TARGET_BITS; i++) {
        if (!block->reach[i]) {
            continue;
        }
        long size = mpz_sgn(f->sum[i]) ? (long)mpz_sizeinbase(f->sum[i], 2) - f->precision : LONG_MIN / 2;
        long bits = size - 2 - exponent; /* |x̂| ≥ 2^(size−1), |x̂ − x| < 2^exp */
        least = bits < least && !(absolute && bits < ZIV_TARGET_BITS) ? (int)fmax(0, (double)bits) : least;
    }
    bool good = least >= ZIV_TARGET_BITS;
    for (int i = 0; good && i < count; i++) {
        if (!block->reach[i] || mpz_sgn(f->sum[i]) == 0) {
            block->value[i] = value_of(0);
            block->value[i].exact = !block->reach[i];
            continue;
        }
        mpfr_set_prec(x, (mpfr_prec_t)mpz_sizeinbase(f->sum[i], 2) + 2);
        mpfr_set_z_2exp(x, f->sum[i], -f->precision, MPFR_RNDN);
        block->value[i] = value_from_mpfr(x, false);
    }
    block->bits = least < block->bits ? least : block->bits;
    mpfr_clear(x);
    return good;
}

static bool climb(struct block *block, bool certify, struct error *error)
{
    mpfr_prec_t precision = ZIV_START_BITS + 2 * (mpfr_prec_t)block->squarings;
    for (; precision <= ZIV_CAP_BITS; precision += precision / 2) {
        struct fixed f;
        bool memory =
            fixed_create(&f, block->n, precision) && fixed_exponential(&f, block->a, block->squarings);
        bool range = memory && square_up(&f, block);
        bool done = range && (!certify || harvest(&f, block));
        fixed_destroy(&f);
        if (done) {
            return true;
        }
        if (!memory || !range) {
            return error_set(error, memory ? "e^A grows beyond 2^%d" : "out of memory", GROWTH_BITS);
        }
    }
    return error_set(error, "the precision ladder reached its cap of %d bits without certifying %d",
                     ZIV_CAP_BITS, ZIV_TARGET_BITS);
}

/* --- one entry, and nilpotent components */

static void scalar(struct block *block)
{
    mpfr_t x;
    mpfr_init2(x, SCALAR_BITS);
    double a = fmax(-1e9, fmin(1e9, block->a[0])); /* e^±1e9 is outside the range of every dtype */
    for (int k = 0; k <= block->squarings; k++) {
        mpfr_set_d(x, a, MPFR_RNDN);
        mpfr_div_2si(x, x, k, MPFR_RNDN);
        mpfr_exp(x, x, MPFR_RNDN);
        long e;
        block->stage[k] = mpfr_get_d_2exp(&e, x, MPFR_RNDU);
        block->half_sign[0] = 1;
        block->exponent[k] = e;
        if (k == 0) {
            block->value[0] = value_from_mpfr(x, a == 0);
        }
    }
    block->bits = a == 0 ? block->bits : SCALAR_BITS - 56 < block->bits ? SCALAR_BITS - 56 : block->bits;
    mpfr_clear(x);
}

static bool is_nilpotent(const struct block *block)
{
    int n = block->n;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            if (block->a[i * n + j] != 0 && block->reach[j * n + i]) {
                return false;
            }
        }
    }
    return true;
}

static void store_rational(mpq_t q, struct value *value, int *bits)
{
    mpz_ptr denominator = mpq_denref(q);
    bool dyadic = mpz_scan1(denominator, 0) + 1 == mpz_sizeinbase(denominator, 2);
    mpfr_t x;
    mpfr_init2(x, dyadic ? (mpfr_prec_t)mpz_sizeinbase(mpq_numref(q), 2) + 2 : SCALAR_BITS);
    mpfr_set_q(x, q, MPFR_RNDN);
    *value = mpq_sgn(q) == 0 ? value_of(0) : value_from_mpfr(x, dyadic);
    *bits = value->exact || SCALAR_BITS - 56 > *bits ? *bits : SCALAR_BITS - 56;
    mpfr_clear(x);
}

/* Computes Σ A^k/k!, k < n, in rationals. False when out of memory. */
static bool finite_series(struct block *block)
{
    int n = block->n, count = n * n;
    mpq_t *q = malloc(4 * (size_t)count * sizeof *q), product;
    if (!q) {
        return false;
    }
    mpq_init(product);
    for (int i = 0; i < 4 * count; i++) {
        mpq_init(q[i]);
    }
    mpq_t *a = q, *term = q + count, *sum = q + 2 * count, *next = q + 3 * count;
    for (int i = 0; i < count; i++) {
        mpq_set_d(a[i], block->a[i]);
        mpq_set_ui(term[i], i / n == i % n, 1);
        mpq_set(sum[i], term[i]);
    }
    for (unsigned long k = 1; k < (unsigned long)n; k++) {
        for (int i = 0; i < count; i++) {
            mpq_set_ui(next[i], 0, 1);
            for (int l = 0; l < n; l++) {
                if (mpq_sgn(term[i / n * n + l]) && mpq_sgn(a[l * n + i % n])) {
                    mpq_mul(product, term[i / n * n + l], a[l * n + i % n]);
                    mpq_add(next[i], next[i], product);
                }
            }
            mpq_set_ui(product, 1, k);
            mpq_mul(next[i], next[i], product);
            mpq_add(sum[i], sum[i], next[i]);
        }
        mpq_t *swap = term;
        term = next;
        next = swap;
    }
    for (int i = 0; i < count; i++) {
        store_rational(sum[i], &block->value[i], &block->bits);
    }
    for (int i = 0; i < 4 * count; i++) {
        mpq_clear(q[i]);
    }
    mpq_clear(product);
    free(q);
    return true;
}

bool block_compute(struct block *block, struct error *error)
{
    if (block->n == 1) {
        scalar(block);
        return true;
    }
    bool nilpotent = is_nilpotent(block);
    if (nilpotent && !finite_series(block)) {
        return error_set(error, "out of memory");
    }
    return climb(block, !nilpotent, error);
}
