/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Algebraic forms of activations of the halves of an input, and of those with a weight for each channel. */

#include "reference/ops/elementwise/test/forms.h"
#include "reference/test/support.h"

#define SAFE(t)  "s = " t " < 0 ? exp(" t ") / (1 + exp(" t ")) : 1 / (1 + exp(-" t ")); "
#define NAIVE(t) "s = 1 / (1 + exp(-" t ")); "
#define FAR(t)   "q = 1 / (1 + exp(abs(" t "))); s = " t " < 0 ? q : 1 - q; "

static const struct forms halves[] = {
    {"glu", .views = VIEWS_HALVES,
     .form = {{FORM_LEGAL, SAFE("y") "x * s"},
              {FORM_NAIVE, NAIVE("y") "x * s"},
              {FORM_NAIVE, "x / (1 + exp(-y))"},
              {FORM_NAIVE, FAR("y") "x * s"},
              {FORM_REFUSED, "x * (0.5 + 0.5 * tanh(0.5 * y))"}}},
    {"swiglu", .views = VIEWS_HALVES,
     .form = {{FORM_LEGAL, SAFE("x") "x * s * y"},
              {FORM_LEGAL, SAFE("x") "x * (s * y)"},
              {FORM_NAIVE, "x / (1 + exp(-x)) * y"},
              {FORM_NAIVE, FAR("x") "x * s * y"},
              {FORM_NAIVE, NAIVE("x") "x * s * y"}}},
    {"glu_backward", .views = VIEWS_HALVES,
     .form = {{FORM_LEGAL, SAFE("y") "half > 0 ? (1 - s) * s * x * grad : s * grad"},
              {FORM_LEGAL, SAFE("y") "half > 0 ? (1 - s) * s * grad * x : s * grad"},
              {FORM_NAIVE, NAIVE("y") "half > 0 ? (1 - s) * s * grad * x : s * grad"},
              {FORM_NAIVE, SAFE("y") "half > 0 ? grad * x * ((1 - s) * s) : s * grad"},
              {FORM_NAIVE, FAR("y") "half > 0 ? grad * x * (s * (1 - s)) : grad * s"}}},
};

static const struct forms channels[] = {
    {"prelu", .views = VIEWS_CHANNELS,
     .form = {{FORM_LEGAL, "x > 0 ? x : y * x"},
              {FORM_LEGAL, "x >= 0 ? x : y * x"},
              {FORM_REFUSED, "max(x, 0) + y * min(x, 0)"}}},
    {"prelu_backward", .views = VIEWS_CHANNELS,
     .form = {{FORM_LEGAL, "x > 0 ? grad : y * grad"}, {FORM_LEGAL, "grad * (x > 0 ? 1 : y)"}}},
    {"prelu_backward", .views = VIEWS_CHANNELS, .domain = {DOMAIN_LOGARITHM, DOMAIN_ANY, DOMAIN_LOGARITHM},
     .form = {{FORM_LEGAL, "x >= 0 ? grad : y * grad"}}},
};

enum { FEW = 100, MANY = 2500 };
#define JUDGE(table, each) forms_judge(table, sizeof table / sizeof *table, each)

Test(forms, of_halves_and_channels)
{
    JUDGE(halves, FEW);
    JUDGE(channels, FEW);
}

Test(forms, of_halves_takes_seconds)
{
    JUDGE(halves, MANY);
}

Test(forms, of_channels_takes_seconds)
{
    JUDGE(channels, MANY);
}
