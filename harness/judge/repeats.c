/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Compares the results of two runs of one case, element by element. */

#include "harness/judge/judge.h"
#include "harness/judge/traversal.h"
#include "reference/program/observed.h"

#include <math.h>
#include <string.h>

bool same_number(enum dtype dtype, const unsigned char *a, const unsigned char *b)
{
    const struct dtype_info *info = dtype_info(dtype);
    size_t size = dtype_info(info->component)->size;
    for (int c = 0; c < info->components; c++, a += size, b += size) {
        bool nans = dtype_is_floating(dtype) && isnan(dtype_load(info->component, a)) &&
                    isnan(dtype_load(info->component, b));
        if (!nans && memcmp(a, b, size) != 0) {
            return false;
        }
    }
    return true;
}

static void compare_block(const struct traversal *t, const struct element_block *block,
                          const unsigned char *x, const unsigned char *y, struct difference *found)
{
    enum dtype dtype = t->view.dtype;
    if (block->stride == (ptrdiff_t)t->size && memcmp(x, y, (size_t)block->count * t->size) == 0) {
        return; /* the usual case, and the quick one */
    }
    for (int64_t i = 0; i < block->count; i++, x += block->stride, y += block->stride) {
        if (memcmp(x, y, t->size) == 0 || same_number(dtype, x, y)) {
            continue;
        }
        if (found->count++ == 0) {
            found->element = block->first + i;
            found->step = t->step;
            found->judged = t->judged;
            explain_bits(dtype, x, found->a, sizeof found->a);
            explain_bits(dtype, y, found->b, sizeof found->b);
        }
    }
}

/* Returns whether an observed operand of the step differs between two runs. */
static bool operands_differ(const struct judge_request *request, int step, int a, int b)
{
    const struct program *program = request->program;
    for (int i = 0; i < program->step[step].inputs; i++) {
        const struct view *view = &program->step[step].input[i];
        const int64_t elements =
            program_operand_is_observed(program, step, i) ? shape_elements(&view->shape) : 0;
        for (int64_t e = 0; e < elements; e++) {
            if (memcmp(images_element(request->run[a].images, view, e),
                       images_element(request->run[b].images, view, e), dtype_info(view->dtype)->size) != 0) {
                return true;
            }
        }
    }
    return false;
}

/* Returns whether nothing explains that the step differs between two runs. */
static bool is_undeclared(const struct judge_request *request, int step, int a, int b)
{
    return !profile_is_nondeterministic(request->profile, request->program->step[step].op->name) &&
           !operands_differ(request, step, a, b);
}

void find_differences(const struct judge_request *request, const struct ownership *ownership, int a, int b,
                      struct difference *found)
{
    const bool observed = program_is_observed(request->program);
    *found = (struct difference){.count = 0};
    struct traversal t = traversal_of(request->program, request->truth, request->profile, ownership);
    while (traversal_next_tensor(&t)) {
        struct difference here = {.count = 0};
        struct element_block block;
        while (traversal_next_block(&t, &block)) {
            compare_block(&t, &block, element_block_in(&block, request->run[a].images),
                          element_block_in(&block, request->run[b].images), &here);
        }
        if (here.count == 0) {
            continue;
        }
        here.undeclared = observed && !found->undeclared && is_undeclared(request, t.step, a, b);
        const int64_t count = found->count + here.count;
        if (found->count == 0 || here.undeclared) {
            *found = here;
        }
        found->count = count;
    }
}
