/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_REDUCTION_FILLS_H
#define ASSAY_SUITES_REDUCTION_FILLS_H

/* What rows of the row kit's cases are filled with. */

#include "suites/build.h"

enum fill {
    FILL_RANDOM,    /* full significands, over a few exponents */
    FILL_POSITIVE,  /* from 1/2 to 1, so that sums stay far from 0 */
    FILL_WHOLE,     /* whole numbers from −8 to 8: every order of a sum is exact in float16 up to 256 */
    FILL_RARE,      /* every fourth element 1, the others 0, the last one 2 */
    FILL_CANCELS,   /* large numbers that cancel in pairs, small ones between */
    FILL_ENDS,      /* the ends of the range, of both signs in turn */
    FILL_WRAP,      /* integers that wrap */
    FILL_EQUAL,     /* ties */
    FILL_ZEROS,     /* zeros of both signs, a row of the one, of the other, and mixed */
    FILL_NEGATIVE,  /* none but negative numbers */
    FILL_SUBNORMAL, /* subnormals and zeros; the end of every other row is normal */
    FILL_DECIDES,   /* one element decides, at another place of each row */
    FILL_NAN,       /* a NaN at another place of each row but the last */
    FILL_INFINITE,  /* infinities of one sign, of the other, of both */
    FILL_NOTHING,   /* −inf everywhere, but for one number in every third row */
    FILL_LOGITS,  /* up to 1e4 in size, and gaps from where exponentials are subnormal to where they are 0 */
    FILL_SWAMPED, /* 4096, and positive numbers that vanish beside it where they are added one by one: in
                     float32 from 1.5 · 2^-13 on, in float64 2^-42 */
    FILL_OFFSET   /* 1,000 times as far from 0 as from one another */
};

/* What is the same for all elements of a tensor. */
struct filling {
    enum fill fill;
    int64_t rows, terms;
    double most; /* the range's end; 0 of integers */
    bool real;
    bool multiplies, least; /* the operator: a product, one that picks the least */
};

struct filling filling_of(const struct builder *b, enum fill fill, int64_t rows, int64_t terms);

/* Element i of x, which is a term of a row. */
void fill_set(struct builder *b, const struct view *x, int64_t i, const struct filling *filling, int64_t row,
              int64_t term, struct philox *generator);

#endif
