/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/numeric/value.h"

#include <criterion/criterion.h>

Test(value, prints_to_30_digits)
{
    struct value third;
    mpfr_t x;
    mpfr_init2(x, 300);
    mpfr_set_si(x, 1, MPFR_RNDN);
    mpfr_div_ui(x, x, 3, MPFR_RNDN);
    third = value_from_mpfr(x, false);
    char text[64];
    value_print(&third, 30, text, sizeof text);
    cr_assert_str_eq(text, "0.333333333333333333333333333333");
    struct value minus_zero = value_of(-0.0);
    value_print(&minus_zero, 30, text, sizeof text);
    cr_assert_str_eq(text, "-0");
    mpfr_set_si_2exp(x, 3, -2000, MPFR_RNDN); /* beyond float64's range */
    struct value tiny = value_from_mpfr(x, true);
    mpfr_t back;
    mpfr_init2(back, 300);
    value_to_mpfr(&tiny, back);
    cr_assert(tiny.exact && mpfr_equal_p(x, back));
    mpfr_clears(x, back, (mpfr_ptr)0);
}
