/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_KERNELS_VULKAN_HEADS_H
#define ASSAY_KERNELS_VULKAN_HEADS_H

/* The operands of attention as batches of matrices: views of six dimensions, the last two of which are those
 * of a matrix. Heads that several query heads share are two dimensions, the second with a stride of 0. */

#include "kernels/shapes/attention_sizes.h"
#include "kernels/vulkan/kernel.h"

enum { HEADS_LEADING = VK_RANK_MAX - 2 };

struct heads {
    uint32_t leading[HEADS_LEADING]; /* dimensions of the batches; 1 in front */
    int64_t key_group, value_group;
};

/* Fills `h`. Fails the plan as unsupported if there are too many dimensions. */
void vk_heads(struct vk_plan *plan, const struct attention_sizes *s, struct heads *h);

/* Returns the matrices of an operand, as many as there are batches; `group`: query heads that share one of
 * its heads. */
struct vk_view_argument vk_heads_view(struct vk_plan *plan, const struct heads *h,
                                      const struct attention_sizes *s, const struct view *view,
                                      int64_t group);

/* Returns contiguous matrices of rows × columns at an address. */
struct vk_view_argument vk_heads_scratch(const struct heads *h, uint64_t address, int64_t rows,
                                         int64_t columns);

/* Returns the matrices transposed. */
struct vk_view_argument vk_heads_transposed(const struct vk_view_argument *view);

/* Returns whether several batches share an element. */
bool vk_heads_share(const struct heads *h, const struct vk_view_argument *view);

#endif
