/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_REPRO_REPRO_TRIALS_H
#define ASSAY_HARNESS_REPRO_REPRO_TRIALS_H

/* Many problems on one backend, judged as every case is: reference, runs, judge, hypotheses. The process that
 * asks the backend serves one problem after the other; one that dies or hangs is replaced. */

#include "harness/repro/repro_child.h"
#include "harness/shrink/trials.h"

struct repro_trials {
    struct trials trials; /* the first member: its callbacks are given its address */
    struct repro *repro;
    double rest_seconds; /* for the reference and for the comparison each */
    bool running;        /* the child is there */
    struct child child;
};

/* Asks the backend of `repro`, whose inputs are exchanged for those of each problem, with `time_limit` seconds for
 * its answer, the reference and the comparison each. The process is started by the first problem; end it with
 * trials.stop. */
void repro_trials_begin(struct repro_trials *own, struct repro *repro, double time_limit);

#endif
