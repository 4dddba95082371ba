/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/test/support.h"

Test(dtype, names_are_those_of_the_array_api)
{
    static const char *const names[] = {"float16", "bfloat16", "float32", "float64", "complex64",
                                        "int8",    "uint8",    "int32",   "int64",   "bool"};
    for (int d = 0; d < DTYPE_COUNT; d++) {
        enum dtype found = DTYPE_COUNT;
        cr_assert_str_eq(dtype_info((enum dtype)d)->name, names[d]);
        cr_assert(dtype_from_name(names[d], &found));
        cr_assert_eq(found, (enum dtype)d);
    }
    enum dtype untouched = DTYPE_INT8;
    cr_assert_not(dtype_from_name("half", &untouched));
    cr_assert_eq(untouched, DTYPE_INT8);
}

Test(dtype, every_16_bit_pattern_survives_a_round_trip)
{
    for (unsigned bits = 0; bits < 65536; bits++) {
        for (int d = DTYPE_FLOAT16; d <= DTYPE_BFLOAT16; d++) {
            unsigned char bytes[2], back[2];
            dtype_store_bits((enum dtype)d, bytes, bits);
            double x = dtype_load((enum dtype)d, bytes);
            dtype_store((enum dtype)d, back, x);
            if (isnan(x)) {
                cr_assert(isnan(dtype_load((enum dtype)d, back)));
            } else {
                cr_assert_eq(dtype_bits((enum dtype)d, back), bits, "%s 0x%04x came back as 0x%04llx",
                             dtype_info((enum dtype)d)->name, bits,
                             (unsigned long long)dtype_bits((enum dtype)d, back));
            }
        }
    }
}

/* A double anywhere in the range where a conversion to float16 or bfloat16 has something to decide. */
static double interesting(struct philox *generator)
{
    double x = ldexp(1 + philox_unit(generator), (int)philox_below(generator, 300) - 160);
    unsigned kind = philox_below(generator, 4);
    if (kind == 0) { /* near a tie */
        x = ldexp(nearbyint(ldexp(philox_unit(generator), 12)) + 0.5, (int)philox_below(generator, 60) - 40);
        x = philox_below(generator, 2) ? x : nextafter(x, philox_below(generator, 2) ? 0 : INFINITY);
    }
    return philox_below(generator, 2) ? -x : x;
}

Test(dtype, stores_agree_with_mpfr_on_a_million_doubles)
{
    static const enum dtype targets[] = {DTYPE_FLOAT16, DTYPE_BFLOAT16, DTYPE_FLOAT32};
    struct philox generator;
    philox_start(&generator, 1);
    mpfr_t m;
    mpfr_init2(m, 53);
    for (int i = 0; i < 350000; i++) {
        double x = interesting(&generator);
        mpfr_set_d(m, x, MPFR_RNDN);
        for (int t = 0; t < 3; t++) {
            unsigned char a[8] = {0}, b[8] = {0};
            dtype_store(targets[t], a, x);
            dtype_store_mpfr(targets[t], b, m);
            cr_assert_eq(dtype_bits(targets[t], a), dtype_bits(targets[t], b),
                         "%s of %a: 0x%llx, MPFR 0x%llx", dtype_info(targets[t])->name, x,
                         (unsigned long long)dtype_bits(targets[t], a),
                         (unsigned long long)dtype_bits(targets[t], b));
        }
    }
    mpfr_clear(m);
}

#ifdef __FLT16_MAX__
/* The compiler's own binary16: an implementation that this project did not write. */
Test(dtype, float16_agrees_with_the_compiler)
{
    struct philox generator;
    philox_start(&generator, 2);
    for (int i = 0; i < 300000; i++) {
        float x = (float)interesting(&generator);
        __extension__ _Float16 y = (_Float16)x;
        unsigned char a[2], b[2];
        dtype_store(DTYPE_FLOAT16, a, (double)x);
        memcpy(b, &y, 2);
        cr_assert_arr_eq(a, b, 2, "float16 of %a", (double)x);
    }
}
#endif

Test(dtype, pairs_round_once)
{
    struct {
        enum dtype dtype;
        double hi, lo, expect;
    } row[] = {
        {DTYPE_FLOAT32, 1 + 0x1p-24, 0x1p-80, 1 + 0x1p-23}, /* just above a tie */
        {DTYPE_FLOAT32, 1 + 0x1p-24, -0x1p-80, 1},          /* just below */
        {DTYPE_FLOAT32, 1 + 0x1p-24, 0, 1},                 /* a tie goes to even */
        {DTYPE_FLOAT32, 1 + 3 * 0x1p-24, 0, 1 + 0x1p-22},
        {DTYPE_FLOAT16, 1 + 0x1p-11, 0x1p-70, 1 + 0x1p-10},
        {DTYPE_FLOAT16, 65519.99, 0, 65504},
        {DTYPE_FLOAT16, 65520, 0, INFINITY},
        {DTYPE_FLOAT16, 65520, -0x1p-50, 65504},
        {DTYPE_FLOAT16, 0x1p-25, 0, 0}, /* half the least subnormal: a tie */
        {DTYPE_FLOAT16, 0x1p-25, 0x1p-90, 0x1p-24},
        {DTYPE_FLOAT16, -0x1p-26, 0, -0.0},
        {DTYPE_FLOAT32, 0x1p-1074, 0, 0},
        {DTYPE_BFLOAT16, 0x1.01p0, 0, 1},
        {DTYPE_BFLOAT16, -0x1.01p0, -0x1p-60, -0x1.02p0},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        unsigned char bytes[8];
        dtype_store_dd(row[i].dtype, bytes, row[i].hi, row[i].lo);
        double got = dtype_load(row[i].dtype, bytes);
        cr_assert(got == row[i].expect && signbit(got) == signbit(row[i].expect), "row %zu: %a", i, got);
    }
    int64_t big = 0;
    dtype_store_dd(DTYPE_INT64, &big, 0x1p63, -1);
    cr_assert_eq(big, INT64_MAX);
}

Test(dtype, ulp_is_smaller_at_powers_of_two_and_constant_below_the_least_normal)
{
    cr_assert_eq(dtype_ulp(DTYPE_FLOAT32, 1.5), 0x1p-23);
    cr_assert_eq(dtype_ulp(DTYPE_FLOAT32, 1), 0x1p-24);
    cr_assert_eq(dtype_ulp(DTYPE_FLOAT32, -2), 0x1p-23);
    cr_assert_eq(dtype_ulp(DTYPE_FLOAT32, 0x1p-126), 0x1p-149);
    cr_assert_eq(dtype_ulp(DTYPE_FLOAT32, 0x1p-149), 0x1p-149);
    cr_assert_eq(dtype_ulp(DTYPE_FLOAT16, 0), 0x1p-24);
    cr_assert_eq(dtype_ulp(DTYPE_BFLOAT16, 1.5), 0x1p-7);
    cr_assert_eq(dtype_ulp(DTYPE_INT32, 77), 1);
}

Test(dtype, limits)
{
    cr_assert_eq(dtype_max(DTYPE_FLOAT16), 65504);
    cr_assert_eq(dtype_max(DTYPE_FLOAT32), (double)3.40282346638528859812e+38F);
    cr_assert_eq(dtype_max(DTYPE_BFLOAT16), 0x1.FEp127);
    cr_assert_eq(dtype_least_normal(DTYPE_FLOAT16), 0x1p-14);
    cr_assert_eq(dtype_least_subnormal(DTYPE_FLOAT64), 0x1p-1074);
    cr_assert_eq(dtype_unit_roundoff(DTYPE_BFLOAT16), 0x1p-8);
}
