/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/test/support.h"

Test(truth, values_print_to_30_digits)
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

Test(truth, survives_serialisation_and_refuses_damage)
{
    double a[8] = {0x1p-140, 2, 3, 4, 1, 2, 2, 4};
    struct tensor tensor = tensor_from(DTYPE_FLOAT32, shape_of(3, (int64_t)2, (int64_t)2, (int64_t)2), a);
    struct truth *truth = truth_of_call("slogdet", NULL, 1, &tensor);
    cr_assert_not_null(truth->flushed);
    size_t size = 0, size_again = 0;
    unsigned char *bytes = truth_serialize(truth, &size);
    struct truth *again = truth_deserialize(bytes, size);
    cr_assert_not_null(again);
    unsigned char *bytes_again = truth_serialize(again, &size_again);
    cr_assert_eq(size, size_again);
    cr_assert_arr_eq(bytes, bytes_again, size);
    for (size_t cut = 0; cut < size; cut += 7) {
        cr_assert_null(truth_deserialize(bytes, cut), "cut at %zu", cut);
    }
    bytes[0] ^= 1;
    cr_assert_null(truth_deserialize(bytes, size));
    truth_destroy(&truth);
    truth_destroy(&again);
    cr_assert_null(again);
    truth_destroy(&again);
    tensor_destroy(&tensor);
    free(bytes);
    free(bytes_again);
}
