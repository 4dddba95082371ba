/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_TEST_SHELL_H
#define ASSAY_HARNESS_TEST_SHELL_H

/* For tests of make: shell commands in the source tree, and what they print. */

#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <sys/wait.h>

static char output[1 << 18]; /* of the last command */

/* Runs a shell command, in which $T is the trial's folder, and returns its exit status. */
static inline int shell(const char *command)
{
    FILE *pipe = popen(command, "r");
    cr_assert(pipe);
    output[fread(output, 1, sizeof output - 1, pipe)] = 0;
    int status = pclose(pipe);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Runs a command that must succeed. */
static inline void must(const char *command)
{
    int status = shell(command);
    cr_assert_eq(status, 0, "%s: exit %d: %s", command, status, output);
}

#endif
