/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_FORMULA_EXPRESSION_ADJOINT_H
#define ASSAY_REFERENCE_FORMULA_EXPRESSION_ADJOINT_H

/* Backwards through an expression: what each operation's error does to the result. A sweep collects, lane by
 * lane, |derivative|·error of all nodes that err, in columns of the workspace's sink; sums over the row have
 * collected those of their terms before, once for the whole row. */

#include "reference/formula/expression_bound.h"

enum gathered {
    GATHER_BOUND,   /* a column for each kind: allowances included */
    GATHER_CLASSES, /* a column for each class */
    GATHER_SPREAD   /* the root of Σ (value·derivative)²; then D for each width of the accumulator */
};

struct sweep {
    struct expression_workspace *w;
    const struct expression_row *row;
    const struct expression_kinds *kinds;
    const struct primitive_errors *widest; /* the first of them */
    enum gathered what;
    int columns;
    const double *u; /* of GATHER_SPREAD: of each width */
    bool row_may_overflow;
};

static inline double *sweep_sink(const struct sweep *s, int column)
{
    return s->w->sink + (size_t)column * EXPRESSION_BLOCK;
}

/* Of a pass, whose result or term is `target`: no sink has anything, and the target's own derivative lies
 * between low and high. */
void sweep_start(const struct sweep *s, int pass, int target, double low, double high, size_t count);
void sweep_elements(const struct sweep *s, int pass, size_t count); /* a pass' nodes, last to first */
void sweep_row(const struct sweep *s, size_t count);                /* then the nodes of the row */

/* Forward over the row, with the errors of all its sums (expression_reductions.c). False when out of memory.
 */
bool sweep_prepare(struct sweep *s);

#endif
