/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Results that are exactly 0 after quotients and logarithms, and results that are nearly 0. */

#include "reference/formula/test/expression.h"

#include <limits.h>
#include <math.h>

/* Certifies the one result, or that of the first element; false if the precision ladder reaches its cap. */
static bool certify(const char *formula, const double *x, const double *y, int64_t n, struct value *out)
{
    struct value value[4];
    struct error error = {.text = ""};
    struct expression *e = parsed(formula, two_operands);
    struct expression_workspace *w = expression_workspace_create(e);
    const struct expression_row row = {.n = n, .input = (const double *[]){x, y}};
    int bits = INT_MAX;
    bool good = expression_certify(w, &row, NULL, value, &bits, &error);
    *out = value[0];
    expression_workspace_destroy(&w);
    expression_destroy(&e);
    return good;
}

static void zero(const char *formula, const double *x, const double *y, int64_t n)
{
    struct value value;
    cr_assert(certify(formula, x, y, n, &value), "%s has no truth", formula);
    cr_expect(value.class == VALUE_FINITE && value.hi == 0, "%s is not 0", formula);
}

static void about(const char *formula, const double *x, const double *y, int64_t n, double truth)
{
    struct value value;
    cr_assert(certify(formula, x, y, n, &value), "%s has no truth", formula);
    cr_expect_leq(fabs(value_approximately(&value) - truth), 0x1p-40 * fabs(truth), "%s: %g", formula,
                  value_approximately(&value));
}

#define ONE(x_, y_) (const double[]){x_}, (const double[]){y_}, 1

Test(expression_zero, behind_quotients)
{
    zero("3 * (x / y) - 1", ONE(1, 3));
    zero("x / 10 - y * 0.1", ONE(3, 3));
    zero("x * 1.25e-2 - y / 80", ONE(-5, -5));
    zero("sqrt(x / y) - 2 / 3", ONE(4, 9));
    zero("x * rsqrt(x / y) - 3", ONE(2, 4.5));
    zero("abs(x / y) + x / abs(y)", ONE(-1, 3));
    zero("max(x / y, -1) - (x < 0 ? x / y : exp(x))", ONE(-1, 3));
    zero("mean(x) - sum(x) / n", (const double[]){1, 2, 4}, (const double[]){0, 0, 0}, 3);
    zero("mean(x / y) - 7 / 9", (const double[]){1, 2, 4}, (const double[]){3, 3, 3}, 3);
    about("3 * (x / y) - 1", ONE(1 + 0x1p-52, 3), 0x1p-52);
    about("x / 10 - y * 0.1", ONE(3, 3 - 0x1p-51), 0x1.999999999999ap-55);
}

Test(expression_zero, of_logarithms)
{
    const double factors[] = {1, -1, -1}, numbers[] = {6, 2, 3}, beside[] = {6, 2, 3 + 0x1p-51};
    const double powers[] = {3, -1.5, 0.25}, halves[] = {1.5, 2.25, 1};
    const double shares[] = {2, 0.5, 0.5}, rest[] = {0, 0, 0};
    zero("sum(x * log(y))", factors, numbers, 3);
    zero("sum(x * log(y))", powers, halves, 3);
    zero("sum(x * log(x)) - log(x / y) * 0 - log(2)", shares, (const double[]){1, 1, 1}, 3);
    zero("log1p(x) - log(1 + x) / 1", ONE(0.75, 0));
    zero("log(x / y) - log(x) + log(y)", ONE(10, 0.75));
    zero("exp(y) * (log(x) - log(3) * 2) + sin(y)", ONE(9, 0));
    about("sum(x * log(y))", factors, beside, 3, -0x1p-51 / 3);
    about("sum(x * log(x)) + sum(y)", shares, rest, 3, 0.69314718055994531);
    about("sum(x * log(y)) + 1e-250", factors, numbers, 3, 1e-250);
}

Test(expression_zero, sines_of_whole_multiples_of_pi)
{
    zero("sin(pi * x)", ONE(3, 0));
    zero("p = pi * x; sin(p) / p", ONE(-7, 0));
    zero("p = x * pi; x == 0 ? 1 : sin(p) / p", ONE(0x1p1000, 0));
    zero("exp(y) * sin(pi * (x / y))", ONE(6, 3));
    about("sin(pi * x)", ONE(1 + 0x1p-40, 0), -0x1.921fb54442d18p-39);
    about("p = pi * x; sin(p) / p", ONE(2.5, 0), 0x1.04c26be3b06cfp-3);
    about("p = pi * x; x == 0 ? 1 : sin(p) / p", ONE(0, 0), 1);
}

/* What is 0 by another relation than these stays without a truth, and is no 0 by its size. */
Test(expression_zero, what_is_not_decided)
{
    struct value value;
    cr_expect_not(certify("sin(x) * sin(x) + cos(x) * cos(x) - 1", ONE(1, 0), &value));
    cr_expect_not(certify("sin(pi * x) - 1", ONE(0.5, 0), &value));
    cr_expect_not(certify("sin(pi * x / y)", ONE(6, 3), &value),
                  "the product is no multiple of pi by itself");
    cr_expect_not(certify("log(x) * log(y) - log(y) * log(x * 1)", ONE(2, 3), &value));
    about("exp(x) - 1 - y", ONE(0x1p-600, 0), 0x1p-600);
}
