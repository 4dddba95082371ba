/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_KERNELS_VULKAN_WINDOWS_H
#define ASSAY_KERNELS_VULKAN_WINDOWS_H

/* Convolutions as products of matrices whose elements are found by index: what the routes of this family
 * share. A result is one product, or several: a stride of s leaves s classes of positions of x that different
 * taps meet, and each class is a product of its own. */

#include "kernels/shapes/convolution_sizes.h"
#include "kernels/vulkan/kernel.h"

enum { WINDOWS_GRADIENT = 8 }; /* a flag of the variants beside CONVOLUTION_SIZES_… */

/* A product: struct Windows of lib/windows.glsl, which says how the members are used. */
struct windows {
    uint64_t a, b, bias, result, table, partial;
    uint32_t a_offset, b_offset, bias_offset, c_offset;
    uint32_t a_row, a_group, b_first, b_group, bias_row, bias_group, c_row, c_group, b_term;
    uint32_t column[4], term[4], a_term[4], c_column[4];
    uint32_t j_step[3], k_step[3], pad[3], size[3], axis[3];
    uint32_t rows, columns, terms, groups, from, to, part, parts, biased, ones, a_along;
};

/* Checks the step and plans all products of all results on the plan's route. Fails the plan if shapes or
 * dtypes do not fit. */
void vk_windows_plan(struct vk_plan *plan, const struct step *step);

/* Counts columns and terms by their digits, and adds the product on the plan's route unless it has no
 * element. `v.groups` 0: 1. `fixed`: the number of columns that does not depend on the batch; 0 if all do. */
void vk_windows_add(struct vk_plan *plan, enum dtype dtype, struct windows v, uint32_t fixed);

#endif
