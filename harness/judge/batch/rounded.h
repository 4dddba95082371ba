/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_JUDGE_BATCH_ROUNDED_H
#define ASSAY_HARNESS_JUDGE_BATCH_ROUNDED_H

/* Elements of operators that round once or move numbers, many at a time: where the truth is a number of the
 * dtype and came back to the bit, or is a float32 rounded to nearest, there is nothing to decide, and metrics
 * and evidence take it in a few loops. What that makes of an element is what judging it alone does; whatever
 * is not so plain is left to that. */

#include "harness/judge/judging.h"

enum { ROUNDED_RUN = 256 };

/* Which elements of a run are so; of the others the rest means nothing. */
struct rounded_run {
    double truth[ROUNDED_RUN], rest[ROUNDED_RUN]; /* rest: of a truth that is no double */
    double rounded[ROUNDED_RUN];
    bool taken[ROUNDED_RUN];
};

/* Whether that may be so of element `element` of the slice in hand, and mostly of those behind it: of one
 * component, rounded once. Wrong classes must have been excluded before. */
bool rounded_concerns(struct traversal *t, const struct evidence *evidence, int64_t element);

/* `count` ≤ ROUNDED_RUN elements of the slice from element `first` of its truth on, whose values are told and
 * whose results lie `stride` bytes apart from `got` on. */
void rounded_find(struct traversal *t, int64_t first, int count, const unsigned char *got, ptrdiff_t stride,
                  struct rounded_run *run);

/* Judges the elements of a run of `count` that rounded_find found to be rounded once. */
void rounded_take(struct judging *j, const struct traversal *t, struct evidence *evidence,
                  const struct rounded_run *run, int count);

#endif
