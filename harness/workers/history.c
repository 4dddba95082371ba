/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/workers/history.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_SUFFIX = 8, SUFFIX_GROWTH = 8 };

static int *copy(const int *from, int count)
{
    int *to = malloc(((size_t)count + 1) * sizeof *to);
    if (to && count) {
        memcpy(to, from, (size_t)count * sizeof *to);
    }
    return to;
}

bool history_begin(struct history *history, const int *before, int count, const int *hint, int hints,
                   int repeat, double budget)
{
    int kept = count < HISTORY_CASES_MAX ? count : HISTORY_CASES_MAX;
    int room = kept > hints ? kept : hints;
    *history = (struct history){.count = kept,
                                .whole = count,
                                .repeat = repeat,
                                .budget = budget,
                                .hints = hints,
                                .before = copy(kept ? before + (count - kept) : NULL, kept),
                                .hint = copy(hint, hints),
                                .current = malloc(((size_t)room + 1) * sizeof(int)),
                                .trial = malloc(((size_t)room + 1) * sizeof(int))};
    return history->before && history->hint && history->current && history->trial;
}

void history_clear(struct history *history)
{
    free(history->before);
    free(history->hint);
    free(history->current);
    free(history->trial);
    *history = (struct history){.before = NULL};
}

static void propose(struct history *history, const int *list, int count)
{
    if (count) {
        memcpy(history->trial, list, (size_t)count * sizeof *list);
    }
    history->trials = count;
}

static void propose_suffix(struct history *history)
{
    propose(history, history->before + (history->count - history->suffix), history->suffix);
}

/* Proposes the current list without part number `part` of `parts`. */
static void propose_complement(struct history *history)
{
    int n = history->length;
    int from = (int)((long long)n * history->part / history->parts);
    int to = (int)((long long)n * (history->part + 1) / history->parts);
    propose(history, history->current, from);
    memcpy(history->trial + from, history->current + to, (size_t)(n - to) * sizeof(int));
    history->trials = n - (to - from);
}

/* Returns true if the budget allows a run of the case after `cases` other cases. */
static bool affordable(const struct history *history, int cases)
{
    double each = history->ran ? history->running / history->ran : 0;
    return history->probes < HISTORY_PROBES_MAX && history->spent + each * (cases + 1) < history->budget;
}

static void conclude(struct history *history)
{
    bool tried = history->count == 0 || history->after_runs > history->after_failed;
    bool always = history->length && history->after_failed == history->after_runs;
    history->verdict = history->alone_failed || (history->length && !always) ? HISTORY_NOW_AND_THEN
                       : always                                              ? HISTORY_DEPENDS
                       : tried                                               ? HISTORY_CHANCE
                                                                             : HISTORY_UNTRIED;
}

/* Repeats the run after the list that was found, and the run alone, until each has been done `repeat` times.
 */
static void confirm(struct history *history)
{
    history->stage = history->length ? HISTORY_CONFIRM : HISTORY_RECOUNT;
    int cases = history->length ? history->length : history->suffix;
    if (history->alone_failed) {
        conclude(history);
    } else if (cases && history->after_runs + history->unsettled < history->repeat &&
               affordable(history, cases)) {
        propose(history, history->length ? history->current : history->before + (history->count - cases),
                cases);
    } else if (history->alone_runs < history->repeat && affordable(history, 0)) {
        history->trials = 0;
    } else {
        conclude(history);
    }
}

/* A list of one case is the shortest possible, because the case passed alone. */
static void shorten(struct history *history)
{
    history->stage = HISTORY_SHORTEN;
    if (history->length > 1 && history->rest == 0 && history->parts < history->length) {
        history->parts = 2 * history->parts < history->length ? 2 * history->parts : history->length;
        history->part = 0;
        history->rest = history->parts;
    }
    history->shortest = history->length <= 1 || (history->rest == 0 && history->parts == history->length);
    if (history->shortest || !affordable(history, history->length - history->length / history->parts)) {
        confirm(history);
    } else {
        propose_complement(history);
    }
}

/* Makes the trial the current list: the case failed after it. */
static void accept_trial(struct history *history)
{
    memcpy(history->current, history->trial, (size_t)history->trials * sizeof(int));
    history->length = history->trials;
    history->after_runs = history->after_failed = 1;
    history->unsettled = 0;
    history->shortest = false;
}

static void start_shortening(struct history *history)
{
    history->parts = history->rest = history->length < 2 ? 1 : 2;
    history->part = 0;
    shorten(history);
}

/* A list after which the case fails only by chance could be shortened to anything, so the case must first
 * fail after it in each of `repeat` runs. */
static void verify(struct history *history)
{
    history->stage = HISTORY_VERIFY;
    if (history->after_failed < history->after_runs || history->unsettled) {
        confirm(history);
    } else if (history->after_runs < history->repeat && affordable(history, history->length)) {
        propose(history, history->current, history->length);
    } else if (history->hinted) {
        confirm(history);
    } else {
        start_shortening(history);
    }
}

static void grow(struct history *history)
{
    int next = history->suffix ? SUFFIX_GROWTH * history->suffix : FIRST_SUFFIX;
    next = next < history->count ? next : history->count;
    history->stage = HISTORY_GROW;
    if (next == history->suffix || !affordable(history, next)) {
        confirm(history);
        return;
    }
    history->suffix = next;
    history->after_runs = history->after_failed = history->unsettled = 0;
    propose_suffix(history);
}

static void take_shorter(struct history *history, bool failed)
{
    if (failed) { /* the parts after the one left out move up by one */
        accept_trial(history);
        history->parts = history->parts > 2 ? history->parts - 1 : 2;
        history->parts = history->parts < history->length ? history->parts : history->length;
        history->part = history->parts ? history->part % history->parts : 0;
        history->rest = history->parts;
    } else {
        history->part = (history->part + 1) % history->parts;
        history->rest--;
    }
    shorten(history);
}

static void note_after(struct history *history, enum history_outcome outcome)
{
    history->after_runs += outcome != HISTORY_UNSETTLED;
    history->after_failed += outcome == HISTORY_FAILED;
    history->unsettled += outcome == HISTORY_UNSETTLED;
}

/* Takes a further run of the case: alone, after the list that was found, or after the longest suffix without
 * effect. */
static void take_again(struct history *history, enum history_outcome outcome)
{
    bool failed = outcome == HISTORY_FAILED;
    if (history->trials == 0) {
        history->alone_runs++;
        history->alone_failed += failed;
    } else if (failed && history->stage == HISTORY_RECOUNT) {
        accept_trial(history);
        verify(history);
        return;
    } else {
        note_after(history, outcome);
    }
    confirm(history);
}

void history_take(struct history *history, enum history_outcome outcome, double open_seconds, double seconds)
{
    bool failed = outcome == HISTORY_FAILED;
    history->spent += open_seconds + seconds;
    history->running += seconds;
    history->ran += history->trials + 1;
    history->probes++;
    history->runs += outcome != HISTORY_UNSETTLED;
    history->failed += failed;
    switch (history->stage) {
    case HISTORY_ALONE:
        history->alone_runs = 1;
        if (outcome != HISTORY_PASSED) {
            history->alone_failed = 1;
            history->verdict = HISTORY_FAILS_ALONE;
        } else if (history->hints && history->count && affordable(history, history->hints)) {
            history->stage = HISTORY_HINT;
            propose(history, history->hint, history->hints);
        } else {
            grow(history);
        }
        break;
    case HISTORY_HINT:
        if (failed) {
            accept_trial(history);
            history->hinted = history->length > HISTORY_HINT_SHORTEN_MAX;
            verify(history);
        } else {
            grow(history);
        }
        break;
    case HISTORY_GROW:
        if (failed) {
            accept_trial(history);
            verify(history);
        } else {
            note_after(history, outcome);
            grow(history);
        }
        break;
    case HISTORY_VERIFY:
        note_after(history, outcome);
        verify(history);
        break;
    case HISTORY_SHORTEN:
        take_shorter(history, failed);
        break;
    case HISTORY_CONFIRM:
    case HISTORY_RECOUNT:
        take_again(history, outcome);
        break;
    }
}

/* Names the suffix: "the 37 cases that its worker had run", "the last 512 of the 9000 cases …". */
static void name_suffix(const struct history *history, char *text, size_t size)
{
    if (history->suffix < history->whole) {
        snprintf(text, size, "the last %d of the %d cases that its worker had run", history->suffix,
                 history->whole);
    } else {
        snprintf(text, size, "the %d case%s that its worker had run", history->suffix,
                 history->suffix == 1 ? "" : "s");
    }
}

void history_words(const struct history *history, char *text, int size)
{
    char suffix[96];
    int alone = history->alone_runs - history->alone_failed;
    int used = snprintf(text, (size_t)size, "passes alone in a fresh worker (%d of %d runs)", alone,
                        history->alone_runs);
    used = used < size ? used : size - 1;
    if (history->length) {
        snprintf(text + used, (size_t)(size - used), ", not after %d case%s (%d of %d)%s", history->length,
                 history->length == 1 ? "" : "s", history->after_failed, history->after_runs,
                 history->shortest ? ""
                 : history->hinted ? ", the same cases as another failing case has"
                                   : "; there was no time to search for fewer");
    } else if (history->suffix) {
        name_suffix(history, suffix, sizeof suffix);
        snprintf(text + used, (size_t)(size - used), " and after %s (%d of %d)", suffix,
                 history->after_runs - history->after_failed, history->after_runs + history->unsettled);
    } else if (history->whole) {
        snprintf(text + used, (size_t)(size - used),
                 "; there was no time to run it after the %d cases that its worker had run", history->whole);
    }
}
