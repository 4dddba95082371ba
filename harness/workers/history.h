/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_WORKERS_HISTORY_H
#define ASSAY_HARNESS_WORKERS_HISTORY_H

/* Decides whether a case failed by chance or because of the cases that its worker ran before it. The case is
 * run again in fresh workers, each time after a list of cases that this module chooses, until the cause is
 * known together with the shortest list after which the case fails. This module only searches; it starts no
 * process, so that tests can feed it outcomes whose cause is known.
 *
 * The case runs alone first: a case that fails alone needs no history. Then it runs after the last 8, 64, 512
 * and 4,096 cases that its worker had run. A list after which it fails `repeat` times is shortened by delta
 * debugging (Zeller & Hildebrandt, IEEE Trans. Software Eng. 28, 2002): halves, quarters, … are left out
 * while the case still fails, and in the end each single case, so that no case that is left can be spared.
 * The list that was found is then run `repeat` times, and so is the case alone. */

#include <stdbool.h>

enum {
    /* the most recent cases; older ones are not run again, and history_words says so */
    HISTORY_CASES_MAX = 4096,
    HISTORY_PROBES_MAX = 256,    /* runs spent on one case */
    HISTORY_HINT_SHORTEN_MAX = 8 /* a longer list known from another case is not shortened */
};

enum history_outcome {
    HISTORY_PASSED,
    HISTORY_FAILED,
    HISTORY_UNSETTLED /* a case of the list did not finish, or the case under test had no verdict */
};

enum history_verdict {
    HISTORY_OPEN,         /* not decided yet: run the case after `trial` and call history_take */
    HISTORY_FAILS_ALONE,  /* fails without any case before it */
    HISTORY_DEPENDS,      /* passes alone and fails every time after the list `current` */
    HISTORY_NOW_AND_THEN, /* fails in some of the runs under the same conditions */
    HISTORY_CHANCE,       /* passed in every further run */
    HISTORY_UNTRIED       /* the time budget allowed no run after other cases */
};

enum history_stage {
    HISTORY_ALONE,
    HISTORY_HINT,
    HISTORY_GROW,
    HISTORY_VERIFY,
    HISTORY_SHORTEN,
    HISTORY_CONFIRM,
    HISTORY_RECOUNT
};

struct history {
    int *before, count; /* the last cases before it, at most HISTORY_CASES_MAX, oldest first; owned */
    int whole;          /* cases that the worker had run in all */
    int repeat;
    double budget, spent; /* seconds: limit for all runs, and used so far */
    double running;       /* seconds spent inside cases, and how many cases these were */
    int ran, probes;

    enum history_stage stage;
    enum history_verdict verdict;
    int *hint, hints;     /* a list after which another case failed; owned */
    int *current, length; /* the shortest list known after which the case fails; owned */
    int *trial, trials;   /* the list to run before the case next; owned */
    int suffix;           /* length of the longest suffix of `before` that was tried */
    /* of `current` when shortening: number of parts, next part to leave out, parts not tried since the last
     * success */
    int parts, part, rest;
    bool shortest; /* no case of `current` can be spared */
    bool hinted;   /* `current` is the unshortened hint */
    int alone_runs, alone_failed;
    /* runs after `current`; while `current` is empty, after the suffix */
    int after_runs, after_failed, unsettled;
    int runs, failed; /* all further runs of the case that had a verdict, and how many of them failed */
};

/* Begins a search. `before`: indices of the cases that the worker had run, in order. `hint`: a list after
 * which another case failed; may be empty. `budget`: seconds; no run but the first begins once they are
 * spent. Returns false when out of memory; call history_clear in either case. */
bool history_begin(struct history *history, const int *before, int count, const int *hint, int hints,
                   int repeat, double budget);
void history_clear(struct history *history);

/* Records the outcome of the case run after `trial`, the seconds that the worker took to open, and the
 * seconds of the cases. Then sets `verdict`, and `trial` for the next run while the verdict is
 * HISTORY_OPEN. */
void history_take(struct history *history, enum history_outcome outcome, double open_seconds, double seconds);

/* Writes how many runs failed and after which cases: "right alone in a fresh worker (2 of 2 runs), not after
 * 1 case (2 of 2)". */
void history_words(const struct history *history, char *text, int size);

#endif
