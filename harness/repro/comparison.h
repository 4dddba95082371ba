/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_REPRO_COMPARISON_H
#define ASSAY_HARNESS_REPRO_COMPARISON_H

/* Compares the answers of several backends to one call with the truth and with each other.
 *
 * A backend *drifts* if its results fail by their values, or are implausible: beyond the envelope, which is
 * what independent rounding gives (docs/explanation/envelope.md), or beyond the certified bound B, which is
 * what any legal rounding gives. The measure of the drift is the first of these that applies:
 *
 *   special   number of elements of another class than the truth's: NaN, an infinity or a number instead of
 *             another
 *   Q         greatest |error| over Q = 16·S + N
 *   T         root mean square of max(0, |error| − N)/S
 *   G         common error of scale over its limit of 6
 *   B         greatest |error| over B
 *
 * Two backends drift *the same way* if their special values agree and their numbers differ from each other by
 * less than half of the distance between the nearer one and the truth, as root mean squares in units of B.
 */

#include "harness/judge/values.h"
#include "reports/records/record.h"

#include <jansson.h>

/* Adds a record's measures and its rule to an answer. Each measure is null unless `valued`. */
void repro_put_metrics(const struct record *record, bool valued, json_t *to);

/* Compares the answers, which have at least name, status, reason and the measures above. `values`: the
 * results of each backend, with count 0 where there are none. Returns
 *
 *   {"sentence",
 *    "backends": [{"name", "verdict", "by", "factor", "max_nu", "max_ulp", "q", "t", "g", "special"}],
 *    "pairs": [{"a", "b", "elements", "differing", "special", "max_difference", "max_ulp", "apart"}]}
 *
 * verdict: "right", "drifts", "wrong" (not by values: repeats, other memory), "open" (vacuous) or "no
 * answer". apart: root mean square of the difference over that of the nearer backend's error, null where
 * neither errs. Returns NULL when out of memory. */
json_t *repro_compare(const json_t *backends, const struct values *values);

void repro_show_comparison(const json_t *comparison);

/* Carries results from the processes of the backends to the comparison, through a temporary file. Where the
 * system has /proc the file has no name, so that it disappears however the processes end. */
struct comparing {
    int backends, fd; /* fd −1: results are not collected */
    char path[64];
    bool named;            /* the file has a name and must be removed */
    struct values *values; /* [backends] */
};

/* Prepares for this many backends. Returns false if there is no place for their results; then none are
 * collected. */
bool comparing_begin(struct comparing *comparing, int backends);
/* Returns the path for worker_setup.values; NULL where none are collected. */
const char *comparing_path(const struct comparing *comparing);
/* Loads what backend b saved; call it after each backend. Returns false, with nothing loaded, if that is
 * incomplete. Returns true where nothing is collected. */
bool comparing_take(struct comparing *comparing, int b);
/* Returns repro_compare's object, or NULL for a single backend, and frees everything. */
json_t *comparing_end(struct comparing *comparing, const json_t *backends);

#endif
