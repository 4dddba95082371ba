/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_EPOCHS_H
#define ASSAY_SUITES_EPOCHS_H

/* The verdict over what epochs left behind, for every procedure of the family `memory`. */

#include "suites/procedure.h"

/* Must return to its start exactly: "allocated", "live …". Must be zero: "reserved on repetition". Must not
 * rise: "reserved", "reserved in the epoch", "budget", "resident", "descriptors". */
void epochs_verdict(const struct series_set *set, struct finding *finding);

/* Adds a point to each of these series from what the backend says at the end of an epoch. */
bool epochs_note(struct series_set *set, int epoch, const struct usage *usage);

/* One allocation that does not come back in the last epoch, for the negative control. */
void epochs_spoil(struct series_set *set);

#endif
