/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_FORMULA_EXPRESSION_WORKSPACE_H
#define ASSAY_REFERENCE_FORMULA_EXPRESSION_WORKSPACE_H

/* Room for one block of every node, column after column: nodes of the row have their number in all lanes. All
 * workspaces of a thread share one room: what stands in the columns stays until another one claims it, so
 * that each question begins with workspace_claim and asks no other workspace. A workspace is used in the
 * thread that made it. */

#include "reference/formula/expression_double_intervals.h"

struct expression_workspace {
    const struct expression *e;
    /* EXPRESSION_BLOCK numbers of each node: tier 1; what the operation gives of legal arguments; the same
     * with its own error; the derivative of what is swept for. `error`: under each of EXPRESSION_KINDS. */
    double *value, *radius, *low, *high, *least, *most, *down, *up, *error;
    unsigned char *escaped; /* whether it, or what it is made of, may leave the range */
    /* Of reductions over the row: Σ|terms|; what the errors of terms add up to, EXPRESSION_CLASSES numbers of
     * each node; its derivatives by nodes of the row, a row of numbers for each node. */
    double *absolute, *total, *slope_low, *slope_high;
    double *sink; /* EXPRESSION_CLASSES columns of a block */
    int pass; /* tier 1 holds this many elements of this pass, of the operands that stand in its columns */
    size_t held;
};

/* Has the thread's room from now on; what stood there of another workspace is gone. */
void workspace_claim(struct expression_workspace *w);

/* Room of this thread for the n terms of a sum, until the next sum; NULL when out of memory. */
double *workspace_terms(int64_t n);

static inline struct balls workspace_balls(const struct expression_workspace *w, int node)
{
    size_t at = (size_t)node * EXPRESSION_BLOCK;
    return (struct balls){w->value + at, w->radius + at};
}

/* --- tier 1 */

/* Nodes of a pass at `count` elements from `first` on; nothing where they are there already. */
void workspace_evaluate(struct expression_workspace *w, const struct expression_row *row, int pass,
                        int64_t first, size_t count);
/* A node of the row, from those before it, in all lanes. */
void workspace_evaluate_row(struct expression_workspace *w, const struct expression_row *row, int node);

/* Elements of the block that starts at `first`. */
static inline size_t workspace_block(const struct expression_row *row, int64_t first)
{
    return row->n - first < EXPRESSION_BLOCK ? (size_t)(row->n - first) : EXPRESSION_BLOCK;
}

/* Lanes in which a node of the row stands: as many as any block of the row has, and one. */
static inline size_t workspace_lanes(const struct expression_row *row)
{
    return row->n > 0 ? workspace_block(row, 0) : 1;
}

#endif
