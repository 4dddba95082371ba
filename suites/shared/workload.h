/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_SHARED_WORKLOAD_H
#define ASSAY_SUITES_SHARED_WORKLOAD_H

/* Operators as procedures run them: on a batch of independent rows, of any length.
 *
 * Every row has one of 251 keys, and rows of equal keys hold equal elements. Because 251 is prime, no two
 * rows whose places differ by a power of two have the same key, so that a result from the wrong place shows;
 * and 251 results are enough to check every batch. */

#include "suites/build.h"
#include "suites/shared/near_midpoint.h"

enum { WORKLOAD_KEYS = 251, WORKLOAD_OPERANDS_MAX = 4 };

enum workload_data {
    WORKLOAD_SIGNED,    /* in (−4, 4), 24 random bits: sums round */
    WORKLOAD_CHANNELS,  /* the same; a row is a channel: [1, batch, row…] */
    WORKLOAD_POSITIVE,  /* in [1/64, 4 + 1/64) */
    WORKLOAD_NEGATIVE,  /* negative of WORKLOAD_POSITIVE: logarithms of probabilities */
    WORKLOAD_WIDE,      /* of either sign, magnitudes from 2^-16 to 2 */
    WORKLOAD_DOMINATED, /* 0, followed by numbers in (−14, −9): log_softmax of the 0 is near 0 */
    WORKLOAD_DOMINANT,  /* square matrices with a dominant positive diagonal */
    WORKLOAD_SMALL,     /* in (−1/4, 1/4) */
    /* Rows of products whose sum shows its order in every dtype, also if the accumulator is wider than the
     * result: term j + n/2 cancels term j except for two terms of about 2^-10, so that the result is as small
     * as the sum's rounding errors. The other operand is WORKLOAD_TWICE. */
    WORKLOAD_CANCELLING,
    WORKLOAD_TWICE,      /* in (−4, 4); the second half of each row equals the first */
    WORKLOAD_TWICE_DOWN, /* a matrix in (−4, 4); the lower half of its rows equals the upper */
    /* Rows whose result is so near to a midpoint of the dtype that another order of the sum changes it in
     * some rows (near_midpoint.h). Signed, with exponents from −16 to 1; for norms in (−4, 4); for products
     * in [3/4, 3/2). */
    WORKLOAD_MIDPOINT,
    /* A CSR matrix as three operands of one dimension: each of its `batch` rows has as many entries as a row
     * of the values. */
    WORKLOAD_CROW,              /* int64 */
    WORKLOAD_COLUMNS,           /* int64, ascending in each row, below row.dim[0] */
    WORKLOAD_ENTRIES,           /* as WORKLOAD_SIGNED */
    WORKLOAD_CANCELLING_ENTRIES /* as WORKLOAD_CANCELLING */
};

struct workload_operand {
    struct shape row; /* the operand is [batch, row…] */
    enum workload_data data;
    bool shared; /* all rows use one operand of shape `row` */
};

struct workload {
    const char *op;
    int operands;
    struct workload_operand operand[WORKLOAD_OPERANDS_MAX];
    struct attributes attributes; /* 0 in an integer list stands for the batch: size = {0, 64} */
    enum row_result result;       /* for WORKLOAD_MIDPOINT */
    /* A program in place of one operator: appends its steps over `batch` rows, of `row_bytes` bytes each in
     * the case's dtype. NULL: one step, of the operands above. */
    void (*program)(struct builder *b, int64_t batch);
    int64_t (*row_bytes)(enum dtype dtype);
};

const struct workload *workload_find(const char *op); /* Returns NULL if the operator has no workload. */
/* Returns a workload of the operator whose results show the order of sums; without one, the result of
 * workload_find(). */
const struct workload *workload_of_order(const char *op, enum dtype dtype);

/* Bytes of one row's operands, without shared ones. */
int64_t workload_row_bytes(const struct workload *workload, enum dtype dtype);

/* Appends the steps over `batch` rows, of a workload of one operator or of a program. */
void workload_append(struct builder *b, const struct workload *workload, int64_t first, int64_t batch);

/* Appends one step over `batch` rows; row r has key (first + r) mod 251. Returns NULL on a fault. Not for
 * programs. */
struct step *workload_step(struct builder *b, const struct workload *workload, int64_t first, int64_t batch);

#endif
