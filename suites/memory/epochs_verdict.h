/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_MEMORY_EPOCHS_VERDICT_H
#define ASSAY_SUITES_MEMORY_EPOCHS_VERDICT_H

/* The verdict over what epochs left behind, for every procedure of the family `memory`. */

#include "suites/shared/procedure.h"

/* Must return to its start exactly: "allocated", "live …". Must be zero: "reserved on repetition". Must not
 * rise: "reserved", "reserved in the epoch", "budget", "resident", "descriptors". */
void epochs_verdict(const struct series_set *set, struct finding *finding);

/* The thresholds of that verdict, for the record. A trend has no threshold at a point: the limit drawn for a
 * plateau is that of its growth. */
void epochs_limits(struct series_set *set);

/* Adds a point to each of these series from what the backend says at the end of an epoch. */
bool epochs_note(struct series_set *set, int epoch, const struct usage *usage);

/* Sets the limit under which `program` must run, the largest that is meant to: `nominal` bytes, or twice that
 * where it is refused under the one and runs under the other, because the allocator rounds sizes, to powers
 * of two at most (Knuth, TAOCP 1, 2.5: the buddy system). That is found by what it takes at the peak; who
 * takes no more than is needed, and yet refuses, is not excused. Notes what was allowed for as a remark.
 * `limit` stays 0 where the backend cannot limit its memory. False when the device is lost. */
bool epochs_set_limit(struct bench *bench, const struct program *program, int64_t nominal, uint64_t *limit,
                      struct finding *finding, struct error *error);

/* Whether a peak for programs that need so many bytes shows an allocator that rounds sizes; a peak of 0,
 * which says nothing, does not contradict it. */
bool epochs_rounds(double peak, double need);

/* One allocation that does not come back in the last epoch, for the negative control. */
void epochs_spoil(struct series_set *set);

/* What a repetition of a program added to what is reserved, from `first` to `second`. An allocator that
 * empties its cache when the limit is reached may reserve again what it had given back: up to the `greatest`
 * of the epoch so far that is no growth. */
double epochs_added(double first, double second, double greatest);

#endif
