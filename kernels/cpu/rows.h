/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_KERNELS_CPU_ROWS_H
#define ASSAY_KERNELS_CPU_ROWS_H

/* Row reductions and row maps of the CPU backend. The elements of a row are gathered into contiguous memory
 * and computed in float32, in float64 or in int64 modulo 2^64; the 16-bit types are computed in float32 and
 * then rounded. Sums are pairwise over blocks of 16 terms, in gradients Kahan's. A file lists its functions
 * and expands the list once for each type. */

#include "kernels/cpu/cpu_backend.h"

struct cpu_row_function {
    /* Reductions of the row x of n elements; p[0] is the attribute `correction` of a variance, 1 by default.
     */
    float (*single)(const float *x, int64_t n, const double *p);
    double (*wide)(const double *x, int64_t n, const double *p);
    bool counts; /* `integer` serves all dtypes; an element is 1 if it is not 0, else 0 */
    int64_t (*integer)(const int64_t *x, int64_t n); /* NULL: integers are unsupported */
    /* Maps, in place of reductions; y has n elements. x holds the rows of two operands one after the other.
     */
    void (*single_map)(const float *x, float *y, int64_t n, const double *p);
    void (*wide_map)(const double *x, double *y, int64_t n, const double *p);
    bool gradient;    /* the first operand, grad_output, has one number for each row; x repeats it n times */
    bool needs_terms; /* an empty row is refused */
    bool none;        /* an empty list of dimensions reduces no dimension; else it reduces all */
};

/* Reduce or map every row of the input, as op->row describes. Return CPU_UNSUPPORTED for a dtype that the
 * operator lacks, CPU_REJECTED for dimensions or shapes that it must refuse, CPU_OUT_OF_MEMORY, or CPU_OK. */
enum cpu_status cpu_reduce_rows(const struct cpu_op *op, const struct attributes *attributes, int inputs,
                                const struct cpu_view *input, int outputs, const struct cpu_view *output,
                                struct error *reason);
enum cpu_status cpu_map_rows(const struct cpu_op *op, const struct attributes *attributes, int inputs,
                             const struct cpu_view *input, int outputs, const struct cpu_view *output,
                             struct error *reason);

#endif
