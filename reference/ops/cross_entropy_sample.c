/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* A sample of cross_entropy as a row of the row kit, what its attributes say. */

#include "reference/class_loss.h"
#include "reference/ops/cross_entropy_bound.h"

#define PICK  "c = row_max(count); t = row_max(grad); w = row_max(pos_weight); r = row_max(x); "
#define SAFE  PICK "m = log(sum(exp(x - r))); c == 0 ? 0 : "
#define PLAIN PICK "m = log(sum(exp(x))); c == 0 ? 0 : "
#define TRUE                                                                                                 \
    PICK "m = log1p(sum(x == r ? 0 : exp(x - r)) + (sum(x == r ? 1 : 0) - 1)); "                             \
         "c == 0 ? 0 : abs(r) == inf ? nan : "
#define TARGET       "w * (m - (t - r))"
#define TARGET_NAIVE "w * (m - t)"
#define SMOOTH(a, b) "(1 - label_smoothing) * (" a ") + (label_smoothing / n) * sum(" b ")"
#define ALL          "z * (m - (x - r))"
#define ALL_NAIVE    "z * (m - x)"
#define OWN          .name = "cross_entropy", .outputs = 1, .dtypes = ELEMENTWISE_FLOATS
#define SAMPLE(...)                                                                                          \
    OWN, ROWWISE_BY_FORMULA,                                                                                 \
        .operands = {{"input", OPERAND_READ},                                                                \
                     {"grad_output", OPERAND_READ},                                                          \
                     {"weight", OPERAND_READ},                                                               \
                     {"pos_weight", OPERAND_READ},                                                           \
                     {"count", OPERAND_READ}},                                                               \
        .attributes = {{"dim", ATTRIBUTE_INTEGERS}, {"label_smoothing", ATTRIBUTE_REAL}},                    \
        ROWWISE_ROW(.rescales = true, __VA_ARGS__)
static const struct op samples[2] = {
    {SAMPLE(.formula = SAFE TARGET, .naive = PLAIN TARGET_NAIVE, .truth = TRUE TARGET)},
    {SAMPLE(.formula = SAFE SMOOTH(TARGET, ALL), .naive = PLAIN SMOOTH(TARGET_NAIVE, ALL_NAIVE),
            .truth = TRUE SMOOTH(TARGET, ALL))}};

double cross_entropy_smoothing(const struct attributes *attributes)
{
    return attributes_real(attributes, "label_smoothing", 0);
}

const struct op *cross_entropy_sample(const struct attributes *attributes)
{
    return &samples[cross_entropy_smoothing(attributes) > 0];
}

enum loss_reduction cross_entropy_reduction(const struct attributes *attributes)
{
    return (enum loss_reduction)attributes_integer(attributes, "reduction", LOSS_MEAN);
}

bool cross_entropy_signature(const struct op *op, const struct op_operands *operands,
                             struct op_signature *out, struct error *reason)
{
    const double e = cross_entropy_smoothing(operands->attributes);
    return class_loss_signature(op, operands, out, reason) &&
           ((e >= 0 && e <= 1) || error_set(reason, "%s: label_smoothing must lie in [0, 1]", op->name));
}
