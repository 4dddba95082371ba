/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_PLAN_MAKING_H
#define ASSAY_SUITES_PLAN_MAKING_H

/* One call of the plan as it is being built, and what all of its builders use. */

#include "suites/plan/build.h"

struct making {
    struct builder *b;
    const struct plan_operator *planned;
    const struct plan_call *call;
};

int64_t making_size(const struct making *m, enum plan_kind kind); /* 1 where the operator has no such axis */

int making_laid(const struct making *m, int operands); /* the operand with the call's layout; −1: all have */

/* The layout of one of `operands`: the call's for one of them in turn, and now and then for all. */
enum layout making_layout(const struct making *m, int operand, int operands);

/* Elements that are summed, share a statistic or are a matrix: `count` of them, `step` apart. */
struct run {
    int64_t start, step, count;
};

/* The element at the place of a run of `count`. */
int64_t making_place(enum plan_place place, int64_t count);

/* The k-th of `runs` gets its decisive element at the call's place, the next one at the next: a NaN or
 * an infinity in turn (large where it must not be `special`), the last one a large number; every fourth
 * one has none. */
void making_decide(const struct making *m, const struct view *x, struct run run, int64_t k, int64_t runs,
                   double large, bool special);

void making_layer(const struct making *m);
void making_group(const struct making *m);
void making_channels(const struct making *m);

#endif
