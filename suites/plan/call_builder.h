/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_PLAN_CALL_BUILDER_H
#define ASSAY_SUITES_PLAN_CALL_BUILDER_H

/* One call of the plan as it is being built, and what all of its builders use. */

#include "suites/plan/build.h"

struct call_builder {
    struct builder *b;
    const struct plan_operator *planned;
    const struct plan_call *call;
};

/* 1 where the operator has no such axis. */
int64_t call_size(const struct call_builder *m, enum plan_kind kind);

/* The operand with the call's layout; −1: all have it. */
int call_laid(const struct call_builder *m, int operands);

/* The layout of one of `operands`: the call's for one of them in turn, and now and then for all. */
enum layout call_layout(const struct call_builder *m, int operand, int operands);

/* Elements that are summed, share a statistic or are a matrix: `count` of them, `step` apart. */
struct run {
    int64_t start, step, count;
};

/* The element at the place of a run of `count`. */
int64_t call_place(enum plan_place place, int64_t count);

/* The k-th of `runs` gets its decisive element at the call's place, the next one at the next: a NaN or
 * an infinity in turn (large where it must not be `special`), the last one a large number; every fourth
 * one has none. */
void call_set_decisive(const struct call_builder *m, const struct view *x, struct run run, int64_t k,
                       int64_t runs, double large, bool special);

void call_build_views(const struct call_builder *m, const struct shape *shape);
void call_build_rows(const struct call_builder *m);
void call_build_layer(const struct call_builder *m);
void call_build_group(const struct call_builder *m);
void call_build_loss(const struct call_builder *m);
void call_build_channels(const struct call_builder *m);
void call_build_channel_sums(const struct call_builder *m); /* prelu_backward_weight */

#endif
