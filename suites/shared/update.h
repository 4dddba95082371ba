/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_SHARED_UPDATE_H
#define ASSAY_SUITES_SHARED_UPDATE_H

/* What the suites of in-place updates share: operand data of a kind, the attribute alpha, one update as a
 * step. */

#include "suites/shared/data.h"

enum data {
    DATA_INTEGERS, /* small integers: every sum and product exact in float16, under any alpha of the tables */
    DATA_RANDOM,   /* floats of moderate exponent; all 32 bits of an integer, so that products wrap */
    DATA_WIDE,     /* every exponent of the format */
    DATA_SPECIALS, /* self × other: every pair of special values; shape [n, n] */
    DATA_HUGE,     /* the top of the range: sums and products overflow or wrap */
    DATA_SMALL_PRODUCTS, /* products of normal numbers that fall among the subnormals */
    DATA_TINY,           /* subnormals and the least normals */
    DATA_CANCELLING,     /* other = −self in half of the elements, −0 and +0 among the rest */
    DATA_ODD_LARGE,      /* odd integers beyond 2^24; float32: 24-bit significands */
};

/* Fills `self` (role 0), `other` (role 1) or a third operand (role 2); the generator is that of `tensor`. The
 * last element is distinctive. */
void update_fill(struct builder *b, const struct view *view, enum data data, int role, int tensor);

/* The shape that DATA_SPECIALS needs. */
struct shape update_specials_shape(enum dtype dtype);

/* alpha as PyTorch would pass it: an integer for integer dtypes (or a fraction, which must be rejected).
 * NULL-like (count 0) when `given` is false. */
struct attributes update_alpha(enum dtype dtype, bool given, double alpha);

/* self.op_(other); the step, or NULL on a fault. */
struct step *update(struct builder *b, const struct op *op, const struct view *self, const struct view *other,
                    const struct attributes *attributes);

/* The same with small-integer data and the default alpha: exact. */
void update_exactly(struct builder *b, const struct op *op, const struct view *self,
                    const struct view *other);

/* A contiguous tensor of the case's dtype filled with small integers. */
struct view update_operand(struct builder *b, const struct shape *shape, int role, int tensor);

#endif
