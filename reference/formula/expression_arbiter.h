/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_FORMULA_EXPRESSION_ARBITER_H
#define ASSAY_REFERENCE_FORMULA_EXPRESSION_ARBITER_H

/* Evaluates the nodes of an expression in MPFI intervals of one precision, and decides which elements are
 * exactly 0. arbiter_open evaluates the nodes of the row; then each element is evaluated on request. */

#include "reference/formula/expression_nodes.h"

#include <mpfi.h>

/* Holds the intervals of the nodes of the row and those of the current element. */
struct arbiter {
    const struct expression *e;
    const struct expression_row *row;
    mpfr_prec_t precision;
    mpfi_t *node;
    int64_t turn, *done; /* number of the current element's evaluation, and for each node the number of the
                            one that it holds */
    bool *nan;           /* for each node: it is NaN, which its interval alone does not show */
};

/* Returns the operand's number at this element, or the number of a row operand or attribute. */
static inline double arbiter_given(const struct arbiter *w, const struct node *node, int64_t element)
{
    return w->row->input[node->input][node->of_row ? 0 : element];
}

/* Evaluates all nodes of the row at this precision. Returns false when out of memory; the caller closes the
 * arbiter in either case. */
bool arbiter_open(struct arbiter *w, const struct expression *e, const struct expression_row *row,
                  mpfr_prec_t precision);
void arbiter_close(struct arbiter *w);

/* Returns the result of an element. The arbiter owns it, and the next evaluation overwrites it. */
mpfi_srcptr arbiter_result(struct arbiter *w, int64_t element);

/* Evaluates node `target` of an element and the arguments that it needs. */
void arbiter_enclose(struct arbiter *w, int target, int64_t element);

/* True if the result of an element is exactly 0; `element` is ignored where the row has one result. Returns
 * false if the result is another number, if its functions are beyond exact_form.h, or when out of memory. */
bool arbiter_is_zero(struct arbiter *w, int64_t element);

#endif
