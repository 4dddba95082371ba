/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/shrink/test/shrink.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* Tests that --shrink does not replace the given failure by another one, and that it says what is left. */

static const char *shrunk_text(const char *fault, const char *words)
{
    setenv("ASSAY_TEST_VALUES", fault, 1);
    operands_restart();
    write_product();
    trial_run("repro --op matmul --input FOLDER/0.npy --input FOLDER/1.npy --backend faulty --shrink %s",
              words);
    cr_expect_eq(trial->status, 1, "%s", trial->output);
    const char *text = strstr(trial->output, "shrunk: ");
    cr_assert_not_null(text, "%s", trial->output);
    return text;
}

/* With fewer than five terms the result is NaN: a smaller call, but another failure. */
Test(shrink, another_rule_is_not_taken)
{
    const char *text = shrunk_text("five-terms", "");
    cr_expect(strstr(text, "terms 5, "), "%s", text);
    cr_expect(strstr(text, "rows 1, columns 1, "), "%s", text);
}

/* The first two terms cancel. They fail as well, but there rounding alone may be a tenth of the result. */
Test(shrink, a_vacuous_call_is_not_taken)
{
    static const double a[] = {1, 1, 1, 1}, b[] = {1, -1 + 0x1p-22, 5, 6};
    json_t *whole;
    write_tensor(0, DTYPE_FLOAT32, shape_of(2, (int64_t)1, (int64_t)4), a);
    write_tensor(1, DTYPE_FLOAT32, shape_of(2, (int64_t)4, (int64_t)1), b);
    setenv("ASSAY_TEST_VALUES", "off-by-a-thousandth", 1);
    trial_run("repro --op matmul --input FOLDER/0.npy --input FOLDER/1.npy --backend faulty --shrink "
              "--format json");
    json_t *after = json_object_get(first_answer(&whole), "shrunk");
    cr_assert_not_null(after, "%s", trial->output);
    cr_expect_str_eq(text_of(after, "after"), "rows 1, columns 1, batch 1, terms 2");
    cr_expect_leq(number_of(after, "resolution"), 0.1, "%s", trial->output);
    json_decref(whole);
}

/* The error grows with the number of terms. Below some number the failure is marginal, and is not accepted.
 */
Test(shrink, a_marginal_call_is_not_taken)
{
    const char *text = shrunk_text("error-of-the-terms", "");
    const char *margin = strstr(text, "max err/bound");
    cr_assert_not_null(margin, "%s", text);
    cr_expect_geq(strtod(margin + 16, NULL), 4, "%s", text);
}

/* The one operand that matters stays. Each crash ends another process. */
Test(shrink, a_crash_shrinks_to_what_crashes)
{
    static double x[120];
    x[77] = 5000;
    write_tensor(0, DTYPE_FLOAT32, shape_of(2, (int64_t)12, (int64_t)10), x);
    write_normal(1, shape_of(2, (int64_t)10, (int64_t)3), 1, 0);
    setenv("ASSAY_TEST_VALUES", "crash-on-large", 1);
    trial_run("repro --op matmul --input FOLDER/0.npy --input FOLDER/1.npy --backend faulty --shrink "
              "--bundle FOLDER/b.zip");
    cr_expect_eq(trial->status, 1, "%s", trial->output);
    const char *text = strstr(trial->output, "shrunk: ");
    cr_assert_not_null(text, "%s", trial->output);
    cr_expect(strstr(text, "rows 1, columns 1, batch 1, terms 1, "), "%s", text);
    cr_expect(strstr(text, "faulty: crash"), "%s", text);
    trial_run("repro FOLDER/b.zip --backend faulty");
    cr_expect(strstr(trial->output, "still there"), "%s", trial->output);
    trial_run("repro FOLDER/b.zip --backend cpu");
    cr_expect_eq(trial->status, 0, "%s", trial->output);
    cr_expect(strstr(trial->output, "the truth is the bundle's"), "%s", trial->output);
    trial_run("repro FOLDER/b.zip");
    cr_expect(strstr(trial->output, "result 0 is not recorded: the backend gave no answer"), "%s",
              trial->output);
}

Test(shrink, a_hang_takes_seconds)
{
    static double x[8];
    x[5] = 5000;
    write_tensor(0, DTYPE_FLOAT32, shape_of(1, (int64_t)8), x);
    setenv("ASSAY_TEST_VALUES", "hang-on-large", 1);
    trial_run("repro --op square --input FOLDER/0.npy --backend faulty --shrink --shrink-time 30 "
              "--time-limit 1");
    const char *text = strstr(trial->output, "shrunk: ");
    cr_assert_not_null(text, "%s", trial->output);
    cr_expect(strstr(text, "columns 1, "), "%s", text);
    cr_expect(strstr(text, "faulty: timeout"), "%s", text);
}

Test(shrink, what_holds_is_not_shrunk)
{
    operands_restart();
    write_product();
    trial_run("repro --op matmul --input FOLDER/0.npy --input FOLDER/1.npy --backend cpu --shrink "
              "--bundle FOLDER/b.zip");
    cr_expect_eq(trial->status, 0, "%s", trial->output);
    cr_expect(strstr(trial->output, "nothing to shrink: the call does not fail"), "%s", trial->output);
    trial_run("repro FOLDER/b.zip");
    cr_expect_eq(trial->status, 0, "%s", trial->output);
    cr_expect(strstr(trial->output, "no failure, as recorded"), "%s", trial->output);
}

/* Options without effect are refused. */
Test(shrink, options_that_do_not_go_together_are_refused)
{
    static const char *const rows[][2] = {
        {"repro linalg/logdet/float32/hilbert-n5 --shrink --in-process", "in other processes"},
        {"repro linalg/logdet/float32/hilbert-n5 --shrink-time 3", "needs --shrink"},
        {"repro linalg/logdet/float32/hilbert-n5 --shrink --after linalg/logdet/float32/hilbert-n4",
         "--after cannot be used with --shrink or --bundle"},
        {"repro linalg/logdet/float32/hilbert-n5 --bundle FOLDER/b.zip -b cpu -b faulty", "of one backend"},
        {"repro inplace/add_/float32/chain-then-sgn --bundle FOLDER/b.zip -b cpu", "take single calls"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        trial_run("%s", rows[r][0]);
        cr_expect_eq(trial->status, 2, "%s: %s", rows[r][0], trial->output);
        cr_expect(strstr(trial->output, rows[r][1]), "%s: %s", rows[r][0], trial->output);
    }
}

/* --- cases of the suite */

Test(shrink, a_case_shrinks)
{
    setenv("ASSAY_TEST_VALUES", "tf32", 1);
    trial_run("repro linalg/matmul/float32/random-9x7x5 --backend faulty --shrink --bundle FOLDER/b.zip");
    cr_expect_eq(trial->status, 1, "%s", trial->output);
    const char *text =
        strstr(trial->output, "shrunk: rows 9, columns 5, batch 1, terms 7 -> rows 1, columns 1");
    cr_assert_not_null(text, "%s", trial->output);
    cr_expect(strstr(text, "explained by operands-tf32"), "%s", text);
    trial_run("repro FOLDER/b.zip --backend faulty");
    cr_expect(strstr(trial->output, "bundle of linalg/matmul/float32/random-9x7x5"), "%s", trial->output);
    cr_expect(strstr(trial->output, "still there"), "%s", trial->output);
}

/* A stride that matters stays, and is in the bundle. */
Test(shrink, a_layout_stays_where_it_fails)
{
    setenv("ASSAY_TEST_VALUES", "ignored-strides", 1);
    trial_run("repro inplace/add_/float32/other-transposed --backend faulty --shrink --bundle "
              "FOLDER/b.zip");
    const char *text = strstr(trial->output, "shrunk: ");
    cr_assert_not_null(text, "%s", trial->output);
    cr_expect(strstr(text, "-> rows 2, columns 2, "), "%s", text);
    cr_expect(strstr(text, "input 0          float32 [2, 2] = "), "%s", text);
    cr_expect(strstr(text, "input 1          float32 [2, 2], strided = "), "%s", text);
    cr_expect(strstr(text, "explained by layout"), "%s", text);
    trial_run("repro FOLDER/b.zip --backend faulty");
    cr_expect(strstr(trial->output, "still there"), "%s", trial->output);
    cr_expect(strstr(trial->output, "explained by layout"), "%s", trial->output);
    trial_run("repro FOLDER/b.zip --backend cpu");
    cr_expect_eq(trial->status, 0, "%s", trial->output);
}

/* If a failure leaves state behind, the process of the search misleads: with fewer than five terms no call
 * fails alone. */
Test(shrink, what_ran_before_does_not_count_takes_seconds)
{
    const char *text = shrunk_text("sticky-last-term", "--bundle FOLDER/b.zip");
    cr_expect(strstr(text, "terms 5, "), "%s", text);
    cr_expect(strstr(text, "earlier calls change the result"), "%s", text);
    trial_run("repro FOLDER/b.zip --backend faulty");
    cr_expect(strstr(trial->output, "still there"), "%s", trial->output);
}

/* The shrunk operands are written as files, separately for each backend; those of an earlier call are
 * removed. */
Test(shrink, the_operands_that_are_left_are_written)
{
    setenv("ASSAY_TEST_VALUES", "tf32", 1);
    operands_restart();
    write_product();
    for (int k = 0; k < 2; k++) {
        setenv("ASSAY_TEST_VALUES", k ? "none" : "tf32", 1);
        trial_run("repro --op matmul --input FOLDER/0.npy --input FOLDER/1.npy --backend faulty "
                  "--backend cpu --shrink --output-dir FOLDER/out");
        cr_expect_eq(trial->status, k == 0, "%s", trial->output);
        cr_expect_eq(trial_has("out/shrunk-faulty-1.npy"), k == 0, "%s", trial->output);
    }
    setenv("ASSAY_TEST_VALUES", "tf32", 1);
    trial_run("repro --op matmul --input FOLDER/0.npy --input FOLDER/1.npy --backend faulty --shrink "
              "--output-dir FOLDER/out");
    const char *replay = strstr(trial->output, "replay           assay repro --op matmul ");
    cr_assert_not_null(replay, "%s", trial->output);
    trial_run("repro --op matmul --input FOLDER/out/shrunk-faulty-0.npy --input "
              "FOLDER/out/shrunk-faulty-1.npy --backend faulty");
    cr_expect_eq(trial->status, 1, "%s", trial->output);
    cr_expect(strstr(trial->output, "explained by operands-tf32"), "%s", trial->output);
}
