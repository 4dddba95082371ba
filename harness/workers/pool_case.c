/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Ends a case: with the worker's record, or with a record that says why the worker delivered none. */

#include "harness/host/clock.h"
#include "harness/workers/pool_state.h"
#include "reference/base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int pool_work_left(const struct pool *pool)
{
    return pool->queue.left + pool->suspects;
}

/* Hands a record to the caller and follows its reply. */
static void finish(struct pool *pool, struct pool_outcome *outcome)
{
    const struct pool_options *options = pool->options;
    struct record *record = outcome->record;
    if (options->before_count && record->id) {
        free(record->repro);
        record->repro = worker_replay_after(&options->setup, record->id, options->list, options->before,
                                            options->before_count);
    }
    enum pool_reply reply = options->done(options->user, outcome);
    record_clear(record);
    if (reply == POOL_AGAIN && !outcome->last) {
        pool->suspect[pool->suspects++] = (struct suspect){.task = outcome->task,
                                                           .attempt = outcome->attempt + 1,
                                                           .before = outcome->again,
                                                           .before_count = outcome->again_count};
        return;
    }
    pool->done++;
    pool->stopped = pool->stopped || reply == POOL_STOP;
}

void pool_finish_case(struct pool *pool, struct slot *slot, struct record *record, bool unsettled)
{
    bool first = slot->cases == 1 + slot->before_at;
    struct pool_outcome outcome = {.task = slot->task,
                                   .attempt = slot->attempt,
                                   .record = record,
                                   .before = slot->run,
                                   .before_count = slot->runs,
                                   .unsettled = unsettled,
                                   .open_seconds = first ? (double)(slot->ready - slot->opening) * 1e-9 : 0,
                                   .seconds = (double)(clock_ns() - slot->since) * 1e-9};
    pool->running--;
    pool->alone = false;
    finish(pool, &outcome);
}

bool pool_note_run(const struct pool *pool, struct slot *slot)
{
    if (slot->runs == slot->runs_room) {
        int room = slot->runs_room ? 2 * slot->runs_room : 256;
        int *grown = realloc(slot->run, (size_t)room * sizeof *grown);
        if (!grown) {
            return false;
        }
        slot->run = grown;
        slot->runs_room = room;
    }
    slot->run[slot->runs++] =
        slot->before_at < slot->before_count ? slot->before[slot->before_at] : pool->task[slot->task].index;
    return true;
}

/* Makes the record of a case whose worker delivered none. Every measure is NaN, which means unknown. */
static struct record make_record(const struct pool *pool, int task, enum status status, const char *reason,
                                 const char *detail)
{
    int index = pool->task[task].index;
    const char *id = suite_list_id(pool->options->list, index);
    return (struct record){.id = memory_text(id),
                           .backend = memory_text(pool->options->setup.backend),
                           .status = status,
                           .reason = memory_text(reason),
                           .detail = detail && detail[0] ? memory_text(detail) : NULL,
                           .repro = worker_replay(&pool->options->setup, id),
                           .source = worker_source(suite_list_at(pool->options->list, index)),
                           .max_ulp = NAN,
                           .mean_ulp = NAN,
                           .bias_ulp = NAN,
                           .bias_resolution = NAN,
                           .max_nu = NAN,
                           .p99_nu = NAN,
                           .quality_nu = NAN,
                           .median_rho = NAN,
                           .resolution = NAN,
                           .nmse = NAN,
                           .bit_exact = NAN,
                           .faithful = NAN,
                           .worst = {.index = -1}};
}

void pool_lose_case(struct pool *pool, struct slot *slot, enum status status, const char *reason)
{
    char detail[CHILD_LOG_MAX + 64] = "";
    child_receive_log(&slot->child);
    if (slot->child.tail_used) {
        snprintf(detail, sizeof detail, "the last lines of the worker's output:\n%s", slot->child.tail);
    }
    bool before = slot->before_at < slot->before_count;
    char shown[700];
    snprintf(shown, sizeof shown, "while %.150s, which runs before it, was running: %s",
             before ? suite_list_id(pool->options->list, slot->before[slot->before_at]) : "", reason);
    struct record record =
        make_record(pool, slot->task, before ? STATUS_ERROR : status, before ? shown : reason, detail);
    record.wall_ns = record.case_ns = clock_ns() - slot->since;
    pool_finish_case(pool, slot, &record, before);
}

void pool_give_up(struct pool *pool)
{
    char reason[700];
    snprintf(reason, sizeof reason, "%s%s",
             pool->disagreed ? "" : "the backend was lost and could not be opened again: ", pool->refusal);
    while (pool_work_left(pool) > 0) {
        struct suspect left = {.attempt = 1};
        if (pool->suspects) {
            left = pool->suspect[--pool->suspects];
        } else {
            left.task = queue_peek(&pool->queue, 0);
            queue_take(&pool->queue, 0);
        }
        struct record record = make_record(pool, left.task, STATUS_ERROR, reason, NULL);
        struct pool_outcome outcome = {
            .task = left.task, .attempt = left.attempt, .record = &record, .last = true};
        finish(pool, &outcome);
    }
}
