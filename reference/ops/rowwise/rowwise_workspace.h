/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_ROWWISE_ROWWISE_WORKSPACE_H
#define ASSAY_REFERENCE_OPS_ROWWISE_ROWWISE_WORKSPACE_H

/* What a thread has of a row of the row kit that is a formula: its forms, parsed once, and the limits of the
 * last maps that it was asked about. */

#include "reference/formula/expression.h"
#include "reference/ops/rowwise/rowwise.h"

enum rowwise_form { ROWWISE_SAFE, ROWWISE_OTHER, ROWWISE_NAIVE, ROWWISE_TRUTH, ROWWISE_FORMS };
enum { ROWWISE_INPUTS = ROWWISE_OPERANDS + ATTRIBUTES_MAX };

/* Where a formula of the operator is worked out, this thread's; NULL where there is none such, or no memory.
 */
struct expression_workspace *rowwise_workspace(const struct op *op, enum rowwise_form form);

/* What a formula takes of one row. */
struct rowwise_arguments {
    const double *input[ROWWISE_INPUTS];
    double attribute[ATTRIBUTES_MAX];
    struct expression_row row;
};

/* Of `operands`, `terms` numbers of each operand of the operator, one operand behind the other. */
void rowwise_take(const struct op *op, const struct attributes *given, enum dtype dtype,
                  const double *operands, int64_t terms, struct rowwise_arguments *a);

/* Limits of all elements of a map, by what they depend on. */
struct rowwise_kept {
    const struct op *op;
    enum rowwise_form form;
    double digest; /* of the operands, their shape and the attributes */
    struct primitive_errors primitive_errors;
    bool deviates; /* what rounded running means err by is in them */
    int64_t elements;
    double *bound; /* NULL: nothing yet */
};

/* That of an equal key, or the oldest one with the key in its place and room for its elements, *known false;
 * NULL when out of memory. */
struct rowwise_kept *rowwise_keep(const struct rowwise_kept *key, bool *known);
void rowwise_forget(struct rowwise_kept *kept);

/* The last row of a map that single elements were certified of: all of it. */
struct rowwise_certified {
    const struct op *op;
    double digest;
    int64_t row;
    bool special;        /* an operand of the row is no number */
    int bits;            /* what was certified */
    struct value *value; /* NULL: nothing yet */
};

/* Room of this thread; NULL when out of memory. */
struct rowwise_certified *rowwise_certified_row(void);

#endif
