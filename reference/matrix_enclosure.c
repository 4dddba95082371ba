/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/integer_product.h"
#include "reference/ladder.h"
#include "reference/matrix_component.h"

#include <gmp.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

enum {
    CAP_ABSOLUTE = 1024,   /* bits from which an absolute enclosure serves for an entry that cancels */
    ABSOLUTE_BITS = 200,   /* its width under ‖A‖₁‖e^A‖₁ */
    GROWTH_BITS = 1 << 17, /* entries beyond 2^GROWTH_BITS are out of range */
    SCALAR_BITS = 256,
    LARGE = 24 /* orders from which products are computed by residues */
};

/* --- fixed point: integers times 2^-precision; bounds are 64-bit numbers rounded up */

struct fixed {
    int n;
    mpfr_prec_t precision;
    mpz_t *b, *term, *sum, *spare;
    struct integer_product *product; /* NULL for small orders */
    mpz_t dot;
    mpfr_t norm_b, error_b, error_term, error, norm, t, ulp;
};

static mpz_t *integers_new(int count)
{
    mpz_t *x = malloc((size_t)count * sizeof *x);
    for (int i = 0; x && i < count; i++) {
        mpz_init(x[i]);
    }
    return x;
}

static void integers_free(mpz_t *x, int count)
{
    for (int i = 0; x && i < count; i++) {
        mpz_clear(x[i]);
    }
    free(x);
}

static void fixed_clear(struct fixed *f)
{
    int count = f->n * f->n;
    integers_free(f->b, count);
    integers_free(f->term, count);
    integers_free(f->sum, count);
    integers_free(f->spare, count);
    integer_product_destroy(&f->product);
    mpz_clear(f->dot);
    mpfr_clears(f->norm_b, f->error_b, f->error_term, f->error, f->norm, f->t, f->ulp, (mpfr_ptr)0);
}

static bool fixed_init(struct fixed *f, int n, mpfr_prec_t precision)
{
    int count = n * n;
    *f = (struct fixed){.n = n, .precision = precision};
    f->b = integers_new(count);
    f->term = integers_new(count);
    f->sum = integers_new(count);
    f->spare = integers_new(count);
    f->product = n >= LARGE ? integer_product_create(n) : NULL;
    mpz_init(f->dot);
    mpfr_inits2(64, f->norm_b, f->error_b, f->error_term, f->error, f->norm, f->t, f->ulp, (mpfr_ptr)0);
    mpfr_set_ui_2exp(f->ulp, 1, -precision, MPFR_RNDU);
    return f->b && f->term && f->sum && f->spare && (f->product || n < LARGE);
}

/* c·2^exponent = a·b, exactly: by residues, which orders below LARGE and very long entries do not gain by, or
 * by n³ products. */
static mp_bitcnt_t multiply_exactly(struct fixed *f, mpz_t *a, mpz_t *b, mpz_t *c)
{
    int n = f->n;
    mp_bitcnt_t exponent = 0;
    if (f->product && integer_product_compute(f->product, a, b, c, &exponent)) {
        return exponent;
    }
    for (int i = 0; i < n * n; i++) {
        mpz_set_ui(f->dot, 0);
        for (int k = 0; k < n; k++) {
            mpz_ptr x = a[i / n * n + k], y = b[k * n + i % n];
            if (mpz_sgn(x) && mpz_sgn(y)) {
                mpz_addmul(f->dot, x, y);
            }
        }
        mpz_swap(c[i], f->dot);
    }
    return 0;
}

/* c = a·b / (2^precision · divisor), each entry truncated: less than 2 units off. c is neither a nor b. */
static void multiply(struct fixed *f, mpz_t *a, mpz_t *b, mpz_t *c, unsigned long divisor)
{
    mp_bitcnt_t exponent = multiply_exactly(f, a, b, c), precision = (mp_bitcnt_t)f->precision;
    for (int i = 0; i < f->n * f->n; i++) {
        mp_bitcnt_t left = exponent > precision ? exponent - precision : 0;
        mpz_mul_2exp(c[i], c[i], left);
        mpz_tdiv_q_2exp(c[i], c[i], precision + left - exponent);
        if (divisor > 1) {
            mpz_tdiv_q_ui(c[i], c[i], divisor);
        }
    }
}

/* norm = ‖x‖∞, rounded up. */
static void norm_of(struct fixed *f, mpz_t *x, mpfr_t norm)
{
    mpz_t most;
    mpz_init(most);
    for (int i = 0; i < f->n; i++) {
        mpz_set_ui(f->dot, 0);
        for (int j = 0; j < f->n; j++) {
            (mpz_sgn(x[i * f->n + j]) < 0 ? mpz_sub : mpz_add)(f->dot, f->dot, x[i * f->n + j]);
        }
        if (mpz_cmp(f->dot, most) > 0) {
            mpz_set(most, f->dot);
        }
    }
    mpfr_set_z_2exp(norm, most, -f->precision, MPFR_RNDU);
    mpz_clear(most);
}

/* b = A/2^squarings, truncated to the grid: ‖error_b‖∞ ≤ n units. */
static void load(struct fixed *f, const struct block *block)
{
    mpfr_t x;
    mpfr_init2(x, 53);
    for (int i = 0; i < f->n * f->n; i++) {
        mpfr_set_d(x, block->a[i], MPFR_RNDN);
        mpfr_mul_2si(x, x, f->precision - block->squarings, MPFR_RNDN);
        mpfr_get_z(f->b[i], x, MPFR_RNDZ);
    }
    mpfr_clear(x);
    norm_of(f, f->b, f->norm_b);
    mpfr_mul_ui(f->error_b, f->ulp, (unsigned long)f->n, MPFR_RNDU);
}

/* sum = Σ B^k/k!; T̂B̂ − TB = (T̂ − T)B̂ + T(B̂ − B). The tail after term k is below ‖B‖/(k + 1)·(1 + …) ≤ 1 times
 * it. */
static void taylor(struct fixed *f)
{
    int count = f->n * f->n;
    for (int i = 0; i < count; i++) {
        mpz_set_ui(f->term[i], 0);
        if (i / f->n == i % f->n) {
            mpz_setbit(f->term[i], (mp_bitcnt_t)f->precision);
        }
        mpz_set(f->sum[i], f->term[i]);
    }
    mpfr_set_ui(f->error_term, 0, MPFR_RNDU);
    mpfr_set_ui(f->error, 0, MPFR_RNDU);
    for (unsigned long k = 1;; k++) {
        norm_of(f, f->term, f->norm);
        mpfr_add(f->norm, f->norm, f->error_term, MPFR_RNDU); /* ≥ ‖T‖ */
        mpfr_mul(f->norm, f->norm, f->error_b, MPFR_RNDU);
        mpfr_mul(f->error_term, f->error_term, f->norm_b, MPFR_RNDU);
        mpfr_add(f->error_term, f->error_term, f->norm, MPFR_RNDU);
        mpfr_div_ui(f->error_term, f->error_term, k, MPFR_RNDU);
        mpfr_mul_ui(f->t, f->ulp, 2 * (unsigned long)f->n, MPFR_RNDU);
        mpfr_add(f->error_term, f->error_term, f->t, MPFR_RNDU);
        multiply(f, f->term, f->b, f->spare, k);
        mpz_t *swap = f->term;
        f->term = f->spare;
        f->spare = swap;
        for (int i = 0; i < count; i++) {
            mpz_add(f->sum[i], f->sum[i], f->term[i]);
        }
        mpfr_add(f->error, f->error, f->error_term, MPFR_RNDU);
        norm_of(f, f->term, f->norm);
        if (mpfr_lessequal_p(f->norm, f->t)) {
            mpfr_add(f->error, f->error, f->norm, MPFR_RNDU);
            mpfr_add(f->error, f->error, f->error_term, MPFR_RNDU);
            return;
        }
    }
}

/* ‖X̂² − X²‖ ≤ 2‖X̂‖e + e², and what truncation adds. */
static void square(struct fixed *f)
{
    norm_of(f, f->sum, f->norm);
    mpfr_mul_2ui(f->norm, f->norm, 1, MPFR_RNDU);
    mpfr_add(f->norm, f->norm, f->error, MPFR_RNDU);
    mpfr_mul(f->error, f->error, f->norm, MPFR_RNDU);
    mpfr_mul_ui(f->t, f->ulp, 2 * (unsigned long)f->n, MPFR_RNDU);
    mpfr_add(f->error, f->error, f->t, MPFR_RNDU);
    multiply(f, f->sum, f->sum, f->spare, 1);
    mpz_t *swap = f->sum;
    f->sum = f->spare;
    f->spare = swap;
}

/* Keeps |e^(A/2^k)|, rounded up, with the exponent of its largest entry. */
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

/* e^A of the component on the grid of `precision` bits. False where it grows out of range. */
static bool exponentiate(struct fixed *f, struct block *block)
{
    load(f, block);
    taylor(f);
    record_stage(f, block, block->squarings);
    for (int k = block->squarings - 1; k >= 0; k--) {
        square(f);
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
    long exponent = mpfr_regular_p(f->error) ? mpfr_get_exp(f->error) : LONG_MAX / 2; /* of what overflowed */
    bool absolute = f->precision >= CAP_ABSOLUTE &&
                    (double)exponent <= log2(block->norm) + (double)block->exponent[0] - ABSOLUTE_BITS - 2;
    mpfr_t x;
    mpfr_init2(x, 64);
    for (int i = 0; i < count && least >= LADDER_TARGET_BITS; i++) {
        if (!block->reach[i]) {
            continue;
        }
        long size = mpz_sgn(f->sum[i]) ? (long)mpz_sizeinbase(f->sum[i], 2) - f->precision : LONG_MIN / 2;
        long bits = size - 2 - exponent; /* |x̂| ≥ 2^(size−1), |x̂ − x| < 2^exp */
        least = bits < least && !(absolute && bits < LADDER_TARGET_BITS) ? (int)fmax(0, (double)bits) : least;
    }
    bool good = least >= LADDER_TARGET_BITS;
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
    mpfr_prec_t precision = LADDER_START_BITS + 2 * (mpfr_prec_t)block->squarings;
    for (; precision <= LADDER_CAP_BITS; precision += precision / 2) {
        struct fixed f;
        bool memory = fixed_init(&f, block->n, precision), range = memory && exponentiate(&f, block);
        bool done = range && (!certify || harvest(&f, block));
        fixed_clear(&f);
        if (done) {
            return true;
        }
        if (!memory || !range) {
            return error_set(error, memory ? "e^A grows beyond 2^%d" : "out of memory", GROWTH_BITS);
        }
    }
    return error_set(error, "the precision ladder reached its cap of %d bits without certifying %d",
                     LADDER_CAP_BITS, LADDER_TARGET_BITS);
}

/* --- one entry, and nilpotent components */

static void scalar(struct block *block)
{
    mpfr_t x;
    mpfr_init2(x, SCALAR_BITS);
    double a = fmax(-1e9, fmin(1e9, block->a[0])); /* beyond every format: only its being so matters */
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

/* Σ A^k/k!, k < n, in rationals. */
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
