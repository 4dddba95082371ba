/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Results beyond the range whose intermediates leave it too: only an infinity is right. */

#include "reference/formula/test/expression.h"
#include "reference/operator/profile.h"
#include "reference/test/support.h"

static const enum primitives environments[] = {PRIMITIVES_VULKAN, PRIMITIVES_LIBM, PRIMITIVES_VECTOR};

static void hold_all_beyond(const char *name, enum dtype dtype, int operands, const double *x, double sign)
{
    struct tensor input[OPERANDS_MAX];
    for (int k = 0; k < operands; k++) {
        input[k] = tensor_from(dtype, shape_of(1, (int64_t)1), &x[k]);
    }
    struct truth *enclosed = any_truth_of_call(name, NULL, operands, input, true),
                 *certified = truth_of_call(name, NULL, operands, input);
    double most = dtype_max(dtype);
    const double wrong[] = {0, 1, most / 4, -most, NAN, -INFINITY};
    for (int e = 0; e < 3; e++) {
        struct profile profile = profile_ieee();
        struct attributes none = {.count = 0};
        profile.primitives = environments[e];
        for (int c = 0; c < 2; c++) {
            struct accept accept = accept_of(name, &none, &profile, c ? certified : enclosed, 0, 0, false);
            cr_expect(accepts_double(&accept, sign * INFINITY), "%s of %a, %d", name, *x, e);
            for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
                cr_expect(!accepts_double(&accept, sign * wrong[k]), "%s of %a (… %a), %d, is no %a", name,
                          *x, x[operands - 1], e, sign * wrong[k]);
            }
        }
    }
    truth_destroy(&enclosed);
    truth_destroy(&certified);
    for (int k = 0; k < operands; k++) {
        tensor_destroy(&input[k]);
    }
}

static void hold_beyond(const char *name, enum dtype dtype, double x, double sign)
{
    hold_all_beyond(name, dtype, 1, &x, sign);
}

Test(expression_beyond, what_lies_beyond_the_range_is_infinite)
{
    static const double singles[] = {91, 95, 176, 178, 300, 700, 1000, 1500, 1e7, 0x1.fffffep127},
                        halves[] = {24, 100, 700, 1500,
                                    65504}; /* from 12 on t/(t + 1) may be NaN in float16 */
    for (size_t k = 0; k < sizeof singles / sizeof *singles; k++) {
        hold_beyond("sinh", DTYPE_FLOAT32, singles[k], 1);
        hold_beyond("sinh", DTYPE_FLOAT32, -singles[k], -1);
        hold_beyond("cosh", DTYPE_FLOAT32, singles[k], 1);
        hold_beyond("cosh", DTYPE_FLOAT32, -singles[k], 1);
        hold_beyond("exp", DTYPE_FLOAT32, singles[k], 1);
    }
    for (size_t k = 0; k < sizeof halves / sizeof *halves; k++) {
        hold_beyond("sinh", DTYPE_FLOAT16, -halves[k], -1);
        hold_beyond("cosh", DTYPE_FLOAT16, halves[k], 1);
    }
}

/* 2^300 is beyond float32, but within a wider type: times a small number it still lies far beyond. */
Test(expression_beyond, a_small_number_times_what_lies_far_beyond_is_infinite)
{
    static const double exponents[] = {230, 300, 1000, 5000, 0x1p100};
    for (size_t k = 0; k < sizeof exponents / sizeof *exponents; k++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            const double x[] = {sign * 0x1.68p-92, exponents[k]};
            hold_all_beyond("ldexp", DTYPE_FLOAT32, 2, x, sign);
        }
    }
}

/* In float64 only the truth shows that a result is beyond the range; results within it keep their bound. */
Test(expression_beyond, what_lies_beyond_float64)
{
    static const char *const names[] = {"sinh", "cosh", "exp", "expm1"};
    struct profile profile = profile_ieee();
    struct attributes none = {.count = 0};
    profile.primitives = PRIMITIVES_LIBM;
    for (int n = 0; n < 4; n++) {
        static const double x[] = {708, 709.5, 713, 760, 2000, 1e300};
        for (int k = 0; k < 6; k++) {
            struct tensor input = tensor_from(DTYPE_FLOAT64, (struct shape){.rank = 1, .dim = {1}}, &x[k]);
            struct truth *truth = any_truth_of_call(names[n], NULL, 1, &input, k % 2);
            struct accept accept = accept_of(names[n], &none, &profile, truth, 0, 0, false);
            double number = value_approximately(&truth->output[0].value[0]);
            bool within = k < 2;
            cr_expect_eq(accepts_double(&accept, INFINITY), !within, "%s of %a", names[n], x[k]);
            cr_expect(!accepts_double(&accept, NAN) && !accepts_double(&accept, 0) &&
                          !accepts_double(&accept, -INFINITY) && !accepts_double(&accept, 0x1p1020),
                      "%s of %a", names[n], x[k]);
            cr_expect(!within ||
                          (accepts_double(&accept, number) && !accepts_double(&accept, number * 0.999)),
                      "%s of %a", names[n], x[k]);
            truth_destroy(&truth);
            tensor_destroy(&input);
        }
    }
}

/* Returns the bound of a formula of one number. */
static double bound_under(const struct profile *profile, enum dtype dtype, const char *formula, double x,
                          bool in_range)
{
    static const struct expression_input one[] = {{"x", EXPRESSION_ELEMENT}, {NULL, EXPRESSION_ROW}};
    struct expression *e = parsed(formula, one);
    struct expression_workspace *w = expression_workspace_create(e);
    const double *input[] = {&x};
    const struct expression_row row = {.n = 1, .input = input};
    struct expression_kinds kinds = {.kinds = 1, .in_range = in_range, .one_order = in_range};
    double bound, *at[] = {&bound};
    kinds.of[0] = primitive_errors_of(profile, dtype, 1, 0, false);
    expression_limits_each(w, &row, &kinds, at);
    expression_workspace_destroy(&w);
    expression_destroy(&e);
    return bound;
}

static double bound_in(enum dtype dtype, const char *formula, double x, bool in_range,
                       enum primitives primitives)
{
    struct profile profile = profile_ieee();
    profile.primitives = primitives;
    return bound_under(&profile, dtype, formula, x, in_range);
}

static double bound_of(const char *formula, double x, bool in_range, enum primitives primitives)
{
    return bound_in(DTYPE_FLOAT32, formula, x, in_range, primitives);
}

/* There is no bound where infinities may make a NaN, without `in_range`, or for results within the range. */
Test(expression_beyond, what_may_be_nan_has_no_limit)
{
    static const char *const known[] = {"exp(x) * exp(0.5 * x)",
                                        "exp(x) + exp(0.5 * x)",
                                        "-exp(x) - exp(0.5 * x)",
                                        "exp(x) - exp(-x)",
                                        "0.4 * exp(x)",
                                        "2 * exp(x) + tanh(exp(0.9 * x))",
                                        "x > 0 ? 2 * exp(x) : exp(x) - exp(2 * x)"},
                             *const open[] = {"exp(x) - exp(2 * x)",
                                              "2 * exp(2 * x) + tanh(exp(x) - exp(0.9 * x))",
                                              "2 * exp(2 * x) + tanh(-exp(x) + exp(0.9 * x))",
                                              "2 * exp(2 * x) + tanh(exp(x) / exp(0.9 * x))",
                                              "2 * exp(2 * x) + tanh(exp(x) * exp(-0.9 * x))",
                                              "2 * exp(2 * x) + tanh(exp(-0.9 * x) * exp(x))",
                                              "2 * exp(2 * x) + sin(exp(x))",
                                              "2 * exp(2 * x) + tanh(log(3 - exp(x)))",
                                              "x < 0 ? 2 * exp(x) : exp(x) - exp(2 * x)"};
    const enum primitives libm = PRIMITIVES_LIBM;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        cr_expect(isfinite(bound_of(known[k], 120, true, libm)), "%s", known[k]);
        cr_expect(isfinite(bound_of(known[k], 2000, true, libm)), "%s", known[k]);
        cr_expect(isinf(bound_of(known[k], 120, false, libm)), "%s", known[k]);
    }
    for (size_t k = 0; k < sizeof open / sizeof *open; k++) {
        cr_expect(isinf(bound_of(open[k], 120, true, libm)), "%s: %a", open[k],
                  bound_of(open[k], 120, true, libm));
    }
    cr_expect(isinf(bound_of("exp(x) * exp(-2 * x)", 120, true, libm)), "the truth is a number");
    cr_expect(isfinite(bound_of("1e-30 * exp2(x)", 300, true, PRIMITIVES_VULKAN)));
    cr_expect(isinf(bound_in(DTYPE_BFLOAT16, "1e-30 * exp2(x)", 300, true, PRIMITIVES_VULKAN)),
              "exp2 errs by more than it is");
}

/* A result within the range whose intermediates leave it: the results by infinities are right, or by the
 * greatest number where rounding has no direction. */
Test(expression_beyond, what_infinities_make_numbers_of_has_a_limit)
{
    const enum primitives libm = PRIMITIVES_LIBM;
    const char *reciprocal = "1 / (exp(x) * exp(x))", *flat = "2 - 1 / (exp(x) * exp(x))";
    struct profile open = profile_ieee();
    open.primitives = libm;
    open.rounding[DTYPE_FLOAT32] = ROUNDING_OPEN;
    cr_expect(isinf(bound_of(reciprocal, 60, false, libm)) && isinf(bound_of(flat, 60, false, libm)));
    cr_expect_lt(bound_of(reciprocal, 60, true, libm), 0x1p-145);
    cr_expect_lt(bound_of(flat, 60, true, libm), 0x1p-20);
    double bound = bound_under(&open, DTYPE_FLOAT32, reciprocal, 60, true);
    cr_expect(bound >= 0x1p-128 && bound < 0x1p-120, "1 over the greatest number: %a", bound);
    cr_expect(isinf(bound_of("tanh(exp(x) * exp(x) - exp(x))", 90, true, libm)), "inf - inf");
}

/* Far out tanh, exp − 1 and the error function are constant: errors of their arguments do not reach the
 * result. */
Test(expression_beyond, flat_functions_lose_nothing)
{
    cr_expect_lt(bound_of("x * tanh(x + 1)", 0x1p100, true, PRIMITIVES_VULKAN), 0x1p100 * 0x1p-20);
    cr_expect_lt(bound_of("x * tanh(x + 1)", -0x1p100, true, PRIMITIVES_VULKAN), 0x1p100 * 0x1p-20);
    cr_expect_lt(bound_of("x * tanh(x + 1)", 30, true, PRIMITIVES_VULKAN), 30 * 0x1p-20);
    cr_expect_lt(bound_of("x * expm1(x / 3)", -0x1p100, true, PRIMITIVES_VULKAN), 0x1p100 * 0x1p-19);
    cr_expect_lt(bound_of("x * expm1(x / 3)", -150, true, PRIMITIVES_VULKAN), 150 * 0x1p-19);
    cr_expect_lt(bound_of("x * erf(x / 3)", 0x1p100, true, PRIMITIVES_VULKAN), 0x1p100 * 0x1p-12);
}
