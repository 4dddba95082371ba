/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_PROBLEMS_H
#define ASSAY_SUITES_PROBLEMS_H

/* Random problems that are no cases: one call of an operator at a size, on data of a kind. `assay bench
 * resolution` and the tests of the envelope use them to measure which errors the limits detect and how often
 * they report falsely. The bits are the same on every machine: exp and tan come from
 * reference/numeric/elementary/portable.h. */

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
    PROBLEM_OUTLIER,     /* N(0, 1); the last element of each row is 1e4 */
    PROBLEM_CAUCHY,
    PROBLEM_VECTORS, /* the number of kinds for operators on rows; those below are for matrices of order n */
    PROBLEM_SMALL_MATRIX = PROBLEM_VECTORS, /* N(0, 1/n) */
    PROBLEM_LARGE_MATRIX,                   /* 8·N(0, 1/n) */
    PROBLEM_SKEW,                           /* 3/√n·(N − Nᵀ), N of N(0, 1) */
    PROBLEM_GENERATOR,                      /* |N(0, 1)| off the diagonal; rows sum to 0 before rounding */
    PROBLEM_KINDS
};

const char *problem_data_name(enum problem_data data);

struct problem {
    const char *op;
    enum dtype dtype;
    int64_t size; /* terms of a sum, keys of an attention, or order of a matrix */
    enum problem_data data;
    uint64_t seed;
};

/* Returns the name of an operator that problems can be built for; NULL past the end of the list. */
const char *problem_operator(int index);
/* True for operators of one square matrix: logdet, slogdet, matrix_exp. */
bool problem_is_matrix(const char *op);

/* Returns a program that the caller destroys, or NULL with the reason in `error`. */
struct program *problem_build(const struct problem *problem, struct error *error);

#endif
