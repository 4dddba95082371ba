/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/host/clock.h"
#include "harness/workers/pool_state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Thirty years, in seconds: practically no limit, and far below what nanoseconds in 64 bits can count. */
#define LIMIT_MAX 1e9

/* How long a worker may stay silent in a phase, in nanoseconds. */
int64_t pool_phase_limit(const struct pool *pool, enum case_phase phase)
{
    double limit = pool->options->time_limit;
    if (phase != PHASE_RUN) {
        limit = fmax(10 * limit, 120);
    }
    return (int64_t)(fmin(limit, LIMIT_MAX) * 1e9);
}

int64_t pool_open_limit(const struct pool *pool)
{
    return (int64_t)(fmin(fmax(pool->options->time_limit, OPEN_LEAST_S), LIMIT_MAX) * 1e9);
}

void pool_send(struct pool *pool, struct slot *slot)
{
    const struct pool_task *what = &pool->task[slot->task];
    bool before = slot->before_at < slot->before_count;
    int index = before ? slot->before[slot->before_at] : what->index;
    enum worker_mode mode = before ? WORKER_UNJUDGED : what->self_test ? WORKER_SELF_TEST : WORKER_JUDGED;
    char *request = NULL; /* one write: each part would wake the worker */
    int length = asprintf(&request, "case %d %d %d %s\n", ++pool->sequence, index, (int)mode,
                          suite_list_id(pool->options->list, index));
    slot->sequence = pool->sequence;
    slot->phase = PHASE_REFERENCE;
    slot->cases++;
    slot->deadline = clock_ns() + pool_phase_limit(pool, PHASE_REFERENCE);
    slot->child.tail_used = 0;
    slot->child.tail[0] = 0;
    if (length < 0) {
        pool_lose_case(pool, slot, STATUS_ERROR, "out of memory for the request to a worker");
        pool_kill_worker(pool, slot);
        return;
    }
    (void)child_send(&slot->child, request); /* a worker that died is noticed later and costs this case */
    free(request);
}

int pool_fresh_coming(const struct pool *pool)
{
    int coming = 0;
    for (int i = 0; i < pool->slots; i++) {
        const struct slot *slot = &pool->slot[i];
        coming += slot->state == SLOT_EMPTY || slot->state == SLOT_STARTING || slot->state == SLOT_LEAVING ||
                  (slot->state == SLOT_IDLE && slot->cases == 0);
    }
    return coming;
}

void pool_retire_worker(struct slot *slot)
{
    slot->state = SLOT_LEAVING;
    slot->deadline = clock_ns() + CLOSE_LIMIT_S * 1000000000LL;
    child_end(&slot->child);
}

void pool_kill_worker(struct pool *pool, struct slot *slot)
{
    pool->usage->workers_lost++;
    slot->killed = true;
    slot->state = SLOT_LEAVING;
    slot->deadline = clock_ns() + CLOSE_LIMIT_S * 1000000000LL;
    child_kill(&slot->child);
}
