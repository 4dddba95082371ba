/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_JUDGE_TEST_ANSWERED_H
#define ASSAY_HARNESS_JUDGE_TEST_ANSWERED_H

/* A problem of suites/problems.h in one run, answered with the rounded truth, which the test then spoils. */

#include "harness/judge/test/mock.h"
#include "suites/problems.h"

struct answered {
    struct mock mock;
    struct view judged[TRUTH_OUTPUTS_MAX];
    int tensor; /* the judged tensor that is spoiled */
};

static inline struct answered answered_program(struct program *program)
{
    struct answered t;
    mock_open(&t.mock, program, 1);
    t.tensor = step_judged(&program->step[0], t.judged) - 1;
    mock_answer(&t.mock);
    return t;
}

static inline struct answered answered_problem(const char *op, int64_t size, enum problem_data data,
                                               uint64_t seed)
{
    struct error error = {.text = ""};
    struct problem problem = {op, DTYPE_FLOAT32, size, data, seed};
    struct program *program = problem_build(&problem, &error);
    cr_assert_not_null(program, "%s", error.text);
    return answered_program(program);
}

static inline void answered_close(struct answered *t)
{
    mock_close(&t->mock);
}

static inline enum status status_of(struct answered *t)
{
    return mock_verdict(&t->mock)->status;
}

static inline const struct truth_output *output_of(const struct answered *t)
{
    return &t->mock.truth.truth[0]->output[t->tensor];
}

static inline double truth_at(const struct answered *t, int64_t i)
{
    return value_approximately(&output_of(t)->value[i]);
}

static inline struct bound_query query_at(const struct answered *t, int64_t i)
{
    const struct step *step = &t->mock.program->step[0];
    return (struct bound_query){.op = step->op,
                                .profile = &t->mock.profile,
                                .attributes = &step->attributes,
                                .truth = t->mock.truth.truth[0],
                                .output = t->tensor,
                                .element = i};
}

static inline struct envelope_limit limit_at(const struct answered *t, int64_t i)
{
    struct bound_query query = query_at(t, i);
    struct envelope_limit limit;
    op_envelope(&query, &limit);
    return limit;
}

static inline float *element_at(const struct answered *t, int64_t i)
{
    return mock_element(&t->mock, 0, &t->judged[t->tensor], i);
}

/* Replaces the result of element i by RN(truth + sign·(N + spreads·S)). */
static inline void spoil(struct answered *t, int64_t i, double spreads, double sign)
{
    struct envelope_limit limit = limit_at(t, i);
    *element_at(t, i) = (float)(truth_at(t, i) + sign * (limit.certain + spreads * limit.spread));
}

#endif
