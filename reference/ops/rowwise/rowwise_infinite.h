/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_ROWWISE_ROWWISE_INFINITE_H
#define ASSAY_REFERENCE_OPS_ROWWISE_ROWWISE_INFINITE_H

/* What rounding may make of a row's infinite results; for rowwise_formula.c. */

#include "reference/ops/rowwise/rowwise_workspace.h"

/* A row: its operands one after the other, `terms` numbers of each; not owned. maps: as many results. */
struct rowwise_terms {
    const struct op_call *call;
    struct expression_workspace *limits;
    const double *operands;
    int64_t terms;
    bool maps;
    enum dtype dtype;
};

/* Of a row with an infinity, whether what is finite may overflow against it: with 0 in place of what is no
 * number an intermediate may leave the range of the dtype. True for want of memory. */
bool rowwise_meets_infinity(const struct rowwise_terms *row);

/* Of element t of a gradient's row beside an infinite grad_output: its slope, which the result is with 1 in that
 * place, may be so small that it is rounded to 0 first, and 0 times infinity is NaN; or rounding may turn its
 * sign. OPEN for want of memory. */
enum rowwise_slope { SLOPE_CERTAIN, SLOPE_VANISHES, SLOPE_OPEN };
enum rowwise_slope rowwise_slope_of(const struct rowwise_terms *row, int64_t t);

#endif
