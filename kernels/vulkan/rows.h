/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_KERNELS_VULKAN_ROWS_H
#define ASSAY_KERNELS_VULKAN_ROWS_H

/* Sums of terms that a plan has left in scratch memory, by the passes of the row kit (ops/rows.c). */

#include "kernels/vulkan/kernel.h"

/* Of each row the sum of `count` terms, float64 or float32, one behind the other: where their words lie. */
uint64_t vk_rows_sums(struct vk_plan *plan, uint64_t terms, uint32_t rows, uint32_t count, enum dtype wide);

static inline uint64_t vk_rows_sum(struct vk_plan *plan, uint64_t terms, uint32_t count, enum dtype wide)
{
    return vk_rows_sums(plan, terms, 1, count, wide);
}

/* Writes such sums to the elements of `result`. */
void vk_rows_values(struct vk_plan *plan, uint64_t sums, const struct view *result);

/* The sum of the elements of x, of one dimension. */
uint64_t vk_rows_sum_of(struct vk_plan *plan, const struct view *x);

/* One such sum over another one, to the one element of `result`. */
void vk_rows_ratio(struct vk_plan *plan, uint64_t dividend, uint64_t divisor, const struct view *result);

/* Writes the sum of `count` terms, or that over the number `divisor` where it is not 0, to the one element of
 * `result`: terms lie one behind the other, float64 of a float64 result, else float32. No terms add up to 0.
 */
void vk_rows_total(struct vk_plan *plan, uint64_t terms, uint32_t count, const double *divisor,
                   const struct view *result);

/* Of every row of x along dimension `dim`, in states of 8 bytes one behind the other: its greatest element m
 * as it is, Σ exp(x − m) and its logarithm, float32 of the 16-bit types, and, where `surprises`, Σ (that − (x
 * − m)), times `weight`, a number for each term, where it is not NULL. */
struct vk_rows_logarithms {
    uint64_t greatest, logarithm, surprises, sum;
};
struct vk_rows_logarithms vk_rows_logarithms(struct vk_plan *plan, const struct view *x, int dim,
                                             bool surprises, const struct view *weight);

#endif
