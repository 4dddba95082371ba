/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_PLAN_CALL_BUILDER_H
#define ASSAY_SUITES_PLAN_CALL_BUILDER_H

/* One call of the plan as it is being built, a step on random data, and what the builders of the families
 * use. The decisive element lies in every second sum, statistic or matrix at the call's place; the last one
 * is always ordinary, so that its truth is no NaN and no zero that poison or a missing write could pass for.
 */

#include "suites/plan/array.h"
#include "suites/plan/form.h"

struct call_builder {
    struct builder *b;
    const struct plan_operator *planned;
    const struct plan_call *call;
};

/* 1 where the operator has no such axis. */
int64_t call_size(const struct call_builder *m, enum plan_kind kind);

/* Gives that axis a size; nothing where the operator has no such axis. */
void call_resize(struct plan_call *call, const struct plan_operator *planned, enum plan_kind kind,
                 int64_t size);

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

/* [rows, columns] in one, two or three dimensions. */
struct shape call_flat_shape(const struct call_builder *m);

/* The shapes that one operand of an element-wise call may have beside others of the flat shape, a variant
 * each: the same, a row, a column, a scalar. */
enum { CALL_BROADCASTS = 4 };
void call_broadcast_shapes(const struct call_builder *m, struct shape shape[CALL_BROADCASTS]);

/* Numbers from 2^-4 to 2^5 of both signs. */
void call_fill_random(const struct call_builder *m, const struct view *x, int tensor);

/* The shape of operand k of a step in which operand `turn` broadcasts along a dimension between others, of
 * the cases of middle.c: of three dimensions, or of five. */
enum { MIDDLE_OPERANDS = 5 };
struct shape plan_middle_shape(const struct builder *b, int k, int turn);

/* --- the plan's own use of forms */

bool plan_build(struct builder *b, const struct plan_operator *planned, const struct plan_call *call);

/* Dtypes in which sizes of the operator are asked; 0 where the operator is unknown. */
unsigned plan_dtypes(const struct plan_operator *planned);

#endif
