/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_JUDGE_TEST_OBSERVED_H
#define ASSAY_HARNESS_JUDGE_TEST_OBSERVED_H

/* Chains of observed steps on a backend that is right but for the steps that a test spoils. */

#include "harness/judge/judge.h"
#include "harness/judge/test/cpu_case.h"

#include <math.h>
#include <string.h>

enum { STEPS_MOST = 32, ALL_RUNS = -1 };

/* What a step does in place of computing: scales its last result, or gives another answer. */
static struct {
    double factor[STEPS_MOST]; /* 0: nothing is spoiled */
    bool single[STEPS_MOST];   /* only of the first element */
    int run[STEPS_MOST];       /* in which run; ALL_RUNS: in each */
    enum step_status status[STEPS_MOST];
    int runs, seen; /* seen: runs so far */
} spoilt;

static const char *const *nondeterministic; /* declared */

static inline void scale(const struct step *step, unsigned char **image, double factor, bool single)
{
    struct view judged[TRUTH_OUTPUTS_MAX];
    const struct view *view = &judged[step_judged(step, judged) - 1];
    for (int64_t i = 0; i < (single ? 1 : shape_elements(&view->shape)); i++) {
        unsigned char *at = image[view->storage] + BACKEND_GUARD +
                            (size_t)view_element(view, i) * dtype_info(view->dtype)->size;
        dtype_store(view->dtype, at, dtype_load(view->dtype, at) * factor);
    }
}

/* Runs step by step on the CPU backend, so that later steps read what an earlier one has left. */
static inline bool run(struct backend *backend, const struct program *program, struct backend_run *r,
                       struct error *error)
{
    for (int s = 0; s < program->steps; s++) {
        struct program one = *program;
        struct backend_run part = *r;
        one.step = &program->step[s];
        one.steps = 1;
        part.result = &r->result[s];
        if (spoilt.status[s] != STEP_OK) {
            r->result[s] = (struct step_result){.status = spoilt.status[s], .message = "no such kernel"};
            if (spoilt.status[s] != STEP_REJECTED) {
                break; /* the steps behind it do not run */
            }
            continue;
        }
        if (!backend_class_cpu.run(backend, &one, &part, error)) {
            return false;
        }
        if (spoilt.factor[s] != 0 && (spoilt.run[s] == ALL_RUNS || spoilt.run[s] == spoilt.seen)) {
            scale(&program->step[s], r->image, spoilt.factor[s], spoilt.single[s]);
        }
    }
    spoilt.seen++;
    return true;
}

static inline void describe(const struct backend *backend, struct backend_info *info)
{
    backend_class_cpu.info(backend, info);
    info->profile.nondeterministic = nondeterministic;
}

static inline void nothing_is_spoilt(void)
{
    memset(&spoilt, 0, sizeof spoilt);
    for (int s = 0; s < STEPS_MOST; s++) {
        spoilt.run[s] = ALL_RUNS;
    }
    nondeterministic = NULL;
}

static inline void judge_with(const struct suite_case *c, const struct case_options *options,
                              struct record *record)
{
    struct backend_class class = backend_class_cpu;
    struct error error = {.text = ""};
    class.run = run;
    class.info = describe;
    spoilt.seen = 0;
    struct backend *cpu = backend_class_cpu.open(&(struct backend_options){.selector = NULL}, &error);
    cr_assert(cpu, "%s", error.text);
    cr_assert(case_run(c, "block/linear/float32/declared", &class, cpu, options, record));
    backend_class_cpu.close(&cpu);
}

/* The perceptron's 10 steps, forward and backward. */
static inline struct record chain(enum dtype dtype, const struct case_options *options)
{
    static const struct case_options plain = {.seed = 1, .repeat = 2};
    struct suite_list *list = suite_list_create();
    char id[96];
    struct record record;
    snprintf(id, sizeof id, "block/linear/%s/perceptron-backward-batch-65", dtype_info(dtype)->name);
    const int index = suite_list_find(list, id);
    cr_assert_geq(index, 0, "%s", id);
    judge_with(suite_list_at(list, index), options ? options : &plain, &record);
    suite_list_destroy(&list);
    return record;
}

static const char *const names[] = {"linear",          "layer_norm",    "gelu",
                                    "linear",          "softmax",       "softmax_backward",
                                    "linear_backward", "gelu_backward", "layer_norm_backward",
                                    "linear_backward"};
enum { CHAIN = sizeof names / sizeof *names };

static inline void step_name(int step, char name[STEP_TEXT])
{
    snprintf(name, STEP_TEXT, "step %d of %d, %s", step + 1, CHAIN, names[step]);
}

static inline void expect_wrong(const struct record *record, int step)
{
    char name[STEP_TEXT];
    step_name(step, name);
    cr_expect_eq(record->status, STATUS_FAIL, "%s: %s", name, status_name(record->status));
    cr_expect(record->wrong_step && strcmp(record->wrong_step, name) == 0, "%s, and not %s", name,
              record->wrong_step ? record->wrong_step : "none");
    cr_expect(record->reason && strncmp(record->reason, name, strlen(name)) == 0, "%s: %s", name,
              record->reason ? record->reason : "");
}

#endif
