/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Chains of observed steps: the first wrong step is named, and only wrong steps are. */

#include "harness/judge/test/observed.h"

TestSuite(observed, .init = nothing_is_spoilt);

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
    spoilt.factor[7] = 100;
    struct record record = chain(DTYPE_FLOAT32, NULL);
    expect_wrong(&record, 3);
    cr_expect(strstr(record.detail, "also wrong: step 8 of 10, gelu_backward: "), "%s", record.detail);
    cr_expect(strncmp(record.worst.where, "step 4 of 10, linear: ", 22) == 0, "%s", record.worst.where);
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

/* --- the envelope */

/* A scale error of 32 u lies within the certified bound of the second product. */
Test(observed, what_the_envelope_refuses_fails_a_step_that_observes)
{
    spoilt.factor[3] = 1 + 32 * 0x1p-24;
    struct record record = chain(DTYPE_FLOAT32, NULL);
    expect_wrong(&record, 3);
    cr_expect_str_eq(record.rule, RECORD_RULE_ENVELOPE);
    record_clear(&record);
}

/* A common scale error that only G shows is a finding there: operands behind an activation may be equal. */
Test(observed, a_common_scale_error_is_a_finding_behind_the_first_step)
{
    spoilt.factor[3] = 1 + 6 * 0x1p-24;
    struct record record = chain(DTYPE_FLOAT32, NULL);
    cr_expect_eq(record.status, STATUS_PASS, "%s", record.reason ? record.reason : "");
    cr_expect_gt(record.implausible, 1);
    cr_expect(record.implausible_step && strcmp(record.implausible_step, "step 4 of 10, linear") == 0, "%s",
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

/* --- results that the operator itself judges */

static void build_argmax(struct builder *b)
{
    struct view x = build_vector(b, DTYPE_FLOAT32, 40);
    for (int64_t i = 0; i < 40; i++) {
        build_set(b, &x, i, (double)((i * 17 + 5) % 40) / 16);
    }
    build_origin(b, &x, false);
    build_observed(b);
    x = build_unary(b, op_find("exp"), &x);
    build_unary(b, op_find("argmax"), &x);
    x = build_unary(b, op_find("neg"), &x);
    build_unary(b, op_find("argmax"), &x);
}

/* Step 1 makes the first element the greatest; argmax is right if it says so, and both wrong ones are named.
 */
Test(observed, verified_results_are_judged_from_what_was_left)
{
    const struct suite_case c = {.op = op_find("argmax"),
                                 .dtype = DTYPE_FLOAT32,
                                 .name = "declared",
                                 .covers = "",
                                 .file = __FILE__,
                                 .line = __LINE__,
                                 .build = build_argmax};
    const struct case_options options = {.seed = 1, .repeat = 2};
    struct record record;
    judge_with(&c, &options, &record);
    cr_expect_eq(record.status, STATUS_PASS, "%s", record.reason ? record.reason : "");
    record_clear(&record);
    spoilt.factor[0] = 100;
    spoilt.single[0] = true;
    judge_with(&c, &options, &record);
    cr_assert(record.wrong_step && record.detail, "%s", record.reason ? record.reason : "");
    cr_expect_str_eq(record.wrong_step, "step 1 of 4, exp");
    cr_expect(!strstr(record.detail, "also wrong"), "%s", record.detail);
    record_clear(&record);
    spoilt.factor[0] = 0;
    spoilt.factor[1] = spoilt.factor[3] = 0.5;
    judge_with(&c, &options, &record);
    cr_assert(record.wrong_step && record.detail, "%s", record.reason ? record.reason : "");
    cr_expect_str_eq(record.wrong_step, "step 2 of 4, argmax");
    cr_expect(strstr(record.detail, "also wrong: step 4 of 4, argmax"), "%s", record.detail);
    cr_expect(record.worst.where && strncmp(record.worst.where, "step 2 of 4, argmax", 19) == 0, "%s",
              record.worst.where ? record.worst.where : "nowhere");
    record_clear(&record);
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
