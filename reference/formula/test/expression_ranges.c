/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Bounds from formulas where truths are special, at the ends of the range, and for rows of no or one
 * element. */

#include "reference/formula/test/expression.h"

/* Where the truth is special every program returns it: the bound is 0, and nothing may overflow. */
Test(expression_ranges, special_values_are_certain)
{
    static const double special[] = {INFINITY, -INFINITY, NAN, 0, -0.0, 2};
    static const char *const texts[] = {
        "sigmoid(x)",    "x / (1 + exp(-x))",   "0.5 * x * erfc(-x / sqrt(2))",
        "x * x - y * y", "sqrt(x * x + y * y)", "sin(x + y)",
        "max(x * 3, y)", "log(abs(x / y))",     "pow(2 + abs(x), 2.5)",
        "tanh(x * 0.3)", "rsqrt(x * x + y * y)"};
    struct profile profile = profile_ieee();
    struct primitive_errors allow = primitive_errors_of(&profile, DTYPE_FLOAT32, 1, -1, false);
    int count = 0;
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        struct expression *e = parsed(texts[t], two_operands);
        struct expression_workspace *w = expression_workspace_create(e);
        for (int k = 0; k < 36; k++) {
            double x = special[k % 6], y = special[k / 6], value, radius, bound;
            const double *input[] = {&x, &y};
            struct expression_row row = {.n = 1, .input = input};
            expression_values(w, &row, &value, &radius);
            expression_limits(w, &row, &allow, &bound);
            if (radius == 0 && !isfinite(value) && (!isfinite(x) || !isfinite(y))) {
                cr_expect_eq(bound, 0, "%s at %g, %g: %g within %g", texts[t], x, y, value, bound);
                count++;
            } else {
                cr_expect_lt(bound, 1e-5, "%s at %g, %g: %g within %g", texts[t], x, y, value, bound);
            }
        }
        expression_workspace_destroy(&w);
        expression_destroy(&e);
    }
    cr_expect_gt(count, 100);
}

/* √ of a number that rounding may bring to either side of 0, and 1/0 where rounding may bring it to 0. */
Test(expression_ranges, what_rounding_may_make_a_number_is_not_bounded)
{
    double x = 0.1, y = 0.1;
    const double *input[] = {&x, &y};
    struct profile profile = profile_ieee();
    struct primitive_errors allow = primitive_errors_of(&profile, DTYPE_FLOAT32, 1, -1, false);
    static const char *const texts[] = {"sqrt(x * x - y * y - 1e-30)", "1 / (x * y - y * x)",
                                        "log(x * x - y * y)", "d = x * x - y * y; sqrt(d * d)"};
    for (size_t t = 0; t < 4; t++) {
        struct expression *e = parsed(texts[t], two_operands);
        struct expression_workspace *w = expression_workspace_create(e);
        struct expression_measure measure;
        expression_measures(w, &(struct expression_row){.n = 1, .input = input}, &allow, &measure);
        cr_expect_eq(expression_bound(&measure, &allow), INFINITY, "%s", texts[t]);
        expression_workspace_destroy(&w);
        expression_destroy(&e);
    }
}

/* An intermediate that may leave the range leaves no bound, unless a choice does not use it. */
Test(expression_ranges, forms_that_leave_the_range_bind_nothing)
{
    static const struct {
        const char *formula;
        double x;
        bool may_overflow;
    } rows[] = {{"x / (1 + exp(-x))", -90, true},
                {"x / (1 + exp(-x))", -80, false},
                {"x * sigmoid(x)", -90, false},
                {"sqrt(x * x)", 1e30, true},
                {"exp(x)", 200, false},
                {"x > 20 ? x : log(exp(x))", 90, false},
                {"x > 20 ? log(exp(x)) : x", 90, true},
                {"mean(x * 2)", 2e38, true},
                {"x + 1e39", 1, true},
                {"sum(x)", 3e38, false}};
    struct profile profile = profile_ieee();
    struct primitive_errors allow = primitive_errors_of(&profile, DTYPE_FLOAT32, 1, -1, false);
    for (size_t t = 0; t < sizeof rows / sizeof *rows; t++) {
        struct expression *e = parsed(rows[t].formula, two_operands);
        struct expression_workspace *w = expression_workspace_create(e);
        const double *input[] = {&rows[t].x, &rows[t].x};
        struct expression_measure measure;
        expression_measures(w, &(struct expression_row){.n = 1, .input = input}, &allow, &measure);
        cr_expect_eq(measure.may_overflow, rows[t].may_overflow, "%s at %g", rows[t].formula, rows[t].x);
        expression_workspace_destroy(&w);
        expression_destroy(&e);
    }
}

/* Four of them leave float32's range on the way to their mean, two do not. */
Test(expression_ranges, sums_leave_the_range_on_the_way)
{
    double x[4] = {2e38, 1e38, 2e38, 1e38}, bound[4];
    const double *input[] = {x, x};
    struct profile profile = profile_ieee();
    struct primitive_errors allow = primitive_errors_of(&profile, DTYPE_FLOAT32, 4, -1, false);
    struct expression *e = parsed("x - mean(x)", two_operands);
    struct expression_workspace *w = expression_workspace_create(e);
    expression_limits(w, &(struct expression_row){.n = 4, .input = input}, &allow, bound);
    cr_expect_eq(bound[0], INFINITY);
    expression_limits(w, &(struct expression_row){.n = 2, .input = input}, &allow, bound);
    cr_expect_lt(bound[0], 1e32);
    expression_workspace_destroy(&w);
    expression_destroy(&e);
}

Test(expression_ranges, the_greatest_of_the_forms_that_count)
{
    struct profile profile = profile_ieee();
    struct primitive_errors allow = primitive_errors_of(&profile, DTYPE_FLOAT32, 1, -1, false);
    struct expression_measure m[3] = {{.class = {[EXPRESSION_ARITHMETIC] = 2}},
                                      {.class = {[EXPRESSION_ARITHMETIC] = 3}},
                                      {.class = {[EXPRESSION_ARITHMETIC] = 1}}};
    double unit = expression_bound(&m[2], &allow);
    enum expression_form form[3] = {EXPRESSION_FORM_PLAIN, EXPRESSION_FORM_NAIVE, EXPRESSION_FORM_PLAIN};
    cr_expect_float_eq(expression_forms_bound(m, form, 3, &allow, RANGE_SAFE) / unit, 2, 1e-9);
    cr_expect_float_eq(expression_forms_bound(m, form, 3, &allow, RANGE_NAIVE) / unit, 3, 1e-9);
    m[0].may_overflow = true;
    cr_expect_float_eq(expression_forms_bound(m, form, 3, &allow, RANGE_SAFE) / unit, 1, 1e-9);
    m[2].may_overflow = true;
    form[2] = EXPRESSION_FORM_SCALED;
    cr_expect_float_eq(expression_forms_bound(m, form, 3, &allow, RANGE_SAFE) / unit, 1, 1e-9);
    form[2] = EXPRESSION_FORM_PLAIN;
    cr_expect_eq(expression_forms_bound(m, form, 3, &allow, RANGE_SAFE), INFINITY);
}

/* Rows of no element and of one. */
Test(expression_ranges, short_rows)
{
    static const struct {
        const char *formula;
        int64_t n;
        double value, most;
    } rows[] = {{"sum(x)", 0, 0, 0},
                {"mean(x)", 0, NAN, 0},
                {"row_max(x)", 0, -INFINITY, 0},
                {"sum(exp(x))", 0, 0, 0},
                {"mean(x * x)", 1, 9, 1e-5},
                {"e = exp(x - row_max(x)); e / sum(e)", 1, 1, 1e-6},
                {"x - mean(x)", 1, 0, 1e-6}};
    double x = 3, value = 5, radius = 5, bound = 5;
    const double *input[] = {&x, &x};
    struct profile profile = profile_ieee();
    for (size_t t = 0; t < sizeof rows / sizeof *rows; t++) {
        struct expression *e = parsed(rows[t].formula, two_operands);
        struct expression_workspace *w = expression_workspace_create(e);
        struct expression_row row = {.n = rows[t].n, .input = input};
        struct primitive_errors allow =
            primitive_errors_of(&profile, DTYPE_FLOAT32, (double)rows[t].n, -1, false);
        expression_values(w, &row, &value, &radius);
        expression_limits(w, &row, &allow, &bound);
        bool same = isnan(value) ? isnan(rows[t].value) : value == rows[t].value;
        cr_expect(same && radius <= 1e-15 && bound <= rows[t].most, "%s of %d: %g within %g, bound %g",
                  rows[t].formula, (int)rows[t].n, value, radius, bound);
        expression_workspace_destroy(&w);
        expression_destroy(&e);
    }
}

/* The loops for all instruction sets of this machine give the same bits. */
Test(expression_ranges, every_machine_gives_the_same_bits)
{
    enum { COUNT = 1003 };
    static double x[COUNT], y[COUNT], value[2][COUNT], radius[2][COUNT], bound[2][COUNT];
    struct profile profile = profile_ieee();
    struct primitive_errors allow = primitive_errors_of(&profile, DTYPE_FLOAT32, COUNT, -1, false);
    struct philox g;
    philox_start(&g, 77);
    for (int i = 0; i < COUNT; i++) {
        x[i] = elementary_input(&g, SIZED_FLOAT);
        y[i] = elementary_input(&g, SIZED_FLOAT);
    }
    const double *input[] = {x, y};
    struct expression_row row = {.n = COUNT, .input = input};
    for (int f = 0; f < FORMULAS; f++) {
        struct expression *e = parsed(formulas[f].text, two_operands);
        struct expression_workspace *w = expression_workspace_create(e);
        for (int isa = 0; isa < 2; isa++) {
            cr_assert(elementary_force(isa == 0 ? 0 : -1));
            expression_values(w, &row, value[isa], radius[isa]);
            expression_limits(w, &row, &allow, bound[isa]);
        }
        cr_expect(memcmp(value[0], value[1], sizeof *value) == 0 &&
                      memcmp(radius[0], radius[1], sizeof *radius) == 0 &&
                      memcmp(bound[0], bound[1], sizeof *bound) == 0,
                  "%s", formulas[f].name);
        expression_workspace_destroy(&w);
        expression_destroy(&e);
    }
}

/* A mean that a double rounds to 0 need not be 0: it may be off by the least subnormal, and so may its
 * uses. */
Test(expression_ranges, a_mean_of_the_least_number_is_not_zero)
{
    const double grad[] = {8, 8}, x[] = {0, 0x1p-1074}, *input[] = {grad, x};
    static const struct expression_input names[] = {
        {"grad", EXPRESSION_ELEMENT}, {"x", EXPRESSION_ELEMENT}, {.name = NULL}};
    struct profile profile = profile_ieee();
    struct primitive_errors allow = primitive_errors_of(&profile, DTYPE_FLOAT64, 2, 1, false);
    struct expression *e = parsed("grad * (x - mean(x))", names);
    struct expression_workspace *w = expression_workspace_create(e);
    double bound[2];
    expression_limits(w, &(struct expression_row){.n = 2, .input = input}, &allow, bound);
    cr_expect_geq(bound[0], 4 * 0x1p-1074); /* 0 in place of −4 of them */
    cr_expect_geq(bound[1], 4 * 0x1p-1074);
    cr_expect_lt(bound[0], 64 * 0x1p-1074);
    expression_workspace_destroy(&w);
    expression_destroy(&e);
}

/* A number between 0 and a bound far below keeps its sign in products and quotients; a sum that may cancel,
 * and a number of either sign, has none. */
Test(expression_ranges, what_nearly_vanishes_has_a_sign)
{
    static const struct {
        const char *text;
        int sign; /* of the result at x = -1,000, y = 3; 0: it has none */
    } row[] = {{"y * exp(x)", 1},
               {"x * exp(x) * y", -1},
               {"exp(x) * exp(x)", 1},
               {"x * exp(x) / (1 + exp(x))", -1},
               {"(exp(x) / y) / x", -1},
               {"x * y * erfc(-x)", -1},
               {"exp(x) - exp(2 * x)", 0},
               {"(2 * exp(x) - exp(2 * x)) * y", 0},
               {"(2 * exp(x) - exp(2 * x)) / y", 0}};
    const double x = -1000, y = 3, *const input[] = {&x, &y};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        struct expression *e = parsed(row[k].text, two_operands);
        struct expression_workspace *w = expression_workspace_create(e);
        double value, radius;
        expression_values(w, &(struct expression_row){.n = 1, .input = input}, &value, &radius);
        cr_expect_eq(radius <= fabs(value), row[k].sign != 0, "%s: %a within %a", row[k].text, value, radius);
        cr_expect(row[k].sign == 0 || (value < 0) == (row[k].sign < 0), "%s: %a", row[k].text, value);
        cr_expect_lt(radius, 0x1p-980, "%s: %a within %a", row[k].text, value, radius);
        expression_workspace_destroy(&w);
        expression_destroy(&e);
    }
}
