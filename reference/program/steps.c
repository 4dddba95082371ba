/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* How the steps of a program depend on each other. */

#include "reference/program/observed.h"

#include <stdio.h>
#include <stdlib.h>

static bool view_repeats(const struct view *view)
{
    bool repeats = false;
    for (int d = 0; d < view->shape.rank; d++) {
        repeats = repeats || (view->stride[d] == 0 && view->shape.dim[d] > 1);
    }
    return repeats;
}

static bool step_writes(const struct step *step, int storage)
{
    struct view judged[TRUTH_OUTPUTS_MAX];
    int count = step_judged(step, judged);
    bool writes = false;
    for (int o = 0; o < count; o++) {
        writes = writes || judged[o].storage == storage;
    }
    return writes;
}

static bool step_reads(const struct step *step, int storage)
{
    bool reads = false;
    for (int i = 0; i < step->inputs; i++) {
        reads = reads || step->input[i].storage == storage;
    }
    return reads;
}

bool program_step_stands_alone(const struct program *program, int step)
{
    struct view own[TRUTH_OUTPUTS_MAX], others[TRUTH_OUTPUTS_MAX];
    const struct step *this = &program->step[step];
    int writes = step_judged(this, own);
    bool alone = true;
    for (int s = 0; s < program->steps; s++) {
        const struct step *other = &program->step[s];
        int count = s == step ? 0 : step_judged(other, others);
        for (int o = 0; o < writes && s != step; o++) {
            alone = alone && !step_reads(other, own[o].storage);
        }
        for (int k = 0; k < count; k++) {
            alone = alone && !step_reads(this, others[k].storage);
            for (int o = 0; o < writes; o++) {
                alone = alone && own[o].storage != others[k].storage;
            }
        }
    }
    return alone;
}

/* --- data that is random, or computed from random data alone */

/* Returns whether the floating operands of a step are random data, or results of earlier steps that
 * `descends` names. */
static bool is_random(const struct program *program, int step, const bool *descends)
{
    const struct step *of = &program->step[step];
    bool random = false;
    for (int i = 0; i < of->inputs; i++) {
        const struct view *view = &of->input[i];
        if (view->storage < 0 || op_is_indices(of->op, of->inputs, i) || !dtype_is_floating(view->dtype)) {
            continue;
        }
        const struct storage *storage = &program->storage[view->storage];
        bool written = false, good = !view_repeats(view);
        for (int s = 0; s < step; s++) {
            if (step_writes(&program->step[s], view->storage)) {
                written = true;
                good = good && descends && descends[s];
            }
        }
        good = good && (storage->origin == ORIGIN_RANDOM ||
                        (written && descends && storage->definition == DEFINED_NONE));
        if (!good) {
            return false;
        }
        random = true;
    }
    return random;
}

bool program_step_is_random(const struct program *program, int step)
{
    if (!program->step[step].observed) {
        return is_random(program, step, NULL);
    }
    bool *descends = calloc((size_t)step + 1, sizeof *descends);
    for (int s = 0; descends && s < step; s++) {
        descends[s] = is_random(program, s, descends);
    }
    bool random = descends && is_random(program, step, descends);
    free(descends);
    return random;
}

/* --- observed steps */

bool program_is_observed(const struct program *program)
{
    bool observed = false;
    for (int s = 0; s < program->steps; s++) {
        observed = observed || program->step[s].observed;
    }
    return observed;
}

/* The bytes from the first to behind the last element of a view. */
struct byte_range {
    int64_t first, last;
};

static struct byte_range range_of(const struct view *view)
{
    const int64_t size = (int64_t)dtype_info(view->dtype)->size;
    int64_t low = view->offset, high = view->offset;
    for (int d = 0; d < view->shape.rank; d++) {
        const int64_t reach = (view->shape.dim[d] - 1) * view->stride[d];
        low += reach < 0 ? reach : 0;
        high += reach > 0 ? reach : 0;
    }
    return (struct byte_range){low * size, (high + 1) * size};
}

/* Returns whether two views of one storage have a byte in common. */
static bool share_bytes(const struct view *a, const struct view *b)
{
    if (a->storage < 0 || a->storage != b->storage || shape_elements(&a->shape) == 0 ||
        shape_elements(&b->shape) == 0) {
        return false;
    }
    const struct byte_range x = range_of(a), y = range_of(b);
    const bool apart = x.last <= y.first || y.last <= x.first;
    if (apart || (view_is_contiguous(a) && y.first >= x.first && y.first < x.last)) {
        return !apart; /* the first element of b lies in a, which has no gaps */
    }
    return view_sharing(a, b) != VIEWS_DISJOINT;
}

/* Returns the last step of [first, end) that writes bytes of the view; −1: none. */
static int last_writer(const struct program *program, int first, int end, const struct view *view)
{
    for (int s = end - 1; s >= first; s--) {
        struct view judged[TRUTH_OUTPUTS_MAX];
        int count = program->step[s].expect == EXPECT_VALUE ? step_judged(&program->step[s], judged) : 0;
        for (int o = 0; o < count; o++) {
            if (share_bytes(&judged[o], view)) {
                return s;
            }
        }
    }
    return -1;
}

bool program_operand_is_observed(const struct program *program, int step, int input)
{
    const struct step *of = &program->step[step];
    return of->observed && of->input[input].storage >= 0 &&
           last_writer(program, 0, step, &of->input[input]) >= 0;
}

bool program_step_observes(const struct program *program, int step)
{
    bool observes = false;
    for (int i = 0; i < program->step[step].inputs && !observes; i++) {
        observes = program_operand_is_observed(program, step, i);
    }
    return observes;
}

/* Returns whether a later step that is not observed reads what step `step` writes. */
static bool feeds_a_truth(const struct program *program, int step)
{
    struct view judged[TRUTH_OUTPUTS_MAX];
    int count = step_judged(&program->step[step], judged);
    bool feeds = false;
    for (int s = step + 1; s < program->steps; s++) {
        for (int o = 0; o < count && !program->step[s].observed; o++) {
            feeds = feeds || step_reads(&program->step[s], judged[o].storage);
        }
    }
    return feeds;
}

bool program_step_is_separate(const struct program *program, int step)
{
    return (program->step[step].observed && !feeds_a_truth(program, step)) ||
           program_step_stands_alone(program, step);
}

unsigned char *program_operand_bytes(const struct program *program, unsigned char *const *left, int step,
                                     int input)
{
    const int storage = program->step[step].input[input].storage;
    const bool observed = left && left[storage] && program_operand_is_observed(program, step, input);
    return observed ? left[storage] : program->storage[storage].data;
}

bool program_check(const struct program *program, struct error *error)
{
    for (int s = 0; s < program->steps; s++) {
        const struct step *step = &program->step[s];
        for (int i = 0; i < step->inputs; i++) {
            const int writer = program_operand_is_observed(program, s, i)
                                   ? last_writer(program, s, program->steps, &step->input[i])
                                   : -1;
            if (writer >= 0) {
                char by[STEP_TEXT], judged[STEP_TEXT];
                program_print_step(program, writer, by);
                program_print_step(program, s, judged);
                return error_set(error,
                                 "%s overwrites what %s was judged from: its operand %d must still be there "
                                 "after the run. Let the step write to another tensor",
                                 by, judged, i);
            }
        }
    }
    return true;
}

void program_print_step(const struct program *program, int step, char text[STEP_TEXT])
{
    const char *name = program->step[step].op->name;
    if (program_is_observed(program)) {
        snprintf(text, STEP_TEXT, "step %d of %d, %.*s", step + 1, program->steps, NAME_MOST, name);
    } else {
        snprintf(text, STEP_TEXT, "step %d (%.*s)", step, NAME_MOST, name);
    }
}
