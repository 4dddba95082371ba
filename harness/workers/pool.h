/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_WORKERS_POOL_H
#define ASSAY_HARNESS_WORKERS_POOL_H

/* N worker processes that share a list of tasks. A worker that crashes, hangs or answers out of form costs
 * the case that it was running, with a status that says so, and is replaced. One pool at a time per process
 * (signals). */

#include "harness/workers/worker.h"

struct pool_task {
    int index; /* into the suite list */
    bool self_test;
};

/* A procedure may ask for a worker that has run nothing before it, or for a machine on which no other case
 * runs meanwhile; see suites/shared/procedure.h. The rest is handed out first. */

enum pool_reply {
    POOL_NEXT,  /* go on */
    POOL_AGAIN, /* run this task once more, in a fresh worker, after the cases that `again` names */
    POOL_STOP   /* hand out nothing more */
};

/* What came of a task. */
struct pool_outcome {
    int task, attempt;     /* 1; one more after each POOL_AGAIN */
    struct record *record; /* the callee takes it over (it is emptied afterwards in any case) */
    const int *before;     /* indices of the cases that this worker had run before it, in order */
    int before_count;
    bool unsettled;      /* what was to run before it did not come to its end, as the record says */
    bool last;           /* there will be no further worker: POOL_AGAIN is not heard */
    double open_seconds; /* that the worker took to open, where this was its first task */
    double seconds;      /* of the case and of what was asked to run before it */
    const int *again;    /* out, with POOL_AGAIN: cases to run before, unjudged; valid until the task's next
                            outcome */
    int again_count;
};

struct pool_progress {
    int done, total;
    const char *current; /* id of the case that has been running longest; NULL: none */
    double seconds;      /* since the start */
};

struct pool_usage {
    int64_t hits, misses; /* of the truth cache */
    int64_t remembered;   /* verdicts */
    int workers_started, workers_lost;
    struct case_cost cost;    /* of all cases that came to their end */
    int64_t largest;          /* KiB that any worker held at most */
    const char *largest_case; /* the case with which it came to that; of the list; NULL: none ended */
    char bad_end[320];        /* how the first worker ended that did so badly after its last case; "" */
};

struct pool_options {
    struct worker_setup setup;
    const struct suite_list *list;
    int jobs;
    bool mixed;          /* tasks keep their order, whatever their operators (queue.h) */
    double time_limit;   /* seconds to open the backend, and in the phase RUN; ten times that, at least 120 s,
                            in the others */
    const char *program; /* argv[0], where there is no /proc/self/exe */
    const int *before;   /* cases to run, unjudged, before each task; for a single task */
    int before_count;

    /* Once, when the first worker has opened the backend: what device it is. May be NULL. */
    void (*opened)(void *user, const struct record_header *device);
    enum pool_reply (*done)(void *user, struct pool_outcome *outcome); /* a task has its record */
    void (*tick)(void *user, const struct pool_progress *progress); /* several times a second; may be NULL */
    void *user;
};

enum pool_end {
    POOL_COMPLETE,
    POOL_STOPPED,     /* `done` said POOL_STOP */
    POOL_INTERRUPTED, /* a signal: signals_stop() tells which */
    POOL_NOT_OPENED   /* no worker could open the backend; the error says why */
};

enum pool_end pool_run(const struct pool_options *options, const struct pool_task *task, int count,
                       struct pool_usage *usage, struct error *error);

#endif
