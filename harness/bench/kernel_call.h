/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_BENCH_KERNEL_CALL_H
#define ASSAY_HARNESS_BENCH_KERNEL_CALL_H

/* The operands and attributes of a row's call, by its form; for kernel_program.c. */

#include "harness/bench/kernel_rows.h"

enum { KERNEL_ENTRIES = 10 /* of a row of a sparse matrix */, KERNEL_OPERANDS = 4, KERNEL_ABSENT = 2 };

enum kernel_fill {
    FILL_SIGNED,   /* uniform in (−scale, scale) */
    FILL_POSITIVE, /* uniform in (0, scale) */
    FILL_PEAKS,    /* as FILL_SIGNED; the greatest element of each row is 2·scale, in a random column */
    FILL_SQUARES,  /* A·Aᵀ/n + I/8 for uniform A: the eigenvalues lie between 1/8 and about 3/2 */
    FILL_BELOW,    /* integers below `bound` */
    FILL_STARTS,   /* row starts of a CSR matrix: 0, KERNEL_ENTRIES, 2·KERNEL_ENTRIES, … */
    FILL_COLUMNS   /* its column indices: one in each of KERNEL_ENTRIES equal parts of a row, ascending */
};

struct kernel_operand {
    enum dtype dtype;
    struct shape shape;
    enum kernel_fill fill;
    double scale;
    int64_t bound;
};

struct kernel_call {
    int operands;
    struct kernel_operand operand[KERNEL_OPERANDS];
    int absent, absent_before; /* so many omitted operands stand before operand `absent_before` */
    struct attributes attributes;
};

struct kernel_call kernel_call_of(const struct kernel_row *row);

#endif
