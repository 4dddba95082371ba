/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_PLAN_SEARCH_H
#define ASSAY_SUITES_PLAN_SEARCH_H

/* The state of the search for a covering array (suites/plan/array.h), and what a call costs: in elements
 * read, written or multiplied. */

#include "suites/plan/array.h"

/* Slots of a call: its axes, then these. */
enum { DTYPE_SLOT = PLAN_AXES, LAYOUT_SLOT, PLACE_SLOT, VARIANT_SLOT, SLOTS };
enum { CLASSES_MAX = 64, LEVELS_MAX = 8, BANDS = 6 };

struct search {
    const struct plan_operator *planned;
    int axes, levels[SLOTS]; /* values of each slot; of an axis: its classes */
    bool beyond;             /* entries of one row need as many columns, however many they are */
    bool nothing;            /* a matrix without rows or columns has no entries */
    enum dtype dtype[LEVELS_MAX];
    int64_t class_size[CLASSES_MAX];
    int first[PLAN_KINDS],
        chosen[PLAN_KINDS]; /* axis of that kind: the first, and the first not derived; −1: none */
    unsigned char level[PLAN_AXES][CLASSES_MAX][SLOTS][LEVELS_MAX]; /* at which a pair is asked for */
    bool covered[PLAN_AXES][CLASSES_MAX][SLOTS][LEVELS_MAX];        /* by a call, or not asked for at all */
};

/* Whether the operator takes the call, and its work is within the budget. Open slots (−1) count as the least.
 */
bool search_fits(const struct search *s, const int pick[SLOTS], int64_t budget);

/* The work that a call of that size of axis a may cost. */
int64_t search_budget(const struct search *s, int a, int64_t size);

#endif
