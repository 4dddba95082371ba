/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The backend exec:COMMAND: any program that speaks the protocol of docs/reference/exec-protocol.md on its
 * stdin and stdout. */

#include "harness/exec/session.h"

#include <stdio.h>

/* Checks that the selector, which is the command, is there, and that --validate is not. */
static bool is_command(const struct backend_options *options, struct error *error)
{
    if (!options->selector) {
        return error_set(error, "backend exec needs a command; give 'exec:COMMAND'");
    }
    return !options->validate || error_set(error, "backend exec has no validation layer");
}

static struct backend *open_backend(const struct backend_options *options, struct error *error)
{
    return is_command(options, error) ? exec_open("exec", options->selector, error) : NULL;
}

static bool command_of(const struct backend_options *options, char *command, size_t size, struct error *error)
{
    return is_command(options, error) &&
           ((size_t)snprintf(command, size, "%s", options->selector) < size ||
            error_set(error, "backend exec: the command is longer than %zu bytes", size - 1));
}

static int list(const struct backend_options *options)
{
    (void)options;
    printf(
        "exec:COMMAND\n          any program that speaks the protocol of docs/reference/exec-protocol.md\n");
    return 0;
}

const struct backend_class backend_class_exec = {.name = "exec",
                                                 .help =
                                                     "exec:COMMAND, a program that speaks the exec protocol",
                                                 .open = open_backend,
                                                 .close = exec_close,
                                                 .info = exec_info,
                                                 .run = exec_run,
                                                 .memory = exec_memory,
                                                 .empty_cache = exec_empty_cache,
                                                 .limit_memory = exec_limit_memory,
                                                 .list = list,
                                                 .command = command_of};
