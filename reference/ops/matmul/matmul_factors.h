/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_MATMUL_MATMUL_FACTORS_H
#define ASSAY_REFERENCE_OPS_MATMUL_MATMUL_FACTORS_H

/* The operands of matmul and linear in the type in which they take part, and what another legal cast would
 * make of their sums; for matmul_sums.c. */

#include "reference/base/tensor.h"

enum { SUBNORMAL_FACTOR = 1, CAST_OVERFLOWED = 2 };

/* One operand after the cast, and how far the neighbour on the other side of what was cast lies. */
struct factor {
    double *x, *other; /* other: NULL where no cast rounds */
    unsigned char *flags;
    bool cast;      /* something was rounded or left the range */
    bool subnormal; /* something is */
};

/* Of `count` elements of the tensor from `from` on, `step` apart. False when out of memory; clear then as
 * well. */
bool factor_create(struct factor *factor, const struct tensor *tensor, enum dtype dtype, int64_t from,
                   int64_t step, int64_t count);
void factor_clear(struct factor *factor);

static inline double factor_other(const struct factor *factor, int64_t i)
{
    return factor->other ? factor->other[i] : 0;
}

/* Greatest finite magnitude of `count` elements; *special where there is another. */
double factor_greatest(const struct factor *factor, int64_t from, int64_t count, bool *special);

/* What the casts of a sum's factors might have made of it. */
struct casts {
    double other;                      /* the most that their other neighbours would change */
    bool infinite, positive, negative; /* a neighbour is; terms of either sign, also of such neighbours */
};

/* Of a·b; p and q: distances to the casts' other neighbours; flags: of either factor. */
void casts_add(struct casts *casts, double a, double b, double p, double q, int flags);

#endif
