/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The loss operator class: the element-wise or row-wise operator that a call is lowered to, and the lowered
 * call, with every operand present and all of one shape where rows are reduced. */

#include "reference/ops/loss/loss.h"

#include <math.h>
#include <string.h>

static enum loss_reduction reduction_of(const struct attributes *attributes)
{
    return (enum loss_reduction)attributes_integer(attributes, "reduction", LOSS_MEAN);
}

static const struct op *stands_for(const struct op *op, const struct attributes *attributes)
{
    const struct loss *loss = op->loss;
    bool flagged = loss->flag && attributes_integer(attributes, loss->flag, 0) != 0;
    return &(flagged ? loss->flagged : loss->forms)->op[reduction_of(attributes)];
}

double loss_count(const struct attributes *attributes, const struct shape *shape)
{
    return reduction_of(attributes) == LOSS_BATCHMEAN ? (shape->rank > 0 ? (double)shape->dim[0] : 1)
                                                      : (double)shape_elements(shape);
}

/* --- shapes */

static bool is_gradient(const struct op *op)
{
    return op_input_named(op, "grad_output") == 0;
}

/* Fills the shape of the results before reduction; returns false if the shapes do not fit. */
static bool whole_shape(const struct op *op, const struct shape *input, const struct shape *target,
                        struct shape *whole)
{
    *whole = *input;
    return op->loss->broadcasts && !is_gradient(op) ? shape_broadcast(input, target, whole)
                                                    : shape_equal(input, target);
}

static bool takes_attributes(const struct op *op, const struct attributes *attributes, struct error *reason)
{
    const struct loss *loss = op->loss;
    const char *name = loss->positive ? loss->positive : loss->not_negative;
    double x = name ? attributes_real(attributes, name, 1) : 1;
    return x > 0 || (x == 0 && !loss->positive) ||
           error_set(reason, "%s: %s must %s", op->name, name,
                     loss->positive ? "be positive" : "not be negative");
}

bool loss_signature(const struct op *op, const struct op_operands *operands, struct op_signature *out,
                    struct error *reason)
{
    const int first = is_gradient(op), inputs = operands->inputs;
    const struct view *x = &operands->input[first], *y = &operands->input[first + 1];
    const bool reduced = reduction_of(operands->attributes) != LOSS_NONE;
    struct shape whole, scalar = {.rank = 0};
    *out = (struct op_signature){.outputs = 1};
    for (int k = 0; k < inputs; k++) {
        const struct view *one = &operands->input[k];
        if (one->storage >= 0 && one->dtype != x->dtype) {
            return error_set(reason, "%s: operands must have one dtype", op->name);
        }
        if (one->storage >= 0 && k > first + 1 && !shape_broadcasts(&one->shape, &x->shape)) {
            return error_set(reason, "%s: %s does not broadcast to the input", op->name,
                             op_operand_name(op, inputs, k));
        }
    }
    if (!(op->dtypes >> x->dtype & 1)) {
        return error_set(reason, "%s: dtype %s is not supported", op->name, dtype_info(x->dtype)->name);
    }
    if (!whole_shape(op, &x->shape, &y->shape, &whole)) {
        return error_set(reason, "%s: the shapes of input and target do not fit", op->name);
    }
    if (first && !shape_equal(&operands->input[0].shape, reduced ? &scalar : &whole)) {
        return error_set(reason, "%s: grad_output has not the shape of the loss", op->name);
    }
    out->output[0].dtype = x->dtype;
    out->output[0].shape = reduced && !first ? scalar : whole;
    return takes_attributes(op, operands->attributes, reason);
}

/* --- calls */

/* Creates a tensor of one number. */
static bool constant(struct tensor *to, double x, const struct shape *shape)
{
    bool good = tensor_create(to, DTYPE_FLOAT64, shape);
    for (int64_t i = 0; good && i < shape_elements(shape); i++) {
        tensor_put(to, i, x);
    }
    return good;
}

static bool repeated(struct tensor *to, const struct tensor *from, const struct shape *shape)
{
    const size_t size = dtype_info(from->dtype)->size;
    bool good = tensor_create(to, from->dtype, shape);
    for (int64_t i = 0; good && i < shape_elements(shape); i++) {
        memcpy(to->data + (size_t)i * size,
               from->data + (size_t)shape_broadcast_element(&from->shape, shape, i) * size, size);
    }
    return good;
}

/* Fills the operands of the lowered call by name: an absent weight is 1, and `count` comes from the shape. */
static bool lower(struct lowered_call *s, const struct op_call *call)
{
    const struct op *op = call->op, *inner = s->call.op;
    const int first = is_gradient(op);
    const struct shape scalar = {.rank = 0};
    struct shape whole;
    bool good = whole_shape(op, &call->input[first].shape, &call->input[first + 1].shape, &whole);
    const struct shape *shape = inner->rowwise ? &whole : &scalar;
    for (int k = 0; good && k < s->call.inputs; k++) {
        int at = op_input_named(op, inner->operands[k].name);
        const struct tensor *from = at >= 0 && at < call->inputs ? &call->input[at] : NULL;
        s->own[k] = true;
        if (!from || tensor_absent(from)) {
            good = constant(&s->input[k], at < 0 ? loss_count(call->attributes, &whole) : 1, shape);
        } else if (inner->rowwise && !shape_equal(&from->shape, &whole)) {
            good = repeated(&s->input[k], from, &whole);
        } else {
            s->input[k] = *from;
            s->own[k] = false;
        }
    }
    return good;
}

const struct lowering loss_lowering = {.op = stands_for, .lower = lower};

/* Fills 0 for a mean over a batch whose samples have no elements; returns true in that case. */
static bool nothing(const struct op_call *call, struct truth *truth)
{
    const struct shape *x = &call->input[0].shape;
    bool none = reduction_of(call->attributes) == LOSS_BATCHMEAN && !is_gradient(call->op) &&
                shape_elements(x) == 0 && x->dim[0] > 0;
    if (none) {
        truth->output[0].value[0] = value_of(0);
    }
    return none;
}

/* Only shapes are needed, so the operands have no data. */
int loss_sensitivities(const struct op_call *call, int output)
{
    const int first = is_gradient(call->op);
    struct tensor input[OPERANDS_MAX] = {{.dtype = call->input[first].dtype}};
    struct op_call inner = *call;
    inner.op = stands_for(call->op, call->attributes);
    inner.inputs = op_inputs_max(inner.op);
    inner.input = input;
    whole_shape(call->op, &call->input[first].shape, &call->input[first + 1].shape, &input[0].shape);
    return inner.op->sensitivities(&inner, output);
}

bool loss_truth(const struct op_call *call, struct truth *truth, struct error *error)
{
    return nothing(call, truth) || lowering_truth(call, truth, error);
}

bool loss_enclose(const struct op_call *call, struct truth *truth, struct error *error)
{
    return nothing(call, truth) || lowering_enclose(call, truth, error);
}
