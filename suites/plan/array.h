/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_PLAN_ARRAY_H
#define ASSAY_SUITES_PLAN_ARRAY_H

/* A covering array of one operator's sizes: few calls, chosen greedily and always the same, in which every
 * size class of each dimension meets every dtype, layout, place of the decisive element, variant of the
 * operator, and every band of sizes of each other dimension.
 *
 * Up to PLAN_TINY all of these pairs are required at level standard; up to PLAN_SMALL those of float32 (or of
 * the operator's first dtype), with pairs of other dtypes at exhaustive. Truths of larger sizes cost more:
 * each size is required in float32 at standard and in the other dtypes at exhaustive. The main dimension (the
 * last) has 4,097 in every dtype at standard; other dimensions have beyond PLAN_BESIDE only 4,097 at
 * standard. Three groups of terms then hold the decisive element in every place. Beyond PLAN_LARGE each size
 * is required once, 65,537 of the main dimension at standard.
 *
 * After Cohen, Dalal, Fredman and Patton, "The AETG system", IEEE Trans. Softw. Eng. 23 (1997). */

#include "suites/build.h"
#include "suites/plan/plan.h"

/* The place of the element that decides a sum, a statistic or a flag. */
enum plan_place { PLACE_FIRST, PLACE_MIDDLE, PLACE_LAST, PLACES };

struct plan_call {
    int64_t size[PLAN_AXES]; /* 0 for derived dimensions */
    enum dtype dtype;
    enum layout layout;
    enum plan_place place;
    int variant;     /* below plan_variants() */
    int axis, class; /* the axis and size class that the call was made for */
    enum level level;
    int turn; /* its index in the array: data, operands and ranks vary with it */
};

struct plan_array {
    int count;
    struct plan_call *call;
};

/* Returns the number of forms of a call that are no size: orders of a norm, training and evaluation, …; 1 or
 * more. */
int plan_variants(const struct plan_operator *planned);

/* True if two operators have the same axes and forms and so, for equal dtypes, the same array. */
bool plan_alike(const struct plan_operator *a, const struct plan_operator *b);

/* Builds the array for these dtypes (bits DTYPE_…). Returns false when out of memory; the array is empty
 * then. Free it with plan_array_destroy(). */
bool plan_array_create(struct plan_array *array, const struct plan_operator *planned, unsigned dtypes);
void plan_array_destroy(struct plan_array *array);

#endif
