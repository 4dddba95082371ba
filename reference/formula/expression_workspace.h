/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_FORMULA_EXPRESSION_WORKSPACE_H
#define ASSAY_REFERENCE_FORMULA_EXPRESSION_WORKSPACE_H

/* Columns for one block of every node; a node of the row has its number in all lanes. All workspaces of a
 * thread share one memory: columns stay valid only until another workspace claims it, so every public
 * function begins with workspace_claim and calls no other workspace meanwhile. A workspace is used only in
 * the thread that made it. */

#include "reference/formula/expression_double_intervals.h"

struct expression_workspace {
    const struct expression *e;
    /* EXPRESSION_BLOCK numbers for each node. value, radius: tier 1. low, high: the operation on legal
     * arguments. least, most: the same with the operation's own error. down, up: the adjoint, that is the
     * derivative of the target of the sweep. error: the node's own error under each of EXPRESSION_KINDS. */
    double *value, *radius, *low, *high, *least, *most, *down, *up, *error;
    unsigned char *escaped; /* the node, or one that it depends on, may leave the range */
    /* For reductions over the row. absolute: Σ|terms|. total: the accumulated errors of the terms,
     * EXPRESSION_CLASSES numbers for each node. slope_low, slope_high: derivatives by nodes of the row, a row
     * of numbers for each node. */
    double *absolute, *total, *slope_low, *slope_high;
    double *sink; /* EXPRESSION_CLASSES columns of a block */
    int pass;     /* the pass whose tier 1 is in the columns, for `held` elements and the operands there */
    size_t held;
};

/* Takes the thread's shared memory; columns of the workspace that had it before are lost. */
void workspace_claim(struct expression_workspace *w);

/* Returns this thread's buffer for the n terms of a sum, valid until the next call; NULL when out of
 * memory. */
double *workspace_terms(int64_t n);

static inline struct balls workspace_balls(const struct expression_workspace *w, int node)
{
    size_t at = (size_t)node * EXPRESSION_BLOCK;
    return (struct balls){w->value + at, w->radius + at};
}

/* --- tier 1 */

/* Evaluates the nodes of a pass at `count` elements from `first` on, unless the columns already hold them. */
void workspace_evaluate(struct expression_workspace *w, const struct expression_row *row, int pass,
                        int64_t first, size_t count);
/* Evaluates a node of the row from the nodes before it, and copies the result to all lanes. */
void workspace_evaluate_row(struct expression_workspace *w, const struct expression_row *row, int node);

/* Returns the number of elements of the block that starts at `first`. */
static inline size_t workspace_block(const struct expression_row *row, int64_t first)
{
    return row->n - first < EXPRESSION_BLOCK ? (size_t)(row->n - first) : EXPRESSION_BLOCK;
}

/* Returns the number of lanes that hold a node of the row: the size of the row's first block, at least
 * one. */
static inline size_t workspace_lanes(const struct expression_row *row)
{
    return row->n > 0 ? workspace_block(row, 0) : 1;
}

#endif
