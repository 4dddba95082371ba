/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Who wrote a byte last, in programs of many steps and many results. */
#include "harness/verdict/images.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { GRADS = 30, RESULTS = GRADS + 1 };

/* The same call of 31 results so many times. */
static struct program *repeated(int steps)
{
    struct program *program = program_create();
    struct shape one = shape_of(1, (int64_t)1);
    struct view input[GRADS + 2];
    for (int i = 0; i < GRADS + 2; i++) {
        input[i] = program_input(program, DTYPE_FLOAT32, &one);
    }
    cr_assert(program_step(program, op_find("amp_unscale"), NULL, GRADS + 2, input));
    program->step = realloc(program->step, (size_t)steps * sizeof *program->step);
    cr_assert_not_null(program->step);
    for (; program->steps < steps; program->steps++) {
        program->step[program->steps] = program->step[0];
    }
    return program;
}

/* 2,114 · 31 = 65,534 results; of all of them the last step's stay. */
Test(ownership, marks_are_used_to_the_last)
{
    struct program *program = repeated(2114);
    struct ownership ownership;
    struct error error = {.text = ""};
    cr_assert(ownership_create(&ownership, program, &error), "%s", error.text);
    for (int r = 0; r < RESULTS; r++) {
        cr_expect_eq(ownership_mark(&ownership, 2113, r), 2113 * RESULTS + 1 + r);
        cr_expect_eq(ownership.owner[r][0], ownership_mark(&ownership, 2113, r), "result %d", r);
    }
    cr_expect_eq(ownership.owner[RESULTS][0], 0, "inv_scale is nobody's");
    ownership_destroy(&ownership);
    program_destroy(&program);
}

Test(ownership, more_results_are_refused)
{
    struct program *program = repeated(2115);
    struct ownership ownership;
    struct error error = {.text = ""};
    cr_expect_not(ownership_create(&ownership, program, &error));
    cr_expect(strstr(error.text, "more than 65535 tensors (OWNERS_MAX)"), "%s", error.text);
    program_destroy(&program);
}

/* Steps that must be rejected write nothing, and take no mark. */
Test(ownership, a_rejected_step_takes_no_mark)
{
    struct program *program = repeated(3);
    struct ownership ownership;
    program->step[1].expect = EXPECT_REJECTION;
    cr_assert(ownership_create(&ownership, program, NULL));
    cr_expect_eq(ownership_mark(&ownership, 2, 0), RESULTS + 1);
    ownership_destroy(&ownership);
    program_destroy(&program);
}
