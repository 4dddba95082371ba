/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* --resume and --last-failed. */
#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define RUN  "run elementwise/sgn --level smoke --backend faulty --quiet "
#define BOTH "run elementwise/sgn --level smoke --backend cpu --backend faulty --quiet "

static const char failing[] = "elementwise/sgn/float32/specials", other[] = "elementwise/sgn/float32/rank-0";

TestSuite(resume, .init = trial_begin, .fini = trial_end);

/* A whole run in FOLDER/full, and what an interruption leaves of it: some cases missing, some without a
 * record, a last line that is cut. */
static void interrupted_run(const char *words)
{
    trial_run("%s --results FOLDER/full", words);
    cr_assert_leq(trial->status, 1, "%s", trial->output);
    trial_shell("sed -n '1,20p;21{s/\"status\":\"[a-z]*\"/\"status\":\"missing\"/;p};22,30p' full > part && "
                "sed -n 31p full | head -c 60 >> part");
}

Test(resume, the_missing_cases_run_and_the_others_are_kept)
{
    trial_faults("wrong %s", failing);
    interrupted_run(RUN);
    trial_run(RUN "--resume FOLDER/part --results FOLDER/all");
    trial_expect(1, "28 of 101 cases are kept from");
    trial_read("all");
    cr_expect_eq(trial->results.records, 101);
    cr_expect_eq(trial_record(failing)->status, STATUS_FAIL, "whether it was kept or has run again");
    trial_shell("sed 's/.*\"id\":\"\\([^\"]*\\)\".*/\\1/' full | sort > a; sed "
                "'s/.*\"id\":\"\\([^\"]*\\)\".*/\\1/' all "
                "| sort > b; tail -n +2 a > c; tail -n +2 b | cmp - c");
    trial_shell("sed -n '1,20p;22,30p' full > kept; head -29 all | cmp - kept");
    trial_run("merge FOLDER/all -o FOLDER/merged");
    trial_expect(1, "gate: FAIL: 1 failed\n");
}

/* Without --results the records go back to the file that they came from. */
Test(resume, the_file_itself_is_completed)
{
    interrupted_run(RUN);
    trial_run(RUN "--resume FOLDER/part");
    trial_expect(0, "gate: PASS");
    trial_run(RUN "--resume FOLDER/part");
    trial_expect(0, "101 of 101 cases are kept from");
    trial_read("part");
    cr_expect_eq(trial->results.records, 101);
    trial_shell("mkdir gate && cp full gate/results.jsonl");
    trial_run(RUN "--resume FOLDER/gate/results.jsonl --report FOLDER/gate");
    trial_expect(0, "101 of 101 cases are kept from");
    cr_expect(trial_has("gate/junit.xml"));
}

/* A run of another command, assay or device is refused, and its file stays as it is. */
Test(resume, another_run_is_refused)
{
    static const struct {
        const char *words, *edit, *fault;
    } runs[] = {
        {RUN "--seed 2", "", "its seed is 1, and here it is 2"},
        {"run elementwise/sgn --level standard --backend faulty", "",
         "its level is smoke, and here it is standard"},
        {"run elementwise/sgn elementwise/abs --level smoke --backend faulty", "",
         "its selection of cases is "},
        {RUN "--repeat 3", "", "its list of options is not stated, and here it is repeat=3"},
        {RUN "--shard 1/2", "", "its shard is not stated, and here it is 1/2"},
        {"run elementwise/sgn --level smoke --backend cpu", "",
         "it has a run of faulty, which this command does not name"},
        {RUN, "s/\"commit\":\"[^\"]*\"/\"commit\":\"of yesterday\"/", "its commit of assay is of yesterday"},
        {RUN, "s/\"reference\":\"[^\"]*\"/\"reference\":\"r\"/", "its reference is r"},
        {RUN, "s/\"device\":\"[^\"]*\"/\"device\":\"GeForce\"/", "its device is GeForce"},
        {RUN, "s/\"driver\":\"[^\"]*\"/\"driver\":\"535.1\"/", "its driver is 535.1"},
        {RUN, "s/\"subnormals.float32\":\"[^\"]*\"/\"subnormals.float32\":\"never\"/",
         "its profile's subnormals.float32 is never"},
    };
    interrupted_run(RUN);
    for (size_t r = 0; r < sizeof runs / sizeof *runs; r++) {
        char edit[300];
        snprintf(edit, sizeof edit, "sed '1{%s}' part > p && cp p before",
                 *runs[r].edit ? runs[r].edit : "p;d");
        trial_shell(edit);
        trial_run("%s --resume FOLDER/p", runs[r].words);
        trial_expect(2, runs[r].fault);
        bool at_once = !strstr(runs[r].fault, "device") && !strstr(runs[r].fault, "driver") &&
                       !strstr(runs[r].fault, "profile");
        trial_shell(at_once ? "cmp p before" : "test $(wc -l < p) -ge 29"); /* the missing one is dropped */
    }
    trial_run_expect(2, "give only one of them",
                     "run elementwise/sgn --level smoke --backend faulty --resume FOLDER/part --last-failed");
    trial_run_expect(2, "No such file", RUN "--resume FOLDER/nothing");
}

/* What another baseline may decide otherwise is run again. */
Test(resume, cases_that_a_baseline_concerns_run_again)
{
    trial_faults("wrong %s", failing);
    trial_write("known.json", "{\"version\": 2, \"entries\": [{\"id\": \"elementwise/sgn/float32/specials\", "
                              "\"reason\": \"r\"}]}");
    trial_run(RUN "--results FOLDER/full --baseline FOLDER/known.json");
    trial_expect(0, "gate: PASS");
    trial_run(RUN "--resume FOLDER/full --results FOLDER/all");
    trial_expect(1, "100 of 101 cases are kept");
    trial_run(RUN "--resume FOLDER/all --results FOLDER/again --baseline FOLDER/known.json");
    trial_expect(0, "100 of 101 cases are kept");
}

/* A backend that the first run did not reach runs whole, and without it no report is green. */
Test(resume, a_backend_that_was_not_reached)
{
    trial_faults("wrong %s", other);
    trial_run("%s --fail-fast --no-rerun --results FOLDER/first",
              "run elementwise/sgn --level smoke --backend faulty --backend cpu --quiet");
    trial_expect(1, "nothing was run on cpu");
    trial_run("report FOLDER/first --format text");
    trial_expect(1, "nothing was run on cpu");
    trial_faults("%s", "");
    trial_run("run elementwise/sgn --level smoke --backend faulty --backend cpu --quiet --no-rerun --resume "
              "FOLDER/first");
    trial_expect(1, "gate: FAIL: 1 failed\n");
    trial_read("first");
    cr_expect_eq(trial->results.records, 202);
}

TestSuite(last_failed, .init = trial_begin, .fini = trial_end);

Test(last_failed, the_cases_that_failed_run_until_they_pass)
{
    trial_run_expect(2, "no earlier run of faulty in this folder is known",
                     "run elementwise/sgn --level smoke --backend faulty --last-failed");
    trial_faults("wrong %s\nwrong %s", failing, other);
    trial_run_expect(1, "gate: FAIL: 2 failed", RUN "--no-rerun");
    trial_run_expect(1, "\n2 cases in", RUN "--no-rerun --last-failed");
    trial_run_expect(2, "none of the 2 cases that failed last is among the ",
                     "run elementwise/sgn/float16 --level smoke --backend faulty --last-failed");
    trial_run_expect(0, "gate: PASS",
                     "run elementwise/sgn/float16 --level smoke --backend faulty"); /* does not forget them */
    trial_faults("wrong %s", other);
    trial_run_expect(1, "gate: FAIL: 1 failed", RUN "--no-rerun --last-failed");
    trial_run_expect(1, "\n1 case in", RUN "--no-rerun --last-failed");
    trial_faults("%s", "");
    trial_run_expect(0, "\n1 case in", RUN "--last-failed");
    trial_run_expect(0, "no case failed when it last ran here",
                     "run elementwise/sgn --level smoke --backend faulty --quiet --last-failed");
    trial_expect(0, "\n101 cases in");
}
