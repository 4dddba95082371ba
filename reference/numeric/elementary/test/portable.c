/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/numeric/elementary/portable.h"
#include "reference/base/philox.h"

#include <criterion/criterion.h>
#include <float.h>
#include <mpfr.h>

enum { DRAWS = 20000 };

static double draw(struct philox *generator)
{
    int exponent = (int)(philox_next64(generator) % 2046) - 1022;
    return ldexp(1 + (double)(philox_next64(generator) >> 12) * 0x1p-52, exponent);
}

Test(portable, hypot_is_within_two_roundings_at_every_scale)
{
    struct philox generator;
    philox_start(&generator, 1);
    mpfr_t exact, other;
    mpfr_inits2(200, exact, other, (mpfr_ptr)0);
    for (int i = 0; i < DRAWS; i++) {
        double x = draw(&generator), y = fmin(ldexp(x, (int)(philox_next64(&generator) % 60) - 30), DBL_MAX);
        y *= 1 - ldexp((double)(philox_next64(&generator) >> 12), -53);
        mpfr_set_d(exact, x, MPFR_RNDN);
        mpfr_set_d(other, y, MPFR_RNDN);
        mpfr_hypot(exact, exact, other, MPFR_RNDN);
        double expected = mpfr_get_d(exact, MPFR_RNDN), got = portable_hypot(x, y);
        if (isinf(expected) || isinf(got)) {
            cr_expect(fmin(expected, got) > DBL_MAX * (1 - 0x1p-51), "%a, %a: %a", x, y, got);
            continue;
        }
        mpfr_sub_d(exact, exact, got, MPFR_RNDN);
        cr_expect(fabs(mpfr_get_d(exact, MPFR_RNDN)) <= 0x1p-52 * expected + 0x1p-1074, "%a, %a: %a", x, y,
                  got);
        cr_expect_eq(got, portable_hypot(-y, x));
    }
    mpfr_clears(exact, other, (mpfr_ptr)0);
}

Test(portable, hypot_has_the_ends_of_annex_f)
{
    cr_expect_eq(portable_hypot(INFINITY, NAN), INFINITY);
    cr_expect_eq(portable_hypot(NAN, -INFINITY), INFINITY);
    cr_expect(isnan(portable_hypot(NAN, 1)));
    cr_expect_eq(portable_hypot(-3, 0), 3);
    cr_expect_eq(portable_hypot(0, 0x1p-1074), 0x1p-1074);
    cr_expect_eq(portable_hypot(3, 4), 5);
    cr_expect_eq(portable_hypot(DBL_MAX, DBL_MAX), INFINITY);
}

Test(portable, log2_above_is_an_upper_bound_close_by)
{
    struct philox generator;
    philox_start(&generator, 2);
    mpfr_t exact;
    mpfr_init2(exact, 200);
    for (int i = 0; i < DRAWS; i++) {
        double x =
            i % 2 ? draw(&generator) : 1 + ldexp((double)(philox_next64(&generator) >> 40), -40 - i % 12);
        double above = portable_log2_above(x);
        mpfr_set_d(exact, x, MPFR_RNDN);
        mpfr_log2(exact, exact, MPFR_RNDN);
        cr_expect(mpfr_cmp_d(exact, above) <= 0, "%a: %a", x, above);
        double nearest = mpfr_get_d(exact, MPFR_RNDN);
        cr_expect(above - nearest <= 0x1p-48 * fabs(nearest), "%a: %a", x, above);
    }
    mpfr_clear(exact);
    cr_expect_eq(portable_log2_above(0), -INFINITY);
    cr_expect_eq(portable_log2_above(INFINITY), INFINITY);
    cr_expect(isnan(portable_log2_above(NAN)));
}

Test(portable, whole_logarithms_are_exact)
{
    for (int k = -1074; k < 1024; k++) {
        double x = ldexp(1, k);
        cr_expect_eq(portable_log2(x), k);
        cr_expect_eq(portable_log2_ceiling(x), k);
        cr_expect_eq(portable_log2_floor(x), k);
        if (k > -1022) {
            cr_expect_eq(portable_log2_ceiling(nextafter(x, INFINITY)), k + 1);
            cr_expect_eq(portable_log2_floor(nextafter(x, 0)), k - 1);
        }
    }
    cr_expect_eq(portable_power(3, 0), 1);
    cr_expect_eq(portable_power(18, 5), 1889568);
}
