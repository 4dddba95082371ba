/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_JUDGE_BATCH_ROUNDED_H
#define ASSAY_HARNESS_JUDGE_BATCH_ROUNDED_H

/* Judges results of a single rounding in batches: of operators that round once or only move numbers. If the
 * truth is a number of the dtype and came back to the bit, or was rounded to nearest, there is nothing to
 * decide, and a few loops add the elements to metrics and evidence. The outcome is that of judging each
 * element alone; elements that do not qualify are judged alone. */

#include "harness/judge/judging.h"

enum { ROUNDED_RUN = 256 };

/* A batch. In an element that is not taken the other columns have no meaning. */
struct rounded_batch {
    double truth[ROUNDED_RUN], rest[ROUNDED_RUN]; /* rest: the low part of a truth that is no double */
    double rounded[ROUNDED_RUN];
    bool taken[ROUNDED_RUN];
};

/* True if element `element` of the slice, and usually its neighbours, can be judged in this way: one
 * component, rounded once. False until the wrong classes are excluded. */
bool rounded_concerns(struct traversal *t, const struct evidence *evidence, int64_t element);

/* Finds which elements qualify, of `count` ≤ ROUNDED_RUN from element `first` of the slice's truth on. Their
 * values must be filled (truth_output_fill); the results lie `stride` bytes apart from `got` on. */
void rounded_find(struct traversal *t, int64_t first, int count, const unsigned char *got, ptrdiff_t stride,
                  struct rounded_batch *run);

/* Adds the elements that rounded_find marked, in a batch of `count`, to metrics and evidence. */
void rounded_take(struct judging *j, const struct traversal *t, struct evidence *evidence,
                  const struct rounded_batch *run, int count);

#endif
