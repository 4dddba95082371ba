/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_KERNELS_VULKAN_ROWS_H
#define ASSAY_KERNELS_VULKAN_ROWS_H

/* Sums over rows for other operators, computed with the passes of the row reductions (ops/rows.c).
 *
 * Terms lie contiguously in scratch memory, in float32 or float64. A function adds dispatches to the plan. A
 * sum is identified by the address of its state: 8 bytes of scratch memory for each row. */

#include "kernels/vulkan/kernel.h"

/* Sums the `count` terms of each row; the rows are contiguous, and `wide` is the dtype of the terms. Returns
 * the address of the states, one for each row. */
uint64_t vk_rows_sums(struct vk_plan *plan, uint64_t terms, uint32_t rows, uint32_t count, enum dtype wide);

static inline uint64_t vk_rows_sum(struct vk_plan *plan, uint64_t terms, uint32_t count, enum dtype wide)
{
    return vk_rows_sums(plan, terms, 1, count, wide);
}

/* Writes the sums at address `sums` to the elements of `result`, rounded to its dtype. */
void vk_rows_values(struct vk_plan *plan, uint64_t sums, const struct view *result);

/* Returns the address of the sum of the elements of x, which has one dimension. */
uint64_t vk_rows_sum_of(struct vk_plan *plan, const struct view *x);

/* Writes the quotient of the sums at addresses `dividend` and `divisor` to the one element of `result`. */
void vk_rows_ratio(struct vk_plan *plan, uint64_t dividend, uint64_t divisor, const struct view *result);

/* Writes the sum of `count` terms, divided by *divisor unless `divisor` is NULL, to the one element of
 * `result`. The terms are float64 if the result is, else float32. The sum of no terms is 0. */
void vk_rows_total(struct vk_plan *plan, uint64_t terms, uint32_t count, const double *divisor,
                   const struct view *result);

/* Addresses of the statistics of every row of x along dimension `dim`, contiguous states of 8 bytes:
 *
 *   greatest   the greatest element m, with the bits of x
 *   sum        Σ exp(x − m)
 *   logarithm  log Σ exp(x − m)
 *   surprises  Σ w·(log Σ exp(x − m) − (x − m)), only if `surprises`
 *
 * w is the element of `weight`, broadcast to the shape of x, or 1 if `weight` is NULL. All but the greatest
 * are float32 for float32 and the 16-bit types, float64 for float64. */
struct vk_rows_logarithms {
    uint64_t greatest, logarithm, surprises, sum;
};
struct vk_rows_logarithms vk_rows_logarithms(struct vk_plan *plan, const struct view *x, int dim,
                                             bool surprises, const struct view *weight);

#endif
