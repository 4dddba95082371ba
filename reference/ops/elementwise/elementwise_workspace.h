/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_ELEMENTWISE_ELEMENTWISE_WORKSPACE_H
#define ASSAY_REFERENCE_OPS_ELEMENTWISE_ELEMENTWISE_WORKSPACE_H

/* What a thread has of a row of the element-wise kit that is a formula: its forms, parsed once, and the
 * operands of consecutive elements as they take them. */

#include "reference/ops/elementwise/elementwise.h"
#include "reference/formula/expression.h"
#include "reference/operator/bound_batch.h"

enum elementwise_form {
    FORM_SAFE,
    FORM_OTHER, /* the first of those that the row lists */
    FORM_NAIVE = FORM_OTHER + ELEMENTWISE_FORMS_MOST,
    FORM_DOCUMENTED,
    FORM_ALSO, /* likewise */
    FORM_PARTIAL = FORM_ALSO + ELEMENTWISE_ALSO_MOST,
    FORM_BEYOND,
    FORM_ROUNDS,
    ELEMENTWISE_FORMS
};
enum { ELEMENTWISE_INPUTS = ELEMENTWISE_OPERANDS + ATTRIBUTES_MAX };

/* Where a formula of the row is worked out, this thread's; NULL where there is none such, or no memory. */
struct expression_workspace *elementwise_workspace(const struct op *op, const struct elementwise *row,
                                                   enum elementwise_form form);
/* That formula, once there is its workspace. */
const struct expression *elementwise_expression(const struct elementwise *row, enum elementwise_form form);

struct elementwise_arguments {
    const double *input[ELEMENTWISE_INPUTS];
    double operand[ELEMENTWISE_OPERANDS][BATCH_MAX], attribute[ATTRIBUTES_MAX];
    struct expression_row row;
};

/* Of `operands`, those of an element beside one another: `count` ≤ BATCH_MAX elements, or any number of an
 * operator of one operand, which stay where they are. */
void elementwise_take(const struct op *op, const struct attributes *given, enum dtype dtype,
                      const double *operands, int64_t count, struct elementwise_arguments *a);

/* The same of a query's truth, and what its profile allows. */
void elementwise_from_truth(const struct bound_query *query, int64_t first, int count,
                            struct elementwise_arguments *a);
struct primitive_errors elementwise_primitive_errors(const struct bound_query *query);
/* What the limits of a gradient want where its products, which may be formed in any order, are flushed on the
 * way: nothing where grad is larger than a few of the least normal numbers. */
void elementwise_allow_flushed(const struct bound_query *query,
                               const struct primitive_errors *primitive_errors, int64_t first, int count,
                               double *bound);

/* The most that an intermediate of the row may be, in size: a formula that stands for it; infinite where it
 * is unknown. */
double elementwise_most(const struct bound_query *query, const struct elementwise *row,
                        enum elementwise_form which);

/* Widens the limits of a row that has `beyond` where that may leave the range and may not. */
void elementwise_bind_beyond(const struct bound_query *query, const struct elementwise *row, int64_t first,
                             int count, double *bound);

/* --- x ± factor·y (elementwise_factor.c) */

/* The factor that the row is scaled by; 1: it is none. */
double elementwise_factor(const struct bound_query *query);

/* Limits where the product leaves the range; and an infinite product, where it may be one. */
void elementwise_bind_product(const struct bound_query *query, int64_t first, int count, double *bound);
void elementwise_accept_product(const struct bound_query *query, struct accept *accept);

#endif
