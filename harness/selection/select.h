/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_SELECTION_SELECT_H
#define ASSAY_HARNESS_SELECTION_SELECT_H

/* Selects the cases that a command line names. */

#include "harness/options/options.h"
#include "harness/selection/case_words.h"
#include "harness/selection/costs.h"
#include "suites/suite.h"

struct selection_query {
    const struct case_words *globs;    /* of these cases, if there are any, else of all; NULL: of all */
    const struct case_words *excludes; /* without these; NULL: without none */
    const struct case_words *among; /* only of these, which may name cases that do not exist; NULL: of all */
    enum level level;               /* cases of this level and of lower levels */
    struct shard shard;
    const struct costs *costs; /* what shards are balanced by; NULL: cases go to the shards in turn */
};

struct selection {
    int count;
    int *index; /* indices into the suite list, ascending; owned */
    struct shard shard;
    int whole;          /* number of cases in all shards together */
    int guessed;        /* number of these whose cost is not recorded */
    char digest[33];    /* of the ids of all shards' cases */
    char partition[33]; /* digest of the shard of each case; "" without costs */
};

/* Returns true if the pattern matches this id. `*` matches '/' as well. A pattern without wildcards matches
 * the id itself, everything below it ("linalg/logdet"), or every case of that family, operator or dtype
 * ("logdet"). */
bool select_matches(const char *pattern, const char *id);

/* Selects cases. Returns false when nothing is selected, or when one glob or exclude matches nothing: a
 * mistyped one must not turn into a green run. The message names the filter that left nothing, or the nearest
 * word. */
bool select_cases(const struct suite_list *list, const struct selection_query *query,
                  struct selection *selection, struct error *error);
void selection_destroy(struct selection *selection);

/* Returns the index of one complete id; −1 with the nearest ids in the message. */
int select_one(const struct suite_list *list, const char *id, struct error *error);

/* Shuffles the selection, which is the order in which cases are handed out. The permutation depends only on
 * the seed and on the number of cases. */
void selection_shuffle(struct selection *selection, uint64_t seed);

#endif
