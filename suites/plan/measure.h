/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_PLAN_MEASURE_H
#define ASSAY_SUITES_PLAN_MEASURE_H

/* Lengths of a step's dimensions, for the `measure` of forms. −1: there is no such dimension. */

#include "suites/plan/plan.h"

/* The product of dimensions `from` to `to` − 1. */
int64_t measure_span(const struct shape *shape, int from, int to);
/* The length of the last dimension (back = 1), of the one before it (2), …; 1 if the rank is smaller. */
int64_t measure_last(const struct shape *shape, int back);

/* Columns: the last dimension. Rows: the product of all others. */
int64_t measure_flat(const struct shape *shape, enum plan_kind kind);
/* Rows, columns or order of matrices [..., rows, columns], and their number (the batch). */
int64_t measure_matrix(const struct shape *shape, enum plan_kind kind);
/* Terms and rows of x, of which the dimensions in the attribute `dim` (a list or a number) are reduced; all
 * dimensions if it is absent. */
int64_t measure_reduced(const struct step *step, const struct shape *x, enum plan_kind kind);

/* For `measure`: rows and columns of the first input. */
int64_t measure_first_input(const struct program *program, const struct step *step, enum plan_kind kind);

#endif
