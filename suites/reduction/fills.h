/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_REDUCTION_FILLS_H
#define ASSAY_SUITES_REDUCTION_FILLS_H

/* Data for the rows of row-wise operators, element by element. */

#include "suites/build.h"

enum fill {
    FILL_RANDOM,    /* full significands, over a few exponents */
    FILL_POSITIVE,  /* from 1/2 to 1, so that sums stay far from 0 */
    FILL_WHOLE,     /* integers from −8 to 8: every order of a sum is exact in float16 up to 256 terms */
    FILL_RARE,      /* every fourth element 1, the others 0, the last one 2 */
    FILL_CANCELS,   /* large numbers that cancel in pairs, with small ones between */
    FILL_ENDS,      /* the ends of the range, with both signs */
    FILL_WRAP,      /* integers that wrap */
    FILL_EQUAL,     /* equal elements: ties */
    FILL_ZEROS,     /* zeros: rows of +0, of −0, and of both */
    FILL_NEGATIVE,  /* only negative numbers; only positive ones if the operator picks the least */
    FILL_SUBNORMAL, /* subnormals and zeros; the end of every other row is normal */
    FILL_DECIDES,   /* one element decides, at another place in each row */
    FILL_NAN,       /* a NaN at another place in each row; none in the last row */
    FILL_INFINITE,  /* infinities of one sign, of the other, of both */
    FILL_NOTHING,   /* −inf everywhere except one number in every third row */
    FILL_LOGITS, /* ±1e4 with gaps below the maximum of each row at which exponentials are subnormal or 0 */
    /* 4096, then positive numbers so small that adding them one by one to 4096 changes nothing: 1.5·2^-13
     * in float32, 1.5·2^-42 in float64 */
    FILL_SWAMPED,
    FILL_OFFSET /* from 1000 to 1004: far from 0, near one another */
};

/* What is the same for all elements of a tensor, prepared by filling_of(). */
struct filling {
    enum fill fill;
    int64_t rows, terms;
    double most; /* the greatest number of the dtype; 0 for integers */
    bool real;
    bool multiplies, least; /* the operator multiplies; it picks the least element */
};

struct filling filling_of(const struct builder *b, enum fill fill, int64_t rows, int64_t terms);

/* Sets element i of x, which is term `term` of row `row`. */
void fill_set(struct builder *b, const struct view *x, int64_t i, const struct filling *filling, int64_t row,
              int64_t term, struct philox *generator);

#endif
