/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_JUDGE_STATISTICS_QUANTILE_H
#define ASSAY_HARNESS_JUDGE_STATISTICS_QUANTILE_H

/* Which number has a given rank among many ≥ 0, infinity too: exactly of the first QUANTILE_EXACT, within
 * 2^-8 of it (0.4 %) of more, never above the greatest, which are then counted in buckets, 128 to an octave.
 * Memory grows with the octaves that occur, not with the numbers. */

#include <stdbool.h>
#include <stdint.h>

enum { QUANTILE_EXACT = 4096 };

struct quantile {
    int64_t count;
    double *number;          /* while they are few */
    int64_t zeros, infinite; /* once they are many: so many of each, */
    int64_t **octave; /* and in each bucket of an octave, by the exponent of a double; NULL: none in it */
    bool counts;      /* they are many */
    double greatest;
};

/* All zero is empty. */
void quantile_clear(struct quantile *q);

/* One number, not NaN; `times` of them. False when out of memory. */
bool quantile_add(struct quantile *q, double x, int64_t times);

/* `count` numbers, each once. */
bool quantile_add_all(struct quantile *q, const double *x, int count);

/* The same of numbers ≥ 0 that have little in common, the greatest of which is known. */
bool quantile_add_various(struct quantile *q, const double *x, int count, double greatest);

/* Adds every number of `from` over `scale` ≥ 0: 0 stays 0, what is divided by 0 is infinite. */
bool quantile_add_scaled(struct quantile *q, struct quantile *from, double scale);

/* Adds every number of `from`, which is empty then. */
bool quantile_merge(struct quantile *to, struct quantile *from);

/* The number of rank floor(fraction·(count − 1)) from below, 0 where there is none. */
double quantile_at(struct quantile *q, double fraction);

#endif
