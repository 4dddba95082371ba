/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Tests workers that die, hang or send wrong answers: each fault costs exactly its own case, and all other
 * cases complete. */

#define GLOB "elementwise/sgn/float32"

TestSuite(faults, .init = trial_begin, .fini = trial_end, .timeout = 60);

static const char *id(int n)
{
    return trial_id(GLOB, n);
}

/* Expects one record for every selected case, and that all but `except` pass. */
static void expect_others_pass(int excepted, const char *const *except)
{
    cr_expect_eq(trial->results.records, trial_count(GLOB));
    for (int r = 0; r < trial->results.records; r++) {
        const struct record *record = &trial->results.record[r];
        bool is_excepted = false;
        for (int e = 0; e < excepted; e++) {
            is_excepted = is_excepted || strcmp(record->id, except[e]) == 0;
        }
        cr_expect(is_excepted || record->status == STATUS_PASS, "%s: %s, %s", record->id,
                  status_name(record->status), record->reason);
    }
}

static void expect_one(const char *which, enum status status, const char *reason)
{
    const struct record *record = trial_record(which);
    cr_expect_eq(record->status, status, "%s: %s, %s", which, status_name(record->status), record->reason);
    cr_expect(record->reason && strstr(record->reason, reason), "%s: \"%s\" lacks \"%s\"", which,
              record->reason, reason);
    cr_expect(record->repro && strstr(record->repro, which), "no replay command");
    cr_expect(record->source && strstr(record->source, "suites/"), "no source");
}

/* Removes the marks, so that a fault "once-…" occurs once more. */
static void forget_marks(void)
{
    char command[200];
    snprintf(command, sizeof command, "cd %s && rm -f ????????????????????????????????", trial->folder);
    cr_assert_eq(system(command), 0);
}

/* Tests one fault alone, with one and with two workers. */
static void check(const char *fault, enum status status, const char *reason)
{
    for (int jobs = 1; jobs <= 2; jobs++) {
        const char *which = id(4);
        forget_marks();
        trial_faults("%s %s", fault, which);
        trial_run("run %s --level smoke --backend faulty --jobs %d --time-limit 1 --results FOLDER/r", GLOB,
                  jobs);
        cr_assert_eq(trial->status, 1, "exit %d: %s", trial->status, trial->output);
        trial_read("r");
        expect_one(which, status, reason);
        expect_others_pass(1, &which);
    }
}

Test(faults, segmentation_fault)
{
    check("segv", STATUS_CRASH, "killed by SIGSEGV (segmentation fault) in phase run");
    const struct record *record = trial_record(id(4));
    cr_expect(record->detail && strstr(record->detail, "about to die of segv"), "the last words are kept");
}

Test(faults, abort)
{
    check("abort", STATUS_CRASH, "killed by SIGABRT");
}

Test(faults, sigkill)
{
    check("kill", STATUS_CRASH, "killed by SIGKILL");
}

Test(faults, arithmetic_trap)
{
    check("fpe", STATUS_CRASH, "killed by SIGFPE");
}

Test(faults, leaves)
{
    check("exit", STATUS_CRASH, "exited with status 7 in phase run");
}

Test(faults, hang_takes_seconds)
{
    check("hang", STATUS_TIMEOUT, "no answer in phase run within 1 s");
}

Test(faults, garbage)
{
    check("garbage", STATUS_ERROR, "out of form in phase run");
}

Test(faults, anothers_result)
{
    check("wrong-sequence", STATUS_ERROR, "out of form in phase run: the result of another case");
}

Test(faults, line_without_end)
{
    check("flood", STATUS_ERROR, "a line without end");
}

Test(faults, mute_takes_seconds)
{
    check("mute", STATUS_ERROR, "closed its answer pipe");
}

Test(faults, wrong_value)
{
    check("wrong", STATUS_FAIL, "");
    cr_expect(strstr(trial->output, "replay: assay repro"), "%s", trial->output);
}

Test(faults, lost_device)
{
    check("lost", STATUS_ERROR, "the device is lost");
}

/* The case takes a few kilobytes, so the device cannot be what lacks memory. */
Test(faults, out_of_memory_of_the_worker_is_an_error)
{
    check("memory", STATUS_ERROR, "no byte is left");
    check("once-memory", STATUS_ERROR, "alone in a fresh worker the memory sufficed: pass");
}

Test(faults, out_of_memory_of_the_device_is_unsupported)
{
    static const struct {
        const char *limit, *fault, *options;
        enum status status;
        const char *reason;
    } rows[] = {
        {"100", "memory", "", STATUS_UNSUPPORTED, "the device has too little memory: the case takes "},
        {"4000", "memory", "", STATUS_UNSUPPORTED, "out of memory: no byte is left (the case takes "},
        {"4000", "once-memory", "", STATUS_ERROR, "alone in a fresh worker the memory sufficed: pass"},
        {"4000", "memory", "--no-rerun", STATUS_ERROR, "the case was not rerun"},
        {"4000000000", "memory", "", STATUS_ERROR, "the worker's, not the device's"},
        {"0", "memory", "", STATUS_ERROR, "the backend states no limit of its device's memory"},
    };
    for (unsigned r = 0; r < sizeof rows / sizeof *rows; r++) {
        const char *which = id(4);
        forget_marks();
        setenv("ASSAY_TEST_LIMIT", rows[r].limit, 1);
        trial_faults("%s %s", rows[r].fault, which);
        trial_run("run %s --level smoke --backend faulty --jobs %d --results FOLDER/r %s", GLOB,
                  1 + (int)r % 2, rows[r].options);
        cr_expect_eq(trial->status, rows[r].status == STATUS_ERROR, "row %u: exit %d: %s", r, trial->status,
                     trial->output);
        trial_read("r");
        expect_one(which, rows[r].status, rows[r].reason);
        expect_others_pass(1, &which);
    }
}

Test(faults, unsupported_without_a_reason_is_an_error)
{
    check("unexplained", STATUS_ERROR, "the backend does not support the case and gives no reason");
}

/* The parent's lists are sorted by id and backend, so a record without one must not reach them. */
Test(faults, a_record_without_a_backend_is_out_of_form)
{
    const char *which = id(4);
    trial_faults("nameless %s", which);
    setenv("ASSAY_TEST_ID", which, 1);
    trial_run("run %s --level smoke --backend faulty --no-rerun --results FOLDER/r", which);
    cr_assert_eq(trial->status, 1, "exit %d: %s", trial->status, trial->output);
    trial_read("r");
    expect_one(which, STATUS_ERROR, "out of form in phase run: a record without a backend");
}

/* From some limit on there are enough descriptors for one worker. Below it the message names the limit and
 * what to do. */
Test(faults, a_limit_of_descriptors_is_named_with_what_to_do)
{
    char program[PATH_MAX], words[2 * PATH_MAX];
    cr_assert(realpath(getenv("ASSAY_FAULTY") ? getenv("ASSAY_FAULTY") : "build/test/assay-faulty", program));
    trial_script("limited", "#!/bin/sh\nfor n in 3 4 5 6 7 8 9; do eval \"exec $n>&-\"; done\nulimit -n $1\n"
                            "shift\nexec \"$@\"\n");
    int named = 0, passed = 0;
    for (int limit = 9; limit <= 16; limit++) {
        snprintf(words, sizeof words,
                 "%s %d %s run %s --level smoke --backend cpu --jobs 1 --no-cache --results %s >%s 2>&1",
                 trial_path("limited"), limit, program, id(0), trial_path("r"), trial_path("output"));
        int status = system(words);
        FILE *output = fopen(trial_path("output"), "r");
        trial->output[output ? fread(trial->output, 1, OUTPUT_MAX - 1, output) : 0] = 0;
        if (output) {
            fclose(output);
        }
        bool right = WIFEXITED(status) && WEXITSTATUS(status) == 0;
        bool shown = WIFEXITED(status) && WEXITSTATUS(status) == 3 &&
                     strstr(trial->output, "files open at once") && strstr(trial->output, "ulimit -n");
        cr_expect(right || shown, "%d descriptors, status %d: %s", limit, status, trial->output);
        named += shown;
        passed += right;
    }
    cr_expect(named > 0 && passed > 0, "%d are too few, %d enough", named, passed);
}

Test(faults, all_at_once)
{
    const char *const which[] = {id(0), id(2), id(4), id(6), id(8), id(10)};
    trial_faults("segv %s\nabort %s\nkill %s\nhang %s\ngarbage %s\nwrong %s", which[0], which[1], which[2],
                 which[3], which[4], which[5]);
    trial_run("run %s --level smoke --backend faulty --jobs 2 --time-limit 1 --report FOLDER/d", GLOB);
    cr_assert_eq(trial->status, 1, "%s", trial->output);
    trial_read("d/results.jsonl");
    expect_one(which[0], STATUS_CRASH, "SIGSEGV");
    expect_one(which[1], STATUS_CRASH, "SIGABRT");
    expect_one(which[2], STATUS_CRASH, "SIGKILL");
    expect_one(which[3], STATUS_TIMEOUT, "--time-limit");
    expect_one(which[4], STATUS_ERROR, "out of form");
    expect_one(which[5], STATUS_FAIL, "");
    expect_others_pass(6, which);
}

/* A case that fails once and then passes with the same input bits is a flake: it is listed, and fails only
 * under --strict. */
Test(faults, flakes)
{
    static const char *const faults[] = {"once-wrong", "once-segv"};
    for (int f = 0; f < 2; f++) {
        const char *which = id(5 + f);
        trial_faults("%s %s", faults[f], which);
        trial_run("run %s --level smoke --backend faulty --jobs 2 --results FOLDER/r", GLOB);
        cr_expect_eq(trial->status, 0, "%s", trial->output);
        trial_read("r");
        expect_one(which, STATUS_FLAKE,
                   f ? "first a crash: the worker was killed by SIGSEGV" : "first a fail: ");
        cr_expect(trial_record(which)->inputs_digest);
        cr_expect(strstr(trial_record(which)->reason, "then passes alone in a fresh worker (2 of 2 runs)"),
                  "%s", trial_record(which)->reason);
        cr_expect(trial_record(which)->runs >= 3 && trial_record(which)->runs_failed == 1);
        char line[200];
        snprintf(line, sizeof line, "     %s: 1 of %d runs failed (this operator and dtype: 1 of ", which,
                 trial_record(which)->runs);
        for (char *c = trial->output; (c = strstr(c, "\n       "));) {
            memmove(c + 1, c + 8, strlen(c + 8) + 1); /* the line may be broken behind the id */
            *c = ' ';
        }
        cr_expect(strstr(trial->output, line), "%s lacks %s", trial->output, line);
        expect_others_pass(1, &which);
    }
    const char *which = id(7);
    trial_faults("once-wrong %s", which);
    trial_run("run %s --level smoke --backend faulty --strict --results FOLDER/r", GLOB);
    cr_expect_eq(trial->status, 1, "%s", trial->output);
    trial_faults("once-wrong %s", id(4)); /* --repeat says how often the case is run again */
    trial_run("run %s --level smoke --backend faulty --jobs 1 --repeat 4 --results FOLDER/r", GLOB);
    cr_expect_eq(trial->status, 0, "%s", trial->output);
    trial_read("r");
    expect_one(
        id(4), STATUS_FLAKE,
        "alone in a fresh worker (4 of 4 runs) and after the 4 cases that its worker had run (4 of 4)");
    trial_faults("once-wrong %s", id(8));
    trial_run("run %s --level smoke --backend faulty --no-rerun --results FOLDER/r", GLOB);
    trial_read("r");
    expect_one(id(8), STATUS_FAIL, "");
}

/* Repeated failures of one operator and dtype are no chance: two flakes are listed, and the others fail. */
Test(faults, flakes_of_one_operator)
{
    trial_faults("once-wrong %s\nonce-wrong %s\nonce-wrong %s\nonce-wrong %s", id(2), id(4), id(6), id(8));
    trial_run("run %s --level smoke --backend faulty --jobs 1 --results FOLDER/r", GLOB);
    cr_expect_eq(trial->status, 1, "%s", trial->output);
    trial_read("r");
    int flakes = 0, failures = 0;
    for (int r = 0; r < trial->results.records; r++) {
        const struct record *record = &trial->results.record[r];
        flakes += record->status == STATUS_FLAKE;
        failures += record->status == STATUS_FAIL;
        cr_expect(record->status != STATUS_FAIL ||
                      strncmp(record->reason, "fails sometimes, as 2 earlier cases of", 38) == 0,
                  "%s", record->reason);
    }
    cr_expect_eq(flakes, 2);
    cr_expect_eq(failures, 2);
}

Test(faults, backend_that_does_not_open)
{
    static const char *const faults[] = {"open refuse", "open segv", "open exit", "open garbage"};
    static const char *const reasons[] = {"the device is out to lunch", "killed by SIGSEGV",
                                          "exited with status 7", "greeting is out of form"};
    for (int f = 0; f < 4; f++) {
        trial_faults("%s", faults[f]);
        trial_run("run %s --level smoke --backend faulty --jobs 4 --report FOLDER/d", GLOB);
        cr_expect_eq(trial->status, 3, "%s: exit %d", faults[f], trial->status);
        const char *said = strstr(trial->output, reasons[f]);
        cr_expect(said, "%s: %s", faults[f], trial->output);
        cr_expect(said && !strstr(said + 1, reasons[f]), "said once, not per worker: %s", trial->output);
    }
}

Test(faults, device_that_does_not_come_back_takes_seconds)
{
    trial_faults("open refuse-later\nkill %s", id(4));
    trial_run("run %s --level smoke --backend faulty --jobs 1 --results FOLDER/r", GLOB);
    cr_expect_eq(trial->status, 1, "%s", trial->output);
    trial_read("r");
    cr_expect_eq(trial->results.records, trial_count(GLOB));
    cr_expect_eq(trial_record(id(3))->status, STATUS_PASS);
    cr_expect_eq(trial_record(id(4))->status, STATUS_CRASH, "the first record of a suspect stands");
    expect_one(id(5), STATUS_ERROR, "could not be opened again: the device does not come back");
}

Test(faults, crash_at_the_end_is_reported)
{
    trial_faults("close segv");
    trial_run("run %s --level smoke --backend faulty --jobs 2 --results FOLDER/r", GLOB);
    cr_expect_eq(trial->status, 0, "no case fails by it: %s", trial->output);
    cr_expect(strstr(trial->output, "a worker was killed by SIGSEGV"), "%s", trial->output);
    trial_read("r");
    expect_others_pass(0, NULL);
}

static void interrupt(int number)
{
    setenv("ASSAY_TEST_SLOW", "60", 1);
    pid_t pid = trial_start("run %s --level smoke --backend faulty --jobs 1 --report FOLDER/d", GLOB);
    char measured[160];
    snprintf(measured, sizeof measured, "grep -rqs '\"status\":\"pass\"' %s/d", trial->folder);
    for (int tenth = 0; tenth < 300 && system(measured) != 0; tenth++) {
        nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
    }
    cr_assert_eq(kill(pid, number), 0);
    trial_wait(pid);
    cr_expect_eq(trial->status, 1, "exit %d: %s", trial->status, trial->output);
    trial_read("d/results.jsonl");
    int passed = 0, missing = 0;
    for (int r = 0; r < trial->results.records; r++) {
        passed += trial->results.record[r].status == STATUS_PASS;
        missing += trial->results.record[r].status == STATUS_MISSING;
    }
    cr_expect_gt(passed, 0, "what was measured is kept");
    cr_expect_gt(missing, 0, "what was not is named");
    cr_expect_eq(passed + missing, trial_count(GLOB));
    char command[160];
    static const char *const files[] = {"junit.xml", "parity.md", "parity.csv", "parity.html"};
    for (int f = 0; f < 4; f++) {
        snprintf(command, sizeof command, "test -s %s/d/%s", trial->folder, files[f]);
        cr_expect_eq(system(command), 0, "%s is not there", files[f]);
    }
    snprintf(command, sizeof command, "tail -c 20 %s/d/junit.xml | grep -q '</testsuites>'", trial->folder);
    cr_expect_eq(system(command), 0, "junit.xml is cut short");
    snprintf(command, sizeof command, "tail -c 20 %s/d/parity.html | grep -q '</html>'", trial->folder);
    cr_expect_eq(system(command), 0, "parity.html is cut short");
}

Test(faults, ctrl_c_keeps_what_was_measured)
{
    interrupt(SIGINT);
}

Test(faults, sigterm_keeps_what_was_measured)
{
    interrupt(SIGTERM);
}

/* A hung worker must not outlive a parent that is killed. */
Test(faults, no_worker_survives_its_parent)
{
    trial_faults("hang %s", id(0));
    pid_t pid = trial_start("run %s --level smoke --backend faulty --jobs 2", GLOB);
    nanosleep(&(struct timespec){.tv_nsec = 400000000}, NULL);
    kill(pid, SIGKILL);
    trial_wait(pid);
    nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
    char command[256];
    snprintf(command, sizeof command,
             "grep -lsz 'ASSAY_TEST_MARKS=%s' /proc/[0-9]*/environ | wc -l > %s/left", trial->folder,
             trial->folder);
    cr_assert_eq(system(command), 0);
    snprintf(command, sizeof command, "%s/left", trial->folder);
    FILE *file = fopen(command, "r");
    int left = -1;
    cr_assert(file && fscanf(file, "%d", &left) == 1);
    fclose(file);
    cr_expect_leq(left, 4,
                  "workers are left behind"); /* this test, its shell, grep and wc have the variable too */
}
