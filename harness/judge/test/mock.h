/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_JUDGE_TEST_MOCK_H
#define ASSAY_HARNESS_JUDGE_TEST_MOCK_H

/* A program whose backend is the test itself: the test writes results into the images and has them judged. */

#include "harness/judge/judge.h"

#include <criterion/criterion.h>

enum { MOCK_RUNS = 2, MOCK_STEPS = 4 };

struct mock {
    struct program *program;
    struct program_truth truth;
    struct profile profile;
    int runs;
    struct images images[MOCK_RUNS]; /* poisoned */
    struct step_result result[MOCK_RUNS][MOCK_STEPS];
    struct record record; /* the record of the last verdict */
};

/* True if a mock can answer the program, which may be NULL: it has few steps, and all of them give values. */
static inline bool mock_takes(const struct program *program)
{
    bool values = program && program->steps > 0 && program->steps <= MOCK_STEPS;
    for (int s = 0; values && s < program->steps; s++) {
        values = program->step[s].expect == EXPECT_VALUE;
    }
    return values;
}

/* Takes ownership of the program, computes its truth and fills the images. Steps that must be rejected are
 * rejected, all others succeed. */
static inline void mock_open(struct mock *m, struct program *program, int runs)
{
    struct error error = {.text = ""};
    *m = (struct mock){.program = program, .profile = profile_ieee(), .runs = runs};
    cr_assert(program && program->steps <= MOCK_STEPS);
    cr_assert(program_truth_compute(program, NULL, &m->truth, &error), "%s", error.text);
    for (int r = 0; r < runs; r++) {
        cr_assert(images_create(&m->images[r], program));
        images_fill(&m->images[r], program, r);
        for (int s = 0; s < program->steps; s++) {
            m->result[r][s].status = program->step[s].expect == EXPECT_VALUE ? STEP_OK : STEP_REJECTED;
        }
    }
}

static inline void mock_close(struct mock *m)
{
    record_clear(&m->record);
    for (int r = 0; r < m->runs; r++) {
        images_destroy(&m->images[r]);
    }
    program_truth_destroy(&m->truth);
    program_destroy(&m->program);
}

/* The first byte of a storage in the image of a run. */
static inline unsigned char *mock_storage(const struct mock *m, int run, int storage)
{
    return m->images[run].image[storage] + BACKEND_GUARD;
}

static inline void *mock_element(const struct mock *m, int run, const struct view *view, int64_t i)
{
    return mock_storage(m, run, view->storage) +
           (size_t)view_element(view, i) * dtype_info(view->dtype)->size;
}

/* Writes the correctly rounded truth of every step into every run. */
static inline void mock_answer(struct mock *m)
{
    for (int s = 0; s < m->program->steps; s++) {
        struct view judged[TRUTH_OUTPUTS_MAX];
        int count = m->truth.truth[s] ? step_judged(&m->program->step[s], judged) : 0;
        for (int o = 0; o < count; o++) {
            const struct truth_output *out = &m->truth.truth[s]->output[o];
            for (int64_t i = 0; i < out->elements; i++) {
                for (int r = 0; r < m->runs; r++) {
                    value_store(&out->value[i], dtype_info(out->dtype)->component,
                                mock_element(m, r, &judged[o], i));
                }
            }
        }
    }
}

/* Judges into a record that the caller owns. */
static inline void mock_judge(const struct mock *m, bool one_by_one, struct record *record)
{
    struct error error = {.text = ""};
    struct judge_run run[MOCK_RUNS] = {{NULL, NULL}};
    for (int r = 0; r < m->runs; r++) {
        run[r] = (struct judge_run){&m->images[r], m->result[r]};
    }
    const struct judge_request request = {.program = m->program,
                                          .truth = &m->truth,
                                          .profile = &m->profile,
                                          .runs = m->runs,
                                          .run = run,
                                          .one_by_one = one_by_one};
    *record = (struct record){.id = NULL};
    cr_assert(judge(&request, record, &error), "%s", error.text);
}

/* Judges and returns the record, valid until the next verdict. */
static inline const struct record *mock_verdict(struct mock *m)
{
    record_clear(&m->record);
    mock_judge(m, false, &m->record);
    return &m->record;
}

/* The program b[1:] += b[:-1], which must be rejected. */
static inline struct program *mock_overlapping_add(void)
{
    struct program *program = program_create();
    struct view x = {.storage = program_storage(program, 8 * 4),
                     .dtype = DTYPE_FLOAT32,
                     .shape = shape_of(1, (int64_t)7),
                     .stride = {1},
                     .offset = 1};
    struct view y = x;
    y.offset = 0;
    program_define(program, &x);
    program_define(program, &y);
    program_step(program, op_find("add_"), NULL, 2, (struct view[]){x, y});
    return program;
}

/* A program that applies `op` to these numbers. */
static inline struct program *mock_function(const struct op *op, enum dtype dtype, int64_t count,
                                            const double *x)
{
    const struct shape shape = shape_of(1, count);
    struct program *program = program_create();
    const struct view input = program_input(program, dtype, &shape);
    for (int64_t i = 0; i < count; i++) {
        program_set(program, &input, i, 0, x[i]);
    }
    program_step(program, op, NULL, 1, &input);
    return program;
}

#endif
