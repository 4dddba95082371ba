/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_BLOCK_ARRAY_H
#define ASSAY_SUITES_BLOCK_ARRAY_H

/* A covering array of a block's sizes: few calls, chosen greedily and always the same, in which every value
 * of each axis meets every value of each other axis. The pairs that no call within `block_standard` can have
 * are in calls of level exhaustive, within `block_exhaustive`. */

#include "suites/suite.h"

enum { BLOCK_AXES = 9, BLOCK_VALUES = 9, BLOCK_CALLS_MAX = 160 };
/* Work of a case, counted in products of which the reference finds the sum. Other things weigh as many as
 * take about the same time: BLOCK_ELEMENT each element of a result, BLOCK_SCORE each product of attention,
 * whose errors are bounded one by one. */
static const int64_t block_standard = 1 << 24, block_exhaustive = INT64_C(1) << 31;
enum { BLOCK_ELEMENT = 64, BLOCK_SCORE = 16 };

struct block_axes {
    int count;
    struct {
        int values;
        int64_t value[BLOCK_VALUES];
    } axis[BLOCK_AXES];
    int64_t small[BLOCK_AXES]; /* the first call: small, and in the first dtype */
    /* Returns the work of the block, forward and backward; −1: there is no such block. It must not decrease
     * with any size. */
    int64_t (*work)(const int64_t value[BLOCK_AXES]);
};

struct block_call {
    int64_t value[BLOCK_AXES];
    enum level level;
};

/* Fills the array and returns the number of calls, at most BLOCK_CALLS_MAX. The first call is `small`. */
int block_array(const struct block_axes *axes, struct block_call call[BLOCK_CALLS_MAX]);

#endif
