/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tests assay compare and its options as a user runs them, on results that assay run wrote. */

#define GLOB  "elementwise/sgn/float32"
#define RUN   "run " GLOB " --level smoke --backend faulty --no-rerun --quiet "
#define CURVE "scaling/vector_norm/float32/curve"

TestSuite(compare, .init = trial_begin, .fini = trial_end, .timeout = 120);

static void lacks(const char *part)
{
    cr_expect_not(strstr(trial->output, part), "\"%s\" has \"%s\"", trial->output, part);
}

/* Makes FOLDER/old and FOLDER/new; in the latter two cases crash in the same way. */
static void run_two(void)
{
    trial_run(RUN "--results FOLDER/old");
    cr_assert_eq(trial->status, 0, "%s", trial->output);
    trial_faults("segv %s\nsegv %s", trial_id(GLOB, 0), trial_id(GLOB, 1));
    trial_run(RUN "--results FOLDER/new");
    cr_assert_eq(trial->status, 1, "%s", trial->output);
    trial_faults("%s", "");
}

Test(compare, says_what_it_compares_and_what_changed_in_kinds)
{
    char cases[64];
    run_two();
    trial_run("compare FOLDER/old FOLDER/new");
    trial_expect(1, "  backend    faulty\n  device     ");
    snprintf(cases, sizeof cases, "  cases      %d compared (elementwise %d)\n", trial_count(GLOB),
             trial_count(GLOB));
    trial_expect(1, cases);
    trial_expect(1, "\nverdict worse: 2 in 1 group\n  2 × sgn/float32, crash: elementwise/sgn/float32/");
    trial_expect(1, "WORSE (exit 1)");
    trial_run("compare FOLDER/old FOLDER/old");
    trial_expect(0, "nothing got worse");
    trial_run("compare FOLDER/new FOLDER/old --show 0");
    trial_expect(0, "verdict better: 2 in 1 group");
}

Test(compare, show_n_kinds)
{
    trial_run("run elementwise/sgn --level smoke --backend faulty --no-rerun --quiet --results FOLDER/old");
    trial_faults("wrong %s\nwrong %s", trial_id("elementwise/sgn/float32", 0),
                 trial_id("elementwise/sgn/int32", 0));
    trial_run("run elementwise/sgn --level smoke --backend faulty --no-rerun --quiet --results FOLDER/new");
    trial_run("compare FOLDER/old FOLDER/new --show 1");
    trial_expect(1, "… and 1 more in 1 group (--show 0 shows all)");
    trial_run("compare FOLDER/old FOLDER/new --show 0");
    trial_expect(1, "/int32/");
    lacks("more of");
}

Test(compare, fail_on)
{
    run_two();
    trial_run("compare FOLDER/old FOLDER/new --fail-on none");
    trial_expect(0, "worse, but --fail-on none (exit 0)");
    trial_run("compare FOLDER/new FOLDER/new");
    trial_expect(0, "nothing got worse");
    trial_run("compare FOLDER/new FOLDER/new --fail-on fail,flake");
    trial_expect(1, "fails in the new run by --fail-on fail: 2, for instance elementwise/sgn/float32/");
    trial_expect(1, "gate of the new run: FAIL (exit 1)");
    trial_run("compare FOLDER/old FOLDER/old --fail-on none,fail");
    trial_expect(0, "nothing got worse");
    trial_run("compare FOLDER/old FOLDER/old --fail-on stale");
    trial_expect(2, "--fail-on: \"stale\" is unknown; give flake, unsupported, unexpected_pass, vacuous, "
                    "range, implausible, "
                    "worse, fail, none (fail stands for crash, timeout, error and missing too)");
    trial_run("run " GLOB " --backend faulty --fail-on fail");
    trial_expect(2, "fail, crash, timeout, error and missing always fail");
}

Test(compare, two_backends_make_a_table)
{
    run_two();
    trial_run("run " GLOB " --level smoke --backend cpu --quiet --results FOLDER/cpu");
    trial_run("compare FOLDER/new FOLDER/cpu");
    trial_expect(0, "nothing got worse"); /* both are the CPU backend, according to the driver's name */
    char command[400];
    snprintf(command, sizeof command, "sed -i 's/\"device\": *\"[^\"]*\"/\"device\": \"a gpu\"/' %s/new",
             trial->folder);
    cr_assert_eq(system(command), 0);
    trial_run("compare FOLDER/cpu FOLDER/new");
    trial_expect(0, "different devices: ");
    trial_expect(0, "\nelementwise/sgn ");
    trial_expect(0, "fails in the new run only: 2\n  2 × elementwise/sgn/float32/");
    trial_expect(0, "a table, not a regression (exit 0)");
    trial_run("compare FOLDER/cpu FOLDER/new --by family");
    trial_expect(0, "\nelementwise  ");
    trial_run("compare FOLDER/cpu FOLDER/new --fail-on worse");
    trial_expect(1, "verdict worse: 2 in 1 group");
    trial_run("compare FOLDER/cpu FOLDER/new --fail-on fail");
    trial_expect(1, "gate of the new run: FAIL (exit 1)");
}

Test(compare, formats)
{
    run_two();
    trial_run("compare FOLDER/old FOLDER/new --format json");
    json_t *root = trial_json();
    json_t *group = json_array_get(json_object_get(root, "groups"), 0);
    cr_assert_eq(trial->status, 1, "%s", trial->output);
    cr_expect_eq(json_integer_value(json_object_get(group, "count")), 2);
    cr_expect_str_eq(json_string_value(json_object_get(group, "operator")), "sgn");
    cr_expect_str_eq(json_string_value(json_object_get(group, "dtype")), "float32");
    cr_expect_eq(json_array_size(json_object_get(root, "changes")), 2);
    cr_expect(json_is_true(json_object_get(root, "fails")) && json_is_null(json_object_get(root, "table")));
    json_t *pair = json_array_get(json_object_get(root, "pairs"), 0);
    cr_expect_str_eq(json_string_value(json_object_get(json_object_get(pair, "old"), "level")), "smoke");
    json_decref(root);
    trial_run("compare FOLDER/old FOLDER/new --format markdown");
    trial_expect(1, "## assay compare: WORSE (exit 1)\n");
    trial_expect(1, "\n| level  ");
    trial_expect(1, "| `smoke` ");
    trial_expect(1, "### verdict worse: 2\n\n| cases | operator/dtype |");
    trial_expect(1, "|     2 | `sgn/float32`  | `crash` |");
    trial_run("compare FOLDER/old FOLDER/new --format html");
    trial_expect(2, "--format html: give text, json or markdown");
}

/* The times are made up: the noise of a busy machine, and a backend that takes five times as long, which no
 * busy machine explains. */
Test(compare, curves_beyond_their_noise)
{
    static const char *const faults[] = {"none", "noise", "slow"};
    for (int f = 0; f < 3; f++) {
        setenv("ASSAY_TEST_PROCEDURE", faults[f], 1);
        trial_run("run " CURVE " --backend faulty --quiet --results FOLDER/%s", faults[f]);
        cr_assert_eq(trial->status, 0, "%s", trial->output);
    }
    trial_read("noise");
    const struct record_series *time = trial->results.record[0].series;
    cr_assert(time->spread && time->pace);
    for (int i = 0; i < time->points; i++) {
        cr_expect(time->spread[i] >= 0 && time->spread[i] <= 2 * time->y[i] && time->pace[i] > 0, "%g of %g",
                  time->spread[i], time->y[i]);
    }
    trial_run("compare FOLDER/none FOLDER/noise");
    trial_expect(0, "nothing got worse");
    trial_run("compare FOLDER/none FOLDER/slow");
    trial_expect(1, "costs more: 1\n  " CURVE "\n      time per item: ");
    trial_expect(1, "WORSE (exit 1)");
    trial_run("compare FOLDER/none FOLDER/slow --curves off");
    trial_expect(0, "curves     left out (--curves off)");
    trial_expect(0, "nothing got worse");
    trial_run("compare FOLDER/none FOLDER/slow --curves on --curve-ratio 6");
    trial_expect(0, "nothing got worse");
    trial_run("compare FOLDER/none FOLDER/slow --curves maybe");
    trial_expect(2, "--curves maybe: give on or off");
}

Test(compare, a_report_for_a_pull_request)
{
    run_two();
    trial_run("report FOLDER/old FOLDER/new --format markdown");
    trial_expect(0, "## assay: gate: FAIL\n\n| # | backend  |");
    trial_run("report FOLDER/new --format markdown -o FOLDER/new.md");
    trial_expect(0, "");
    trial_run("report FOLDER/new --format markdown");
    trial_expect(0, "### 2 failures in 1 group\n\n| cases | operator/dtype | rule ");
    trial_expect(0, "|     2 | `sgn/float32`  | `crash` |");
    trial_expect(0, "     replay: assay repro elementwise/sgn/float32/");
    trial_expect(0, "### Operators\n\n| operator          | f32 |\n");
    trial_expect(0, "| `elementwise/sgn` | `C` |\n");
    trial_run("report FOLDER/old --format markdown");
    trial_expect(0, "## assay: gate: PASS\n");
    lacks("failure");
}
