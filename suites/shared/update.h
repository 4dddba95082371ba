/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_SHARED_UPDATE_H
#define ASSAY_SUITES_SHARED_UPDATE_H

/* What the suites of in-place updates share: operand data of several kinds, the attribute alpha, and one
 * update as a step. */

#include "suites/shared/data.h"

enum data {
    /* small integers: every sum and product is exact in float16, for any alpha of the tables */
    DATA_INTEGERS,
    DATA_RANDOM,   /* floats of moderate exponent; all bits of an integer random, so that products wrap */
    DATA_WIDE,     /* every exponent of the format */
    DATA_SPECIALS, /* every pair of special values; shape update_specials_shape() */
    DATA_HUGE,     /* the top of the range: sums and products overflow or wrap */
    DATA_SMALL_PRODUCTS, /* products of normal numbers that fall among the subnormals */
    DATA_TINY,           /* subnormals and the least normals */
    DATA_CANCELLING,     /* other = −self in half of the elements; equal and opposite zeros in the others */
    DATA_ODD_LARGE,      /* odd integers beyond 2^24 (int64: 2^56); floats in [1, 2) whose last bit is 1 */
};

/* Fills `self` (role 0), `other` (role 1) or a third operand (role 2) from the generator of `tensor`. Of
 * DATA_INTEGERS the last element is 101 for role 0 and 7 for others. */
void update_fill(struct builder *b, const struct view *view, enum data data, int role, int tensor);

/* The shape that DATA_SPECIALS needs. */
struct shape update_specials_shape(enum dtype dtype);

/* The attribute alpha as PyTorch would pass it: an integer for integer dtypes, unless it is a fraction, which
 * the operator must reject. No attributes if `given` is false. */
struct attributes update_alpha(enum dtype dtype, bool given, double alpha);

/* Appends self.op_(other); returns the step, or NULL on a fault. */
struct step *update(struct builder *b, const struct op *op, const struct view *self, const struct view *other,
                    const struct attributes *attributes);

/* Appends the update with the default alpha, marked as exact: for operands of DATA_INTEGERS. */
void update_exactly(struct builder *b, const struct op *op, const struct view *self,
                    const struct view *other);

/* Returns a new contiguous tensor of the case's dtype filled with DATA_INTEGERS. */
struct view update_operand(struct builder *b, const struct shape *shape, int role, int tensor);

#endif
