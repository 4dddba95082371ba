/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_JUDGE_STATISTICS_QUANTILE_H
#define ASSAY_HARNESS_JUDGE_STATISTICS_QUANTILE_H

/* Quantiles of a stream of numbers ≥ 0, infinity included. They are exact up to QUANTILE_EXACT numbers.
 * Beyond that, numbers are counted in buckets, 128 to an octave: a quantile is then within 2^-8 (0.4 %) of
 * the number and never above the greatest, and numbers below the normal range of doubles count as 0. Memory
 * grows with the octaves that occur, not with the numbers. */

#include <stdbool.h>
#include <stdint.h>

enum { QUANTILE_EXACT = 4096 };

struct quantile {
    int64_t count;
    double *number;          /* the numbers, up to QUANTILE_EXACT */
    int64_t zeros, infinite; /* beyond: how many are 0, how many infinite, */
    int64_t **octave; /* and how many lie in each bucket of an octave, by a double's exponent; NULL: none */
    bool counts;      /* numbers are counted in buckets */
    double greatest;
};

/* Frees the memory and empties the quantile. A struct of zeros is empty. */
void quantile_clear(struct quantile *q);

/* Adds a number `times` times; it must not be NaN. False if out of memory. */
bool quantile_add(struct quantile *q, double x, int64_t times);

/* Adds `count` numbers, each once. False if out of memory. */
bool quantile_add_all(struct quantile *q, const double *x, int count);

/* As quantile_add_all, and faster for numbers ≥ 0 in many buckets; `greatest` is the greatest of them. */
bool quantile_add_various(struct quantile *q, const double *x, int count, double greatest);

/* Adds every number of `from`, divided by `scale` ≥ 0: 0 stays 0, other numbers divided by 0 are infinite.
 * False if out of memory. */
bool quantile_add_scaled(struct quantile *q, struct quantile *from, double scale);

/* Adds every number of `from` and empties it. False if out of memory. */
bool quantile_merge(struct quantile *to, struct quantile *from);

/* The number of rank floor(fraction·(count − 1)) in ascending order, 0 if there are no numbers. */
double quantile_at(struct quantile *q, double fraction);

#endif
