/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Functions of one number, one row each: name, dtypes, and the formula or the function of doubles
 * (reference/ops/elementwise/elementwise.h).
 *
 * Definitions: PyTorch's torch.NAME and torch.nn.functional.NAME; special values as in C's Annex F, operation
 * by operation: silu(-inf) is -inf·0. round rounds halves to even. */

#include "reference/ops/elementwise/elementwise.h"

#include <math.h>

enum { FLOATS = ELEMENTWISE_FLOATS, NUMBERS = FLOATS | 1U << DTYPE_INT32 };

static uint64_t negated(const struct elementwise_format *format, const uint64_t *x)
{
    return *x ^ format->sign;
}

static uint64_t magnitude(const struct elementwise_format *format, const uint64_t *x)
{
    return *x & ~format->sign;
}

static int64_t negated_integer(const int64_t *x)
{
    return (int64_t)(0 - (uint64_t)*x);
}

static int64_t magnitude_of_integer(const int64_t *x)
{
    return *x < 0 ? negated_integer(x) : *x;
}

/* NaN and −0 are returned unchanged. */
static double positive_part(double x)
{
    return x < 0 ? 0 : x;
}

/* The difference is exact. */
static double fraction(double x)
{
    return x - trunc(x);
}

/* Each formula uses a form in which nothing cancels; beyond e^20 and 10^4, one in which nothing overflows. */
#define SINH                                                                                                 \
    "a = abs(x); t = expm1(min(a, 20)); e = exp(0.5 * a); d = exp(-0.5 * a); "                               \
    "h = a > 20 ? 0.5 * e * e - 0.5 * d * d : 0.5 * (t + t / (t + 1)); x == 0 ? x : x < 0 ? -h : h"
#define COSH                                                                                                 \
    "a = abs(x); e = exp(a); h = exp(0.5 * a); d = exp(-0.5 * a); "                                          \
    "a > 20 ? 0.5 * h * h + 0.5 * d * d : 0.5 * (e + 1 / e)"
#define ASINH                                                                                                \
    "a = abs(x); r = 1 / a; h = a > 10000 ? log(a) + log(1 + sqrt(1 + r * r)) : "                            \
    "log1p(a + a * a / (1 + sqrt(1 + a * a))); x == 0 ? x : x < 0 ? -h : h"
#define ACOSH                                                                                                \
    "r = 1 / x; t = x - 1; x < 1 ? nan : x > 10000 ? log(x) + log(1 + sqrt(1 - r * r)) : "                   \
    "log1p(t + sqrt(t * (t + 2)))"
#define ATANH "a = abs(x); h = 0.5 * log1p(2 * a / (1 - a)); a > 1 ? nan : x == 0 ? x : x < 0 ? -h : h"
#define ASIN                                                                                                 \
    "a = abs(x); c = sqrt((1 - a) * (1 + a)); h = a > 0.5 ? pi / 2 - atan(c / a) : atan(a / c); "            \
    "a > 1 ? nan : x == 0 ? x : x < 0 ? -h : h"
#define ACOS  "a = abs(x); h = 2 * atan(sqrt((1 - a) / (1 + a))); a > 1 ? nan : x < 0 ? pi - h : h"
#define LOGIT "x < 0 ? nan : x > 1 ? nan : log(x / (1 - x))"

#define BITS    ELEMENTWISE_BITS
#define EXACT   ELEMENTWISE_EXACT
#define FORMULA ELEMENTWISE_FORMULA
#define OPEN_ZERO(name, ...)                                                                                 \
    {                                                                                                        \
        ELEMENTWISE_OP(name, FLOATS, ELEMENTWISE_ONE), ELEMENTWISE_BY_FORMULA,                               \
            .accept = elementwise_accept_formula, .bounded = true,                                           \
            ELEMENTWISE_ROW(.open_zero = true, .formula = __VA_ARGS__)                                       \
    }
static const struct op ops[] = {
    BITS("abs", NUMBERS, magnitude, .integer = magnitude_of_integer),
    BITS("neg", NUMBERS, negated, .integer = negated_integer),
    EXACT("floor", FLOATS, floor),
    EXACT("ceil", FLOATS, ceil),
    EXACT("trunc", FLOATS, trunc),
    EXACT("round", FLOATS, rint),
    EXACT("relu", FLOATS, positive_part, .open_zero = true, .selects = true),
    FORMULA("reciprocal", FLOATS, "1 / x", .quotient = true),
    FORMULA("sqrt", FLOATS, "sqrt(x)"),
    FORMULA("rsqrt", FLOATS, "rsqrt(x)"),
    FORMULA("exp", FLOATS, "exp(x)"),
    FORMULA("exp2", FLOATS, "exp2(x)"),
    FORMULA("expm1", FLOATS, "expm1(x)"),
    FORMULA("log", FLOATS, "log(x)"),
    FORMULA("log2", FLOATS, "log2(x)"),
    FORMULA("log10", FLOATS, "log10(x)"),
    FORMULA("log1p", FLOATS, "log1p(x)"),
    FORMULA("sin", FLOATS, "sin(x)"),
    FORMULA("cos", FLOATS, "cos(x)"),
    FORMULA("tan", FLOATS, "tan(x)"),
    FORMULA("asin", FLOATS, ASIN),
    FORMULA("acos", FLOATS, ACOS),
    FORMULA("atan", FLOATS, "atan(x)"),
    FORMULA("sinh", FLOATS, SINH),
    FORMULA("cosh", FLOATS, COSH),
    FORMULA("asinh", FLOATS, ASINH),
    FORMULA("acosh", FLOATS, ACOSH),
    FORMULA("atanh", FLOATS, ATANH),
    FORMULA("logit", FLOATS, LOGIT, .form = {"x < 0 ? nan : x > 1 ? nan : log(x) - log1p(-x)"}),
    FORMULA("tanh", FLOATS, "tanh(x)"),
    FORMULA("erf", FLOATS, "erf(x)"),
    FORMULA("erfc", FLOATS, "erfc(x)"),
    FORMULA("erfinv", FLOATS, "erfinv(x)"),
    FORMULA("lgamma", FLOATS, "lgamma(x)"),
    FORMULA("digamma", FLOATS, "digamma(x)"),
    FORMULA("sigmoid", FLOATS, "e = exp(-abs(x)); (x < 0 ? e : 1) / (1 + e)", .naive = "1 / (1 + exp(-x))"),
    FORMULA("silu", FLOATS, "e = exp(-abs(x)); x * ((x < 0 ? e : 1) / (1 + e))",
            .naive = "x / (1 + exp(-x))"),
    OPEN_ZERO("logsigmoid", "min(x, 0) - log1p(exp(-abs(x)))", .form = {"-log1p(exp(-x))"},
              .naive = "-log1p(exp(-x))", .documented = "log(1 / (1 + exp(-x)))"),
    EXACT("frac", FLOATS, fraction),
    FORMULA("hardsigmoid", FLOATS, "min(max(x + 3, 0), 6) / 6"),
    FORMULA("hardswish", FLOATS, "x * (min(max(x + 3, 0), 6) / 6)", .naive = "x * min(max(x + 3, 0), 6) / 6"),
    OPEN_ZERO("selu", /* exp(-0) - 1 is +0 */
              "1.0507009873554804934193349852946 * "
              "(x > 0 ? x : 1.6732632423543772848170429916717 * expm1(x))",
              .documented = "1.0507009873554804934193349852946 * "
                            "(x > 0 ? x : 1.6732632423543772848170429916717 * (exp(x) - 1))"),
    FORMULA("mish", FLOATS, "x * tanh(max(x, 0) + log1p(exp(-abs(x))))"),
    OPEN_ZERO("sinc", "p = pi * x; x == 0 ? 1 : sin(p) / p"),
    FORMULA("softsign", FLOATS, "x / (1 + abs(x))"),
};

const struct op_set op_set_unary = {.op = ops, .count = sizeof ops / sizeof *ops};
