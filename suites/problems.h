/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_PROBLEMS_H
#define ASSAY_SUITES_PROBLEMS_H

/* Random problems outside the cases: one call of an operator at a size, on data of a kind. For measuring what
 * limits resolve and whom they accuse (`assay bench resolution`, the tests of the envelope), not for verdicts
 * on backends: some kinds take exp, log and tan from libm, so their bits may differ between machines. */

#include "suites/suite.h"

enum problem_data {
    PROBLEM_NORMAL,      /* N(0, 1) */
    PROBLEM_UNIFORM,     /* U(0, 1) */
    PROBLEM_LOG_UNIFORM, /* ±10^U(−6, 6) */
    PROBLEM_LOG_UNIFORM_POSITIVE,
    PROBLEM_MEAN_10,     /* 10 + N(0, 1) */
    PROBLEM_MEAN_1001,   /* 1001 + N(0, 1) */
    PROBLEM_MEAN_50,     /* 50.7 + 0.05·N(0, 1) */
    PROBLEM_MEAN_12345,  /* 12345.678 + 12·N(0, 1) */
    PROBLEM_SQUARES,     /* N(0, 1)² */
    PROBLEM_EIGHTH,      /* |N(0, 1)|⁸ */
    PROBLEM_EXPONENTIAL, /* exp(4·N(0, 1)) */
    PROBLEM_OUTLIER,     /* N(0, 1), the last of each row 1e4 */
    PROBLEM_CAUCHY,
    PROBLEM_VECTORS, /* so many kinds for operators on rows; the ones below are of matrices */
    PROBLEM_SMALL_MATRIX = PROBLEM_VECTORS, /* N(0, 1/n) */
    PROBLEM_LARGE_MATRIX,                   /* 8·N(0, 1/n) */
    PROBLEM_SKEW,                           /* 3/√n·(N − Nᵀ) */
    PROBLEM_GENERATOR,                      /* |N| off the diagonal, rows that sum to 0 */
    PROBLEM_KINDS
};

const char *problem_data_name(enum problem_data data);

struct problem {
    const char *op;
    enum dtype dtype;
    int64_t size; /* terms of a sum, order of a matrix */
    enum problem_data data;
    uint64_t seed;
};

/* The operators that problems are made for, NULL past the end. */
const char *problem_operator(int index);
bool problem_is_matrix(const char *op); /* one square matrix: logdet, slogdet, matrix_exp */

/* NULL with the reason. */
struct program *problem_build(const struct problem *problem, struct error *error);

#endif
