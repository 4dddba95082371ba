/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_ROWWISE_ROWWISE_WORKSPACE_H
#define ASSAY_REFERENCE_OPS_ROWWISE_ROWWISE_WORKSPACE_H

/* The per-thread cache of row-wise operators that have a formula: the forms, each parsed once with a
 * workspace; the bounds of the last maps; and the last certified row of a map. */

#include "reference/formula/expression.h"
#include "reference/ops/rowwise/rowwise.h"

enum rowwise_form { ROWWISE_SAFE, ROWWISE_OTHER, ROWWISE_NAIVE, ROWWISE_TRUTH, ROWWISE_FORMS };
enum { ROWWISE_INPUTS = ROWWISE_OPERANDS + ATTRIBUTES_MAX };

/* Returns this thread's workspace for a form of the operator; NULL if the operator has no such form, or when
 * out of memory. */
struct expression_workspace *rowwise_workspace(const struct op *op, enum rowwise_form form);

/* The arguments that a formula takes for one row. */
struct rowwise_arguments {
    const double *input[ROWWISE_INPUTS];
    double attribute[ATTRIBUTES_MAX];
    struct expression_row row;
};

/* Fills `a` from `operands`: `terms` numbers of each operand, one operand after the other. */
void rowwise_take(const struct op *op, const struct attributes *given, enum dtype dtype,
                  const double *operands, int64_t terms, struct rowwise_arguments *a);

/* Cached bounds of all elements of a map, with the key of what they depend on. */
struct rowwise_kept {
    const struct op *op;
    enum rowwise_form form;
    double digest; /* of operands, shapes and attributes */
    struct primitive_errors primitive_errors;
    bool deviates; /* the bound includes the rounding of running means */
    int64_t elements;
    double *bound; /* NULL: nothing yet */
};

/* Returns the cached bounds with an equal key. If there are none, replaces the oldest entry by the key with
 * room for its elements and sets *known to false. NULL when out of memory. */
struct rowwise_kept *rowwise_keep(const struct rowwise_kept *key, bool *known);
void rowwise_forget(struct rowwise_kept *kept);

/* The last row of a map that was certified for a single element, whole. */
struct rowwise_certified {
    const struct op *op;
    double digest;
    int64_t row;
    bool special;        /* an operand of the row is infinite or NaN */
    int bits;            /* certified bits */
    struct value *value; /* NULL: nothing yet */
};

/* Returns this thread's cached row; NULL when out of memory. */
struct rowwise_certified *rowwise_certified_row(void);

#endif
