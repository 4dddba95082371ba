/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Chains of observed steps on a backend that is right but for the steps that a test spoils: the first wrong
 * step is named, and only wrong steps are. */

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

static void scale(const struct step *step, unsigned char **image, double factor, bool single)
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
static bool run(struct backend *backend, const struct program *program, struct backend_run *r,
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

static void describe(const struct backend *backend, struct backend_info *info)
{
    backend_class_cpu.info(backend, info);
    info->profile.nondeterministic = nondeterministic;
}

static void nothing_is_spoilt(void)
{
    memset(&spoilt, 0, sizeof spoilt);
    for (int s = 0; s < STEPS_MOST; s++) {
        spoilt.run[s] = ALL_RUNS;
    }
    nondeterministic = NULL;
}

TestSuite(observed, .init = nothing_is_spoilt);

static void judge_with(const struct suite_case *c, const struct case_options *options, struct record *record)
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

/* The perceptron's 14 steps, forward and backward. */
static struct record chain(enum dtype dtype, const struct case_options *options)
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

static const char *const names[] = {"linear",
                                    "layer_norm",
                                    "gelu",
                                    "linear",
                                    "softmax",
                                    "softmax_backward",
                                    "matmul",
                                    "sum",
                                    "matmul",
                                    "gelu_backward",
                                    "layer_norm_backward",
                                    "matmul",
                                    "sum",
                                    "matmul"};
enum { CHAIN = sizeof names / sizeof *names };

static void step_name(int step, char name[STEP_TEXT])
{
    snprintf(name, STEP_TEXT, "step %d of %d, %s", step + 1, CHAIN, names[step]);
}

static void expect_wrong(const struct record *record, int step)
{
    char name[STEP_TEXT];
    step_name(step, name);
    cr_expect_eq(record->status, STATUS_FAIL, "%s: %s", name, status_name(record->status));
    cr_expect(record->wrong_step && strcmp(record->wrong_step, name) == 0, "%s, and not %s", name,
              record->wrong_step ? record->wrong_step : "none");
    cr_expect(record->reason && strncmp(record->reason, name, strlen(name)) == 0, "%s: %s", name,
              record->reason ? record->reason : "");
}

Test(observed, a_chain_of_inexact_operators_passes)
{
    static const enum dtype dtypes[] = {DTYPE_FLOAT32, DTYPE_FLOAT16, DTYPE_BFLOAT16, DTYPE_FLOAT64};
    for (int d = 0; d < 4; d++) {
        struct record record = chain(dtypes[d], NULL);
        cr_expect_eq(record.status, STATUS_PASS, "%s: %s", dtype_info(dtypes[d])->name,
                     record.reason ? record.reason : "");
        cr_expect(!record.wrong_step && !record.implausible_step && record.elements > 0);
        record_clear(&record);
    }
}

Test(observed, each_wrong_step_is_named_and_no_other)
{
    static const enum dtype dtypes[] = {DTYPE_FLOAT32, DTYPE_FLOAT16, DTYPE_BFLOAT16, DTYPE_FLOAT64};
    for (int d = 0; d < 4; d++) {
        for (int s = 0; s < CHAIN; s++) {
            nothing_is_spoilt();
            spoilt.factor[s] = 1.5;
            struct record record = chain(dtypes[d], NULL);
            char name[STEP_TEXT];
            step_name(s, name);
            expect_wrong(&record, s);
            cr_expect(record.worst.where && strncmp(record.worst.where, name, strlen(name)) == 0, "%s: %s",
                      name, record.worst.where ? record.worst.where : "nowhere");
            cr_expect(record.detail && !strstr(record.detail, "also wrong"), "%s: %s", name, record.detail);
            record_clear(&record);
        }
    }
}

/* The greater error is in the later step; the earlier one is the culprit all the same. */
Test(observed, of_two_wrong_steps_the_first_is_the_culprit)
{
    spoilt.factor[3] = 1.01;
    spoilt.factor[9] = 100;
    struct record record = chain(DTYPE_FLOAT32, NULL);
    expect_wrong(&record, 3);
    cr_expect(strstr(record.detail, "also wrong: step 10 of 14, gelu_backward: "), "%s", record.detail);
    cr_expect(strncmp(record.worst.where, "step 4 of 14, linear: ", 22) == 0, "%s", record.worst.where);
    cr_expect_lt(record.worst.ulp, 1e6, "it is the element of the first wrong step");
    record_clear(&record);
}

/* Whatever a step leaves is the operand of the next: NaN in NaN out is right. */
Test(observed, garbage_is_the_operand_of_the_next_step)
{
    spoilt.factor[2] = NAN;
    struct record record = chain(DTYPE_FLOAT32, NULL);
    expect_wrong(&record, 2);
    cr_expect(!strstr(record.detail, "also wrong"), "%s", record.detail);
    record_clear(&record);
}

Test(observed, the_negative_control_spoils_the_last_step)
{
    struct record record =
        chain(DTYPE_FLOAT32, &(struct case_options){.seed = 1, .repeat = 2, .self_test = true});
    expect_wrong(&record, CHAIN - 1);
    record_clear(&record);
}

/* --- runs that differ */

static const char *const only_linear[] = {"linear", NULL};

Test(observed, a_difference_that_no_profile_declares_names_its_step)
{
    spoilt.factor[3] = 1 + 0x1p-23;
    spoilt.run[3] = 1;
    struct record record = chain(DTYPE_FLOAT32, NULL);
    expect_wrong(&record, 3);
    cr_expect_str_eq(record.rule, "not repeatable");
    cr_expect(strstr(record.reason, "of step 4 of 14, linear: "), "%s", record.reason);
    record_clear(&record);
}

/* What descends from a declared difference may differ too: each run has its own truth. */
Test(observed, runs_may_differ_behind_a_nondeterministic_step)
{
    nondeterministic = only_linear;
    spoilt.factor[0] = 1 + 0x1p-23;
    spoilt.run[0] = 1;
    spoilt.single[0] = true;
    struct record record = chain(DTYPE_FLOAT32, NULL);
    cr_expect_eq(record.status, STATUS_PASS, "%s", record.reason ? record.reason : "");
    cr_expect_eq(record.distinct, 2);
    record_clear(&record);
}

Test(observed, a_step_that_is_wrong_in_a_later_run_is_found_by_the_truth_of_that_run)
{
    nondeterministic = only_linear;
    spoilt.factor[3] = 1 + 0x1p-20; /* within the bound, and enough to change softmax */
    spoilt.factor[5] = 1.5;
    spoilt.run[3] = spoilt.run[5] = 1;
    spoilt.single[3] = true;
    struct record record = chain(DTYPE_FLOAT32, NULL);
    cr_expect_eq(record.status, STATUS_FAIL);
    cr_expect(
        record.reason &&
            strncmp(record.reason,
                    "in run 1, whose results differ from those of run 0: step 6 of 14, softmax_backward: ",
                    84) == 0,
        "%s", record.reason);
    cr_expect_str_eq(record.wrong_step, "step 6 of 14, softmax_backward");
    cr_expect_eq(record.distinct, 2);
    cr_expect_str_eq(record.id, "block/linear/float32/declared");
    record_clear(&record);
}

/* A step behind a declared difference must not differ by itself where its operands are equal. */
Test(observed, a_difference_with_equal_operands_is_not_excused)
{
    nondeterministic = only_linear;
    spoilt.factor[5] = 1 + 0x1p-23;
    spoilt.run[5] = 1;
    struct record record = chain(DTYPE_FLOAT32, NULL);
    expect_wrong(&record, 5);
    cr_expect_str_eq(record.rule, "not repeatable");
    record_clear(&record);
}

/* --- steps that give no value */

Test(observed, steps_before_an_unsupported_one_are_judged)
{
    spoilt.status[5] = STEP_UNSUPPORTED;
    struct record record = chain(DTYPE_FLOAT32, NULL);
    cr_expect_eq(record.status, STATUS_UNSUPPORTED);
    cr_expect(strstr(record.reason, "step 6 of 14, softmax_backward: no such kernel") &&
                  strstr(record.reason, "; steps 1 to 5 are right, steps 7 to 14 are not judged"),
              "%s", record.reason);
    cr_expect_eq(record.elements, 0, "an unsupported case has no metrics");
    record_clear(&record);

    spoilt.factor[2] = 1.5;
    record = chain(DTYPE_FLOAT32, NULL);
    expect_wrong(&record, 2);
    cr_expect(strstr(record.detail, "step 6 of 14, softmax_backward: no such kernel"), "%s", record.detail);
    record_clear(&record);

    spoilt.status[0] = STEP_UNSUPPORTED;
    record = chain(DTYPE_FLOAT32, NULL);
    cr_expect_eq(record.status, STATUS_UNSUPPORTED);
    cr_expect_str_eq(record.reason, "no such kernel");
    record_clear(&record);
}

Test(observed, a_step_that_is_rejected_is_wrong_and_ends_the_verdict)
{
    spoilt.status[5] = STEP_REJECTED;
    struct record record = chain(DTYPE_FLOAT32, NULL);
    expect_wrong(&record, 5);
    cr_expect(strstr(record.reason, "it rejected operands that it must accept: no such kernel"), "%s",
              record.reason);
    cr_expect(!strstr(record.detail, "also wrong"), "what follows had no operand: %s", record.detail);
    record_clear(&record);

    spoilt.factor[1] = 1.5;
    record = chain(DTYPE_FLOAT32, NULL);
    expect_wrong(&record, 1);
    cr_expect(strstr(record.detail, "also wrong: step 6 of 14, softmax_backward: it rejected"), "%s",
              record.detail);
    record_clear(&record);
}

/* --- the envelope */

/* A common scale error of 16 u lies within the certified bound of the second product. In a step that observes
 * it is a finding. */
Test(observed, what_the_envelope_refuses_is_a_finding_behind_the_first_step)
{
    spoilt.factor[8] = 1 + 16 * 0x1p-24;
    struct record record = chain(DTYPE_FLOAT32, NULL);
    cr_expect_eq(record.status, STATUS_PASS, "%s", record.reason ? record.reason : "");
    cr_expect_gt(record.implausible, 1);
    cr_expect(record.implausible_step && strcmp(record.implausible_step, "step 9 of 14, matmul") == 0, "%s",
              record.implausible_step ? record.implausible_step : "none");
    record_clear(&record);
}

Test(observed, what_the_envelope_refuses_fails_a_step_that_reads_only_data)
{
    spoilt.factor[0] = 1 + 16 * 0x1p-24;
    struct record record = chain(DTYPE_FLOAT32, NULL);
    expect_wrong(&record, 0);
    cr_expect_str_eq(record.rule, RECORD_RULE_ENVELOPE);
    record_clear(&record);
}

/* --- a large step */

enum { MANY = 300007 };

static void build_large(struct builder *b)
{
    struct view x = build_vector(b, DTYPE_FLOAT32, MANY);
    for (int64_t i = 0; i < MANY; i++) {
        build_set(b, &x, i, (double)(i % 1000) / 512 - 1);
    }
    build_origin(b, &x, false);
    build_observed(b);
    x = build_unary(b, op_find("exp"), &x);
    x = build_unary(b, op_find("tanh"), &x);
    build_unary(b, op_find("sin"), &x);
}

Test(observed, a_large_step_is_judged_in_slices)
{
    const struct suite_case c = {.op = op_find("exp"),
                                 .dtype = DTYPE_FLOAT32,
                                 .name = "declared",
                                 .covers = "",
                                 .file = __FILE__,
                                 .line = __LINE__,
                                 .build = build_large};
    struct record record[3];
    for (int k = 0; k < 3; k++) { /* at once, in slices, and in slices by two threads */
        const struct case_options options = {
            .seed = 1, .repeat = 2, .threads = k == 2 ? 2 : 1, .whole = k == 0};
        judge_with(&c, &options, &record[k]);
        cr_expect_eq(record[k].status, STATUS_PASS, "%s", record[k].reason ? record[k].reason : "");
        cr_expect_eq(record[k].elements, 3 * (int64_t)MANY);
        cr_expect_eq(record[k].max_nu, record[0].max_nu);
        cr_expect_eq(record[k].max_ulp, record[0].max_ulp);
        cr_expect_eq(record[k].bit_exact, record[0].bit_exact);
    }
    for (int s = 0; s < 3; s++) {
        const struct case_options options = {.seed = 1, .repeat = 2, .threads = 2};
        struct record wrong;
        char name[STEP_TEXT];
        nothing_is_spoilt();
        spoilt.factor[s] = 1.001;
        judge_with(&c, &options, &wrong);
        snprintf(name, sizeof name, "step %d of 3, %s", s + 1, s == 0 ? "exp" : s == 1 ? "tanh" : "sin");
        cr_expect_eq(wrong.status, STATUS_FAIL);
        cr_expect_str_eq(wrong.wrong_step, name);
        cr_expect(!strstr(wrong.detail, "also wrong"), "%s", wrong.detail);
        record_clear(&wrong);
    }
    for (int k = 0; k < 3; k++) {
        record_clear(&record[k]);
    }
}

/* --- the verdict cache */

/* An intermediate result is part of the answer: other bits there are another answer. */
Test(observed, intermediate_results_are_part_of_the_answer)
{
    struct program *program = program_create();
    const struct shape shape = shape_of(1, (int64_t)5);
    const struct view x = program_input(program, DTYPE_FLOAT32, &shape);
    program_step(program, op_find("exp"), NULL, 1, &x)->observed = true;
    const struct view y = program->step[0].output[0];
    program_step(program, op_find("tanh"), NULL, 1, &y)->observed = true;
    struct images images;
    struct step_result result[2] = {{.status = STEP_OK}, {.status = STEP_OK}};
    cr_assert(images_create_zero_copy(&images, program, 1, NULL));
    images_fill(&images, program, 0);
    *(float *)(void *)images_element(&images, &y, 3) = 1;
    cr_assert(images_release_untouched(&images, program, 0));
    const struct judge_run one = {&images, result};
    const struct judge_request request = {.program = program, .runs = 1, .run = &one};
    char before[33], after[33];
    answer_digest(&request, before);
    *(float *)(void *)images_element(&images, &y, 3) = 1.0000001F;
    answer_digest(&request, after);
    cr_expect_str_neq(before, after);
    images_destroy(&images);
    program_destroy(&program);
}
