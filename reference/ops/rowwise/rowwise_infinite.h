/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_ROWWISE_ROWWISE_INFINITE_H
#define ASSAY_REFERENCE_OPS_ROWWISE_ROWWISE_INFINITE_H

/* Decides how far rounding may change the infinite results of a row; used by rowwise_formula.c only. */

#include "reference/ops/rowwise/rowwise_workspace.h"

/* A row: its operands one after the other, `terms` numbers each; not owned. With `maps` it has `terms`
 * results, else one. */
struct rowwise_terms {
    const struct op_call *call;
    struct expression_workspace *limits;
    const double *operands;
    int64_t terms;
    bool maps;
    enum dtype dtype;
};

/* For a row with an infinite operand: true if an intermediate may overflow when 0 replaces the infinite and
 * NaN operands, so that a finite part may meet the infinity with another one. True when out of memory. */
bool rowwise_meets_infinity(const struct rowwise_terms *row);

/* For element t of a gradient whose grad_output is infinite: the slope is the result with 1 in place of
 * grad_output. SLOPE_VANISHES: it may be rounded to 0, and 0 times infinity is NaN. SLOPE_OPEN: rounding may
 * change its sign; also when out of memory. */
enum rowwise_slope { SLOPE_CERTAIN, SLOPE_VANISHES, SLOPE_OPEN };
enum rowwise_slope rowwise_slope_of(const struct rowwise_terms *row, int64_t t);

#endif
