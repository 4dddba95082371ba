/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_SELECTION_SELECT_H
#define ASSAY_HARNESS_SELECTION_SELECT_H

/* Which cases a command line means. */

#include "harness/selection/costs.h"
#include "harness/options/options.h"
#include "suites/suite.h"

struct selection_query {
    int globs;
    const char *const *glob; /* none: all */
    int excludes;
    const char *const *exclude;
    enum level level; /* cases of this level and those below */
    struct shard shard;
    const struct costs *costs; /* what shards are balanced by; NULL: one case after the other to each */
};

struct selection {
    int count;
    int *index; /* into the suite list, ascending; owned */
    struct shard shard;
    int whole;          /* cases of all shards together */
    int guessed;        /* of them: cases whose cost is not recorded */
    char digest[33];    /* of their ids */
    char partition[33]; /* digest of the shard of each; "" without costs */
};

/* Whether a pattern means this id. `*` crosses '/'; a pattern without wildcards means the id itself,
 * everything below it ("linalg/logdet"), or every case of that family, operator or dtype ("logdet"). */
bool select_matches(const char *pattern, const char *id);

/* Selects. False when nothing is selected, or when one glob or exclude alone matches nothing: a mistyped one
 * must not turn into a green run. The message names the filter that left nothing, or the nearest word. */
bool select_cases(const struct suite_list *list, const struct selection_query *query,
                  struct selection *selection, struct error *error);
void selection_destroy(struct selection *selection);

/* The index of one exact id; −1 with the nearest ids in the message. */
int select_one(const struct suite_list *list, const char *id, struct error *error);

/* The order in which cases are handed out: a permutation of the selection that depends on the seed alone. */
void selection_shuffle(struct selection *selection, uint64_t seed);

#endif
