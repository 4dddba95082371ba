/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_REPRO_DIFFERENCES_H
#define ASSAY_HARNESS_REPRO_DIFFERENCES_H

/* Numbers of one backend held against the truth, or against another's. */

#include "harness/judge/values.h"

struct difference_sum {
    int64_t elements, differing; /* differing: in bits, but that all NaN are one */
    int64_t special;             /* of another class: NaN, +inf, -inf, number */
    int64_t special_at;          /* the first of those, a component of tensor special_in; −1: none */
    int special_in;
    double max_difference, max_ulp; /* of numbers */
    double square;                  /* Σ (difference/B)², an ulp where B is 0 or open */
};

/* got against RN(truth): `differing` counts where the result is not that. */
struct difference_sum difference_from_truth(const struct values *of);

/* False where the two do not hold the same tensors. */
bool difference_between(const struct values *a, const struct values *b, struct difference_sum *sum);

#endif
