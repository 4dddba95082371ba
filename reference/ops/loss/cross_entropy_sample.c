/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* One sample of cross_entropy as a row-wise reduction, its attributes, and the check of operands. */

#include "reference/numeric/elementary/elementary.h"
#include "reference/ops/loss/class_loss.h"
#include "reference/ops/loss/cross_entropy_bound.h"

#include <math.h>

#define PICK  "c = row_max(count); t = row_max(grad); w = row_max(pos_weight); "
#define EVERY "c = row_max(count); "
#define SAFE  "r = row_max(x); m = log(sum(exp(x - r))); c == 0 ? 0 : "
#define PLAIN "m = log(sum(exp(x))); c == 0 ? 0 : "
#define TRUE                                                                                                 \
    "r = row_max(x); m = log1p(sum(x == r ? 0 : exp(x - r)) + (sum(x == r ? 1 : 0) - 1)); "                  \
    "c == 0 ? 0 : abs(r) == inf ? nan : "
#define TARGET       "w * (m - (t - r))"
#define TARGET_NAIVE "w * (m - t)"
#define SMOOTH(a, b) "(1 - label_smoothing) * (" a ") + (label_smoothing / n) * sum(" b ")"
#define ALL          "z * (m - (x - r))"
#define ALL_NAIVE    "z * (m - x)"
/* For probabilities: the share of a class times its surprise. Formulas for bounds are used for finite truths
 * only, where 0 times anything is 0; the truth has 0 times infinity. */
#define SHARES(b)        "sum(y == 0 ? 0 : z == 0 ? 0 : z * y * (" b "))"
#define SHARES_TRUE(b)   "sum(z * y * (" b "))"
#define SMOOTHED(b)      "sum(z == 0 ? 0 : " SHARE_SMOOTHED " * (" b "))"
#define SMOOTHED_TRUE(b) "sum(" SHARE_SMOOTHED " * (" b "))"
#define SHARE_SMOOTHED   "z * ((1 - label_smoothing) * y + label_smoothing / n)"
#define SURPRISE         "m - (x - r)"
#define SURPRISE_NAIVE   "m - x"
#define OWN              .name = "cross_entropy", .outputs = 1, .dtypes = ELEMENTWISE_FLOATS
#define SAMPLE(second, ...)                                                                                  \
    OWN, ROWWISE_BY_FORMULA,                                                                                 \
        .operands = {{"input", OPERAND_READ},                                                                \
                     {second, OPERAND_READ},                                                                 \
                     {"weight", OPERAND_READ},                                                               \
                     {"pos_weight", OPERAND_READ},                                                           \
                     {"count", OPERAND_READ}},                                                               \
        .attributes = {{"dim", ATTRIBUTE_INTEGERS}, {"label_smoothing", ATTRIBUTE_REAL}},                    \
        ROWWISE_ROW(.rescales = true, __VA_ARGS__)
#define FORMS(second, pick, of, of_naive, of_true)                                                           \
    {                                                                                                        \
        SAMPLE(second, .formula = pick SAFE of, .naive = pick PLAIN of_naive, .truth = pick TRUE of_true)    \
    }
static const struct op samples[2][2] = {
    {FORMS("grad_output", PICK, TARGET, TARGET_NAIVE, TARGET),
     FORMS("grad_output", PICK, SMOOTH(TARGET, ALL), SMOOTH(TARGET_NAIVE, ALL_NAIVE), SMOOTH(TARGET, ALL))},
    {FORMS("target", EVERY, SHARES(SURPRISE), SHARES(SURPRISE_NAIVE), SHARES_TRUE(SURPRISE)),
     FORMS("target", EVERY, SMOOTHED(SURPRISE), SMOOTHED(SURPRISE_NAIVE), SMOOTHED_TRUE(SURPRISE))}};

double cross_entropy_smoothing(const struct attributes *attributes)
{
    return attributes_real(attributes, "label_smoothing", 0);
}

const struct op *cross_entropy_sample(const struct attributes *attributes, bool probable)
{
    return &samples[probable][cross_entropy_smoothing(attributes) > 0];
}

void cross_entropy_terms(const double *row, int64_t classes, const struct attributes *attributes,
                         double *term)
{
    const double e = cross_entropy_smoothing(attributes), *x = row, *y = row + classes,
                 *z = row + 2 * classes;
    double greatest = -INFINITY, sum = 0, radius;
    for (int64_t c = 0; c < classes; c++) {
        greatest = x[c] > greatest ? x[c] : greatest;
    }
    for (int64_t c = 0; c < classes; c++) {
        const double d = x[c] - greatest;
        double power;
        elementary_exp(&d, &power, &radius, 1);
        sum += power;
    }
    elementary_log(&sum, &sum, &radius, 1);
    for (int64_t c = 0; c < classes; c++) {
        term[c] = z[c] * ((1 - e) * y[c] + e / (double)classes) * (sum - (x[c] - greatest));
    }
}

enum loss_reduction cross_entropy_reduction(const struct attributes *attributes)
{
    return (enum loss_reduction)attributes_integer(attributes, "reduction", LOSS_MEAN);
}

/* Checks probabilities: targets of the input's shape and dtype; none of them can be ignored. */
static bool probabilities_fit(const struct op *op, const struct op_operands *operands,
                              struct op_signature *out, struct error *reason)
{
    struct op_operands classes = *operands;
    struct view input[OPERANDS_MAX];
    const int at = op_input_named(op, "target");
    const struct view *x = &operands->input[at - 1], *y = x + 1;
    struct shape others;
    class_loss_classes(&x->shape, &others);
    for (int k = 0; k < operands->inputs; k++) {
        input[k] = operands->input[k];
    }
    input[at].dtype = DTYPE_INT64; /* the rest is checked as for class indices, whose values are not read */
    input[at].shape = others;
    classes.input = input;
    classes.value = NULL;
    if (y->dtype != x->dtype || !shape_equal(&y->shape, &x->shape)) {
        return error_set(reason, "%s: probabilities have the input's shape and dtype", op->name);
    }
    if (class_loss_ignored(operands->attributes) >= 0) {
        return error_set(reason, "%s: no probabilities are ignored", op->name);
    }
    return class_loss_signature(op, &classes, out, reason);
}

bool cross_entropy_signature(const struct op *op, const struct op_operands *operands,
                             struct op_signature *out, struct error *reason)
{
    const double e = cross_entropy_smoothing(operands->attributes);
    const bool probable = dtype_is_floating(operands->input[op_input_named(op, "target")].dtype);
    return (probable ? probabilities_fit : class_loss_signature)(op, operands, out, reason) &&
           ((e >= 0 && e <= 1) || error_set(reason, "%s: label_smoothing must lie in [0, 1]", op->name));
}
