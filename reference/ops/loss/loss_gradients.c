/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Gradients of losses by their input (reference/ops/loss/loss.h).
 *
 * Definition: the results of PyTorch's autograd, ATen's NAME_backward: grad_output times the derivative of
 * the term, divided by the number of terms if the loss is a mean. l1_loss has slope 0 at 0, and so has
 * smooth_l1_loss with beta = 0, which is l1_loss. The slope of binary_cross_entropy is (x − y)/max((1 − x)·x,
 * 1e-12), which ignores the clamp of its logarithms. That of kl_div for a target that is not positive is
 * −target·grad or, before PyTorch 2.0, 0. At a NaN sign(x − y) is 0 or NaN.
 *
 * binary_cross_entropy_with_logits is computed from sigmoid(x) and sigmoid(−x), because PyTorch's form
 * cancels. */

#include "reference/ops/loss/losses.h"

#include <math.h>

#define REDUCED(name, first, term, ...)                                                                      \
    static const struct elementwise name##_whole = {.formula = first "grad * " term, __VA_ARGS__},           \
                                    name##_mean = {.formula = first "grad / count * " term,                  \
                                                   .form = {first "1 / count * " term " * grad"},            \
                                                   __VA_ARGS__};
#define DEFINE(id, first, term)      REDUCED(id, first, term, .open_zero = true)
#define DEFINE_OPEN(id, first, term) REDUCED(id, first, term, .open_zero = true, .open_nan = true)
/* `last`: the term without its weight, which is multiplied after grad; `naive_first`: the first statements of
 * the naive form; `differentiated`: the term by automatic differentiation, which multiplies grad by the
 * weight first: q. */
#define DEFINE_FORMS(id, first, term, other_term, naive_first, last, differentiated)                         \
    static const struct elementwise id##_whole = {.formula = first "grad * " term,                           \
                                                  .form = {first "grad * " other_term,                       \
                                                           first "grad * " last " * z",                      \
                                                           first "q = grad * z; " differentiated},           \
                                                  .naive = naive_first "grad * " last " * z",                \
                                                  .open_zero = true},                                        \
                                    id##_mean = {.formula = first "grad / count * " term,                    \
                                                 .form = {first "1 / count * " other_term " * grad",         \
                                                          first "grad * " last " * z / count",               \
                                                          first "q = grad / count * z; " differentiated},    \
                                                 .naive = naive_first "grad * " last " * z / count",         \
                                                 .open_zero = true};

#define ELEMENTS(row_, ...)                                                                                  \
    {                                                                                                        \
        .outputs = 1, .dtypes = ELEMENTWISE_FLOATS, .elementwise = true, ELEMENTWISE_BY_FORMULA,             \
        .accept = elementwise_accept_formula, .row = &row_, LOSS_ANY_REDUCTION, __VA_ARGS__                  \
    }
#define COUNT                                                                                                \
    {                                                                                                        \
        "count", OPERAND_READ                                                                                \
    }
/* `operands_` is a list in parentheses, which LIST removes. */
#define LIST(...) __VA_ARGS__
#define FORMS(id, operands_, ...)                                                                            \
    static const struct loss_forms id = {                                                                    \
        {[LOSS_NONE] = ELEMENTS(id##_whole, .operands = {LIST operands_}, __VA_ARGS__),                      \
         [LOSS_SUM] = ELEMENTS(id##_whole, .operands = {LIST operands_}, __VA_ARGS__),                       \
         [LOSS_MEAN] = ELEMENTS(id##_mean, .operands = {LIST operands_, COUNT}, __VA_ARGS__),                \
         [LOSS_BATCHMEAN] = ELEMENTS(id##_mean, .operands = {LIST operands_, COUNT}, __VA_ARGS__)}};

#define GRAD                                                                                                 \
    {                                                                                                        \
        "grad_output", OPERAND_READ                                                                          \
    }

DEFINE(mse, "", "(2 * (x - y))")
FORMS(mse, (GRAD, PAIR), .name = "mse_loss_backward", PLAIN)
DEFINE_OPEN(l1, "d = x - y; ", "(d > 0 ? 1 : d < 0 ? -1 : 0)")
FORMS(l1, (GRAD, PAIR), .name = "l1_loss_backward", PLAIN)
/* ATen multiplies by grad before it divides by beta. */
#define SMOOTH(low, high, within) "(d < -beta ? " low " : d > beta ? " high " : beta == 0 ? 0 : " within ")"
#define SMOOTH_SLOPE              SMOOTH("-1", "1", "d / beta")
static const struct elementwise smooth_whole = {.formula = "d = x - y; grad * " SMOOTH_SLOPE,
                                                .form = {"d = x - y; " SMOOTH("-grad", "grad",
                                                                              "d * grad / beta")},
                                                .open_zero = true,
                                                .open_nan = true},
                                smooth_mean = {.formula = "d = x - y; grad / count * " SMOOTH_SLOPE,
                                               .form = {"d = x - y; 1 / count * " SMOOTH_SLOPE " * grad",
                                                        "d = x - y; q = 1 / count; " SMOOTH(
                                                            "-q * grad", "q * grad", "q * d * grad / beta")},
                                               .open_zero = true,
                                               .open_nan = true};
FORMS(smooth, (GRAD, PAIR), .name = "smooth_l1_loss_backward", WITH("beta"))
DEFINE(huber, "d = x - y; ", "(d < -delta ? -delta : d > delta ? delta : d)")
FORMS(huber, (GRAD, PAIR), .name = "huber_loss_backward", WITH("delta"))
static const struct elementwise kl_whole = {.formula = "grad * -y",
                                            .also = {"y > 0 ? grad * -y : 0"},
                                            .open_zero = true},
                                kl_mean = {.formula = "grad / count * -y",
                                           .form = {"1 / count * -y * grad"},
                                           .also = {"y > 0 ? grad / count * -y : 0"},
                                           .open_zero = true};
FORMS(kl, (GRAD, PAIR), .name = "kl_div_backward", BY_BOOL)
DEFINE(log_kl, "", "(-exp(y))")
FORMS(log_kl, (GRAD, PAIR), .name = "kl_div_backward", BY_BOOL)
/* Programs that multiply by grad first, as PyTorch does, lose other digits where grad is subnormal. */
#define BCE_WIDTH "max((1 - x) * x, 0.000000000001)"
/* The derivative of the documented formula. Automatic differentiation multiplies grad_output by the weight
 * first (q) and has a term for each logarithm; q and q·y may be subnormal. Where q may exceed 128² and terms
 * overflow, the other order loses as much. The factors are clamped so that no product overflows in the
 * comparison. */
#define BCE_DOCUMENTED(grad)                                                                                 \
    "a = " grad "; b = a * max(min(z, 1), -1); c = max(min(a, 1), -1) * z; q = a * z; "                      \
    "max(abs(b), abs(c)) < 128 ? q * (1 - y) / (1 - x) - q * y / x : "                                       \
    "a * (z * ((1 - y) / (1 - x) - y / x))"
static const struct elementwise bce_whole = {.formula = "grad * (z * ((x - y) / " BCE_WIDTH "))",
                                             .form = {"grad * (x - y) / " BCE_WIDTH " * z"},
                                             .naive = "grad * (x - y) / " BCE_WIDTH " * z",
                                             .documented = BCE_DOCUMENTED("grad"),
                                             .open_zero = true},
                                bce_mean = {.formula = "grad / count * (z * ((x - y) / " BCE_WIDTH "))",
                                            .form = {"1 / count * (z * ((x - y) / " BCE_WIDTH ")) * grad",
                                                     "grad * (x - y) / " BCE_WIDTH " * z / count"},
                                            .naive = "grad * (x - y) / " BCE_WIDTH " * z / count",
                                            .documented = BCE_DOCUMENTED("grad / count"),
                                            .open_zero = true};
FORMS(bce, (GRAD, WEIGHED), .name = "binary_cross_entropy_backward", PLAIN)
DEFINE_FORMS(logits, "e = exp(-abs(x)); s = (x < 0 ? e : 1) / (1 + e); c = (x < 0 ? 1 : e) / (1 + e); ",
             "(z * ((1 - y) * s - pos_weight * y * c))",
             "(z * ((pos_weight * y + 1 - y) * s - pos_weight * y))", "s = 1 / (1 + exp(-x)); ",
             "((pos_weight * y + 1 - y) * s - pos_weight * y)",
             "pos_weight == 1 ? q * s - q * y : q * ((pos_weight * y + 1 - y) * s - pos_weight * y)")
FORMS(logits, (GRAD, LOGITS), .name = "binary_cross_entropy_with_logits_backward", PLAIN)

static const struct op ops[] = {
    {LOSS_OP("mse_loss_backward", .forms = &mse), .operands = {GRAD, PAIR}, PLAIN, LOSS_REDUCTION},
    {LOSS_OP("l1_loss_backward", .forms = &l1), .operands = {GRAD, PAIR}, PLAIN, LOSS_REDUCTION},
    {LOSS_OP("smooth_l1_loss_backward", .forms = &smooth, .not_negative = "beta"), .operands = {GRAD, PAIR},
     WITH("beta"), LOSS_REDUCTION},
    {LOSS_OP("huber_loss_backward", .forms = &huber, .positive = "delta"), .operands = {GRAD, PAIR},
     WITH("delta"), LOSS_REDUCTION},
    {LOSS_OP("kl_div_backward", .forms = &kl, .flag = "log_target", .flagged = &log_kl),
     .operands = {GRAD, PAIR}, BY_BOOL, LOSS_ANY_REDUCTION},
    {LOSS_OP("binary_cross_entropy_backward", .forms = &bce), .operands = {GRAD, WEIGHED}, PLAIN,
     LOSS_REDUCTION},
    {LOSS_OP("binary_cross_entropy_with_logits_backward", .forms = &logits), .operands = {GRAD, LOGITS},
     PLAIN, LOSS_REDUCTION},
};

const struct op_set op_set_loss_gradients = {.op = ops, .count = sizeof ops / sizeof *ops};
