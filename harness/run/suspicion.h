/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_RUN_SUSPICION_H
#define ASSAY_HARNESS_RUN_SUSPICION_H

/* A case that failed, crashed or hung, until it is known whether it does so alone, by what ran before it, or
 * by chance (harness/workers/history.h). */

#include "harness/run/run.h"
#include "harness/workers/history.h"

enum {
    SUSPECTS_MAX = 64,      /* a broken backend fails everywhere: more than this stay what they are */
    SUSPICION_SECONDS = 60, /* of runs to explain one case, and all cases of a backend */
    SUSPICIONS_SECONDS = 300
};

/* What the suspicions of one backend's run share. */
struct known_history {
    int *index, count; /* the latest list after which a case failed; owned */
    double seconds;    /* of all of them */
};

struct suspicion {
    struct record first; /* that made it one */
    struct history history;
    bool settled; /* a shortage of memory, after its second try (harness/judge/memory/shortage.h) */
};

/* Takes the outcome's record over. NULL, and nothing taken, when out of memory. */
struct suspicion *suspicion_begin(struct pool_outcome *outcome, int repeat,
                                  const struct known_history *known);
void suspicion_end(struct suspicion **suspicion);

/* One suspect too many: its detail says that it was not run again. */
void suspicion_decline(struct record *record);

/* Notes what came of a further run. */
void suspicion_take(struct suspicion *suspicion, const struct pool_outcome *outcome,
                    struct known_history *known);

/* Whether it must be run again, and after what. */
bool suspicion_again(const struct suspicion *suspicion, struct pool_outcome *outcome);

/* The first record becomes the final one: a flake where nothing but chance is left, else what it was, with
 * what the reason and the replay must say of what ran before. */
void suspicion_conclude(struct suspicion *suspicion, const struct run_plan *plan,
                        const struct results *results, struct known_history *known);

#endif
