/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_NORM_NORMS_H
#define ASSAY_SUITES_NORM_NORMS_H

/* Data for vector_norm and matrix_norm. */

#include "suites/shared/data.h"

enum norm_fill {
    NORM_RANDOM,        /* ±1.f·2^e over a few exponents */
    NORM_OUTLIER,       /* small, and the last of each row 1000 */
    NORM_CONSTANT,      /* 12345.678 */
    NORM_INTEGERS,      /* −8 … 8 */
    NORM_SPECIALS,      /* every pair of special values */
    NORM_TRIPLES,       /* 1.5, each special value, 3 */
    NORM_NAN_LAST,      /* random, and a NaN at the end */
    NORM_NAN_EACH,      /* random, and a NaN in each row (matrix), every time in another place */
    NORM_INFINITY_EACH, /* the same with an infinity */
    NORM_SUBNORMALS,
    NORM_PYTHAGORAS,  /* rows (3, 4)·2^k */
    NORM_SMALL_EXACT, /* 3e-25 times 3, 4: the row rounded to the dtype */
    NORM_RANGE_ENDS,  /* magnitudes at the ends of what a naive sum of squares in the dtype survives */
    NORM_CLOSE, /* 1.0625 … 1.9375 times a power of two per row, either end twice: every power counts */
    NORM_APART  /* the ends of the format's range in one row: no quotient of two elements is in it */
};

/* A tensor of the case's dtype; the fills of special values choose its first dimension themselves. */
struct view norm_tensor(struct builder *b, const struct shape *shape, enum layout layout,
                        enum norm_fill fill);

#endif
