/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* exec:COMMAND, any program that speaks the protocol of harness/exec/PROTOCOL.md on its stdin and stdout. */

#include "harness/exec/session.h"

#include <stdio.h>

static struct backend *open_backend(const struct backend_options *options, struct error *error)
{
    if (!options->selector) {
        error_set(error, "backend exec needs a command: --backend 'exec:COMMAND'");
        return NULL;
    }
    if (options->validate) {
        error_set(error, "backend exec has no validation layer");
        return NULL;
    }
    return exec_open("exec", options->selector, error);
}

static int list(const struct backend_options *options)
{
    (void)options;
    printf("exec:COMMAND\n          any program that speaks the protocol of harness/exec/PROTOCOL.md\n");
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
                                                 .list = list};
