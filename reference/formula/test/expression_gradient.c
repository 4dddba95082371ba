/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Gradients of formulas against differences of certified values. */

#include "reference/formula/test/expression.h"

#include <limits.h>

enum { ROW = 5 };

static const struct expression_input inputs[] = {
    {"x", EXPRESSION_ELEMENT}, {"y", EXPRESSION_ELEMENT}, {"a", EXPRESSION_ROW}, {NULL, EXPRESSION_ROW}};

/* Returns Σ_j grad_j·result_j to some 100 bits. */
static void weighted(struct expression_workspace *w, bool of_row, const double *x, const double *y, double a,
                     const double *grad, mpfr_ptr sum)
{
    const double *input[] = {x, y, &a};
    struct expression_row row = {.n = ROW, .input = input};
    struct value value[ROW];
    int bits = INT_MAX;
    mpfr_t term;
    mpfr_init2(term, 300);
    cr_assert(expression_certify(w, &row, NULL, value, &bits, NULL));
    mpfr_set_zero(sum, 1);
    for (int j = 0; j < (of_row ? 1 : ROW); j++) {
        value_to_mpfr(&value[j], term);
        mpfr_mul_d(term, term, grad[j], MPFR_RNDN);
        mpfr_add(sum, sum, term, MPFR_RNDN);
    }
    mpfr_clear(term);
}

/* Returns (F(at + h) − F(at − h))/2h; `moved` is the array that `at` points into. */
static double slope_of(struct expression_workspace *w, bool of_row, const double *x, const double *y,
                       const double *a, const double *grad, double *moved)
{
    double h = 0x1p-28, at = *moved;
    mpfr_t up, down;
    mpfr_inits2(300, up, down, (mpfr_ptr)0);
    *moved = at + h;
    weighted(w, of_row, x, y, *a, grad, up);
    *moved = at - h;
    weighted(w, of_row, x, y, *a, grad, down);
    *moved = at;
    mpfr_sub(up, up, down, MPFR_RNDN);
    double slope = mpfr_get_d(up, MPFR_RNDN) / (2 * h);
    mpfr_clears(up, down, (mpfr_ptr)0);
    return slope;
}

static void hold(const char *formula, const char *name, int which)
{
    double x[ROW] = {0.75, 1.5, 0.3125, 2.25, 1.0625}, y[ROW] = {2.5, 0.125, 1.75, 0.625, 1.25}, a = 1.375,
           grad[ROW] = {1, -0.5, 2, 0.25, -3}, value[ROW], radius[ROW];
    struct expression *e = parsed(formula, inputs);
    struct error error = {.text = ""};
    struct expression *g = expression_gradient(e, name, "grad", &error);
    cr_assert_not_null(g, "%s", error.text);
    struct expression_workspace *w = expression_workspace_create(e), *of_g = expression_workspace_create(g);
    const double *at[] = {x, y, &a, grad};
    expression_values(of_g, &(struct expression_row){.n = ROW, .input = at}, value, radius);
    double *const moved[] = {x, y, &a};
    cr_expect_eq(expression_is_row(g), which == 2, "%s by %s", formula, name);
    for (int k = 0; k < (which == 2 ? 1 : ROW); k++) {
        double slope = slope_of(w, expression_is_row(e), x, y, &a, grad, &moved[which][k]);
        double got = expression_is_row(g) ? value[0] : value[k];
        cr_expect_lt(fabs(got - slope), 0x1p-38 * (1 + fabs(slope)), "%s by %s[%d]: %.17g, not %.17g",
                     formula, name, k, got, slope);
    }
    expression_workspace_destroy(&w);
    expression_workspace_destroy(&of_g);
    expression_destroy(&e);
    expression_destroy(&g);
}

Test(expression_gradient, agrees_with_differences)
{
    static const char *const of_x[] = {"x",
                                       "-x * y",
                                       "x * x",
                                       "x / y",
                                       "y / x",
                                       "sqrt(x)",
                                       "rsqrt(x)",
                                       "exp(x)",
                                       "exp2(x)",
                                       "expm1(x)",
                                       "log(x)",
                                       "log2(x)",
                                       "log10(x)",
                                       "log1p(x)",
                                       "sin(x)",
                                       "cos(x)",
                                       "tan(x)",
                                       "tanh(x)",
                                       "erf(x)",
                                       "erfc(x)",
                                       "atan(x)",
                                       "erfinv(0.375 * x)",
                                       "lgamma(x)",
                                       "lgamma(-x * y)",
                                       "sigmoid(x)",
                                       "pow(x, y)",
                                       "pow(y, x)",
                                       "min(x, y)",
                                       "max(x, y * x)",
                                       "abs(x - 1)",
                                       "x < 1 ? x * x : 3 * x",
                                       "x / (1 + exp(-x))",
                                       "t = x * y; t * t + exp(t) - x",
                                       "sum(x * y)",
                                       "mean(x * x)",
                                       "x * sum(x)",
                                       "x * rsqrt(mean(x * x) + 0.125) * y",
                                       "e = exp(x - row_max(x)); e / sum(e)",
                                       "row_max(x * y)",
                                       "m = mean(x); d = x - m; v = mean(d * d); d / sqrt(v + a)",
                                       "log(sum(exp(x))) * x",
                                       "x * 0"};
    for (size_t k = 0; k < sizeof of_x / sizeof *of_x; k++) {
        hold(of_x[k], "x", 0);
    }
    hold("x * rsqrt(mean(x * x) + 0.125) * y", "y", 1);
    hold("x / (1 + y) - pow(x, y)", "y", 1);
    hold("a * x + x / a", "a", 2);
    hold("m = mean(x) * a; (x - m) * a", "a", 2);
}

Test(expression_gradient, of_digamma_there_is_none)
{
    struct error error = {.text = ""};
    struct expression *e = parsed("x * digamma(y)", inputs);
    cr_expect_null(expression_gradient(e, "x", "grad", &error));
    cr_expect_not_null(strstr(error.text, "digamma"), "%s", error.text);
    expression_destroy(&e);
}

Test(expression_gradient, what_is_not_needed_goes)
{
    struct expression *e = parsed("x * sum(y)", inputs), *g = expression_gradient(e, "x", "grad", NULL);
    char text[200];
    expression_print(g, text, sizeof text);
    cr_expect_str_eq(text, "t1 = sum(y); grad * t1");
    expression_destroy(&g);
    g = expression_gradient(e, "a", "grad", NULL);
    expression_print(g, text, sizeof text);
    cr_expect_str_eq(text, "0");
    expression_destroy(&g);
    struct error error;
    cr_expect_null(expression_gradient(e, "z", "grad", &error));
    cr_expect(strstr(error.text, "no input z"));
    cr_expect_null(expression_gradient(e, "x", "y", &error));
    cr_expect(strstr(error.text, "already"));
    expression_destroy(&e);
}
