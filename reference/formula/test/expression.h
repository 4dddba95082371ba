/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_FORMULA_TEST_EXPRESSION_H
#define ASSAY_REFERENCE_FORMULA_TEST_EXPRESSION_H

/* Formulas of one and two operands, and their values by Arb, which is independent of
 * reference/formula/expression.h. */

#include "reference/formula/expression.h"
#include "reference/numeric/elementary/test/elementary.h"

enum { EXPRESSION_TEST_BITS = 400 };

static const struct expression_input two_operands[] = {
    {"x", EXPRESSION_ELEMENT}, {"y", EXPRESSION_ELEMENT}, {NULL, EXPRESSION_ROW}};

static inline struct expression *parsed(const char *formula, const struct expression_input *inputs)
{
    struct error error = {.text = ""};
    struct expression *e = expression_parse(formula, inputs, &error);
    cr_assert_not_null(e, "%s: %s", formula, error.text);
    return e;
}

typedef void by_arb(arb_t out, const arb_t x, const arb_t y);

/* Replaces x by (a·x + b)/c. */
static inline void arb_line(arb_t x, long a, long b, long c)
{
    arb_mul_si(x, x, a, EXPRESSION_TEST_BITS);
    arb_add_si(x, x, b, EXPRESSION_TEST_BITS);
    arb_div_si(x, x, c, EXPRESSION_TEST_BITS);
}

static inline void silu_by_arb(arb_t out, const arb_t x, const arb_t y)
{
    (void)y;
    arb_neg(out, x);
    arb_exp(out, out, EXPRESSION_TEST_BITS);
    arb_line(out, 1, 1, 1);
    arb_div(out, x, out, EXPRESSION_TEST_BITS);
}

static inline void sigmoid_by_arb(arb_t out, const arb_t x, const arb_t y)
{
    (void)y;
    arb_neg(out, x);
    arb_exp(out, out, EXPRESSION_TEST_BITS);
    arb_line(out, 1, 1, 1);
    arb_inv(out, out, EXPRESSION_TEST_BITS);
}

static inline void gelu_by_arb(arb_t out, const arb_t x, const arb_t y)
{
    (void)y;
    arb_set_si(out, 2);
    arb_sqrt(out, out, EXPRESSION_TEST_BITS);
    arb_div(out, x, out, EXPRESSION_TEST_BITS);
    arb_hypgeom_erf(out, out, EXPRESSION_TEST_BITS);
    arb_line(out, 1, 1, 2);
    arb_mul(out, out, x, EXPRESSION_TEST_BITS);
}

/* 0.5·x·(1 + tanh(√(2/π)·(x + 0.044715·x³))) */
static inline void gelu_tanh_by_arb(arb_t out, const arb_t x, const arb_t y)
{
    arb_t root;
    (void)y;
    arb_init(root);
    arb_const_pi(root, EXPRESSION_TEST_BITS);
    arb_inv(root, root, EXPRESSION_TEST_BITS);
    arb_line(root, 2, 0, 1);
    arb_sqrt(root, root, EXPRESSION_TEST_BITS);
    arb_pow_ui(out, x, 3, EXPRESSION_TEST_BITS);
    arb_line(out, 44715, 0, 1000000);
    arb_add(out, out, x, EXPRESSION_TEST_BITS);
    arb_mul(out, out, root, EXPRESSION_TEST_BITS);
    arb_tanh(out, out, EXPRESSION_TEST_BITS);
    arb_line(out, 1, 1, 2);
    arb_mul(out, out, x, EXPRESSION_TEST_BITS);
    arb_clear(root);
}

static inline void mish_by_arb(arb_t out, const arb_t x, const arb_t y)
{
    (void)y;
    arb_exp(out, x, EXPRESSION_TEST_BITS);
    arb_log1p(out, out, EXPRESSION_TEST_BITS);
    arb_tanh(out, out, EXPRESSION_TEST_BITS);
    arb_mul(out, out, x, EXPRESSION_TEST_BITS);
}

static inline void difference_by_arb(arb_t out, const arb_t x, const arb_t y)
{
    arb_mul(out, y, y, EXPRESSION_TEST_BITS);
    arb_neg(out, out);
    arb_addmul(out, x, x, 4300);
}

static inline void root_by_arb(arb_t out, const arb_t x, const arb_t y)
{
    arb_mul(out, y, y, EXPRESSION_TEST_BITS);
    arb_addmul(out, x, x, EXPRESSION_TEST_BITS);
    arb_sqrt(out, out, EXPRESSION_TEST_BITS);
}

static inline void small_root_by_arb(arb_t out, const arb_t x, const arb_t y)
{
    (void)y;
    arb_abs(out, x);
    arb_sqrt(out, out, EXPRESSION_TEST_BITS);
}

static inline void wave_by_arb(arb_t out, const arb_t x, const arb_t y)
{
    arb_t t;
    arb_init(t);
    arb_add(t, x, y, EXPRESSION_TEST_BITS);
    arb_sin(out, t, EXPRESSION_TEST_BITS);
    arb_cos(t, t, EXPRESSION_TEST_BITS);
    arb_div(out, out, t, EXPRESSION_TEST_BITS);
    arb_clear(t);
}

static inline void log_ratio_by_arb(arb_t out, const arb_t x, const arb_t y)
{
    arb_div(out, x, y, EXPRESSION_TEST_BITS);
    arb_abs(out, out);
    arb_log(out, out, EXPRESSION_TEST_BITS);
}

static inline void power_by_arb(arb_t out, const arb_t x, const arb_t y)
{
    arb_abs(out, x);
    arb_line(out, 1, 1, 1);
    arb_pow(out, out, y, EXPRESSION_TEST_BITS);
}

static inline void lesser_by_arb(arb_t out, const arb_t x, const arb_t y)
{
    arb_min(out, x, y, EXPRESSION_TEST_BITS);
    arb_mul_si(out, out, 3, EXPRESSION_TEST_BITS);
    arb_div_si(out, out, 7, EXPRESSION_TEST_BITS);
}

static const struct formula {
    const char *name, *text;
    by_arb *value;
} formulas[] = {
    {"silu", "x / (1 + exp(-x))", silu_by_arb},
    {"sigmoid", "sigmoid(x)", sigmoid_by_arb},
    {"gelu", "0.5 * x * erfc(-x / sqrt(2))", gelu_by_arb},
    {"gelu_tanh", "u = sqrt(2 / pi) * (x + 0.044715 * x * x * x); x * sigmoid(2 * u)", gelu_tanh_by_arb},
    {"mish", "x * tanh(x > 20 ? x + log1p(exp(-x)) : log1p(exp(x)))", mish_by_arb},
    {"difference", "x * x - y * y", difference_by_arb},
    {"root", "sqrt(x * x + y * y)", root_by_arb},
    {"small_root", "sqrt(abs(x))", small_root_by_arb},
    {"wave", "t = x + y; sin(t) / cos(t)", wave_by_arb},
    {"tangent", "tan(x + y)", wave_by_arb},
    {"log_ratio", "log(abs(x / y))", log_ratio_by_arb},
    {"power", "pow(1 + abs(x), y)", power_by_arb},
    {"lesser", "min(x, y) * 3 / 7", lesser_by_arb},
};
enum { FORMULAS = sizeof formulas / sizeof *formulas };

#endif
