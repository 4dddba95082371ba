/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_WORKERS_POOL_STATE_H
#define ASSAY_HARNESS_WORKERS_POOL_STATE_H

/* The private interface of the pool's own files: pool.c schedules, pool_slot.c drives one worker,
 * pool_events.c reacts to what workers do, pool_case.c ends cases. */

#include "harness/workers/child.h"
#include "harness/workers/pool.h"
#include "harness/workers/queue.h"

enum {
    SLOTS_MAX = 256,
    /* least time to open a device, however short --time-limit is, because a process has to start */
    OPEN_LEAST_S = 4,
    CLOSE_LIMIT_S = 10, /* time to close a device */
    REOPEN_TRIES = 4    /* failures to reopen in a row after which the remaining cases are given up */
};

enum slot_state {
    SLOT_EMPTY,    /* no process */
    SLOT_STARTING, /* opening its backend */
    SLOT_IDLE,
    SLOT_BUSY,
    SLOT_LEAVING, /* asked to exit, or killed; its further answers are ignored */
    SLOT_RETIRED  /* not used again: its backend could not be opened while other workers could open theirs */
};

struct slot {
    enum slot_state state;
    struct child child;
    bool killed;
    int64_t deadline;   /* ns of clock_ns(); 0: none */
    int64_t not_before; /* earliest time of the next start */
    int64_t since;      /* when its task started, including the cases before it */
    int64_t opening;    /* when its process started, and when the backend was open */
    int64_t ready;
    int cases; /* cases sent to this worker so far */
    int *run;  /* indices of the cases that finished, in order */
    int runs, runs_room;
    const int *before; /* cases to run before the task; `before_at` of them are done */
    int before_count, before_at;
    int task, attempt, sequence;
    enum case_phase phase;
    char refusal[512];
    char disagreement[400]; /* how this worker's backend differs from the first worker's; "": it does not */
};

/* A task that waits for a fresh worker, with the cases to run before it there. */
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
    bool alone; /* the running case requested that no other case runs at the same time */
    int slots;
    struct slot *slot;
    int suspects;
    struct suspect *suspect;
    bool opened, stopped, hopeless;
    bool disagreed; /* the last worker was refused because its backend differs from the first worker's */
    struct record_header device; /* the first worker's description of the backend */
    bool open_late;              /* a worker was killed because it took too long to open the backend */
    int reopen_failures;
    char refusal[512]; /* why the backend did not open */
    int64_t started, next_tick;
    struct pool_usage *usage;
};

/* --- pool_slot.c: drives one worker */

/* Sends the worker its next case: the next of the cases before its task, or the task itself. */
void pool_send(struct pool *pool, struct slot *slot);
int64_t pool_phase_limit(const struct pool *pool, enum case_phase phase);
int64_t pool_open_limit(const struct pool *pool); /* both limits in nanoseconds */
/* number of slots that hold a fresh worker or will soon start one */
int pool_fresh_coming(const struct pool *pool);
void pool_retire_worker(struct slot *slot); /* lets the worker close its device and exit */
void pool_kill_worker(struct pool *pool, struct slot *slot);

/* --- pool_case.c: ends cases */

int pool_work_left(const struct pool *pool); /* tasks not handed out */

/* Hands the record of the slot's task to the caller's `done`, and clears it. */
void pool_finish_case(struct pool *pool, struct slot *slot, struct record *record, bool unsettled);
/* Ends the current case with this status and reason. The detail quotes the worker's latest output. */
void pool_lose_case(struct pool *pool, struct slot *slot, enum status status, const char *reason);
/* Appends the case that this worker has just finished to the history of its later cases. Returns false when
 * out of memory; the worker must then not be used again. */
bool pool_note_run(const struct pool *pool, struct slot *slot);
void pool_give_up(struct pool *pool); /* makes an error record for every case that is left */

/* --- pool_events.c: reacts to what workers do */

void pool_receive(struct pool *pool, struct slot *slot); /* reads and handles the answers that have arrived */
/* after reaping: notes an abnormal exit in usage->bad_end */
void pool_note_end(struct pool *pool, const struct slot *slot);
void pool_ended(struct pool *pool, struct slot *slot);   /* handles the end of its process, which is reaped */
void pool_overdue(struct pool *pool, struct slot *slot); /* handles an expired deadline */
/* Refuses a worker whose backend differs from the first worker's: its task ends with status error, which
 * fails the gate, and the worker is replaced. After REOPEN_TRIES refusals in a row the remaining cases are
 * given up. */
void pool_refuse_worker(struct pool *pool, struct slot *slot);
void pool_open_failed(struct pool *pool, struct slot *slot, const char *why);

#endif
