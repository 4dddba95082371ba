/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_PLAN_BUILD_H
#define ASSAY_SUITES_PLAN_BUILD_H

/* A call of the plan as a step on random data. The decisive element lies in every second sum, statistic or
 * matrix at the call's place; the last one is always ordinary, so that its truth is no NaN and no zero that
 * poison or a missing write could pass for. */

#include "suites/plan/array.h"

bool plan_build(struct builder *b, const struct plan_operator *planned, const struct plan_call *call);

/* Dtypes that the operator's own suite asks; 0 where the operator is unknown. */
unsigned plan_dtypes(const struct plan_operator *planned);

/* Of suites/plan/matrices.c: [n, n] with Gaussian entries (sums of twelve uniforms), or Q₁·D·Q₂ with D from
 * 1/2 to 2; det > 0 unless `negative`. */
void plan_matrix(struct builder *b, const struct view *view, bool orthogonal, bool negative, int tensor);

#endif
