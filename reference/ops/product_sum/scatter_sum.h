/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_PRODUCT_SUM_SCATTER_SUM_H
#define ASSAY_REFERENCE_OPS_PRODUCT_SUM_SCATTER_SUM_H

/* Plain sums over equal indices, for the class of sums of products: the operand is a sequence of vectors of
 * `inner` elements, each of which is added to the vector of the result that its index names. Each vector of
 * the result is one block, whose terms are in the order of the operand; a vector that no index names has no
 * term and is exactly 0. */

#include "reference/ops/product_sum/product_sum.h"

/* Returns the vector of the result to which vector `source` of the operand is added; −1: to none. */
typedef int64_t scatter_target(const void *user, int64_t source);

/* Fills `sum` for a call whose operand `right` has `sources` vectors; the result has `vectors`. Sorts the
 * sources by their targets, counting. Returns false when out of memory. */
bool scatter_sum_open(struct product_sum *sum, int right, int64_t sources, int64_t vectors, int64_t inner,
                      scatter_target *target, const void *user);

/* The other members of struct product_sum_map. */
void scatter_sum_block(const struct product_sum *sum, int64_t number, struct product_sum_block *block);
void scatter_sum_right(const struct product_sum *sum, const struct product_sum_block *block, int64_t column,
                       int64_t *index);
int64_t scatter_sum_element(const struct product_sum *sum, const struct product_sum_block *block, int64_t row,
                            int64_t column);
void scatter_sum_place(const struct product_sum *sum, int64_t element, struct product_sum_block *block,
                       int64_t *row, int64_t *column);

#define SCATTER_SUM                                                                                          \
    .block = scatter_sum_block, .right = scatter_sum_right, .element = scatter_sum_element,                  \
    .place = scatter_sum_place

#endif
