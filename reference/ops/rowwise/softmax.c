/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Maps of rows (reference/ops/rowwise/rowwise.h).
 *
 * Definition: PyTorch torch.nn.functional.softmax, softmin, log_softmax. A row of −inf only, or with +inf or
 * a NaN, is NaN; −inf beside numbers is 0, and −inf for log_softmax. Gradients: ATen's _softmax_backward_data
 * and _log_softmax_backward_data, whatever numbers the second operand holds. */

#include "reference/numeric/elementary/portable.h"
#include "reference/ops/rowwise/rowwise.h"

#include <math.h>

#define MAP(name_, ...)                                                                                      \
    {                                                                                                        \
        ROWWISE_OP(name_, ROWWISE_FLOATS), .operands = {{"input", OPERAND_READ}},                            \
                                           .attributes = {{"dim", ATTRIBUTE_INTEGER}}, ROWWISE_BY_FORMULA,   \
                                           .certify_costly = true, ROWWISE_ROW(.maps = true, __VA_ARGS__)    \
    }

/* Accepts NaN where the sum is infinite and exp(y) so small that a program may have 0 for it. */
static void accept_log_gradient(const struct bound_query *query, struct accept *accept)
{
    const struct truth_output *out = &query->truth->output[0];
    const double y = out->sensitivity[query->element * out->sensitivities + 1];
    enum value_class class = out->value[query->element].class;
    rowwise_accept_formula(query, accept);
    if ((class == VALUE_POSITIVE_INFINITY || class == VALUE_NEGATIVE_INFINITY) &&
        y < portable_log(dtype_least_normal(query->profile->accumulate[out->dtype]))) {
        accept_also(accept, NAN);
    }
}

/* Gradients take grad_output and the forward's output, as ATen's _softmax_backward_data. */
#define GRADIENT(name_, accept_, ...)                                                                        \
    {                                                                                                        \
        ROWWISE_OP(name_, ROWWISE_FLOATS),                                                                   \
            .operands = {{"grad_output", OPERAND_READ}, {"output", OPERAND_READ}},                           \
            .attributes = {{"dim", ATTRIBUTE_INTEGER}}, ROWWISE_BY_FORMULA, .accept = accept_,               \
            .bounded = true, .certify_costly = true,                                                         \
            ROWWISE_ROW(.maps = true, .open_zero = true, __VA_ARGS__)                                        \
    }

static const struct op ops[] = {
    MAP("softmax", .rescales = true, .formula = "e = exp(x - row_max(x)); e / sum(e)",
        .naive = "e = exp(x); e / sum(e)"),
    MAP("softmin", .rescales = true, .decreases = true, .formula = "e = exp(-x - row_max(-x)); e / sum(e)",
        .naive = "e = exp(-x); e / sum(e)"),
    MAP("log_softmax", .rescales = true, .formula = "d = x - row_max(x); d - log(sum(exp(d)))",
        .naive = "x - log(sum(exp(x)))",
        .truth = "r = row_max(x); rest = sum(x == r ? 0 : exp(x - r)); "
                 "abs(r) == inf ? nan : (x - r) - log1p(rest + (sum(x == r ? 1 : 0) - 1))"),
    GRADIENT("softmax_backward", rowwise_accept_formula, .formula = "y * (grad - sum(grad * y))",
             .form = "p = grad * y; p - y * sum(p)"),
    GRADIENT("log_softmax_backward", accept_log_gradient, .formula = "grad - exp(y) * sum(grad)"),
};

const struct op_set op_set_softmax = {.op = ops, .count = sizeof ops / sizeof *ops};
