/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Tests the table of angles: numbers of their dtype, each next to a whole multiple of π/2. */
#include "suites/shared/angles.h"

#include <criterion/criterion.h>
#include <math.h>
#include <mpfr.h>

/* Returns log2 of the distance of x from the nearest multiple of π/2, in units of π/2. */
static double distance(double x)
{
    mpfr_t half_pi, turns, whole;
    mpfr_inits2(1300, half_pi, turns, whole, NULL);
    mpfr_const_pi(half_pi, MPFR_RNDN);
    mpfr_div_2ui(half_pi, half_pi, 1, MPFR_RNDN);
    mpfr_d_div(turns, x, half_pi, MPFR_RNDN);
    mpfr_rint(whole, turns, MPFR_RNDN);
    mpfr_sub(turns, turns, whole, MPFR_RNDN);
    double away = mpfr_zero_p(turns) ? -INFINITY : (double)mpfr_get_exp(turns);
    mpfr_clears(half_pi, turns, whole, NULL);
    return away;
}

Test(angles, are_next_to_multiples_of_a_right_angle)
{
    int singles = angle_count(DTYPE_FLOAT32), all = angle_count(DTYPE_FLOAT64);
    cr_assert(singles > 120 && all > singles + 60);
    double greatest = 0, nearest = 0;
    for (int i = 0; i < all; i++) {
        double x = angle_at(DTYPE_FLOAT64, i), away = distance(x);
        cr_expect(i >= singles || (double)(float)x == x, "%a is no float32", x);
        cr_expect_lt(away, i < singles ? -17 : -46, "%a: 2^%g", x, away);
        greatest = fmax(greatest, x);
        nearest = fmin(nearest, away);
    }
    cr_expect_eq(distance(5.319372648326541e255), nearest, "the worst of all of float64");
    cr_expect_gt(greatest, 0x1p1000);
    cr_expect_eq(angle_count(DTYPE_FLOAT16), 0);
}
