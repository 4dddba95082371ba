/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_REPRO_DIFFERENCES_H
#define ASSAY_HARNESS_REPRO_DIFFERENCES_H

/* Sums up the differences between one backend's results and the truth, or another backend's results. */

#include "harness/judge/values.h"

struct difference_sum {
    int64_t elements, differing; /* elements whose bits differ; all NaN count as the same bits */
    int64_t special;             /* components of another class: NaN, +inf, −inf, number */
    int64_t special_at;          /* the first of these components, in tensor special_in; −1: none */
    int special_in;
    double max_difference, max_ulp; /* over components that are numbers on both sides */
    double square; /* Σ (difference/B)², with an ulp in place of B where B is 0 or infinite */
};

/* Compares the result with the truth. `differing` counts components that are not the correctly rounded truth.
 */
struct difference_sum difference_from_truth(const struct values *of);

/* Compares two results. Returns false where they do not hold the same tensors. */
bool difference_between(const struct values *a, const struct values *b, struct difference_sum *sum);

#endif
