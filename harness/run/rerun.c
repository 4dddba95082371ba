/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/run/rerun.h"
#include "harness/judge/memory/shortage.h"
#include "reference/base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How the reason of a flake begins if its first status was fail. */
static const char first_a_fail[] = "first a fail: ";
enum { FLAKES_OF_ONE_MAX = 2 }; /* per operator and dtype */
enum { NAMED_MAX = 16 };        /* named in a detail; the replay command has all of them */

struct rerun *rerun_begin(struct pool_outcome *outcome, int repeat, const struct known_history *known)
{
    struct rerun *rerun = calloc(1, sizeof *rerun);
    double budget = fmin(RERUN_SECONDS, SUSPICIONS_SECONDS - known->seconds);
    if (!rerun || !history_begin(&rerun->history, outcome->before, outcome->before_count, known->index,
                                 known->count, repeat, budget)) {
        rerun_end(&rerun);
        return NULL;
    }
    rerun->first = *outcome->record;
    *outcome->record = (struct record){.id = NULL};
    return rerun;
}

void rerun_end(struct rerun **rerun)
{
    if (*rerun) {
        record_clear(&(*rerun)->first);
        history_clear(&(*rerun)->history);
        free(*rerun);
        *rerun = NULL;
    }
}

void rerun_decline(struct record *record)
{
    const char *detail = record->detail ? record->detail : "";
    size_t size = strlen(detail) + 128;
    char *shown = malloc(size);
    if (shown) {
        snprintf(shown, size, "%s%snot rerun, because %d failing cases of this run were rerun already",
                 detail, detail[0] ? "\n" : "", SUSPECTS_MAX);
        free(record->detail);
        record->detail = shown;
    }
}

/* A pass counts only if the inputs had the same bits. */
static enum history_outcome outcome_of(const struct record *first, const struct pool_outcome *outcome)
{
    const struct record *record = outcome->record;
    bool same = !first->inputs_digest ||
                (record->inputs_digest && !strcmp(first->inputs_digest, record->inputs_digest));
    if (outcome->unsettled) {
        return HISTORY_UNSETTLED;
    }
    if (status_is_failure(record->status)) {
        return HISTORY_FAILED;
    }
    return same && (record->status == STATUS_PASS || record->status == STATUS_VACUOUS) ? HISTORY_PASSED
                                                                                       : HISTORY_UNSETTLED;
}

void rerun_take(struct rerun *rerun, const struct pool_outcome *outcome, struct known_history *known)
{
    struct record *first = &rerun->first;
    known->seconds += outcome->open_seconds + outcome->seconds;
    if (shortage_is_open(first)) {
        shortage_conclude(first, outcome->record);
        rerun->concluded = true;
        return;
    }
    history_take(&rerun->history, outcome_of(first, outcome), outcome->open_seconds, outcome->seconds);
    if (!first->inputs_digest && outcome->record->inputs_digest) {
        first->inputs_digest = memory_text(outcome->record->inputs_digest);
    }
}

bool rerun_again(const struct rerun *rerun, struct pool_outcome *outcome)
{
    if (rerun->concluded) {
        return false;
    }
    outcome->again = rerun->history.trial;
    outcome->again_count = rerun->history.trials;
    return rerun->history.verdict == HISTORY_OPEN;
}

/* Counts the flakes of the record's operator and dtype whose first status was fail. */
static int flakes_like(const struct results *results, const struct record *record)
{
    const char *name = strrchr(record->id, '/');
    int count = 0;
    for (int r = 0; name && r < results->records; r++) {
        const struct record *other = &results->record[r];
        count += other->status == STATUS_FLAKE && other->reason &&
                 strncmp(other->reason, first_a_fail, strlen(first_a_fail)) == 0 &&
                 strncmp(other->id, record->id, (size_t)(name - record->id) + 1) == 0;
    }
    return count;
}

/* Chance does not choose one operator again and again: from the third such case of an operator and dtype on,
 * the case stays a failure, although no history reproduces it. */
static void conclude_chance(struct record *first, const struct results *results, const char *words)
{
    const char *why = first->reason ? first->reason : "no reason given";
    int like = first->status == STATUS_FAIL ? flakes_like(results, first) : 0;
    if (like >= FLAKES_OF_ONE_MAX) {
        record_reason(first,
                      "fails sometimes, as %d earlier cases of this operator and dtype did: %s; at first: %s",
                      like, words, why);
        record_rule(first, RECORD_RULE_SOMETIMES);
        return;
    }
    record_reason(first, "first a %s: %s; then %s", status_name(first->status), why, words);
    first->status = STATUS_FLAKE;
}

/* Names the cases after which it fails in the detail, and in the command that replays it. */
static void report_history(struct rerun *rerun, const struct run_plan *plan)
{
    struct record *first = &rerun->first;
    const struct history *history = &rerun->history;
    char *detail = NULL;
    size_t size;
    FILE *to = open_memstream(&detail, &size);
    if (to) {
        fprintf(to, "%s%sit fails after these cases in the same process, in this order:",
                first->detail ? first->detail : "", first->detail ? "\n" : "");
        for (int i = 0; i < history->length && i < NAMED_MAX; i++) {
            fprintf(to, "\n  %s", suite_list_id(plan->list, history->current[i]));
        }
        if (history->length > NAMED_MAX) {
            fprintf(to, "\n  and %d more, see the replay command", history->length - NAMED_MAX);
        }
    }
    memory_stream_text(to, &detail);
    char *replay =
        worker_replay_after(&plan->setup, first->id, plan->list, history->current, history->length);
    if (detail) {
        free(first->detail);
        first->detail = detail;
    }
    if (replay) {
        free(first->repro);
        first->repro = replay;
    }
}

static void keep_history(const struct history *history, struct known_history *known)
{
    int *grown = realloc(known->index, ((size_t)history->length + 1) * sizeof *grown);
    if (grown) {
        memcpy(grown, history->current, (size_t)history->length * sizeof *grown);
        known->index = grown;
        known->count = history->length;
    }
}

void rerun_conclude(struct rerun *rerun, const struct run_plan *plan, const struct results *results,
                    struct known_history *known)
{
    struct record *first = &rerun->first;
    const struct history *history = &rerun->history;
    const char *why = first->reason ? first->reason : "no reason given";
    char words[400];
    if (rerun->concluded) {
        return;
    }
    if (shortage_is_open(first)) { /* no worker is left to try again */
        shortage_conclude(first, NULL);
        return;
    }
    history_words(history, words, sizeof words);
    first->runs = 1 + history->runs;
    first->runs_failed = 1 + history->failed;
    switch (history->verdict) {
    case HISTORY_OPEN: /* no worker is left to try again */
    case HISTORY_FAILS_ALONE:
        break;
    case HISTORY_DEPENDS:
        record_reason(first, "depends on earlier cases: %s; at first: %s", words, why);
        record_rule(first, "state");
        report_history(rerun, plan);
        keep_history(history, known);
        break;
    case HISTORY_NOW_AND_THEN:
        /* no case before it is to blame: it failed again after cases after which it also passed */
        record_reason(first, "fails sometimes: %d of %d further runs failed; at first: %s", history->failed,
                      history->runs, why);
        record_rule(first, RECORD_RULE_SOMETIMES);
        break;
    case HISTORY_CHANCE:
        conclude_chance(first, results, words);
        break;
    case HISTORY_UNTRIED:
        record_reason(first, "may depend on earlier cases: %s; at first: %s", words, why);
        break;
    }
}
