/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_SPARSE_MATRICES_H
#define ASSAY_SUITES_SPARSE_MATRICES_H

/* Sparse matrices as test data, and the operands of every sparse operator made from one. */

#include "suites/shared/data.h"

enum sparse_kind {
    SPARSE_RANDOM,     /* unsorted, one entry in eight a duplicate of the one before */
    SPARSE_UNIQUE,     /* unsorted, no place twice while 37 divides neither dimension */
    SPARSE_SORTED,     /* by row, then column */
    SPARSE_BY_COLUMN,  /* sorted by column: what a transposed matrix looks like */
    SPARSE_HEAVY,      /* most places several times */
    SPARSE_CANCELLING, /* v, −v and w in one place, far apart in the list */
    SPARSE_GAPS,       /* first, middle and last row empty, last column too */
    SPARSE_ONE_ROW,    /* every entry in the last row but one */
    SPARSE_ONE_PLACE,  /* every entry in one place */
    SPARSE_DIAGONAL,   /* entry p at (p, p) */
    SPARSE_SPREAD,     /* entry p a long stride before the one before, from the last place on: no place
                          twice while there are as many, and the last one given */
    SPARSE_LAST_ROW,   /* the same in the last row alone */
    SPARSE_FAR /* of 65,537 × 65,537: pairs whose row·columns + column differ by exactly 2^32, others
                  at random; the first pair is (0, 0), (65535, 1) */
};

enum sparse_fill {
    FILL_RANDOM,
    FILL_POSITIVE,
    FILL_INTEGERS,   /* sums are exact: |values| ≤ 4, |dense| ≤ 4 */
    FILL_INFINITIES, /* explicit zeros; infinities and NaN in the dense operand, some under no entry, and in
                        what beta = 0 ignores */
    FILL_SPECIALS,   /* every special value, meeting every other */
    FILL_SUBNORMALS
};

struct sparse_case {
    int64_t rows, columns, entries, width; /* width: columns of dense operands, or the inner dimension */
    enum sparse_kind kind;
    enum sparse_fill fill;
    bool narrow; /* int32 indices */
    int laid;    /* which operand has the layout; −1: all of them */
    enum layout layout;
    double alpha, beta; /* both 1: left out */
};

/* One letter per operand: I indices, R crow_indices, C col_indices, V values, D dense [columns, width],
 * v [columns], S [rows, width], A [rows, width], B [width, columns]. NULL for other operators. */
const char *sparse_operands_of(const struct op *op);

/* Whether matrices of 2^32 places are asked: of COO operators whose result is no matrix with all of these
 * places, nor has dense operands of as many rows. */
bool sparse_takes_far(const struct op *op);

/* Builds the operands; their number. */
int sparse_build(struct builder *b, const char *letters, const struct sparse_case *s, struct view *input);

/* size, and alpha and beta where given and the operator has them. */
struct attributes sparse_attributes(const struct op *op, const struct sparse_case *s);

#endif
