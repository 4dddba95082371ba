/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/ops/elementwise/elementwise_views.h"

bool elementwise_is_gradient(const struct op *op)
{
    return op_input_named(op, "grad_output") == 0;
}

static enum elementwise_views views_of(const struct op *op)
{
    return op->row ? op->row->views : VIEWS_OPERANDS;
}

bool elementwise_given(const struct op_call *call, int operand)
{
    return operand < call->inputs && !tensor_absent(&call->input[operand]);
}

int elementwise_numbers(const struct op *op)
{
    int operands = op_inputs_max(op);
    operands -= op_written_input(op) == operands - 1 && operands > 1; /* `out` is not read */
    return views_of(op) != VIEWS_HALVES  ? operands
           : elementwise_is_gradient(op) ? operands + 2
                                         : operands + 1;
}

/* Returns the dimension that is halved; −1 if `dim` is out of range. */
static int halved(const struct attributes *attributes, int rank)
{
    int64_t dim = attributes_integer(attributes, "dim", -1);
    return dim < -rank || dim >= rank ? -1 : (int)(dim < 0 ? dim + rank : dim);
}

/* Returns the number of contiguous elements that share one index of dimension d. */
static int64_t inner(const struct shape *shape, int d)
{
    int64_t count = 1;
    for (int k = d + 1; k < shape->rank; k++) {
        count *= shape->dim[k];
    }
    return count;
}

/* Returns the element of the whole that is element i of one half along d. */
static int64_t in_half(const struct shape *whole, int d, int64_t i, int half)
{
    int64_t run = inner(whole, d) * (whole->dim[d] / 2);
    return i / run * 2 * run + half * run + i % run;
}

static void halves(const struct op_call *call, int64_t i, struct elementwise_place *place)
{
    const int last = call->inputs - 1;
    const struct shape *whole = &call->input[last].shape;
    const int d = halved(call->attributes, whole->rank);
    const int64_t run = inner(whole, d) * (whole->dim[d] / 2);
    int half = 0, k = 0;
    if (elementwise_is_gradient(call->op)) {
        half = (int)(i / run % 2);
        i = i / (2 * run) * run + i % run;
        place[k++] = (struct elementwise_place){.operand = 0, .element = i};
    }
    place[k++] = (struct elementwise_place){.operand = last, .element = in_half(whole, d, i, 0)};
    place[k++] = (struct elementwise_place){.operand = last, .element = in_half(whole, d, i, 1)};
    if (elementwise_is_gradient(call->op)) {
        place[k] = (struct elementwise_place){.operand = -1, .constant = half};
    }
}

void elementwise_places(const struct op_call *call, const struct shape *shape, int64_t i,
                        struct elementwise_place *place)
{
    if (views_of(call->op) == VIEWS_HALVES) {
        halves(call, i, place);
        return;
    }
    for (int k = 0; k < elementwise_numbers(call->op); k++) {
        if (!elementwise_given(call, k)) {
            place[k] = (struct elementwise_place){.operand = -1};
            continue;
        }
        const struct shape *own = &call->input[k].shape;
        place[k] = (struct elementwise_place){.operand = k};
        if (views_of(call->op) == VIEWS_CHANNELS) {
            bool channels = k == call->inputs - 1;
            bool several = channels && shape_elements(own) > 1;
            place[k].element = several ? i / inner(shape, 1) % shape->dim[1] : channels ? 0 : i;
        } else {
            place[k].element = shape_broadcast_element(own, shape, i);
        }
    }
}

/* --- shapes */

static bool refuse(const struct op *op, const struct op_operands *operands, int k, const char *what,
                   struct error *reason)
{
    char shape[SHAPE_TEXT];
    shape_print(&operands->input[k].shape, shape, sizeof shape);
    return error_set(reason, "%s: %s of shape %s %s", op->name, op_operand_name(op, operands->inputs, k),
                     shape, what);
}

static bool channels_fit(const struct op *op, const struct op_operands *operands, struct shape *shape,
                         struct error *reason)
{
    const int last = operands->inputs - 1;
    const struct shape *input = &operands->input[last - 1].shape, *weight = &operands->input[last].shape;
    int64_t channels = input->rank > 1 ? input->dim[1] : 1;
    *shape = *input;
    if (weight->rank > 1) {
        return refuse(op, operands, last, "is neither a scalar nor of one dimension", reason);
    }
    if (shape_elements(weight) != 1 && (input->rank == 0 || shape_elements(weight) != channels)) {
        return refuse(op, operands, last, "has not one number for each channel", reason);
    }
    return true;
}

static bool halves_fit(const struct op *op, const struct op_operands *operands, struct shape *shape,
                       struct error *reason)
{
    const int last = operands->inputs - 1;
    const struct shape *whole = &operands->input[last].shape;
    int d = halved(operands->attributes, whole->rank);
    *shape = *whole;
    if (d < 0) {
        return refuse(op, operands, last, "has no such dimension", reason);
    }
    if (whole->dim[d] % 2 != 0) {
        return refuse(op, operands, last, "has no halves along it", reason);
    }
    shape->dim[d] /= 2;
    return true;
}

bool elementwise_views_shape(const struct op *op, const struct op_operands *operands, struct shape *shape,
                             struct error *reason)
{
    const bool gradient = elementwise_is_gradient(op);
    bool fit = views_of(op) == VIEWS_HALVES ? halves_fit(op, operands, shape, reason)
                                            : channels_fit(op, operands, shape, reason);
    if (fit && gradient && !shape_equal(&operands->input[0].shape, shape)) {
        return refuse(op, operands, 0, "is not of the forward's result", reason);
    }
    if (fit && gradient) {
        *shape = operands->input[1].shape;
    }
    return fit;
}
