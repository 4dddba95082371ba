/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Activations with attributes or with several forms (reference/ops/elementwise/elementwise.h).
 *
 * Definitions: PyTorch's torch.nn.functional.NAME. softplus is the identity where beta·x exceeds the
 * threshold, as documented. gelu(−inf) is −inf·0. The formulas avoid 1 + erf and 1 + tanh, which cancel;
 * these are legal forms and widen the bound. */

#include "reference/ops/elementwise/elementwise.h"

enum { FLOATS = ELEMENTWISE_FLOATS };

/* Beyond 100 no type shows a difference, and no cube leaves its range. */
#define INNER                                                                                                \
    "c = abs(x) == inf ? x : min(max(x, -100), 100); "                                                       \
    "t = 0.797884560802865355879892119868763736951717262329869315 * (c + 0.044715 * (c * c * c)); "

static const struct elementwise gelu_by_tanh = {
    .formula = INNER "e = exp(-2 * abs(t)); x * ((t < 0 ? e : 1) / (1 + e))",
    .form = {INNER "0.5 * x * (1 + tanh(t))"},
};

#define WITH(...)        .attributes = {__VA_ARGS__}
#define DEFAULT(...)     .defaults = {__VA_ARGS__}
#define ACTIVATION(name) ELEMENTWISE_OP(name, FLOATS, ELEMENTWISE_ONE), ELEMENTWISE_BY_FORMULA
#define OPEN_ZERO        .accept = elementwise_accept_formula, .bounded = true /* exp(−0) − 1 is 0 */
#define ROW              ELEMENTWISE_ROW

static const struct op ops[] = {
    {ACTIVATION("gelu"), WITH({"approximate", ATTRIBUTE_CHOICE}), DEFAULT({"approximate", DEFAULT_VALUE, 0}),
     .choices = {{"approximate", "none", 0}, {"approximate", "tanh", 1}},
     /* Below −39 the result is below 2^-1,097, as is the function that replaces it here, which is known
      * sooner and leaves no range; no dtype holds either. */
     ROW(.formula = "x < -39 ? x * exp(50 * (x == -inf ? x : max(x, -64))) : 0.5 * x * erfc(-x * "
                    "0.707106781186547524400844362104849039284835937688474037)",
         .form = {"x * (0.5 * (1 + erf(x * 0.707106781186547524400844362104849039284835937688474037)))"},
         .naive = "x * (1 + erf(x * 0.707106781186547524400844362104849039284835937688474037)) / 2",
         .choice = "approximate", .chosen = {[1] = &gelu_by_tanh})},
    {ACTIVATION("elu"), OPEN_ZERO, WITH({"alpha", ATTRIBUTE_REAL}), DEFAULT({"alpha", DEFAULT_VALUE, 1}),
     ROW(.formula = "x > 0 ? x : alpha * expm1(x)", .documented = "x > 0 ? x : alpha * (exp(x) - 1)",
         .open_zero = true)},
    {ACTIVATION("celu"), OPEN_ZERO, WITH({"alpha", ATTRIBUTE_REAL}), DEFAULT({"alpha", DEFAULT_VALUE, 1}),
     ROW(.formula = "x > 0 ? x : alpha * expm1(x / alpha)",
         .form = {"x > 0 ? x : expm1(x * (1 / alpha)) * alpha"},
         .documented = "x > 0 ? x : alpha * (exp(x / alpha) - 1)", .open_zero = true, .nonzero = "alpha")},
    {ACTIVATION("leaky_relu"), WITH({"negative_slope", ATTRIBUTE_REAL}),
     DEFAULT({"negative_slope", DEFAULT_VALUE, 0.01}), OPEN_ZERO, /* 0 times a slope of either sign */
     ROW(.formula = "x > 0 ? x : negative_slope * x", .open_zero = true)},
    {ACTIVATION("softplus"), WITH({"beta", ATTRIBUTE_REAL}, {"threshold", ATTRIBUTE_REAL}),
     DEFAULT({"beta", DEFAULT_VALUE, 1}, {"threshold", DEFAULT_VALUE, 20}),
     ROW(.formula = "t = x * beta; t > threshold ? x : (max(t, 0) + log1p(exp(-abs(t)))) / beta",
         .form = {"t = x * beta; t > threshold ? x : log1p(exp(t)) / beta"},
         .naive = "t = x * beta; t > threshold ? x : log1p(exp(t)) / beta",
         .documented = "t = x * beta; t > threshold ? x : log(1 + exp(t)) / beta")},
    {ACTIVATION("hardtanh"), WITH({"min_val", ATTRIBUTE_REAL}, {"max_val", ATTRIBUTE_REAL}),
     DEFAULT({"min_val", DEFAULT_VALUE, -1}, {"max_val", DEFAULT_VALUE, 1}),
     OPEN_ZERO, /* -0 and a limit of 0 */
     ROW(.formula = "min(max(x, min_val), max_val)", .also = {"x", "min_val", "max_val"}, .selects = true,
         .open_zero = true)},
};

const struct op_set op_set_activations = {.op = ops, .count = sizeof ops / sizeof *ops};
