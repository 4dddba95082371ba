/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/shrink/problem.h"

#include <string.h>

enum { OWN_STORAGE = 1 << 20 }; /* storage numbers from here on are used by no given layout */

void problem_clear(struct problem *problem)
{
    repro_inputs_clear(&problem->inputs);
}

bool problem_copy(struct problem *to, const struct problem *from)
{
    *to = *from;
    memset(to->inputs.input, 0, sizeof to->inputs.input);
    for (int i = 0; i < from->inputs.inputs; i++) {
        if (!tensor_copy(&to->inputs.input[i], &from->inputs.input[i])) {
            problem_clear(to);
            return false;
        }
    }
    return true;
}

struct view problem_view(const struct repro_inputs *inputs, int i)
{
    const struct tensor *tensor = &inputs->input[i];
    const struct repro_layout *layout = &inputs->layout[i];
    if (tensor_absent(tensor)) {
        return (struct view){.storage = -1};
    }
    struct view view =
        view_contiguous(layout->given ? layout->storage : OWN_STORAGE + i, tensor->dtype, &tensor->shape);
    if (layout->given) {
        memcpy(view.stride, layout->stride, sizeof view.stride);
        view.offset = layout->offset;
    }
    return view;
}

/* --- the program */

/* Returns the storage of operand i: that of an earlier operand if they share memory, else a new one. −1: out
 * of memory. */
static int storage_of(const struct repro_inputs *inputs, int i, const struct view *view,
                      struct program *program)
{
    const struct repro_layout *layout = &inputs->layout[i];
    if (!layout->given) {
        int own = program_storage(program, tensor_bytes(&inputs->input[i]));
        if (own >= 0) {
            program->storage[own].origin = layout->origin;
        }
        return own;
    }
    for (int j = 0; j < i; j++) {
        if (view[j].storage >= 0 && inputs->layout[j].given && inputs->layout[j].storage == layout->storage) {
            return view[j].storage;
        }
    }
    int64_t bytes = layout->bytes;
    for (int j = i + 1; j < inputs->inputs; j++) {
        const struct repro_layout *other = &inputs->layout[j];
        bytes =
            other->given && other->storage == layout->storage && other->bytes > bytes ? other->bytes : bytes;
    }
    int storage = program_storage(program, (size_t)bytes);
    if (storage >= 0) {
        program->storage[storage].origin = layout->origin;
    }
    return storage;
}

/* Checks that operands that share memory agree on its contents; otherwise the last one would silently decide.
 */
static bool place_agrees(const struct repro_inputs *inputs, const struct view *view,
                         const struct program *program, struct error *error)
{
    for (int i = 0; i < inputs->inputs; i++) {
        const struct tensor *tensor = &inputs->input[i];
        if (view[i].storage < 0 || !inputs->layout[i].given || inputs->layout[i].filler || !tensor->data) {
            continue;
        }
        struct tensor there;
        if (!tensor_gather(&there, &view[i], program->storage[view[i].storage].data)) {
            return error_set(error, "out of memory for input %d", i);
        }
        bool same = memcmp(there.data, tensor->data, tensor_bytes(tensor)) == 0;
        tensor_destroy(&there);
        if (!same) {
            return error_set(error,
                             "input %d shares memory with another operand, or with itself, and holds other "
                             "numbers in it",
                             i);
        }
    }
    return true;
}

static bool place_all(const struct repro_inputs *inputs, struct view *view, struct program *program,
                      struct error *error)
{
    for (int i = 0; i < inputs->inputs; i++) {
        const struct tensor *tensor = &inputs->input[i];
        view[i] = problem_view(inputs, i);
        if (view[i].storage < 0) {
            continue;
        }
        view[i].storage = storage_of(inputs, i, view, program);
        if (view[i].storage < 0) {
            return error_set(error, "out of memory for input %d", i);
        }
        struct storage *storage = &program->storage[view[i].storage];
        if (!view_in_bounds(&view[i], storage->bytes)) {
            return error_set(error, "input %d lies beyond its memory of %zu bytes", i, storage->bytes);
        }
        if (!inputs->layout[i].filler && tensor->data) {
            program_define(program, &view[i]);
            tensor_scatter(tensor, &view[i], storage->data);
        }
    }
    return place_agrees(inputs, view, program, error);
}

static bool add_step(const struct op *op, const struct attributes *attributes,
                     const struct repro_inputs *inputs, const struct view *view, struct program *program,
                     struct error *error)
{
    struct op_operands operands;
    struct op_signature signature;
    struct tensor value[OPERANDS_MAX];
    bool good = program_operands(program, op, attributes, inputs->inputs, view, value, &operands) &&
                op_signature(op, &operands, &signature, error);
    struct step *step = good ? program_step(program, op, attributes, inputs->inputs, view) : NULL;
    for (int o = 0; good && o < signature.outputs; o++) {
        if (!step || step->output[o].storage < 0) {
            char shape[SHAPE_TEXT];
            shape_print(&signature.output[o].shape, shape, sizeof shape);
            good = error_set(error, "out of memory for output %d, %s", o, shape);
        }
    }
    good = good && (step || error_set(error, "out of memory for the call"));
    if (good) {
        step->exact = inputs->exact;
    }
    for (int i = 0; i < OPERANDS_MAX; i++) {
        tensor_destroy(&value[i]);
    }
    return good;
}

bool problem_place(const struct op *op, const struct attributes *attributes,
                   const struct repro_inputs *inputs, struct program *program, struct error *error)
{
    struct view view[OPERANDS_MAX];
    return place_all(inputs, view, program, error) && add_step(op, attributes, inputs, view, program, error);
}

bool problem_is_taken(const struct problem *problem)
{
    const struct repro_inputs *inputs = &problem->inputs;
    struct view view[OPERANDS_MAX];
    struct tensor value[OPERANDS_MAX];
    struct op_signature signature;
    struct error error;
    memset(value, 0, sizeof value);
    for (int i = 0; i < inputs->inputs; i++) {
        view[i] = problem_view(inputs, i);
        if (op_is_indices(problem->op, problem->inputs.inputs, i)) {
            value[i] = inputs->input[i]; /* borrowed, for looking at only */
        }
    }
    const struct op_operands operands = {
        .attributes = &problem->attributes, .inputs = inputs->inputs, .input = view, .value = value};
    return op_signature(problem->op, &operands, &signature, &error);
}

/* --- from a case */

/* Returns true if any byte of the view is data. */
static bool is_data(const struct storage *storage, const struct view *view)
{
    size_t size = dtype_info(view->dtype)->size;
    int64_t elements = shape_elements(&view->shape);
    for (int64_t i = 0; i < elements; i++) {
        if (storage_defined(storage, (size_t)view_element(view, i) * size)) {
            return true;
        }
    }
    return elements == 0;
}

static bool take_operand(struct problem *problem, const struct program *program, const struct view *view,
                         struct error *error)
{
    int i = problem->inputs.inputs++;
    if (view->storage < 0) {
        return true;
    }
    const struct storage *storage = &program->storage[view->storage];
    struct repro_layout *layout = &problem->inputs.layout[i];
    *layout = (struct repro_layout){.given = true,
                                    .filler = !is_data(storage, view),
                                    .storage = view->storage,
                                    .bytes = (int64_t)storage->bytes,
                                    .offset = view->offset,
                                    .origin = storage->origin};
    memcpy(layout->stride, view->stride, sizeof layout->stride);
    return tensor_gather(&problem->inputs.input[i], view, storage->data) ||
           error_set(error, "out of memory for input %d", i);
}

bool problem_of_program(struct problem *problem, const struct program *program, struct error *error)
{
    *problem = (struct problem){.op = NULL};
    if (program->steps != 1) {
        return error_set(error, "it consists of %d calls, not one", program->steps);
    }
    const struct step *step = &program->step[0];
    if (step->expect == EXPECT_REJECTION) {
        return error_set(error, "its operands must be refused, so there is no truth to compare with");
    }
    problem->op = step->op;
    problem->attributes = step->attributes;
    problem->inputs.exact = step->exact;
    bool good = true;
    for (int i = 0; good && i < step->inputs; i++) {
        good = take_operand(problem, program, &step->input[i], error);
    }
    return good;
}
