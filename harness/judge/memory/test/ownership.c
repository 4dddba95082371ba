/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Which tensor wrote a byte last, in programs of many steps and many results. */
#include "harness/judge/memory/images.h"
#include "reference/base/philox.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { GRADS = 30, RESULTS = GRADS + 1 };

/* A program that repeats one call of 31 results. */
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

/* 3,000 · 31 = 93,000 results; of all of them the last step's stay. */
Test(ownership, of_many_results_the_last_stay)
{
    enum { STEPS = 3000 };
    struct program *program = repeated(STEPS);
    struct ownership ownership;
    struct error error = {.text = ""};
    cr_assert(ownership_create(&ownership, program, &error), "%s", error.text);
    for (int r = 0; r < RESULTS; r++) {
        int64_t last = ownership_mark(&ownership, STEPS - 1, r);
        cr_expect_eq(last, (STEPS - 1) * RESULTS + 1 + r);
        cr_expect_eq(ownership_of(&ownership, r, 3), last, "result %d", r);
        cr_expect(ownership_is_undisputed(&ownership, r, last));
        cr_expect_not(ownership_is_undisputed(&ownership, r, ownership_mark(&ownership, 7, r)));
        cr_expect_eq(ownership_run(&ownership, r, 1), 3);
    }
    cr_expect_eq(ownership_of(&ownership, RESULTS, 0), 0, "inv_scale is nobody's");
    cr_expect_eq(ownership_run(&ownership, RESULTS, 0), 0);
    ownership_destroy(&ownership);
    program_destroy(&program);
}

enum { NUMBERS = 200 };

/* Dimensions and strides at random, neither nested nor in order, that fit in NUMBERS elements. */
static struct view any_view(struct philox *g)
{
    struct view view = {.dtype = DTYPE_FLOAT32, .shape.rank = (int)philox_below(g, 5)};
    int64_t least = 0, greatest = 0;
    for (int d = 0; d < view.shape.rank; d++) {
        view.shape.dim[d] = 1 + (int64_t)philox_below(g, 4);
        view.stride[d] = (int64_t)philox_below(g, 25) - 8;
        int64_t reach = (view.shape.dim[d] - 1) * view.stride[d];
        least += reach < 0 ? reach : 0;
        greatest += reach > 0 ? reach : 0;
    }
    int64_t room = NUMBERS - (greatest - least);
    view.offset = room > 0 ? (int64_t)philox_below(g, (uint32_t)room) - least : 0;
    view.shape.rank = room > 0 ? view.shape.rank : 0;
    return view;
}

/* Compared with marks that are kept byte by byte. */
Test(ownership, any_layouts_as_byte_by_byte)
{
    struct philox g;
    philox_start(&g, 5);
    int disputed = 0, undisputed = 0, gaps = 0;
    for (int round = 0; round < 400; round++) {
        enum { TENSORS = 6 };
        int64_t owner[NUMBERS] = {0}, held[TENSORS] = {0}, left[TENSORS] = {0};
        struct program *program = program_create();
        int storage = program_storage(program, NUMBERS * sizeof(float));
        for (int t = 0; t < TENSORS; t++) {
            struct view view = any_view(&g);
            view.storage = storage;
            struct shape scalar = {.rank = 0};
            struct view input[2] = {view, program_input(program, DTYPE_FLOAT32, &scalar)};
            struct step *step = program_step(program, op_find("fill_"), NULL, 2, input);
            cr_assert_not_null(step);
            step->expect = EXPECT_VALUE; /* also where the view overlaps itself */
            for (int64_t i = 0; i < shape_elements(&view.shape); i++) {
                owner[view_element(&view, i)] = t + 1;
            }
        }
        struct ownership ownership;
        cr_assert(ownership_create(&ownership, program, NULL));
        for (int64_t at = 0; at < NUMBERS * 4; at++) {
            int64_t run = ownership_run(&ownership, storage, at);
            cr_assert_eq(ownership_of(&ownership, storage, at), owner[at / 4], "round %d, byte %d", round,
                         (int)at);
            for (int64_t k = 0; k < run; k++) {
                cr_assert(owner[(at + k) / 4], "round %d: byte %d is nobody's", round, (int)(at + k));
            }
            gaps += owner[at / 4] == 0;
        }
        for (int t = 0; t < TENSORS; t++) {
            const struct view *view = &program->step[t].input[0];
            for (int64_t i = 0; i < shape_elements(&view->shape); i++) {
                held[t]++;
                left[t] += owner[view_element(view, i)] == t + 1;
            }
            bool sole = ownership_is_undisputed(&ownership, storage, ownership_mark(&ownership, t, 0));
            cr_assert(!sole || held[t] == left[t], "round %d: tensor %d", round, t);
            undisputed += sole;
            disputed += !sole;
        }
        ownership_destroy(&ownership);
        program_destroy(&program);
    }
    cr_assert(disputed > 100 && undisputed > 400 && gaps > 1000, "%d, %d, %d", disputed, undisputed, gaps);
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
