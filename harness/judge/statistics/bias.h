/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_JUDGE_STATISTICS_BIAS_H
#define ASSAY_HARNESS_JUDGE_STATISTICS_BIAS_H

/* Elements of equal truth usually come from the same operands and have equal errors: for the bias test they
 * are one observation, not many. */

#include "harness/judge/judging.h"

/* Sets *cluster to Σ m²/Σ m over the clusters of m equal truths, finite and not zero, of the floating tensors
 * of a step, or of all steps for step −1: the factor by which the variance of the mean error grows, 1 if all
 * truths differ. It is also 1 if a truth comes in slices. False if out of memory. */
bool bias_cluster(const struct judging *j, int step, double *cluster);

#endif
