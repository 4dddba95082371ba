/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_WORKERS_POOL_STATE_H
#define ASSAY_HARNESS_WORKERS_POOL_STATE_H

/* The inside of the pool: pool.c schedules, pool_events.c reacts to what workers do, pool_case.c ends cases.
 * Not for others. */

#include "harness/workers/child.h"
#include "harness/workers/pool.h"
#include "harness/workers/queue.h"

enum {
    SLOTS_MAX = 256,
    OPEN_LEAST_S = 4,   /* to open a device, however short --time-limit is: a process has to start */
    CLOSE_LIMIT_S = 10, /* to close it */
    REOPEN_TRIES = 4    /* in a row, after a loss, before the rest of the cases is given up */
};

enum slot_state {
    SLOT_EMPTY,    /* no process */
    SLOT_STARTING, /* opening its backend */
    SLOT_IDLE,
    SLOT_BUSY,
    SLOT_LEAVING, /* told to end, or killed; what it still says is not heard */
    SLOT_RETIRED  /* one worker less: its backend could not be opened while others could */
};

struct slot {
    enum slot_state state;
    struct child child;
    bool killed;
    int64_t deadline;   /* 0: none */
    int64_t not_before; /* of the next start */
    int64_t since;      /* start of the case */
    int64_t opening;    /* start of the process; and when it was ready */
    int64_t ready;
    int cases; /* given to this worker so far */
    int *run;  /* of those, the ones that came to their end, in order */
    int runs, runs_room;
    const int *before; /* to be run before the task, of which `before_at` are done */
    int before_count, before_at;
    int task, attempt, sequence;
    enum case_phase phase;
    char refusal[512];
    char disagreement[400]; /* how this worker's backend differs from the first worker's; "" if it does not */
};

/* A task that waits for a fresh worker, and what is to run before it there. */
struct suspect {
    int task, attempt;
    const int *before;
    int before_count;
};

struct pool {
    const struct pool_options *options;
    const struct pool_task *task;
    int count, done, running, sequence;
    struct queue queue;
    bool alone; /* the case that runs has the machine to itself */
    int slots;
    struct slot *slot;
    int suspects;
    struct suspect *suspect;
    bool opened, stopped, hopeless;
    bool disagreed; /* the last worker that could not be used found another backend than the first */
    struct record_header device; /* what the first worker said of the backend */
    bool open_late;              /* a worker that opened its backend had to be killed for it */
    int reopen_failures;
    char refusal[512]; /* the first */
    int64_t started, next_tick;
    struct pool_usage *usage;
};

/* --- pool_slot.c: one worker */

/* The worker's next case: one before its task, or that. */
void pool_send(struct pool *pool, struct slot *slot);
int64_t pool_phase_limit(const struct pool *pool, enum case_phase phase);
int64_t pool_open_limit(const struct pool *pool); /* nanoseconds */
int pool_fresh_coming(const struct pool *pool);   /* slots that will hold a fresh worker before long */
void pool_retire_worker(struct slot *slot);       /* lets the worker close its device and end */
void pool_kill_worker(struct pool *pool, struct slot *slot);

/* --- pool_case.c: how a case ends */

int pool_work_left(const struct pool *pool); /* tasks not handed out */

/* The slot's task has its record, which is cleared. */
void pool_finish_case(struct pool *pool, struct slot *slot, struct record *record, bool unsettled);
/* The case in hand ends with this status; what the worker printed last is told with it. */
void pool_lose_case(struct pool *pool, struct slot *slot, enum status status, const char *reason);
/* The case that this worker has just ended belongs to the history of those that follow. False when there is
 * no memory for it: the worker is then not used on. */
bool pool_note_run(const struct pool *pool, struct slot *slot);
void pool_give_up(struct pool *pool); /* an error record for every case that is left */

/* --- pool_events.c: what workers do */

void pool_receive(struct pool *pool, struct slot *slot);        /* its answers are readable */
void pool_note_end(struct pool *pool, const struct slot *slot); /* a reaped worker: did it end well? */
void pool_ended(struct pool *pool, struct slot *slot);          /* its process is reaped */
void pool_overdue(struct pool *pool, struct slot *slot);        /* its deadline has passed */
/* A worker whose backend is not the first worker's: its task ends with status error, which fails the gate,
 * and the worker is replaced. After REOPEN_TRIES of them in a row the rest of the cases is given up. */
void pool_refuse_worker(struct pool *pool, struct slot *slot);
void pool_open_failed(struct pool *pool, struct slot *slot, const char *why);

#endif
