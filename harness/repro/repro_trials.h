/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_REPRO_REPRO_TRIALS_H
#define ASSAY_HARNESS_REPRO_REPRO_TRIALS_H

/* Asks one backend about many problems, each judged as a case is: reference, runs, judge, hypotheses. One
 * child process serves one problem after the other; a child that dies or hangs is replaced. */

#include "harness/repro/repro_child.h"
#include "harness/shrink/trials.h"

struct repro_trials {
    struct trials trials; /* must be first: its callbacks receive its address */
    struct repro *repro;
    double rest_seconds; /* limit for the reference and for the comparison each */
    bool running;        /* the child runs */
    struct child child;
};

/* Prepares trials on the backend of `repro`, whose inputs are replaced by those of each problem.
 * `time_limit`: seconds each for the backend's answer, the reference and the comparison. The first problem
 * starts the process; trials.stop ends it. */
void repro_trials_begin(struct repro_trials *own, struct repro *repro, double time_limit);

#endif
