/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/verdict/traversal.h"

struct traversal traversal_of(const struct program *program, const struct program_truth *truth,
                              const struct profile *profile, const struct ownership *ownership)
{
    return (struct traversal){
        .program = program, .truth = truth, .declared = profile, .ownership = ownership, .step = -1};
}

/* The trailing dimensions through which one stride leads. */
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

/* On to the next step that has a truth; false behind the last. */
static bool next_step(struct traversal *t)
{
    for (t->step++; t->step < t->program->steps; t->step++) {
        const struct step *step = &t->program->step[t->step];
        t->tensors = t->truth->truth[t->step] ? step_judged(step, t->tensor) : 0;
        if (t->tensors) {
            t->judged = -1;
            t->profile = profile_of_operator(t->declared, step->op->name);
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
    const struct truth *truth = t->truth->truth[t->step];
    t->view = t->tensor[t->judged];
    t->output = &truth->output[t->judged];
    t->elements = shape_elements(&t->view.shape);
    t->size = dtype_info(t->view.dtype)->size;
    t->query = (struct bound_query){.op = step->op,
                                    .profile = &t->profile,
                                    .attributes = &step->attributes,
                                    .truth = truth,
                                    .output = t->judged,
                                    .exact = step->exact,
                                    .memo = &t->memo};
    t->memo = (struct bound_memo){.truth = NULL};
    t->next = 0;
    find_line(t);
    return true;
}

bool traversal_next_block(struct traversal *t, struct element_block *block)
{
    const uint16_t *owner = t->ownership->owner[t->view.storage];
    uint16_t mark = ownership_mark(t->ownership, t->step, t->judged);
    while (t->next < t->elements) {
        int64_t room = t->line - t->next % t->line, count = 1;
        size_t at = (size_t)view_element(&t->view, t->next) * t->size;
        bool owned = owner[at] == mark;
        while (count < room && (owner[(ptrdiff_t)at + count * t->line_stride] == mark) == owned) {
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
