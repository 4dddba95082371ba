/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/judge/traversal.h"

#include <criterion/criterion.h>

/* A program that copies into each of several views of one storage, one step after the other. */
struct copies {
    int storage;
    struct program *program;
    struct program_truth truth;
    struct ownership ownership;
    struct images images;
    struct profile profile;
};

static void begin(struct copies *c)
{
    *c = (struct copies){.program = program_create(), .profile = profile_ieee()};
    c->storage = program_storage(c->program, 64 * sizeof(float));
    struct view all = {
        .storage = c->storage, .dtype = DTYPE_FLOAT32, .shape = shape_of(1, (int64_t)64), .stride = {1}};
    program_define(c->program, &all);
}

static void copy_into(struct copies *c, struct view view)
{
    view.storage = c->storage;
    view.dtype = DTYPE_FLOAT32;
    struct view input[2] = {view, program_input(c->program, DTYPE_FLOAT32, &view.shape)};
    for (int64_t i = 0; i < shape_elements(&view.shape); i++) {
        program_set(c->program, &input[1], i, 0, (double)i);
    }
    program_step(c->program, op_find("copy_"), NULL, 2, input);
}

static struct traversal begin_walk(struct copies *c)
{
    struct error error = {.text = ""};
    cr_assert(program_truth_compute(c->program, NULL, &c->truth, &error), "%s", error.text);
    cr_assert(ownership_create(&c->ownership, c->program, &error), "%s", error.text);
    cr_assert(images_create(&c->images, c->program));
    return traversal_of(c->program, &c->truth, &c->profile, &c->ownership);
}

static void end(struct copies *c)
{
    images_destroy(&c->images);
    ownership_destroy(&c->ownership);
    program_truth_destroy(&c->truth);
    program_destroy(&c->program);
}

/* Checks the elements and blocks of the current tensor against the views and the marks of ownership. */
static int expect_tensor(struct copies *c, struct traversal *t)
{
    struct element_block block = {.count = 0};
    int blocks = 0;
    int64_t in_block = 0;
    const unsigned char *got = NULL;
    for (int64_t i = 0; i < shape_elements(&t->view.shape); i++) {
        size_t at = (size_t)view_element(&t->view, i) * sizeof(float);
        if (ownership_of(&c->ownership, t->view.storage, (int64_t)at) !=
            ownership_mark(&c->ownership, t->step, t->judged)) {
            continue;
        }
        if (in_block == block.count) {
            cr_assert(traversal_next_block(t, &block), "step %d ends before element %d", t->step, (int)i);
            in_block = 0;
            blocks++;
            got = element_block_in(&block, &c->images);
        }
        cr_assert_eq(block.first + in_block, i, "step %d", t->step);
        cr_assert_eq(got, images_element(&c->images, &t->view, i), "step %d, element %d", t->step, (int)i);
        in_block++;
        got += block.stride;
    }
    cr_assert_eq(in_block, block.count);
    cr_assert_not(traversal_next_block(t, &block), "step %d has more than its elements", t->step);
    return blocks;
}

Test(traversal, every_layout_in_as_few_blocks_as_it_lies_in)
{
    static const struct {
        struct view view;
        int blocks;
    } row[] = {
        {{.shape = {2, {3, 4}}, .stride = {4, 1}}, 1},
        {{.shape = {2, {3, 4}}, .stride = {1, 3}, .offset = 5}, 3},
        {{.shape = {2, {3, 4}}, .stride = {8, 2}}, 1},
        {{.shape = {2, {3, 4}}, .stride = {9, 2}, .offset = 1}, 3},
        {{.shape = {1, {7}}, .stride = {-3}, .offset = 40}, 1},
        {{.shape = {3, {2, 3, 4}}, .stride = {20, 4, 1}}, 2},
        {{.shape = {3, {2, 3, 4}}, .stride = {4, 8, 1}}, 6},
        {{.shape = {3, {2, 1, 4}}, .stride = {4, 17, 1}}, 1},
        {{.shape = {3, {2, 4, 1}}, .stride = {5, 1, 17}}, 2},
        {{.shape = {0}, .offset = 9}, 1},
        {{.shape = {2, {3, 0}}, .stride = {1, 1}}, 0},
    };
    for (size_t r = 0; r < sizeof row / sizeof *row; r++) {
        struct copies c;
        begin(&c);
        copy_into(&c, row[r].view);
        struct traversal t = begin_walk(&c);
        cr_assert(traversal_next_tensor(&t));
        cr_expect_eq(t.query.output, 0);
        cr_expect_eq(expect_tensor(&c, &t), row[r].blocks, "row %zu", r);
        cr_expect_not(traversal_next_tensor(&t));
        end(&c);
    }
}

/* The first copy keeps what no other has written to; the last one keeps everything. */
Test(traversal, what_a_later_step_writes_is_its_own)
{
    struct copies c;
    begin(&c);
    copy_into(&c, (struct view){.shape = {3, {4, 4, 4}}, .stride = {4, 16, 1}});
    copy_into(&c, (struct view){.shape = {2, {3, 4}}, .stride = {10, 2}, .offset = 3});
    copy_into(&c, (struct view){.shape = {1, {5}}, .stride = {1}, .offset = 20});
    copy_into(&c, (struct view){.shape = {1, {12}}, .stride = {2}, .offset = 41});
    struct traversal t = begin_walk(&c);
    int steps = 0, blocks[4] = {0};
    while (traversal_next_tensor(&t)) {
        cr_assert(steps < 4 && t.step == steps);
        blocks[steps++] = expect_tensor(&c, &t);
    }
    cr_expect_eq(steps, 4);
    cr_expect_eq(blocks[2], 1);
    cr_expect_eq(blocks[3], 1);
    end(&c);
}

/* Two results of one step, and a step that must be refused between two that must not. */
Test(traversal, steps_without_a_truth_are_passed_over)
{
    struct program *program = program_create();
    struct shape square = shape_of(2, (int64_t)2, (int64_t)2), oblong = shape_of(2, (int64_t)2, (int64_t)3);
    struct view a = program_input(program, DTYPE_FLOAT32, &square),
                b = program_input(program, DTYPE_FLOAT32, &oblong);
    program_step(program, op_find("slogdet"), NULL, 1, &a);
    program_step(program, op_find("slogdet"), NULL, 1, &b);
    program_step(program, op_find("sgn"), NULL, 1, &b);
    struct copies c = {.program = program, .profile = profile_ieee()};
    struct traversal t = begin_walk(&c);
    static const int step[] = {0, 0, 2}, judged[] = {0, 1, 0};
    for (int k = 0; k < 3; k++) {
        cr_assert(traversal_next_tensor(&t));
        cr_expect(t.step == step[k] && t.judged == judged[k] && t.query.output == judged[k], "tensor %d", k);
        cr_expect(traversal_next_slice(&t) && t.first == 0 && t.end == shape_elements(&t.view.shape));
        cr_expect(t.query.op == program->step[step[k]].op && t.query.truth == c.truth.truth[step[k]]);
        cr_expect_eq(expect_tensor(&c, &t), 1);
        cr_expect_not(traversal_next_slice(&t));
    }
    cr_expect_not(traversal_next_tensor(&t));
    end(&c);
}
