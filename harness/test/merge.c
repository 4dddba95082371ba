/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/test/faulty.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What merge, compare and report say of files that are not all there. */

#define GLOB "elementwise/sgn/float32"
#define RUN  "run " GLOB " --level smoke --backend faulty --quiet "

static struct trial *trial;

static void begin(void)
{
    trial = trial_create();
}

static void end(void)
{
    trial_destroy(&trial);
}

TestSuite(merge, .init = begin, .fini = end, .timeout = 60);

/* Keeps the first `lines` lines of one file as another, and half a line more with `torn`. */
static void cut(const char *from, const char *to, int lines, bool torn)
{
    char command[400];
    snprintf(command, sizeof command, "cd %s && head -n %d %s > %s; %s", trial->folder, lines, from, to,
             torn ? "printf '{\"version\":1,\"id\":\"elem' >> " : "true");
    if (torn) {
        strncat(command, to, sizeof command - strlen(command) - 1);
    }
    cr_assert_eq(system(command), 0, "%s", command);
}

static void expect(int status, const char *part)
{
    cr_expect_eq(trial->status, status, "exit %d: %s", trial->status, trial->output);
    cr_expect(strstr(trial->output, part), "\"%s\" lacks \"%s\"", trial->output, part);
}

Test(merge, a_lost_shard_fails_the_gate_and_is_named)
{
    for (int k = 1; k <= 3; k++) {
        trial_run(trial, RUN "--shard %d/3 --results FOLDER/s%d", k, k);
        cr_assert_eq(trial->status, 0, "%s", trial->output);
    }
    trial_run(trial, "merge FOLDER/s1 FOLDER/s3 -o FOLDER/m");
    expect(1, "have no record: shard 2/3 is not there");
    expect(1, "gate FAILS (exit 1)");
    trial_run(trial, "report FOLDER/m --format junit");
    expect(0, "errors=\"1\"");
    trial_run(trial, "report FOLDER/m --format markdown");
    expect(0, "**Incomplete.**");
    trial_run(trial, "merge FOLDER/m FOLDER/s2 -o FOLDER/all");
    expect(0, "");
    trial_read(trial, "all");
    cr_expect_eq(trial->results.records, trial_count(trial, GLOB));
    trial_run(trial, "merge FOLDER/s1 FOLDER/s1 FOLDER/s3 FOLDER/s3 -o FOLDER/m");
    expect(1, "shard 2/3 is not there");
    trial_run(trial, "report FOLDER/s1 --format markdown");
    cr_expect(!strstr(trial->output, "Incomplete"), "a shard is whole by itself: %s", trial->output);
}

Test(merge, an_interrupted_run_and_its_repetition_are_one)
{
    const char *which = trial_id(trial, GLOB, 0);
    trial_faults("wrong %s", which);
    trial_run(trial, RUN "--jobs 1 --fail-fast --results FOLDER/i1");
    cr_assert_eq(trial->status, 1);
    trial_faults("%s", "");
    trial_run(trial, RUN "--results FOLDER/i2");
    cr_assert_eq(trial->status, 0, "%s", trial->output);
    trial_run(trial, "merge FOLDER/i1 FOLDER/i2 -o FOLDER/m");
    expect(1, "fail stands");
    trial_run(trial, "merge FOLDER/i2 FOLDER/i1 -o FOLDER/m");
    expect(1, "fail stands");
}

Test(merge, a_missing_record_gives_way)
{
    const char *which = trial_id(trial, GLOB, 2);
    trial_faults("wrong %s", which);
    trial_run(trial, RUN "--jobs 1 --fail-fast --no-rerun --results FOLDER/i1");
    trial_run(trial, RUN "--no-rerun --results FOLDER/i2");
    trial_run(trial, "merge FOLDER/i1 FOLDER/i2 -o FOLDER/m");
    expect(1, "1 failed · gate FAILS (exit 1)");
    trial_read(trial, "m");
    cr_expect_eq(trial->results.records, trial_count(trial, GLOB));
    cr_expect_eq(trial->results.header[0].expected, trial_count(trial, GLOB));
    cr_expect_eq(trial_record(trial, which)->status, STATUS_FAIL);
}

Test(merge, duplicates_hide_no_loss)
{
    trial_run(trial, RUN "--shard 1/2 --results FOLDER/s1");
    trial_run(trial, RUN "--shard 2/2 --results FOLDER/s2");
    cut("s2", "c2", 3, true);
    trial_run(trial, "merge FOLDER/s1 FOLDER/c2 -o FOLDER/m");
    expect(1, "the last line is cut short");
    expect(1, "have no record: ");
    trial_run(trial, "merge FOLDER/s1 FOLDER/s1 FOLDER/c2 -o FOLDER/m");
    expect(1, "have no record: ");
    trial_run(trial, "merge FOLDER/c2 FOLDER/s2 FOLDER/s1 FOLDER/s1 -o FOLDER/m");
    expect(0, "");
    trial_read(trial, "m");
    cr_expect_eq(trial->results.records, trial_count(trial, GLOB));
}

Test(merge, what_does_not_belong_together_is_refused)
{
    trial_run(trial, RUN "--results FOLDER/a");
    trial_run(trial, RUN "--seed 2 --results FOLDER/b");
    trial_run(trial, "run " GLOB " --level standard --backend faulty --results FOLDER/c --quiet");
    trial_run(trial, "merge FOLDER/a FOLDER/b -o FOLDER/m");
    expect(2, "seed 1 and seed 2");
    trial_run(trial, "merge FOLDER/a FOLDER/c -o FOLDER/m");
    expect(2, "level smoke and standard");
    trial_run(trial, "report FOLDER/a FOLDER/b --format junit");
    expect(2, "seed 1 and seed 2");
}

Test(merge, compare_and_report_see_what_is_gone)
{
    trial_run(trial, RUN "--results FOLDER/full");
    cut("full", "cut", 4, true);
    int gone = trial_count(trial, GLOB) - 3;
    char text[80];
    snprintf(text, sizeof text, "(--subset where that is meant): %d", gone);
    trial_run(trial, "compare FOLDER/full FOLDER/cut");
    expect(1, text);
    expect(1, "cut: the last line is cut short");
    expect(1, "WORSE (exit 1)");
    trial_run(trial, "compare FOLDER/full FOLDER/cut --subset");
    expect(0, "nothing got worse");
    trial_run(trial, "compare FOLDER/full FOLDER/cut --format json");
    expect(1, "\"gone\"");
    snprintf(text, sizeof text, "%d of %d selected cases have no record", gone, gone + 3);
    trial_run(trial, "report FOLDER/cut --format csv");
    expect(0, text);
    trial_run(trial, "report FOLDER/cut --format markdown");
    expect(0, "**Incomplete.** `faulty: ");
}
