/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_WORKERS_HISTORY_H
#define ASSAY_HARNESS_WORKERS_HISTORY_H

/* Was it chance, or what ran before? A case failed in a worker that had run others. It is run again in fresh
 * workers, each time after a list of cases chosen here, until it is known which it was, and after how few of
 * them it fails. This is the search alone: it starts no process, so that it can be tested with cases of
 * which the answer is known.
 *
 * Alone first: what fails there needs no history. Then after the last 8, 64, 512 and 4,096 of the cases that
 * its worker had run. A list after which it fails `repeat` times is shortened by delta debugging (Zeller &
 * Hildebrandt, IEEE Trans. Software Eng. 28, 2002): halves, quarters, … are left out while it still fails, in
 * the end each single case, so that none that is left can be spared. Whatever is found then is run `repeat`
 * times, and so is the case alone. */

#include <stdbool.h>

enum {
    HISTORY_CASES_MAX = 4096, /* the most recent ones; older ones are not run again, and the text says so */
    HISTORY_PROBES_MAX = 256, /* of one case */
    HISTORY_HINT_SHORTEN_MAX = 8 /* a longer list known from another case is taken as it is */
};

enum history_outcome {
    HISTORY_PASSED,
    HISTORY_FAILED,
    HISTORY_UNSETTLED /* what was to run before did not come to its end, or the case had no verdict */
};

enum history_verdict {
    HISTORY_OPEN,         /* ask history_next */
    HISTORY_FAILS_ALONE,  /* a plain failure */
    HISTORY_DEPENDS,      /* it fails after `current` */
    HISTORY_NOW_AND_THEN, /* right alone at first, then not: neither chance once nor history */
    HISTORY_CHANCE,       /* no run failed again */
    HISTORY_UNTRIED       /* there was no time for any history */
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
    int *before, count; /* the last HISTORY_CASES_MAX at most, oldest first; owned */
    int whole;          /* how many there were */
    int repeat;
    double budget, spent; /* seconds of all probes */
    double running;       /* seconds of them in cases, and how many cases */
    int ran, probes;

    enum history_stage stage;
    enum history_verdict verdict;
    int *hint, hints;      /* a list after which another case failed; owned */
    int *current, length;  /* after this it fails; owned */
    int *trial, trials;    /* what is to run before the case next; owned */
    int suffix;            /* cases of the longest suffix that was tried */
    int parts, part, rest; /* of the current list; parts tried since the last success */
    bool shortest;         /* no case of `current` can be spared */
    bool hinted;           /* `current` is the hint as it was */
    int alone_runs, alone_failed;
    int after_runs, after_failed, unsettled; /* after `current`; where there is none, after the suffix */
};

/* `before`: indices of the cases that the worker had run, in order. `hint`: may be empty. False when out of
 * memory; history_clear then too. `budget`: a probe is not begun when its seconds are spent, but the first.
 */
bool history_begin(struct history *history, const int *before, int count, const int *hint, int hints,
                   int repeat, double budget);
void history_clear(struct history *history);

/* While the verdict is open, `trial` says what to run before the case next. Then: what came of it, the
 * seconds that the worker took to open and the seconds of the cases. */
void history_take(struct history *history, enum history_outcome outcome, double open_seconds, double seconds);

/* How many of the cases' runs failed and after what, in words: "right alone in a fresh worker (2 of 2 runs),
 * not after 1 case (2 of 2)". */
void history_words(const struct history *history, char *text, int size);

#endif
