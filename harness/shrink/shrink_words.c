/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/shrink/shrink.h"
#include "suites/plan/plan.h"

#include <inttypes.h>
#include <stdio.h>

static void by_shapes(const struct problem *problem, char *text, size_t size)
{
    size_t used = 0;
    for (int i = 0; i < problem->inputs.inputs && used < size; i++) {
        char shape[SHAPE_TEXT] = "none";
        if (!tensor_absent(&problem->inputs.input[i])) {
            shape_print(&problem->inputs.input[i].shape, shape, sizeof shape);
        }
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "", shape);
    }
}

void shrink_sizes(const struct problem *problem, char *text, size_t size)
{
    const struct plan_operator *planned = plan_find(problem->op->name);
    struct program *program = planned ? program_create() : NULL;
    struct error error;
    int64_t length[PLAN_AXES];
    size_t used = 0;
    text[0] = '\0';
    if (!program || !problem_place(problem->op, &problem->attributes, &problem->inputs, program, &error)) {
        by_shapes(problem, text, size);
    } else {
        plan_measure_all(planned, program, &program->step[0], length);
        for (int a = 0; a < plan_axes(planned) && used < size; a++) {
            if (length[a] >= 0 && !planned->axis[a].derived) {
                used += (size_t)snprintf(text + used, size - used, "%s%s %" PRId64, used ? ", " : "",
                                         plan_kind_name(planned->axis[a].kind), length[a]);
            }
        }
    }
    program_destroy(&program);
}
