/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/host/processors.h"
#include "harness/options/files.h"
#include "harness/run/progress.h"
#include "harness/test/trial.h"
#include "harness/workers/worker.h"

#include <criterion/criterion.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Tests the whole program from the outside: exit statuses, messages, and that the records of a run depend
 * only on its request. */

#define GLOB "elementwise/sgn/float32"

TestSuite(run, .init = trial_begin, .fini = trial_end, .timeout = 60);

/* Returns a record without times and memory readings, and without its origin in the verdict cache. */
static char *timeless(const struct record *record)
{
    struct record copy = *record;
    copy.device_ns = copy.wall_ns = copy.reference_ns = copy.case_ns = copy.peak_bytes = 0;
    copy.remembered = 0;
    return record_format(&copy);
}

static char **records_of(const char *arguments, int *count)
{
    trial_run("run elementwise/sgn --level smoke --backend faulty --results FOLDER/r %s", arguments);
    trial_read("r");
    files_sort(&trial->results);
    *count = trial->results.records;
    char **lines = calloc((size_t)*count + 1, sizeof *lines);
    for (int r = 0; r < *count; r++) {
        lines[r] = timeless(&trial->results.record[r]);
    }
    return lines;
}

Test(run, records_do_not_depend_on_jobs_or_order)
{
    static const char *const ways[] = {"--jobs 1", "--jobs 2", "--jobs 2 --shuffle", "--jobs 5 --no-cache"};
    int count;
    trial_faults("wrong %s\nsegv %s", trial_id(GLOB, 2), trial_id(GLOB, 9));
    char **first = records_of(ways[0], &count);
    cr_assert_eq(count, trial_count("elementwise/sgn"));
    for (int w = 1; w < 4; w++) {
        int again;
        char **other = records_of(ways[w], &again);
        cr_assert_eq(again, count, "%s", ways[w]);
        for (int r = 0; r < count; r++) {
            cr_expect_str_eq(first[r], other[r], "%s", ways[w]);
            free(other[r]);
        }
        free(other);
    }
    for (int r = 0; r < count; r++) {
        free(first[r]);
    }
    free(first);
}

/* Compares everything in a record but times and memory, with one worker and with many, in any order, with
 * truths and verdicts computed or from the caches, which the second run fills. */
Test(run, records_on_vulkan_depend_on_the_question_alone_takes_seconds, .timeout = 300)
{
    static const char *const ways[] = {"--jobs 1 --no-cache",
                                       "--jobs 2",
                                       "--jobs 1",
                                       "--jobs 5",
                                       "--jobs 2 --no-cache --shuffle",
                                       "--jobs 5 --shuffle",
                                       "--jobs 2 --no-verdict-cache"};
    char **first = NULL;
    int count = 0;
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
        trial_run(
            "run clamp_ lerp_ addcdiv_ coalesce layer_norm vector_norm logdet matrix_exp sgn amp_unscale "
            "--exclude memory/* --exclude scaling/* --level smoke --backend vulkan --results "
            "FOLDER/r %s",
            ways[w]);
        cr_assert_eq(trial->status, 0, "%s: %s", ways[w], trial->output);
        trial_read("r");
        files_sort(&trial->results);
        cr_assert(w == 0 || trial->results.records == count, "%s", ways[w]);
        if (w == 0) {
            count = trial->results.records;
            first = calloc((size_t)count + 1, sizeof *first);
        }
        int remembered = 0;
        for (int r = 0; r < count; r++) {
            remembered += trial->results.record[r].remembered;
        }
        cr_expect(strstr(ways[w], "no-") || w == 1 ? remembered == 0 : remembered > 20, "%s: %d", ways[w],
                  remembered);
        for (int r = 0; r < count; r++) {
            char *line = timeless(&trial->results.record[r]);
            if (w == 0) {
                first[r] = line;
                continue;
            }
            cr_expect_str_eq(first[r], line, "%s: %s instead of %s", ways[w], line, first[r]);
            free(line);
        }
    }
    cr_expect_gt(count, 300);
    for (int r = 0; r < count; r++) {
        free(first[r]);
    }
    free(first);
}

Test(run, shards_join_to_the_whole)
{
    for (int k = 1; k <= 3; k++) {
        trial_run("run elementwise/sgn --level smoke --backend faulty --shard %d/3 --results FOLDER/%d", k,
                  k);
        cr_assert_eq(trial->status, 0, "%s", trial->output);
    }
    trial_run("merge FOLDER/1 FOLDER/2 FOLDER/3 -o FOLDER/all");
    cr_expect_eq(trial->status, 0, "%s", trial->output);
    trial_read("all");
    cr_expect_eq(trial->results.headers, 1);
    cr_expect_eq(trial->results.records, trial_count("elementwise/sgn"));
    trial_run("report FOLDER/all --format junit -o FOLDER/junit.xml");
    cr_expect_eq(trial->status, 0, "%s", trial->output);
    trial_run("report FOLDER/all --format junti");
    cr_expect_eq(trial->status, 2);
    cr_expect(strstr(trial->output, "did you mean junit?"), "%s", trial->output);
}

Test(run, the_replay_line_is_whole)
{
    char command[1600];
    int used = snprintf(command, sizeof command, "exec:cat;");
    while (used < 1500) {
        used += snprintf(command + used, sizeof command - (size_t)used, "'long'");
    }
    struct worker_setup setup = {
        .backend = command, .seed = 7, .repeat = 3, .validate = true, .time_limit = 2.5};
    char *replay = worker_replay(&setup, "a/b/c/d");
    cr_expect(strstr(replay, " --seed 7 --repeat 3 --validate --time-limit 2.5"), "%s", replay);
    free(replay);
    setup = (struct worker_setup){.backend = "cpu", .seed = 1, .repeat = 2, .time_limit = WORKER_TIME_LIMIT};
    replay = worker_replay(&setup, "a/b/c/d");
    cr_expect_str_eq(replay, "assay repro a/b/c/d --backend cpu --seed 1");
    free(replay);
    trial_faults("wrong %s", trial_id(GLOB, 1));
    trial_run("run " GLOB " --level smoke --backend faulty --time-limit 33");
    cr_expect(strstr(trial->output, "--seed 1 --time-limit 33"), "%s", trial->output);
}

Test(run, an_interrupted_bench_is_no_measurement)
{
    setenv("ASSAY_TEST_SLOW", "300", 1);
    pid_t pid = trial_start("bench runner " GLOB " --level smoke --backend faulty --jobs 1 --seed 98764");
    trial_await("worker --backend faulty --seed 98764");
    kill(pid, SIGINT);
    trial_wait(pid);
    cr_expect_neq(trial->status, 0);
    cr_expect(strstr(trial->output, "interrupted, so nothing was measured"), "%s", trial->output);
    cr_expect(!strstr(trial->output, " cases "), "%s", trial->output);
}

Test(run, passes_and_replays)
{
    char words[400];
    snprintf(words, sizeof words, "repro %s --backend faulty", trial_id(GLOB, 0));
    trial_run_expect(0, "max ulp", words);
    snprintf(words, sizeof words, "repro %s --backend faulty --in-process", trial_id(GLOB, 0));
    trial_run_expect(0, "pass elementwise/sgn/float32/", words);
    trial_faults("wrong %s", trial_id(GLOB, 0));
    trial_run_expect(1, "FAIL elementwise/sgn/float32/", words);
    trial_run_expect(1, "truth", words);
}

Test(run, self_test_catches_what_it_spoils)
{
    trial_run_expect(1, "self-test: faulty: 1 of 1 changed values detected",
                     "run " GLOB " --level smoke --backend faulty --self-test");
    trial_faults("open refuse");
    trial_run_expect(3, "out to lunch", "run " GLOB " --level smoke --backend faulty --self-test");
}

Test(run, baseline_gates)
{
    const char *which = trial_id(GLOB, 1);
    const char *words =
        "run " GLOB " --level smoke --backend faulty --baseline FOLDER/known.json --results FOLDER/r";
    trial_faults("wrong %s", which);
    trial_run("%s --update-baseline", words);
    cr_expect(strstr(trial->output, "0 entries removed, 1 added"), "%s", trial->output);
    trial_run("%s", words);
    cr_expect_eq(trial->status, 0, "a known failure does not fail the gate: %s", trial->output);
    trial_read("r");
    cr_expect_eq(trial_record(which)->status, STATUS_EXPECTED_FAIL);
    trial_faults("%s", "");
    trial_run("%s", words);
    cr_expect_eq(trial->status, 0, "%s", trial->output);
    trial_read("r");
    cr_expect_eq(trial_record(which)->status, STATUS_UNEXPECTED_PASS);
    cr_expect(strstr(trial->output, "is stale"), "%s", trial->output);
    trial_run("%s --strict", words);
    cr_expect_eq(trial->status, 1);
    trial_run("%s --update-baseline", words);
    cr_expect(strstr(trial->output, "1 entry removed, 0 added\n"), "nothing new needs a reason: %s",
              trial->output);
    trial_run("%s --strict", words);
    cr_expect_eq(trial->status, 0, "%s", trial->output);
}

Test(run, baseline_entries_without_a_case_are_stale)
{
    const char *words = "run " GLOB " --level smoke --backend faulty --baseline FOLDER/known.json";
    trial_write("known.json", "{\"version\": 1, \"entries\": [{\"id\": \"zzz/*\", \"reason\": \"r\"}]}");
    trial_run("%s", words);
    cr_expect_eq(trial->status, 0, "%s", trial->output);
    cr_expect(strstr(trial->output, "\"zzz/*\" is stale: it matches no case"), "%s", trial->output);
    trial_run("%s --strict", words);
    cr_expect_eq(trial->status, 1, "%s", trial->output);
    cr_expect(strstr(trial->output, "gate: FAIL: 1 stale baseline entry"), "%s", trial->output);
}

Test(run, the_last_line_says_what_the_exit_status_says)
{
    trial_faults("open refuse");
    trial_run_expect(3, "0 failed · 1 of 2 backends could not run (exit 3)",
                     "run " GLOB " --level smoke --backend cpu --backend faulty");
    trial_run_expect(1, "gate: FAIL: a file could not be written",
                     "run " GLOB " --level smoke --backend cpu --junit /dev/full");
}

Test(run, fail_fast_stops)
{
    trial_faults("wrong %s", trial_id(GLOB, 2));
    trial_run("run %s --level smoke --backend faulty --jobs 1 --fail-fast --results FOLDER/r", GLOB);
    cr_expect_eq(trial->status, 1);
    trial_read("r");
    cr_expect_eq(trial->results.records, trial_count(GLOB));
    cr_expect_eq(trial_record(trial_id(GLOB, trial->results.records - 1))->status, STATUS_MISSING);
}

Test(run, max_failures_stops_after_so_many)
{
    char first[256];
    snprintf(first, sizeof first, "%s", trial_id(GLOB, 0));
    trial_faults("wrong %s\nwrong %s", first, trial_id(GLOB, 1));
    for (int most = 1; most <= 3; most++) {
        int count[STATUS_COUNT] = {0};
        trial_run(
            "run %s --level smoke --backend faulty --jobs 1 --no-rerun --max-failures %d --results FOLDER/r",
            GLOB, most);
        cr_expect_eq(trial->status, 1);
        trial_read("r");
        for (int r = 0; r < trial->results.records; r++) {
            count[trial->results.record[r].status]++;
        }
        cr_expect_eq(count[STATUS_FAIL], most < 2 ? most : 2);
        cr_expect_eq(strstr(trial->output, "stopped by --max-failures 2") != NULL, most == 2, "%s",
                     trial->output);
        cr_expect(most < 3 ? count[STATUS_MISSING] > 0 : count[STATUS_MISSING] == 0, "%d: %d missing", most,
                  count[STATUS_MISSING]);
    }
}

/* A path in a classname would break the history that a CI keeps. */
Test(run, a_backend_has_the_name_that_it_is_given)
{
    trial_faults("wrong %s", trial_id(GLOB, 2));
    const char *words = "run " GLOB " --level smoke --backend faulty --name ours --backend cpu --no-rerun "
                        "--baseline FOLDER/known.json --results FOLDER/r --junit FOLDER/j.xml";
    trial_run("%s --update-baseline", words);
    trial_read("r");
    cr_assert_eq(trial->results.headers, 2);
    cr_expect_str_eq(trial->results.header[0].backend, "ours");
    cr_expect_str_eq(trial->results.header[1].backend, "cpu");
    int ours = 0;
    for (int r = 0; r < trial->results.records; r++) {
        const struct record *record = &trial->results.record[r];
        bool named = strcmp(record->backend, "ours") == 0;
        ours += named;
        cr_expect(!named || record->status != STATUS_FAIL || strstr(record->repro, "--backend faulty"), "%s",
                  record->repro);
    }
    cr_expect_eq(ours, trial_count(GLOB));
    char command[400];
    snprintf(command, sizeof command,
             "grep -q 'classname=\"ours.elementwise' %s/j.xml && grep -q '\"ours\"' %s/known.json",
             trial->folder, trial->folder);
    cr_expect_eq(system(command), 0);
    trial_run("%s", words);
    cr_expect_eq(trial->status, 0, "the baseline knows it by its name: %s", trial->output);
    trial_run("run " GLOB " --backend cpu --name a --name b");
    cr_expect_eq(trial->status, 2);
    cr_expect(strstr(trial->output, "--name b: 2 names are given for 1 backend"), "%s", trial->output);
    trial_run("run " GLOB " --backend faulty --backend cpu --name cpu");
    cr_expect_eq(trial->status, 2);
    cr_expect(strstr(trial->output, "--name \"cpu\": another backend has that name"), "%s", trial->output);
}

/* hilbert-n8 is vacuous in float32. */
Test(run, fail_on_adds_to_the_gate)
{
    static const char words[] = "run linalg/logdet/float32/hilbert-n8 --backend cpu --quiet";
    trial_run("%s --results FOLDER/r", words);
    cr_expect_eq(trial->status, 0, "%s", trial->output);
    trial_run("%s --fail-on flake,vacuous --junit FOLDER/j.xml", words);
    cr_expect_eq(trial->status, 1, "%s", trial->output);
    cr_expect(strstr(trial->output, "1 vacuous (100.0 % of 1 judged), fails the gate: --fail-on vacuous"),
              "%s", trial->output);
    cr_expect(strstr(trial->output, "gate: FAIL: "), "%s", trial->output);
    trial_run("merge FOLDER/r -o FOLDER/m --fail-on vacuous");
    cr_expect_eq(trial->status, 1, "%s", trial->output);
    trial_run("%s --fail-on vacous", words);
    cr_expect_eq(trial->status, 2, "%s", trial->output);
    cr_expect(strstr(trial->output, "--fail-on: \"vacous\" is unknown; give flake, "), "%s", trial->output);
}

/* Returns where the final summary of a run begins, and cuts it before the parts that are not in the file. */
static char *end_of_run(const char *output)
{
    const char *begin = strstr(output, "assay 0."), *stop = begin ? strstr(begin, "\n15 cases") : NULL;
    cr_assert(begin && stop, "%s", output);
    return strndup(begin, (size_t)(stop - begin));
}

Test(run, report_gives_from_a_file_what_run_printed)
{
    trial_faults("wrong %s", trial_id(GLOB, 2));
    trial_run("run %s --level smoke --backend faulty --no-rerun --quiet --by operator --results FOLDER/r",
              GLOB);
    char *printed = end_of_run(trial->output);
    static const char *const again[] = {"report FOLDER/r --format text --by operator",
                                        "merge FOLDER/r -o FOLDER/m --by operator"};
    for (int k = 0; k < 2; k++) {
        trial_run("%s", again[k]);
        cr_expect_eq(trial->status, 1, "%s", trial->output);
        char *shown = end_of_run(trial->output);
        cr_expect_str_eq(shown, printed);
        free(shown);
    }
    cr_expect(strstr(printed, "\nelementwise/sgn     15    14     1 "), "%s", printed);
    free(printed);
    trial_run("report FOLDER/r --format text --by dtype");
    cr_expect_eq(trial->status, 2, "%s", trial->output);
    trial_run("report FOLDER/r --format junit"); /* a file for other tools */
    cr_expect_eq(trial->status, 0, "%s", trial->output);
}

Test(run, without_options_nothing_is_written)
{
    trial_run("run %s --level smoke --backend faulty --no-cache", GLOB);
    cr_expect_eq(trial->status, 0, "%s", trial->output);
    char command[128];
    snprintf(command, sizeof command, "test \"$(ls %s)\" = output", trial->folder);
    cr_expect_eq(system(command), 0);
}

/* 10^9 s, times ten for a truth, is more nanoseconds than 64 bits hold. */
Test(run, a_long_time_limit_is_no_limit)
{
    for (int i = 0; i < 2; i++) {
        trial_run("run %s --level smoke --backend faulty --time-limit %s", GLOB, i ? "1e300" : "1e9");
        cr_expect_eq(trial->status, 0, "%s", trial->output);
    }
}

static void expect_threads(int jobs, long threads)
{
    char said[80];
    snprintf(said, sizeof said, "it said: %ld threads", threads);
    trial_run("run " GLOB " --level smoke --backend exec:FOLDER/teller --jobs %d --results FOLDER/r", jobs);
    cr_expect(strstr(trial->output, said), "%s: %s", said, trial->output);
}

/* The llvmpipe threads of all workers together are as many as the processors, unless the user sets their
 * number. */
Test(run, workers_share_the_processors)
{
    const int processors = processors_usable(), share = processors < 2 ? 0 : processors;
    const bool all = processors >= sysconf(_SC_NPROCESSORS_ONLN);
    unsetenv("LP_NUM_THREADS");
    trial_script("teller", "#!/bin/sh\necho \"${LP_NUM_THREADS:-99} threads\" >&2\nexit 3\n");
    expect_threads(1, all ? 99 : share); /* not set, unless this process may not use all processors */
    expect_threads(2, processors < 4 ? 0 : processors / 2); /* none for a single processor */
    setenv("LP_NUM_THREADS", "7", 1);
    expect_threads(2, 7);
    unsetenv("LP_NUM_THREADS");
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET((size_t)sched_getcpu(), &one);
    cr_assert_eq(sched_setaffinity(0, sizeof one, &one), 0);
    expect_threads(1, sysconf(_SC_NPROCESSORS_ONLN) > 1 ? 0 : 99); /* one of many processors */
}
