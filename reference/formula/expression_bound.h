/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_FORMULA_EXPRESSION_BOUND_H
#define ASSAY_REFERENCE_FORMULA_EXPRESSION_BOUND_H

/* Forward through an expression: what legal intermediates may be, and what each operation may err by. */

#include "reference/formula/expression_intervals.h"
#include "reference/formula/expression_workspace.h"

enum { NODE_CLASSES_MAX = 4 };

/* The classes that a node's own error has; how many. */
int bound_classes(const struct expression *expression, int node,
                  enum expression_class list[NODE_CLASSES_MAX]);

/* Whether any kind allows errors of a class. */
static inline bool bound_allows(const struct expression_kinds *kinds, enum expression_class class)
{
    bool any = false;
    for (int j = 0; j < kinds->kinds; j++) {
        any = any || kinds->of[j].of[class] > 0;
    }
    return any;
}

/* What the node is measured by in one class, lane by lane. */
void bound_weigh(const struct expression_workspace *w, const struct expression_row *row,
                 const struct primitive_errors *widest, int node, enum expression_class class,
                 double *weight, size_t count);

/* exp(x) and exp2(x) of a type leave its whole range, subnormals included, where |x| is greater. */
double bound_exp_range(enum dtype type);

/* So small in float64 that products of adjoints and errors would be lost. */
#define BOUND_FAR_OFF 0x1p-900

/* What all the roundings of a sweep may add. */
static inline double bound_slack(const struct expression *e)
{
    return 1 + (64 + 8 * (double)e->nodes) * 0x1p-52;
}

/* Its parts: an operand that is what it is (whether the node is one); what the operation gives of legal
 * arguments, without its own error; what `escaped` says of arguments, on top of what it says of the node. */
bool bound_operand(struct expression_workspace *w, int node, size_t count);
void bound_exactly(struct expression_workspace *w, const struct primitive_errors *widest, int node,
                   size_t count);
void bound_inherit(struct expression_workspace *w, int node, size_t count);

/* A node that is no reduction, from its arguments. */
void bound_forward(struct expression_workspace *w, const struct expression_row *row,
                   const struct expression_kinds *kinds, int node, size_t count);

/* An expression of one operation, on operands: its own error is all that its result has, and nothing is there
 * that could leave the range before it. bound_alone: what that operation gives, and its errors, as
 * bound_forward finds them. */
bool bound_is_alone(const struct expression *expression);
void bound_alone(struct expression_workspace *w, const struct expression_row *row,
                 const struct expression_kinds *kinds, size_t count);
/* The limits of such a one at `count` elements from `first` on (expression_single_operation.c); false, and `bound` may
 * be anything there, where that takes more than a few passes. */
bool bound_alone_plainly(const struct expression_workspace *w, const struct expression_row *row,
                         const struct expression_kinds *kinds, int64_t first, size_t count,
                         double *const *bound);
/* Its own error, the greatest of the kinds', on top of what it gives of its arguments. */
void bound_widen(struct expression_workspace *w, const struct expression_row *row,
                 const struct expression_kinds *kinds, int node, size_t count);

/* A node's own error under one kind, lane by lane. */
static inline double *bound_error(const struct expression_workspace *w, int kind, int node)
{
    return w->error + ((size_t)kind * (size_t)w->e->nodes + (size_t)node) * EXPRESSION_BLOCK;
}

static inline struct intervals bound_plain(const struct expression_workspace *w, int node)
{
    size_t at = (size_t)node * EXPRESSION_BLOCK;
    return (struct intervals){w->low + at, w->high + at};
}

static inline struct intervals bound_wide(const struct expression_workspace *w, int node)
{
    size_t at = (size_t)node * EXPRESSION_BLOCK;
    return (struct intervals){w->least + at, w->most + at};
}

static inline struct intervals bound_adjoint(const struct expression_workspace *w, int node)
{
    size_t at = (size_t)node * EXPRESSION_BLOCK;
    return (struct intervals){w->down + at, w->up + at};
}

/* Where intermediates leave the range (expression_range.c): a limit under one of the kinds, from what legal
 * programs may give all the same, infinities among it, of `count` elements from `first` on that are far
 * beyond the range, and of those whose `bound` is infinite; nothing where that may be NaN or anything. The
 * first says whether all are far beyond and have a limit now, the second whether all are that far. */
bool bound_by_range(struct expression_workspace *w, const struct expression_row *row,
                    const struct expression_kinds *kinds, int kind, int64_t first, size_t count,
                    double *bound);
bool bound_all_far(struct expression_workspace *w, const struct expression_row *row,
                   const struct expression_kinds *kinds, int64_t first, size_t count);

static inline bool bound_arguments_err(const struct expression *e, int node)
{
    bool err = false;
    for (int k = 0; k < 3 && e->node[node].arg[k] >= 0; k++) {
        err = err || e->node[e->node[node].arg[k]].errs;
    }
    return err;
}

#endif
