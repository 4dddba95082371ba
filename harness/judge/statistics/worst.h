/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_JUDGE_STATISTICS_WORST_H
#define ASSAY_HARNESS_JUDGE_STATISTICS_WORST_H

/* The element to show of a case that was judged: a record names one only where something is to be blamed. */

#include "harness/judge/judge.h"
#include "reference/program/program.h"

/* The judged element of the greatest error over bound or, where the envelope decides, over Q; then of the
 * greatest error in ulp: the first one where all are exact. Its truth is certified, its result lies in the
 * images. False where no element is judged alone. `condition` (may be NULL) becomes at least how far rounding
 * alone may be amplified: E_compute over u·|truth|, over all elements of the first step. */
bool worst_find(const struct program *program, const struct program_truth *truth, const struct images *images,
                const struct profile *profile, struct explained *worst, double *condition);

/* Its bound B, an absolute error; infinity where every result on one side is accepted, NaN where the truth is
 * a special value. */
double worst_bound(const struct explained *worst);

#endif
