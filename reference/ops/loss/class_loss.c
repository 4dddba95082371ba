/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/ops/loss/class_loss.h"

#include "reference/ops/loss/loss.h"

#include <inttypes.h>

int64_t class_loss_classes(const struct shape *input, struct shape *others)
{
    const int at = input->rank > 1;
    *others = (struct shape){.rank = 0};
    for (int d = 0; d < input->rank; d++) {
        if (d != at) {
            others->dim[others->rank++] = input->dim[d];
        }
    }
    return input->rank > 0 ? input->dim[at] : 0;
}

struct class_loss_lay class_loss_lay(const struct shape *input)
{
    struct shape others;
    struct class_loss_lay lay = {.classes = class_loss_classes(input, &others), .inner = 1};
    lay.samples = shape_elements(&others);
    for (int d = 1; d < others.rank; d++) {
        lay.inner *= others.dim[d];
    }
    return lay;
}

int64_t class_loss_target(const struct tensor *target, int64_t i)
{
    return dtype_load_integer(target->dtype, target->data + (size_t)i * dtype_info(target->dtype)->size);
}

int64_t class_loss_ignored(const struct attributes *attributes)
{
    return attributes_integer(attributes, "ignore_index", -100);
}

static bool targets_fit(const struct op *op, const struct op_operands *operands, int at, int64_t classes,
                        struct error *reason)
{
    const struct tensor *target = operands->value ? &operands->value[at] : NULL;
    for (int64_t i = 0; target && target->data && i < shape_elements(&target->shape); i++) {
        int64_t t = class_loss_target(target, i);
        if (t != class_loss_ignored(operands->attributes) && (t < 0 || t >= classes)) {
            return error_set(reason, "%s: target %" PRId64 " is not in [0, %" PRId64 ")", op->name, t,
                             classes);
        }
    }
    return true;
}

bool class_loss_signature(const struct op *op, const struct op_operands *operands, struct op_signature *out,
                          struct error *reason)
{
    const int first = op_input_named(op, "grad_output") == 0;
    const struct view *x = &operands->input[first], *target = x + 1;
    const struct view *weight = operands->inputs > first + 2 ? x + 2 : NULL;
    const bool reduced = attributes_integer(operands->attributes, "reduction", LOSS_MEAN) != LOSS_NONE;
    struct shape others, scalar = {.rank = 0};
    const int64_t classes = class_loss_classes(&x->shape, &others);
    *out = (struct op_signature){.outputs = 1};
    if (!(op->dtypes >> x->dtype & 1) || target->dtype != DTYPE_INT64) {
        return error_set(reason, "%s: input is floating, target int64", op->name);
    }
    if (x->shape.rank == 0 || !shape_equal(&target->shape, &others)) {
        return error_set(reason, "%s: target has the input's shape without the classes", op->name);
    }
    if (weight && weight->storage >= 0 &&
        (weight->dtype != x->dtype || weight->shape.rank != 1 || weight->shape.dim[0] != classes)) {
        return error_set(reason, "%s: weight is one number for each class, of the input's dtype", op->name);
    }
    if (first && (operands->input[0].dtype != x->dtype ||
                  !shape_equal(&operands->input[0].shape, reduced ? &scalar : &others))) {
        return error_set(reason, "%s: grad_output has not the shape of the loss", op->name);
    }
    out->output[0].dtype = x->dtype;
    out->output[0].shape = first ? x->shape : reduced ? scalar : others;
    return targets_fit(op, operands, first + 1, classes, reason);
}
