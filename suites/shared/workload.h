/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_SHARED_WORKLOAD_H
#define ASSAY_SUITES_SHARED_WORKLOAD_H

/* Operators as procedures use them: a batch of independent rows, of any length.
 *
 * Every row carries one of 251 keys, and rows of equal keys hold equal elements: with a prime number of them
 * no two rows whose places differ by a power of two are alike, so that a result from the wrong place shows,
 * and 251 results answer for every batch. */

#include "suites/build.h"
#include "suites/shared/near_midpoint.h"

enum { WORKLOAD_KEYS = 251, WORKLOAD_OPERANDS_MAX = 4 };

enum workload_data {
    WORKLOAD_SIGNED,    /* in (−4, 4), all 24 bits: sums round */
    WORKLOAD_CHANNELS,  /* the same, a row is a channel: [1, batch, row…] */
    WORKLOAD_POSITIVE,  /* in [1/64, 4 + 1/64) */
    WORKLOAD_NEGATIVE,  /* those negated: logarithms of probabilities */
    WORKLOAD_WIDE,      /* signed, of sizes from 2 to 2^-16 */
    WORKLOAD_DOMINATED, /* 0, and behind it numbers in (−14, −9): the first one's log_softmax is near 0 */
    WORKLOAD_DOMINANT,  /* square matrices with a dominant positive diagonal */
    WORKLOAD_SMALL,     /* in (−1/4, 1/4) */
    /* Rows of products. Term j + n/2 takes back what term j adds, but for two terms of about 2^-10, so that
     * the result has few bits more than the sum's rounding errors: another order of the sum shows in every
     * dtype, also where the accumulator is wider than the result. The other operand is WORKLOAD_TWICE. */
    WORKLOAD_CANCELLING,
    WORKLOAD_TWICE,      /* in (−4, 4), the second half of each row equal to the first */
    WORKLOAD_TWICE_DOWN, /* a matrix in (−4, 4), the lower half of its rows equal to the upper */
    /* Rows whose result, one number, lies so near the middle between two numbers of the dtype that another
     * order of the sum rounds to the other one in some rows (near_midpoint.h). Signed, with exponents from
     * −16 to 1; of norms in (−4, 4); of products in [3/4, 3/2). */
    WORKLOAD_MIDPOINT,
    /* A CSR matrix with as many entries in each of `batch` rows as the values have in theirs, as three
     * operands of one dimension. */
    WORKLOAD_CROW,              /* crow_indices, int64 */
    WORKLOAD_COLUMNS,           /* col_indices, int64, ascending in each row, below row.dim[0] */
    WORKLOAD_ENTRIES,           /* values, as WORKLOAD_SIGNED */
    WORKLOAD_CANCELLING_ENTRIES /* values, as WORKLOAD_CANCELLING */
};

struct workload_operand {
    struct shape row; /* [batch, row…] */
    enum workload_data data;
    bool shared; /* one for all rows: shape `row` alone */
};

struct workload {
    const char *op;
    int operands;
    struct workload_operand operand[WORKLOAD_OPERANDS_MAX];
    struct attributes attributes; /* an integer list's 0 stands for the batch: size = {0, 64} */
    enum row_result result;       /* of WORKLOAD_MIDPOINT */
};

const struct workload *workload_find(const char *op); /* NULL when there is none */
/* The same operator on rows whose results show the order of their sums, where there is such a workload. */
const struct workload *workload_of_order(const char *op, enum dtype dtype);

/* Bytes that one row's operands take, shared ones not counted. */
int64_t workload_row_bytes(const struct workload *workload, enum dtype dtype);

/* Appends one step over `batch` rows, of which row r has key (first + r) mod 251. NULL on a fault. */
struct step *workload_step(struct builder *b, const struct workload *workload, int64_t first, int64_t batch);

#endif
