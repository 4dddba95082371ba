/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/shared/functions.h"

#include <criterion/criterion.h>

/* Of more bits than the dtype has those above go when they are stored: what is 0 or −1 without them divides
 * nothing. */
Test(functions, divisors_are_neither_0_nor_minus_1)
{
    static const char *const names[] = {"fmod", "remainder", "floor_divide", "div"};
    static const uint64_t bits[] = {0, UINT64_C(0xFFFFFFFF), UINT64_C(0x100000000), UINT64_MAX};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        const struct function *f = function_named(names[n]);
        for (size_t k = 0; k < sizeof bits / sizeof *bits; k++) {
            uint32_t narrow = (uint32_t)function_bits(f, 1, DTYPE_INT32, bits[k]);
            uint64_t wide = function_bits(f, 1, DTYPE_INT64, bits[k]);
            cr_expect(narrow != 0 && narrow != UINT32_MAX, "%s: %#x", names[n], (unsigned)narrow);
            cr_expect(wide != 0 && wide != UINT64_MAX, "%s: %#llx", names[n], (unsigned long long)wide);
        }
        cr_expect_eq(function_bits(f, 1, DTYPE_INT32, 7), 7);
        cr_expect_eq(function_bits(f, 0, DTYPE_INT32, 0), 0, "dividends may be 0");
    }
}

Test(functions, shifts_are_less_than_the_width)
{
    const struct function *f = function_named("bitwise_left_shift");
    for (uint64_t bits = 0; bits < 200; bits++) {
        cr_expect_lt(function_bits(f, 1, DTYPE_INT32, bits), 32);
        cr_expect_lt(function_bits(f, 1, DTYPE_INT64, bits), 64);
    }
}
