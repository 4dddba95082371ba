/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_REPRO_TRIALS_H
#define ASSAY_HARNESS_REPRO_TRIALS_H

/* Many problems on one backend, judged on the normal road: reference, runs, judge, hypotheses. The process
 * that asks them opens the backend once; where it dies or hangs another one takes its place. */

#include "harness/repro/child.h"
#include "harness/repro/problem.h"

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

struct trials {
    struct repro *repro;
    struct repro_time_limits limits;
    bool fresh;   /* each problem in a process of its own */
    bool running; /* the child is there */
    struct child child;
};

/* Its backend is asked; its inputs are exchanged for those of each problem. */
void trials_open(struct trials *trials, struct repro *repro, const struct repro_time_limits *limits);
void trials_close(struct trials *trials);

/* False where no process can be had, or the backend does not start: nothing can be asked. */
bool trials_ask(struct trials *trials, const struct problem *problem, struct outcome *outcome,
                struct error *error);

#endif
