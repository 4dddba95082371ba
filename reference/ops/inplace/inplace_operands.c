/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/ops/inplace/inplace_operands.h"

#include <math.h>

bool inplace_memory(const struct op *op, const struct op_operands *operands, struct error *reason)
{
    int target = op_written_input(op);
    const char *name = op_operand_name(op, operands->inputs, target);
    if (operands->inputs <= target || operands->input[target].storage < 0) {
        return error_set(reason, "%s: needs an operand to write to", op->name);
    }
    const struct view *written = &operands->input[target];
    if (view_overlaps_itself(written)) {
        return error_set(reason, "%s: %s refers to the same element more than once; clone it first", op->name,
                         name);
    }
    for (int i = 0; i < operands->inputs; i++) {
        const struct view *operand = &operands->input[i];
        if (i == target || operand->storage < 0) {
            continue;
        }
        if (!shape_broadcasts(&operand->shape, &written->shape)) {
            char wanted[SHAPE_TEXT];
            shape_print(&written->shape, wanted, sizeof wanted);
            return error_set(reason, "%s: input %d (%s) must broadcast to %s, the shape of %s", op->name, i,
                             op_operand_name(op, operands->inputs, i), wanted, name);
        }
        struct view wide = view_broadcast(operand, &written->shape);
        if (view_sharing(written, &wide) == VIEWS_OVERLAP) {
            return error_set(reason,
                             "%s: input %d (%s) shares part of the memory of %s without being the same view; "
                             "clone it first",
                             op->name, i, op_operand_name(op, operands->inputs, i), name);
        }
    }
    return true;
}

bool inplace_signature(const struct op *op, const struct op_operands *operands,
                       struct op_signature *signature, struct error *reason)
{
    const struct view *self = &operands->input[0];
    const char *dtype = dtype_info(self->dtype)->name;
    *signature = (struct op_signature){.outputs = 0};
    if (!(op->dtypes >> self->dtype & 1)) {
        return error_set(reason, "%s: dtype %s is not supported", op->name, dtype);
    }
    double alpha = attributes_real(operands->attributes, "alpha", 1);
    if (!dtype_is_floating(self->dtype) && alpha != floor(alpha)) {
        return error_set(reason, "%s: a floating point result cannot be stored in %s", op->name, dtype);
    }
    for (int i = 1; i < operands->inputs; i++) {
        const struct view *operand = &operands->input[i];
        if (operand->storage >= 0 && operand->dtype != self->dtype) {
            return error_set(reason, "%s: input %d (%s) is %s, %s is %s", op->name, i,
                             op_operand_name(op, operands->inputs, i), dtype_info(operand->dtype)->name,
                             op_operand_name(op, operands->inputs, 0), dtype);
        }
    }
    return inplace_memory(op, operands, reason);
}

bool inplace_quotient_signature(const struct op *op, const struct op_operands *operands,
                                struct op_signature *signature, struct error *reason)
{
    enum dtype dtype = operands->input[0].dtype;
    *signature = (struct op_signature){.outputs = 0};
    return dtype_is_floating(dtype) ? inplace_signature(op, operands, signature, reason)
                                    : error_set(reason, "%s: a quotient cannot be stored in %s", op->name,
                                                dtype_info(dtype)->name);
}

bool inplace_given(const struct op_call *call, int operand)
{
    return operand < call->inputs &&
           (call->input[operand].data || shape_elements(&call->input[operand].shape) == 0);
}

const unsigned char *inplace_bytes(const struct op_call *call, int operand, const struct shape *shape,
                                   int64_t i)
{
    const struct tensor *tensor = &call->input[operand];
    return tensor->data +
           (size_t)shape_broadcast_element(&tensor->shape, shape, i) * dtype_info(tensor->dtype)->size;
}

double inplace_real(const struct op_call *call, int operand, const struct shape *shape, int64_t i)
{
    return dtype_load(call->input[operand].dtype, inplace_bytes(call, operand, shape, i));
}

int64_t inplace_integer(const struct op_call *call, int operand, const struct shape *shape, int64_t i)
{
    return dtype_load_integer(call->input[operand].dtype, inplace_bytes(call, operand, shape, i));
}

struct value inplace_wrapped(enum dtype dtype, uint64_t x)
{
    unsigned char bytes[8];
    dtype_store_bits(dtype, bytes, x);
    return value_of_integer(dtype_load_integer(dtype, bytes));
}
