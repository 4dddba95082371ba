/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Algebraic forms of arithmetic on two and three numbers, and of losses element by element. */

#include "reference/ops/elementwise/test/forms.h"
#include "reference/test/support.h"

#define LERP        "x + z * (y - x)"
#define LERP_BRANCH "abs(z) < 0.5 ? x + z * (y - x) : y - (y - x) * (1 - z)"
#define MIX         "x * (1 - z) + y * z"

static const struct forms arithmetic[] = {
    {"div", .form = {{FORM_LEGAL, "x / y"}, {FORM_REFUSED, "x * (1 / y)"}}},
    {"add", "alpha=0.3", .form = {{FORM_LEGAL, "x + alpha * y"}, {FORM_REFUSED, "x + y * 0.29"}}},
    {"sub", "alpha=0.3", .form = {{FORM_LEGAL, "x - alpha * y"}, {FORM_LEGAL, "x + -alpha * y"}}},
    {"pow", .domain = {DOMAIN_POSITIVE},
     .form = {{FORM_LEGAL, "pow(x, y)"},
              {FORM_REFUSED, "exp(y * log(x))"},
              {FORM_REFUSED, "exp2(y * log2(x))"}}},
    {"ldexp", .form = {{FORM_NAIVE, "x * exp2(y)"}, {FORM_NAIVE, "x * pow(2, y)"}}},
    {"hypot",
     .form = {{FORM_LEGAL, "a = abs(x); b = abs(y); m = max(a, b); q = min(a, b) / m; "
                           "a == inf ? inf : b == inf ? inf : m == 0 ? 0 : m * sqrt(1 + q * q)"},
              {FORM_NAIVE, "a = abs(x); b = abs(y); a == inf ? inf : b == inf ? inf : sqrt(a * a + b * b)"}}},
    {"atan2", .domain = {DOMAIN_ANY, DOMAIN_POSITIVE},
     .form = {{FORM_LEGAL, "a = abs(x); m = max(a, y); t = atan(m == 0 ? 0 : a == y ? 1 : min(a, y) / m); "
                           "h = a > y ? pi / 2 - t : t; signbit(x) != 0 ? -h : h"},
              {FORM_REFUSED, "atan(x / y)"}}},
    {"logaddexp", .form = {{FORM_LEGAL, "d = x == y ? 0 : x - y; max(x, y) + log1p(exp(-abs(d)))"},
                           {FORM_REFUSED, "d = x == y ? 0 : x - y; max(x, y) + log(1 + exp(-abs(d)))"},
                           {FORM_REFUSED, "m = max(x, y); m + log(exp(x - m) + exp(y - m))"},
                           {FORM_REFUSED, "log(exp(x) + exp(y))"}}},
};

static const struct forms ternary[] = {
    {"lerp", .domain = {DOMAIN_ANY, DOMAIN_ANY, DOMAIN_UNIT},
     .form = {{FORM_LEGAL, LERP}, {FORM_LEGAL, LERP_BRANCH}, {FORM_LEGAL, MIX}}},
    {"lerp", .domain = {DOMAIN_BELOW_END, DOMAIN_BELOW_END, DOMAIN_MODERATE},
     .form = {{FORM_LEGAL, LERP}, {FORM_LEGAL, LERP_BRANCH}, {FORM_REFUSED, MIX}}},
    {"lerp_", .domain = {DOMAIN_ANY, DOMAIN_ANY, DOMAIN_UNIT},
     .form = {{FORM_LEGAL, LERP}, {FORM_LEGAL, LERP_BRANCH}, {FORM_LEGAL, MIX}}},
    {"fma", .form = {{FORM_LEGAL, "x * y + z"}, {FORM_REFUSED, "x * (y + z / x)"}}},
    {"addcmul", "value=0.3",
     .form = {{FORM_LEGAL, "x + value * y * z"}, {FORM_LEGAL, "x + value * (y * z)"}}},
    {"addcdiv", "value=0.3",
     .form = {{FORM_LEGAL, "x + value * (y / z)"}, {FORM_LEGAL, "x + value * y / z"}}},
    {"addcmul_", "value=0.3",
     .form = {{FORM_LEGAL, "x + value * y * z"}, {FORM_LEGAL, "x + value * (y * z)"}}},
    {"addcdiv_", "value=0.3",
     .form = {{FORM_LEGAL, "x + value * (y / z)"}, {FORM_LEGAL, "x + value * y / z"}}},
    {"add_", "alpha=0.3", .form = {{FORM_LEGAL, "x + alpha * y"}, {FORM_REFUSED, "x + y * 0.29"}}},
    {"sub_", "alpha=0.3", .form = {{FORM_LEGAL, "x - alpha * y"}, {FORM_LEGAL, "x + -alpha * y"}}},
    {"div_", .form = {{FORM_LEGAL, "x / y"}, {FORM_REFUSED, "x * (1 / y)"}}},
};

#define L "l = log1p(exp(-abs(x))); "

static const struct forms losses[] = {
    {"mse_loss", "reduction=none",
     .form = {{FORM_LEGAL, "d = x - y; d * d"},
              {FORM_LEGAL, "d = abs(y - x); d * d"},
              {FORM_REFUSED, "x * x - 2 * x * y + y * y"}}},
    {"l1_loss", "reduction=none", .form = {{FORM_LEGAL, "abs(x - y)"}, {FORM_LEGAL, "abs(y - x)"}}},
    {"smooth_l1_loss", "reduction=none beta=0.7",
     .form = {{FORM_LEGAL, "d = abs(x - y); d < beta ? 0.5 * d * d / beta : d - 0.5 * beta"},
              {FORM_LEGAL, "d = abs(x - y); d < beta ? d * d * (0.5 / beta) : d - 0.5 * beta"},
              {FORM_LEGAL, "d = abs(x - y); d < beta ? 0.5 * d * (d / beta) : d - 0.5 * beta"},
              {FORM_LEGAL, "d = abs(x - y); d < beta ? 0.5 * (d * d) / beta : d - 0.5 * beta"}}},
    {"huber_loss", "reduction=none delta=0.7",
     .form = {{FORM_LEGAL, "d = abs(x - y); d <= delta ? 0.5 * d * d : delta * (d - 0.5 * delta)"},
              {FORM_LEGAL, "d = abs(x - y); d <= delta ? 0.5 * (d * d) : delta * d - 0.5 * delta * delta"},
              {FORM_LEGAL, "d = abs(x - y); q = min(d, delta); 0.5 * (q * q) + delta * (d - q)"}}},
    {"kl_div", "reduction=none", .domain = {DOMAIN_ANY, DOMAIN_POSITIVE},
     .form = {{FORM_LEGAL, "y == 0 ? 0 - y * x : y * (log(y) - x)"},
              {FORM_LEGAL, "y > 0 ? y * (log(y) - x) : 0"},
              {FORM_LEGAL, "(y == 0 ? 0 : y * log(y)) - y * x"}}},
    {"kl_div", "reduction=none log_target=true", .domain = {DOMAIN_ANY, DOMAIN_LOGARITHM},
     .form = {{FORM_LEGAL, "exp(y) * (y - x)"}, {FORM_REFUSED, "exp(y) * y - exp(y) * x"}}},
    {"binary_cross_entropy", "reduction=none", .domain = {DOMAIN_UNIT, DOMAIN_UNIT, DOMAIN_WEIGHT},
     .form = {{FORM_LEGAL, "z * ((y - 1) * max(log1p(-x), -100) - y * max(log(x), -100))"},
              {FORM_LEGAL, "z * ((y - 1) * max(log(1 - x), -100) - y * max(log(x), -100))"},
              {FORM_LEGAL, "-z * (y * max(log(x), -100) + (1 - y) * max(log(1 - x), -100))"}}},
    {"binary_cross_entropy_with_logits", "reduction=none",
     .domain = {DOMAIN_MODERATE, DOMAIN_UNIT, DOMAIN_WEIGHT, DOMAIN_WEIGHT},
     .form = {{FORM_LEGAL, L "z * ((1 - y) * x + (1 + (pos_weight - 1) * y) * (l + max(-x, 0)))"},
              {FORM_LEGAL, L "z * ((1 - y) * x - (1 + (pos_weight - 1) * y) * (min(x, 0) - l))"},
              {FORM_LEGAL, L "z * (pos_weight == 1 ? max(x, 0) - x * y + l : (1 - y) * x + (1 + (pos_weight "
                             "- 1) * y) * (max(-x, 0) + l))"},
              {FORM_REFUSED, "m = max(-x, 0); z * ((1 - y) * x + (1 + (pos_weight - 1) * y) * "
                             "(log(exp(-m) + exp(-x - m)) + m))"}}},
    {"binary_cross_entropy_with_logits", "reduction=none",
     .domain = {DOMAIN_MODERATE, DOMAIN_UNIT, DOMAIN_WEIGHT, DOMAIN_ONE},
     .form = {{FORM_LEGAL, L "z * (max(x, 0) - x * y + l)"},
              {FORM_LEGAL, L "z * ((1 - y) * x - (min(x, 0) - l))"},
              {FORM_REFUSED, L "z * (max(x, 0) + l - x * y)"}}},
};

static const struct forms loss_gradients[] = {
    {"mse_loss_backward", "reduction=none",
     .form = {{FORM_LEGAL, "grad * (2 * (x - y))"},
              {FORM_LEGAL, "2 * (x - y) * grad"},
              {FORM_OVERFLOWS, "2 * grad * (x - y)"}}},
    {"l1_loss_backward", "reduction=none",
     .form = {{FORM_LEGAL, "d = x - y; grad * (d > 0 ? 1 : d < 0 ? -1 : 0)"},
              {FORM_LEGAL, "d = x - y; d > 0 ? grad : d < 0 ? -grad : 0 * grad"}}},
    {"smooth_l1_loss_backward", "reduction=none beta=0.7",
     .form = {{FORM_LEGAL, "d = x - y; d <= -beta ? -grad : d >= beta ? grad : grad * d / beta"},
              {FORM_LEGAL, "d = x - y; grad * min(max(d / beta, -1), 1)"},
              {FORM_LEGAL, "d = x - y; d < -beta ? -grad : d > beta ? grad : d * grad / beta"},
              {FORM_LEGAL, "d = x - y; (abs(d) < beta ? d / beta : d > 0 ? 1 : d < 0 ? -1 : d) * grad"},
              {FORM_LEGAL, "d = x - y; grad * (d < -beta ? -1 : d > beta ? 1 : d / beta)"}}},
    {"huber_loss_backward", "reduction=none delta=0.7",
     .form = {{FORM_LEGAL, "d = x - y; d <= -delta ? -grad * delta : d >= delta ? grad * delta : d * grad"},
              {FORM_LEGAL, "d = x - y; (abs(d) < delta ? d : delta * (d > 0 ? 1 : d < 0 ? -1 : d)) * grad"},
              {FORM_LEGAL, "grad * min(max(x - y, -delta), delta)"}}},
    {"kl_div_backward", "reduction=none", .domain = {DOMAIN_ANY, DOMAIN_ANY, DOMAIN_POSITIVE},
     .form = {{FORM_LEGAL, "grad * -y"}, {FORM_LEGAL, "-(y * grad)"}, {FORM_LEGAL, "y > 0 ? -y * grad : 0"}}},
    {"kl_div_backward", "reduction=none log_target=true",
     .domain = {DOMAIN_ANY, DOMAIN_ANY, DOMAIN_LOGARITHM},
     .form = {{FORM_LEGAL, "-exp(y) * grad"}, {FORM_LEGAL, "-(grad * exp(y))"}}},
    {"binary_cross_entropy_backward", "reduction=none",
     .domain = {DOMAIN_ANY, DOMAIN_INSIDE, DOMAIN_UNIT, DOMAIN_WEIGHT},
     .form = {{FORM_NAIVE, "grad * (x - y) / max((1 - x) * x, 0.000000000001) * z"},
              {FORM_LEGAL, "grad * (z * ((x - y) / max((1 - x) * x, 0.000000000001)))"},
              {FORM_NAIVE, "grad * ((x - y) / max((1 - x) * x, 0.000000000001)) * z"},
              {FORM_DOCUMENTED, "grad * (z * ((1 - y) / (1 - x) - y / x))"}}},
    {"binary_cross_entropy_backward", "reduction=none",
     .domain = {DOMAIN_LOGARITHM, DOMAIN_INSIDE, DOMAIN_UNIT, DOMAIN_UNIT}, /* no product overflows */
     .form = {{FORM_DOCUMENTED, "q = grad * z; q * (1 - y) / (1 - x) - q * y / x"}}},
    {"binary_cross_entropy_with_logits_backward", "reduction=none",
     .domain = {DOMAIN_LOGARITHM, DOMAIN_MODERATE, DOMAIN_UNIT, DOMAIN_WEIGHT, DOMAIN_WEIGHT},
     .form = {{FORM_LEGAL, "s = x < 0 ? exp(x) / (1 + exp(x)) : 1 / (1 + exp(-x)); "
                           "grad * (z * ((pos_weight * y + 1 - y) * s - pos_weight * y))"},
              {FORM_LEGAL, "s = x < 0 ? exp(x) / (1 + exp(x)) : 1 / (1 + exp(-x)); t = pos_weight * y; "
                           "((t + 1 - y) * s - t) * grad * z"},
              {FORM_NAIVE, "s = 1 / (1 + exp(-x)); t = pos_weight * y; ((t + 1 - y) * s - t) * grad * z"}}},
    {"binary_cross_entropy_with_logits_backward", "reduction=none",
     .domain = {DOMAIN_LOGARITHM, DOMAIN_MODERATE, DOMAIN_UNIT, DOMAIN_WEIGHT, DOMAIN_ONE},
     .form = {{FORM_LEGAL, "s = x < 0 ? exp(x) / (1 + exp(x)) : 1 / (1 + exp(-x)); (s - y) * grad * z"},
              {FORM_NAIVE, "s = 1 / (1 + exp(-x)); (s - y) * grad * z"},
              {FORM_NAIVE, "q = 1 / (1 + exp(abs(x))); s = x < 0 ? q : 1 - q; g = grad * z; g * s - g * y"}}},
};

enum { FEW = 100, MANY = 2500 };
#define JUDGE(table, each) forms_judge(table, sizeof table / sizeof *table, each)

Test(forms, of_several_numbers)
{
    JUDGE(arithmetic, FEW);
    JUDGE(ternary, FEW);
}

Test(forms, of_losses)
{
    JUDGE(losses, FEW);
    JUDGE(loss_gradients, FEW);
}

Test(forms, of_arithmetic_takes_seconds)
{
    JUDGE(arithmetic, MANY);
}

Test(forms, of_three_numbers_takes_seconds)
{
    JUDGE(ternary, MANY);
}

Test(forms, of_losses_takes_seconds)
{
    JUDGE(losses, MANY);
}

Test(forms, of_loss_gradients_takes_seconds)
{
    JUDGE(loss_gradients, MANY);
}
