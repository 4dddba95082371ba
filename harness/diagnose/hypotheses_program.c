/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/diagnose/hypotheses.h"
#include "reference/program/observed.h"
#include "reference/program/slices.h"

#include <string.h>

/* The tensors of a step, as struct hypothesis_case has them. */
struct memory {
    struct tensor got[TRUTH_OUTPUTS_MAX], before[TRUTH_OUTPUTS_MAX], input[OPERANDS_MAX],
        packed[OPERANDS_MAX];
};

/* Reads the operand as contiguous memory from its offset on, its strides ignored; leaves it without data if
 * it is contiguous or that memory is not all there. False if out of memory. */
static bool pack(struct tensor *packed, const struct program *program, const struct view *view,
                 const unsigned char *bytes)
{
    struct view plain = view_contiguous(view->storage, view->dtype, &view->shape);
    plain.offset = view->offset;
    return view_is_contiguous(view) || !view_in_bounds(&plain, program->storage[view->storage].bytes) ||
           tensor_gather(packed, &plain, bytes);
}

static bool gather(struct memory *memory, const struct program *program, const struct program_truth *truth,
                   const struct images *images, int s)
{
    const struct step *step = &program->step[s];
    struct view judged[TRUTH_OUTPUTS_MAX];
    struct images start;
    int tensors = step_judged(step, judged);
    bool good = images_create(&start, program);
    if (good) {
        images_fill(&start, program, 0);
    }
    for (int o = 0; good && o < tensors; o++) {
        int storage = judged[o].storage;
        good = tensor_gather(&memory->got[o], &judged[o], images->image[storage] + BACKEND_GUARD) &&
               tensor_gather(&memory->before[o], &judged[o], start.image[storage] + BACKEND_GUARD);
    }
    for (int i = 0; good && i < step->inputs; i++) {
        const struct view *view = &step->input[i];
        if (view->storage >= 0) {
            unsigned char *bytes = program_operand_bytes(program, truth->left, s, i);
            const bool observed = bytes != program->storage[view->storage].data;
            good = tensor_borrow(&memory->input[i], view, bytes) &&
                   pack(&memory->packed[i], program, view,
                        observed ? bytes : start.image[view->storage] + BACKEND_GUARD);
        }
    }
    images_destroy(&start);
    return good;
}

int hypotheses_step(const struct program *program, const char *wrong_step)
{
    int found = program->steps == 1 ? 0 : -1;
    for (int s = 0; wrong_step && found < 0 && s < program->steps; s++) {
        char name[STEP_TEXT];
        program_print_step(program, s, name);
        found = strcmp(name, wrong_step) == 0 ? s : -1;
    }
    return found;
}

bool hypotheses_of_program(const struct program *program, struct program_truth *truth,
                           const struct images *images, const struct profile *profile, int s,
                           void (*progress)(void *user), void *user, struct hypothesis *best)
{
    enum { SECONDS = 20 };
    struct memory memory = {.got = {{.data = NULL}}};
    struct error error;
    *best = (struct hypothesis){.t = 0};
    if (s < 0 || (program->steps != 1 && !program->step[s].observed)) {
        return true;
    }
    const struct truth_slices *slices = program_truth_slices(truth, s);
    if (slices && shape_elements(&slices->judged.shape) > HYPOTHESES_MOST) {
        best->wrong = best->cut = true;
        return true;
    }
    if (!program_truth_complete(program, truth, &error)) {
        return false;
    }
    if (!truth->truth[s] || program->step[s].op->verify) {
        return true; /* no element alone is refused where several results are right */
    }
    const struct step *step = &program->step[s];
    struct profile own = profile_of_operator(profile, step->op->name);
    const struct op_call call = {
        .op = step->op, .attributes = &step->attributes, .inputs = step->inputs, .input = memory.input};
    const struct hypothesis_case of = {.call = &call,
                                       .truth = truth->truth[s],
                                       .profile = &own,
                                       .got = memory.got,
                                       .before = memory.before,
                                       .packed = memory.packed,
                                       .seconds = SECONDS,
                                       .progress = progress,
                                       .user = user};
    bool good = gather(&memory, program, truth, images, s) && hypotheses_explain(&of, best);
    for (int o = 0; o < TRUTH_OUTPUTS_MAX; o++) {
        tensor_destroy(&memory.got[o]);
        tensor_destroy(&memory.before[o]);
    }
    for (int i = 0; i < OPERANDS_MAX; i++) {
        tensor_destroy(&memory.input[i]);
        tensor_destroy(&memory.packed[i]);
    }
    return good;
}
