/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Gradients of reductions by their input, from grad_output, one number for each row, and the input
 * (reference/ops/rowwise/rowwise.h).
 *
 * Definition: PyTorch's autograd of torch.sum, mean, amax, amin, var, std, logsumexp (tools/autograd:
 * scale_grad_by_count, var_backward, std_backward, logsumexp_backward). All leading elements of a row share
 * its gradient evenly; a row with a NaN, which no element equals, gives 0/0. The gradient of a deviation of 0
 * is 0. That of logsumexp is NaN for a row of −inf only or with a NaN; beside +inf it is 0, and NaN at +inf.
 * Where n does not exceed the correction the gradient is meaningless and not tested.
 *
 * Legal programs for logsumexp divide by the sum, or subtract its logarithm first. A zero may have either
 * sign. Beside an infinite grad_output elements that do not lead may have 0 in place of inf·0. */

#include "reference/ops/rowwise/rowwise.h"

#include <math.h>

/* Also accepts 0 in place of inf·0: a program that selects forms no product with 0. */
static void accept_chosen(const struct bound_query *query, struct accept *accept)
{
    const struct truth_output *out = &query->truth->output[0];
    const double *operand = &out->sensitivity[query->element * out->sensitivities];
    rowwise_accept_formula(query, accept);
    if (out->value[query->element].class == VALUE_NAN && !isfinite(operand[0]) && !isnan(operand[1])) {
        accept_also(accept, 0);
    }
}

/* Also accepts 0 where the squares of a deviation may underflow: the deviation is then 0, and so is the
 * gradient in PyTorch. */
static void accept_deviation(const struct bound_query *query, struct accept *accept)
{
    rowwise_accept_formula(query, accept);
    if (query->truth->output[0].value[query->element].open) {
        accept_also(accept, 0);
    }
}

#define OPERANDS .operands = {{"grad_output", OPERAND_READ}, {"input", OPERAND_READ}}
#define DIMENSIONS                                                                                           \
    .attributes = {{"dim", ATTRIBUTE_INTEGERS}, {"keepdim", ATTRIBUTE_BOOL}},                                \
    .defaults = {{"keepdim", DEFAULT_VALUE, 0}}
#define DEGREES                                                                                              \
    .attributes = {{"dim", ATTRIBUTE_INTEGERS},                                                              \
                   {"correction", ATTRIBUTE_INTEGER},                                                        \
                   {"keepdim", ATTRIBUTE_BOOL}},                                                             \
    .defaults = {{"correction", DEFAULT_VALUE, 1}, {"keepdim", DEFAULT_VALUE, 0}}
#define GRADIENT(name_, accept_, attributes_, ...)                                                           \
    {                                                                                                        \
        ROWWISE_OP(name_, ROWWISE_FLOATS), OPERANDS, attributes_, ROWWISE_BY_FORMULA,                        \
            .accept = accept_, .bounded = true, .certify_costly = true,                                      \
            ROWWISE_ROW(.maps = true, .gradient = true, .open_zero = true, __VA_ARGS__)                      \
    }

static const struct op ops[] = {
    GRADIENT("sum_backward", rowwise_accept_formula, DIMENSIONS, .formula = "grad"),
    GRADIENT("mean_backward", rowwise_accept_formula, DIMENSIONS, .formula = "grad / n",
             .form = "grad * (1 / n)"),
    GRADIENT("amax_backward", accept_chosen, DIMENSIONS, .needs_terms = true,
             .formula = "m = row_max(x); (x == m ? grad : grad * 0) / sum(x == m ? 1 : 0)"),
    GRADIENT("amin_backward", accept_chosen, DIMENSIONS, .needs_terms = true, .least = true,
             .formula = "m = row_max(-x); (-x == m ? grad : grad * 0) / sum(-x == m ? 1 : 0)"),
    GRADIENT("var_backward", rowwise_accept_formula, DEGREES,
             .formula = "2 / max(n - correction, 0) * grad * (x - mean(x))",
             .form = "2 * grad * (x - mean(x)) / max(n - correction, 0)"),
    GRADIENT("std_backward", accept_deviation, DEGREES, .deviates = true, .root = true,
             .formula = "d = x - mean(x); v = max(n - correction, 0); s = sqrt(sum(d * d) / v); "
                        "s == 0 ? 0 : grad / s * d / v",
             .form = "d = x - mean(x); v = max(n - correction, 0); s = sqrt(sum(d * d) / v); "
                     "s == 0 ? 0 : 1 / v * (grad / s) * d"),
    GRADIENT("logsumexp_backward", rowwise_accept_formula, DIMENSIONS, .rescales = true,
             .formula = "r = row_max(x); e = exp(x - r); "
                        "r == inf ? (x == inf ? nan : grad * 0) : grad * (e / sum(e))",
             .form = "r = row_max(x); d = x - r; "
                     "r == inf ? (x == inf ? nan : grad * 0) : grad * exp(x - (r + log(sum(exp(d)))))",
             .naive = "e = exp(x); grad * (e / sum(e))"),
};

const struct op_set op_set_reduction_gradients = {.op = ops, .count = sizeof ops / sizeof *ops};
