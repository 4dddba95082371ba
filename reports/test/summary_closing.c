/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The last line of the summary. */
#include "reports/report.h"
#include "reports/test/fixture.h"

#include <criterion/criterion.h>

static const struct summary_options usual = {
    .seconds = 38.1, .truth_from_cache = 0.96, .report_dir = "build/report/"};

/* Everything that fails the gate stands in the last line; what the baseline excuses does not fail it. */
Test(summary_closing, the_last_line_names_every_cause)
{
    struct results results = {0};
    add_header(&results, "x", "d");
    add_record(&results, "f/o/d/0", "x", STATUS_PASS);
    for (int i = 1; i <= 3; i++) {
        char id[] = "f/o/d/1";
        id[6] = (char)('0' + i);
        add_record(&results, id, "x", i == 3 ? STATUS_VACUOUS : STATUS_UNSUPPORTED)->excused = text("known");
    }
    struct summary_options options = {
        .seconds = 1, .truth_from_cache = NAN, .gate = GATE_STRICT | GATE_VACUOUS};
    char *shown;
    cr_expect_eq(report_exit_status(&results, options.gate), 0);
    PRINT(shown, report_summary(to, &results, &options));
    cr_expect(strstr(shown, "\n2 unsupported (in the baseline): no reason given (2)\n") &&
                  strstr(shown, "vacuous (in the baseline)") &&
                  strstr(shown, "\n4 cases in 1.0 s · 0 failed · gate: PASS\n"),
              "%s", shown);
    free(shown);
    add_record(&results, "f/o/d/4", "x", STATUS_UNSUPPORTED);
    add_record(&results, "f/o/d/5", "x", STATUS_FLAKE);
    struct record *failure = add_record(&results, "f/o/d/6", "x", STATUS_FAIL);
    failure->excused = text("a record's own word excuses no failure");
    cr_expect(gate_fails(failure, 0));
    results.header[0].expected = 9;
    results.header[0].lost_shards = text("2/3, 3/3");
    options.cause = "interrupted";
    options.report_dir = "build/report";
    cr_expect_eq(report_exit_status(&results, options.gate), 1);
    PRINT(shown, report_summary(to, &results, &options));
    cr_expect(strstr(shown, "\n7 cases in 1.0 s · build/report · gate: FAIL: 1 failed,\n"
                            "  1 unsupported not in the baseline, 1 flaky,\n"
                            "  shards 2/3, 3/3 of x are not there, interrupted\n"),
              "%s", shown);
    free(shown);
    results_destroy(&results);
}

/* Without a baseline nothing is said of one. A verdict that does not fit begins a line. */
Test(summary_closing, the_last_line_is_broken_before_the_verdict)
{
    struct results results = {0};
    add_record(&results, "f/o/d/1", "x", STATUS_UNSUPPORTED);
    add_record(&results, "f/o/d/2", "x", STATUS_PASS);
    struct summary_options options = {.seconds = 1,
                                      .truth_from_cache = NAN,
                                      .gate = GATE_UNSUPPORTED,
                                      .report_dir = "a/folder/with/quite/a/long/path"};
    char *shown;
    PRINT(shown, report_summary(to, &results, &options));
    cr_expect(strstr(shown, "\n2 cases in 1.0 s · a/folder/with/quite/a/long/path\n"
                            "gate: FAIL: 1 unsupported\n"),
              "%s", shown);
    free(shown);
    results_destroy(&results);
}

/* A run whose backend supports none of the cases judged nothing. */
Test(summary_closing, nothing_judged)
{
    struct results results = {0};
    char *shown;
    add_header(&results, "x", "d");
    add_header(&results, "y", "d");
    for (int i = 0; i < 3; i++) {
        add_record(&results, "f/o/d/1", "x", STATUS_PASS);
        add_record(&results, "f/o/d/1", "y", STATUS_UNSUPPORTED);
    }
    cr_assert_eq(report_exit_status(&results, 0), 3);
    PRINT(shown, report_summary(to, &results, &usual));
    cr_assert(strstr(shown, "NOTHING JUDGED") && strstr(shown, "(exit 3)") && !strstr(shown, "holds"), "%s",
              shown);
    free(shown);
    results.header[1].shard = strdup("2/9");
    cr_assert_eq(report_exit_status(&results, 0), 0, "one shard may be so");
    struct summary_options fails = usual;
    fails.cause = "interrupted";
    PRINT(shown, report_summary(to, &results, &fails));
    cr_assert(strstr(shown, "gate: FAIL: interrupted") && !strstr(shown, "holds"), "%s", shown);
    free(shown);
    results_destroy(&results);
}
