/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/test/support.h"

static bool accepts_integer(enum dtype dtype, int64_t truth, double error, int64_t got)
{
    struct profile ieee = profile_ieee();
    struct value value = value_of_integer(truth);
    unsigned char bytes[8] = {0};
    struct accept accept;
    accept_default(&accept, dtype, &ieee, &value, error);
    dtype_store_integer(dtype, bytes, got);
    return accept_judge(&accept, bytes).accepted;
}

Test(accept, integers_within_so_many_steps)
{
    static const enum dtype dtypes[] = {DTYPE_INT8, DTYPE_UINT8, DTYPE_INT32, DTYPE_INT64};
    for (int d = 0; d < 4; d++) {
        for (int64_t got = 40; got < 60; got++) {
            int64_t steps = llabs(got - 50);
            cr_expect_eq(accepts_integer(dtypes[d], 50, 0, got), steps == 0, "%lld", (long long)got);
            cr_expect_eq(accepts_integer(dtypes[d], 50, 1, got), steps <= 1, "%lld", (long long)got);
            cr_expect_eq(accepts_integer(dtypes[d], 50, 2.75, got), steps <= 2, "%lld", (long long)got);
            cr_expect(accepts_integer(dtypes[d], 50, INFINITY, got));
            cr_expect(accepts_integer(dtypes[d], 50, NAN, got), "our own mistake");
        }
    }
    cr_expect(accepts_integer(DTYPE_INT32, 0, 1, -1) && accepts_integer(DTYPE_INT32, 1, 1, 0),
              "zero has no sign");
    cr_expect_not(accepts_integer(DTYPE_INT32, 0, 1, 2));
}

/* Next to the end there is nothing beyond it, and what wraps is far away. */
Test(accept, integers_end_with_their_range)
{
    cr_expect(accepts_integer(DTYPE_INT8, 127, 1, 126) && accepts_integer(DTYPE_INT8, 127, 1, 127));
    cr_expect_not(accepts_integer(DTYPE_INT8, 127, 1, -128));
    cr_expect_not(accepts_integer(DTYPE_UINT8, 0, 1, 255));
    cr_expect_not(accepts_integer(DTYPE_UINT8, 255, 200, 54));
    cr_expect(accepts_integer(DTYPE_UINT8, 255, 200, 55));
    cr_expect(accepts_integer(DTYPE_INT64, INT64_MAX, 1, INT64_MAX - 1));
    cr_expect_not(accepts_integer(DTYPE_INT64, INT64_MAX, 1, INT64_MAX - 2));
    cr_expect_not(accepts_integer(DTYPE_INT64, INT64_MIN, 1, INT64_MAX));
    cr_expect(accepts_integer(DTYPE_INT64, INT64_C(0x123456789ABCDEF), 1, INT64_C(0x123456789ABCDF0)));
    cr_expect_not(accepts_integer(DTYPE_INT64, INT64_C(0x123456789ABCDEF), 1, INT64_C(0x123456789ABCDF1)));
}

/* True and false have no steps between them. */
Test(accept, a_truth_value_is_exact)
{
    struct accept accept;
    struct profile ieee = profile_ieee();
    struct value one = value_of_integer(1);
    accept_default(&accept, DTYPE_BOOL, &ieee, &one, 1);
    cr_expect(accept_judge(&accept, &(unsigned char){1}).accepted);
    cr_expect_not(accept_judge(&accept, &(unsigned char){0}).accepted);
}
