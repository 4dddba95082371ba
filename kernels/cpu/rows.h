/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_KERNELS_CPU_ROWS_H
#define ASSAY_KERNELS_CPU_ROWS_H

/* Reductions and maps of rows, as the CPU backend computes them: of a row's elements gathered one behind the
 * other, in float32 (the 16-bit types too, rounded once more) and in float64, or in int64 modulo 2^64. Sums
 * are pairwise, of runs of 16; of gradients Kahan's. A file lists its functions and reads the list once for
 * each type; in a term x is the row, n its length, p[k] attribute k behind dim, and F(f) the C library's f.
 */

#include "kernels/cpu/cpu_backend.h"

struct cpu_row_function {
    /* p[0]: the correction of a variance */
    float (*single)(const float *x, int64_t n, const double *p);
    double (*wide)(const double *x, int64_t n, const double *p);
    bool counts; /* elements of any type are taken as the integers 0 and 1 */
    int64_t (*integer)(const int64_t *x, int64_t n); /* NULL: not of them */
    /* In place of reductions; of two operands x holds one behind the other. */
    void (*single_map)(const float *x, float *y, int64_t n, const double *p);
    void (*wide_map)(const double *x, double *y, int64_t n, const double *p);
    bool gradient;    /* the first operand is one number for each row */
    bool needs_terms; /* a row of no elements is refused */
    bool none;        /* an empty list of dimensions reduces none */
};

enum cpu_status cpu_reduce_rows(const struct cpu_op *op, const struct attributes *attributes, int inputs,
                                const struct cpu_view *input, int outputs, const struct cpu_view *output,
                                struct error *reason);
enum cpu_status cpu_map_rows(const struct cpu_op *op, const struct attributes *attributes, int inputs,
                             const struct cpu_view *input, int outputs, const struct cpu_view *output,
                             struct error *reason);

#endif
