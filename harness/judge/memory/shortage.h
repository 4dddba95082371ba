/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_JUDGE_MEMORY_SHORTAGE_H
#define ASSAY_HARNESS_JUDGE_MEMORY_SHORTAGE_H

/* Out of memory: what the device cannot do, or what only this worker could not?
 *
 *   the case's images alone are larger than the device's limit      unsupported, for good
 *   with scratch and staging memory they may be (a quarter)         unsupported, if a second try alone in a
 *                                                                   fresh process runs short as well
 *   they are not: the memory was there, and somebody held it        error
 *   the backend states no limit, as one on this machine's own
 *   processor does not                                              error: this machine was short of memory
 */

#include "reference/program/program.h"
#include "reports/records/record.h"

/* Status and reason (owned by the caller) of a case whose step said `message`. `limit`: bytes that the
 * backend may reserve; 0: it states none, and no shortage is its device's. */
enum status shortage_status(const struct program *program, uint64_t limit, const char *message,
                            char **reason);

/* Whether a second try must tell: a record of the second or third kind. */
bool shortage_is_open(const struct record *record);

/* What becomes of such a record after its second try; NULL: there is none. */
void shortage_settle(struct record *first, const struct record *second);

#endif
