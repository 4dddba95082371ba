/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The element-wise operator class: broadcasting, refusals, words for attributes, and which results are
 * accepted. */
#include "reference/test/call.h"

#include <float.h>

static double result(const struct truth *truth, int64_t i)
{
    return value_approximately(&truth->output[0].value[i]);
}

Test(elementwise, operands_broadcast)
{
    struct call add = call_of("add"), select = call_of("where"), scalar = call_of("mul");
    give(&add, DTYPE_FLOAT32, shape_of(3, (int64_t)2, (int64_t)1, (int64_t)2), (double[]){1, 2, 3, 4});
    give(&add, DTYPE_FLOAT32, shape_of(2, (int64_t)3, (int64_t)1), (double[]){10, 20, 30});
    add.truth = truth_of_call("add", NULL, 2, add.input);
    struct shape shape = add.truth->output[0].shape;
    cr_assert(shape.rank == 3 && shape.dim[0] == 2 && shape.dim[1] == 3 && shape.dim[2] == 2);
    static const double sums[] = {11, 12, 21, 22, 31, 32, 13, 14, 23, 24, 33, 34};
    for (int i = 0; i < 12; i++) {
        cr_expect_eq(result(add.truth, i), sums[i], "element %d", i);
    }
    give(&select, DTYPE_BOOL, shape_of(1, (int64_t)2), (double[]){0, 1});
    give(&select, DTYPE_INT64, shape_of(2, (int64_t)2, (int64_t)1), (double[]){5, 6});
    give(&select, DTYPE_INT64, shape_of(0), (double[]){7});
    select.truth = truth_of_call("where", NULL, 3, select.input);
    static const double chosen[] = {7, 5, 7, 6};
    for (int i = 0; i < 4; i++) {
        cr_expect_eq(result(select.truth, i), chosen[i], "element %d", i);
    }
    give(&scalar, DTYPE_FLOAT16, shape_of(2, (int64_t)0, (int64_t)3), (double[]){0});
    give(&scalar, DTYPE_FLOAT16, shape_of(0), (double[]){7});
    scalar.truth = truth_of_call("mul", NULL, 2, scalar.input);
    cr_expect_eq(scalar.truth->output[0].elements, 0);
    end(&add);
    end(&select);
    end(&scalar);
}

static struct view view_of(enum dtype dtype, struct shape shape)
{
    return view_contiguous(0, dtype, &shape);
}

Test(elementwise, refuses_what_it_is_not_defined_for)
{
    struct shape three = shape_of(1, (int64_t)3), four = shape_of(1, (int64_t)4);
    struct view f3 = view_of(DTYPE_FLOAT32, three), f4 = view_of(DTYPE_FLOAT32, four),
                d3 = view_of(DTYPE_FLOAT64, three), i3 = view_of(DTYPE_INT32, three),
                b3 = view_of(DTYPE_BOOL, three);
    cr_expect(refuses("add", NULL, 2, (struct view[]){f3, f4}, NULL), "shapes that do not broadcast");
    cr_expect(refuses("add", NULL, 2, (struct view[]){f3, d3}, NULL), "two dtypes");
    cr_expect(refuses("add", NULL, 2, (struct view[]){b3, b3}, NULL), "bool");
    cr_expect(refuses("pow", NULL, 2, (struct view[]){i3, i3}, NULL), "integers");
    cr_expect(refuses("bitwise_and", NULL, 2, (struct view[]){f3, f3}, NULL), "real numbers");
    cr_expect(refuses("where", NULL, 3, (struct view[]){f3, f3, f3}, NULL), "a condition that is not bool");
    cr_expect(refuses("where", NULL, 3, (struct view[]){b3, f3, d3}, NULL), "two dtypes to choose from");
    cr_expect_not(refuses("add", NULL, 2, (struct view[]){i3, i3}, NULL));
    struct attributes alpha = {.count = 1, .item = {{.name = "alpha", .type = ATTRIBUTE_REAL, .real = 0.5}}};
    cr_expect(refuses("add", &alpha, 2, (struct view[]){i3, i3}, NULL), "a fraction of an integer");
    cr_expect_not(refuses("add", &alpha, 2, (struct view[]){f3, f3}, NULL));
    alpha.item[0].real = INFINITY;
    cr_expect(refuses("sub", &alpha, 2, (struct view[]){i3, i3}, NULL), "no integer is infinite");
    alpha.item[0].real = -3;
    cr_expect_not(refuses("sub", &alpha, 2, (struct view[]){i3, i3}, NULL));
    cr_expect_not(refuses("where", NULL, 3, (struct view[]){b3, f3, f3}, NULL));
}

Test(elementwise, refuses_an_alpha_of_0)
{
    const struct view f3 = {.dtype = DTYPE_FLOAT32, .shape = shape_of(1, (int64_t)3)};
    struct attributes one = {.count = 1, .item = {{.name = "alpha", .type = ATTRIBUTE_REAL, .real = 0}}};
    cr_expect(refuses("celu", &one, 1, (struct view[]){f3}, NULL));
    cr_expect(refuses("celu_backward", &one, 2, (struct view[]){f3, f3}, NULL));
    cr_expect_not(refuses("elu", &one, 1, (struct view[]){f3}, NULL));
    one.item[0].real = -1;
    cr_expect_not(refuses("celu", &one, 1, (struct view[]){f3}, NULL));
}

static struct call unary(const char *op, double x)
{
    struct call call = call_of(op);
    give(&call, DTYPE_FLOAT32, shape_of(1, (int64_t)1), &x);
    return call;
}

static struct call binary(const char *op, double x, double y)
{
    struct call call = unary(op, x);
    give(&call, DTYPE_FLOAT32, shape_of(1, (int64_t)1), &y);
    return call;
}

static struct call ternary(const char *op, double x, double y, double z)
{
    struct call call = binary(op, x, y);
    give(&call, DTYPE_FLOAT32, shape_of(1, (int64_t)1), &z);
    return call;
}

static void only(struct call call, double right, double wrong)
{
    cr_expect(takes(&call, 0, 0, right), "%s: %g is right", call.op, right);
    cr_expect_not(takes(&call, 0, 0, wrong), "%s: %g is wrong", call.op, wrong);
    end(&call);
}

static void both(struct call call, double right, double other, double wrong)
{
    cr_expect(takes(&call, 0, 0, right) && takes(&call, 0, 0, other), "%s: %g and %g are right", call.op,
              right, other);
    cr_expect_not(takes(&call, 0, 0, wrong), "%s: %g is wrong", call.op, wrong);
    end(&call);
}

Test(elementwise, a_word_chooses_the_function)
{
    struct call erf = unary("gelu", -2), tanh_ = unary("gelu", -2);
    tanh_.attributes = (struct attributes){
        .count = 1,
        .item = {{.name = "approximate", .type = ATTRIBUTE_CHOICE, .word = "tanh", .integer = 1}}};
    only(erf, -0.04550026389635842, -0.045402305912224981);
    only(tanh_, -0.045402305912224981, -0.04550026389635842);
}

Test(elementwise, either_side_of_a_kink)
{
    both(binary("hardtanh_backward", 5, 1), 0, 5, 2.5);
    both(binary("hardsigmoid_backward", 6, -3), 0, 1, 0.5);
    both(binary("hardswish_backward", 2, 3), 3, 2, 2.5);
    only(binary("hardtanh_backward", 5, 1.0000001), 0, 5);
    only(binary("relu_backward", 5, 0), 0, 5);
}

Test(elementwise, at_infinity_a_slope_or_what_its_formula_loses)
{
    both(binary("gelu_backward", 3, INFINITY), 3, NAN, 0);
    both(binary("silu_backward", 3, -INFINITY), 0, NAN, 3);
    both(binary("mish_backward", -3, INFINITY), -3, NAN, 3);
    only(binary("silu_backward", INFINITY, 1), INFINITY, -INFINITY);
    only(binary("silu_backward", INFINITY, -3), -INFINITY, INFINITY); /* the slope is negative there */
    only(binary("relu_backward", NAN, -1), 0, NAN);
}

Test(elementwise, zeros_and_nan_where_they_are_open)
{
    struct call six = unary("hardtanh", -0.0), up = unary("hardtanh", 0.0);
    real_attribute(&six, "min_val", 0);
    real_attribute(&six, "max_val", 6);
    real_attribute(&up, "min_val", -6);
    real_attribute(&up, "max_val", -0.0);
    both(six, 0.0, -0.0, 6);
    both(up, 0.0, -0.0, -6);
    struct call leaky = unary("leaky_relu", -0.0);
    real_attribute(&leaky, "negative_slope", -1);
    both(leaky, 0.0, -0.0, 1);
    both(binary("maximum", 0.0, -0.0), 0.0, -0.0, 1);
    struct call any = binary("hardtanh_backward", 5, NAN);
    cr_expect(takes(&any, 0, 0, 5) && takes(&any, 0, 0, NAN) && takes(&any, 0, 0, 0));
    end(&any);
    both(binary("floor_divide", -0.0, 3), -0.0, 0.0, -1);
    both(ternary("lerp", 1, -1, 0.5), 0.0, -0.0, 1e-3);
    both(ternary("addcmul", INFINITY, 3e38, 3e38), INFINITY, INFINITY, 0);
    both(ternary("addcmul", -INFINITY, 3e38, 3e38), -INFINITY, NAN, INFINITY); /* the product overflows */
    only(ternary("addcmul", -INFINITY, 3, 3), -INFINITY, NAN);
}

/* Vulkan's division errs by 2.5 ulp, IEEE 754's by none where the quotient is a number. */
Test(elementwise, floors_of_quotients_that_err)
{
    struct call vulkan = binary("floor_divide", 3, 3), ieee = binary("floor_divide", 3, 3),
                rounded = binary("floor_divide", 16777215, 0.99999994F);
    vulkan.profile.primitives = PRIMITIVES_VULKAN;
    both(vulkan, 1, 0, 2);
    ieee.profile.primitives = PRIMITIVES_LIBM;
    only(ieee, 1, 0);
    rounded.profile.primitives = PRIMITIVES_LIBM;
    both(rounded, 16777216, 16777216, 16777214); /* without a remainder nothing is rounded */
}

static struct call divided(double x, double y, const char *mode, int64_t number)
{
    struct call call = binary("div", x, y);
    call.attributes = (struct attributes){
        .count = 1,
        .item = {{.name = "rounding_mode", .type = ATTRIBUTE_CHOICE, .word = mode, .integer = number}}};
    call.profile.primitives = PRIMITIVES_LIBM;
    return call;
}

Test(elementwise, quotients_are_cut_off_or_floored)
{
    only(binary("div", -7, 2), -3.5, -3);
    only(divided(-7, 2, "trunc", 1), -3, -4);
    only(divided(-7, 2, "floor", 2), -4, -3);
    only(divided(7, -2, "trunc", 1), -3, -4);
    only(divided(1, 0, "trunc", 1), INFINITY, NAN);
    only(divided(INFINITY, 2, "trunc", 1), INFINITY, NAN);
    only(divided(INFINITY, 2, "floor", 2), NAN, INFINITY);
    both(divided(-1, INFINITY, "trunc", 1), -0.0, 0.0, -1);
    both(divided(-3, 4, "trunc", 1), -0.0, 0.0, -1);
    only(divided(-16777218, 16777216, "trunc", 1), -1, 0);
    only(divided(16777218, 16777216, "trunc", 1), 1, 0);
    both(divided(16777215, 16777217, "trunc", 1), 0, 1, -1); /* a quotient that may round to 1 */
    struct call half = call_of("div"),
                vulkan = divided(3, 3, "trunc", 1); /* 64/3.766 = 16.99, of which bfloat16 makes 17 */
    give(&half, DTYPE_BFLOAT16, shape_of(1, (int64_t)1), (double[]){64});
    give(&half, DTYPE_BFLOAT16, shape_of(1, (int64_t)1), (double[]){3.765625});
    half.attributes = vulkan.attributes;
    half.profile.primitives = PRIMITIVES_LIBM;
    both(half, 16, 17, 18);
    vulkan.profile.primitives = PRIMITIVES_VULKAN;
    both(vulkan, 1, 0, 2);
}

Test(elementwise, a_bool_is_0_or_1)
{
    struct call less = binary("lt", 1, 2);
    cr_expect(takes(&less, 0, 0, 1));
    cr_expect_not(takes(&less, 0, 0, 0));
    cr_expect_not(takes(&less, 0, 0, 2), "any other byte is no bool");
    cr_expect_not(takes(&less, 0, 0, 255));
    end(&less);
}

/* clamp: NaN for a NaN, also as a limit; the upper limit where the limits cross. */
Test(elementwise, clamps)
{
    only(ternary("clamp", 5, 0, 3), 3, 5);
    only(ternary("clamp", 1, 4, 3), 3, 4);
    only(ternary("clamp", NAN, 0, 3), NAN, 0);
    only(ternary("clamp", 1, NAN, 3), NAN, 1);
    only(ternary("clamp", 1, 0, NAN), NAN, 1);
}

/* As docs/explanation/families/elementwise.md says: PyTorch and JAX give the dividend's sign, numpy the
 * divisor's. */
Test(elementwise, zeros_of_rests_and_floors)
{
    both(binary("remainder", -4, 2), -0.0, 0.0, 2);
    both(binary("remainder", 4, -2), 0.0, -0.0, -2);
    both(binary("floor_divide", -0.0, 2), -0.0, 0.0, -1);
    only(binary("fmod", -4, 2), -0.0, 0.0);
}

/* log(x/(1 - x)) as PyTorch and JAX compute it: 1 - x and the quotient are rounded, by up to u each. */
Test(elementwise, logit_of_the_quotient_cancels_next_to_one_half)
{
    const float x = 0.4999F, rest = 1 - x, odds = x / rest;
    struct call logit = unary("logit", x);
    const double truth = log((double)x / (1 - (double)x)), got = (float)log((double)odds);
    cr_expect_gt(fabs(got - truth) / fabs(truth), 500 * 0x1p-24, "it does not cancel");
    cr_expect(takes(&logit, 0, 0, got));
    cr_expect_not(takes(&logit, 0, 0, truth + 4 * 0x1p-24));
    cr_expect_not(takes(&logit, 0, 0, truth - 4 * 0x1p-24));
    end(&logit);
}

/* A profile under which subnormals may count as zeros in every comparison and operation. */
Test(elementwise, subnormals_that_count_as_zeros_on_the_way)
{
    struct call remainder = binary("remainder", -0x1p-149, 0x1p-126),
                moved = binary("remainder", -0x1p-127, 0x1.8p-126),
                unmoved = binary("remainder", 0x1p-149, 0x1p-126),
                floor_ = binary("floor_divide", -0x1.02p-126, 0x1p-126),
                next = binary("nextafter", -0x1p-149, 1), leaky = unary("leaky_relu", -0x1p-127),
                kept = unary("leaky_relu", -0x1p-127);
    remainder.profile.subnormals[DTYPE_FLOAT32] = moved.profile.subnormals[DTYPE_FLOAT32] =
        unmoved.profile.subnormals[DTYPE_FLOAT32] = SUBNORMALS_MAY_FLUSH;
    floor_.profile.subnormals[DTYPE_FLOAT32] = next.profile.subnormals[DTYPE_FLOAT32] =
        leaky.profile.subnormals[DTYPE_FLOAT32] = SUBNORMALS_MAY_FLUSH;
    both(remainder, 0x1p-126 - 0x1p-149, -0x1p-149, 0x1.8p-126);
    both(moved, 0x1p-126, 0x1.8p-126, 0x1.4p-126); /* the divisor is added to what counts as 0 */
    both(unmoved, 0x1p-149, 0, 0x1p-126);
    both(floor_, -2, -1, -3);
    both(next, -0.0, 0x1p-149, 0x1p-148);
    both(leaky, -0x1.47aep-134, -0x1p-127, 0x1p-124);
    only(kept, -0x1.47aep-134, -0x1p-127);
    struct call slope = binary("relu_backward", 5, 0x1p-127), steep = unary("leaky_relu", 0x1p-127);
    slope.profile.subnormals[DTYPE_FLOAT32] = steep.profile.subnormals[DTYPE_FLOAT32] = SUBNORMALS_MAY_FLUSH;
    real_attribute(&steep, "negative_slope", 0x1p20);
    both(slope, 5, 0, 2.5);
    both(steep, 0x1p-127, 0x1p-107, 0x1p-106); /* a zero in the comparison, but itself in the product */
    only(binary("remainder", -0x1p-149, 0x1p-126), 0x1p-126 - 0x1p-149, -0x1p-149);
    only(binary("floor_divide", -0x1.02p-126, 0x1p-126), -2, -1);
}

/* An infinite grad_output: autograd's sums may have 0 times infinity. */
Test(elementwise, an_infinite_gradient_may_be_lost)
{
    both(binary("softsign_backward", INFINITY, 0), INFINITY, NAN, 1);
    both(binary("silu_backward", -INFINITY, 2), -INFINITY, NAN, INFINITY);
    both(binary("silu_backward", INFINITY, -20.03125), -INFINITY, NAN, INFINITY);
    both(binary("softsign_backward", INFINITY, 324), INFINITY, NAN, -INFINITY);
    both(binary("softsign_backward", -INFINITY, 1e17), -INFINITY, NAN, INFINITY);
    both(binary("sigmoid_backward", INFINITY, 0x1p-100), INFINITY, NAN, -INFINITY);
    both(binary("tanh_backward", INFINITY, 1), NAN, NAN, INFINITY); /* the slope is 0 */
    only(binary("softsign_backward", 1, 0), 1, NAN);
}

/* A form that doubles cannot bound, but that does not leave the range, still widens the bound. */
Test(elementwise, a_form_whose_limit_is_not_reported)
{
    struct call lost = call_of("addcdiv");
    VECTOR(&lost, DTYPE_FLOAT64, 0);
    VECTOR(&lost, DTYPE_FLOAT64, 0x1p-1074);
    VECTOR(&lost, DTYPE_FLOAT64, 0x1p-1022);
    real_attribute(&lost, "value", 0.3);
    cr_expect(takes(&lost, 0, 0, 0), "value·tensor1 is 0");
    end(&lost);
}

static bool is_range_finding(const struct call *call)
{
    struct bound_query query = {.op = op_find(call->op),
                                .profile = &call->profile,
                                .attributes = &call->attributes,
                                .truth = call->truth};
    return op_range_finding(&query, NULL);
}

/* lerp as y - (y - x)(1 - z) leaves the range for a weight below 0, and may for one next to 0. */
Test(elementwise, lerp_from_the_other_end_is_naive_at_the_ends_of_the_range)
{
    static const struct {
        double end, weight, right, naive;
        bool leaves;
    } at[] = {{FLT_MAX, -0.75, -0.75 * FLT_MAX, -INFINITY, true},
              {FLT_MAX, 0x1p-126, FLT_MAX * 0x1p-126, 0, true},
              {FLT_MAX, 0.75, 0.75 * FLT_MAX, INFINITY, false},
              {1, -0.75, -0.75, -INFINITY, false}};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        struct call lerp = ternary("lerp", 0, at[i].end, at[i].weight);
        for (int naive = 0; naive < 2; naive++) {
            lerp.profile.range = naive ? RANGE_NAIVE : RANGE_SAFE;
            cr_expect(takes(&lerp, 0, 0, at[i].right));
            cr_expect_not(takes(&lerp, 0, 0, at[i].naive));
            cr_expect_eq(is_range_finding(&lerp), naive && at[i].leaves, "row %zu", i);
        }
        end(&lerp);
    }
}

/* (−1.5)^2001 = −2^1170.5, (−1.5)^2000, 1.5^5000: for float64 the digits are known, for narrower types only
 * the sign and that they lie beyond the range. */
Test(elementwise, what_is_beyond_every_double)
{
    static const double base[] = {-1.5, -1.5, 1.5}, exponent[] = {2001, 2000, 5000};
    const enum dtype dtypes[] = {DTYPE_FLOAT32, DTYPE_FLOAT64};
    for (int d = 0; d < 2; d++) {
        struct tensor input[2] = {tensor_from(dtypes[d], shape_of(1, (int64_t)3), base),
                                  tensor_from(dtypes[d], shape_of(1, (int64_t)3), exponent)};
        struct truth *within = any_truth_of_call("pow", NULL, 2, input, true),
                     *certified = any_truth_of_call("pow", NULL, 2, input, false);
        const struct truth_output *out = &within->output[0];
        for (int i = 0; i < 3; i++) {
            const struct value *value = &out->value[i], *digits = &certified->output[0].value[i];
            bool narrow = dtypes[d] == DTYPE_FLOAT32;
            cr_expect_eq(value->class, VALUE_FINITE);
            cr_expect(narrow ? isinf(out->radius[i]) && value->exponent == VALUE_FAR && !value->exact
                             : out->radius[i] == 0 && value->hi == digits->hi &&
                                   value->exponent == digits->exponent);
            cr_expect_eq(signbit(value->hi), i == 0);
            cr_expect(digits->exponent > 1000 && digits->exponent < 3000, "%d", digits->exponent);
        }
        truth_destroy(&within);
        truth_destroy(&certified);
        tensor_destroy(&input[0]);
        tensor_destroy(&input[1]);
    }
}

/* 1 + (1 + 2^-30)·(2^-30 − 1) is about 0 in doubles: it is certified to be 2^-60, because its sign is
 * unknown. */
Test(elementwise, values_have_their_signs)
{
    enum { COUNT = 300 };
    double x[3][COUNT];
    struct tensor operand[3];
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < COUNT; i++) {
            x[k][i] = k == 0 ? 1 : k == 1 ? 1 + 0x1p-30 : 0x1p-30 - 1;
        }
        operand[k] = tensor_from(DTYPE_FLOAT64, shape_of(1, (int64_t)COUNT), x[k]);
    }
    struct truth *truth = any_truth_of_call("addcmul", NULL, 3, operand, true);
    const struct truth_output *out = &truth->output[0];
    for (int i = 0; i < COUNT; i++) {
        cr_assert(out->value[i].hi == 0x1p-60 && out->radius[i] == 0, "%d: %g to %g", i, out->value[i].hi,
                  out->radius[i]);
    }
    truth_destroy(&truth);
    for (int k = 0; k < 3; k++) {
        tensor_destroy(&operand[k]);
    }
}
