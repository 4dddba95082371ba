/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_SHRINK_TRIALS_H
#define ASSAY_HARNESS_SHRINK_TRIALS_H

/* Asks one backend about many problems, each judged as a case is: reference, runs, judge, hypotheses. The
 * process that asks opens the backend once; if it dies or hangs it is replaced. */

#include "harness/shrink/problem.h"
#include "reports/records/record.h"

/* The outcome of one problem, as far as outcomes are compared. */
struct outcome {
    bool known; /* false: the reference or the comparison gave no answer */
    enum status status;
    char rule[48]; /* rule of the failure */
    char reason[320];
    double implausible; /* as in the record; 0: not implausible */
    double margin; /* how many times its limit the error is; infinity where the failure has no such number */
    double resolution; /* as in the record */
    bool valued;       /* elements were judged */
    bool numbered;     /* the worst element is off by a number of ulp, and not of another class */
    char hypothesis[NAME_MOST + 16]; /* "": not explained */
    bool cut;                        /* the search for a hypothesis ran out of time */
};

/* Answers problems. The owner fills it in; harness/repro/repro_trials.h asks a backend in a child process.
 */
struct trials {
    /* Returns false if no process can be started or the backend does not open; then no problem can be asked.
     */
    bool (*ask)(struct trials *, const struct problem *, struct outcome *, struct error *);
    void (*stop)(struct trials *); /* ends the process if one runs; the next problem starts another */

    double run_seconds;      /* time limit for the backend's answer to a problem */
    bool fresh;              /* each problem runs in a process of its own */
    const char *wanted_rule; /* a cause is looked for only if the failure is by this rule; NULL: always */
};

#endif
