/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_RUN_RUN_COMMAND_H
#define ASSAY_HARNESS_RUN_RUN_COMMAND_H

/* The options and the state of the command `assay run`. */

#include "harness/gate/baseline.h"
#include "harness/run/resume.h"
#include "harness/run/run_files.h"
#include "harness/selection/plan.h"

struct run_command {
    struct plan_options common;
    struct texts globs, names;
    const char *resume_path; /* NULL: a new run */
    bool last_failed, shuffle, self_test, update_baseline, fail_fast, quiet, no_rerun;
    unsigned gate;
    int64_t max_failures, show;
    bool by_operator;
    struct run_files files;

    struct plan plan;
    struct selection selection;
    struct case_words failed; /* the ids of --last-failed */
    struct resume resume;     /* the run to go on with; empty: a new run */
    struct selection *rest; /* [backends] what is left of the selection after resume_keep; NULL: a new run */
    struct baseline *baseline;
    char *command; /* the command line */
    struct results results;
    int64_t hits, misses, remembered;
    double seconds;
    int not_opened; /* backends */
    bool refused;   /* a device is not that of the run to go on with */
};

/* Reads the command line into `run`, which must hold the defaults. */
enum options_outcome run_command_parse(struct run_command *run, int argc, char **argv);

/* Checks what needs no other source than the command line: options that exclude each other, names, files that
 * clash. */
bool run_command_check(struct run_command *run, struct error *error);

#endif
