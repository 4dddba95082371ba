/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_PLAN_ARRAY_H
#define ASSAY_SUITES_PLAN_ARRAY_H

/* A covering array of one operator's sizes: few calls, chosen greedily and always the same ones, in which
 * every class of each dimension meets every dtype, layout, place of the decisive element, variant of the
 * operator, and every band of each other dimension.
 *
 * All of these pairs are asked of sizes up to PLAN_TINY; up to PLAN_SMALL in float32 (or the operator's first
 * dtype), the other dtypes at level exhaustive. Of larger sizes, whose truth costs more, each is asked in
 * float32 at standard and in the other dtypes at exhaustive; the main dimension (the last) has 4,097 in all
 * of them at standard, the others beyond PLAN_BESIDE nothing but 4,097. Three runs of terms hold the decisive
 * element in every place there. Beyond PLAN_LARGE each size once, 65,537 of the main dimension at standard.
 *
 * After Cohen, Dalal, Fredman and Patton, "The AETG system", IEEE Trans. Softw. Eng. 23 (1997). */

#include "suites/build.h"
#include "suites/plan/plan.h"

/* Where the element lies that decides a sum, a statistic or a flag. */
enum plan_place { PLACE_FIRST, PLACE_MIDDLE, PLACE_LAST, PLACES };

struct plan_call {
    int64_t size[PLAN_AXES]; /* derived ones: 0 */
    enum dtype dtype;
    enum layout layout;
    enum plan_place place;
    int variant;     /* of the operator: plan_variants */
    int axis, class; /* what it was made for */
    enum level level;
    int turn; /* its number: data, operands and ranks vary with it */
};

struct plan_array {
    int count;
    struct plan_call *call;
};

/* Forms of the call that are no size: orders of a norm, training and evaluation, one row or many. */
int plan_variants(const struct plan_operator *planned);

/* Whether two operators have the same axes and forms, and so, in the same dtypes, the same array. */
bool plan_alike(const struct plan_operator *a, const struct plan_operator *b);

/* False when out of memory; destroyed with plan_array_destroy. */
bool plan_array_create(struct plan_array *array, const struct plan_operator *planned, unsigned dtypes);
void plan_array_destroy(struct plan_array *array);

#endif
