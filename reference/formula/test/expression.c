/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Parsing of formulas, and their values as doubles within radii and at any precision. */

#include "reference/formula/test/expression.h"

/* --- texts that are no valid formula */

static void refuse(const char *formula, const char *because)
{
    struct error error = {.text = ""};
    struct expression *e = expression_parse(formula, two_operands, &error);
    cr_expect_null(e, "%s was taken", formula);
    cr_expect(strstr(error.text, because), "%s: \"%s\" does not say \"%s\"", formula, error.text, because);
    expression_destroy(&e);
}

Test(expression, what_is_no_formula_is_refused_with_the_column)
{
    refuse("", "a term is missing");
    refuse("x +", "a term is missing");
    refuse("x + * y", "column 5");
    refuse("x + z", "column 5, before \"z\": there is no operand");
    refuse("gamma(x)", "there is no such function");
    refuse("(x + y", "a ) is missing");
    refuse("exp(x, y)", "one argument");
    refuse("pow(x)", "two arguments");
    refuse("x y", "continues no term");
    refuse("x = y; y", "has a meaning already");
    refuse("t = y; t = x; t", "has a meaning already");
    refuse("t = y t", "a ; is missing");
    refuse("t = y;", "a term is missing");
    refuse("x < y", "before ? alone");
    refuse("x < y ? x", "a : is missing");
    refuse("1.2.3", "no number");
    refuse("0x10", "decimal");
    refuse("2x", "no number");
    refuse("x $ y", "continues no term");
}

Test(expression, nesting_ends_with_a_reason)
{
    char formula[2000];
    memset(formula, '(', 1500);
    formula[1500] = 0;
    refuse(formula, "nested more than 200 deep");
    memset(formula, '-', 1500);
    refuse(formula, "nested more than 200 deep");
    char choices[9000] = "";
    for (int k = 0; k < 500; k++) {
        strcat(choices, "x < y ? x : ");
    }
    refuse(choices, "nested more than 200 deep");
}

/* --- values */

static void evaluate(const char *formula, int64_t n, const double *x, const double *y, double *value,
                     double *radius)
{
    struct expression *e = parsed(formula, two_operands);
    struct expression_workspace *w = expression_workspace_create(e);
    const double *input[] = {x, y};
    expression_values(w, &(struct expression_row){.n = n, .input = input}, value, radius);
    expression_workspace_destroy(&w);
    expression_destroy(&e);
}

static double exactly(const char *formula, double x, double y)
{
    double value = 0, radius = 1;
    evaluate(formula, 1, &x, &y, &value, &radius);
    cr_expect_eq(radius, 0, "%s at %a, %a: %a within %a", formula, x, y, value, radius);
    return value;
}

#define IS(formula_, x_, y_, want_)                                                                          \
    do {                                                                                                     \
        double got_ = exactly(formula_, x_, y_), wanted_ = want_;                                            \
        cr_expect((isnan(got_) && isnan(wanted_)) || (got_ == wanted_ && signbit(got_) == signbit(wanted_)), \
                  "%s at %a, %a: %a, not %a", formula_, (double)(x_), (double)(y_), got_, wanted_);          \
    } while (0)

Test(expression, terms_bind_as_they_should)
{
    IS("x - y - 1", 7, 2, 4);
    IS("x / y / 2", 12, 2, 3);
    IS("x + y * 2", 1, 3, 7);
    IS("-x * y", 2, 3, -6);
    IS("(x + y) * 2", 1, 3, 8);
    IS("x < y ? 1 : x > y ? 2 : 3", 1, 1, 3);
    IS("x > y ? 1 : 2", 2, 1, 1);
    IS("x <= y ? 1 : 2", 1, 1, 1);
    IS("x >= y ? 1 : 2", 0, 1, 2);
    IS("x != y ? 1 : 2", 1, 1, 2);
    IS("x == y ? 1 : 2", 1, 1, 1);
    IS("t = x + 1; u = t * t; u - t", 2, 0, 6);
    IS("1.5e1 + .25", 0, 0, 15.25);
    IS("min(x, y) + 10 * max(x, y)", 2, 1, 21);
    IS("abs(-x) + sqrt(y)", 2, 9, 5);
    IS("rsqrt(y)", 0, 4, 0.5);
}

Test(expression, special_values_are_those_of_the_operations)
{
    IS("x / (1 + exp(-x))", INFINITY, 0, INFINITY);
    IS("x / (1 + exp(-x))", -INFINITY, 0, NAN);
    IS("x == -inf ? -0 : x / (1 + exp(-x))", -INFINITY, 0, -0.0);
    IS("x / (1 + exp(-x))", NAN, 0, NAN);
    IS("x / (1 + exp(-x))", -0.0, 0, -0.0);
    IS("sigmoid(x)", -INFINITY, 0, 0);
    IS("sigmoid(x)", INFINITY, 0, 1);
    IS("x * y", -0.0, 5, -0.0);
    IS("x * y", INFINITY, 0, NAN);
    IS("x / y", 1, -0.0, -INFINITY);
    IS("x / y", 0, 0, NAN);
    IS("x / y", 3, -INFINITY, -0.0);
    IS("x + y", INFINITY, -INFINITY, NAN);
    IS("x - y", 1, 1, 0.0);
    IS("sqrt(x)", -1, 0, NAN);
    IS("sqrt(x)", -0.0, 0, -0.0);
    IS("rsqrt(x)", 0, 0, INFINITY);
    IS("log(x)", 0, 0, -INFINITY);
    IS("log(x)", -1, 0, NAN);
    IS("pow(x, y)", NAN, 0, 1);
    IS("max(x, y)", NAN, 0, NAN);
    IS("max(x, y)", -0.0, 0, 0.0);
    IS("min(x, y)", 0, -0.0, -0.0);
    IS("x != x ? 0 : x", NAN, 0, 0);
    IS("x < y ? 1 : 2", NAN, 0, 2);
    IS("signbit(x) != 0 ? 1 : 2", -0.0, 0, 1);
    IS("signbit(x) != 0 ? 1 : 2", 0.0, 0, 2);
    IS("signbit(x * y) != 0 ? 1 : 2", 3, -0.0, 1);
    IS("exp(x) * y", -INFINITY, 5, 0);
    IS("erf(x / sqrt(2)) + y", -INFINITY, 0, -1);
}

/* Numbers where formulas break: any bits, ordinary magnitudes, zeros, ends of ranges, both equal, both nearly
 * equal. */
static double hostile(struct philox *g, int64_t i)
{
    static const double fixed[] = {0,        -0.0,     1,           -1,         0x1p-149,       0x1p-1074,
                                   0x1p-126, INFINITY, -INFINITY,   NAN,        0x1.fffffep127, DBL_MAX,
                                   88.8,     -88.8,    1e-8,        -1e-30,     709.7,          -745.2,
                                   20,       0.5,      0x1.8p-1073, 0x1.3p-1030};
    return i % 8 == 0 ? fixed[philox_below(g, sizeof fixed / sizeof *fixed)]
                      : elementary_input(g, (enum elementary_kind)philox_below(g, THRESHOLDS + 1));
}

/* Expects |truth − value| ≤ radius by Arb; returns 1 where tier 1 knew an ordinary result. */
static int hold(const struct formula *f, double x, double y, double value, double radius)
{
    arb_t a, b, truth;
    bool finite = isfinite(x) && isfinite(y), certain = finite && isfinite(value) && radius < INFINITY;
    if (!certain) {
        return 0;
    }
    arb_init(a);
    arb_init(b);
    arb_init(truth);
    arb_set_d(a, x);
    arb_set_d(b, y);
    f->value(truth, a, b);
    arf_t most, least;
    arf_init(most);
    arf_init(least);
    arb_set_d(a, value);
    arb_sub(truth, truth, a, 2 * EXPRESSION_TEST_BITS);
    arb_get_abs_ubound_arf(most, truth, 200);
    arb_get_abs_lbound_arf(least, truth, 200);
    bool known = arf_cmp_d(most, radius) <= 0, wrong = arf_cmp_d(least, radius) > 0;
    cr_assert(!wrong, "%s at %a, %a: not %a within %a", f->name, x, y, value, radius);
    arf_clear(most);
    arf_clear(least);
    arb_clear(a);
    arb_clear(b);
    arb_clear(truth);
    return known;
}

static void hold_formula(const struct formula *f, int64_t n, uint64_t seed)
{
    struct philox g;
    double *x = malloc((size_t)n * sizeof *x), *y = malloc((size_t)n * sizeof *y),
           *value = malloc((size_t)n * sizeof *x), *radius = malloc((size_t)n * sizeof *x);
    int64_t known = 0, sharp = 0;
    philox_start(&g, seed);
    for (int64_t i = 0; i < n; i++) {
        x[i] = hostile(&g, i);
        y[i] = i % 5 == 1 ? x[i] : i % 5 == 2 ? nextafter(x[i], 0) : hostile(&g, i / 3);
    }
    evaluate(f->text, n, x, y, value, radius);
    for (int64_t i = 0; i < n; i++) {
        known += hold(f, x[i], y[i], value[i], radius[i]);
        sharp += isfinite(value[i]) && radius[i] <= 0x1p-44 * fabs(value[i]);
    }
    cr_expect_gt(known, n / 4, "%s: Arb knows only %ld of %ld", f->name, (long)known, (long)n);
    cr_expect_gt(sharp, n / 4, "%s: only %ld of %ld are sharp", f->name, (long)sharp, (long)n);
    free(x);
    free(y);
    free(value);
    free(radius);
}

Test(expression, values_are_within_their_radii_by_arb)
{
    for (int f = 0; f < FORMULAS; f++) {
        hold_formula(&formulas[f], 3000, (uint64_t)f);
    }
}

Test(expression_slow, values_are_within_their_radii_by_arb)
{
    for (int f = 0; f < FORMULAS; f++) {
        hold_formula(&formulas[f], 200000, (uint64_t)f + 100);
    }
}
