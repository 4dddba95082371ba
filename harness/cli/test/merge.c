/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tests what merge, compare and report say of incomplete files. */

#define GLOB "elementwise/sgn/float32"
#define RUN  "run " GLOB " --level smoke --backend faulty --quiet "

TestSuite(merge, .init = trial_begin, .fini = trial_end, .timeout = 60);

/* Copies the first `lines` lines of a file; with `torn` also half of the next line. */
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

Test(merge, a_lost_shard_fails_the_gate_and_is_named)
{
    for (int k = 1; k <= 3; k++) {
        trial_run(RUN "--shard %d/3 --results FOLDER/s%d", k, k);
        cr_assert_eq(trial->status, 0, "%s", trial->output);
    }
    trial_run("merge FOLDER/s1 FOLDER/s3 -o FOLDER/m");
    trial_expect(1, "have no record: shard 2/3 is not there");
    trial_expect(1, "gate: FAIL: ");
    trial_run("report FOLDER/m --format junit");
    trial_expect(0, "errors=\"1\"");
    trial_run("report FOLDER/m --format markdown");
    trial_expect(0, "**Incomplete.**");
    trial_run("merge FOLDER/m FOLDER/s2 -o FOLDER/all");
    trial_expect(0, "");
    trial_read("all");
    cr_expect_eq(trial->results.records, trial_count(GLOB));
    trial_run("merge FOLDER/s1 FOLDER/s1 FOLDER/s3 FOLDER/s3 -o FOLDER/m");
    trial_expect(1, "shard 2/3 is not there");
    trial_run("report FOLDER/s1 --format markdown");
    cr_expect(!strstr(trial->output, "Incomplete"), "a shard is whole by itself: %s", trial->output);
}

Test(merge, an_interrupted_run_and_its_repetition_are_one)
{
    const char *which = trial_id(GLOB, 0);
    trial_faults("wrong %s", which);
    trial_run(RUN "--jobs 1 --fail-fast --results FOLDER/i1");
    cr_assert_eq(trial->status, 1);
    trial_faults("%s", "");
    trial_run(RUN "--results FOLDER/i2");
    cr_assert_eq(trial->status, 0, "%s", trial->output);
    trial_run("merge FOLDER/i1 FOLDER/i2 -o FOLDER/m");
    trial_expect(1, "fail is kept");
    trial_run("merge FOLDER/i2 FOLDER/i1 -o FOLDER/m");
    trial_expect(1, "fail is kept");
}

Test(merge, a_missing_record_gives_way)
{
    const char *which = trial_id(GLOB, 2);
    trial_faults("wrong %s", which);
    trial_run(RUN "--jobs 1 --fail-fast --no-rerun --results FOLDER/i1");
    trial_run(RUN "--no-rerun --results FOLDER/i2");
    trial_run("merge FOLDER/i1 FOLDER/i2 -o FOLDER/m");
    trial_expect(1, "gate: FAIL: 1 failed");
    trial_read("m");
    cr_expect_eq(trial->results.records, trial_count(GLOB));
    cr_expect_eq(trial->results.header[0].expected, trial_count(GLOB));
    cr_expect_eq(trial_record(which)->status, STATUS_FAIL);
}

Test(merge, duplicates_hide_no_loss)
{
    trial_run(RUN "--shard 1/2 --results FOLDER/s1");
    trial_run(RUN "--shard 2/2 --results FOLDER/s2");
    cut("s2", "c2", 3, true);
    trial_run("merge FOLDER/s1 FOLDER/c2 -o FOLDER/m");
    trial_expect(1, "the last line is cut short");
    trial_expect(1, "have no record: ");
    trial_run("merge FOLDER/s1 FOLDER/s1 FOLDER/c2 -o FOLDER/m");
    trial_expect(1, "have no record: ");
    trial_run("merge FOLDER/c2 FOLDER/s2 FOLDER/s1 FOLDER/s1 -o FOLDER/m");
    trial_expect(0, "");
    trial_read("m");
    cr_expect_eq(trial->results.records, trial_count(GLOB));
}

Test(merge, what_does_not_belong_together_is_refused)
{
    trial_run(RUN "--results FOLDER/a");
    trial_run(RUN "--seed 2 --results FOLDER/b");
    trial_run("run " GLOB " --level standard --backend faulty --results FOLDER/c --quiet");
    trial_run("merge FOLDER/a FOLDER/b -o FOLDER/m");
    trial_expect(2, "seed 1 and seed 2");
    trial_run("merge FOLDER/a FOLDER/c -o FOLDER/m");
    trial_expect(2, "level smoke and standard");
    trial_run("report FOLDER/a FOLDER/b --format junit");
    trial_expect(2, "seed 1 and seed 2");
}

Test(merge, compare_and_report_see_what_is_gone)
{
    trial_run(RUN "--results FOLDER/full");
    cut("full", "cut", 4, true);
    int gone = trial_count(GLOB) - 3;
    char text[80];
    snprintf(text, sizeof text, "(--subset allows this): %d", gone);
    trial_run("compare FOLDER/full FOLDER/cut");
    trial_expect(1, text);
    trial_expect(1, "cut: the last line is cut short");
    trial_expect(1, "WORSE (exit 1)");
    trial_run("compare FOLDER/full FOLDER/cut --subset");
    trial_expect(1, "a run is incomplete (exit 1)");
    trial_run("compare FOLDER/cut FOLDER/full --fail-on none");
    trial_expect(1, "incomplete: the old run: faulty: ");
    trial_run("compare FOLDER/full FOLDER/cut --format json");
    trial_expect(1, "\"gone\"");
    snprintf(text, sizeof text, "%d of %d selected cases have no record", gone, gone + 3);
    trial_run("report FOLDER/cut --format csv");
    trial_expect(0, text);
    trial_run("report FOLDER/cut --format markdown");
    trial_expect(0, "**Incomplete.** `faulty: ");
}

/* Reports of the merged file name the lost shard too; with its file nothing is lost. */
Test(merge, a_lost_shard_is_named_by_every_report)
{
    for (int k = 1; k <= 3; k++) {
        trial_run(RUN "--shard %d/3 --results FOLDER/%d", k, k);
    }
    trial_run("merge FOLDER/1 FOLDER/3 -o FOLDER/two");
    trial_expect(1, "gate: FAIL: shard 2/3 of faulty is not there\n");
    static const char *const formats[] = {"text", "markdown", "html", "junit"};
    for (int f = 0; f < 4; f++) {
        trial_run("report FOLDER/two --format %s", formats[f]);
        trial_expect(f == 0, "shard 2/3 is not there");
    }
    trial_expect(0, "classname=\"faulty.missing\" name=\"shard 2/3\"");
    trial_run("merge FOLDER/two FOLDER/1 -o FOLDER/still");
    trial_expect(1, "gate: FAIL: shard 2/3 of faulty is not there\n");
    trial_run("merge FOLDER/two FOLDER/2 -o FOLDER/all");
    trial_expect(0, "gate: PASS\n");
}

/* Records without a header fail the gate in merge, report and compare, and so do they in the joined file. */
Test(merge, records_without_a_header_fail_the_gate)
{
    trial_run(RUN "--results FOLDER/full");
    cr_assert_eq(trial->status, 0, "%s", trial->output);
    trial_shell("tail -n +6 full > bare && tail -n +2 full > records && cat full records > doubled");
    trial_run("merge FOLDER/bare -o FOLDER/m");
    trial_expect(1, "bare:1: 11 records have no header: the file lost its beginning");
    trial_expect(1, "gate: FAIL: ");
    trial_run("merge FOLDER/m FOLDER/full -o FOLDER/n");
    trial_expect(1, "records have no header");
    trial_run("merge FOLDER/full FOLDER/bare -o FOLDER/n");
    trial_expect(1, "records have no header");
    trial_run("report FOLDER/n --format junit");
    trial_expect(0, "errors=\"1\"");
    trial_run("report FOLDER/bare --format markdown");
    trial_expect(0, "gate: FAIL");
    trial_run("report FOLDER/bare --format html -o FOLDER/page");
    trial_expect(0, "records have no header");
    trial_run("compare FOLDER/full FOLDER/bare --subset");
    trial_expect(1, "a run is incomplete (exit 1)");
    trial_run("compare FOLDER/bare FOLDER/full");
    trial_expect(1, "a run is incomplete (exit 1)");
    trial_run("merge FOLDER/doubled -o FOLDER/m");
    trial_expect(0, "gate: PASS");
}

/* If a file has two verdicts of one case, the worse one counts, in either order. */
Test(merge, compare_takes_the_worse_of_two_records)
{
    const char *which = trial_id(GLOB, 0);
    trial_run(RUN "--results FOLDER/good");
    trial_faults("wrong %s", which);
    trial_run(RUN "--no-rerun --results FOLDER/bad");
    cr_assert_eq(trial->status, 1);
    trial_shell("cat good bad > good-bad && cat bad good > bad-good");
    trial_run("compare FOLDER/good FOLDER/good-bad");
    trial_expect(1, "WORSE (exit 1)");
    trial_run("compare FOLDER/good FOLDER/bad-good");
    trial_expect(1, "WORSE (exit 1)");
    trial_run("compare FOLDER/good-bad FOLDER/bad");
    trial_expect(0, "nothing got worse");
    trial_run("compare FOLDER/bad-good FOLDER/bad");
    trial_expect(0, "nothing got worse");
}
