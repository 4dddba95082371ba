/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Tests --color and the conventions NO_COLOR (no-color.org), CLICOLOR_FORCE (bixense.com/clicolors) and
 * TERM=dumb. */

#define RUN "run elementwise/sgn/float32 --level smoke --backend faulty --no-rerun --results FOLDER/r"

extern char **environ;

static void begin(void)
{
    trial_begin();
    unsetenv("NO_COLOR");
    unsetenv("CLICOLOR_FORCE");
    setenv("TERM", "xterm", 1);
}

TestSuite(colour, .init = begin, .fini = trial_end, .timeout = 60);

/* Returns true if the heading of a kind of failure is coloured in the output. */
static bool coloured(const char *words)
{
    trial_faults("wrong %s", trial_id("elementwise/sgn/float32", 0));
    trial_run(RUN " %s", words);
    cr_assert_eq(trial->status, 1, "%s", trial->output);
    bool red = strstr(trial->output, "\x1b[31mFAIL\x1b[0m elementwise/sgn/float32/") != NULL;
    cr_expect_eq(red, strchr(trial->output, '\x1b') != NULL, "%s", trial->output);
    return red;
}

Test(colour, option_beats_environment)
{
    cr_expect(!coloured(""), "a file is no terminal");
    cr_expect(coloured("--color always"));
    cr_expect(!coloured("--color auto"));
    cr_expect(!coloured("--color never"));
    setenv("NO_COLOR", "1", 1);
    cr_expect(coloured("--color always"));
    unsetenv("NO_COLOR");
    setenv("CLICOLOR_FORCE", "1", 1);
    cr_expect(!coloured("--color never"));
}

Test(colour, environment)
{
    setenv("CLICOLOR_FORCE", "1", 1);
    cr_expect(coloured(""));
    setenv("NO_COLOR", "", 1);
    cr_expect(coloured(""), "an empty NO_COLOR says nothing");
    setenv("NO_COLOR", "1", 1);
    cr_expect(!coloured(""));
    unsetenv("NO_COLOR");
    setenv("CLICOLOR_FORCE", "0", 1);
    cr_expect(!coloured(""));
    setenv("CLICOLOR_FORCE", "", 1);
    cr_expect(!coloured(""));
}

/* Returns what the program prints on a terminal, progress included. */
static char *on_a_terminal(const char *words)
{
    static char text[OUTPUT_MAX];
    char line[512], *argv[32] = {"assay-faulty"};
    int argc = 1, end = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    snprintf(line, sizeof line, "%s", words);
    for (char *word = strtok(line, " "); word && argc < 31; word = strtok(NULL, " ")) {
        argv[argc++] = word;
    }
    if (end < 0) {
        cr_skip_test("no pseudo-terminal here: is devpts mounted?");
    }
    cr_assert(grantpt(end) == 0 && unlockpt(end) == 0);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, ptsname(end), O_RDWR | O_NOCTTY, 0);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    pid_t pid;
    cr_assert_eq(posix_spawn(&pid, trial_program("assay-faulty"), &actions, NULL, argv, environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    size_t used = 0;
    for (ssize_t n; used < sizeof text - 1 && (n = read(end, text + used, sizeof text - 1 - used)) > 0;) {
        used += (size_t)n; /* EIO once the program has closed it */
    }
    text[used] = 0;
    int status;
    cr_assert_eq(waitpid(pid, &status, 0), pid);
    close(end);
    return text;
}

Test(colour, on_a_terminal)
{
    static const char run[] = "run elementwise/sgn/float32 --level smoke --backend faulty --no-rerun";
    trial_faults("wrong %s", trial_id("elementwise/sgn/float32", 0));
    const char *text = on_a_terminal(run);
    cr_expect(strstr(text, "\x1b[31mFAIL\x1b[0m") && strstr(text, "\r\x1b[K"), "%s", text);
    text = on_a_terminal("run elementwise/sgn/float32 --level smoke --backend faulty --no-rerun --quiet");
    cr_expect(strstr(text, "\x1b[31mFAIL\x1b[0m") && !strstr(text, "\x1b[K"), "no progress: %s", text);
    setenv("NO_COLOR", "1", 1);
    text = on_a_terminal(run);
    cr_expect(!strstr(text, "\x1b[31m") && strstr(text, "\r\x1b[K"), "%s", text);
    unsetenv("NO_COLOR");
    setenv("TERM", "dumb", 1);
    text = on_a_terminal(run);
    cr_expect(!strchr(text, '\x1b'), "a dumb terminal is sent no escape: %s", text);
    cr_expect(strstr(text, "FAIL elementwise/sgn/float32/"), "%s", text);
}

Test(colour, of_report_merge_and_repro)
{
    cr_expect(!coloured(""));
    static const char *const red[] = {
        "report FOLDER/r --format text --color always",
        "merge FOLDER/r -o FOLDER/all --color always",
        "merge FOLDER/r -o /dev/null --color=always",
    };
    for (size_t r = 0; r < sizeof red / sizeof *red; r++) {
        trial_run("%s", red[r]);
        cr_expect(strstr(trial->output, "\x1b[31mFAIL\x1b[0m"), "%s: %s", red[r], trial->output);
    }
    trial_run("repro %s --backend faulty --color always", trial_id("elementwise/sgn/float32", 0));
    cr_expect(strstr(trial->output, "\x1b[31mFAIL\x1b[0m"), "%s", trial->output);
    setenv("CLICOLOR_FORCE", "1", 1);
    trial_run("report FOLDER/r --format junit");
    cr_expect(strstr(trial->output, "FAIL") && !strchr(trial->output, '\x1b'), "%s", trial->output);
    trial_run("report FOLDER/r --format text");
    cr_expect(strstr(trial->output, "\x1b[31mFAIL\x1b[0m"), "%s", trial->output);
    char *text = on_a_terminal("report --help");
    cr_expect(strstr(text, "--color auto|always|never"), "%s", text);
}
