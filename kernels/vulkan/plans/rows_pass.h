/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_KERNELS_VULKAN_ROWS_PASS_H
#define ASSAY_KERNELS_VULKAN_ROWS_PASS_H

/* The dispatches of row reductions and row maps (ops/rows.c), on the route that is being planned. */

#include "kernels/vulkan/kernel.h"

enum { VK_ROWS_PASSES = 2 };

struct vk_rows_arguments { /* of lib/rows.glsl */
    struct vk_view_argument kept, reduced, result, result_terms, other_kept, other_reduced;
    uint64_t from, to, statistic[VK_ROWS_PASSES], count, degrees;
    uint32_t rows, terms, parts, chunk, joins, alone;
};

/* Fails the plan as unsupported if its route does not cover rows of these views. Call it before any other
 * function of this file that is used for an operator which is on route wide. */
void vk_rows_check(struct vk_plan *plan, const struct vk_rows_arguments *a);

/* Computes a statistic of every row at address `to`: a dispatch for the parts of the rows, and, if a row has
 * more than one, a second dispatch that joins them. */
void vk_rows_pass(struct vk_plan *plan, struct vk_rows_arguments a, const char *shader, uint64_t to);

/* Dispatches an end with an invocation for each of `results`, or a map of the elements of all rows. */
void vk_rows_end(struct vk_plan *plan, const char *shader, uint64_t results,
                 const struct vk_rows_arguments *a);
void vk_rows_map(struct vk_plan *plan, const char *shader, enum dtype dtype,
                 const struct vk_rows_arguments *a);

/* On route wide, dispatches a map of rows that are short enough for a workgroup to hold them in registers,
 * and whose elements lie one behind the other, in one pass. Returns false, without a dispatch, for other
 * rows. */
bool vk_rows_held(struct vk_plan *plan, const char *shader, enum dtype dtype,
                  const struct vk_rows_arguments *a);

#endif
