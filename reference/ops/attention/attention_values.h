/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_ATTENTION_ATTENTION_VALUES_H
#define ASSAY_REFERENCE_OPS_ATTENTION_ATTENTION_VALUES_H

/* The values of one batch of attention, and the sensitivities that all results of a row begin with. */

#include "reference/ops/attention/attention_scores.h"

struct attention_values {
    int64_t matrix;          /* the matrix below; < 0: none */
    double *original;        /* M × Dv: its elements */
    double *value;           /* M × (Dv + 1): its finite elements, else 0, and a column of ones */
    bool special, subnormal; /* an element is not finite; one is subnormal */
};

/* Returns false when out of memory; the values must be cleared in either case. */
bool attention_values_create(struct attention_values *v, const struct attention *a);
void attention_values_clear(struct attention_values *v);

/* Loads the values of a batch from their tensor, unless they are loaded. */
void attention_values_load(struct attention_values *v, const struct attention *a, const struct tensor *tensor,
                           int64_t batch);

/* Fills the ATTENTION_COMMON sensitivities of a result of this row. */
void attention_common(const struct attention *a, const struct attention_row *row, double *sensitivity);

#endif
