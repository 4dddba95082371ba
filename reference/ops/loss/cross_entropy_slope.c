/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The gradient of one sample of cross_entropy as a row-wise map.
 *
 * Legal programs use the gradient of the log_softmax, or the softmax itself. The truth's form does not cancel
 * where the softmax is nearly 1, and adds nothing to exponentially small numbers. */

#include "reference/ops/loss/cross_entropy_bound.h"

/* q, and C·q, which contains no quotient. */
#define LABEL      "q = y == 0 ? 0 : z; "
#define LABEL_C    "q = y == 0 ? 0 : n * z; "
#define SMOOTHED   "q = (y == 0 ? 0 : (1 - label_smoothing) * z) + label_smoothing / n * z; "
#define SMOOTHED_C "q = (y == 0 ? 0 : n * (1 - label_smoothing) * z) + label_smoothing * z; "

#define SHARES      "q = z * y; "
#define SHARES_C    "q = n * (z * y); "
#define SHARES_S    "q = z * ((1 - label_smoothing) * y + label_smoothing / n); "
#define SHARES_S_C  "q = z * (n * (1 - label_smoothing) * y + label_smoothing); "
#define LABELS(...) "row_max(y) > 0 ? (" __VA_ARGS__ ") : 0"
#define ALL(...)    __VA_ARGS__

#define BY_LOG(q_, grad_, of)                                                                                \
    "r = row_max(x); d = x - r; l = d - log(sum(exp(d))); " q_ "g = q * (" grad_                             \
    "); " of("exp(l) * sum(g) - g")
#define BY_SOFTMAX(exponent, q_, grad_, of)                                                                  \
    "e = exp(" exponent "); " q_ of("(e / sum(e) * sum(q) - q) * (" grad_ ")")
#define TRUE(q_, over, of)                                                                                   \
    "r = row_max(x); e = exp(x - r); k = sum(x == r ? 1 : 0); s = sum(x == r ? 0 : e); " q_                  \
    "p = x == r ? sum(q) - k * q - q * s : (sum(q) - q) * e - q * (s + k - e); " of(                         \
        "abs(r) == inf ? nan : grad * p / (n * (s + k) * " over ")")

#define ROW(q_, q_c, grad_, over, of)                                                                        \
    .name = "cross_entropy_backward", .outputs = 1, .dtypes = ELEMENTWISE_FLOATS,                            \
    .attributes = {{"dim", ATTRIBUTE_INTEGERS}, {"label_smoothing", ATTRIBUTE_REAL}}, ROWWISE_BY_FORMULA,    \
    ROWWISE_ROW(.maps = true, .open_zero = true, .rescales = true, .formula = BY_LOG(q_, grad_, of),         \
                .form = BY_SOFTMAX("x - row_max(x)", q_, grad_, of),                                         \
                .naive = BY_SOFTMAX("x", q_, grad_, of), .truth = TRUE(q_c, over, of))
#define SAMPLE                                                                                               \
    {"grad_output", OPERAND_READ}, {"input", OPERAND_READ}, {"target", OPERAND_READ},                        \
    {                                                                                                        \
        "weight", OPERAND_READ                                                                               \
    }
#define COUNT                                                                                                \
    {                                                                                                        \
        "count", OPERAND_READ                                                                                \
    }
#define OF_LABELS(q_, q_c)                                                                                   \
    {                                                                                                        \
        {ROW(q_, q_c, "grad", "1", LABELS), .operands = {SAMPLE}},                                           \
        {                                                                                                    \
            ROW(q_, q_c, "grad / count", "(count + rest)", LABELS), .operands = {                            \
                SAMPLE,                                                                                      \
                COUNT,                                                                                       \
                {"rest", OPERAND_READ},                                                                      \
                {"pos_weight", OPERAND_READ}                                                                 \
            }                                                                                                \
        }                                                                                                    \
    }
#define OF_SHARES(q_, q_c)                                                                                   \
    {                                                                                                        \
        {ROW(q_, q_c, "grad", "1", ALL), .operands = {SAMPLE, COUNT}},                                       \
        {                                                                                                    \
            ROW(q_, q_c, "grad / count", "count", ALL), .operands = { SAMPLE, COUNT }                        \
        }                                                                                                    \
    }
static const struct op rows[2][2][2] = {
    {OF_LABELS(LABEL, LABEL_C), OF_LABELS(SMOOTHED, SMOOTHED_C)},
    {OF_SHARES(SHARES, SHARES_C), OF_SHARES(SHARES_S, SHARES_S_C)},
};

bool cross_entropy_is_mean(const struct attributes *attributes)
{
    return cross_entropy_reduction(attributes) == LOSS_MEAN;
}

const struct op *cross_entropy_slope(const struct attributes *attributes, bool probable)
{
    return &rows[probable][cross_entropy_smoothing(attributes) > 0][cross_entropy_is_mean(attributes)];
}
