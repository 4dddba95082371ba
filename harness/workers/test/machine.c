/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

/* Tests what the machine can do to a run: signals at its start, resource limits, a second run in the same
 * place, programs that never answer. */

#define GLOB "elementwise/sgn/float32"

TestSuite(machine, .init = trial_begin, .fini = trial_end, .timeout = 60);

/* Returns true if the process has installed its handler for SIGTERM. */
static bool catches_sigterm(pid_t pid)
{
    char path[64], line[256];
    unsigned long long caught = 0;
    snprintf(path, sizeof path, "/proc/%ld/status", (long)pid);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        sscanf(line, "SigCgt: %llx", &caught);
    }
    if (file) {
        fclose(file);
    }
    return caught >> (SIGTERM - 1) & 1;
}

/* The signal arrives before a device is open and before the list of cases exists: every case is missing, and
 * the reports are written. */
Test(machine, sigterm_at_the_very_start_is_an_interruption)
{
    for (int attempt = 0; attempt < 5; attempt++) {
        pid_t pid = trial_start("run %s --level smoke --backend faulty --jobs 1 --report FOLDER/d", GLOB);
        while (!catches_sigterm(pid)) {
            nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
        }
        nanosleep(&(struct timespec){.tv_nsec = attempt * 2000000}, NULL);
        cr_assert_eq(kill(pid, SIGTERM), 0);
        trial_wait(pid);
        cr_expect_eq(trial->status, 1, "attempt %d: exit %d: %s", attempt, trial->status, trial->output);
        cr_expect(strstr(trial->output, "gate: FAIL"), "%s", trial->output);
        trial_read("d/results.jsonl");
        cr_expect_eq(trial->results.records, trial_count(GLOB));
        for (int r = 0; r < trial->results.records; r++) {
            enum status status = trial->results.record[r].status;
            cr_expect(status == STATUS_MISSING || (attempt > 0 && status == STATUS_PASS));
        }
    }
}

/* A limit on file sizes acts like a full disk: it is reported, and no signal kills the run. */
Test(machine, a_file_size_limit_is_a_full_disk)
{
    struct rlimit before, small;
    cr_assert_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 3000;
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
    pid_t pid = trial_start("run elementwise/sgn --level smoke --backend faulty --jobs 2");
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &before), 0);
    trial_wait(pid);
    cr_expect_eq(trial->status, 0, "a cache that cannot be written is slow: exit %d: %s", trial->status,
                 trial->output);
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
    pid = trial_start("run %s --level smoke --backend faulty --jobs 2 --results FOLDER/r", GLOB);
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &before), 0);
    trial_wait(pid);
    cr_expect_eq(trial->status, 1, "exit %d: %s", trial->status, trial->output);
    cr_expect(strstr(trial->output, "File too large"), "%s", trial->output);
}

/* Two runs that write to one place would mix their records. */
Test(machine, a_place_belongs_to_one_run)
{
    char who[64];
    setenv("ASSAY_TEST_SLOW", "60", 1);
    pid_t first = trial_start("run %s --level smoke --backend faulty --jobs 1 --report FOLDER/d", GLOB);
    nanosleep(&(struct timespec){.tv_nsec = 400000000}, NULL);
    unsetenv("ASSAY_TEST_SLOW");
    snprintf(who, sizeof who, "process %ld writes there", (long)first);
    static const char *const places[] = {"--report FOLDER/d", "--results FOLDER/d/results.jsonl",
                                         "--results FOLDER/r --report FOLDER/d"};
    for (int p = 0; p < 3; p++) {
        trial_run("run %s --level smoke --backend faulty %s", GLOB, places[p]);
        cr_expect_eq(trial->status, 2, "%s: exit %d: %s", places[p], trial->status, trial->output);
        cr_expect(strstr(trial->output, "is in use: ") && strstr(trial->output, who), "%s", trial->output);
    }
    trial_wait(first);
    trial_read("d/results.jsonl");
    cr_expect_eq(trial->results.headers, 1);
    for (int r = 0; r < trial->results.records; r++) {
        cr_expect_eq(trial->results.record[r].status, STATUS_PASS, "%s", trial->results.record[r].id);
    }
    trial_run("run %s --level smoke --backend faulty --report FOLDER/d", GLOB);
    cr_expect_eq(trial->status, 0, "it is free again: %s", trial->output);
}

/* The greeting has the time limit of one case, and after one silent worker no other is tried. */
Test(machine, a_silent_greeting_takes_seconds)
{
    for (int jobs = 1; jobs <= 2; jobs++) {
        trial_run("run " GLOB " --backend exec:sleep${IFS}100 --time-limit 2 --jobs %d", jobs);
        cr_expect_eq(trial->status, 3, "%s", trial->output);
        cr_expect(strstr(trial->output, "did not open within 4 s (--time-limit)"), "%s", trial->output);
        cr_expect_lt(trial->seconds, 12, "%d workers: %g s", jobs, trial->seconds);
    }
    trial_run("repro elementwise/sgn/float32/specials --backend exec:sleep${IFS}100 --time-limit 2");
    cr_expect_lt(trial->seconds, 12, "repro: %g s", trial->seconds);
    cr_expect_neq(trial->status, 0, "%s", trial->output);
}

/* The program greets and computes, but does not answer the request about its memory. */
Test(machine, a_program_that_hangs_on_its_memory_takes_seconds)
{
    trial_script("forgetful",
                 "#!/bin/sh\nread -r line\necho '{\"hello\": 1, \"name\": \"forgetful\", \"dtypes\": "
                 "[\"float64\"], \"operators\": [\"sgn\"], \"memory\": true}'\nexec sleep 100\n");
    trial_run(
        "run elementwise/sgn/float32/specials --backend exec:FOLDER/forgetful --time-limit 2 --no-rerun "
        "--jobs 1 --results FOLDER/r");
    cr_expect_lt(trial->seconds, 12, "%g s", trial->seconds);
    trial_read("r");
    cr_expect_eq(trial_record("elementwise/sgn/float32/specials")->status, STATUS_TIMEOUT, "%s",
                 trial->output);
}
