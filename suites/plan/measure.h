/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_PLAN_MEASURE_H
#define ASSAY_SUITES_PLAN_MEASURE_H

/* How long the dimensions of a step are, for the `measure` of forms. −1: there is no such dimension. */

#include "suites/plan/plan.h"

/* The number of elements of dimensions `from` to `to` − 1. */
int64_t measure_span(const struct shape *shape, int from, int to);
/* The length of the last dimension (back 1), of the one before it (2), …; 1 where the rank is less. */
int64_t measure_last(const struct shape *shape, int back);

/* Rows and columns: the last dimension and all others. */
int64_t measure_flat(const struct shape *shape, enum plan_kind kind);
/* Rows, columns or the order of matrices [..., rows, columns], and how many there are. */
int64_t measure_matrix(const struct shape *shape, enum plan_kind kind);
/* Terms and rows of x where the dimensions that the attribute `dim` names are reduced (a list, or one), all
 * dimensions where it is left out. */
int64_t measure_reduced(const struct step *step, const struct shape *x, enum plan_kind kind);

/* For `measure`: rows and columns of the first input. */
int64_t measure_first_input(const struct program *program, const struct step *step, enum plan_kind kind);

#endif
