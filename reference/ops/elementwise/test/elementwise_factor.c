/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* x ± alpha·y of add and sub: which results are accepted, where the product rounds and where it leaves the
 * range.
 */
#include "reference/test/call.h"

#include <float.h>

static struct call scaled(const char *op, enum dtype dtype, double x, double alpha, double y)
{
    struct call call = call_of(op);
    give(&call, dtype, shape_of(1, (int64_t)1), &x);
    give(&call, dtype, shape_of(1, (int64_t)1), &y);
    real_attribute(&call, "alpha", alpha);
    return call;
}

static void accepts(struct call call, double result)
{
    cr_expect(takes(&call, 0, 0, result), "%s: %a is legal", call.op, result);
    end(&call);
}

static void refuses_result(struct call call, double result)
{
    cr_expect_not(takes(&call, 0, 0, result), "%s: %a is wrong", call.op, result);
    end(&call);
}

/* One rounding or two are accepted; only one where both are equal. */
Test(elementwise_factor, the_product_may_round_or_be_fused)
{
    const float alpha = 1 + 0x1p-12F, x = -1; /* the square rounds 2^-24 away */
    volatile float product = alpha * alpha;
    const float plain = x + product, fused = fmaf(alpha, alpha, x);
    cr_assert_neq(plain, fused);
    accepts(scaled("add", DTYPE_FLOAT32, -1, (double)alpha, (double)alpha), (double)plain);
    accepts(scaled("add", DTYPE_FLOAT32, -1, (double)alpha, (double)alpha), (double)fused);
    accepts(scaled("sub", DTYPE_FLOAT32, -1, -(double)alpha, (double)alpha), (double)plain);
    refuses_result(scaled("add", DTYPE_FLOAT32, -1, (double)alpha, (double)alpha), 0);
    refuses_result(scaled("sub", DTYPE_FLOAT32, -1, (double)alpha, (double)alpha), (double)plain);
    refuses_result(scaled("add", DTYPE_FLOAT32, 1, 3, 0.1), INFINITY);
}

Test(elementwise_factor, a_power_of_two_leaves_one_rounding)
{
    const double ulp = 0x1p-23;
    accepts(scaled("add", DTYPE_FLOAT32, 1, 0.5, 0.75 * ulp), 1);
    refuses_result(scaled("add", DTYPE_FLOAT32, 1, 0.5, 0.75 * ulp), 1 + ulp);
    accepts(scaled("sub", DTYPE_FLOAT32, 1, -2, 0.3125 * ulp), 1 + ulp);
    refuses_result(scaled("sub", DTYPE_FLOAT32, 1, -2, 0.3125 * ulp), 1);
    accepts(scaled("add", DTYPE_FLOAT32, 1, 1, 0.3125 * ulp), 1);
    refuses_result(scaled("add", DTYPE_FLOAT32, 1, 1, 0.3125 * ulp), 1 + ulp);
    const double below_2 = 2 - 16 * ulp; /* where u·|truth| is nearly an ulp */
    accepts(scaled("add", DTYPE_FLOAT32, below_2, 0.5, 0.75 * ulp), below_2);
    refuses_result(scaled("add", DTYPE_FLOAT32, below_2, 0.5, 0.75 * ulp), below_2 + ulp);
}

/* Half of the least subnormal becomes 0 if it is rounded before it is added. */
Test(elementwise_factor, a_product_that_underflows)
{
    const double least = 0x1p-149;
    accepts(scaled("add", DTYPE_FLOAT32, least, 0.5, least), least);
    accepts(scaled("add", DTYPE_FLOAT32, least, 0.5, least), 2 * least);
    refuses_result(scaled("add", DTYPE_FLOAT32, least, 0.5, least), 4 * least);
    refuses_result(scaled("add", DTYPE_FLOAT32, least, 0.5, least), -least);
}

/* A tenth is no float: programs compute with the nearest one of the type or of a wider type. */
Test(elementwise_factor, alpha_is_rounded_to_what_is_computed_in)
{
    accepts(scaled("add", DTYPE_FLOAT32, 0, 0.1, 1), (double)0.1F);
    refuses_result(scaled("add", DTYPE_FLOAT32, 0, 0.1, 1), 0.1 + 0x1p-25);
    accepts(scaled("add", DTYPE_FLOAT64, 0, 0.1, 1), 0.1);
    refuses_result(scaled("add", DTYPE_FLOAT64, 0, 0.1, 1), (double)0.1F);
    accepts(scaled("add", DTYPE_FLOAT16, 0, 0.1, 1), 0x1.998p-4);
    refuses_result(scaled("add", DTYPE_FLOAT16, 0, 0.1, 1), 0x1.9a8p-4);
}

/* An infinite product, or a fused one that is not infinite. */
Test(elementwise_factor, a_product_that_leaves_the_range)
{
    static const double wrong[] = {0, 60000, -60000, 65504, -INFINITY, NAN};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        refuses_result(scaled("add", DTYPE_FLOAT32, 1, 1e38, 10), wrong[k]);
        refuses_result(scaled("add", DTYPE_FLOAT32, -3e38, 1e38, 7), wrong[k]);
        refuses_result(scaled("add", DTYPE_FLOAT64, 1, 1e308, 1e300), wrong[k]);
        refuses_result(scaled("add", DTYPE_FLOAT16, 1, 30000, 10), wrong[k]);
        refuses_result(scaled("sub", DTYPE_FLOAT32, -3e38, -1e38, 3.75), wrong[k]);
    }
    refuses_result(scaled("add", DTYPE_FLOAT32, 1, 1e38, 10), (double)FLT_MAX);
    refuses_result(scaled("add", DTYPE_FLOAT64, 1, 1e308, 1e300), DBL_MAX);
    accepts(scaled("add", DTYPE_FLOAT32, 1, 1e38, 10), INFINITY);
    accepts(scaled("sub", DTYPE_FLOAT64, 1, 1e308, 1e300), -INFINITY);
    accepts(scaled("sub", DTYPE_FLOAT32, -3e38, -1e38, 3.75), INFINITY);
    accepts(scaled("sub", DTYPE_FLOAT32, -3e38, -1e38, 3.75), (double)fmaf(1e38F, 3.75F, -3e38F));
    refuses_result(scaled("add", DTYPE_FLOAT16, -40000, 30000, 3), 30000); /* the truth is 50,000 */
    accepts(scaled("add", DTYPE_FLOAT16, -40000, 30000, 3), 50000);
}

Test(elementwise_factor, infinities)
{
    accepts(scaled("add", DTYPE_FLOAT32, -INFINITY, 2, 1), -INFINITY);
    refuses_result(scaled("add", DTYPE_FLOAT32, -INFINITY, 2, 1), NAN);
    accepts(scaled("add", DTYPE_FLOAT32, -INFINITY, 1e38, 10), -INFINITY);
    accepts(scaled("add", DTYPE_FLOAT32, -INFINITY, 1e38, 10), NAN); /* including an infinite product */
    refuses_result(scaled("add", DTYPE_FLOAT32, -INFINITY, 1e38, 10), INFINITY);
    accepts(scaled("add", DTYPE_FLOAT32, 1, 0, INFINITY), NAN);
    refuses_result(scaled("add", DTYPE_FLOAT32, 1, 0, INFINITY), 1);
    accepts(scaled("sub", DTYPE_FLOAT32, INFINITY, -2, -INFINITY), NAN);
    accepts(scaled("sub", DTYPE_FLOAT32, 5, 0, 3), 5);
}

/* Where the direction of rounding is open, an infinite product may be the greatest number, and the sum any
 * number. */
Test(elementwise_factor, an_open_direction)
{
    struct call open = scaled("add", DTYPE_FLOAT32, -3e38, 1e38, 3.75),
                plain = scaled("add", DTYPE_FLOAT32, 1, 3, 0.1);
    open.profile.rounding[DTYPE_FLOAT32] = plain.profile.rounding[DTYPE_FLOAT32] = ROUNDING_OPEN;
    accepts(open, (double)FLT_MAX - 3e38);
    refuses_result(plain, 1.31);
}

/* For 16-bit types the sum is computed in the type, or held in float32 and rounded again. */
Test(elementwise_factor, sums_that_are_held_in_a_wider_type)
{
    struct call half = scaled("add", DTYPE_FLOAT16, 1, 0.3, 1), wide = half;
    half.profile.accumulate[DTYPE_FLOAT16] = DTYPE_FLOAT16;
    wide = scaled("add", DTYPE_FLOAT16, 1, 0.3, 1);
    wide.profile.accumulate[DTYPE_FLOAT16] = DTYPE_FLOAT32;
    refuses_result(wide, 1.3 + 0x1p-9);
    accepts(half, 1.2998046875);
}
