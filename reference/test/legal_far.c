/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Results of legal algorithms for operands far outside an operator's usual range are accepted, wrong results
 * beside them are not. */

#include "reference/test/call.h"

/* Finite terms may overflow before they are added to an infinity of the other sign: NaN is then right beside
 * the infinity. If they cannot overflow, only the infinity is right. */
static void meets(struct call call, double truth, bool may)
{
    cr_expect(takes(&call, 0, 0, truth), "%s: %g", call.op, truth);
    cr_expect_eq(takes(&call, 0, 0, NAN), may, "%s of %s: NaN %d", call.op,
                 dtype_info(call.input[0].dtype)->name, may);
    cr_expect_not(takes(&call, 0, 0, 1), "%s: 1", call.op);
    end(&call);
}

static struct call summed(const char *op, enum dtype dtype, double a, double b, double c)
{
    struct call call = call_of(op);
    VECTOR(&call, dtype, a, b, -INFINITY, c);
    return call;
}

/* The gradient of a weight: the sum of grad·x over negative x. */
static struct call weighed(enum dtype dtype, double a, double b, double c)
{
    struct call call = call_of("prelu_backward_weight");
    VECTOR(&call, dtype, a, b, INFINITY, c);
    VECTOR(&call, dtype, -1, -1, -1, -1);
    VECTOR(&call, dtype, 0.5);
    return call;
}

/* 2·(x − mean)/(n − 1): of the first element, whose mean is −inf. */
static struct call varied(enum dtype dtype, double a, double b, double c)
{
    struct call call = call_of("var_backward");
    give(&call, dtype, shape_of(0), (double[]){1});
    VECTOR(&call, dtype, a, b, -INFINITY, c);
    return call;
}

Test(legal_far, what_is_finite_may_overflow_against_an_infinity)
{
    static const enum dtype dtypes[] = {DTYPE_FLOAT32, DTYPE_BFLOAT16, DTYPE_FLOAT64};
    for (int d = 0; d < 3; d++) {
        const double most = dtypes[d] == DTYPE_FLOAT64 ? 1.5e308 : 3e38;
        meets(summed("sum", dtypes[d], most, most, 1), -INFINITY, true);
        meets(summed("sum", dtypes[d], -most, -most, -1), -INFINITY, false);
        meets(summed("sum", dtypes[d], 1, 2, 1), -INFINITY, false);
        meets(summed("mean", dtypes[d], most, most, 1), -INFINITY, true);
        meets(weighed(dtypes[d], -most, -most, 1), -INFINITY, true);
        meets(weighed(dtypes[d], 1, 2, 3), -INFINITY, false);
        meets(varied(dtypes[d], most, most, 1), INFINITY, true);
        meets(varied(dtypes[d], 1, 2, 3), INFINITY, false);
    }
}

/* Half of float64's least number is no double: a quotient that is subnormal, times 1000. */
Test(legal_far, a_subnormal_quotient_that_is_multiplied)
{
    struct call call = call_of("addcdiv");
    const double x = -0x1p-1019, y = -0x1.07p-1027, z = 11.25;
    VECTOR(&call, DTYPE_FLOAT64, x);
    VECTOR(&call, DTYPE_FLOAT64, y);
    VECTOR(&call, DTYPE_FLOAT64, z);
    real_attribute(&call, "value", -1000);
    cr_expect(takes(&call, 0, 0, x - 1000 * (y / z)) && takes(&call, 0, 0, x + -1000 * y / z));
    cr_expect_not(takes(&call, 0, 0, (x - 1000 * (y / z)) * (1 + 0x1p-30)));
    end(&call);
}

static void overflows(const char *op, double y, double z, double value, double truth, bool may)
{
    struct call call = call_of(op);
    VECTOR(&call, DTYPE_FLOAT32, 11);
    VECTOR(&call, DTYPE_FLOAT32, y);
    VECTOR(&call, DTYPE_FLOAT32, z);
    real_attribute(&call, "value", value);
    cr_expect(takes(&call, 0, 0, (float)truth), "%s: %g", op, truth);
    cr_expect_eq(takes(&call, 0, 0, copysign(INFINITY, truth)), may, "%s: inf", op);
    cr_expect_not(takes(&call, 0, 0, 1.01 * truth), "%s: %g", op, 1.01 * truth);
    end(&call);
}

/* Three factors, a product of two of which may overflow where that of all does not: an infinity is right
 * then, and no other number than the result. */
Test(legal_far, an_order_of_factors_that_overflows)
{
    static const char *const quotients[] = {"addcdiv", "addcdiv_"}, *const products[] = {"addcmul",
                                                                                         "addcmul_"};
    for (int k = 0; k < 2; k++) {
        overflows(quotients[k], -2.25e38, -7.5, 2, 11 + 6e37, true);
        overflows(quotients[k], 1e38, 0.125, 0.25, 11 + 2e38, true);
        overflows(quotients[k], -1.5e38, -7.5, 2, 11 + 4e37, false);
        overflows(products[k], 1e20, 1e20, 0x1p-20, 11 + 1e40 * 0x1p-20, true);
        overflows(products[k], 1e38, 0x1p-20, 1024, 11 + 1e38 / 1024, true);
        overflows(products[k], 1e30, 1e5, 1000, 11 + 1e38, false);
    }
}

/* a22 - (a21/a11)·a12 overflows where the determinant does not, and cannot where entries are less. */
Test(legal_far, an_elimination_that_overflows)
{
    static const double size[] = {3e38, 1e38};
    for (int k = 0; k < 2; k++) {
        struct call log = call_of("logdet"), both = call_of("slogdet");
        const double a = size[k], truth = 2 * log10(a) * 2.302585092994046 + 0.69314718055994531;
        MATRIX(&log, DTYPE_FLOAT32, 2, 2, a, -a, a, a);
        MATRIX(&both, DTYPE_FLOAT32, 2, 2, a, -a, a, a);
        cr_expect(takes(&log, 0, 0, (double)(float)truth) && takes(&both, 1, 0, (double)(float)truth));
        cr_expect_eq(takes(&log, 0, 0, INFINITY), k == 0);
        cr_expect_eq(takes(&both, 1, 0, INFINITY), k == 0);
        cr_expect_eq(takes(&both, 0, 0, NAN), k == 0);
        cr_expect(takes(&both, 0, 0, 1));
        cr_expect_not(takes(&log, 0, 0, 80) || takes(&both, 1, 0, 80));
        end(&log);
        end(&both);
    }
}

/* x - mean is the difference of two numbers that may round to either side, or is far from 0. */
Test(legal_far, an_infinite_gradient_of_a_deviation)
{
    static const double x[2][3] = {{1, 1.0000001192092896, 1}, {1, 2, 4}};
    for (int k = 0; k < 2; k++) {
        struct call call = call_of("var_backward");
        give(&call, DTYPE_FLOAT32, shape_of(0), (double[]){INFINITY});
        give(&call, DTYPE_FLOAT32, shape_of(1, (int64_t)3), x[k]);
        cr_expect(takes(&call, 0, 0, -INFINITY));
        cr_expect_eq(takes(&call, 0, 0, INFINITY), k == 0, "%d", k);
        cr_expect_eq(takes(&call, 0, 0, NAN), k == 0, "%d", k);
        cr_expect_not(takes(&call, 0, 0, 1));
        end(&call);
    }
}

/* A softmax of 1e-50 is 0 in float32, and 0 times infinity is NaN. */
Test(legal_far, an_infinite_gradient_of_what_vanishes)
{
    for (int k = 0; k < 2; k++) {
        struct call call = call_of("logsumexp_backward");
        give(&call, DTYPE_FLOAT32, shape_of(0), (double[]){-INFINITY});
        VECTOR(&call, DTYPE_FLOAT32, k ? -10 : -115, 0);
        cr_expect(takes(&call, 0, 0, -INFINITY));
        cr_expect_eq(takes(&call, 0, 0, NAN), k == 0, "%d", k);
        cr_expect_not(takes(&call, 0, 0, INFINITY) || takes(&call, 0, 1, NAN));
        end(&call);
    }
}

static struct call entropy(const char *op, double weight, double smoothing, double grad, int classes)
{
    struct call call = call_of(op);
    const double x[] = {1, 0.5}, target[] = {0}, weights[] = {weight, weight};
    if (strcmp(op, "cross_entropy")) {
        give(&call, DTYPE_FLOAT32, shape_of(0), &grad);
    }
    give(&call, DTYPE_FLOAT32, shape_of(2, (int64_t)1, (int64_t)classes), x);
    give(&call, DTYPE_INT64, shape_of(1, (int64_t)1), target);
    give(&call, DTYPE_FLOAT32, shape_of(1, (int64_t)classes), weights);
    real_attribute(&call, "label_smoothing", smoothing);
    return call;
}

/* Of one class the gradient is -inf·0. */
Test(legal_far, an_infinite_gradient_of_one_class_is_no_number)
{
    static const double smoothing[] = {0, 0.1, 0.25};
    for (int k = 0; k < 3; k++) {
        struct call call = entropy("cross_entropy_backward", 1, smoothing[k], -INFINITY, 1);
        cr_expect(takes(&call, 0, 0, NAN), "%g", smoothing[k]);
        cr_expect_not(takes(&call, 0, 0, 0), "%g", smoothing[k]);
        end(&call);
    }
}

/* 2·q times an exponential that no interval tells from 0, beside a rest that is exactly 0: the
 * precision ladder ends. */
Test(legal_far, what_is_exponentially_small_decides_a_gradient)
{
    struct call call = call_of("cross_entropy_backward");
    const struct attribute none = {.name = "reduction", .type = ATTRIBUTE_CHOICE, .word = "none"};
    VECTOR(&call, DTYPE_FLOAT32, 1);
    MATRIX(&call, DTYPE_FLOAT32, 1, 3, 0, 0, -6.5e36);
    MATRIX(&call, DTYPE_FLOAT32, 1, 3, 0.9375, 0.46875, 0.46875);
    call.attributes = (struct attributes){.count = 1, .item = {none}};
    cr_expect(takes(&call, 0, 0, 0) && takes(&call, 0, 1, 0.46875));
    cr_expect_not(takes(&call, 0, 0, 0.1) || takes(&call, 0, 1, 0.5));
    end(&call);
}

/* The classes' weights may overflow together, before they are divided by each other. */
Test(legal_far, weights_of_classes_that_overflow)
{
    struct call far = entropy("cross_entropy_backward", 3e38, 0.5, 1, 2),
                near = entropy("cross_entropy_backward", 1e38, 0.5, 1, 2);
    cr_expect(takes(&far, 0, 0, NAN) && takes(&far, 0, 0, -INFINITY));
    cr_expect_not(takes(&near, 0, 0, NAN) || takes(&near, 0, 0, -INFINITY));
    end(&far);
    end(&near);
}

/* A weight times a probability that underflows, times the infinite surprise of a class. */
Test(legal_far, a_share_that_underflows_beside_an_infinity)
{
    static const double weight[] = {5e-40, 5e-30};
    for (int k = 0; k < 2; k++) {
        struct call call = call_of("cross_entropy");
        const struct attribute none = {.name = "reduction", .type = ATTRIBUTE_CHOICE, .word = "none"};
        MATRIX(&call, DTYPE_FLOAT32, 1, 2, -INFINITY, 1);
        MATRIX(&call, DTYPE_FLOAT32, 1, 2, 1e-8, 0.5);
        VECTOR(&call, DTYPE_FLOAT32, weight[k], 1);
        call.attributes = (struct attributes){.count = 1, .item = {none}};
        cr_expect(takes(&call, 0, 0, INFINITY));
        cr_expect_eq(takes(&call, 0, 0, NAN), k == 0, "%g", weight[k]);
        end(&call);
    }
}

/* The subnormal divisor counts as 0 in some programs: a product that is no double, over 0, is an infinity. */
Test(legal_far, an_inexact_product_over_zero)
{
    struct call call = call_of("addcdiv");
    VECTOR(&call, DTYPE_FLOAT64, 1, 1);
    VECTOR(&call, DTYPE_FLOAT64, 2.1e307, 2.1e307);
    VECTOR(&call, DTYPE_FLOAT64, 0x1p-1070, -0x1p-1070);
    real_attribute(&call, "value", 0.3);
    cr_expect(takes(&call, 0, 0, INFINITY) && takes(&call, 0, 1, -INFINITY));
    cr_expect_not(takes(&call, 0, 0, -INFINITY) || takes(&call, 0, 0, 1));
    end(&call);
}

/* x·r is 0 in float32 where it is 1.6e-47, however large what it is multiplied by is. */
Test(legal_far, a_normalized_number_that_underflows_before_it_is_multiplied)
{
    struct call call = call_of("rms_norm_backward");
    MATRIX(&call, DTYPE_FLOAT32, 1, 2, 1.4e35, 1);
    MATRIX(&call, DTYPE_FLOAT32, 1, 2, 8e-13, 7e34);
    VECTOR(&call, DTYPE_FLOAT32, 1, 1);
    integers_attribute(&call, "normalized_shape", integers_of(1, (int64_t)2));
    real_attribute(&call, "eps", 1e-5);
    const double truth = 1.4e35 * (8e-13 / (7e34 / sqrt(2)));
    cr_expect(takes(&call, 1, 0, truth) && takes(&call, 1, 0, 0), "%g", truth);
    cr_expect_not(takes(&call, 1, 0, 1e-9));
    end(&call);
}

/* Operands far outside what an operator is for, and what its legal forms make of them. */
Test(legal_far, losses_and_scales_far_from_what_they_are_for)
{
    struct call kl = call_of("kl_div"), logits = call_of("binary_cross_entropy_with_logits"),
                scaled = call_of("dequantize_per_channel"),
                fake = call_of("fake_quantize_per_channel_affine");
    const struct attribute none = {.name = "reduction", .type = ATTRIBUTE_CHOICE, .word = "none"};
    VECTOR(&kl, DTYPE_FLOAT32, INFINITY, INFINITY);
    VECTOR(&kl, DTYPE_FLOAT32, 9.6e36, 2);
    kl.attributes = (struct attributes){.count = 1, .item = {none}};
    cr_expect(takes(&kl, 0, 0, -INFINITY) && takes(&kl, 0, 0, NAN), "y*log(y) overflows against y*x");
    cr_expect(takes(&kl, 0, 1, -INFINITY) && !takes(&kl, 0, 1, NAN));
    VECTOR(&logits, DTYPE_FLOAT32, 3.25e25, -3, 3);
    VECTOR(&logits, DTYPE_FLOAT32, INFINITY, INFINITY, 0.5);
    logits.attributes = kl.attributes;
    cr_expect(takes(&logits, 0, 0, -INFINITY) && takes(&logits, 0, 0, NAN), "(pos_weight - 1)*y is 0 or NaN");
    cr_expect(!takes(&logits, 0, 0, INFINITY) && !takes(&logits, 0, 2, NAN));
    VECTOR(&scaled, DTYPE_INT32, 0x1.0000011p28);
    VECTOR(&scaled, DTYPE_FLOAT32, -0.125);
    VECTOR(&scaled, DTYPE_INT32, 3);
    scaled.attributes =
        (struct attributes){.count = 1, .item = {{.name = "axis", .type = ATTRIBUTE_INTEGER, .integer = 0}}};
    cr_expect(takes(&scaled, 0, 0, -0x1p25), "q - z is exact");
    cr_expect(takes(&scaled, 0, 0, -0x1p25 - 4), "q is rounded to float32 before z is subtracted");
    cr_expect_not(takes(&scaled, 0, 0, -0x1p25 - 12));
    VECTOR(&fake, DTYPE_FLOAT32, 0.215459272);
    VECTOR(&fake, DTYPE_FLOAT32, -1.40378941e-38);
    VECTOR(&fake, DTYPE_INT32, 3);
    fake.attributes =
        (struct attributes){.count = 3,
                            .item = {{.name = "axis", .type = ATTRIBUTE_INTEGER, .integer = 0},
                                     {.name = "quant_min", .type = ATTRIBUTE_INTEGER, .integer = 0},
                                     {.name = "quant_max", .type = ATTRIBUTE_INTEGER, .integer = 255}}};
    cr_expect(takes(&fake, 0, 0, 0.0) && takes(&fake, 0, 0, -0.0), "0 times a negative scale");
    end(&fake);
    end(&kl);
    end(&logits);
    end(&scaled);
}

/* -1 + 3*(1/3), and a sum of y*log(y) that cancels. */
Test(legal_far, results_that_are_0_behind_a_quotient)
{
    static const enum dtype dtypes[] = {DTYPE_FLOAT16, DTYPE_BFLOAT16, DTYPE_FLOAT32, DTYPE_FLOAT64};
    for (int d = 0; d < 4; d++) {
        struct call call = call_of("addcdiv");
        VECTOR(&call, dtypes[d], -1);
        VECTOR(&call, dtypes[d], 1);
        VECTOR(&call, dtypes[d], 3);
        real_attribute(&call, "value", 3);
        cr_expect(takes(&call, 0, 0, 0) && takes(&call, 0, 0, dtype_unit_roundoff(dtypes[d])));
        cr_expect_not(takes(&call, 0, 0, 0.0625));
        end(&call);
    }
    struct call sum = call_of("kl_div");
    VECTOR(&sum, DTYPE_FLOAT32, 0, 0, 0, 0, 0);
    VECTOR(&sum, DTYPE_FLOAT32, 2, 0.5, 0.5, 0.5, 0.5);
    sum.attributes = (struct attributes){
        .count = 1, .item = {{.name = "reduction", .type = ATTRIBUTE_CHOICE, .word = "sum", .integer = 2}}};
    cr_expect(takes(&sum, 0, 0, 0) && takes(&sum, 0, 0, 0x1p-22) && !takes(&sum, 0, 0, 0.001));
    end(&sum);
}
