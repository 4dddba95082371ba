/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Activations whose numbers are views of their operands (reference/ops/elementwise/elementwise_views.h), and
 * their gradients by the input.
 *
 *   prelu            x, or weight·x where x is not positive; a weight for each channel, or one
 *   glu              a·sigmoid(b), a and b the input's halves along dim
 *   swiglu           silu(a)·b of the same halves: the feed-forward of N. Shazeer, "GLU Variants Improve
 *                    Transformer" (2020)
 *   glu_backward     ATen's: of grad_output and the input, both halves of the gradient
 *   prelu_backward   the first result of ATen's _prelu_kernel_backward: by the input
 *
 * Definitions: PyTorch's torch.nn.functional.NAME, which has no swiglu. The slope of prelu at 0 is the weight
 * in PyTorch and 1 in ONNX: both are right, and zeros may have either sign there. Forms are PyTorch's own. A
 * product of a vanishing first factor and an infinite one is NaN if the first factor is rounded to 0. */

#include "reference/ops/elementwise/elementwise.h"

enum { FLOATS = ELEMENTWISE_FLOATS };

/* Products with 0 are treated separately, because no enclosure has the sign of a zero. Beyond 10^6 exp(−|t|)
 * is below 2^-(2^20), as is the number that replaces it beside an infinite factor. */
#define SIGMOID(t)                                                                                           \
    "a = abs(" t "); e = a == inf ? 0 : exp(-min(a, 1000000)); s = (" t " < 0 ? e : 1) / (1 + e); "
#define LEAST(term) "4 / (" term ")" /* above half the greatest number where the term may count as 0 */

#define FORMULA(name, ...)                                                                                   \
    ELEMENTWISE_VIEWED(name, FLOATS, __VA_ARGS__), ELEMENTWISE_BY_FORMULA,                                   \
        .accept = elementwise_accept_formula
#define INPUT                                                                                                \
    {                                                                                                        \
        {                                                                                                    \
            "input", OPERAND_READ                                                                            \
        }                                                                                                    \
    }
#define WEIGHTED                                                                                             \
    {                                                                                                        \
        {"input", OPERAND_READ},                                                                             \
        {                                                                                                    \
            "weight", OPERAND_READ                                                                           \
        }                                                                                                    \
    }
#define GRAD_WEIGHTED                                                                                        \
    {                                                                                                        \
        {"grad_output", OPERAND_READ}, {"input", OPERAND_READ},                                              \
        {                                                                                                    \
            "weight", OPERAND_READ                                                                           \
        }                                                                                                    \
    }
#define DIM .attributes = {{"dim", ATTRIBUTE_INTEGER}}, .defaults = {{"dim", DEFAULT_VALUE, -1}}
#define ROW ELEMENTWISE_ROW

static const struct op ops[] = {
    {FORMULA("prelu", WEIGHTED), ROW(.formula = "x > 0 ? x : y * x", .also = {"x < 0 ? y * x : x"},
                                     .open_zero = true, .views = VIEWS_CHANNELS)},
    {FORMULA("prelu_backward", GRAD_WEIGHTED),
     ROW(.formula = "x > 0 ? grad : y * grad", .also = {"x < 0 ? y * grad : grad"}, .views = VIEWS_CHANNELS)},
    {FORMULA("glu", INPUT), DIM, .bounded = true,
     ROW(.formula = SIGMOID("y") "x == 0 ? (y != y ? y : x) : x * s", .naive = "x / (1 + exp(-y))",
         .partial = SIGMOID("y") LEAST("s"), .views = VIEWS_HALVES)},
    {FORMULA("swiglu", INPUT), DIM, .bounded = true,
     ROW(.formula = SIGMOID("x") "y == 0 ? x * y : x * s * y", .form = {SIGMOID("x") "x * (s * y)"},
         .naive = "x / (1 + exp(-x)) * y", .partial = SIGMOID("x") LEAST("x * s"), .views = VIEWS_HALVES)},
    {FORMULA("glu_backward", ELEMENTWISE_GRAD), DIM, .bounded = true,
     ROW(.formula = SIGMOID("y") "c = (y < 0 ? 1 : e) / (1 + e); half > 0 ? grad * (x * (s * c)) : grad * s",
         .form = {SIGMOID("y") "half > 0 ? (1 - s) * s * x * grad : s * grad",
                  SIGMOID("y") "half > 0 ? (1 - s) * s * grad * x : s * grad"},
         .naive = "s = 1 / (1 + exp(-y)); half > 0 ? grad * x * ((1 - s) * s) : s * grad",
         .views = VIEWS_HALVES)},
};

const struct op_set op_set_activation_views = {.op = ops, .count = sizeof ops / sizeof *ops};
