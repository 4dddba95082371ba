/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_FORMULA_EXPRESSION_ARBITER_H
#define ASSAY_REFERENCE_FORMULA_EXPRESSION_ARBITER_H

/* The nodes of an expression in intervals of one precision, and which elements are exactly 0. */

#include "reference/formula/expression_nodes.h"

#include <mpfi.h>

/* Those of the row, and those of the element in hand. */
struct arbiter {
    const struct expression *e;
    const struct expression_row *row;
    mpfr_prec_t precision;
    mpfi_t *node;
    int64_t turn, *done; /* the element in hand by a number of its own; of each node, for which it is there */
    bool *nan; /* of each node: an operand's NaN makes it one, which an interval alone does not tell */
};

/* The number of an operand, or of an attribute. */
static inline double arbiter_given(const struct arbiter *w, const struct node *node, int64_t element)
{
    return w->row->input[node->input][node->of_row ? 0 : element];
}

/* All nodes of the row at this precision. False when out of memory; the caller closes in either case. */
bool arbiter_open(struct arbiter *w, const struct expression *e, const struct expression_row *row,
                  mpfr_prec_t precision);
void arbiter_close(struct arbiter *w);

/* The result of an element, which lies in the arbiter until the next one is asked. */
mpfi_srcptr arbiter_result(struct arbiter *w, int64_t element);

/* Node `target` of an element, with what it takes. */
void arbiter_enclose(struct arbiter *w, int target, int64_t element);

/* Whether the result of an element (of a formula with one result for the row: of the row) is 0. False where
 * it is another number, where it is made of other functions than exact_form.h has, and without memory. */
bool arbiter_is_zero(struct arbiter *w, int64_t element);

#endif
