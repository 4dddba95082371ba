/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Gradients of activations: grad_output times the derivative at the input
 * (reference/ops/elementwise/elementwise.h).
 *
 * Definition: the results of PyTorch's autograd for torch.nn.functional.NAME; sigmoid_backward and
 * tanh_backward are ATen's, of grad_output and the forward's output. At a kink the derivative is PyTorch's,
 * and also that of the other side where its versions differ. Each agrees with the gradient that
 * expression_gradient derives from the forward's formula (reference/ops/elementwise/test/activations.c). They
 * are written out here because formulas with |x|, which keeps them in range, have gradients with a kink at 0.
 * Forms are PyTorch's own; gelu_backward also has the sum of two products that automatic differentiation
 * makes.
 *
 * Below −10,000 (gelu: −60) slopes that are differences of two numbers below 2^-2,500 are replaced by
 * x·exp(x) or x·exp(50·max(x, −100)), which have the same sign and which no dtype can distinguish from them.
 * At ±∞ the formulas contain 0·∞; the limits, 0 and grad_output, are right as well. */

#include "reference/ops/elementwise/elementwise.h"

enum { FLOATS = ELEMENTWISE_FLOATS };

#define SIGMOID "e = exp(-abs(x)); s = (x < 0 ? e : 1) / (1 + e); "
/* Beyond 100 no type shows a difference, and no power leaves its range; but the error of 1 - tanh² is
 * multiplied by x³. */
#define CLOSE       "c = abs(x) == inf ? x : min(max(x, -100), 100); "
#define INNER_SLOPE "0.797884560802865355879892119868763736951717262329869315"
#define INNER       "t = " INNER_SLOPE " * (c + 0.044715 * (c * c * c)); "
#define STEEP(x)    "v = " INNER_SLOPE " * (1 + 0.134145 * (" x " * " x ")); "
#define DENSITY     CLOSE "d = 0.398942280401432677939946059934381868475858631164934658 * exp(-0.5 * (c * c)); "

#define ROOT "0.707106781186547524400844362104849039284835937688474037"

#define LIMIT .also = {"x < 0 ? 0 : grad"}, .also_at_infinity = true

static const struct elementwise gelu_by_tanh = {
    .formula = CLOSE INNER STEEP("c") "e = exp(-2 * abs(t)); u = 1 + e; "
                                      "x < -60 ? grad * (x * exp(50 * c)) : "
                                      "grad * ((t < 0 ? e : 1) / u + 0.5 * x * (4 * e / (u * u)) * v)",
    .form = {CLOSE INNER STEEP("x") "h = tanh(t); grad * (0.5 * (1 + h) + 0.5 * x * (1 - h * h) * v)",
             CLOSE INNER "h = tanh(t); w = 0.5 * grad * (1 - h); p = " INNER_SLOPE " * (w + w * h) * c; "
                         "grad * (0.5 * (1 + h)) + p + 0.044715 * p * (3 * (c * c))"},
    .naive = "c = x; " INNER STEEP("x") "h = tanh(t); grad * (0.5 * (1 + h) + 0.5 * x * (1 - h * h) * v)",
    LIMIT,
};

#define OPEN            .accept = elementwise_accept_formula, .bounded = true /* zeros of either sign */
#define GRADIENT(name)  ELEMENTWISE_OP(name, FLOATS, ELEMENTWISE_GRAD), ELEMENTWISE_BY_FORMULA, OPEN
#define OF_OUTPUT(name) ELEMENTWISE_OP(name, FLOATS, ELEMENTWISE_OUTPUT), ELEMENTWISE_BY_FORMULA, OPEN
#define WITH(...)       .attributes = {__VA_ARGS__}
#define DEFAULT(...)    .defaults = {__VA_ARGS__}
#define ROW             ELEMENTWISE_ROW

static const struct op ops[] = {
    {OF_OUTPUT("sigmoid_backward"),
     ROW(.formula = "grad * ((1 - x) * x)", .form = {"grad * (1 - x) * x"}, .infinite_beyond = true)},
    {OF_OUTPUT("tanh_backward"),
     ROW(.formula = "grad * (1 - x * x)",
         .form = {"grad * (1 - x) * (1 + x)", "(grad + grad * x) * (1 - x)", "grad - grad * x * x"},
         .naive = "x < 0 ? grad * (1 - x) * (1 + x) : (grad + grad * x) * (1 - x)", .infinite_beyond = true)},
    {GRADIENT("relu_backward"), ROW(.formula = "x <= 0 ? 0 : grad", .open_nan = true)},
    {GRADIENT("silu_backward"),
     ROW(.formula = SIGMOID "c = (x < 0 ? 1 : e) / (1 + e); grad * (s * (1 + x * c))",
         .form = {SIGMOID "grad * s * (1 + x * (1 - s))"},
         .naive = "s = 1 / (1 + exp(-x)); grad * s * (1 + x * (1 - s))", LIMIT)},
    {GRADIENT("logsigmoid_backward"), .naive_by_word = true,
     ROW(.formula = "e = exp(-abs(x)); grad * ((x < 0 ? 1 : e) / (1 + e))",
         .form = {"e = exp(-abs(x)); q = e / (1 + e); grad * (x < 0 ? 1 - q : q)"},
         .naive = "grad * (1 / (1 + exp(x)))")},
    /* tanh(log1p(exp x)) = ((1 + exp x)² − 1)/((1 + exp x)² + 1), by e = exp(−|x|) */
    {GRADIENT("mish_backward"),
     ROW(.formula = "e = exp(-abs(x)); w = x < 0 ? 2 + e * (2 + e) : 1 + 2 * e * (1 + e); "
                    "r = (x < 0 ? e * (2 + e) : 1 + 2 * e) / w; b = (x < 0 ? 1 : e) * (1 + e) / w; "
                    "s = (x < 0 ? e : 1) / (1 + e); "
                    "x < -10000 ? grad * (x * exp(x)) : grad * (r + x * s * (4 * b * b))",
         .form = {SIGMOID "h = tanh(max(x, 0) + log1p(e)); grad * (h + x * s * (1 - h * h))"},
         .naive = "s = 1 / (1 + exp(-x)); h = tanh(log1p(exp(x))); grad * (h + x * s * (1 - h * h))", LIMIT)},
    {GRADIENT("selu_backward"), ROW(.formula = "1.0507009873554804934193349852946 * (x > 0 ? grad : "
                                               "grad * (1.6732632423543772848170429916717 * exp(x)))",
                                    .form = {"x > 0 ? grad * 1.0507009873554804934193349852946 : "
                                             "grad * 1.7580993408473768599402175208123 * exp(x)"},
                                    .naive = "x > 0 ? grad * 1.0507009873554804934193349852946 : "
                                             "grad * 1.7580993408473768599402175208123 * exp(x)",
                                    .infinite_beyond = true)},
    {GRADIENT("softsign_backward"), ROW(.formula = "d = 1 + abs(x); grad / d / d",

                                        .form = {"d = 1 + abs(x); grad / d - abs(x) / d * (grad / d)"},
                                        .naive = "d = 1 + abs(x); grad / (d * d)",
                                        .also = {"d = 1 + abs(x); grad / d - abs(x) / d * (grad / d)"})},
    {GRADIENT("hardsigmoid_backward"),
     ROW(.formula = "x > -3 ? (x < 3 ? grad / 6 : 0) : 0",
         .form = {"x > -3 ? (x < 3 ? grad * 0.16666666666666666666666666666667 : 0) : 0"},
         .also = {"x >= -3 ? (x <= 3 ? grad / 6 : 0) : 0"}, .open_nan = true)},
    {GRADIENT("hardswish_backward"),
     ROW(.formula = "x <= -3 ? 0 : x < 3 ? grad * (x / 3 + 0.5) : grad",
         .form = {"x <= -3 ? 0 : x < 3 ? grad * ((2 * x + 3) * 0.16666666666666666666666666666667) : grad",
                  "x <= -3 ? 0 : x < 3 ? grad * ((x + 3) / 6) + grad * (x / 6) : grad"},
         .also = {"x < -3 ? 0 : x <= 3 ? grad * (x / 3 + 0.5) : grad"}, .open_nan = true)},
    {GRADIENT("gelu_backward"), WITH({"approximate", ATTRIBUTE_CHOICE}),
     DEFAULT({"approximate", DEFAULT_VALUE, 0}),
     .choices = {{"approximate", "none", 0}, {"approximate", "tanh", 1}},
     ROW(.formula = DENSITY "x < -60 ? grad * (x * exp(50 * c)) : "
                            "grad * (0.5 * erfc(-x * " ROOT ") + x * d)",
         .form = {DENSITY "grad * (0.5 * (1 + erf(x * " ROOT ")) + "
                          "x * d)",
                  CLOSE
                  "q = c * " ROOT "; grad * erfc(-x * " ROOT ") * 0.5 + "
                  "1.12837916709551257389615890312154517169 * (0.5 * grad) * c * exp(-(q * q)) * " ROOT},
         .choice = "approximate", .chosen = {[1] = &gelu_by_tanh}, LIMIT)},
    {GRADIENT("elu_backward"), WITH({"alpha", ATTRIBUTE_REAL}), DEFAULT({"alpha", DEFAULT_VALUE, 1}),
     ROW(.formula = "x > 0 ? grad : grad * (alpha * exp(x))",
         .form = {"x > 0 ? grad : grad * alpha * exp(x)"}, .naive = "x > 0 ? grad : grad * alpha * exp(x)")},
    {GRADIENT("celu_backward"), WITH({"alpha", ATTRIBUTE_REAL}), DEFAULT({"alpha", DEFAULT_VALUE, 1}),
     ROW(.formula = "x > 0 ? grad : grad * exp(x / alpha)",
         .form = {"x > 0 ? grad : grad * (1 / alpha) * alpha * exp(x * (1 / alpha))",
                  "x > 0 ? grad : grad * alpha / alpha * exp(x / alpha)",
                  "x > 0 ? grad : grad * alpha * exp(x / alpha) / alpha"},
         .naive = "x > 0 ? grad : grad * (1 / alpha) * alpha * exp(x * (1 / alpha))", .nonzero = "alpha")},
    {GRADIENT("leaky_relu_backward"), WITH({"negative_slope", ATTRIBUTE_REAL}),
     DEFAULT({"negative_slope", DEFAULT_VALUE, 0.01}),
     ROW(.formula = "x > 0 ? grad : grad * negative_slope")},
    {GRADIENT("softplus_backward"), WITH({"beta", ATTRIBUTE_REAL}, {"threshold", ATTRIBUTE_REAL}),
     DEFAULT({"beta", DEFAULT_VALUE, 1}, {"threshold", DEFAULT_VALUE, 20}),
     ROW(.formula =
             "t = x * beta; e = exp(-abs(t)); t > threshold ? grad : grad * ((t < 0 ? e : 1) / (1 + e))",
         .form = {"t = x * beta; z = exp(t); t > threshold ? grad : grad * z / (z + 1)"},
         .naive = "t = x * beta; z = exp(t); t > threshold ? grad : grad * z / (z + 1)")},
    {GRADIENT("hardtanh_backward"), WITH({"min_val", ATTRIBUTE_REAL}, {"max_val", ATTRIBUTE_REAL}),
     DEFAULT({"min_val", DEFAULT_VALUE, -1}, {"max_val", DEFAULT_VALUE, 1}),
     ROW(.formula = "x <= min_val ? 0 : x >= max_val ? 0 : grad",
         .also = {"x < min_val ? 0 : x > max_val ? 0 : grad"}, .open_nan = true)},
};

const struct op_set op_set_activation_gradients = {.op = ops, .count = sizeof ops / sizeof *ops};
