/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_WORKERS_POOL_H
#define ASSAY_HARNESS_WORKERS_POOL_H

/* A pool of N worker processes that share a list of tasks. A worker that crashes, hangs or sends a malformed
 * answer costs only the case that it was running, which gets a status that says so; the worker is replaced.
 * Only one pool may run at a time in a process, because the pool handles signals. */

#include "harness/workers/worker.h"

struct pool_task {
    int index; /* into the suite list */
    bool self_test;
};

/* A case may request a worker that has run no other case, and a procedure also that no other case runs at the
 * same time; see suites/suite.h and suites/shared/procedure.h. All other tasks are handed out first. */

enum pool_reply {
    POOL_NEXT,  /* continue */
    POOL_AGAIN, /* run this task again, in a fresh worker, after the cases in `again` */
    POOL_STOP   /* hand out no further task */
};

/* The outcome of one run of a task. */
struct pool_outcome {
    int task, attempt;     /* 1 at first; one more after each POOL_AGAIN */
    struct record *record; /* the callee may take its contents over; the pool clears it afterwards */
    const int *before;     /* indices of the cases that this worker had run before this task, in order */
    int before_count;
    bool unsettled;      /* a case that had to run before the task did not finish, as the record says */
    bool last;           /* no worker is left: POOL_AGAIN is ignored */
    double open_seconds; /* that the worker took to open the backend; 0 unless this was its first task */
    double seconds;      /* of the task, including the cases that were requested to run before it */
    /* out, with POOL_AGAIN: cases to run before it, unjudged; must stay valid until the task's next outcome
     */
    const int *again;
    int again_count;
};

struct pool_progress {
    int done, total;
    const char *current; /* id of the case that has been running longest; NULL: no case is running */
    double seconds;      /* since the pool started */
};

struct pool_usage {
    int64_t hits, misses; /* truth cache: lookups that succeeded, and that failed */
    int64_t remembered;   /* records that came from the verdict cache */
    int workers_started, workers_lost;
    struct case_cost cost; /* sum over all cases that finished */
    int64_t largest;       /* largest peak memory of a worker, in KiB */
    /* id of the case after which `largest` was reached, from the list; NULL: no case finished */
    const char *largest_case;
    /* how the first worker with an abnormal exit ended after its last case; "": none did */
    char bad_end[320];
};

struct pool_options {
    struct worker_setup setup;
    const struct suite_list *list;
    int jobs;
    bool mixed; /* keep the order of the tasks, whatever their operators (queue.h) */
    /* seconds to open the backend, and for the phase RUN; the other phases may take ten times as long, at
     * least 120 s */
    double time_limit;
    const char *program; /* argv[0], used where /proc/self/exe does not exist */
    const int *before;   /* indices of cases to run, unjudged, before each task; only for a single task */
    int before_count;

    /* Called once, when the first worker has opened the backend, with the description of the device. May be
     * NULL. */
    void (*opened)(void *user, const struct record_header *device);
    /* called with the record of each run */
    enum pool_reply (*done)(void *user, struct pool_outcome *outcome);
    /* called several times a second; may be NULL */
    void (*tick)(void *user, const struct pool_progress *progress);
    void *user;
};

enum pool_end {
    POOL_COMPLETE,
    POOL_STOPPED,     /* `done` returned POOL_STOP */
    POOL_INTERRUPTED, /* by a signal, which signals_stop() names */
    POOL_NOT_OPENED   /* no worker could open the backend; the error says why */
};

enum pool_end pool_run(const struct pool_options *options, const struct pool_task *task, int count,
                       struct pool_usage *usage, struct error *error);

#endif
