/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Tests sums of powers, to the last bit, against MPFR sums of sufficient precision. */

#include "reference/numeric/exact/power_sum.h"
#include "reference/test/support.h"

#include <float.h>

enum { PRECISION = 4 * (2046 + 53) + 64 };

static void check(const double *x, int64_t n, int64_t apart, int p, const char *what)
{
    mpfr_t sum, expected, term;
    mpfr_inits2(PRECISION, sum, expected, term, (mpfr_ptr)0);
    mpfr_set_zero(expected, 1);
    for (int64_t i = 0; i < n; i++) {
        mpfr_set_d(term, x[i * apart], MPFR_RNDN);
        mpfr_pow_ui(term, term, (unsigned long)p, MPFR_RNDN);
        cr_assert_eq(mpfr_add(expected, expected, term, MPFR_RNDN), 0);
    }
    power_sum(x, n, apart, p, sum);
    cr_expect(mpfr_equal_p(sum, expected) || (mpfr_nan_p(sum) && mpfr_nan_p(expected)),
              "%s, order %d, %d terms", what, p, (int)n);
    mpfr_clears(sum, expected, term, (mpfr_ptr)0);
}

/* Magnitudes of any exponent from `least` to `most`, of full significands or of a few bits. */
static void fill(struct philox *g, double *x, int count, int least, int most)
{
    for (int i = 0; i < count; i++) {
        int e = least + (int)philox_below(g, (uint32_t)(most - least + 1));
        uint64_t m = philox_next64(g) >> (philox_next(g) & 1 ? 11 : 61);
        x[i] = ldexp((double)m, e - 53);
    }
}

Test(power_sum, has_every_bit_of_any_numbers)
{
    static const int range[][2] = {{0, 0}, {-20, 20}, {-1073, -1000}, {-1073, 1023}, {1000, 1023}};
    double x[600];
    struct philox g;
    philox_start(&g, 1);
    for (int round = 0; round < 200; round++) {
        const int *r = range[round % 5];
        int n = (int)philox_below(&g, 200), apart = 1 + round % 3;
        fill(&g, x, 600, r[0], r[1]);
        check(x, n, apart, 1 + round % 4, "random");
    }
}

/* Carries through all limbs, the range's ends, zeros alone, no terms, and what is no number. */
Test(power_sum, hostile_terms)
{
    static const double row[][5] = {{DBL_MAX, DBL_MAX, DBL_MAX, DBL_MAX, 0x1p-1074},
                                    {0, 0, 0, 0, 0},
                                    {0x1p-1074, 0x1p-1074, 0, 0, 0},
                                    {0x1p-1022, 0x1.fffffffffffffp-1023, 1, 0, 0x1p1023},
                                    {1, INFINITY, 2, 0, INFINITY},
                                    {1, NAN, INFINITY, 0, 3}};
    double x[4100];
    for (int p = 1; p <= POWER_SUM_MOST; p++) {
        for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
            check(row[k], 5, 1, p, "a row");
        }
        check(row[0], 0, 1, p, "nothing");
        for (int i = 0; i < 4100; i++) { /* 2^-1074 + Σ (2^(53(k + 1)) − 2^(53k))·2^-1074 = 2^(…) */
            x[i] = i < 39 ? ldexp(0x1p53 - 1, 53 * i - 1074) : 0;
        }
        x[4099] = 0x1p-1074;
        check(x, 4100, 1, p, "carries");
    }
}

Test(power_sum, a_million_terms)
{
    const int n = 1 << 20;
    double *x = malloc((size_t)n * sizeof *x);
    struct philox g;
    philox_start(&g, 2);
    fill(&g, x, n, -30, 30);
    check(x, n, 1, 1, "a million");
    check(x, n, 1, 2, "a million");
    free(x);
}
