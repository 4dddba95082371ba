/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Functions of one number, a row each: its name, its dtypes, and the formula that it is, or the function of
 * doubles (reference/elementwise.h).
 *
 * Definitions: PyTorch's torch.NAME and torch.nn.functional.NAME; special values as C's Annex F has them,
 * operation by operation: silu(-inf) is -inf·0. round goes to even. */

#include "reference/elementwise.h"

#include <math.h>

enum {
    FLOATS = 1U << DTYPE_FLOAT16 | 1U << DTYPE_BFLOAT16 | 1U << DTYPE_FLOAT32 | 1U << DTYPE_FLOAT64,
    NUMBERS = FLOATS | 1U << DTYPE_INT32
};

static double negated(double x)
{
    return -x;
}

/* NaN and −0 pass. */
static double positive_part(double x)
{
    return x < 0 ? 0 : x;
}

/* No bit is lost. */
static double fraction(double x)
{
    return x - trunc(x);
}

#define EXACT   ELEMENTWISE_EXACT
#define FORMULA ELEMENTWISE_FORMULA
static const struct op ops[] = {
    EXACT("abs", NUMBERS, fabs, .moves = true),
    EXACT("neg", NUMBERS, negated, .moves = true),
    EXACT("floor", FLOATS, floor),
    EXACT("ceil", FLOATS, ceil),
    EXACT("trunc", FLOATS, trunc),
    EXACT("round", FLOATS, rint),
    EXACT("relu", FLOATS, positive_part, .open_zero = true),
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
    FORMULA("tanh", FLOATS, "tanh(x)"),
    FORMULA("erf", FLOATS, "erf(x)"),
    FORMULA("erfc", FLOATS, "erfc(x)"),
    FORMULA("sigmoid", FLOATS, "e = exp(-abs(x)); (x < 0 ? e : 1) / (1 + e)", .naive = "1 / (1 + exp(-x))"),
    FORMULA("silu", FLOATS, "e = exp(-abs(x)); x * ((x < 0 ? e : 1) / (1 + e))",
            .naive = "x / (1 + exp(-x))"),
    FORMULA("logsigmoid", FLOATS, "min(x, 0) - log1p(exp(-abs(x)))"),
    EXACT("frac", FLOATS, fraction),
    FORMULA("hardsigmoid", FLOATS, "min(max(x + 3, 0), 6) / 6"),
    FORMULA("hardswish", FLOATS, "x * (min(max(x + 3, 0), 6) / 6)", .naive = "x * min(max(x + 3, 0), 6) / 6"),
    FORMULA("selu", FLOATS,
            "1.0507009873554804934193349852946 * (x > 0 ? x : 1.6732632423543772848170429916717 * expm1(x))"),
    FORMULA("mish", FLOATS, "x * tanh(max(x, 0) + log1p(exp(-abs(x))))"),
    FORMULA("softsign", FLOATS, "x / (1 + abs(x))"),
};

const struct op_set op_set_unary = {.op = ops, .count = sizeof ops / sizeof *ops};
