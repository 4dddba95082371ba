/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_NUMERIC_MATRIX_DOUBLE_LU_H
#define ASSAY_REFERENCE_NUMERIC_MATRIX_DOUBLE_LU_H

/* LU factorisation of matrices of doubles in double arithmetic, PAQ ≈ LU, with inverses and products. Its
 * results are estimates, or are verified afterwards. Every element is computed by the operations of the
 * textbook's three loops in the order of k, without contraction: blocking changes when an operation runs but
 * not its operands, so every machine gets the same bits.
 *
 * Matrices are row-major with rows `stride` apart, which is the order rounded up to a multiple of LU_TILE, so
 * that tiles need no special edges. Elements beyond the order are 0. A matrix in *panels* of eight columns,
 * one panel after another, has element (i, j) at panel_at(stride, i, j). */

#include "reference/numeric/matrix/lu_kernel.h"

#include <stddef.h>

static inline int lu_stride(int n)
{
    return (n + LU_TILE - 1) / LU_TILE * LU_TILE;
}

static inline size_t panel_at(int stride, int i, int j)
{
    return (size_t)(j / LU_TILE) * (size_t)stride * LU_TILE + (size_t)i * LU_TILE + (size_t)(j % LU_TILE);
}

enum lu_pivots { LU_PARTIAL, LU_COMPLETE };

struct double_lu {
    int n, stride;
    double *lu;        /* unit L below the diagonal, U on and above; owned */
    int *row, *column; /* row row[i] of A became row i; likewise columns; owned */
    int sign;          /* product of the signs of both permutations */
    bool regular;      /* false: a pivot is 0 or not finite, and the other members are undefined */
};

/* Allocates a square matrix of zeros, which has the size of one matrix in panels; lu_matrices allocates
 * several in one block. Returns NULL when out of memory. Release the block with free(). */
double *lu_matrix(int stride);
double *lu_matrices(int stride, int matrices);

/* Factors a (n×n, rows n apart) or its transpose. Returns false when out of memory; call double_lu_destroy
 * then too. */
bool double_lu_create(struct double_lu *f, int n, const double *a, bool transposed, enum lu_pivots pivots);
void double_lu_destroy(struct double_lu *f); /* accepts a zeroed struct */

/* Copies a (or its transpose) in pivoted order into `ordered`, which must be a matrix of zeros. */
void double_lu_order(const struct double_lu *f, const double *a, bool transposed, double *ordered);

/* Copies L, with its unit diagonal, into a matrix of zeros; copies U into panels of zeros. */
void double_lu_lower(const struct double_lu *f, double *lower);
void double_lu_upper(const struct double_lu *f, double *upper);

/* Computes (LU)⁻¹ approximately into panels of zeros. Numbers below 2^-400 in size become 0. */
void double_lu_invert(const struct double_lu *f, double *x);

/* Adds left·right, matrices of order n, to `to`. `left` and `to` are row-major, `right` is in panels. Columns
 * and rows beyond the order, which are 0, do not enter the sums. */
void lu_multiply(int n, int stride, const double *left, const double *right, double *to);

/* For tests: sets how many columns are eliminated and how many terms are multiplied at a time, both multiples
 * of LU_TILE; 0, 0 restores the defaults. Do not call it while another thread computes. */
void lu_blocks(int columns, int terms);

/* Copies a row-major matrix into panels. */
void lu_panels(int stride, const double *from, double *to);

#endif
