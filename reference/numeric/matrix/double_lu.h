/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_NUMERIC_MATRIX_DOUBLE_LU_H
#define ASSAY_REFERENCE_NUMERIC_MATRIX_DOUBLE_LU_H

/* Elimination of matrices of doubles in double, for what is then verified or is an estimate: PAQ ≈ LU, the
 * inverse, products. Every element is computed by the operations of the textbook's three loops in the order
 * of k (blocks change when, not what), without contraction: the same bits on every machine.
 *
 * Matrices are row-major, rows `stride` apart: the order rounded up to a multiple of LU_TILE, so that tiles
 * need no edges. What is beyond the order is 0. A matrix in *panels* of eight columns, panel after panel,
 * holds (i, j) at panel_at(stride, i, j). */

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
    int *row, *column; /* row[i] of A became row i; owned */
    int sign;          /* of both permutations */
    bool regular;      /* false: a pivot is 0 or no number, and the rest means nothing */
};

/* A square matrix of zeros, or as many panels; NULL when out of memory. free() it. */
double *lu_matrix(int stride);
double *lu_matrices(int stride, int matrices); /* one behind the other, of which the first is freed */

/* Of a (n×n, rows n apart) or its transpose. False when out of memory; destroy then as well. */
bool double_lu_create(struct double_lu *f, int n, const double *a, bool transposed, enum lu_pivots pivots);
void double_lu_destroy(struct double_lu *f); /* one of zeros is none */

/* a (its transpose) in pivoted order, into a matrix of zeros. */
void double_lu_order(const struct double_lu *f, const double *a, bool transposed, double *ordered);

/* L with its unit diagonal into a matrix of zeros; U into panels of zeros. */
void double_lu_lower(const struct double_lu *f, double *lower);
void double_lu_upper(const struct double_lu *f, double *upper);

/* (LU)⁻¹ into panels of zeros, nearly: numbers below 2^-400 are 0. */
void double_lu_invert(const struct double_lu *f, double *x);

/* to += left·right of order n: row-major, row-major, panels. What is beyond the order, 0 in both, is no term.
 */
void lu_multiply(int n, int stride, const double *left, const double *right, double *to);

/* For tests: how many columns are eliminated and how many terms are multiplied at a time, multiples of
 * LU_TILE; 0, 0: as at the start. Not while others count. */
void lu_blocks(int columns, int terms);

/* A row-major matrix into panels. */
void lu_panels(int stride, const double *from, double *to);

#endif
