/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_SELECTION_COSTS_H
#define ASSAY_HARNESS_SELECTION_COSTS_H

/* Shards of one length: what each case cost in an earlier run decides where it goes. Every shard computes the
 * same partition from the same file; where the files differ, the partitions' digests do. */

#include "suites/suite.h"

struct costs {
    int64_t *cost;  /* ns per case of the list, > 0; owned */
    bool *recorded; /* whether the file tells it; else it is the median of its operator, or of all; owned */
};

/* From a results file, of any seed, level and backend; of several backends, a case costs what it did on all
 * of them. What the list does not know and records without a time are passed over. False with file and fault
 * where it is no results file, or tells nothing of any case. */
bool costs_read(const char *path, const struct suite_list *list, struct costs *costs, struct error *error);
void costs_destroy(struct costs *costs);

/* shard_of[i] = 1 … shards for the case index[i]: each goes, the dearest first, to the shard that has the
 * least to do (Graham's longest processing time: at most 4/3 of the best), measurements that have the machine
 * for themselves before all others, so that worker processes change little. The digest is of the partition.
 * False when out of memory. */
bool costs_cut(const struct costs *costs, const struct suite_list *list, const int *index, int count,
               int shards, int *shard_of, char digest[33]);

#endif
