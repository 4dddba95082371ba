/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_LINALG_LAYER_H
#define ASSAY_SUITES_LINALG_LAYER_H

/* Calls of linear_backward for the plan of sizes. */

#include "suites/shared/rows.h"

/* Makes random operands grad_output, input and weight [n, k] in these layouts, and appends the step. Returns
 * NULL on a fault. */
struct step *layer_make(struct builder *b, const struct shape *grad, const struct shape *x, int64_t n,
                        int64_t k, const enum layout layout[3], struct view input[3]);

#endif
