/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_GATE_BASELINE_H
#define ASSAY_HARNESS_GATE_BASELINE_H

/* Known failures: a JSON file that people review and that is meant to shrink. It has one entry a line,
 * sorted, so that a difference in review is a difference in what is excused:
 *
 *   {
 *     "version": 2,
 *     "entries": [
 *       {"id": "linalg/logdet/float16/hilbert-n8", "status": "fail", "backend": "vulkan*",
 *        "device": "llvmpipe", "reason": "rounds to zero", "link": "https://…", "owner": "ann",
 *        "expires": "2027-01-31"}
 *     ]
 *   }
 *
 *   id        exact, or a glob (`*` crosses '/')
 *   status    the status that is excused: fail, crash, timeout, unsupported or vacuous; absent: each of the
 *             first three
 *   backend   the backend's selector, or a glob; absent: any
 *   device    a part of the device's name, case ignored; absent: any. driver: likewise
 *   reason    why the case fails; link: where that is reported; owner: who answers for it
 *   expires   the first day (UTC) on which the entry excuses nothing: the case then fails, and its reason
 *             says so
 *
 * Only id and reason are required. A failure, crash or timeout that an entry excuses becomes expected_fail.
 * An unsupported or vacuous case keeps its status, and its record says by which entry it is `excused`. A pass
 * that an exact id names becomes unexpected_pass. An error is never excused, because the backend or the
 * reference gave no answer. An entry is stale if it met cases of the run and excused none, or if it names no
 * existing case.
 *
 * Other members beside "entries" are kept as they are; unknown members of an entry are refused. Version 1 had
 * no status, link, owner and expires. It is read, and only --update-baseline rewrites it as version 2. */

#include "reports/records/record.h"

struct baseline;

/* Reads a baseline and sets today's date. Returns NULL with file and line in the error: unreadable, no JSON,
 * unknown version, an entry that is not well-formed. `create`: a file that does not exist is an empty
 * baseline. */
struct baseline *baseline_read(const char *path, bool create, struct error *error);
void baseline_destroy(struct baseline **baseline);
int baseline_count(const struct baseline *baseline);

/* Sets the device from which the records come; entries for other devices do not apply until the next call.
 * The texts are borrowed. */
void baseline_device(struct baseline *baseline, const char *backend, const char *device, const char *driver);

/* Marks entries that name none of these cases as stale. The cases are those of every level. */
void baseline_know(struct baseline *baseline, int cases, const char *(*id)(const void *list, int index),
                   const void *list);

/* Sets the day against which `expires` is compared, "2027-01-31"; baseline_read sets today. The text is
 * copied. */
void baseline_date(struct baseline *baseline, const char *today);

/* True if an entry excuses this status of the case on the current device, so that the case need not be rerun
 * as a suspect. */
bool baseline_excuses(const struct baseline *baseline, const char *id, enum status status);

/* Changes the record's status and reason as described above, and notes in each entry what it met. What fails
 * this gate (reports/gate.h) and has no entry is noted for baseline_update. */
void baseline_apply(struct baseline *baseline, struct record *record, unsigned gate);

/* Calls `tell` with "FILE:LINE: …" for each stale entry. Returns their number. */
int baseline_stale(const struct baseline *baseline, void (*tell)(void *user, const char *text), void *user);

/* Rewrites the file. Stale entries are removed. For each case that fails the gate and that no entry excuses,
 * an entry with its exact id and the record's reason is added, unless an expired entry names the case, which
 * a person must renew. Where all cases of an operator and dtype are unsupported for one reason, they get one
 * entry. Entries that met no case of this run stay. *removed and *added count entries. False names the file.
 */
bool baseline_update(struct baseline *baseline, int *removed, int *added, struct error *error);

#endif
