/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Algebraic forms of activations with attributes, and of gradients of activations. */

#include "reference/ops/elementwise/test/forms.h"
#include "reference/test/support.h"

#define ROOT  "0.70710678118654752440"
#define INNER "0.79788456080286535588"
#define S     "s = x < 0 ? exp(x) / (1 + exp(x)) : 1 / (1 + exp(-x)); "
#define N     "s = 1 / (1 + exp(-x)); "
#define FAR   "q = 1 / (1 + exp(abs(x))); s = x < 0 ? q : 1 - q; "
#define PLUS  "(max(x, 0) + log1p(exp(-abs(x))))"

static const struct forms activations[] = {
    {"gelu", .form = {{FORM_LEGAL, "0.5 * x * erfc(-x * " ROOT ")"},
                      {FORM_LEGAL, "x * 0.5 * (1 + erf(x * " ROOT "))"},
                      {FORM_LEGAL, "0.5 * x * (1 + erf(x / 1.41421356237309504880))"},
                      {FORM_LEGAL, "0.5 * (1 + erf(x * " ROOT ")) * x"},
                      {FORM_NAIVE, "x * (1 + erf(x / 1.41421356237309504880)) / 2"},
                      {FORM_REFUSED, "x / (1 + exp(-1.702 * x))"}}},
    {"gelu", "approximate=tanh",
     .form = {{FORM_LEGAL, "0.5 * x * (1 + tanh(" INNER " * (x + 0.044715 * x * x * x)))"},
              {FORM_LEGAL, "0.5 * x * (1 + tanh(" INNER " * x * (1 + 0.044715 * x * x)))"},
              {FORM_LEGAL, "0.5 * x * (1 + tanh(" INNER " * (x + 0.044715 * (x * (x * x)))))"},
              {FORM_LEGAL, "0.5 * (1 + tanh(" INNER " * (x + 0.044715 * (x * x * x)))) * x"},
              {FORM_LEGAL, "x * (0.5 + 0.5 * tanh(x * (0.035677408136300125 * x * x + " INNER ")))"},
              {FORM_LEGAL, "x * (0.5 * (1 + tanh(x * (0.035677408136300125 * (x * x) + " INNER "))))"}}},
    {"elu", .form = {{FORM_LEGAL, "x > 0 ? x : alpha * expm1(x)"},
                     {FORM_LEGAL, "max(x, 0) + alpha * expm1(min(x, 0))"},
                     {FORM_DOCUMENTED, "x > 0 ? x : alpha * (exp(x) - 1)"},
                     {FORM_DOCUMENTED, "max(x, 0) + min(0, alpha * (exp(x) - 1))"}}},
    {"elu", "alpha=1.7",
     .form = {{FORM_LEGAL, "x > 0 ? x : expm1(x) * alpha"},
              {FORM_DOCUMENTED, "x > 0 ? x : alpha * (exp(x) - 1)"}}},
    {"celu", "alpha=1.7",
     .form = {{FORM_LEGAL, "x > 0 ? x : alpha * expm1(x / alpha)"},
              {FORM_LEGAL, "x > 0 ? x : expm1(x * (1 / alpha)) * alpha"},
              {FORM_LEGAL, "max(x, 0) + alpha * expm1(min(x, 0) / alpha)"},
              {FORM_DOCUMENTED, "x > 0 ? x : (exp(x * (1 / alpha)) - 1) * alpha"},
              {FORM_DOCUMENTED, "max(x, 0) + alpha * (exp(min(x, 0) / alpha) - 1)"}}},
    {"leaky_relu", "negative_slope=0.3",
     .form = {{FORM_LEGAL, "x > 0 ? x : negative_slope * x"},
              {FORM_LEGAL, "max(x, 0) + negative_slope * min(x, 0)"},
              {FORM_LEGAL, "x >= 0 ? x : negative_slope * x"},
              {FORM_LEGAL, "max(negative_slope * x, x)"},
              {FORM_REFUSED, "(x > 0 ? 1 : 0) * x + (x > 0 ? 0 : 1) * (x * negative_slope)"}}},
    {"softplus",
     .form = {{FORM_NAIVE, "t = x * beta; t > threshold ? x : log1p(exp(t)) / beta"},
              {FORM_LEGAL, "x > threshold ? x : max(x, 0) + log1p(exp(-abs(x)))"},
              {FORM_REFUSED, "max(x, 0) + log1p(exp(-abs(x)))"},
              {FORM_DOCUMENTED, "x > threshold ? x : log(1 + exp(x))"},
              {FORM_DOCUMENTED, "x > threshold ? x : x > 0 ? x + log(exp(-x) + 1) : log(exp(x) + 1)"}}},
    {"softplus", "beta=1.7 threshold=3",
     .form = {{FORM_LEGAL, "t = x * beta; t > threshold ? x : log1p(exp(t)) / beta"},
              {FORM_LEGAL, "t = x * beta; t > threshold ? x : (max(t, 0) + log1p(exp(-abs(t)))) / beta"},
              {FORM_LEGAL, "t = x * beta; t > threshold ? x : log1p(exp(t)) * (1 / beta)"},
              {FORM_DOCUMENTED, "t = x * beta; t > threshold ? max(x, 0) : log(exp(t) + 1) * (1 / beta)"}}},
    {"hardtanh", "min_val=-0.7 max_val=1.7",
     .form = {{FORM_LEGAL, "min(max(x, min_val), max_val)"},
              {FORM_LEGAL, "max(min(x, max_val), min_val)"},
              {FORM_LEGAL, "x > max_val ? max_val : x < min_val ? min_val : x"}}},
};

static const struct forms of_outputs[] = {
    {"sigmoid_backward", .domain = {DOMAIN_ANY, DOMAIN_UNIT},
     .form = {{FORM_LEGAL, "grad * (1 - x) * x"},
              {FORM_LEGAL, "grad * ((1 - x) * x)"},
              {FORM_LEGAL, "grad * x * (1 - x)"},
              {FORM_REFUSED, "grad * (x - x * x)"}}},
    {"tanh_backward", .domain = {DOMAIN_ANY, DOMAIN_SIGNED_UNIT},
     .form = {{FORM_LEGAL, "grad * (1 - x * x)"},
              {FORM_LEGAL, "grad * ((1 - x) * (1 + x))"},
              {FORM_NAIVE, "grad * (1 - x) * (1 + x)"},
              {FORM_NAIVE, "(grad + grad * x) * (1 - x)"},
              {FORM_LEGAL, "grad - grad * x * x"},
              {FORM_LEGAL, "grad - grad * (x * x)"}}},
    {"relu_backward", .form = {{FORM_LEGAL, "x <= 0 ? 0 : grad"}, {FORM_LEGAL, "x > 0 ? grad : 0"}}},
};

static const struct forms gradients[] = {
    {"silu_backward", .form = {{FORM_LEGAL, S "grad * (s * (1 + x * (1 - s)))"},
                               {FORM_LEGAL, S "grad * s * (1 + x * (1 - s))"},
                               {FORM_OVERFLOWS, S "grad * s + grad * x * (s * (1 - s))"},
                               {FORM_REFUSED, S "grad * (x * s + s * (1 - x * s))"},
                               {FORM_OVERFLOWS, FAR "grad * s + grad * x * (s * (1 - s))"},
                               {FORM_NAIVE, N "s * (1 + x * (1 - s)) * grad"},
                               {FORM_NAIVE, N "grad * s * (1 + x * (1 - s))"}}},
    {"logsigmoid_backward",
     .form = {{FORM_LEGAL, "z = exp(-abs(x)); grad * (x < 0 ? 1 - z / (1 + z) : z / (1 + z))"},
              {FORM_LEGAL, "grad * (x > 0 ? exp(-x) / (1 + exp(-x)) : 1 / (1 + exp(x)))"},
              {FORM_NAIVE, "grad / (1 + exp(x))"},
              {FORM_NAIVE, "grad * (1 / (1 + exp(x)))"},
              {FORM_NAIVE, "q = 1 / (1 + exp(abs(x))); grad * (x > 0 ? q : 1 - q)"},
              {FORM_REFUSED, "grad * exp(-x - (max(-x, 0) + log1p(exp(-abs(x)))))"},
              {FORM_REFUSED, "grad * (1 - 1 / (1 + exp(-x)))"}}},
    {"mish_backward",
     .form = {{FORM_LEGAL, S "h = tanh(log1p(exp(x))); grad * (h + x * s * (1 - h * h))"},
              {FORM_LEGAL, S "h = tanh(max(x, 0) + log1p(exp(-abs(x)))); grad * (h + x * s * (1 - h * h))"},
              {FORM_NAIVE, N "h = tanh(log1p(exp(x))); grad * (h + x * s * (1 - h * h))"},
              {FORM_OVERFLOWS, S "h = tanh(log1p(exp(x))); grad * h + grad * x * (1 - h * h) * s"},
              {FORM_OVERFLOWS,
               FAR "p = " PLUS "; c = 0.5 * (exp(p) + exp(-p)); grad * tanh(p) + grad * x / (c * c) * s"},
              {FORM_REFUSED, "s = exp(x - " PLUS "); h = tanh(" PLUS
                             "); w = grad * x * (1 - h); grad * h + (w + w * h) * s"},
              {FORM_REFUSED, S "h = tanh(log(exp(x) + 1)); grad * (h + x * s * (1 - h * h))"}}},
    {"selu_backward",
     .form = {{FORM_NAIVE, "x > 0 ? grad * 1.0507009873554804934 : grad * 1.7580993408473768600 * exp(x)"},
              {FORM_LEGAL,
               "1.0507009873554804934 * (x > 0 ? grad : grad * (1.6732632423543772848 * exp(x)))"},
              {FORM_LEGAL, "grad * (x > 0 ? 1.0507009873554804934 : 1.7580993408473768600 * exp(x))"},
              {FORM_REFUSED, "g = grad * 1.0507009873554804934; "
                             "x > 0 ? g : g * 1.6732632423543772848 * (expm1(x) + 1)"}}},
    {"softsign_backward",
     .form = {{FORM_LEGAL, "d = 1 + abs(x); grad / d / d"},
              {FORM_LEGAL, "s = 1 / (1 + abs(x)); grad * s * s"},
              {FORM_LEGAL, "s = 1 / (1 + abs(x)); grad * (s * s)"},
              {FORM_LEGAL, "d = 1 + abs(x); grad / d - abs(x) / d * (grad / d)"},
              {FORM_OVERFLOWS, "d = 1 + abs(x); grad / d - grad * abs(x) * (1 / (d * d))"},
              {FORM_OVERFLOWS, "d = 1 + abs(x); grad / d - grad * abs(x) / (d * d)"},
              {FORM_NAIVE, "d = 1 + abs(x); grad / (d * d)"}}},
    {"hardsigmoid_backward",
     .form = {{FORM_LEGAL, "x > -3 ? (x < 3 ? grad / 6 : 0) : 0"},
              {FORM_LEGAL, "x > -3 ? (x < 3 ? grad * 0.16666666666666666667 : 0) : 0"},
              {FORM_LEGAL, "x < -3 ? 0 : x > 3 ? 0 : grad * 0.16666666666666666667"}}},
    {"hardswish_backward",
     .form = {{FORM_LEGAL, "x <= -3 ? 0 : x < 3 ? grad * (x / 3 + 0.5) : grad"},
              {FORM_LEGAL, "x <= -3 ? 0 : x < 3 ? grad * (x * 0.33333333333333333333 + 0.5) : grad"},
              {FORM_LEGAL, "x < -3 ? 0 : x <= 3 ? grad * (x / 3 + 0.5) : grad"},
              {FORM_LEGAL, "x <= -3 ? 0 : x < 3 ? grad * ((2 * x + 3) / 6) : grad"},
              {FORM_LEGAL, "x <= -3 ? 0 : x < 3 ? grad * ((2 * x + 3) * 0.16666666666666666667) : grad"},
              {FORM_LEGAL, "x <= -3 ? 0 : x < 3 ? grad * ((x + 3) / 6) + grad * (x / 6) : grad"},
              {FORM_OVERFLOWS, "x <= -3 ? 0 : x < 3 ? grad * (2 * x + 3) / 6 : grad"}}},
    {"gelu_backward",
     .form = {{FORM_LEGAL,
               "grad * (0.5 * (1 + erf(x * " ROOT ")) + x * (exp(-0.5 * x * x) * 0.39894228040143267794))"},
              {FORM_LEGAL,
               "grad * (0.5 * erfc(-x * " ROOT ") + x * (exp(-0.5 * x * x) * 0.39894228040143267794))"},
              {FORM_LEGAL,
               "q = x * " ROOT "; grad * (0.5 * (1 + erf(q)) + x * exp(-(q * q)) * 0.39894228040143267794)"},
              {FORM_LEGAL,
               "grad * (0.5 * (1 + erf(x * " ROOT ")) + x * 0.39894228040143267794 * exp(-0.5 * x * x))"},
              {FORM_OVERFLOWS,
               "q = -x * " ROOT "; "
               "grad * erfc(q) * 0.5 + 1.1283791670955125739 * (0.5 * x * grad) * exp(-(q * q)) * " ROOT}}},
    {"gelu_backward", "approximate=tanh",
     .form =
         {{FORM_NAIVE,
           "h = tanh(" INNER
           " * (x + 0.044715 * x * x * x)); grad * (0.5 * (1 + h) + 0.5 * x * (1 - h * h) * (" INNER
           " * (1 + 0.134145 * x * x)))"},
          {FORM_NAIVE,
           "h = tanh(" INNER
           " * (x + 0.044715 * x * x * x)); grad * (0.5 * (1 + h)) + grad * (0.5 * x * ((1 - h * h) * (" INNER
           " * (1 + 0.134145 * x * x))))"},
          {FORM_NAIVE, "c = x * x * x; h = tanh(" INNER " * x + 0.035677408136300125 * c); "
                       "grad * (0.5 * (h + (1 - h * h) * (" INNER " * x + 0.10703222440890037 * c) + 1))"},
          {FORM_NAIVE, "q = x * x * 0.044715; h = tanh(" INNER " * (x + x * q)); d = x * 0.5 * " INNER
                       " * (1 - h * h); grad * (0.5 * (1 + h) + d + d * 3 * q)"},
          {FORM_OVERFLOWS, "t = " INNER " * (x + 0.044715 * (x * x * x)); c = 0.5 * (exp(t) + exp(-t)); "
                           "p = " INNER " * (0.5 * (x * grad) / (c * c)); "
                           "0.5 * (1 + tanh(t)) * grad + p + 0.044715 * p * (3 * (x * x))"},
          {FORM_OVERFLOWS,
           "h = tanh(" INNER " * (x + 0.044715 * (x * x * x))); w = 0.5 * (x * grad) * (1 - h); "
           "p = " INNER " * (w + w * h); "
           "grad * (0.5 * (1 + h)) + p + 0.044715 * p * (3 * (x * x))"}}},
    {"elu_backward", "alpha=1.7",
     .form = {{FORM_LEGAL, "x > 0 ? grad : grad * (alpha * exp(x))"},
              {FORM_NAIVE, "x > 0 ? grad : grad * alpha * exp(x)"},
              {FORM_REFUSED, "x > 0 ? grad : grad * alpha * (expm1(x) + 1)"},
              {FORM_REFUSED, "x > 0 ? grad : grad * (alpha * expm1(x) + alpha)"}}},
    {"celu_backward", "alpha=1.7",
     .form = {{FORM_LEGAL, "x > 0 ? grad : grad * exp(x / alpha)"},
              {FORM_LEGAL, "x > 0 ? grad : grad * (1 / alpha) * alpha * exp(x * (1 / alpha))"},
              {FORM_LEGAL, "x > 0 ? grad : grad * exp(x * (1 / alpha))"},
              {FORM_REFUSED, "x > 0 ? grad : grad * alpha * (expm1(x / alpha) + 1) / alpha"}}},
    {"celu_backward", "alpha=0.1",
     .form = {{FORM_LEGAL, "x > 0 ? grad : grad * exp(x / alpha)"},
              {FORM_LEGAL, "x > 0 ? grad : grad * alpha / alpha * exp(x / alpha)"},
              {FORM_LEGAL, "x > 0 ? grad : grad * alpha * exp(x / alpha) / alpha"},
              {FORM_NAIVE, "x > 0 ? grad : grad * (1 / alpha) * alpha * exp(x * (1 / alpha))"}}},
    {"leaky_relu_backward", "negative_slope=0.3",
     .form = {{FORM_LEGAL, "x > 0 ? grad : grad * negative_slope"},
              {FORM_LEGAL, "grad * (x > 0 ? 1 : negative_slope)"},
              {FORM_REFUSED, "x >= 0 ? grad : grad * negative_slope"}}},
    {"softplus_backward", "beta=1.7",
     .form = {{FORM_NAIVE, "t = x * beta; z = exp(t); t > threshold ? grad : grad * (z / (z + 1))"},
              {FORM_NAIVE, "t = x * beta; z = exp(t); t > threshold ? grad : grad * z / (z + 1)"},
              {FORM_OVERFLOWS, "t = x * beta; t > threshold ? grad : grad / (1 + exp(-t))"},
              {FORM_OVERFLOWS, "t = x * beta; t > threshold ? grad : grad * (1 / (1 + exp(-t)))"}}},
    {"softplus_backward", .form = {{FORM_OVERFLOWS, FAR "x > threshold ? grad : grad * s"},
                                   {FORM_REFUSED, "x > threshold ? grad : grad * exp(x - " PLUS ")"}}},
    {"hardtanh_backward", "min_val=-0.7 max_val=1.7",
     .form = {{FORM_LEGAL, "x <= min_val ? 0 : x >= max_val ? 0 : grad"},
              {FORM_LEGAL, "x > min_val ? (x < max_val ? grad : 0) : 0"}}},
};

enum { FEW = 100, MANY = 2500 };
#define JUDGE(table, each) forms_judge(table, sizeof table / sizeof *table, each)

Test(forms, of_activations)
{
    JUDGE(activations, FEW);
    JUDGE(of_outputs, FEW);
    JUDGE(gradients, FEW);
}

Test(forms, of_activations_takes_seconds)
{
    JUDGE(activations, MANY);
}

Test(forms, of_gradients_takes_seconds)
{
    JUDGE(of_outputs, MANY);
    JUDGE(gradients, MANY);
}
