/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Chains of observed steps whose runs differ, or whose steps do not all give a value. */

#include "harness/judge/test/observed.h"

TestSuite(observed_runs, .init = nothing_is_spoilt);

static const char *const only_linear[] = {"linear", NULL};

Test(observed_runs, a_difference_that_no_profile_declares_names_its_step)
{
    spoilt.factor[3] = 1 + 0x1p-23;
    spoilt.run[3] = 1;
    struct record record = chain(DTYPE_FLOAT32, NULL);
    expect_wrong(&record, 3);
    cr_expect_str_eq(record.rule, "not repeatable");
    cr_expect(strstr(record.reason, "of step 4 of 10, linear: "), "%s", record.reason);
    record_clear(&record);
}

/* What descends from a declared difference may differ too: each run has its own truth. */
Test(observed_runs, runs_may_differ_behind_a_nondeterministic_step)
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

/* The difference lies within the bound of its step, and moves the next one by more than its bound: the truth
 * of run 0 would refuse run 1. */
Test(observed_runs, each_run_is_judged_by_its_own_truth)
{
    nondeterministic = only_linear;
    spoilt.factor[3] = 1 + 0x1p-20;
    spoilt.run[3] = 1;
    struct record record = chain(DTYPE_FLOAT32, NULL);
    cr_expect_eq(record.status, STATUS_PASS, "%s", record.reason ? record.reason : "");
    cr_expect_eq(record.distinct, 2);
    record_clear(&record);
}

Test(observed_runs, a_step_that_is_wrong_in_a_later_run_is_found_by_the_truth_of_that_run)
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
                    "in run 1, whose results differ from those of run 0: step 6 of 10, softmax_backward: ",
                    84) == 0,
        "%s", record.reason);
    cr_expect_str_eq(record.wrong_step, "step 6 of 10, softmax_backward");
    cr_expect_eq(record.distinct, 2);
    cr_expect_str_eq(record.id, "block/linear/float32/declared");
    record_clear(&record);
}

/* A step behind a declared difference must not differ by itself where its operands are equal. */
Test(observed_runs, a_difference_with_equal_operands_is_not_excused)
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

Test(observed_runs, steps_before_an_unsupported_one_are_judged)
{
    spoilt.status[5] = STEP_UNSUPPORTED;
    struct record record = chain(DTYPE_FLOAT32, NULL);
    cr_expect_eq(record.status, STATUS_UNSUPPORTED);
    cr_expect(strstr(record.reason, "step 6 of 10, softmax_backward: no such kernel") &&
                  strstr(record.reason, "; steps 1 to 5 are right, steps 7 to 10 are not judged"),
              "%s", record.reason);
    cr_expect_eq(record.elements, 0, "an unsupported case has no metrics");
    record_clear(&record);

    spoilt.factor[2] = 1.5;
    record = chain(DTYPE_FLOAT32, NULL);
    expect_wrong(&record, 2);
    cr_expect(strstr(record.detail, "step 6 of 10, softmax_backward: no such kernel"), "%s", record.detail);
    record_clear(&record);

    spoilt.status[0] = STEP_UNSUPPORTED;
    record = chain(DTYPE_FLOAT32, NULL);
    cr_expect_eq(record.status, STATUS_UNSUPPORTED);
    cr_expect_str_eq(record.reason, "no such kernel");
    record_clear(&record);
}

Test(observed_runs, a_step_that_is_rejected_is_wrong_and_ends_the_verdict)
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
    cr_expect(strstr(record.detail, "also wrong: step 6 of 10, softmax_backward: it rejected"), "%s",
              record.detail);
    record_clear(&record);
}
