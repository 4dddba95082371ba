/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The series is evaluated by the method of Paterson and Stockmeyer, SIAM J. Comput. 2 (1973): with Y_i = Σ_j
 * B^j/(qi + j)!, j < q, the polynomial is Y_0 + B^q·(Y_1 + B^q·(…)), so that m terms take q + m/q products
 * where Horner's rule takes m.
 *
 * Errors, in ∞-norms: a hat marks the stored matrix, e_j ≥ ‖P̂_j − B^j‖, η = 2^-precision; truncation errs by
 * less than η in every entry, n·η in the norm.
 *
 *   - Powers P̂_j = P̂_(j−1)·P̂_1, truncated: e_j = ‖P̂_(j−1)‖·e_1 + e_(j−1)·(‖P̂_1‖ + e_1) + n·η, because
 *     X̂Ŷ − XY = X̂(Ŷ − Y) + (X̂ − X)Y.
 *   - Blocks, whose coefficients c_k = 2^precision/k!, truncated, err by η: Σ_j c_k·e_j + η·Σ_j ‖B‖^j. The
 *     first sum is at most Σ e_j, the second at most 2η because ‖B‖ ≤ 1/2.
 *   - Horner's steps X̂·P̂_q + Y, truncated: ‖X̂‖·e_q + e_X·(‖P̂_q‖ + e_q), the error of the block, and n·η.
 *   - The truncated end of the series: Σ_(k>m) ‖B‖^k/k! ≤ 2·‖B‖^(m+1)/(m + 1)! */

#include "reference/numeric/matrix/fixed_matrix.h"
#include "reference/numeric/exact/integer_product.h"

#include <stdlib.h>

enum { LARGE = 24 /* from this order on products are computed by residues */ };

/* Allocates integers with room for `bits`, so that they need not grow. */
static mpz_t *integers_new(int count, mpfr_prec_t bits)
{
    mpz_t *x = malloc((size_t)count * sizeof *x);
    for (int i = 0; x && i < count; i++) {
        mpz_init2(x[i], (mp_bitcnt_t)bits);
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

void fixed_destroy(struct fixed *f)
{
    int count = f->n * f->n;
    integers_free(f->sum, count);
    integers_free(f->spare, count);
    for (int j = 1; j <= FIXED_POWERS; j++) {
        integers_free(f->power[j], count);
        mpfr_clear(f->error_of[j]);
    }
    integer_product_destroy(&f->product);
    mpz_clear(f->dot);
    mpfr_clears(f->error, f->norm, f->t, f->ulp, (mpfr_ptr)0);
}

bool fixed_create(struct fixed *f, int n, mpfr_prec_t precision)
{
    int count = n * n;
    *f = (struct fixed){.n = n, .precision = precision};
    bool good = (f->sum = integers_new(count, precision)) && (f->spare = integers_new(count, 2 * precision));
    for (int j = 1; j <= FIXED_POWERS; j++) {
        good = good && (f->power[j] = integers_new(count, precision));
        mpfr_init2(f->error_of[j], 64);
    }
    f->product = n >= LARGE ? integer_product_create(n) : NULL;
    mpz_init(f->dot);
    mpfr_inits2(64, f->error, f->norm, f->t, f->ulp, (mpfr_ptr)0);
    mpfr_set_ui_2exp(f->ulp, 1, -precision, MPFR_RNDU);
    return good && (f->product || n < LARGE);
}

/* Computes spare = a·b·2^(2·precision) exactly: by residues from order LARGE on, else, and for very long
 * entries, by n³ products. */
static void multiply(struct fixed *f, mpz_t *a, mpz_t *b)
{
    int n = f->n;
    mp_bitcnt_t exponent = 0;
    if (f->product && integer_product_compute(f->product, a, b, f->spare, &exponent)) {
        for (int i = 0; exponent && i < n * n; i++) {
            mpz_mul_2exp(f->spare[i], f->spare[i], exponent);
        }
        return;
    }
    for (int i = 0; i < n * n; i++) {
        mpz_set_ui(f->spare[i], 0);
        for (int k = 0; k < n; k++) {
            mpz_ptr x = a[i / n * n + k], y = b[k * n + i % n];
            if (mpz_sgn(x) && mpz_sgn(y)) {
                mpz_addmul(f->spare[i], x, y);
            }
        }
    }
}

/* Sets to = spare, truncated to the grid. */
static void truncate(struct fixed *f, mpz_t *to)
{
    for (int i = 0; i < f->n * f->n; i++) {
        mpz_tdiv_q_2exp(to[i], f->spare[i], (mp_bitcnt_t)f->precision);
    }
}

/* Sets norm = ‖x‖∞, rounded up. */
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
            mpz_swap(most, f->dot);
        }
    }
    mpfr_set_z_2exp(norm, most, -f->precision, MPFR_RNDU);
    mpz_clear(most);
}

/* Sets error ← ‖x̂‖·e_j + error·(‖P̂_j‖ + e_j) + n·η, for the truncated product x̂·P̂_j. `error` is that of
 * x̂; ‖x̂‖ is f->norm. */
static void add_errors(struct fixed *f, mpfr_t error, const mpfr_t norm_j, int j)
{
    mpfr_mul(f->norm, f->norm, f->error_of[j], MPFR_RNDU);
    mpfr_add(f->t, norm_j, f->error_of[j], MPFR_RNDU);
    mpfr_mul(error, error, f->t, MPFR_RNDU);
    mpfr_add(error, error, f->norm, MPFR_RNDU);
    mpfr_mul_ui(f->t, f->ulp, (unsigned long)f->n, MPFR_RNDU);
    mpfr_add(error, error, f->t, MPFR_RNDU);
}

/* Computes the first power, a/2^squarings truncated to the grid, then the others, and the norms of the first
 * and the last. */
static void raise_powers(struct fixed *f, const double *a, int squarings, mpfr_t first, mpfr_t last)
{
    mpfr_t x;
    mpfr_init2(x, 53);
    for (int i = 0; i < f->n * f->n; i++) {
        mpfr_set_d(x, a[i], MPFR_RNDN);
        mpfr_mul_2si(x, x, f->precision - squarings, MPFR_RNDN);
        mpfr_get_z(f->power[1][i], x, MPFR_RNDZ);
    }
    mpfr_clear(x);
    norm_of(f, f->power[1], first);
    mpfr_mul_ui(f->error_of[1], f->ulp, (unsigned long)f->n, MPFR_RNDU);
    mpfr_set(last, first, MPFR_RNDU);
    for (int j = 2; j <= FIXED_POWERS; j++) {
        multiply(f, f->power[j - 1], f->power[1]);
        truncate(f, f->power[j]);
        mpfr_set(f->norm, last, MPFR_RNDU);
        mpfr_set(f->error_of[j], f->error_of[j - 1], MPFR_RNDU);
        add_errors(f, f->error_of[j], first, 1);
        norm_of(f, f->power[j], last);
    }
}

/* Returns the least m for which the end of the series is below 2n·η; sets f->error to that end. */
static int terms_of(struct fixed *f, const mpfr_t norm_b)
{
    int m = 0;
    mpfr_t least;
    mpfr_init2(least, 64);
    mpfr_mul_ui(least, f->ulp, (unsigned long)f->n, MPFR_RNDD);
    mpfr_add(f->t, norm_b, f->error_of[1], MPFR_RNDU);
    mpfr_set(f->error, f->t, MPFR_RNDU);
    while (mpfr_greater_p(f->error, least)) {
        m++;
        mpfr_mul(f->error, f->error, f->t, MPFR_RNDU);
        mpfr_div_ui(f->error, f->error, (unsigned long)m + 1, MPFR_RNDU);
    }
    mpfr_mul_2ui(f->error, f->error, 1, MPFR_RNDU);
    mpfr_clear(least);
    return m;
}

/* Adds Σ_j coefficient[j]·B^j, for `count` coefficients, to `spare`, on the grid of twice the precision. */
static void add_block(struct fixed *f, const mpz_t *coefficient, int count)
{
    for (int i = 0; i < f->n; i++) {
        mpz_mul_2exp(f->dot, coefficient[0], (mp_bitcnt_t)f->precision);
        mpz_add(f->spare[i * f->n + i], f->spare[i * f->n + i], f->dot);
    }
    for (int j = 1; j < count; j++) {
        for (int i = 0; i < f->n * f->n; i++) {
            if (mpz_sgn(f->power[j][i])) {
                mpz_addmul(f->spare[i], f->power[j][i], coefficient[j]);
            }
        }
    }
}

bool fixed_exponential(struct fixed *f, const double *a, int squarings)
{
    mpfr_t first, last, block, end;
    mpfr_inits2(64, first, last, block, end, (mpfr_ptr)0);
    raise_powers(f, a, squarings, first, last);
    int m = terms_of(f, first), q = FIXED_POWERS;
    mpfr_set(end, f->error, MPFR_RNDU);
    mpz_t *coefficient = integers_new(m + 1, f->precision + 1);
    if (coefficient) {
        mpz_setbit(coefficient[0], (mp_bitcnt_t)f->precision);
    }
    for (int k = 1; coefficient && k <= m; k++) {
        mpz_tdiv_q_ui(coefficient[k], coefficient[k - 1], (unsigned long)k);
    }
    mpfr_mul_2ui(block, f->ulp, 1, MPFR_RNDU);
    for (int j = 1; j < q; j++) {
        mpfr_add(block, block, f->error_of[j], MPFR_RNDU);
    }
    mpfr_set_ui(f->error, 0, MPFR_RNDU);
    for (int i = 0; i < f->n * f->n; i++) {
        mpz_set_ui(f->sum[i], 0);
        mpz_set_ui(f->spare[i], 0);
    }
    for (int from = m / q * q; coefficient && from >= 0; from -= q) {
        norm_of(f, f->sum, f->norm);
        if (from + q <= m) {
            multiply(f, f->sum, f->power[q]);
        }
        add_errors(f, f->error, last, q);
        mpfr_add(f->error, f->error, block, MPFR_RNDU);
        add_block(f, (const mpz_t *)&coefficient[from], m + 1 - from < q ? m + 1 - from : q);
        truncate(f, f->sum);
    }
    mpfr_add(f->error, f->error, end, MPFR_RNDU);
    integers_free(coefficient, m + 1);
    mpfr_clears(first, last, block, end, (mpfr_ptr)0);
    return coefficient != NULL;
}

/* The error grows by ‖X̂² − X²‖ ≤ 2‖X̂‖e + e² and by what truncation adds. */
void fixed_square(struct fixed *f)
{
    norm_of(f, f->sum, f->norm);
    mpfr_mul_2ui(f->norm, f->norm, 1, MPFR_RNDU);
    mpfr_add(f->norm, f->norm, f->error, MPFR_RNDU);
    mpfr_mul(f->error, f->error, f->norm, MPFR_RNDU);
    mpfr_mul_ui(f->t, f->ulp, (unsigned long)f->n, MPFR_RNDU);
    mpfr_add(f->error, f->error, f->t, MPFR_RNDU);
    multiply(f, f->sum, f->sum);
    truncate(f, f->sum);
}
