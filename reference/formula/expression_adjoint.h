/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_FORMULA_EXPRESSION_ADJOINT_H
#define ASSAY_REFERENCE_FORMULA_EXPRESSION_ADJOINT_H

/* Reverse-mode pass over an expression: how the error of each operation changes the result. A sweep
 * accumulates |derivative|·error of all rounded nodes, lane by lane, in columns of the workspace's sink.
 * sweep_prepare runs first and computes these sums for the terms of each reduction, once for the whole row;
 * then each block of results takes sweep_start, sweep_elements and sweep_row. */

#include "reference/formula/expression_bound.h"

enum gathered {
    GATHER_BOUND,   /* a column for each kind, primitive errors included */
    GATHER_CLASSES, /* a column for each class */
    GATHER_SPREAD   /* √Σ (value·derivative)² in column 0; then the drift, a column for each accumulator
                       width */
};

struct sweep {
    struct expression_workspace *w;
    const struct expression_row *row;
    const struct expression_kinds *kinds;
    const struct primitive_errors *widest; /* the first kind */
    enum gathered what;
    int columns;
    const double *u; /* for GATHER_SPREAD: the unit roundoff of each accumulator width */
    bool row_may_overflow;
};

static inline double *sweep_sink(const struct sweep *s, int column)
{
    return s->w->sink + (size_t)column * EXPRESSION_BLOCK;
}

/* Starts a sweep of a pass whose result or term is node `target`: clears the sinks and the adjoints, and sets
 * the target's own derivative to [low, high]. */
void sweep_start(const struct sweep *s, int pass, int target, double low, double high, size_t count);
void sweep_elements(const struct sweep *s, int pass, size_t count); /* nodes of the elements, last to first */
void sweep_row(const struct sweep *s, size_t count);                /* then nodes of the row */

/* Evaluates tier 1, intervals and errors of all nodes of the row, sums included (expression_reductions.c).
 * Returns false when out of memory. */
bool sweep_prepare(struct sweep *s);

#endif
