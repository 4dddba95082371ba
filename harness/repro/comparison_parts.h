/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_REPRO_COMPARISON_PARTS_H
#define ASSAY_HARNESS_REPRO_COMPARISON_PARTS_H

/* The comparison as comparison.c computes it and comparison_sentence.c describes it. */

#include "harness/repro/differences.h"

enum compared_verdict { VERDICT_RIGHT, VERDICT_OPEN, VERDICT_DRIFTS, VERDICT_WRONG, VERDICT_NO_ANSWER };
const char *compared_verdict(enum compared_verdict verdict);

struct compared {
    const char *name, *status, *reason, *rule;
    enum compared_verdict verdict;
    const char *by; /* "special", "Q", "T", "G" or "B"; NULL where it does not drift, or by no such measure */
    double factor;
    double error_over_bound, ulp, q, t, g;
    const struct values *values;
    struct difference_sum from_truth;
};

struct pair {
    bool comparable, same_way;
    struct difference_sum sum;
    double apart;
};

struct comparison {
    int count;
    struct compared *of;
    struct pair *pair; /* count × count */
};

/* Returns the comparison in one line, owned by the caller; NULL when out of memory. */
char *comparison_sentence(const struct comparison *c);

#endif
