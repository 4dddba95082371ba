/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_LOSS_LOSSES_H
#define ASSAY_REFERENCE_OPS_LOSS_LOSSES_H

/* Macros that declare losses of input and target and their gradients: operands, attributes and defaults. */

#include "reference/ops/loss/loss.h"

#define PAIR                                                                                                 \
    {"input", OPERAND_READ},                                                                                 \
    {                                                                                                        \
        "target", OPERAND_READ                                                                               \
    }
#define WEIGHED                                                                                              \
    PAIR,                                                                                                    \
    {                                                                                                        \
        "weight", OPERAND_OPTIONAL                                                                           \
    }
#define LOGITS                                                                                               \
    WEIGHED,                                                                                                 \
    {                                                                                                        \
        "pos_weight", OPERAND_OPTIONAL                                                                       \
    }
#define REDUCTION                                                                                            \
    {                                                                                                        \
        "reduction", ATTRIBUTE_CHOICE                                                                        \
    }
#define BY_MEAN                                                                                              \
    {                                                                                                        \
        "reduction", DEFAULT_VALUE, LOSS_MEAN                                                                \
    }
#define PLAIN .attributes = {REDUCTION}, .defaults = {BY_MEAN}
#define WITH(name_)                                                                                          \
    .attributes = {REDUCTION, {name_, ATTRIBUTE_REAL}}, .defaults = {BY_MEAN, {name_, DEFAULT_VALUE, 1}}
#define BY_BOOL                                                                                              \
    .attributes = {REDUCTION, {"log_target", ATTRIBUTE_BOOL}},                                               \
    .defaults = {BY_MEAN, {"log_target", DEFAULT_VALUE, 0}}

#endif
