/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_MEMORY_EPOCHS_VERDICT_H
#define ASSAY_SUITES_MEMORY_EPOCHS_VERDICT_H

/* The verdict on memory that remains after epochs, for every procedure of the family `memory`. The functions
 * of series are pure, so that tests can give them series with known answers. */

#include "suites/shared/procedure.h"

/* Fails series that break their rule. "allocated" and "live …" must return to their first value after each
 * epoch. "reserved on repetition" must be zero. "reserved", "reserved in the epoch", "budget", "resident" and
 * "descriptors" must reach a plateau (series_plateau). */
void epochs_verdict(const struct series_set *set, struct finding *finding);

/* The number of epochs of a whole measurement. */
enum { EPOCHS = 10 };

/* True if a series that must reach a plateau has risen at every boundary so far, and by so much that it would
 * exceed its slack after all epochs: fewer epochs can show that memory comes back, but not that it does not.
 */
bool epochs_suspect(const struct series_set *set);

/* Records the thresholds of that verdict in the series. A trend has no threshold at a point, so the limit of
 * a plateau is that of its growth. */
void epochs_limits(struct series_set *set);

/* Adds a point to each of these series from the memory that the backend reports after an epoch. Returns false
 * when out of memory. */
bool epochs_note(struct series_set *set, int epoch, const struct usage *usage);

/* Limits the backend's memory so that `program`, the largest of the procedure, just runs, and stores the
 * limit: `nominal` bytes, or twice that if the program does not fit in `nominal` because the allocator rounds
 * sizes to powers of two (Knuth, TAOCP 1, 2.5: the buddy system). The larger limit is granted only if the
 * peak shows such rounding (epochs_rounds); a remark then says so. An allocator that takes no more than
 * needed and still refuses is not excused. `limit` is 0 if the backend cannot limit its memory. Returns false
 * if the device is lost. */
bool epochs_set_limit(struct bench *bench, const struct program *program, int64_t nominal, uint64_t *limit,
                      struct finding *finding, struct error *error);

/* True if a peak of memory, for programs that need `need` bytes, is consistent with an allocator that rounds
 * sizes up to powers of two: 1.1 to 2.2 times the need. A peak of 0 means unknown and is accepted. */
bool epochs_rounds(double peak, double need);

/* Adds an allocation that does not come back in the last epoch, for the negative control. */
void epochs_spoil(struct series_set *set);

/* Returns by how many bytes a repetition of a program raised the reserved memory, from `first` to `second`.
 * An allocator that empties its cache at the limit may reserve again what it had given back, so only growth
 * beyond `greatest`, the maximum of the epoch so far, counts. */
double epochs_added(double first, double second, double greatest);

#endif
