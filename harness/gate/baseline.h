/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_GATE_BASELINE_H
#define ASSAY_HARNESS_GATE_BASELINE_H

/* Known failures: a JSON file that a person reviews, and that is meant to shrink. One entry a line, sorted,
 * so that a difference in review is a difference in what is excused:
 *
 *   {
 *     "version": 2,
 *     "entries": [
 *       {"id": "linalg/logdet/float16/hilbert-n8", "status": "fail", "backend": "vulkan*", "device":
 * "llvmpipe", "reason": "rounds to zero", "link": "https://…", "owner": "ann", "expires": "2027-01-31"}
 *     ]
 *   }
 *
 *   id        exact, or a glob (`*` crosses '/')
 *   status    fail, crash or timeout: what it excuses; absent: each of them
 *   backend   the backend's selector, or a glob; device, driver: substrings, case ignored; absent: any
 *   reason    why it fails; link: where that is reported; owner: who answers for it
 *   expires   the first day (UTC) on which it excuses nothing: what it names then fails, and says so
 *
 * Only id and reason must be there. A failure, crash or timeout that an entry excuses becomes expected_fail.
 * A pass that an exact id names becomes unexpected_pass. A glob is stale when it met cases and excused none;
 * an entry that names no case at all is stale too. An error is never expected: the backend or the reference
 * gave no answer. Further members beside "entries" are kept as they are, in an entry they are refused.
 * Version 1 had no status, link, owner and expires; it is read, and rewritten as version 2 by
 * --update-baseline alone. */

#include "reports/records/record.h"

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

/* The day that counts for `expires`, "2027-01-31"; baseline_read sets today's. Borrowed. */
void baseline_date(struct baseline *baseline, const char *today);

/* Whether some entry excuses this on the present device: it is then no suspect. */
bool baseline_excuses(const struct baseline *baseline, const char *id, enum status status);

/* Turns the record's status (and reason) as above and remembers what each entry met. */
void baseline_apply(struct baseline *baseline, struct record *record);

/* Calls `tell` with "FILE:LINE: …" for each entry that met cases of this run and none failed, or names none.
 * Returns their number. */
int baseline_stale(const struct baseline *baseline, void (*tell)(void *user, const char *text), void *user);

/* Rewrites the file: stale entries out; one exact-id entry in for each failure that no entry excuses, its
 * reason the record's; but where an entry that has expired names it, a person has to renew that. Entries that
 * met no case of this run stay. False names the file; *removed and *added count. */
bool baseline_update(struct baseline *baseline, int *removed, int *added, struct error *error);

#endif
