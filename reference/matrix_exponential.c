/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/matrix_exponential.h"
#include "reference/ladder.h"

#include <float.h>
#include <gmp.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

enum {
    CAP_ABSOLUTE = 1024,   /* bits from which an absolute enclosure serves for an entry that cancels */
    ABSOLUTE_BITS = 200,   /* its width under ‖A‖₁‖e^A‖₁ */
    GROWTH_BITS = 1 << 17, /* entries beyond 2^GROWTH_BITS are out of range */
    TAYLOR_BITS = 3,       /* the series is summed at ‖A/2^S‖∞ ≤ 2^-TAYLOR_BITS */
    SCALAR_BITS = 256
};

/* One component: its matrix, and the magnitudes of e^(A/2^k), k = 0..squarings, each with an exponent. */
struct block {
    int n;
    double *a;
    bool *reach;
    double norm; /* ‖A‖₁ of the whole matrix: it is what an implementation scales by */
    int least, greatest, squarings;
    double *stage; /* (squarings + 1) × n × n, times 2^exponent */
    long *exponent;
    struct value *value;
    int bits;
};

void matrix_reachability(int n, const double *a, bool *reach)
{
    for (int i = 0; i < n * n; i++) {
        reach[i] = a[i] != 0 || i / n == i % n; /* NaN and infinities are edges too */
    }
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < n; i++) {
            for (int j = 0; reach[i * n + k] && j < n; j++) {
                reach[i * n + j] = reach[i * n + j] || reach[k * n + j];
            }
        }
    }
}

/* --- fixed point: integers times 2^-precision; bounds are 64-bit numbers rounded up */

struct fixed {
    int n;
    mpfr_prec_t precision;
    mpz_t *b, *term, *sum, *spare;
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
    mpz_init(f->dot);
    mpfr_inits2(64, f->norm_b, f->error_b, f->error_term, f->error, f->norm, f->t, f->ulp, (mpfr_ptr)0);
    mpfr_set_ui_2exp(f->ulp, 1, -precision, MPFR_RNDU);
    return f->b && f->term && f->sum && f->spare;
}

/* c = a·b / (2^precision · divisor), each entry truncated: less than 2 units off. c is neither a nor b. */
static void multiply(struct fixed *f, mpz_t *a, mpz_t *b, mpz_t *c, unsigned long divisor)
{
    int n = f->n;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            mpz_set_ui(f->dot, 0);
            for (int k = 0; k < n; k++) {
                if (mpz_sgn(a[i * n + k]) && mpz_sgn(b[k * n + j])) {
                    mpz_addmul(f->dot, a[i * n + k], b[k * n + j]);
                }
            }
            mpz_tdiv_q_2exp(f->dot, f->dot, (mp_bitcnt_t)f->precision);
            mpz_tdiv_q_ui(c[i * n + j], f->dot, divisor);
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
    bool absolute =
        f->precision >= CAP_ABSOLUTE &&
        (double)mpfr_get_exp(f->error) <= log2(block->norm) + (double)block->exponent[0] - ABSOLUTE_BITS - 2;
    mpfr_t x;
    mpfr_init2(x, 64);
    for (int i = 0; i < count && least >= LADDER_TARGET_BITS; i++) {
        if (!block->reach[i]) {
            continue;
        }
        long size = mpz_sgn(f->sum[i]) ? (long)mpz_sizeinbase(f->sum[i], 2) - f->precision : LONG_MIN / 2;
        long bits = size - 2 - mpfr_get_exp(f->error); /* |x̂| ≥ 2^(size−1), |x̂ − x| < 2^exp */
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

/* --- the running bound: R0 = c0·u·e^(|A|/2^s), c0 = 10n; R ← |X|R + R|X| + R² + n·u·|X|², X = e^(A/2^k), k =
 * s..1; the worst admissible s. R is kept with the exponent of X. To this comes the truncated series: all
 * good polynomials and rational functions of A give e^(A + Δ) with Δ a series in A and ‖Δ‖ ≤ u‖A‖ (Al-Mohy
 * and Higham, SIMAX 31 (2009), sec. 2), hence u‖A‖₁‖X‖₁; no elimination leaves a component, so ‖X‖ is that of
 * the component. All sums are of positive terms; the factor 1 + 2^-30 covers their rounding. */

/* e^(|A|/2^s) by its series: ‖A/2^s‖ ≤ 6. */
static void absolute_exponential(const struct block *block, int s, double *term, double *next, double *sum)
{
    int n = block->n;
    for (int i = 0; i < n * n; i++) {
        sum[i] = term[i] = i / n == i % n;
    }
    for (int k = 1; k <= 60; k++) {
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                double x = 0;
                for (int l = 0; l < n; l++) {
                    x += term[i * n + l] * ldexp(fabs(block->a[l * n + j]), -s);
                }
                next[i * n + j] = x / k;
            }
        }
        double largest = 0;
        for (int i = 0; i < n * n; i++) {
            term[i] = next[i];
            sum[i] += next[i];
            largest = fmax(largest, next[i]);
        }
        if (largest < 0x1p-60) {
            return;
        }
    }
}

/* One squaring: r (2^e, beside x) → r (2^after, beside x²). */
static void bound_square(int n, double u, const double *x, double *r, double *next, int rescale)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double sum = 0, square = 0;
            for (int k = 0; k < n; k++) {
                sum += (x[i * n + k] + r[i * n + k]) * r[k * n + j] + r[i * n + k] * x[k * n + j];
                square += x[i * n + k] * x[k * n + j];
            }
            next[i * n + j] = ldexp(sum + n * u * square, rescale);
        }
    }
    for (int i = 0; i < n * n; i++) {
        r[i] = next[i];
    }
}

static int clamp_exponent(long e)
{
    return (int)fmax(-4000, fmin(4000, (double)e));
}

/* work: 3 n². Raises worst[] (beside e^A, its exponent) to the bound of this s. */
static void running_bound(const struct block *block, int s, double u, double *work, double *worst)
{
    int n = block->n, count = n * n;
    double *r = work, *t1 = work + count, *t2 = work + 2 * count;
    absolute_exponential(block, s, t1, t2, r);
    for (int i = 0; i < count; i++) {
        r[i] = ldexp(10 * n * u * r[i], clamp_exponent(-block->exponent[s]));
    }
    for (int k = s; k > 0; k--) {
        bound_square(n, u, &block->stage[(size_t)k * (size_t)count], r, t1,
                     clamp_exponent(2 * block->exponent[k] - block->exponent[k - 1]));
    }
    for (int i = 0; i < count; i++) {
        worst[i] = fmax(worst[i], r[i] * (1 + 0x1p-30));
    }
}

static double in_range(double x, long exponent) /* finite as long as x is */
{
    double scaled = ldexp(x, clamp_exponent(exponent));
    return isfinite(x) && !isfinite(scaled) ? DBL_MAX : scaled;
}

/* out: rounding, underflow, overflow of the component, n² each. */
static bool sensitivities(const struct block *block, double u, double *out)
{
    int n = block->n, count = n * n;
    double *work = malloc(3 * (size_t)count * sizeof *work);
    if (!work) {
        return false;
    }
    for (int i = 0; i < count; i++) {
        out[i] = 0;
    }
    for (int s = block->least; s <= block->greatest; s++) {
        running_bound(block, s, u, work, out);
    }
    double norm = 0;
    for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int i = 0; i < n; i++) {
            sum += block->stage[i * n + j];
        }
        norm = fmax(norm, sum);
    }
    for (int i = 0; i < count; i++) {
        double partial = 0;
        const double *half = &block->stage[count]; /* e^(A/2) */
        for (int k = 0; block->squarings && k < n; k++) {
            partial += half[i / n * n + k] * half[k * n + i % n];
        }
        out[i] = block->norm == 0
                     ? 0
                     : in_range((out[i] + u * block->norm * norm) * (1 + 0x1p-30), block->exponent[0]);
        out[count + i] = 4 * n * fmax(1, in_range(norm, block->exponent[0])) * ldexp(1, block->greatest);
        out[2 * count + i] = block->greatest ? log2(partial) + 2 * (double)block->exponent[1] : -INFINITY;
    }
    free(work);
    return true;
}

/* --- the whole matrix */

static int halvings(double norm, double limit) /* least s ≥ 0 with norm/2^s ≤ limit */
{
    int s = 0;
    while (ldexp(norm, -s) > limit) {
        s++;
    }
    return s;
}

static double one_norm(int n, const double *a)
{
    double norm = 0;
    for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int i = 0; i < n; i++) {
            sum += fabs(a[i * n + j]);
        }
        norm = fmax(norm, sum);
    }
    return fmin(norm, DBL_MAX);
}

static void block_free(struct block *block)
{
    free(block->a);
    free(block->reach);
    free(block->stage);
    free(block->exponent);
    free(block->value);
}

/* The component with the rows and columns member[0..n) of the whole matrix. */
static bool block_make(struct block *block, int whole, const double *a, const bool *reach, int n,
                       const int *member)
{
    size_t count = (size_t)n * (size_t)n;
    double norm = 0;
    block->n = n;
    block->a = malloc(count * sizeof *block->a);
    block->reach = malloc(count * sizeof *block->reach);
    block->value = malloc(count * sizeof *block->value);
    if (!block->a || !block->reach || !block->value) {
        return false;
    }
    for (int i = 0; i < n; i++) {
        double row = 0;
        for (int j = 0; j < n; j++) {
            block->a[i * n + j] = a[member[i] * whole + member[j]];
            block->reach[i * n + j] = reach[member[i] * whole + member[j]];
            row += fabs(block->a[i * n + j]);
        }
        norm = fmax(norm, fmin(row, DBL_MAX));
    }
    int needed = halvings(norm, ldexp(1, -TAYLOR_BITS)) + 1; /* + 1: a row sum rounded down */
    block->squarings = norm > 0 && needed > block->greatest && n > 1 ? needed : block->greatest;
    size_t stages = (size_t)block->squarings + 1;
    block->stage = malloc(stages * count * sizeof *block->stage);
    block->exponent = malloc(stages * sizeof *block->exponent);
    return block->stage && block->exponent;
}

static bool block_compute(struct block *block, struct error *error)
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

/* Copies the component's results to their places. */
static void scatter(struct matrix_exponential *result, int whole, const struct block *block,
                    const int *member, const double *s)
{
    int n = block->n, count = n * n;
    for (int i = 0; i < count; i++) {
        int to = member[i / n] * whole + member[i % n];
        result->value[to] = block->value[i];
        /* What rounds has a bound, also where that underflows: 0 would claim that nothing rounds. */
        result->rounding[to] = s[i] == 0 && !block->value[i].exact ? 0x1p-1074 : s[i];
        result->underflow[to] = s[count + i];
        result->overflow[to] = s[2 * count + i];
    }
    result->bits = block->bits < result->bits ? block->bits : result->bits;
    for (int k = 1; k <= block->greatest; k++) {
        for (int i = 0; i < count; i++) {
            double x = block->stage[(size_t)k * (size_t)count + (size_t)i];
            result->log2_hump = fmax(result->log2_hump, log2(x) + (double)block->exponent[k]);
        }
    }
}

static bool component(int n, const double *a, const bool *reach, double u, struct block *block, int members,
                      const int *member, struct matrix_exponential *result, struct error *error)
{
    double *s = malloc(3 * (size_t)members * (size_t)members * sizeof *s);
    bool good = s && block_make(block, n, a, reach, members, member);
    if (!good) {
        error_set(error, "out of memory");
    }
    good = good && block_compute(block, error);
    good = good && (sensitivities(block, u, s) || error_set(error, "out of memory"));
    if (good) {
        scatter(result, n, block, member, s);
    }
    block_free(block);
    free(s);
    return good;
}

/* Members of the weakly connected component of `seed`; marks them. */
static int gather(int n, const double *a, int seed, bool *seen, int *member)
{
    int members = 0;
    seen[seed] = true;
    member[members++] = seed;
    for (int at = 0; at < members; at++) {
        for (int j = 0; j < n; j++) {
            if (!seen[j] && (a[member[at] * n + j] != 0 || a[j * n + member[at]] != 0)) {
                seen[j] = true;
                member[members++] = j;
            }
        }
    }
    return members;
}

bool matrix_exponential_compute(int n, const double *a, double u,
                                const struct matrix_exponential_scaling *scaling,
                                struct matrix_exponential *result, struct error *error)
{
    size_t count = (size_t)n * (size_t)n;
    *result = (struct matrix_exponential){.bits = INT_MAX, .log2_hump = -INFINITY};
    result->value = malloc((count + 1) * sizeof *result->value);
    result->rounding = calloc(3 * count + 1, sizeof *result->rounding);
    bool *reach = malloc(count + 1), *seen = calloc((size_t)n + 1, sizeof *seen);
    int *member = malloc(((size_t)n + 1) * sizeof *member);
    bool good = result->value && result->rounding && reach && seen && member;
    if (!good) {
        error_set(error, "out of memory");
    } else {
        result->underflow = result->rounding + count;
        result->overflow = result->rounding + 2 * count;
        matrix_reachability(n, a, reach);
        for (size_t i = 0; i < count; i++) { /* across components */
            result->value[i] = value_of(0);
            result->overflow[i] = -INFINITY;
        }
    }
    double norm = good ? one_norm(n, a) : 0;
    for (int i = 0; good && i < n; i++) {
        if (!seen[i]) {
            struct block block = {.norm = norm,
                                  .least = halvings(norm, scaling->greatest),
                                  .greatest = halvings(norm, scaling->least),
                                  .bits = INT_MAX};
            int members = gather(n, a, i, seen, member);
            good = component(n, a, reach, u, &block, members, member, result, error);
        }
    }
    free(reach);
    free(seen);
    free(member);
    if (!good) {
        matrix_exponential_clear(result);
    }
    return good;
}

void matrix_exponential_clear(struct matrix_exponential *result)
{
    free(result->value);
    free(result->rounding);
    *result = (struct matrix_exponential){.value = NULL};
}
