/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_ELEMENTWISE_ELEMENTWISE_WORKSPACE_H
#define ASSAY_REFERENCE_OPS_ELEMENTWISE_ELEMENTWISE_WORKSPACE_H

/* The per-thread cache of an element-wise row that has a formula: its forms, each parsed once with a
 * workspace, and the operands of consecutive elements in the layout that a formula takes. */

#include "reference/formula/expression.h"
#include "reference/operator/bound_batch.h"
#include "reference/ops/elementwise/elementwise.h"

enum elementwise_form {
    FORM_SAFE,
    FORM_OTHER, /* the first of row->form; the next ones follow */
    FORM_NAIVE = FORM_OTHER + ELEMENTWISE_FORMS_MOST,
    FORM_DOCUMENTED,
    FORM_ALSO, /* the first of row->also; the next ones follow */
    FORM_PARTIAL = FORM_ALSO + ELEMENTWISE_ALSO_MOST,
    FORM_BEYOND,
    FORM_ROUNDS,
    ELEMENTWISE_FORMS
};
enum { ELEMENTWISE_INPUTS = ELEMENTWISE_OPERANDS + ATTRIBUTES_MAX };

/* Returns this thread's workspace for a form of the row; NULL if the row has no such form, or when out of
 * memory. */
struct expression_workspace *elementwise_workspace(const struct op *op, const struct elementwise *row,
                                                   enum elementwise_form form);
/* Returns the parsed formula of a form whose workspace has been created. */
const struct expression *elementwise_expression(const struct elementwise *row, enum elementwise_form form);

struct elementwise_arguments {
    const double *input[ELEMENTWISE_INPUTS];
    double operand[ELEMENTWISE_OPERANDS][BATCH_MAX], attribute[ATTRIBUTES_MAX];
    struct expression_row row;
};

/* Fills `a` from `operands`, which holds the numbers of each element side by side: `count` ≤ BATCH_MAX
 * elements. An operator of one operand takes any count, and `a` then points to `operands`. */
void elementwise_take(const struct op *op, const struct attributes *given, enum dtype dtype,
                      const double *operands, int64_t count, struct elementwise_arguments *a);

/* elementwise_take for `count` elements of the query's truth, and the primitive errors that its profile
 * allows. */
void elementwise_from_truth(const struct bound_query *query, int64_t first, int count,
                            struct elementwise_arguments *a);
struct primitive_errors elementwise_primitive_errors(const struct bound_query *query);
/* Widens the bounds of a gradient where its products, in any order, may be flushed on the way; elements whose
 * grad exceeds a few times the least normal number stay as they are. */
void elementwise_allow_flushed(const struct bound_query *query,
                               const struct primitive_errors *primitive_errors, int64_t first, int count,
                               double *bound);

/* Returns an upper bound of the size of an intermediate of the row, which the form `which` computes; infinite
 * where it is unknown. */
double elementwise_most(const struct bound_query *query, const struct elementwise *row,
                        enum elementwise_form which);

/* Widens the bounds of a row that has `beyond` where that intermediate is so near the end of the range that
 * it may leave it or not. */
void elementwise_bind_beyond(const struct bound_query *query, const struct elementwise *row, int64_t first,
                             int count, double *bound);

/* --- x ± factor·y (elementwise_factor.c) */

/* Returns the factor of the call; 1 if there is none. */
double elementwise_factor(const struct bound_query *query);

/* elementwise_bind_product: fills infinite bounds of a scaled sum, whose product may leave the range.
 * elementwise_accept_product: accepts an infinite result where the product may be infinite. */
void elementwise_bind_product(const struct bound_query *query, int64_t first, int count, double *bound);
void elementwise_accept_product(const struct bound_query *query, struct accept *accept);

#endif
