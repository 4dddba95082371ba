/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_SHRINK_TRIALS_H
#define ASSAY_HARNESS_SHRINK_TRIALS_H

/* Many problems on one backend, judged on the normal road: reference, runs, judge, hypotheses. The process
 * that asks them opens the backend once; where it dies or hangs another one takes its place. */

#include "harness/shrink/problem.h"
#include "reports/records/record.h"

/* What came of one problem, as far as two of them can be compared. */
struct outcome {
    bool known; /* false: the reference or the comparison had no answer */
    enum status status;
    char rule[48]; /* of a failure */
    char reason[320];
    double implausible; /* as in the record; 0: no such finding */
    double margin;      /* how many times the limit that it breaks; infinity where there is no such number */
    double resolution;  /* as in the record */
    bool valued;        /* elements were judged */
    bool numbered;      /* the worst one is off by a number of ulp, and not of another class */
    char hypothesis[NAME_MOST + 16]; /* empty: not explained */
    bool cut;                        /* the search for one ended by time */
};

/* Who answers problems. The owner fills it in; harness/repro/repro_trials.h asks a backend in a process. */
struct trials {
    /* False where no process can be had, or the backend does not start: nothing can be asked. */
    bool (*ask)(struct trials *, const struct problem *, struct outcome *, struct error *);
    void (*stop)(struct trials *); /* ends the process, if one runs; the next problem starts another */

    double run_seconds;      /* for the backend's answer to a problem */
    bool fresh;              /* each problem in a process of its own */
    const char *wanted_rule; /* a cause is looked for where a failure is by this rule alone; NULL: always */
};

#endif
