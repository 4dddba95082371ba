/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_PRODUCT_SUM_PRODUCT_FACTORS_H
#define ASSAY_REFERENCE_OPS_PRODUCT_SUM_PRODUCT_FACTORS_H

/* The operands of a sum of products after the cast to the dtype of the multiplication, and the changes of the
 * sum that other legal roundings of the cast may cause; for product_sum.c. */

#include "reference/base/tensor.h"

enum { SUBNORMAL_FACTOR = 1, CAST_OVERFLOWED = 2 };

/* One operand after the cast. */
struct factor {
    double *x, *other; /* other[i]: the distance from x[i] to the other neighbour of the number that was cast;
                          0 if the cast is exact; NULL if all casts are exact */
    unsigned char *flags; /* SUBNORMAL_FACTOR, CAST_OVERFLOWED */
    bool cast;            /* the cast rounded or overflowed an element */
    bool subnormal;       /* an element is subnormal */
};

/* Casts `count` elements of `tensor` to `dtype`: element i of the factor is element index[i] of the tensor,
 * or 0 where index[i] < 0. index NULL: element i. Returns false when out of memory; the factor must be
 * cleared in either case. */
bool factor_create(struct factor *factor, const struct tensor *tensor, enum dtype dtype, const int64_t *index,
                   int64_t count);
void factor_clear(struct factor *factor);

static inline double factor_other(const struct factor *factor, int64_t i)
{
    return factor->other ? factor->other[i] : 0;
}

/* The effect of other roundings of the cast on a sum of products. */
struct casts {
    double other; /* upper bound of the change if factors round to the other neighbour */
    /* infinite: a finite factor overflowed in the cast; positive, negative: the sum has terms of this sign,
     * with either neighbour. */
    bool infinite, positive, negative;
};

/* Adds the term a·b; p and q: the distances to the other neighbours of a and b; flags: of both factors. */
void casts_add(struct casts *casts, double a, double b, double p, double q, int flags);

#endif
