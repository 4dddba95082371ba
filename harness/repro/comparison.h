/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_REPRO_COMPARISON_H
#define ASSAY_HARNESS_REPRO_COMPARISON_H

/* Several backends' answers to one question, held against the truth and against each other.
 *
 * A backend *drifts* where its results fail by their values, or are implausible: beyond the envelope, what
 * independent rounding gives (docs/explanation/envelope.md), or beyond the certified bound B, what any legal
 * rounding gives. How far is told as one of
 *
 *   Q   greatest |error| over Q = 16·S + N              T   root mean square of max(0, |error| − N)/S
 *   G   common error of scale over its limit of 6       B   greatest |error| over B, where no envelope
 * decides special   elements of another class than the truth's: NaN, an infinity or a number in place of
 * another
 *
 * Two drift *the same way* where their special values stand alike and their numbers differ from each other by
 * less than half of what the nearer one differs from the truth, as root mean squares in units of B. */

#include "harness/judge/values.h"
#include "reports/records/record.h"

#include <jansson.h>

/* The numbers of a record that every answer has, null each where it has no values; with its rule. */
void repro_put_metrics(const struct record *record, bool valued, json_t *to);

/* Of an array of answers with at least name, status, reason and the above, and of each one's values, no
 * tensor in them where there are none:
 * {"sentence", "backends": [{"name", "verdict", "by", "factor", "max_nu", "max_ulp", "q", "t", "g",
 * "special"}], "pairs": [{"a", "b", "elements", "differing", "special", "max_difference", "max_ulp",
 * "apart"}]}. verdict: "right", "drifts", "wrong" (by no value: repeats, other memory), "open" (vacuous) or
 * "no answer". apart: that root mean square over the nearer one's, null where neither errs. NULL when out of
 * memory. */
json_t *repro_compare(const json_t *backends, const struct values *values);

void repro_show_comparison(const json_t *comparison);

/* Values on their way from the backends' processes to the comparison. What a process saves goes through a
 * file that nothing leaves behind, whatever ends the process, where the system has /proc. */
struct comparing {
    int backends, fd; /* fd −1: nothing is asked for, or there was no place */
    char path[64];
    bool named;            /* a file of that name must be removed */
    struct values *values; /* of each backend */
};

/* For so many backends; false where there is no place for their values, and none are kept then. */
bool comparing_begin(struct comparing *comparing, int backends);
/* For setup.values; NULL where none are kept. */
const char *comparing_path(const struct comparing *comparing);
/* Right after backend b was asked: what it saved; false, and nothing, where that was not all. True where none
 * are kept. */
bool comparing_take(struct comparing *comparing, int b);
/* repro_compare's object, NULL of one backend alone; nothing is kept any longer. */
json_t *comparing_end(struct comparing *comparing, const json_t *backends);

#endif
