/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Tests the error bound of an exponential in fixed point against a computation of much higher precision. */

#include "reference/numeric/matrix/fixed_matrix.h"
#include "reference/test/support.h"

enum { N = 26, SQUARINGS = 6 };

/* ‖x − y‖∞, y on the finer grid. */
static void distance(const struct fixed *x, const struct fixed *y, mpfr_t norm)
{
    mpz_t row, d;
    mpfr_t sum;
    mpz_inits(row, d, (mpz_ptr)0);
    mpfr_init2(sum, 64);
    mpfr_set_zero(norm, 1);
    for (int i = 0; i < x->n; i++) {
        mpz_set_ui(row, 0);
        for (int j = i * x->n; j < (i + 1) * x->n; j++) {
            mpz_mul_2exp(d, x->sum[j], (mp_bitcnt_t)(y->precision - x->precision));
            mpz_sub(d, d, y->sum[j]);
            mpz_abs(d, d);
            mpz_add(row, row, d);
        }
        mpfr_set_z_2exp(sum, row, -y->precision, MPFR_RNDD);
        mpfr_max(norm, norm, sum, MPFR_RNDD);
    }
    mpz_clears(row, d, (mpz_ptr)0);
    mpfr_clear(sum);
}

/* The error holds after the series and after every squaring; it is at most 2^8·n units before the first. */
static void check(int n, const double *a, int halvings, const char *what)
{
    struct fixed f, g;
    mpfr_t d;
    mpfr_init2(d, 64);
    cr_assert(fixed_create(&f, n, 160) && fixed_create(&g, n, 700));
    cr_assert(fixed_exponential(&f, a, halvings) && fixed_exponential(&g, a, halvings));
    cr_expect_leq(mpfr_get_d(f.error, MPFR_RNDU), 0x1p-152 * n, "%s, order %d", what, n);
    for (int s = 0; s <= SQUARINGS; s++) {
        distance(&f, &g, d);
        cr_expect(mpfr_lessequal_p(d, f.error), "%s, order %d, %d squarings: %g, declared %g", what, n, s,
                  mpfr_get_d(d, MPFR_RNDU), mpfr_get_d(f.error, MPFR_RNDU));
        fixed_square(&f);
        fixed_square(&g);
    }
    mpfr_clear(d);
    fixed_destroy(&f);
    fixed_destroy(&g);
}

/* The scalar e^x, which no other exponential of matrices has been asked for. */
static void check_scalar(double x)
{
    struct fixed f;
    mpfr_t y, z;
    mpfr_inits2(300, y, z, (mpfr_ptr)0);
    cr_assert(fixed_create(&f, 1, 200) && fixed_exponential(&f, &x, 0));
    mpfr_set_d(y, x, MPFR_RNDN);
    mpfr_exp(y, y, MPFR_RNDN);
    mpfr_set_z_2exp(z, f.sum[0], -200, MPFR_RNDN);
    mpfr_sub(y, y, z, MPFR_RNDN);
    cr_expect(mpfr_cmpabs(y, f.error) <= 0 && mpfr_cmp_d(f.error, 0x1p-190) < 0, "exp %g: %g, declared %g", x,
              mpfr_get_d(y, MPFR_RNDN), mpfr_get_d(f.error, MPFR_RNDN));
    mpfr_clears(y, z, (mpfr_ptr)0);
    fixed_destroy(&f);
}

Test(fixed_matrix, one_entry_is_the_exponential)
{
    static const double x[] = {0, 0.25, -0.25, 0x1p-30, -0.1, 0x1p-300, 0.2499999999};
    for (size_t k = 0; k < sizeof x / sizeof *x; k++) {
        check_scalar(x[k]);
    }
}

Test(fixed_matrix, the_declared_error_holds)
{
    static const int order[] = {1, 2, 3, 5, 8, 17, 23, 24, 25, N};
    double a[N * N];
    struct philox g;
    philox_start(&g, 1);
    for (int round = 0; round < 40; round++) {
        int n = order[round % 10], kind = round / 10;
        for (int i = 0; i < n * n; i++) { /* greatest, random, triangular, far apart */
            double x = kind == 0 ? 1 : kind == 2 && i / n >= i % n ? 0 : philox_signed(&g);
            a[i] = ldexp(x / n, kind == 3 ? -(int)philox_below(&g, 200) : -2);
        }
        check(n, a, 0, "‖A‖ ≤ 1/4");
        for (int i = 0; i < n * n; i++) {
            a[i] *= 0x1p40;
        }
        check(n, a, 40, "scaled");
    }
}
