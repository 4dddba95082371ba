/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_SELECTION_OPERATOR_NAMES_H
#define ASSAY_HARNESS_SELECTION_OPERATOR_NAMES_H

/* Names of operators as users write them: assay's own, PyTorch's functions and modules ("torch.mean",
 * "aten::logdet", "nn.LayerNorm", "F.gelu"), and names of operators that assay does not have. */

#include "reference/operator/op.h"

/* Returns the operator that the word names. NULL with the reason and what comes nearest, by spelling or by
 * meaning: "lstm: not in this version; nearest: linear, sigmoid, tanh". */
const struct op *operator_named(const char *word, struct error *error);

/* Writes by what name PyTorch's documentation has the operator: "torch.nn.functional.gelu". */
void operator_documented(const struct op *op, char *text, size_t size);

#endif
