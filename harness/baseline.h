/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_BASELINE_H
#define ASSAY_HARNESS_BASELINE_H

/* Known failures: a JSON file that a person reviews, and that is meant to shrink.
 *
 *   {"version": 1, "entries": [
 *     {"id": "linalg/logdet/float16/hilbert-n8",       exact id or glob (`*` crosses '/')
 *      "backend": "vulkan*",                           the backend's selector, or a glob; absent: any
 *      "device": "llvmpipe", "driver": "Mesa 22.3",    substrings, case ignored; absent: any
 *      "reason": "why this fails, and where it is reported"}]}
 *
 * A failure, crash or timeout that an entry names becomes expected_fail. A pass that an exact id names
 * becomes unexpected_pass. A glob is stale when it met cases and none of them failed; an entry that names
 * no case at all is stale too. An error is never expected: the backend or the reference gave no answer.
 * Further members beside "entries" are kept as they are, in an entry they are refused. */

#include "reports/record.h"

struct baseline;

/* False names file and line: unreadable, no JSON, unknown version, an entry without id or reason.
 * `create`: a file that does not exist is an empty baseline. */
struct baseline *baseline_read(const char *path, bool create, struct error *error);
void baseline_destroy(struct baseline **baseline);
int baseline_count(const struct baseline *baseline);

/* Which device the records come from; entries for others rest until the next call. Texts are borrowed. */
void baseline_device(struct baseline *baseline, const char *backend, const char *device, const char *driver);

/* Which cases there are, of every level: entries that name none of them are stale. */
void baseline_know(struct baseline *baseline, int cases, const char *(*id)(const void *list, int index),
                   const void *list);

/* Whether some entry names this case on the present device: its failure is then no suspect. */
bool baseline_names(const struct baseline *baseline, const char *id);

/* Turns the record's status (and reason) as above and remembers what each entry met. */
void baseline_apply(struct baseline *baseline, struct record *record);

/* Calls `tell` with "FILE:LINE: …" for each entry that met cases of this run and none failed, or names none.
 * Returns their number. */
int baseline_stale(const struct baseline *baseline, void (*tell)(void *user, const char *text), void *user);

/* Rewrites the file: stale entries out; one exact-id entry in for each failure that no entry names, its
 * reason the record's. Entries that met no case of this run stay. False names the file; *removed and *added
 * count. */
bool baseline_update(struct baseline *baseline, int *removed, int *added, struct error *error);

#endif
