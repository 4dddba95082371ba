/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_ELEMENTWISE_ELEMENTWISE_VIEWS_H
#define ASSAY_REFERENCE_OPS_ELEMENTWISE_ELEMENTWISE_VIEWS_H

/* Where the numbers of an element come from (struct elementwise, `views`), for element-wise rows that take
 * other numbers than one of each operand at the result's own place, and the shapes that go with them.
 *
 *   VIEWS_OPERANDS   one number of each operand, broadcast
 *   VIEWS_CHANNELS   the last operand is a scalar or 1-D and has one number, or one for each channel, which
 *                    is the index of dimension 1 of the input (torch.nn.functional.prelu). The result has the
 *                    input's shape. Without a dimension 1 there is one channel; an input without dimensions
 *                    takes one number only.
 *   VIEWS_HALVES     x and y are the halves of the last operand along the attribute `dim` (default −1); the
 *                    result has the shape of a half (torch.nn.functional.glu). The result of a gradient has
 *                    the shape of the whole and grad_output that of a half; a fourth number, `half`, is 0
 *                    where the gradient of x is computed and 1 where that of y is. An odd extent and an input
 *                    without dimensions are refused. */

#include "reference/ops/elementwise/elementwise.h"

/* Returns how many numbers a formula of the operator takes: one for each operand that is read, and with
 * VIEWS_HALVES one or two more. */
int elementwise_numbers(const struct op *op);

/* True if an optional operand is present in the call. */
bool elementwise_given(const struct op_call *call, int operand);

/* Where one number of an element comes from; with operand −1 the number is `constant`. */
struct elementwise_place {
    int operand;
    int64_t element;
    double constant;
};

/* Fills place[] for the elementwise_numbers(op) numbers of element i of the result. */
void elementwise_places(const struct op_call *call, const struct shape *shape, int64_t i,
                        struct elementwise_place *place);

/* Fills the result's shape; returns false with the reason if the operands' shapes do not fit. Not for
 * VIEWS_OPERANDS. */
bool elementwise_views_shape(const struct op *op, const struct op_operands *operands, struct shape *shape,
                             struct error *reason);

#endif
