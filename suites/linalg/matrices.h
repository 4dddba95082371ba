/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_LINALG_MATRICES_H
#define ASSAY_SUITES_LINALG_MATRICES_H

/* Square test matrices. Entries are computed in float64 by + − × ÷ alone and rounded to the dtype when they
 * are stored. The truth is that of the rounded entries, so the determinants below hold exactly only where the
 * entries are representable.
 *
 * Hilbert, Kahan, Frank, Pascal, Moler, Lehmer, min(i, j), the second difference and Wilkinson's growth
 * example are in Higham, "Accuracy and Stability of Numerical Algorithms", 2nd ed., ch. 9 and 28, and in his
 * Test Matrix Toolbox. Indices i, j start at 1; p is the parameter of matrix_make(). */

#include "suites/shared/rows.h"

enum family {
    HILBERT,       /* 1/(i + j − 1) */
    KAHAN,         /* diag(s^i)·(I − c·strict upper ones), s = sin 1.2, c = cos 1.2: det s^(n(n−1)/2) */
    VANDERMONDE,   /* i^j on the nodes 1 … n: det = Π of factorials */
    FRANK,         /* upper Hessenberg, n + 1 − max(i, j): det 1 */
    PASCAL,        /* symmetric binomials: det 1 */
    MOLER,         /* UᵀU, U unit upper triangular with −1 above: det 1 */
    MIN_IJ,        /* min(i, j): det 1 */
    LEHMER,        /* min(i, j)/max(i, j) */
    TRIDIAGONAL,   /* (−1, 2, −1): det n + 1 */
    GROWTH,        /* 1 on the diagonal and in the last column, −1 below: pivots grow to 2^(n−1) = det */
    TRANSPOSITION, /* the identity with rows `p` and `p` + 1 exchanged: det −1 */
    CYCLIC,        /* the cyclic shift: det (−1)^(n−1) */
    REFLECTION,    /* I − (2/n)·11ᵀ: det −1 */
    EVEN_PERMUTATION, /* random */
    ODD_PERMUTATION,
    NEAR_SINGULAR,          /* [[1, 1], [1, 1 + ε]], ε the spacing at 1: det ε */
    NEAR_SINGULAR_NEGATIVE, /* [[1, 1], [1, 1 − u]]: det −u. Symmetric, so that a column-major factorisation
                               is exact too */
    ZEROS,
    DUPLICATE_EXACT,    /* two equal rows; every pivot a power of two under any order: eliminates exactly */
    DUPLICATE_RANDOM,   /* two equal rows of random entries */
    RANK_ONE,           /* u·vᵀ with small integers */
    COUNTING,           /* 1, 2, …, n² row by row: rank 2 */
    PROPORTIONAL,       /* [[1, 2], [2, 4]] */
    DIAGONAL_DECIMAL,   /* 10^p on the diagonal */
    DIAGONAL_MIXED,     /* 2^100 and 2^−100 in turn */
    DIAGONAL_SUBNORMAL, /* a subnormal, a large number, ones: finite, or singular where subnormals are flushed
                         */
    NEGATIVE_PAIR,      /* diag(−2, −3, 1, …): det 6 */
    SCALED_IDENTITY,    /* 2^p·I */
    UPPER,              /* ±1 above a diagonal of distinct powers 2, 4, …, 2^n; p of them negative */
    LOWER,              /* as UPPER with the entries below the diagonal */
    PERMUTED_DIAGONAL,  /* P·diag(±2^k), distinct k around 0; det positive, or negative if p = 1 */
    RANDOM, /* rows of a diagonally dominant random matrix with positive diagonal, evenly permuted: det > 0,
               condition about n. The dominant entries grow with p, so that matrices of a batch differ */
    RANDOM_NEGATIVE, /* RANDOM with two more rows exchanged: det < 0 */
    TINY_PIVOT,      /* RANDOM with a leading entry of the roundoff's size: useless as a pivot */
    ZERO_PIVOT,      /* RANDOM with a zero leading entry */
    NAN_ENTRY        /* RANDOM with NaN as entry p, row-major */
};

/* Fills a with n·n doubles, row-major. `tensor` is the number of the generator. n ≥ 3 for DUPLICATE_EXACT,
 * TINY_PIVOT, ZERO_PIVOT. */
void matrix_make(struct builder *b, enum family family, int n, int64_t p, int tensor, double *a);

/* Stores such a matrix into an n×n view of the case's dtype. */
void matrix_store(struct builder *b, const struct view *view, enum family family, int64_t p, int tensor);

/* Makes a batch [count, n, n] of the case's dtype, of zeros; the second fills it with RANDOM matrices whose
 * determinants differ. */
struct view matrix_batch(struct builder *b, int count, int n, enum layout layout);
struct view matrix_batch_random(struct builder *b, int count, int n, enum layout layout);

/* A row of a table of batches: `count` matrices of order n. */
struct matrix_row {
    struct suite_row row;
    int count, n;
    enum layout layout;
};

/* Initialises the members of a matrix_row, or of a row struct that has more members. */
#define MATRIX_ROW(name_, level_, covers_, build_, count_, n_)                                               \
    SUITE_ROW(name_, level_, covers_, .build = build_), .count = count_, .n = n_

/* Appends the case's operator on `a` and returns its last output (log|det|); returns `a` on a fault. */
struct view matrix_determinant(struct builder *b, const struct view *a);

#endif
