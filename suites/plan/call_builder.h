/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_PLAN_CALL_BUILDER_H
#define ASSAY_SUITES_PLAN_CALL_BUILDER_H

/* Helpers with which families build a call of the plan: one step on random data. The decisive element lies at
 * the call's place in most sums, statistics or matrices. The last of them is always ordinary, so that its
 * truth is no NaN and no zero that poison or a missing write could pass for. */

#include "suites/plan/array.h"
#include "suites/plan/form.h"

struct call_builder {
    struct builder *b;
    const struct plan_operator *planned;
    const struct plan_call *call;
};

/* Returns the call's size of that dimension; 1 if the operator has no such dimension. */
int64_t call_size(const struct call_builder *m, enum plan_kind kind);

/* Sets the size of that dimension; does nothing if the operator does not have it. */
void call_resize(struct plan_call *call, const struct plan_operator *planned, enum plan_kind kind,
                 int64_t size);

/* Returns the operand that has the call's layout; −1: all have it. */
int call_laid(const struct call_builder *m, int operands);

/* Returns the layout of an operand: the call's for one operand in turn, and in every fourth call for all;
 * else contiguous. */
enum layout call_layout(const struct call_builder *m, int operand, int operands);

/* A group: `count` elements, `step` apart, that are summed, share a statistic or are a matrix. */
struct run {
    int64_t start, step, count;
};

/* Returns the index of the element at a place among `count`. */
int64_t call_place(enum plan_place place, int64_t count);

/* Sets the decisive element of group k of `runs`, at the call's place for k = 0 and at the next place for
 * each next group: a NaN or −inf in turn if `special`, else `large`. Every fourth group keeps its data; the
 * last group gets `large`. */
void call_set_decisive(const struct call_builder *m, const struct view *x, struct run run, int64_t k,
                       int64_t runs, double large, bool special);

/* Returns a shape for the call's rows and columns, of one, two or three dimensions. */
struct shape call_flat_shape(const struct call_builder *m);

/* Returns the shapes that one operand of an element-wise call may have, one for each variant: that of the
 * others, a row, a column, a scalar. */
enum { CALL_BROADCASTS = 4 };
void call_broadcast_shapes(const struct call_builder *m, struct shape shape[CALL_BROADCASTS]);

/* Fills x with numbers of both signs and magnitudes from 2^-4 to 2^5. */
void call_fill_random(const struct call_builder *m, const struct view *x, int tensor);

/* For cases of middle.c: returns the shape of operand k of a step in which operand `turn` broadcasts along a
 * dimension in the middle. Shapes have three dimensions or five. */
enum { MIDDLE_OPERANDS = 5 };
struct shape plan_middle_shape(const struct builder *b, int k, int turn);

/* --- for the plan itself */

bool plan_build(struct builder *b, const struct plan_operator *planned, const struct plan_call *call);

/* Returns the dtypes (bits DTYPE_…) in which the plan has sizes of the operator; 0 if the operator is
 * unknown. */
unsigned plan_dtypes(const struct plan_operator *planned);

#endif
