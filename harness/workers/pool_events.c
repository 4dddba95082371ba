/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/host/clock.h"
#include "harness/workers/agreement.h"
#include "harness/workers/pool_state.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void out_of_form(struct pool *pool, struct slot *slot, const char *what)
{
    if (slot->state == SLOT_BUSY) {
        char reason[400];
        snprintf(reason, sizeof reason, "the worker's answer is out of form in phase %s: %s",
                 worker_phase_name(slot->phase), what);
        pool_lose_case(pool, slot, STATUS_ERROR, reason);
    } else if (slot->state == SLOT_STARTING) {
        snprintf(slot->refusal, sizeof slot->refusal, "the worker's greeting is out of form: %.300s", what);
    }
    pool_kill_worker(pool, slot);
}

/* Appends the last line that the worker, or a program behind it, printed. That line often says why the
 * backend does not open: a missing module, a driver. */
static void report_last_line(struct slot *slot)
{
    child_receive_log(&slot->child);
    char *tail = slot->child.tail;
    size_t length = slot->child.tail_used;
    while (length && (tail[length - 1] == '\n' || tail[length - 1] == '\r')) {
        length--;
    }
    size_t start = length;
    while (start && tail[start - 1] != '\n') {
        start--;
    }
    size_t used = strlen(slot->refusal);
    if (length > start) {
        snprintf(slot->refusal + used, sizeof slot->refusal - used, "; it printed: %.*s",
                 (int)(length - start), tail + start);
    }
}

static void greet(struct pool *pool, struct slot *slot, const char *line, size_t length)
{
    int version = 0, at = 0;
    struct record_header header;
    struct error error = {.text = "another version of the protocol"};
    if (strncmp(line, "refused ", 8) == 0) {
        snprintf(slot->refusal, sizeof slot->refusal, "%.300s", line + 8);
        report_last_line(slot);
        pool_retire_worker(slot);
        return;
    }
    if (sscanf(line, "hello %d %n", &version, &at) != 1 || version != CHILD_PROTOCOL || !at ||
        !record_header_parse(line + at, length - (size_t)at, &header, &error)) {
        out_of_form(pool, slot, error.text);
        return;
    }
    slot->disagreement[0] = 0;
    bool agrees = true;
    if (!pool->opened) {
        if (pool->options->opened) {
            pool->options->opened(pool->options->user, &header);
        }
        pool->device = header;
    } else {
        char difference[300];
        agrees = agreement_holds(&pool->device, &header, difference, sizeof difference);
        if (!agrees) {
            snprintf(slot->disagreement, sizeof slot->disagreement,
                     "a worker process opened another backend than the first one: %s", difference);
        }
        record_header_clear(&header);
    }
    pool->opened = true;
    pool->reopen_failures = agrees ? 0 : pool->reopen_failures;
    slot->ready = clock_ns();
    slot->state = SLOT_IDLE;
    slot->deadline = 0;
}

static void take_phase(struct pool *pool, struct slot *slot, const char *line)
{
    int sequence;
    char name[16];
    if (sscanf(line, "phase %d %15s", &sequence, name) != 2 || sequence != slot->sequence) {
        out_of_form(pool, slot, "a phase of another case");
        return;
    }
    for (int p = PHASE_REFERENCE; p <= PHASE_JUDGE; p++) {
        if (strcmp(name, worker_phase_name((enum case_phase)p)) == 0) {
            slot->phase = (enum case_phase)p;
            slot->deadline = clock_ns() + pool_phase_limit(pool, slot->phase);
            return;
        }
    }
    out_of_form(pool, slot, "an unknown phase");
}

/* Sends the next case after one of the cases that run before the task has finished. */
static void send_next(struct pool *pool, struct slot *slot, bool noted)
{
    if (!noted) {
        pool_lose_case(pool, slot, STATUS_ERROR, "out of memory for the history of a worker");
        return;
    }
    slot->before_at++;
    slot->state = SLOT_BUSY;
    pool_send(pool, slot);
}

static void take_cost(struct pool *pool, const struct case_cost *cost, int64_t resident, const char *id)
{
    struct pool_usage *usage = pool->usage;
    usage->cost.reference += cost->reference;
    usage->cost.device += cost->device;
    usage->cost.judge += cost->judge;
    usage->cost.procedure += cost->procedure;
    if (resident > usage->largest) {
        usage->largest = resident;
        usage->largest_case = id;
    }
}

static void take_record(struct pool *pool, struct slot *slot, const char *line, size_t length)
{
    int sequence, lost, at = 0;
    long long hits, misses;
    int64_t resident;
    struct case_cost cost;
    struct record record;
    struct error error = {.text = ""};
    if (sscanf(line, "done %d %lld %lld %d %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64 " %n",
               &sequence, &hits, &misses, &lost, &cost.reference, &cost.device, &cost.judge, &cost.procedure,
               &resident, &at) != 9 ||
        !at || sequence != slot->sequence) {
        out_of_form(pool, slot, "the result of another case");
        return;
    }
    if (!record_parse(line + at, length - (size_t)at, &record, &error)) {
        out_of_form(pool, slot, error.text);
        return;
    }
    bool before = slot->before_at < slot->before_count;
    const char *id = suite_list_id(pool->options->list,
                                   before ? slot->before[slot->before_at] : pool->task[slot->task].index);
    if (strcmp(record.id, id) != 0 || !record.backend) {
        out_of_form(pool, slot,
                    record.backend ? "a record under another case's id" : "a record without a backend");
        record_clear(&record);
        return;
    }
    pool->usage->hits += hits;
    pool->usage->misses += misses;
    pool->usage->remembered += record.remembered;
    take_cost(pool, &cost, resident, id);
    if (before && lost) {
        record_clear(&record);
        pool_lose_case(pool, slot, STATUS_ERROR, "the device is lost");
    } else if (!before) {
        pool_finish_case(pool, slot, &record, false);
    }
    bool noted = pool_note_run(pool, slot);
    slot->deadline = 0;
    slot->state = SLOT_IDLE;
    if (lost || !noted) {
        pool->usage->workers_lost += lost != 0;
        pool_retire_worker(slot);
    }
    if (before && !lost) {
        record_clear(&record);
        send_next(pool, slot, noted);
    }
}

void pool_receive(struct pool *pool, struct slot *slot)
{
    for (bool more = true; more;) {
        more = child_receive(&slot->child) && slot->child.end >= CHILD_LINE_MAX;
        size_t length;
        bool oversized = false;
        char *line;
        while ((line = child_line(&slot->child, &length, &oversized))) {
            if (slot->state == SLOT_STARTING) {
                greet(pool, slot, line, length);
            } else if (slot->state == SLOT_BUSY && strncmp(line, "phase ", 6) == 0) {
                take_phase(pool, slot, line);
            } else if (slot->state == SLOT_BUSY && strncmp(line, "done ", 5) == 0) {
                take_record(pool, slot, line, length);
            } else if (slot->state == SLOT_BUSY || slot->state == SLOT_IDLE) {
                char what[128];
                snprintf(what, sizeof what, "\"%.80s\" (%zu bytes)", line, length);
                out_of_form(pool, slot, what);
            }
        }
        if (oversized && slot->state != SLOT_LEAVING) {
            out_of_form(pool, slot, "a line without end");
        }
        if (oversized) {
            slot->child.start = slot->child.end;
        }
    }
    if (slot->child.answers < 0 && slot->state != SLOT_LEAVING) {
        slot->deadline =
            clock_ns() + 2000000000; /* by then it must have exited, or it is killed: it closed its pipe */
    }
}

void pool_open_failed(struct pool *pool, struct slot *slot, const char *why)
{
    pool->disagreed = false;
    if (!pool->refusal[0] || pool->opened) {
        snprintf(pool->refusal, sizeof pool->refusal, "%s", why);
    }
    bool others = false;
    for (int i = 0; i < pool->slots; i++) {
        enum slot_state state = pool->slot[i].state;
        others = others || (&pool->slot[i] != slot && (state == SLOT_BUSY || state == SLOT_IDLE));
    }
    slot->state = SLOT_EMPTY;
    for (int i = 0; i < pool->slots && !pool->opened && pool->open_late; i++) {
        if (pool->slot[i].state == SLOT_EMPTY) {
            /* after one worker hung, do not wait a full time limit for another */
            pool->slot[i].state = SLOT_RETIRED;
        }
    }
    if (!pool->opened || others) {
        slot->state = SLOT_RETIRED; /* the other workers continue without it */
        return;
    }
    int64_t wait =
        100000000LL << 2 * pool->reopen_failures; /* 0.1 s, 0.4 s, 1.6 s: a driver may need to recover */
    slot->not_before = clock_ns() + wait;
    pool->reopen_failures += pool->open_late ? 2 : 1;
    pool->open_late = false;
    pool->hopeless = pool->reopen_failures >= REOPEN_TRIES;
}

void pool_refuse_worker(struct pool *pool, struct slot *slot)
{
    char reason[sizeof slot->disagreement];
    snprintf(reason, sizeof reason, "%s", slot->disagreement);
    snprintf(pool->refusal, sizeof pool->refusal, "%s", reason);
    pool->disagreed = true;
    slot->disagreement[0] = 0;
    slot->cases++;
    pool_lose_case(pool, slot, STATUS_ERROR, reason);
    pool->reopen_failures++;
    pool->hopeless = pool->reopen_failures >= REOPEN_TRIES;
    pool_retire_worker(slot);
}

void pool_note_end(struct pool *pool, const struct slot *slot)
{
    char how[128];
    if (slot->killed || slot->child.wait_status == 0 || pool->usage->bad_end[0] || slot->refusal[0]) {
        return;
    }
    child_describe(&slot->child, how, sizeof how);
    snprintf(pool->usage->bad_end, sizeof pool->usage->bad_end, "%s%s%.150s", how,
             slot->child.tail_used ? ": " : "", slot->child.tail);
}

void pool_ended(struct pool *pool, struct slot *slot)
{
    if (slot->child.answers >= 0) {
        pool_receive(pool, slot); /* what it said before it ended */
    }
    child_receive_log(&slot->child);
    char how[128], reason[512];
    child_describe(&slot->child, how, sizeof how);
    bool starting = slot->state == SLOT_STARTING;
    if (slot->state == SLOT_IDLE || slot->state == SLOT_LEAVING) {
        pool_note_end(pool, slot);
    }
    if (slot->state == SLOT_BUSY) {
        snprintf(reason, sizeof reason, "the worker %s in phase %s", how, worker_phase_name(slot->phase));
        pool->usage->workers_lost++;
        pool_lose_case(pool, slot, STATUS_CRASH, reason);
    } else if (starting && !slot->refusal[0]) {
        snprintf(slot->refusal, sizeof slot->refusal, "the worker %s while it opened the backend%s%.300s",
                 how, slot->child.tail_used ? ": " : "", slot->child.tail);
    }
    char refusal[512];
    snprintf(refusal, sizeof refusal, "%s", slot->refusal);
    slot->refusal[0] = 0;
    child_release(&slot->child);
    slot->state = SLOT_EMPTY;
    slot->deadline = 0;
    if (refusal[0]) {
        pool_open_failed(pool, slot, refusal);
    }
}

void pool_overdue(struct pool *pool, struct slot *slot)
{
    char reason[256];
    slot->deadline = 0;
    if (slot->state == SLOT_BUSY && slot->child.answers < 0) {
        snprintf(reason, sizeof reason, "the worker closed its answer pipe in phase %s but kept running",
                 worker_phase_name(slot->phase));
        pool_lose_case(pool, slot, STATUS_ERROR, reason);
    } else if (slot->state == SLOT_BUSY) {
        snprintf(reason, sizeof reason, "no answer in phase %s within %g s%s", worker_phase_name(slot->phase),
                 (double)pool_phase_limit(pool, slot->phase) * 1e-9,
                 slot->phase == PHASE_RUN ? " (--time-limit)" : "");
        pool_lose_case(pool, slot, STATUS_TIMEOUT, reason);
    } else if (slot->state == SLOT_STARTING) {
        snprintf(slot->refusal, sizeof slot->refusal, "the backend did not open within %g s (--time-limit)",
                 (double)pool_open_limit(pool) * 1e-9);
        pool->open_late = true;
    } else if (slot->killed) { /* killed and still there: it hangs inside the kernel; abandon it */
        child_release(&slot->child);
        slot->state = SLOT_EMPTY;
        return;
    }
    pool_kill_worker(pool, slot);
}
