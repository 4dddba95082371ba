/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/numeric/round_up.h"
#include "reference/test/support.h"

enum operation { SUM, PRODUCT, QUOTIENT, ROOT, OPERATIONS };

static double rounded_up(enum operation operation, double x, double y, mpfr_rnd_t direction)
{
    mpfr_t a, b;
    mpfr_init2(a, 53);
    mpfr_init2(b, 53);
    mpfr_set_d(a, x, MPFR_RNDN);
    mpfr_set_d(b, y, MPFR_RNDN);
    operation == SUM        ? mpfr_add(a, a, b, direction)
    : operation == PRODUCT  ? mpfr_mul(a, a, b, direction)
    : operation == QUOTIENT ? mpfr_div(a, a, b, direction)
                            : mpfr_sqrt(a, a, direction);
    double result = mpfr_get_d(a, direction);
    mpfr_clears(a, b, (mpfr_ptr)0);
    return result;
}

static double computed(enum operation operation, double x, double y)
{
    return operation == SUM        ? round_up_sum(x, y)
           : operation == PRODUCT  ? round_up_product(x, y)
           : operation == QUOTIENT ? round_up_quotient(x, y)
                                   : round_up_root(x);
}

/* The least double that is not below, by MPFR; and round to nearest is below it somewhere. */
Test(round_up, is_mpfr_rounded_up)
{
    int raised[OPERATIONS] = {0};
    uint64_t state = 7;
    for (int t = 0; t < 40000; t++) {
        double number[2];
        for (int k = 0; k < 2; k++) {
            state = state * 6364136223846793005U + 1442695040888963407U;
            int bits = t % 3 ? 53 : 12; /* some exact results */
            number[k] = ldexp(floor(ldexp((double)(state >> 11), bits - 53)) + 1, (int)(state % 61) - 30);
        }
        for (enum operation o = SUM; o < OPERATIONS; o++) {
            double wanted = rounded_up(o, number[0], number[1], MPFR_RNDU);
            cr_assert_eq(computed(o, number[0], number[1]), wanted, "operation %d of %a and %a", (int)o,
                         number[0], number[1]);
            raised[o] += wanted != rounded_up(o, number[0], number[1], MPFR_RNDN);
        }
    }
    for (int o = 0; o < OPERATIONS; o++) {
        cr_expect_gt(raised[o], 1000, "operation %d", o);
    }
}

Test(round_up, ends_of_the_range)
{
    cr_expect_eq(round_up_product(0x1p-538, 0x1p-538), 0x1p-1074);
    cr_expect_eq(round_up_product(0, INFINITY), 0);
    cr_expect_eq(round_up_product(1e200, 1e200), INFINITY);
    cr_expect_geq(round_up_product(0x1.8p-537, 0x1p-538), 0x1.8p-1074);
    cr_expect_geq(round_up_quotient(0x1p-1074, 3), 0x1p-1074);
    cr_expect_eq(round_up_quotient(1, 0), INFINITY);
    cr_expect_eq(round_up_quotient(1, INFINITY), 0);
    cr_expect_eq(round_up_quotient(0, 3), 0);
    cr_expect_eq(round_up_sum(0x1p-1074, 1), 1 + 0x1p-52);
    cr_expect_eq(round_up_sum(-0x1p-1074, 1), 1);
    cr_expect_eq(round_up_sum(INFINITY, 1), INFINITY);
    cr_expect_eq(round_up_sum(0x1.fffffffffffffp1023, 1), INFINITY);
    cr_expect_gt(round_up_root(0x1p-1073), sqrt(0x1p-1073));
    cr_expect_eq(round_up_root(0), 0);
    cr_expect_eq(round_up_root(INFINITY), INFINITY);
    cr_expect_gt(round_up_twice(-1), -1);
    cr_expect_eq(round_up_twice(-INFINITY), -INFINITY);
}
