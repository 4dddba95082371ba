/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_JUDGE_STATISTICS_BIAS_H
#define ASSAY_HARNESS_JUDGE_STATISTICS_BIAS_H

/* Elements of one truth come from the same operands as a rule, and err alike: they are one observation of the
 * bias test, not many. */

#include "harness/judge/judging.h"

/* Σ m²/Σ m over the clusters of m equal truths, finite and not zero: 1 where all differ. The mean of the
 * errors varies by as much more. 1 too where the truth comes in slices. False when out of memory. */
bool bias_cluster(const struct judging *j, double *cluster);

#endif
