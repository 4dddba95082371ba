/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_ROUNDED_H
#define ASSAY_HARNESS_ROUNDED_H

/* Elements of operators that round once or move numbers, many at a time: where the truth is a number of the
 * dtype and came back to the bit, or is a float32 rounded to nearest, there is nothing to decide, and metrics
 * and evidence take it in a few loops. What that makes of an element is what judging it alone does; whatever
 * is not so plain is left to that. */

#include "harness/verdict/judging.h"

enum { ROUNDED_RUN = 256 };

/* Whether that may be so in the slice in hand: of one component, one rounding declared, no envelope, radius
 * or flushed truth. Wrong classes must have been excluded before. */
bool rounded_concerns(const struct traversal *t, const struct evidence *evidence);

/* Takes `count` ≤ ROUNDED_RUN elements of the slice from element `first` of its truth on, whose results lie
 * `stride` bytes apart from `got` on. left[]: the numbers (from 0) of those that are left; returns how many.
 */
int rounded_take(struct judging *j, struct traversal *t, struct evidence *evidence, int64_t first, int count,
                 const unsigned char *got, ptrdiff_t stride, int left[ROUNDED_RUN]);

#endif
