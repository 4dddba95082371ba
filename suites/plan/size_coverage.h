/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_PLAN_SIZE_COVERAGE_H
#define ASSAY_SUITES_PLAN_SIZE_COVERAGE_H

/* Which sizes of the plan the cases have. The programs of cases are built and their operands measured, so
 * that a wrong label cannot hide a gap. */

#include "suites/plan/plan.h"

#include <stdio.h>

/* For each operator, axis and size class the lowest level at which a step has it; LEVEL_COUNT: no case has
 * it. */
struct plan_coverage {
    enum level *level; /* plan_operators() · PLAN_AXES · plan_classes() */
};

bool plan_coverage_create(struct plan_coverage *coverage, const struct suite_list *list);
void plan_coverage_destroy(struct plan_coverage *coverage);
enum level plan_coverage_at(const struct plan_coverage *coverage, int planned, int axis, int class);

enum plan_state {
    PLAN_REQUESTED,
    PLAN_REFUSED,  /* smaller than the operator accepts */
    PLAN_POSTPONED /* its truth would cost too much */
};
enum plan_state plan_state(const struct plan_axis *axis, int class);

/* Writes a Markdown table of operators and dimensions with the sizes that have a case, are refused, postponed
 * or missing. Returns the number of sizes without a case, −1 when out of memory. */
int plan_coverage_write(FILE *file, const struct suite_list *list);

#endif
