/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/ops/product_sum/product_factors.h"
#include "reference/numeric/round_up.h"

#include <math.h>
#include <stdlib.h>

/* The distance from the neighbour that rounding to nearest gave to the other one; 0 if the cast is exact. */
static double distance_to_other(enum dtype dtype, double before, double after)
{
    return before == after || !isfinite(before) || isinf(after) ? 0 : dtype_ulp(dtype, before);
}

static bool set_other(struct factor *factor, int64_t i, double other, int64_t count)
{
    factor->other = factor->other ? factor->other : calloc((size_t)count, sizeof *factor->other);
    if (factor->other) {
        factor->other[i] = other;
    }
    factor->cast = true;
    return factor->other;
}

bool factor_create(struct factor *factor, const struct tensor *tensor, enum dtype dtype, const int64_t *index,
                   int64_t count)
{
    *factor = (struct factor){.x = malloc(((size_t)count + 1) * sizeof *factor->x),
                              .flags = malloc(((size_t)count + 1) * sizeof *factor->flags)};
    bool good = factor->x && factor->flags;
    for (int64_t i = 0; good && i < count; i++) {
        unsigned char bytes[8];
        double before = index && index[i] < 0 ? 0 : tensor_component(tensor, index ? index[i] : i);
        dtype_store(dtype, bytes, before);
        factor->x[i] = dtype_load(dtype, bytes);
        factor->flags[i] =
            (unsigned char)((dtype_is_subnormal(dtype, bytes) ? SUBNORMAL_FACTOR : 0) |
                            (isfinite(before) && fabs(before) > dtype_max(dtype) ? CAST_OVERFLOWED : 0));
        factor->subnormal = factor->subnormal || (factor->flags[i] & SUBNORMAL_FACTOR);
        factor->cast = factor->cast || (factor->flags[i] & CAST_OVERFLOWED);
        double other = distance_to_other(dtype, before, factor->x[i]);
        good = other == 0 || set_other(factor, i, other, count);
    }
    return good;
}

void factor_clear(struct factor *factor)
{
    free(factor->x);
    free(factor->other);
    free(factor->flags);
}

void casts_add(struct casts *c, double a, double b, double p, double q, int flags)
{
    c->infinite = c->infinite || (flags & CAST_OVERFLOWED);
    if ((a != 0 || p > 0) && (b != 0 || q > 0)) {
        c->positive = c->positive || signbit(a) == signbit(b);
        c->negative = c->negative || signbit(a) != signbit(b);
    }
    /* (|a| + p)(|b| + q) − |a||b|: powers of two times numbers of the lower type */
    if (isfinite(a) && isfinite(b) && (p > 0 || q > 0)) {
        c->other = round_up_sum(c->other, round_up_sum(round_up_sum(fabs(a) * q, fabs(b) * p), p * q));
    }
}
