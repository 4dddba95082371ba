/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_JUDGE_STATISTICS_WORST_H
#define ASSAY_HARNESS_JUDGE_STATISTICS_WORST_H

/* Finds the element to show of a judged case, also where the record names none because no element errs. */

#include "harness/judge/judge.h"
#include "reference/program/program.h"

/* Finds the judged element with the greatest error over B or, where the envelope decides, over Q; among
 * equals the one with the greatest error in ulp; the first one if all are exact. Its truth is certified
 * unless that is costly, and its result lies in the images. Returns false if no element is judged alone, or
 * if out of memory. `condition` (may be NULL) is raised to the greatest E_compute/(u·|truth|) over the
 * elements of the first step: how far rounding alone may be amplified. */
bool worst_find(const struct program *program, const struct program_truth *truth, const struct images *images,
                const struct profile *profile, struct explained *worst, double *condition);

/* The bound B of the element, an absolute error; infinity if every result on one side is accepted, NaN if the
 * truth is a special value. */
double worst_bound(const struct explained *worst);

#endif
