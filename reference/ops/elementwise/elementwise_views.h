/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_ELEMENTWISE_ELEMENTWISE_VIEWS_H
#define ASSAY_REFERENCE_OPS_ELEMENTWISE_ELEMENTWISE_VIEWS_H

/* Rows of the element-wise kit whose numbers are not one of each operand at the result's own place
 * (struct elementwise, `views`), and the shapes that go with them.
 *
 *   VIEWS_OPERANDS   one number of each operand, broadcast
 *   VIEWS_CHANNELS   the last operand has one number, or one for each channel: index of dimension 1 of the
 *                    input, whose shape the result has. Without a dimension 1 there is one channel; an input
 *                    of no dimension takes one number alone. Scalar or 1-D (torch.nn.functional.prelu).
 *   VIEWS_HALVES     the last operand's halves along `dim` (an attribute; −1 where it is left out), x and y,
 *                    of the result's shape. Of a gradient the result has the whole's shape, grad_output a
 *                    half's, and a fourth number, `half`, is 0 where x's gradient is asked and 1 where y's.
 *                    An odd extent is refused, and an input of no dimension (torch.nn.functional.glu). */

#include "reference/ops/elementwise/elementwise.h"

/* How many numbers a formula of the operator takes: one of each operand that is read. */
int elementwise_numbers(const struct op *op);

/* Whether an operand that a call may leave out is there. */
bool elementwise_given(const struct op_call *call, int operand);

/* Where number k of an element comes from; operand −1: `constant` is the number itself. */
struct elementwise_place {
    int operand;
    int64_t element;
    double constant;
};

/* Those of element i of the result, elementwise_numbers of them. */
void elementwise_places(const struct op_call *call, const struct shape *shape, int64_t i,
                        struct elementwise_place *place);

/* The result's shape; false with the reason where the operands' do not fit. Not for VIEWS_OPERANDS. */
bool elementwise_views_shape(const struct op *op, const struct op_operands *operands, struct shape *shape,
                             struct error *reason);

#endif
