/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_KERNELS_VULKAN_TILE_H
#define ASSAY_KERNELS_VULKAN_TILE_H

/* The shapes of the tiles of lib/tile.glsl, and the parts of a long sum. No bit of a result depends on the
 * shape of its tile. */

#include "kernels/vulkan/kernel.h"

struct vk_tile {
    uint32_t rows, columns, depth; /* of the tiles in shared memory */
    uint32_t high, wide;           /* the elements that an invocation computes: high × wide */
};

/* Products of matrices of rows × columns elements, each of whose sums is split into so many parts. */
struct tiled_product {
    uint64_t rows, columns, matrices, parts;
};

/* Returns the tile for the products on this device; `twice`: of float64. Static storage. */
const struct vk_tile *vk_tile_choose(const struct vk_plan *plan, const struct tiled_product *product,
                                     bool twice);

/* Returns whether tiles pay for products by matrices of x × y elements, of which `taps` are multiplied at
 * once: for some rows and columns; on a CPU, where a pipeline takes a tenth of a second to compile, from a
 * size that such a product takes itself. */
bool vk_tiles_pay(const struct vk_plan *plan, int64_t x, int64_t y, int64_t taps);

uint64_t vk_tile_groups(const struct vk_tile *tile, const struct tiled_product *product); /* workgroups */
uint32_t vk_tile_invocations(const struct vk_tile *tile);                                 /* of a workgroup */

/* Returns the terms of a part of a sum, a multiple of the block of 128. It depends on the number of terms and
 * on `columns` alone, which must not depend on the size of a batch. */
uint32_t vk_tile_part(uint32_t terms, uint32_t columns);

#endif
