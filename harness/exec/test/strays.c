/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Tests processes that a program of the exec protocol starts in sessions of their own, by setsid and double
 * forks. No process group contains them, but none may be left when the conversation ends, however it ends.
 * Linux only: other systems have no subreapers. */

#define GLOB "elementwise/sgn/float32/repeat-*"
enum { STRAYS = 4 }; /* of each program below; each is a "sleep NUMBER" */

static void begin(void)
{
    trial_begin();
#ifndef __linux__
    cr_skip_test("no subreapers here: what leaves its session is not contained");
#endif
    if (system("setsid true") != 0) {
        cr_skip_test("no setsid here");
    }
}

TestSuite(strays, .init = begin, .fini = trial_end, .timeout = 60);

/* Writes FOLDER/strayer, which starts the strays, waits until all of them run, and then runs `then`. */
static void write_strayer(int number, const char *then)
{
    char script[2048];
    snprintf(
        script, sizeof script,
        "#!/bin/sh\nexec 3>&1 >/dev/null 2>&1\n"
        "setsid sleep %d </dev/null 3>&- &\n"                                  /* in a session of its own */
        "(setsid sh -c 'setsid sleep %d & exec sleep %d' </dev/null 3>&- &)\n" /* with a child in another
                                                                                  session */
        "(setsid sh -c '(setsid sh -c \"exec sleep %d\" &)' </dev/null 3>&- &)\n" /* its parent ends at once
                                                                                   */
        "sleep 0.3\ntouch %s\nexec 1>&3 3>&-\n%s\n",
        number, number, number, number, trial_path("strayed"), then);
    trial_script("strayer", script);
}

static int left(int number)
{
    char words[32];
    snprintf(words, sizeof words, "sleep %d", number);
    return trial_processes(words);
}

/* Waits up to ten seconds until there are `count` strays. Returns their number. */
static int wait_for(int number, int count)
{
    int found = left(number);
    for (int i = 0; i < 500 && found != count; i++) {
        usleep(20000);
        found = left(number);
    }
    return found;
}

/* Expects that the strays were started, and are gone at the end of the command. */
static void expect_gone(int number)
{
    cr_expect(trial_has("strayed"), "%s", trial->output);
    cr_expect_eq(left(number), 0, "%d are left: %s", left(number), trial->output);
}

/* The honest program shows that the strays counted below existed. */
Test(strays, end_with_a_program_that_ends)
{
    char then[256];
    snprintf(then, sizeof then, "exec %s", trial_program("example"));
    write_strayer(98741, then);
    pid_t pid = trial_start("run " GLOB " --backend exec:sleep${IFS}1;FOLDER/strayer;sleep${IFS}1 --jobs 1");
    cr_expect_eq(wait_for(98741, STRAYS), STRAYS, "all of them run");
    trial_wait(pid);
    cr_expect_eq(trial->status, 0, "%s", trial->output);
    expect_gone(98741);
}

/* The end of the program is reported as usual, although other processes still hold its pipes. */
Test(strays, end_with_a_program_that_dies)
{
    static const struct {
        const char *then, *says;
    } rows[] = {{"kill -SEGV $$", "was killed by signal 11"},
                {"exit 3", "ended with exit status 3"},
                {"echo no greeting; exec sleep 100", "does not greet"}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        int number = 98742 + (int)r;
        write_strayer(number, rows[r].then);
        trial_run("run " GLOB " --backend exec:FOLDER/strayer --jobs 1");
        trial_expect(3, rows[r].says);
        expect_gone(number);
        unlink(trial_path("strayed"));
    }
}

Test(strays, end_with_check)
{
    char then[256];
    snprintf(then, sizeof then, "exec %s", trial_program("example"));
    write_strayer(98746, then);
    trial_run("check exec:FOLDER/strayer sgn --time-limit 5");
    expect_gone(98746);
}

/* The first request hangs, so the parent kills the worker, which has no time to clean up. */
Test(strays, end_with_a_worker_that_is_killed)
{
    char then[512];
    snprintf(then, sizeof then, "read -r line; echo \"$line\" | %s; exec sleep 100",
             trial_program("example"));
    write_strayer(98747, then);
    trial_run("run elementwise/sgn/float32/repeat-nan --backend exec:FOLDER/strayer --jobs 1 --no-rerun "
              "--time-limit 1 --results FOLDER/r");
    cr_expect(trial_has("strayed"), "%s", trial->output);
    trial_read("r");
    cr_expect_gt(trial_records(STATUS_TIMEOUT), 0, "%s", trial->output);
    cr_expect_eq(wait_for(98747, 0), 0, "%s", trial->output);
}

Test(strays, end_with_a_parent_that_is_killed)
{
    write_strayer(98748, "exec sleep 100");
    pid_t pid = trial_start("run " GLOB " --backend exec:FOLDER/strayer --jobs 1");
    cr_expect_eq(wait_for(98748, STRAYS), STRAYS, "all of them run");
    cr_expect_eq(kill(pid, SIGKILL), 0);
    trial_wait(pid);
    cr_expect_eq(wait_for(98748, 0), 0);
}
