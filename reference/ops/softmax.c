/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Maps of rows: rows of the row kit (reference/rowwise.h).
 *
 * Definition: PyTorch torch.nn.functional.softmax, softmin, log_softmax. A row of −inf alone, or with +inf or
 * a NaN, is NaN; −inf beside numbers is 0, and −inf of log_softmax. */

#include "reference/rowwise.h"

#define MAP(name_, ...)                                                                                      \
    {                                                                                                        \
        ROWWISE_OP(name_, ROWWISE_FLOATS), .operands = {{"input", OPERAND_READ}},                            \
                                           .attributes = {{"dim", ATTRIBUTE_INTEGER}}, ROWWISE_BY_FORMULA,   \
                                           .certify_costly = true, ROWWISE_ROW(.maps = true, __VA_ARGS__)    \
    }

static const struct op ops[] = {
    MAP("softmax", .rescales = true, .formula = "e = exp(x - row_max(x)); e / sum(e)",
        .naive = "e = exp(x); e / sum(e)"),
    MAP("softmin", .rescales = true, .formula = "e = exp(-x - row_max(-x)); e / sum(e)",
        .naive = "e = exp(-x); e / sum(e)"),
    MAP("log_softmax", .rescales = true, .formula = "d = x - row_max(x); d - log(sum(exp(d)))",
        .naive = "x - log(sum(exp(x)))",
        .truth = "r = row_max(x); rest = sum(x == r ? 0 : exp(x - r)); "
                 "abs(r) == inf ? nan : (x - r) - log1p(rest + (sum(x == r ? 1 : 0) - 1))"),
};

const struct op_set op_set_softmax = {.op = ops, .count = sizeof ops / sizeof *ops};
