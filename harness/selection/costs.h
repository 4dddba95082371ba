/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_SELECTION_COSTS_H
#define ASSAY_HARNESS_SELECTION_COSTS_H

/* Cuts the selection into shards of equal duration, from the durations of the cases in an earlier run. Every
 * shard computes the same partition from the same file; from different files, the digests of the partitions
 * differ. */

#include "suites/suite.h"

struct costs {
    int64_t *cost; /* [list] ns per case, > 0; owned */
    /* [list] the file has this case; else its cost is the median of its operator, or of all cases; owned */
    bool *recorded;
};

/* Reads costs from a results file, of any seed, level and backends. With several backends, the cost of a case
 * is the sum over all of them. Cases that the list does not have, and records without a time, are ignored.
 * Returns false with file and fault if it is no results file, or has no cost of any case of the list. */
bool costs_read(const char *path, const struct suite_list *list, struct costs *costs, struct error *error);
void costs_destroy(struct costs *costs);

/* Sets shard_of[i] to the shard, 1 to `shards`, of case index[i]. The cases go in descending order of cost to
 * the shard with the least load (Graham's longest processing time rule: at most 4/3 of the optimum).
 * Procedures that must run alone go before all others, so that the number of worker processes matters little.
 * `digest` is the digest of the partition. Returns false when out of memory. */
bool costs_cut(const struct costs *costs, const struct suite_list *list, const int *index, int count,
               int shards, int *shard_of, char digest[33]);

#endif
