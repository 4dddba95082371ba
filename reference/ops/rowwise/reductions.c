/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Reductions of rows to one number each (reference/ops/rowwise/rowwise.h).
 *
 * Definition: PyTorch torch.amax, amin, sum, nansum, prod, mean, any, all, count_nonzero, logsumexp, var,
 * std. The greatest and the least of a row with a NaN is NaN, which is not zero. Sums and products of
 * integers are int64, modulo 2^64. For an empty row a sum is 0, a product 1, a mean NaN, a logsumexp −inf,
 * and an extremum is refused. An empty list of dimensions stands for all of them, except for any and all,
 * which it leaves as they are. A variance divides by max(0, n − correction). */

#include "reference/ops/rowwise/rowwise.h"

#include <math.h>

static int64_t plus(int64_t before, int64_t x)
{
    return (int64_t)((uint64_t)before + (uint64_t)x);
}

static int64_t times(int64_t before, int64_t x)
{
    return (int64_t)((uint64_t)before * (uint64_t)x);
}

static int64_t one_is(int64_t nonzero, int64_t n)
{
    (void)n;
    return nonzero > 0;
}

static int64_t all_are(int64_t nonzero, int64_t n)
{
    return nonzero == n;
}

static int64_t how_many(int64_t nonzero, int64_t n)
{
    (void)n;
    return nonzero;
}

#define DEVIATION(name_, formula_, ...)                                                                      \
    {                                                                                                        \
        ROWWISE_OP(name_, ROWWISE_FLOATS),                                                                   \
            .operands = {{"input", OPERAND_READ}},                                                           \
            .attributes = {{"dim", ATTRIBUTE_INTEGERS},                                                      \
                           {"correction", ATTRIBUTE_INTEGER},                                                \
                           {"keepdim", ATTRIBUTE_BOOL}},                                                     \
            .defaults = {{"correction", DEFAULT_VALUE, 1}, {"keepdim", DEFAULT_VALUE, 0}},                   \
            ROWWISE_BY_FORMULA,                                                                              \
            ROWWISE_ROW(.empty = NAN, .deviates = true, .formula = formula_, __VA_ARGS__)                    \
    }

static const struct op ops[] = {
    {ROWWISE_OP("amax", ROWWISE_NUMBERS), ROWWISE_DIMS, ROWWISE_SELECTS, ROWWISE_ROW(.needs_terms = true)},
    {ROWWISE_OP("amin", ROWWISE_NUMBERS), ROWWISE_DIMS, ROWWISE_SELECTS,
     ROWWISE_ROW(.needs_terms = true, .least = true)},
    {ROWWISE_OP("sum", ROWWISE_NUMBERS), ROWWISE_DIMS, ROWWISE_SUMS,
     ROWWISE_ROW(.result = ROWWISE_WIDE, .integer = plus)},
    {ROWWISE_OP("prod", ROWWISE_NUMBERS), ROWWISE_DIMS, ROWWISE_MULTIPLIES,
     ROWWISE_ROW(.result = ROWWISE_WIDE, .integer = times, .empty = 1)},
    {ROWWISE_OP("mean", ROWWISE_FLOATS), ROWWISE_DIMS, ROWWISE_SUMS, ROWWISE_ROW(.mean = true, .empty = NAN)},
    {ROWWISE_OP("nansum", ROWWISE_FLOATS), ROWWISE_DIMS, ROWWISE_BY_FORMULA, .accept = rowwise_accept_formula,
     .bounded = true, ROWWISE_ROW(.open_zero = true, .formula = "sum(x != x ? 0 : x)")},
    {ROWWISE_OP("any", ROWWISE_NUMBERS), ROWWISE_DIMS, ROWWISE_COUNTS,
     ROWWISE_ROW(.result = ROWWISE_BOOL, .count = one_is, .empty_dim_is_none = true)},
    {ROWWISE_OP("all", ROWWISE_NUMBERS), ROWWISE_DIMS, ROWWISE_COUNTS,
     ROWWISE_ROW(.result = ROWWISE_BOOL, .count = all_are, .empty_dim_is_none = true)},
    {ROWWISE_OP("count_nonzero", ROWWISE_NUMBERS), .operands = {{"input", OPERAND_READ}},
     .attributes = {{"dim", ATTRIBUTE_INTEGERS}}, ROWWISE_COUNTS,
     ROWWISE_ROW(.result = ROWWISE_INT64, .count = how_many)},
    {ROWWISE_OP("logsumexp", ROWWISE_FLOATS), ROWWISE_DIMS, ROWWISE_BY_FORMULA, .certify_costly = true,
     ROWWISE_ROW(.empty = -INFINITY, .rescales = true, .naive = "log(sum(exp(x)))",
                 .formula = "r = row_max(x); m = abs(r) == inf ? 0 : r; m + log(sum(exp(x - m)))",
                 .truth = "r = row_max(x); rest = sum(x == r ? 0 : exp(x - r)); "
                          "abs(r) == inf ? r : r + log1p(rest + (sum(x == r ? 1 : 0) - 1))")},
    DEVIATION("var", "d = x - mean(x); sum(d * d) / max(n - correction, 0)", .root = false),
    DEVIATION("std", "d = x - mean(x); sqrt(sum(d * d) / max(n - correction, 0))", .root = true),
};

const struct op_set op_set_reductions = {.op = ops, .count = sizeof ops / sizeof *ops};
