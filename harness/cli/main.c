/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/cli/commands.h"
#include "harness/cli/help.h"
#include "harness/cli/help_operator.h"
#include "harness/cli/help_pages.h"
#include "harness/host/nearest.h"
#include "harness/host/version.h"
#include "harness/selection/plan.h"
#include "harness/workers/worker.h"
#include "reference/base/memory.h"

#include <errno.h>
#include <jansson.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct command commands[] = {
    {"run", cmd_run, "run cases on a backend and judge them against the truth"},
    {"list", cmd_list, "list the cases, or what they cover"},
    {"devices", cmd_devices, "list the backends and devices that can run here"},
    {"repro", cmd_repro, "run one case, or tensors from files, and explain the result"},
    {"judge", cmd_judge, "judge results that another program sends, one after the other"},
    {"report", cmd_report, "write results as a page, JUnit XML, Markdown, CSV or text"},
    {"merge", cmd_merge, "merge the results of shards into one file"},
    {"compare", cmd_compare, "show what got worse between two runs, even within tolerance"},
    {"check", cmd_check, "check that a program follows the exec protocol"},
    {"bench", cmd_bench, "measure the reference, the kernels and the runner"},
    {"worker", worker_main, NULL},
    {NULL, NULL, NULL},
};

static int command(int argc, char **argv);

/* Turns "assay help run" into "assay run --help". */
static int help_for(char *program, char *name)
{
    char option[] = "--help", *words[] = {program, name, option, NULL};
    return command(3, words);
}

/* Checks that the output was written. A reader that closed the pipe (| head) is no fault. */
static int finish(int status)
{
    errno = 0;
    bool good = fflush(stdout) == 0;
    int cause = errno;
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
    if ((good && !ferror(stdout)) || cause == EPIPE ||
        (poll(&out, 1, 0) == 1 && (out.revents & (POLLERR | POLLHUP)))) {
        return status;
    }
    return options_fault("cannot write to the standard output%s%s", cause ? ": " : "",
                         cause ? strerror(cause) : "");
}

/* Reports a command whose memory ran out and whose exit status does not show it, because its output lacks
 * something. A worker needs no message: it has reported each case to its parent. */
static int complete(int status, bool for_people)
{
    return status == 0 && for_people && memory_shortages()
               ? options_fault("out of memory: the output may be incomplete")
               : status;
}

static int command(int argc, char **argv)
{
    if (argc > 0 && argv[0] && argv[0][0]) {
        plan_program = argv[0];
    }
    if (argc < 2) {
        help_print(commands);
        return EXIT_USAGE;
    }
    const char *name = argv[1];
    if (!strcmp(name, "complete") && argc == 3) {
        help_complete(commands, argv[2]);
        return 0;
    }
    if (!strcmp(name, "help") && argc == 3 && !strcmp(argv[2], "--man")) {
        help_manual(commands);
        return 0;
    }
    if (!strcmp(name, "help") && argc > 2 && argc < 5 && !strcmp(argv[2], "--markdown")) {
        return complete(argc == 3 ? help_page_names(commands) : help_page(commands, argv[3]), true);
    }
    if (!strcmp(name, "help") && argc > 2 && !strcmp(argv[2], "operator")) {
        return argc == 4 ? help_operator(argv[3])
                         : options_fault("assay help operator NAME explains one operator; assay list "
                                         "--operators lists their names");
    }
    if (!strcmp(name, "help") && argc > 2) {
        return help_for(argv[0], argv[2]);
    }
    if (!strcmp(name, "--help") || !strcmp(name, "-h") || !strcmp(name, "help")) {
        help_print(commands);
        return 0;
    }
    if (!strcmp(name, "--version") || !strcmp(name, "version")) {
        printf("assay %s (%s)\n", version_number(), version_commit());
        return 0;
    }
    struct nearest nearest = {.word = name};
    for (int i = 0; commands[i].name; i++) {
        if (strcmp(name, commands[i].name) == 0) {
            return complete(commands[i].run(argc - 1, argv + 1), commands[i].help != NULL);
        }
        if (commands[i].help) {
            nearest_offer(&nearest, commands[i].name);
        }
    }
    if (nearest.best) {
        return options_fault("unknown command \"%s\"; did you mean assay %s?", name, nearest.best);
    }
    return options_fault("unknown command \"%s\"; assay --help lists the commands", name);
}

int main(int argc, char **argv)
{
    /* a limit on file sizes then acts like a full disk (EFBIG); workers inherit this */
    signal(SIGXFSZ, SIG_IGN);
    json_set_alloc_funcs(memory_or_exit, free);
    return finish(command(argc, argv));
}
