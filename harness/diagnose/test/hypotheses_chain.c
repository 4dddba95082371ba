/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The diagnosis of a wrong step in a chain of observed steps. */

#include "harness/diagnose/hypotheses.h"
#include "reference/base/philox.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* The second step reads what the first one left, which is not what it should have left, and ignores its
 * strides. */
Test(hypotheses_chain, the_wrong_step_of_a_chain_is_explained_from_what_was_left)
{
    enum { SIDE = 8 };
    const struct shape square = shape_of(2, (int64_t)SIDE, (int64_t)SIDE);
    struct program *program = program_create();
    struct program_truth of = {.steps = 0};
    struct images images;
    struct error error = {.text = ""};
    struct hypothesis best;
    char name[STEP_TEXT];
    struct profile profile = profile_ieee();
    struct philox generator;
    double in[2][SIDE * SIDE];
    philox_start(&generator, 5);
    for (int k = 0; k < 2 * SIDE * SIDE; k++) {
        in[k / (SIDE * SIDE)][k % (SIDE * SIDE)] = (double)(float)philox_signed(&generator);
    }
    const struct view x = program_input(program, DTYPE_FLOAT32, &square);
    program_step(program, op_find("neg"), NULL, 1, &x)->observed = true;
    struct view view[2] = {program->step[0].output[0], program_input(program, DTYPE_FLOAT32, &square)};
    for (int64_t k = 0; k < SIDE * SIDE; k++) {
        program_set(program, &view[1], k, 0, in[1][k]);
    }
    const struct view plain = view[0];
    view[0].stride[0] = 1;
    view[0].stride[1] = SIDE;
    struct step *step = program_step(program, op_find("matmul"), NULL, 2, view);
    cr_assert(step && step->expect == EXPECT_VALUE);
    step->observed = true;
    const struct view result = step->output[0];
    cr_assert(images_create(&images, program));
    images_fill(&images, program, 0);
    for (int64_t k = 0; k < SIDE * SIDE; k++) {
        dtype_store(DTYPE_FLOAT32, images_element(&images, &plain, k), in[0][k]);
        double sum = 0;
        for (int64_t l = 0; l < SIDE; l++) {
            sum += in[0][k / SIDE * SIDE + l] * in[1][l * SIDE + k % SIDE];
        }
        dtype_store(DTYPE_FLOAT32, images_element(&images, &result, k), sum);
    }
    unsigned char **left = images_left(&images);
    const struct truth_source source = {.left = left};
    cr_assert(program_truth_compute(program, &source, &of, &error), "%s", error.text);
    program_print_step(program, 1, name);
    cr_assert_eq(hypotheses_step(program, name), 1);
    cr_assert_eq(hypotheses_step(program, NULL), -1);
    cr_assert(hypotheses_of_program(program, &of, &images, &profile, 1, NULL, NULL, &best));
    cr_expect_str_eq(best.name, "layout", "%s", best.name);
    cr_assert(hypotheses_of_program(program, &of, &images, &profile, -1, NULL, NULL, &best));
    cr_expect(!best.wrong && !best.name[0]);
    free(left);
    images_destroy(&images);
    program_truth_destroy(&of);
    program_destroy(&program);
}
