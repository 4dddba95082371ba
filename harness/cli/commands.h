/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_CLI_COMMANDS_H
#define ASSAY_HARNESS_CLI_COMMANDS_H

/* The commands of the program. argv[0] is the command's name; each returns the exit status
 * (harness/options/options.h). */

struct command {
    const char *name; /* NULL at the end of the table */
    int (*run)(int argc, char **argv);
    const char *help; /* NULL: hidden */
};

int cmd_run(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_devices(int argc, char **argv);
int cmd_repro(int argc, char **argv);
int cmd_judge(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_merge(int argc, char **argv);
int cmd_compare(int argc, char **argv);
int cmd_bench(int argc, char **argv);
int cmd_check(int argc, char **argv);

#endif
