/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_SPARSE_MATRICES_H
#define ASSAY_SUITES_SPARSE_MATRICES_H

/* Sparse matrices as test data, and the operands of every sparse operator built from one. */

#include "suites/shared/data.h"

enum sparse_kind {
    SPARSE_RANDOM,     /* unsorted; one entry in eight repeats the place of the one before */
    SPARSE_UNIQUE,     /* unsorted, no place twice if 37 divides neither dimension */
    SPARSE_SORTED,     /* sorted by row, then column */
    SPARSE_BY_COLUMN,  /* sorted by column, as a transposed matrix is */
    SPARSE_HEAVY,      /* most places several times, in the first two thirds of the rows */
    SPARSE_CANCELLING, /* v, −v and w in one place, far apart in the list */
    SPARSE_GAPS,       /* first, middle and last row empty, last column too */
    SPARSE_ONE_ROW,    /* every entry in the last row but one */
    SPARSE_ONE_PLACE,  /* every entry in one place */
    SPARSE_DIAGONAL,   /* entry p at (p, p) */
    /* entries a long stride apart, from the last place on: no place twice while there are enough, and the
     * last place is taken */
    SPARSE_SPREAD,
    SPARSE_LAST_ROW, /* the same within the last row */
    /* 65,537 × 65,537: pairs of places whose row·columns + column differ by exactly 2^32, others random;
     * the first pair is (0, 0), (65535, 1) */
    SPARSE_FAR
};

enum sparse_fill {
    FILL_RANDOM,
    FILL_POSITIVE,
    FILL_INTEGERS, /* integers up to 4 in size: sums are exact */
    /* explicit zeros among the values; infinities and NaN in dense operands, also in rows that no entry
     * meets and in operands that beta = 0 ignores */
    FILL_INFINITIES,
    FILL_SPECIALS, /* every special value, each meeting every other */
    FILL_SUBNORMALS
};

struct sparse_case {
    /* width: columns of dense operands, or the inner dimension of a product */
    int64_t rows, columns, entries, width;
    enum sparse_kind kind;
    enum sparse_fill fill;
    bool narrow; /* indices are int32 */
    int laid;    /* the operand that has `layout`; −1: all of them */
    enum layout layout;
    double alpha, beta; /* not passed if both are 1 */
};

/* Returns the operands as letters: I indices, R crow_indices, C col_indices, V values, D dense [columns,
 * width], v [columns], S [rows, width], A [rows, width], B [width, columns]. NULL for an operator that is not
 * sparse. */
const char *sparse_operands_of(const struct op *op);

/* True if the operator has cases of matrices of 2^32 places: COO operators whose result and dense operands
 * are small beside them. */
bool sparse_takes_far(const struct op *op);

/* Makes the operands and returns their number. */
int sparse_build(struct builder *b, const char *letters, const struct sparse_case *s, struct view *input);

/* Returns the attribute size, with beta and alpha if the operator has them and one of them is not 1. */
struct attributes sparse_attributes(const struct op *op, const struct sparse_case *s);

#endif
