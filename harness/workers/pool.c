/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/host/clock.h"
#include "harness/workers/pool_state.h"

#include "harness/workers/signals.h"
#include "suites/shared/procedure.h"

#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void spawn(struct pool *pool, struct slot *slot)
{
    struct worker_arguments arguments;
    worker_arguments(&pool->options->setup, pool->slots, &arguments);
    struct error error = {.text = ""};
    if (!child_spawn(&slot->child, pool->options->program, arguments.argv, &error)) {
        pool_open_failed(pool, slot, error.text);
        return;
    }
    pool->usage->workers_started++;
    slot->state = SLOT_STARTING;
    slot->cases = slot->runs = 0;
    slot->opening = clock_ns();
    slot->killed = false;
    slot->refusal[0] = 0;
    slot->deadline = clock_ns() + pool_open_limit(pool);
}

static const struct procedure *procedure_of(const struct pool *pool, int task)
{
    return suite_list_at(pool->options->list, pool->task[task].index)->procedure;
}

/* Returns the next task for an idle worker; −1 if the worker must wait, or if it was asked to exit because a
 * task wants a fresh worker. */
static int choose(struct pool *pool, struct slot *slot)
{
    const int worker = (int)(slot - pool->slot);
    bool suspect = pool->suspects && slot->cases == 0;
    if (pool->alone) {
        return -1;
    }
    if (!suspect && pool->suspects && pool_fresh_coming(pool) < pool->suspects) {
        pool_retire_worker(slot);
        return -1;
    }
    struct suspect chosen = {
        .attempt = 1, .before = pool->options->before, .before_count = pool->options->before_count};
    if (suspect) {
        chosen = pool->suspect[pool->suspects - 1];
    } else {
        chosen.task = queue_peek(&pool->queue, worker);
    }
    int task = chosen.task;
    if (task < 0) {
        return -1;
    }
    const struct procedure *p = procedure_of(pool, task);
    if (p && p->alone && pool->running > 0) {
        return -1;
    }
    if (suite_case_fresh(suite_list_at(pool->options->list, pool->task[task].index)) && slot->cases > 0) {
        pool_retire_worker(slot);
        return -1;
    }
    pool->alone = p && p->alone;
    if (suspect) {
        pool->suspects--;
    } else {
        queue_take(&pool->queue, worker);
    }
    slot->attempt = chosen.attempt;
    slot->before = chosen.before;
    slot->before_count = chosen.before_count;
    slot->before_at = 0;
    return task;
}

/* Gives the slot's idle worker its next task. */
static void give_task(struct pool *pool, struct slot *slot)
{
    int task = choose(pool, slot);
    if (task < 0) {
        return;
    }
    slot->state = SLOT_BUSY;
    slot->task = task;
    slot->since = clock_ns();
    pool->running++;
    if (slot->disagreement[0]) {
        pool_refuse_worker(pool, slot);
    } else {
        pool_send(pool, slot);
    }
}

/* True while a worker is opening the backend. One device is opened at a time, because a driver serialises the
 * opening anyway (16 processes that open an H200 at once wait 2 s each, a single one 0.2 s), and a short run
 * is over before a second worker would help. */
static bool opening(const struct pool *pool)
{
    for (int i = 0; i < pool->slots; i++) {
        if (pool->slot[i].state == SLOT_STARTING) {
            return true;
        }
    }
    return false;
}

static void update_slot(struct pool *pool, struct slot *slot)
{
    int64_t now = clock_ns();
    if (slot->state == SLOT_EMPTY && pool_work_left(pool) > 0 && now >= slot->not_before && !opening(pool)) {
        spawn(pool, slot);
    }
    if (slot->state == SLOT_IDLE) {
        give_task(pool, slot);
    }
    if (slot->deadline && now >= slot->deadline) {
        pool_overdue(pool, slot);
    }
}

static bool all_empty(const struct pool *pool)
{
    for (int i = 0; i < pool->slots; i++) {
        if (pool->slot[i].state != SLOT_EMPTY && pool->slot[i].state != SLOT_RETIRED) {
            return false;
        }
    }
    return true;
}

/* Waits for events. Returns false if certainly no worker has ended. */
static bool wait_for_events(struct pool *pool)
{
    struct pollfd fds[1 + 2 * SLOTS_MAX];
    struct slot *owner[1 + 2 * SLOTS_MAX];
    int count = 1;
    int64_t now = clock_ns(), wake = now + 100000000;
    fds[0] = (struct pollfd){.fd = signals_fd(), .events = POLLIN};
    for (int i = 0; i < pool->slots; i++) {
        struct slot *slot = &pool->slot[i];
        if (slot->deadline && slot->deadline < wake) {
            wake = slot->deadline;
        }
        if (slot->state == SLOT_EMPTY && slot->not_before > now && slot->not_before < wake) {
            wake = slot->not_before;
        }
        const int ends[2] = {slot->child.answers, slot->child.log};
        for (int e = 0; e < 2 && slot->child.pid; e++) {
            if (ends[e] >= 0) {
                owner[count] = slot;
                fds[count++] = (struct pollfd){.fd = ends[e], .events = POLLIN};
            }
        }
    }
    int64_t wait = wake > now ? (wake - now + 999999) / 1000000 : 0;
    if (poll(fds, (nfds_t)count, (int)wait) <= 0) {
        return true;
    }
    bool signalled = fds[0].revents != 0; /* true after SIGCHLD as well */
    if (signalled) {
        signals_drain();
    }
    for (int f = 1; f < count; f++) {
        if (!fds[f].revents || !owner[f]->child.pid) {
            continue;
        }
        if (fds[f].fd == owner[f]->child.log) {
            child_receive_log(&owner[f]->child);
        } else if (fds[f].fd == owner[f]->child.answers) {
            pool_receive(pool, owner[f]);
        }
    }
    return signalled;
}

static void tick(struct pool *pool)
{
    int64_t now = clock_ns();
    if (!pool->options->tick || now < pool->next_tick) {
        return;
    }
    pool->next_tick = now + 200000000;
    struct pool_progress progress = {
        .done = pool->done, .total = pool->count, .seconds = (double)(now - pool->started) * 1e-9};
    int64_t oldest = now + 1;
    for (int i = 0; i < pool->slots; i++) {
        const struct slot *slot = &pool->slot[i];
        if (slot->state == SLOT_BUSY && slot->since < oldest) {
            oldest = slot->since;
            progress.current = suite_list_id(pool->options->list, pool->task[slot->task].index);
        }
    }
    pool->options->tick(pool->options->user, &progress);
}

/* Ends every worker. `kindly`: lets it close its device, which saves pipeline caches; else it is killed at
 * once. */
static void end_workers(struct pool *pool, bool kindly)
{
    int64_t limit = clock_ns() + (kindly ? CLOSE_LIMIT_S : 1) * 1000000000LL;
    for (int i = 0; i < pool->slots; i++) {
        struct slot *slot = &pool->slot[i];
        if (slot->child.pid && kindly && slot->state != SLOT_BUSY && slot->state != SLOT_STARTING) {
            child_end(&slot->child);
        } else if (slot->child.pid) {
            slot->killed = true;
            child_kill(&slot->child);
        }
    }
    for (bool left = true; left;) {
        left = false;
        for (int i = 0; i < pool->slots; i++) {
            struct child *child = &pool->slot[i].child;
            if (child->pid && child_reap(child)) {
                child_receive_log(child);
                pool_note_end(pool, &pool->slot[i]);
                child_release(child);
            } else if (child->pid) {
                child_receive_log(child); /* so that it does not block on a full pipe */
                left = true;
            }
        }
        if (left && clock_ns() > limit) {
            break;
        }
        if (left) {
            nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        }
    }
    for (int i = 0; i < pool->slots; i++) {
        child_kill(&pool->slot[i].child);
        child_release(&pool->slot[i].child);
    }
}

static enum pool_end run(struct pool *pool, struct error *error)
{
    while (!pool->stopped && (pool_work_left(pool) > 0 || pool->running > 0)) {
        if (signals_stop()) {
            return POOL_INTERRUPTED;
        }
        for (int i = 0; i < pool->slots; i++) {
            update_slot(pool, &pool->slot[i]);
        }
        if (!pool->opened && all_empty(pool) && pool->refusal[0]) {
            error_set(error, "%s", pool->refusal);
            return POOL_NOT_OPENED;
        }
        if (pool->hopeless) {
            pool_give_up(pool);
            break;
        }
        tick(pool);
        bool ended = wait_for_events(pool);
        for (int i = 0; ended && i < pool->slots; i++) {
            struct slot *slot = &pool->slot[i];
            if (slot->child.pid && child_reap(&slot->child)) {
                pool_ended(pool, slot);
            }
        }
    }
    return pool->stopped ? POOL_STOPPED : POOL_COMPLETE;
}

enum pool_end pool_run(const struct pool_options *options, const struct pool_task *task, int count,
                       struct pool_usage *usage, struct error *error)
{
    struct pool pool = {
        .options = options, .task = task, .count = count, .usage = usage, .started = clock_ns()};
    int jobs = options->jobs < SLOTS_MAX ? options->jobs : SLOTS_MAX;
    pool.slots = jobs < count ? jobs : count;
    pool.slot = calloc((size_t)pool.slots + 1, sizeof *pool.slot);
    pool.suspect = calloc((size_t)count + 1, sizeof *pool.suspect);
    enum pool_end end = POOL_NOT_OPENED;
    bool queued = queue_open(&pool.queue, options->list, task, count, pool.slots, options->mixed);
    if (!pool.slot || !pool.suspect || !queued || !signals_install()) {
        error_set(error, "out of memory or descriptors for the worker pool");
    } else {
        for (int i = 0; i < pool.slots; i++) {
            pool.slot[i].child = (struct child){.requests = -1, .answers = -1, .log = -1};
        }
        end = run(&pool, error);
        end_workers(&pool, end == POOL_COMPLETE);
    }
    for (int i = 0; pool.slot && i < pool.slots; i++) {
        free(pool.slot[i].run);
    }
    record_header_clear(&pool.device);
    free(pool.slot);
    free(pool.suspect);
    queue_close(&pool.queue);
    return end;
}
