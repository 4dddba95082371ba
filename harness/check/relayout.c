/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/check/probe.h"

#include <math.h>
#include <string.h>

/* Returns the element of its storage at which a view begins. */
static int64_t first_element(enum relayout how)
{
    return how == RELAYOUT_STEPPED ? 3 : how == RELAYOUT_TRANSPOSED ? 1 : 0;
}

/* Makes a view of a tensor of this shape in a new storage full of filler. */
static struct view lay(struct program *program, enum dtype dtype, const struct shape *shape,
                       enum relayout how, bool repeat)
{
    struct view view = view_contiguous(0, dtype, shape);
    int rank = shape->rank;
    int64_t elements = 1;
    view.offset = first_element(how);
    if (how == RELAYOUT_TRANSPOSED && rank >= 2) {
        view.stride[rank - 2] = 1;
        view.stride[rank - 1] = shape->dim[rank - 2];
    }
    for (int d = 0; d < rank; d++) {
        view.stride[d] = how == RELAYOUT_STEPPED ? 2 * view.stride[d] : d == 0 && repeat ? 0 : view.stride[d];
        elements = count_product(elements, shape->dim[d] > 0 ? shape->dim[d] : 1);
    }
    int64_t room = view.offset + (how == RELAYOUT_STEPPED ? 2 * elements : elements) + view.offset;
    view.storage = program_storage(program, (size_t)count_product(room, (int64_t)dtype_info(dtype)->size));
    return view;
}

/* Moves every element one place on, the last to the front; or makes each a NaN. */
static void change(struct tensor *tensor, enum relayout how)
{
    size_t size = dtype_info(tensor->dtype)->size, bytes = tensor_bytes(tensor);
    const struct dtype_info *info = dtype_info(tensor->dtype);
    unsigned char last[16];
    if (how == RELAYOUT_ROLLED && bytes > size) {
        memcpy(last, tensor->data + bytes - size, size);
        memmove(tensor->data + size, tensor->data, bytes - size);
        memcpy(tensor->data, last, size);
    }
    for (size_t at = 0; how == RELAYOUT_NAN && dtype_is_floating(tensor->dtype) && at < bytes;
         at += dtype_info(info->component)->size) {
        dtype_store(info->component, tensor->data + at, NAN);
    }
}

/* Makes one operand of the new call. Returns false if that is impossible. */
static bool relayout_input(struct program *to, const struct program *from, int i, enum relayout how,
                           struct view *view)
{
    const struct step *step = &from->step[0];
    const struct view *old = &step->input[i];
    struct shape shape = old->shape;
    struct tensor tensor = {.data = NULL};
    *view = *old;
    if (old->storage < 0) {
        return true;
    }
    bool indices = op_is_indices(step->op, step->inputs, i);
    bool repeat = how == RELAYOUT_EXPANDED && !indices && !op_mutates(step->op, step->inputs, i) &&
                  shape.rank > 0 && shape.dim[0] > 1;
    const struct shape *leading = &step->input[op_leading_input(step->op)].shape;
    if (how == RELAYOUT_EMPTY && shape.rank > 0 && shape.rank == leading->rank &&
        shape.dim[0] == leading->dim[0]) {
        shape.dim[0] = 0;
    }
    *view = lay(to, old->dtype, &shape, how, repeat);
    if (view->storage < 0 || !tensor_gather(&tensor, old, from->storage[old->storage].data)) {
        return false;
    }
    if (!indices) {
        change(&tensor, how);
    }
    program_define(to, view);
    tensor.shape = shape;
    tensor_scatter(&tensor, view, to->storage[view->storage].data);
    tensor_destroy(&tensor);
    return true;
}

/* Returns true if the call differs from the original one; a new layout of strides may not. */
static bool differs(const struct program *from, const struct program *to, enum relayout how)
{
    const struct step *a = &from->step[0], *b = &to->step[0];
    bool other =
        how == RELAYOUT_CONTIGUOUS || how == RELAYOUT_NAN || how == RELAYOUT_ROLLED || how == RELAYOUT_EMPTY;
    for (int i = 0; i < a->inputs && !other; i++) {
        other = a->input[i].storage >= 0 && shape_elements(&a->input[i].shape) > 1 &&
                memcmp(a->input[i].stride, b->input[i].stride, sizeof a->input[i].stride) != 0;
    }
    return other;
}

struct program *relayout(const struct program *from, enum relayout how, const struct attributes *attributes)
{
    const struct step *step = &from->step[0];
    struct program *to = program_create();
    struct view input[OPERANDS_MAX];
    bool good = to != NULL;
    for (int i = 0; good && i < step->inputs; i++) {
        good = relayout_input(to, from, i, how, &input[i]);
    }
    if (good &&
        program_step(to, step->op, attributes ? attributes : &step->attributes, step->inputs, input) &&
        to->step[0].expect == EXPECT_VALUE && differs(from, to, how)) {
        return to;
    }
    if (to) {
        program_destroy(&to);
    }
    return NULL;
}
