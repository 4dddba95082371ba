/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_PLAN_SEARCH_H
#define ASSAY_SUITES_PLAN_SEARCH_H

/* The state of the search for a covering array (suites/plan/array.h), and the cost of a call in elements
 * read, written or multiplied. A pair is a size class of an axis with a value of another slot. */

#include "suites/plan/array.h"

/* Slots of a call: its axes, then these. A slot has levels, which are its possible values. */
enum { DTYPE_SLOT = PLAN_AXES, LAYOUT_SLOT, PLACE_SLOT, VARIANT_SLOT, SLOTS };
enum { CLASSES_MAX = 64, LEVELS_MAX = 8, BANDS = 6 };

/* A set of values of slots: bit value + LEVELS_MAX * slot. */
enum { VALUES_WORDS = (SLOTS * LEVELS_MAX + 63) / 64 };
struct values {
    uint64_t word[VALUES_WORDS];
};

struct search {
    const struct plan_operator *planned;
    int axes, levels[SLOTS]; /* levels: number of values of each slot; of an axis, its classes */
    bool beyond;             /* a number of entries beyond PLAN_LARGE: columns may be as many */
    bool nothing;            /* a size is 0: a matrix without rows or columns has no entries */
    enum dtype dtype[LEVELS_MAX];
    int64_t class_size[CLASSES_MAX];
    int class_band[CLASSES_MAX];
    int first[PLAN_KINDS],
        chosen[PLAN_KINDS]; /* first axis of the kind, and first one that is not derived; −1: none */
    unsigned char level[PLAN_AXES][CLASSES_MAX][SLOTS][LEVELS_MAX]; /* level at which the pair is required */
    /* of each class the values that it is required with, and that no call has beside it */
    struct values missing[PLAN_AXES][CLASSES_MAX];
};

/* What the operator is asked about a call. Open slots (−1) count as the least size. */
struct plan_choice search_choice(const struct search *s, const int pick[SLOTS]);
/* Gives the slot, which is open in the pick, this value. */
void search_choose(const struct search *s, struct plan_choice *choice, int slot, int value);
/* True if the operator accepts the call and its work is within the budget. */
bool search_fits(const struct search *s, const struct plan_choice *choice, int64_t budget);

/* The work that a call made for that size of axis a may cost. */
int64_t search_budget(const struct search *s, int a, int64_t size);

#endif
