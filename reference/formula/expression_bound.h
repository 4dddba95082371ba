/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_FORMULA_EXPRESSION_BOUND_H
#define ASSAY_REFERENCE_FORMULA_EXPRESSION_BOUND_H

/* Forward pass over an expression: for each node the interval of the values that it may have in a legal
 * program, and the errors of its operation. expression_adjoint.h combines them to bounds. */

#include "reference/formula/expression_intervals.h"
#include "reference/formula/expression_workspace.h"

enum { NODE_CLASSES_MAX = 4 };

/* Fills `list` with the classes of the node's own error and returns how many there are. */
int bound_classes(const struct expression *expression, int node,
                  enum expression_class list[NODE_CLASSES_MAX]);

/* True if any kind allows errors of this class. */
static inline bool bound_allows(const struct expression_kinds *kinds, enum expression_class class)
{
    bool any = false;
    for (int j = 0; j < kinds->kinds; j++) {
        any = any || kinds->of[j].of[class] > 0;
    }
    return any;
}

/* Fills `weight` with the quantity that the class multiplies at this node, lane by lane. */
void bound_weigh(const struct expression_workspace *w, const struct expression_row *row,
                 const struct primitive_errors *widest, int node, enum expression_class class, double *weight,
                 size_t count);

/* Returns a size of |x| beyond which exp(x) and exp2(x) leave the whole range of the type, subnormals
 * included. */
double bound_exp_range(enum dtype type);

/* Below this size of a float64 result, products of adjoints and errors could underflow. */
#define BOUND_FAR_OFF 0x1p-900

/* Returns a factor that covers the roundings of a whole sweep: (64 + 8·nodes) units of 2^-52. */
static inline double bound_slack(const struct expression *e)
{
    return 1 + (64 + 8 * (double)e->nodes) * 0x1p-52;
}

/* The parts of bound_forward. bound_operand: handles a leaf, which has no rounding error of its own, and
 * returns true if the node is one. bound_exactly: the interval of the operation on legal arguments, without
 * its own error. bound_inherit: adds the `escaped` flags of the arguments to the node's. */
bool bound_operand(struct expression_workspace *w, int node, size_t count);
void bound_exactly(struct expression_workspace *w, const struct primitive_errors *widest, int node,
                   size_t count);
void bound_inherit(struct expression_workspace *w, int node, size_t count);

/* Computes intervals, errors and the `escaped` flag of a node that is no reduction, from its arguments. */
void bound_forward(struct expression_workspace *w, const struct expression_row *row,
                   const struct expression_kinds *kinds, int node, size_t count);

/* bound_is_alone: true if the expression is a single operation on operands, so the result has no error but
 * that of the operation, and no intermediate can leave the range before it. bound_alone: fills the interval
 * and the errors of that operation as bound_forward does. */
bool bound_is_alone(const struct expression *expression);
void bound_alone(struct expression_workspace *w, const struct expression_row *row,
                 const struct expression_kinds *kinds, size_t count);
/* Computes the bounds of a single-operation expression at `count` elements from `first` on, in a few passes
 * (expression_single_operation.c). Returns false where that is impossible; `bound` is then unspecified. */
bool bound_alone_plainly(const struct expression_workspace *w, const struct expression_row *row,
                         const struct expression_kinds *kinds, int64_t first, size_t count,
                         double *const *bound);
/* Fills the errors of the node under each kind, and widens its interval by the greatest of them. */
void bound_widen(struct expression_workspace *w, const struct expression_row *row,
                 const struct expression_kinds *kinds, int node, size_t count);

/* Returns the column of a node's own error under one kind. */
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

/* Bounds where intermediates leave the range (expression_range.c). bound_by_range considers `count` elements
 * from `first` on and replaces, under one kind, the bounds of those that lie far beyond the range and the
 * infinite bounds; a bound stays where the result may be NaN. It returns true if all elements lie far beyond
 * the range and have a bound now. bound_all_far returns true if all elements lie that far beyond. */
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
