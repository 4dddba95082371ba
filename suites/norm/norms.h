/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_NORM_NORMS_H
#define ASSAY_SUITES_NORM_NORMS_H

/* Data for vector_norm and matrix_norm. */

#include "suites/shared/data.h"

enum norm_fill {
    NORM_RANDOM,        /* ±1.f·2^e over a few exponents */
    NORM_OUTLIER,       /* small numbers; the last of each row is 1000 */
    NORM_CONSTANT,      /* 12345.678 */
    NORM_INTEGERS,      /* −8 … 8 */
    NORM_SPECIALS,      /* every pair of special values */
    NORM_TRIPLES,       /* rows of 1.5, a special value, 3 */
    NORM_NAN_LAST,      /* random numbers, and a NaN at the end */
    NORM_NAN_EACH,      /* random numbers, and a NaN in each row (matrix), each time at another place */
    NORM_INFINITY_EACH, /* the same with an infinity */
    NORM_SUBNORMALS,
    NORM_PYTHAGORAS,  /* rows (3, 4)·2^k */
    NORM_SMALL_EXACT, /* (3e-25, 4e-25), rounded to the dtype */
    NORM_RANGE_ENDS,  /* magnitudes around those whose squares, or their sum, leave the dtype's range */
    /* 1.0625 … 1.984375 times a power of two per row; several elements have the greatest and the least
     * magnitude, so that every power counts */
    NORM_CLOSE,
    NORM_APART /* both ends of the dtype's range in one row: quotients of two elements leave it */
};

/* Makes and fills a tensor of the case's dtype. Fills of special values choose its first dimension. */
struct view norm_tensor(struct builder *b, const struct shape *shape, enum layout layout,
                        enum norm_fill fill);

#endif
