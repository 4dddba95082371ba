/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Losses of input and target, element by element (reference/ops/loss/loss.h).
 *
 * Definition: PyTorch's torch.nn.functional.NAME. huber_loss is delta times smooth_l1_loss with beta = delta,
 * which with beta = 0 is l1_loss. The logarithms of binary_cross_entropy are at least −100; its input lies in
 * [0, 1]. kl_div is 0 − 0·input for a target of 0, and for a negative target NaN or, in PyTorch before 2.0,
 * 0.
 *
 * binary_cross_entropy_with_logits is computed from max(x, 0) and log1p(exp(−|x|)), so that cancellations are
 * exact. Where x is infinite PyTorch's form has another result: both are right. */

#include "reference/ops/loss/losses.h"

#include <math.h>

/* `first`: the first statements of the formula; `term`: its term; `other`, `other_term`: those of another
 * legal form. */
#define DEFINE(id, first, term)                                                                              \
    static const struct elementwise id##_none = {.formula = first term};                                     \
    static const struct rowwise id##_mean = {.formula = first "mean(" term ")", .empty = NAN},               \
                                id##_sum = {.formula = first "sum(" term ")"};
#define DEFINE_FORMS(id, first, term, other, other_term, ...)                                                \
    static const struct elementwise id##_none = {                                                            \
        .formula = first term, .form = {other other_term}, .open_zero = true, __VA_ARGS__};                  \
    static const struct rowwise id##_mean = {.formula = first "mean(" term ")",                              \
                                             .form = other "mean(" other_term ")",                           \
                                             .empty = NAN,                                                   \
                                             .open_zero = true},                                             \
                                id##_sum = {.formula = first "sum(" term ")",                                \
                                            .form = other "sum(" other_term ")",                             \
                                            .open_zero = true};
#define DEFINE_BATCHMEAN(id, first, term, other, other_term)                                                 \
    static const struct rowwise id##_batchmean = {.formula = first "sum(" term ") / row_max(count)",         \
                                                  .form = other "sum(" other_term ") / row_max(count)",      \
                                                  .empty = NAN,                                              \
                                                  .open_zero = true};

/* The operator of one reduction; operands, attributes and defaults are those of the loss. */
#define OWN(...) .outputs = 1, .dtypes = ELEMENTWISE_FLOATS, LOSS_ANY_REDUCTION, __VA_ARGS__
#define ELEMENTS(id, ...)                                                                                    \
    [LOSS_NONE] = {.elementwise = true,                                                                      \
                   ELEMENTWISE_BY_FORMULA,                                                                   \
                   .accept = elementwise_accept_formula,                                                     \
                   .row = &id##_none,                                                                        \
                   OWN(__VA_ARGS__)}
#define ROWS(number, row_, ...)                                                                              \
    [number] = {ROWWISE_BY_FORMULA, .accept = rowwise_accept_formula, .rowwise = &row_, OWN(__VA_ARGS__)}
#define FORMS(id, ...)                                                                                       \
    static const struct loss_forms id = {{ELEMENTS(id, __VA_ARGS__),                                         \
                                          ROWS(LOSS_MEAN, id##_mean, __VA_ARGS__),                           \
                                          ROWS(LOSS_SUM, id##_sum, __VA_ARGS__)}};

DEFINE(mse, "d = x - y; ", "d * d")
FORMS(mse, .name = "mse_loss", .operands = {PAIR}, PLAIN)
DEFINE(l1, "", "abs(x - y)")
FORMS(l1, .name = "l1_loss", .operands = {PAIR}, PLAIN)
DEFINE(smooth, "d = abs(x - y); ", "(d < beta ? 0.5 * d * d / beta : d - 0.5 * beta)")
FORMS(smooth, .name = "smooth_l1_loss", .operands = {PAIR}, WITH("beta"))
DEFINE(huber, "d = abs(x - y); ", "(d < delta ? 0.5 * d * d : delta * (d - 0.5 * delta))")
FORMS(huber, .name = "huber_loss", .operands = {PAIR}, WITH("delta"))

#define KL      "q = y == 0 ? 0 : y * log(y); ", "(q - y * x)"
#define KL_FORM "", "(y == 0 ? 0 - y * x : y * (log(y) - x))"
#define LOG_KL  "", "(exp(y) * (y - x))"
#define KL_SETS(id, ...)                                                                                     \
    static const struct loss_forms id = {                                                                    \
        {ELEMENTS(id, .operands = {PAIR}, __VA_ARGS__),                                                      \
         ROWS(LOSS_MEAN, id##_mean, .operands = {PAIR}, __VA_ARGS__),                                        \
         ROWS(LOSS_SUM, id##_sum, .operands = {PAIR}, __VA_ARGS__),                                          \
         ROWS(LOSS_BATCHMEAN, id##_batchmean, .operands = {PAIR, {"count", OPERAND_READ}}, __VA_ARGS__)}};
#define EXPAND(macro, ...) macro(__VA_ARGS__)
EXPAND(DEFINE_FORMS, kl, KL, KL_FORM, .also = {"y > 0 ? y * (log(y) - x) : 0"},
       .partial = "y > 0 ? abs(y * log(y)) : 0")
EXPAND(DEFINE_BATCHMEAN, kl, KL, KL_FORM)
KL_SETS(kl, .name = "kl_div", BY_BOOL)
EXPAND(DEFINE_FORMS, log_kl, LOG_KL, LOG_KL, .partial = "exp(-y)")
EXPAND(DEFINE_BATCHMEAN, log_kl, LOG_KL, LOG_KL)
KL_SETS(log_kl, .name = "kl_div", BY_BOOL)

DEFINE_FORMS(
    bce, "a = max(log(x), -100); b = max(log1p(-x), -100); ", "(z * ((y - 1) * b - y * a))",
    "a = max(log(x), -100); b = max(log(1 - x), -100); ", "(z * ((y - 1) * b - y * a))",
    .partial = "x < 0.004 ? inf : 0") /* for an infinite weight: 1 - x may be 1, whose logarithm is 0 */
FORMS(bce, .name = "binary_cross_entropy", .operands = {WEIGHED}, PLAIN)
/* The form whose cancellations are exact; PyTorch's order; and the form in common use, which has no
 * pos_weight. */
#define LOGITS_FIRST "l = pos_weight == 1 ? 1 : 1 + (pos_weight - 1) * y; p = log1p(exp(-abs(x))); "
#define LOGITS_EXACT "(((1 - y) * x + l * max(-x, 0)) + l * p)"
#define LOGITS_TORCH "((1 - y) * x + l * (max(-x, 0) + p))"
#define LOGITS_OTHER "(pos_weight == 1 ? max(x, 0) - x * y + p : " LOGITS_TORCH ")"
static const struct elementwise logits_none = {
    .formula = LOGITS_FIRST "z * " LOGITS_EXACT,
    .form = {LOGITS_FIRST "z * " LOGITS_TORCH, LOGITS_FIRST "z * " LOGITS_OTHER},
    .also = {LOGITS_FIRST "z * (abs(x) == inf ? " LOGITS_OTHER " : pos_weight == inf ? " LOGITS_TORCH
                          " : " LOGITS_EXACT ")"},
    /* l may round to 0, or a weight may be 1 */
    .partial = "max(abs(z) == inf ? inf : 0, abs((pos_weight - 1) * y))",
    .open_zero = true};
#define LOGITS_ROW(reduction)                                                                                \
    .truth = LOGITS_FIRST reduction "(z * " LOGITS_EXACT ")",                                                \
    .formula = LOGITS_FIRST reduction "(z * " LOGITS_TORCH ")",                                              \
    .form = LOGITS_FIRST reduction "(z * " LOGITS_OTHER ")", .open_zero = true
static const struct rowwise logits_mean = {LOGITS_ROW("mean"), .empty = NAN},
                            logits_sum = {LOGITS_ROW("sum")};
FORMS(logits, .name = "binary_cross_entropy_with_logits", .operands = {LOGITS}, PLAIN)

static const struct op ops[] = {
    {LOSS_OP("mse_loss", .forms = &mse, .broadcasts = true), .operands = {PAIR}, PLAIN, LOSS_REDUCTION},
    {LOSS_OP("l1_loss", .forms = &l1, .broadcasts = true), .operands = {PAIR}, PLAIN, LOSS_REDUCTION},
    {LOSS_OP("smooth_l1_loss", .forms = &smooth, .broadcasts = true, .not_negative = "beta"),
     .operands = {PAIR}, WITH("beta"), LOSS_REDUCTION},
    {LOSS_OP("huber_loss", .forms = &huber, .broadcasts = true, .positive = "delta"), .operands = {PAIR},
     WITH("delta"), LOSS_REDUCTION},
    {LOSS_OP("kl_div", .forms = &kl, .flag = "log_target", .flagged = &log_kl, .broadcasts = true),
     .operands = {PAIR}, BY_BOOL, LOSS_ANY_REDUCTION},
    {LOSS_OP("binary_cross_entropy", .forms = &bce), .operands = {WEIGHED}, PLAIN, LOSS_REDUCTION},
    {LOSS_OP("binary_cross_entropy_with_logits", .forms = &logits), .operands = {LOGITS}, PLAIN,
     LOSS_REDUCTION},
};

const struct op_set op_set_losses = {.op = ops, .count = sizeof ops / sizeof *ops};
