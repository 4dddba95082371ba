/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/vulkan/plans/tile.h"

enum { BLOCK = 128 }; /* of lib/tile.glsl */
enum { EXTRA = 4 };   /* elements that follow each row of a tile in shared memory */

#define INVOCATIONS(rows, columns, high, wide) ((rows) / (high) * ((columns) / (wide)))
/* Invocations and their elements must cover the tile exactly, and tiles the blocks of a sum. */
#define TILE(name, rows, columns, depth, high, wide)                                                         \
    static const struct vk_tile name = {rows, columns, depth, high, wide};                                   \
    _Static_assert(INVOCATIONS(rows, columns, high, wide) * (high) * (wide) == (rows) * (columns) &&         \
                       INVOCATIONS(rows, columns, high, wide) <= 256,                                        \
                   "invocations cover the tile");                                                            \
    _Static_assert((rows) % 4 == 0 && (columns) % 4 == 0 && (depth) % 4 == 0 && BLOCK % (depth) == 0,        \
                   "elements are copied in fours, and blocks are whole tiles");                              \
    _Static_assert((high) % 4 == 0 && (wide) % 4 == 0, "rows and columns in groups of four")
TILE(large, 128, 128, 16, 8, 8);
TILE(middle, 64, 64, 16, 4, 4);
TILE(middle64, 64, 64, 8, 4, 4); /* of float64: fits into the 16,384 bytes that every device has */
TILE(small, 32, 32, 16, 4, 4);

static uint64_t cover(uint64_t extent, uint32_t tile)
{
    return (extent + tile - 1) / tile;
}

uint64_t vk_tile_groups(const struct vk_tile *tile, const struct tiled_product *product)
{
    return cover(product->rows, tile->rows) * cover(product->columns, tile->columns) * product->matrices *
           product->parts;
}

uint32_t vk_tile_invocations(const struct vk_tile *tile)
{
    return INVOCATIONS(tile->rows, tile->columns, tile->high, tile->wide);
}

/* Large tiles read the least memory; small ones make enough workgroups to occupy a device. llvmpipe takes 20
 * s to compile a large one. */
const struct vk_tile *vk_tile_choose(const struct vk_plan *plan, const struct tiled_product *product,
                                     bool twice)
{
    const bool cpu = vk_plan_is_on_cpu(plan);
    const uint64_t enough = cpu ? 4 : 128; /* workgroups */
    const uint64_t bytes = (large.rows + large.columns + 2 * EXTRA) * large.depth * sizeof(float);
    if (!twice && !cpu && bytes <= vk_plan_shared_bytes(plan) && vk_tile_groups(&large, product) >= enough) {
        return &large;
    }
    const struct vk_tile *next = twice ? &middle64 : &middle;
    return vk_tile_groups(next, product) >= enough && product->columns > small.columns ? next : &small;
}

bool vk_tiles_pay(const struct vk_plan *plan, int64_t x, int64_t y, int64_t taps)
{
    enum { LEAST = 8, CPU_LEAST = 16, CPU_SIZE = 128 * 128 };
    const int64_t few = x < y ? x : y;
    return vk_plan_is_on_cpu(plan) ? few >= CPU_LEAST && x * y * taps >= CPU_SIZE : few >= LEAST;
}

uint32_t vk_tile_part(uint32_t terms, uint32_t columns)
{
    enum { COLUMNS_MOST = 512, LEAST = 1024, SPLIT_FROM = 2048, PARTS_MOST = 1024, LONG = 65536 };
    uint32_t part = terms > LONG ? LONG : terms;
    if (columns <= COLUMNS_MOST && terms > SPLIT_FROM) {
        part = terms / PARTS_MOST > LEAST ? terms / PARTS_MOST : LEAST;
    }
    return part ? (part + BLOCK - 1) / BLOCK * BLOCK : BLOCK;
}
