/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/judge/traversal.h"

#include <string.h>

struct traversal traversal_of(const struct program *program, const struct program_truth *truth,
                              const struct profile *profile, const struct ownership *ownership)
{
    return (struct traversal){
        .program = program, .truth = truth, .declared = profile, .ownership = ownership, .step = -1};
}

/* Sets line and line_stride: how many elements of the trailing dimensions one stride leads through. */
static void find_line(struct traversal *t)
{
    const struct view *view = &t->view;
    int64_t stride = 1;
    t->line = 1;
    for (int d = view->shape.rank - 1; d >= 0; d--) {
        if (view->shape.dim[d] == 1) {
            continue;
        }
        if (t->line > 1 && view->stride[d] != stride * t->line) {
            break;
        }
        stride = t->line > 1 ? stride : view->stride[d];
        t->line *= view->shape.dim[d];
    }
    t->line_stride = (ptrdiff_t)stride * (ptrdiff_t)t->size;
}

/* Advances to the next step that has a truth; false after the last. */
static bool next_step(struct traversal *t)
{
    for (t->step++; t->step < t->program->steps; t->step++) {
        const struct step *step = &t->program->step[t->step];
        t->tensors = program_truth_has(t->truth, t->step) ? step_judged(step, t->tensor) : 0;
        if (t->tensors) {
            t->judged = -1;
            t->good = t->profile = profile_of_operator(t->declared, step->op->name);
            t->good.primitives = PRIMITIVES_OPENCL;
            return true;
        }
    }
    return false;
}

bool traversal_next_tensor(struct traversal *t)
{
    if (t->judged + 1 >= t->tensors && !next_step(t)) {
        return false;
    }
    t->judged++;
    const struct step *step = &t->program->step[t->step];
    t->view = t->tensor[t->judged];
    t->elements = shape_elements(&t->view.shape);
    t->size = dtype_info(t->view.dtype)->size;
    t->query = (struct bound_query){.op = step->op,
                                    .profile = &t->profile,
                                    .attributes = &step->attributes,
                                    .output = t->judged,
                                    .exact = step->exact,
                                    .memo = &t->memo};
    t->output = NULL;
    t->sliced = false;
    t->undisputed = ownership_is_undisputed(t->ownership, t->view.storage,
                                            ownership_mark(t->ownership, t->step, t->judged));
    t->next = t->first = 0;
    t->end = t->elements;
    find_line(t);
    return true;
}

bool traversal_next_slice(struct traversal *t)
{
    struct truth_slices *slices = program_truth_slices(t->truth, t->step);
    int64_t next = t->sliced ? t->end : 0;
    if (t->sliced && next >= t->elements) {
        return false;
    }
    if (slices && !truth_slices_turn_to(slices, next, &t->error)) {
        t->failed = true;
        return false;
    }
    t->sliced = true;
    struct truth *truth = slices ? slices->truth : t->truth->truth[t->step];
    t->query.truth = truth;
    t->output = &truth->output[t->judged];
    t->memo = t->graded = (struct bound_memo){.other = NULL};
    t->next = t->first = slices ? slices->first : 0;
    t->end = slices ? slices->first + slices->count : t->elements;
    return true;
}

static bool is_own(const struct traversal *t, size_t at)
{
    return ownership_of(t->ownership, t->view.storage, (int64_t)at) ==
           ownership_mark(t->ownership, t->step, t->judged);
}

bool traversal_next_block(struct traversal *t, struct element_block *block)
{
    while (t->next < t->end) {
        int64_t room = t->line - t->next % t->line, count = 1;
        room = room < t->end - t->next ? room : t->end - t->next;
        size_t at = (size_t)view_element(&t->view, t->next) * t->size;
        bool owned = t->undisputed || is_own(t, at);
        count = t->undisputed ? room : 1;
        while (count < room && is_own(t, at + (size_t)(count * t->line_stride)) == owned) {
            count++;
        }
        *block = (struct element_block){
            .storage = t->view.storage, .first = t->next, .count = count, .at = at, .stride = t->line_stride};
        t->next += count;
        if (owned) {
            return true;
        }
    }
    return false;
}

void numbers_of(enum dtype dtype, int count, const unsigned char *got, ptrdiff_t stride, double *x)
{
    float value;
    if (dtype != DTYPE_FLOAT32) {
        for (int i = 0; i < count; i++) {
            x[i] = dtype_load(dtype, got + i * stride);
        }
    } else if (stride == sizeof value) {
        tensor_floats(got, count, x);
    } else {
        for (int i = 0; i < count; i++) {
            memcpy(&value, got + i * stride, sizeof value);
            x[i] = (double)value;
        }
    }
}
