/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Algebraic forms of functions of one number. */

#include "reference/ops/elementwise/test/forms.h"
#include "reference/test/support.h"

static const struct forms powers[] = {
    {"reciprocal", .form = {{FORM_LEGAL, "1 / x"}, {FORM_REFUSED, "exp2(-log2(x))"}}},
    {"sqrt",
     .form = {{FORM_LEGAL, "sqrt(x)"}, {FORM_REFUSED, "x * rsqrt(x)"}, {FORM_REFUSED, "pow(x, 0.5)"}}},
    {"rsqrt", .form = {{FORM_LEGAL, "rsqrt(x)"}, {FORM_LEGAL, "1 / sqrt(x)"}, {FORM_REFUSED, "sqrt(1 / x)"}}},
    {"exp", .form = {{FORM_LEGAL, "exp(x)"}, {FORM_REFUSED, "exp2(x * 1.4426950408889634074)"}}},
    {"exp2", .form = {{FORM_LEGAL, "exp2(x)"},
                      {FORM_LEGAL, "pow(2, x)"},
                      {FORM_REFUSED, "exp(x * 0.69314718055994530942)"}}},
    {"expm1", .form = {{FORM_LEGAL, "expm1(x)"},
                       {FORM_REFUSED, "exp(x) - 1"},
                       {FORM_REFUSED, "abs(x) < 0.00001 ? expm1(x) : exp(x) - 1"}}},
    {"log", .form = {{FORM_LEGAL, "log(x)"}, {FORM_LEGAL, "log2(x) * 0.69314718055994530942"}}},
    {"log2", .form = {{FORM_LEGAL, "log2(x)"},
                      {FORM_LEGAL, "log(x) * 1.4426950408889634074"},
                      {FORM_LEGAL, "log(x) / 0.69314718055994530942"}}},
    {"log10", .form = {{FORM_LEGAL, "log10(x)"}, {FORM_LEGAL, "log(x) * 0.43429448190325182765"}}},
    {"log1p", .form = {{FORM_LEGAL, "log1p(x)"},
                       {FORM_LEGAL, "u = 1 + x; u == inf ? u : u == 1 ? x : x * (log(u) / (u - 1))"},
                       {FORM_REFUSED, "log(1 + x)"}}},
};

static const struct forms angles[] = {
    {"sin", .form = {{FORM_LEGAL, "sin(x)"}, {FORM_REFUSED, "cos(x - pi / 2)"}}},
    {"cos", .form = {{FORM_LEGAL, "cos(x)"}, {FORM_REFUSED, "sin(x + pi / 2)"}}},
    {"tan", .form = {{FORM_LEGAL, "tan(x)"}, {FORM_LEGAL, "sin(x) / cos(x)"}}},
    {"sinc", .form = {{FORM_LEGAL, "x == 0 ? 1 : sin(pi * x) / (pi * x)"},
                      {FORM_REFUSED, "x == 0 ? 1 : sin(x) / x"},
                      {FORM_REFUSED, "p = pi * x; x == 0 ? 0 : sin(p) / p"},
                      {FORM_REFUSED, "p = pi * x; sin(p) / p"}}},
    {"atan", .form = {{FORM_LEGAL, "atan(x)"}, {FORM_REFUSED, "2 * atan(x / (1 + sqrt(1 + x * x)))"}}},
    {"asin", .domain = {DOMAIN_SIGNED_UNIT},
     .form = {{FORM_LEGAL, "abs(x) == 1 ? x * (pi / 2) : atan(x / sqrt((1 - x) * (1 + x)))"},
              {FORM_LEGAL, "2 * atan(x / (1 + sqrt((1 - x) * (1 + x))))"},
              {FORM_REFUSED, "2 * atan(x / (1 + sqrt(1 - x * x)))"}}},
    {"acos", .domain = {DOMAIN_SIGNED_UNIT},
     .form = {{FORM_LEGAL, "2 * atan(sqrt((1 - x) / (1 + x)))"},
              {FORM_LEGAL, "x == -1 ? pi : 2 * atan(sqrt((1 - x) * (1 + x)) / (1 + x))"},
              {FORM_REFUSED, "x == -1 ? pi : 2 * atan(sqrt(1 - x * x) / (1 + x))"},
              {FORM_REFUSED, "pi / 2 - atan(x / sqrt((1 - x) * (1 + x)))"}}},
    {"sinh",
     .form =
         {{FORM_OVERFLOWS,
           "t = expm1(abs(x)); h = 0.5 * (t + t / (t + 1)); x == 0 ? x : abs(x) == inf ? x : x < 0 ? -h : h"},
          {FORM_REFUSED, "t = expm1(x); 0.5 * (t + t / (t + 1))"},
          {FORM_REFUSED, "0.5 * (exp(x) - exp(-x))"}}},
    {"cosh", .form = {{FORM_OVERFLOWS, "0.5 * (exp(x) + exp(-x))"},
                      {FORM_OVERFLOWS, "e = exp(x); 0.5 * (e + 1 / e)"}}},
    {"tanh", .form = {{FORM_LEGAL, "tanh(x)"},
                      {FORM_LEGAL, "t = expm1(-2 * abs(x)); h = -t / (t + 2); x == 0 ? x : x < 0 ? -h : h"},
                      {FORM_REFUSED, "e = exp(-2 * abs(x)); h = (1 - e) / (1 + e); x < 0 ? -h : h"},
                      {FORM_REFUSED, "2 / (1 + exp(-2 * x)) - 1"}}},
    {"asinh", .form = {{FORM_OVERFLOWS, "a = abs(x); h = log1p(a + a * a / (1 + sqrt(a * a + 1))); a == inf "
                                        "? x : x == 0 ? x : x < 0 ? -h : h"},
                       {FORM_REFUSED, "log(x + sqrt(x * x + 1))"}}},
    {"acosh", .domain = {DOMAIN_ABOVE_ONE},
     .form = {{FORM_OVERFLOWS, "t = x - 1; log1p(t + sqrt(t * (t + 2)))"},
              {FORM_OVERFLOWS, "t = x - 1; log1p(t + sqrt(2 * t + t * t))"},
              {FORM_REFUSED, "log(x + sqrt((x - 1) * (x + 1)))"},
              {FORM_REFUSED, "log(x + sqrt(x * x - 1))"}}},
    {"atanh", .domain = {DOMAIN_SIGNED_UNIT},
     .form = {{FORM_LEGAL, "a = abs(x); h = 0.5 * log1p(2 * a / (1 - a)); x == 0 ? x : x < 0 ? -h : h"},
              {FORM_REFUSED, "0.5 * log1p(2 * x / (1 - x))"},
              {FORM_LEGAL, "0.5 * (log1p(x) - log1p(-x))"},
              {FORM_REFUSED, "0.5 * log((1 + x) / (1 - x))"}}},
    {"logit", .domain = {DOMAIN_UNIT},
     .form = {{FORM_LEGAL, "log(x / (1 - x))"},
              {FORM_LEGAL, "log(x) - log1p(-x)"},
              {FORM_REFUSED, "-log(1 / x - 1)"}}},
};

static const struct forms smooth[] = {
    {"erf", .form = {{FORM_LEGAL, "erf(x)"}, {FORM_REFUSED, "1 - erfc(x)"}}},
    {"erfc", .form = {{FORM_LEGAL, "erfc(x)"}, {FORM_REFUSED, "1 - erf(x)"}}},
    {"lgamma", .form = {{FORM_LEGAL, "lgamma(x)"}, {FORM_REFUSED, "lgamma(x + 1) - log(abs(x))"}}},
    {"sigmoid", .form = {{FORM_LEGAL, "x < 0 ? exp(x) / (1 + exp(x)) : 1 / (1 + exp(-x))"},
                         {FORM_NAIVE, "1 / (1 + exp(-x))"},
                         {FORM_NAIVE, "s = 1 / (1 + exp(abs(x))); x < 0 ? s : 1 - s"},
                         {FORM_REFUSED, "s = 1 / (1 + exp(-abs(x))); x < 0 ? 1 - s : s"},
                         {FORM_REFUSED, "0.5 + 0.5 * tanh(0.5 * x)"}}},
    {"silu", .form = {{FORM_LEGAL, "x * (x < 0 ? exp(x) / (1 + exp(x)) : 1 / (1 + exp(-x)))"},
                      {FORM_NAIVE, "x / (1 + exp(-x))"},
                      {FORM_NAIVE, "x * (1 / (1 + exp(-x)))"},
                      {FORM_NAIVE, "s = 1 / (1 + exp(abs(x))); x * (x < 0 ? s : 1 - s)"},
                      {FORM_REFUSED, "x * (0.5 + 0.5 * tanh(0.5 * x))"}}},
    {"logsigmoid", .form = {{FORM_LEGAL, "min(x, 0) - log1p(exp(-abs(x)))"},
                            {FORM_LEGAL, "-(max(-x, 0) + log1p(exp(-abs(x))))"},
                            {FORM_NAIVE, "-log1p(exp(-x))"},
                            {FORM_DOCUMENTED, "-log(1 + exp(-x))"},
                            {FORM_DOCUMENTED, "min(x, 0) - log(1 + exp(-abs(x)))"},
                            {FORM_DOCUMENTED, "log(1 / (1 + exp(-x)))"}}},
    {"mish", .form = {{FORM_LEGAL, "x * tanh(log1p(exp(x)))"},
                      {FORM_LEGAL, "x * tanh(max(x, 0) + log1p(exp(-abs(x))))"},
                      {FORM_LEGAL, "t = x > 20 ? x : log1p(exp(x)); x * tanh(t)"},
                      {FORM_REFUSED, "x * tanh(log(exp(x) + 1))"},
                      {FORM_REFUSED, "e = exp(x); q = e * (e + 2); x * (q / (q + 2))"}}},
    {"softsign", .form = {{FORM_LEGAL, "x / (1 + abs(x))"}, {FORM_REFUSED, "x * (1 / (1 + abs(x)))"}}},
    {"hardsigmoid", .form = {{FORM_LEGAL, "min(max(x + 3, 0), 6) / 6"},
                             {FORM_LEGAL, "min(1, max(0, (x + 3) / 6))"},
                             {FORM_LEGAL, "min(max(x + 3, 0), 6) * 0.16666666666666666667"},
                             {FORM_REFUSED, "max(0, min(1, 0.16666666666666666667 * x + 0.5))"},
                             {FORM_REFUSED, "max(0, min(1, x / 6 + 0.5))"}}},
    {"hardswish", .form = {{FORM_LEGAL, "x * (min(max(x + 3, 0), 6) / 6)"},
                           {FORM_LEGAL, "x * min(1, max(0, (x + 3) / 6))"},
                           {FORM_LEGAL, "x * (min(max(x + 3, 0), 6) * 0.16666666666666666667)"},
                           {FORM_NAIVE, "x * min(max(x + 3, 0), 6) / 6"},
                           {FORM_NAIVE, "x * min(max(x + 3, 0), 6) * 0.16666666666666666667"},
                           {FORM_REFUSED, "x * max(0, min(1, 0.16666666666666666667 * x + 0.5))"},
                           {FORM_REFUSED, "x * max(0, min(1, x / 6 + 0.5))"}}},
    {"selu",
     .form = {{FORM_LEGAL, "1.0507009873554804934 * (x > 0 ? x : 1.6732632423543772848 * expm1(x))"},
              {FORM_LEGAL, "x > 0 ? x * 1.0507009873554804934 : expm1(x) * 1.7580993408473768600"},
              {FORM_LEGAL, "1.0507009873554804934 * (max(x, 0) + min(0, 1.6732632423543772848 * expm1(x)))"},
              {FORM_DOCUMENTED,
               "1.0507009873554804934 * (max(x, 0) + min(0, 1.6732632423543772848 * (exp(x) - 1)))"}}},
};

enum { FEW = 100, MANY = 2500 };
#define JUDGE(table, each) forms_judge(table, sizeof table / sizeof *table, each)

Test(forms, of_one_number)
{
    JUDGE(powers, FEW);
    JUDGE(angles, FEW);
    JUDGE(smooth, FEW);
}

Test(forms, of_powers_takes_seconds)
{
    JUDGE(powers, MANY);
}

Test(forms, of_angles_takes_seconds)
{
    JUDGE(angles, MANY);
}

Test(forms, of_smooth_functions_takes_seconds)
{
    JUDGE(smooth, MANY);
}
