/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Tests observed steps: their truth is that of the bits that a run left. */

#include "reference/program/observed.h"
#include "reference/operator/value_batch.h"
#include "reference/program/refine.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 12 };

/* A program with one vector of the numbers 1/4, 2/4, …, random unless structured. */
static struct program *begin(struct view *x, int64_t count)
{
    const struct shape shape = shape_of(1, count);
    struct program *program = program_create();
    *x = program_input(program, DTYPE_FLOAT32, &shape);
    for (int64_t i = 0; i < count; i++) {
        program_set(program, x, i, 0, (double)(i % 37 + 1) / 4);
    }
    program->storage[x->storage].origin = ORIGIN_RANDOM;
    return program;
}

static struct view apply(struct program *program, const char *op, bool observed, int inputs,
                         const struct view *input)
{
    struct step *step = program_step(program, op_find(op), NULL, inputs, input);
    cr_assert(step && step->expect == EXPECT_VALUE, "%s", op);
    step->observed = observed;
    return step->outputs ? step->output[0] : input[0];
}

/* x → exp → y → tanh → z, all observed. */
static struct program *two_steps(int64_t count, struct view view[3])
{
    struct program *program = begin(&view[0], count);
    view[1] = apply(program, "exp", true, 1, &view[0]);
    view[2] = apply(program, "tanh", true, 1, &view[1]);
    return program;
}

static void expect_refused(struct program *program, const char *text)
{
    struct error error = {.text = ""};
    cr_expect_not(program_check(program, &error));
    cr_expect(strstr(error.text, text), "%s", error.text);
    program_destroy(&program);
}

Test(observed, steps_have_their_place_and_name)
{
    struct view view[3];
    struct program *program = two_steps(COUNT, view);
    char text[STEP_TEXT];
    program_print_step(program, 1, text);
    cr_expect_str_eq(text, "step 2 of 2, tanh");
    program->step[0].observed = program->step[1].observed = false;
    program_print_step(program, 1, text);
    cr_expect_str_eq(text, "step 1 (tanh)");
    program_destroy(&program);
}

Test(observed, a_later_step_must_not_overwrite_what_one_was_judged_from)
{
    struct view view[3];
    struct program *program = two_steps(COUNT, view);
    struct error error;
    cr_expect(program_check(program, &error));
    apply(program, "copy_", true, 2, (struct view[]){view[1], view[2]});
    expect_refused(program, "step 3 of 3, copy_ overwrites what step 2 of 3, tanh was judged from");

    program = two_steps(COUNT, view); /* a step that is not observed overwrites as well */
    apply(program, "copy_", false, 2, (struct view[]){view[1], view[0]});
    expect_refused(program, "step 3 of 3, copy_ overwrites what step 2 of 3, tanh was judged from");

    program = two_steps(COUNT, view); /* the step overwrites its own operand */
    apply(program, "add_", true, 2, (struct view[]){view[2], view[0]});
    expect_refused(program, "step 3 of 3, add_ overwrites what step 3 of 3, add_ was judged from");
}

Test(observed, bytes_are_compared_and_not_storages)
{
    struct view view[3];
    struct program *program = two_steps(COUNT, view);
    struct view even = view[1], odd = view[1], half = view[0];
    struct error error;
    even.shape.dim[0] = odd.shape.dim[0] = half.shape.dim[0] = COUNT / 2;
    even.stride[0] = odd.stride[0] = 2;
    odd.offset = 1;
    program->step[1].input[0] = even; /* tanh reads every second element, copy_ writes the others */
    apply(program, "copy_", false, 2, (struct view[]){odd, half});
    cr_expect(program_check(program, &error), "%s", error.text);
    program->step[2].input[0] = even;
    cr_expect_not(program_check(program, &error));
    program_destroy(&program);
}

/* The truth of the second step is tanh of what the run left, not of the truth of the first. */
Test(observed, operands_are_what_the_run_left)
{
    static const float garbage[COUNT] = {0.5F, -1, 0, 1e-30F, INFINITY, NAN, 3, -0.25F, 1e30F, 2, 1, -3};
    struct view view[3];
    struct program *program = two_steps(COUNT, view);
    unsigned char *left[3] = {NULL, (unsigned char *)garbage, NULL};
    const struct truth_source source = {.left = left};
    struct program_truth truth;
    struct error error;
    struct tensor input[OPERANDS_MAX] = {{.data = NULL}};
    cr_assert(program_truth_compute(program, &source, &truth, &error), "%s", error.text);
    for (int i = 0; i < COUNT; i++) {
        const struct value first = truth_output_value(&truth.truth[0]->output[0], i),
                           second = truth_output_value(&truth.truth[1]->output[0], i);
        cr_expect_float_eq(value_approximately(&first), exp((i + 1) / 4.0), 1e-10);
        if (isnan(garbage[i])) {
            cr_expect_eq(second.class, VALUE_NAN);
        } else {
            cr_expect_float_eq(value_approximately(&second), tanh((double)garbage[i]), 1e-12);
        }
    }
    cr_assert(program_step_inputs(program, &truth, 1, input));
    cr_expect_eq(memcmp(input[0].data, garbage, sizeof garbage), 0);
    tensor_destroy(&input[0]);
    program_truth_destroy(&truth);
    program_destroy(&program);
}

/* An element whose truth has a radius is certified from the same bits. */
Test(observed, refinement_takes_what_the_run_left)
{
    enum { SIDE = 12 };
    float left_y[SIDE * SIDE];
    struct view x;
    struct program *program = begin(&x, SIDE * SIDE);
    struct view y = apply(program, "exp", true, 1, &x);
    const struct shape square = shape_of(2, (int64_t)SIDE, (int64_t)SIDE);
    const struct view matrix = view_contiguous(y.storage, DTYPE_FLOAT32, &square);
    apply(program, "matmul", true, 2, (struct view[]){matrix, matrix});
    unsigned char *left[] = {NULL, (unsigned char *)left_y, NULL};
    const struct truth_source source = {.left = left};
    struct program_truth truth;
    struct refine refine;
    struct error error;
    for (int i = 0; i < SIDE * SIDE; i++) {
        left_y[i] = (float)exp(-(double)i / 3);
    }
    cr_assert(program_truth_compute(program, &source, &truth, &error), "%s", error.text);
    struct truth_output *out = &truth.truth[1]->output[0];
    cr_assert(out->radius && out->radius[0] > 0, "values within radii are allowed");
    refine_open(&refine, program, &truth);
    refine_seek(&refine, 1);
    cr_assert(refine_certify(&refine, 0, 0, &error), "%s", error.text);
    double sum = 0;
    for (int k = 0; k < SIDE; k++) {
        sum += (double)left_y[k] * (double)left_y[SIDE * k];
    }
    const struct value value = truth_output_value(out, 0);
    cr_expect_float_eq(value_approximately(&value), sum, 1e-13);
    cr_expect_eq(out->radius[0], 0);
    refine_close(&refine);
    program_truth_destroy(&truth);
    program_destroy(&program);
}

/* Data of the program that an earlier step overwrote are what the device left, too. */
Test(observed, data_that_a_step_overwrote_are_what_the_run_left)
{
    struct view x;
    struct program *program = begin(&x, COUNT);
    float left_x[COUNT];
    unsigned char *left[2] = {(unsigned char *)left_x, NULL};
    const struct truth_source source = {.left = left};
    struct program_truth truth;
    struct error error;
    for (int i = 0; i < COUNT; i++) {
        left_x[i] = (float)i;
    }
    apply(program, "add_", true, 2, (struct view[]){x, x});
    apply(program, "exp", true, 1, &x);
    cr_expect(program_check(program, &error));
    cr_expect_not(program_step_observes(program, 0), "nothing was written before");
    cr_expect(program_step_observes(program, 1));
    cr_assert(program_truth_compute(program, &source, &truth, &error), "%s", error.text);
    for (int i = 0; i < COUNT; i++) {
        const struct value first = truth_output_value(&truth.truth[0]->output[0], i),
                           second = truth_output_value(&truth.truth[1]->output[0], i);
        cr_expect_eq(value_approximately(&first), (i + 1) / 2.0, "the first step had the program's data");
        cr_expect_float_eq(value_approximately(&second) / exp((double)i), 1, 1e-10);
    }
    program_truth_destroy(&truth);
    program_destroy(&program);
}

Test(observed, there_is_no_truth_without_a_run_and_none_behind_an_observed_step)
{
    struct view view[3];
    struct program *program = two_steps(COUNT, view);
    struct program_truth truth;
    struct error error;
    cr_expect_not(program_truth_compute(program, NULL, &truth, &error));
    cr_expect(strstr(error.text, "step 2 of 2, tanh is judged from what the device computed before"), "%s",
              error.text);
    apply(program, "neg", false, 1, &view[2]);
    unsigned char **left = program_rehearse(program, &error);
    cr_expect_null(left);
    cr_expect(strstr(error.text, "step 3 of 3, neg reads what an earlier step computed inexactly"), "%s",
              error.text);
    program_destroy(&program);
}

/* Exact results of an observed step are what the device left as well: a step that is not observed must not
 * read them, because they may be wrong. */
Test(observed, exact_results_of_an_observed_step_are_no_data_for_others)
{
    struct view x;
    struct program *program = begin(&x, COUNT);
    struct view y = apply(program, "exp", true, 1, &x), z = apply(program, "sgn", true, 1, &y);
    apply(program, "neg", false, 1, &z);
    float ones[COUNT] = {0};
    unsigned char *left[4] = {NULL, (unsigned char *)ones, (unsigned char *)ones, NULL};
    const struct truth_source source = {.left = left};
    struct program_truth truth;
    struct error error;
    cr_expect_not(program_truth_compute(program, &source, &truth, &error));
    cr_expect(strstr(error.text, "step 3 of 3, neg reads what an earlier step computed inexactly"), "%s",
              error.text);
    program_destroy(&program);
}

Test(observed, a_rehearsal_leaves_rounded_truths)
{
    struct view view[3];
    struct program *program = two_steps(COUNT, view);
    struct error error;
    unsigned char **left = program_rehearse(program, &error);
    cr_assert_not_null(left, "%s", error.text);
    for (int i = 0; i < COUNT; i++) {
        const float y = ((const float *)left[view[1].storage])[i],
                    z = ((const float *)left[view[2].storage])[i];
        cr_expect_eq(y, (float)exp((i + 1) / 4.0));
        cr_expect_eq(z, (float)tanh((double)y));
    }
    program_left_destroy(program, &left);
    cr_expect_null(left);
    program_destroy(&program);
}

Test(observed, only_the_first_steps_have_a_truth_if_so_requested)
{
    struct view view[3];
    struct program *program = two_steps(COUNT, view);
    const struct truth_source source = {.steps = 1};
    struct program_truth truth;
    struct error error;
    cr_assert(program_truth_compute(program, &source, &truth, &error), "%s", error.text);
    cr_expect(program_truth_has(&truth, 0) && !program_truth_has(&truth, 1));
    program_truth_destroy(&truth);
    program_destroy(&program);
}

/* Slices of every step have the values of the whole truth. */
Test(observed, large_steps_come_in_slices)
{
    enum { MANY = 20000 };
    struct view view[3];
    struct program *program = two_steps(MANY, view);
    struct error error;
    unsigned char **left = program_rehearse(program, &error);
    const struct truth_source whole = {.left = left},
                              sliced = {.left = left, .sliced = true, .sliced_least = 1000};
    struct program_truth a, b;
    ((float *)left[view[1].storage])[MANY - 3] = 0.125F;
    cr_assert(program_truth_compute(program, &whole, &a, &error), "%s", error.text);
    cr_assert(program_truth_compute(program, &sliced, &b, &error), "%s", error.text);
    for (int s = 0; s < 2; s++) {
        struct truth_slices *slices = program_truth_slices(&b, s);
        cr_assert(slices && !b.truth[s] && program_truth_has(&b, s));
        for (int64_t i = MANY - 1; i >= 0; i -= 997) {
            cr_assert(truth_slices_turn_to(slices, i, &error), "%s", error.text);
            cr_assert_lt(slices->count, MANY);
            const struct value of_slice = truth_output_value(&slices->truth->output[0], i - slices->first),
                               of_whole = truth_output_value(&a.truth[s]->output[0], i);
            cr_expect_eq(of_slice.hi, of_whole.hi);
            cr_expect_eq(of_slice.lo, of_whole.lo);
        }
    }
    cr_assert(truth_slices_turn_to(program_truth_slices(&b, 1), MANY - 3, &error));
    const struct value changed =
        truth_output_value(&b.slices[1]->truth->output[0], MANY - 3 - b.slices[1]->first);
    cr_expect_float_eq(value_approximately(&changed), tanh(0.125), 1e-12);
    cr_assert(program_truth_complete(program, &b, &error), "%s", error.text);
    cr_expect(!program_truth_slices(&b, 0) && b.truth[0] && b.truth[1]);
    program_truth_destroy(&a);
    program_truth_destroy(&b);
    program_left_destroy(program, &left);
    program_destroy(&program);
}

Test(observed, what_descends_from_random_data_only_is_random)
{
    struct view view[3];
    struct program *program = two_steps(COUNT, view);
    cr_expect(program_step_is_random(program, 0) && program_step_is_random(program, 1));
    program->step[1].observed = false;
    cr_expect_not(program_step_is_random(program, 1), "it is not observed");
    program->step[1].observed = true;
    program->storage[view[0].storage].origin = ORIGIN_STRUCTURED;
    cr_expect_not(program_step_is_random(program, 0));
    cr_expect_not(program_step_is_random(program, 1), "an ancestor is structured");
    program->storage[view[0].storage].origin = ORIGIN_RANDOM;
    program->step[1].input[0].stride[0] = 0;
    cr_expect_not(program_step_is_random(program, 1), "one element is repeated");
    program_destroy(&program);
}

Test(observed, the_digest_tells_observed_steps_and_leaves_others_as_they_were)
{
    char plain[33], observed[33], first[33];
    struct view view[3];
    struct program *program = two_steps(COUNT, view);
    program_digest(program, observed);
    program->step[1].observed = false;
    program_digest(program, first);
    program->step[0].observed = false;
    program_digest(program, plain);
    cr_expect(strcmp(plain, observed) && strcmp(plain, first) && strcmp(observed, first));
    program_destroy(&program);
}
