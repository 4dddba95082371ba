/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_JUDGE_MEMORY_SHORTAGE_H
#define ASSAY_HARNESS_JUDGE_MEMORY_SHORTAGE_H

/* Classifies a case that ran out of memory: does the device lack it, or only this worker?
 *
 *   the images of the case exceed the device's limit                unsupported, final
 *   they exceed a quarter of it, and scratch and staging memory
 *   may have exceeded it                                            unsupported, if a second try, alone in a
 *                                                                   fresh process, runs short as well
 *   they are smaller: another process held the memory               error
 *   the backend states no limit, as one on this machine's own
 *   processor does not                                              error: this machine was short of memory
 */

#include "reference/program/program.h"
#include "reports/records/record.h"

/* Returns the status, and sets the reason (owned by the caller), of a case whose step reported `message`.
 * `limit`: bytes that the backend may reserve; 0: it states none, and no shortage is its device's. */
enum status shortage_status(const struct program *program, uint64_t limit, const char *message,
                            char **reason);

/* True if a second try must decide: the record is of any kind but the first. */
bool shortage_is_open(const struct record *record);

/* Decides an open record by its second try (NULL: there was none): it stays unsupported if the second is
 * unsupported too, and is an error otherwise. */
void shortage_conclude(struct record *first, const struct record *second);

#endif
