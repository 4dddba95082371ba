/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_RUN_RERUN_H
#define ASSAY_HARNESS_RUN_RERUN_H

/* A suspect: a case that failed, crashed or hung, or that ran out of memory, until it is known whether it
 * does so alone, because of the cases before it, or by chance (harness/workers/history.h). rerun_begin
 * takes the first record; the case is then run again as rerun_again says, each outcome goes to
 * rerun_take, and rerun_conclude makes the final record. */

#include "harness/run/run.h"
#include "harness/workers/history.h"

enum {
    /* suspects run again in one run; a broken backend fails everywhere, and the failures beyond this number
     * keep their record */
    SUSPECTS_MAX = 64,
    RERUN_SECONDS = 60, /* seconds of runs to explain one case */
    SUSPICIONS_SECONDS = 300
};

/* What the suspects of one backend's run share. */
struct known_history {
    int *index, count; /* the latest list after which a case failed; owned */
    double seconds;    /* spent on all suspects so far; SUSPICIONS_SECONDS is the limit */
};

struct rerun {
    struct record first; /* the record of the failure */
    struct history history;
    /* decided: it was a shortage of memory, and the second try is done (harness/judge/memory/shortage.h) */
    bool concluded;
};

/* Begins a rerun and takes over the contents of the outcome's record. Returns NULL when out of memory;
 * the record then stays as it is. */
struct rerun *rerun_begin(struct pool_outcome *outcome, int repeat, const struct known_history *known);
void rerun_end(struct rerun **rerun);

/* Adds to the detail of a record that it was not run again, because SUSPECTS_MAX cases were. */
void rerun_decline(struct record *record);

/* Takes the outcome of a further run. */
void rerun_take(struct rerun *rerun, const struct pool_outcome *outcome, struct known_history *known);

/* Returns true if the case must be run again; then sets the cases to run before it, outcome->again. */
bool rerun_again(const struct rerun *rerun, struct pool_outcome *outcome);

/* Turns the first record into the final one: a flake if only chance is left, else the first status, with a
 * reason and a replay command that name what ran before. */
void rerun_conclude(struct rerun *rerun, const struct run_plan *plan, const struct results *results,
                    struct known_history *known);

#endif
