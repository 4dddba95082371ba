/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The dispatches of a product of matrices by tiles in shared memory. */

#include "kernels/vulkan/plans/formats.h"
#include "kernels/vulkan/plans/product.h"
#include "kernels/vulkan/plans/tile.h"

#include <string.h>

struct arguments { /* of tiled.comp */
    struct vk_view_argument a, b, bias, result;
    uint64_t partial, scale;
    uint32_t inner, part, parts, biased;
};

/* --- the views */

/* Joins the batches with the rows where b is the same for all of them. */
static void join_rows(struct arguments *v)
{
    struct vk_view_argument *a = &v->a, *b = &v->b, *c = &v->result;
    for (int d = 3; d >= 0; d--) {
        if (c->dim[d] == 1) {
            continue;
        }
        if (b->stride[d] != 0 || (c->dim[4] != 1 && (a->stride[d] != a->dim[4] * a->stride[4] ||
                                                     c->stride[d] != c->dim[4] * c->stride[4]))) {
            break;
        }
        if (c->dim[4] == 1) {
            a->stride[4] = a->stride[d];
            c->stride[4] = c->stride[d];
        }
        a->dim[4] *= a->dim[d];
        c->dim[4] *= c->dim[d];
        a->dim[d] = b->dim[d] = c->dim[d] = 1;
    }
}

/* How an operand is copied: flags of `a`, divided by its lowest one, FORMATS_A_BY_TERMS. */
enum { BY_TERMS = 1, WHOLE = FORMATS_A_WHOLE / FORMATS_A_BY_TERMS };

/* Returns how a tile of the view is copied, given its dimension of terms and the other one: elements that lie
 * side by side by neighbouring invocations, and four of them at once if that is aligned everywhere. */
static uint32_t copies(const struct vk_view_argument *view, int terms, int across, bool by_terms, bool twice)
{
    const int inner = by_terms ? terms : across;
    bool whole = !twice && view->offset % 4 == 0 && view->stride[inner] == 1;
    for (int d = 0; d < VK_RANK_MAX; d++) {
        whole = whole && (d == inner || view->dim[d] == 1 || view->stride[d] % 4 == 0);
    }
    return (by_terms ? BY_TERMS : 0) | (whole ? WHOLE : 0);
}

static uint32_t flags_of(const struct vk_plan *plan, const struct arguments *v, bool twice)
{
    const uint32_t a = copies(&v->a, 5, 4, v->a.stride[5] == 1 || v->a.stride[4] != 1, twice),
                   b = copies(&v->b, 4, 5, v->b.stride[4] == 1 && v->b.stride[5] != 1, twice);
    return a * FORMATS_A_BY_TERMS | b * FORMATS_B_BY_TERMS |
           (vk_plan_native_halves(plan) ? FORMATS_NATIVE : 0);
}

static struct tiled_product size_of(const struct arguments *v)
{
    const uint64_t m = v->result.dim[4], n = v->result.dim[5];
    return (struct tiled_product){
        .rows = m, .columns = n, .matrices = m && n ? v->result.elements / (m * n) : 0, .parts = v->parts};
}

/* Whether rows, columns and terms fill all tiles. */
static bool fills(const struct vk_tile *tile, const struct arguments *v)
{
    return v->result.dim[4] % tile->rows == 0 && v->result.dim[5] % tile->columns == 0 &&
           v->inner % tile->depth == 0;
}

/* Columns × terms. A tile of the smallest matrices would hold little but zeros, and there may be very many of
 * them. */
enum { SIZE_LEAST = 12 };

bool vk_product_fits_tiles(const struct product *product)
{
    return product->inner == 0 || (uint64_t)product->inner * product->result.dim[5] >= SIZE_LEAST;
}

void vk_product_tiled(struct vk_plan *plan, const struct product *product)
{
    struct arguments v = {.a = product->a,
                          .b = product->b,
                          .bias = product->bias,
                          .result = product->result,
                          .inner = product->inner,
                          .part = vk_tile_part(product->inner, product->result.dim[5]),
                          .biased = product->biased,
                          .scale = product->scale};
    const bool twice = product->dtype == DTYPE_FLOAT64;
    v.parts = product->inner ? (product->inner - 1) / v.part + 1 : 1;
    const uint64_t sums = (uint64_t)v.parts * v.result.elements;
    if (v.parts > 1 && sums > UINT32_MAX) {
        vk_plan_fail(plan, LAUNCH_UNSUPPORTED, "more than 2^32 partial sums");
        return;
    }
    join_rows(&v);
    const struct tiled_product size = size_of(&v);
    const struct vk_tile *tile = vk_tile_choose(plan, &size, twice);
    const uint32_t formats =
        product->formats | flags_of(plan, &v, twice) | (fills(tile, &v) ? FORMATS_INSIDE : 0);
    v.partial = v.parts > 1 ? vk_plan_scratch(plan, sums * (twice ? 8 : 4)) : 0;
    char shader[32];
    snprintf(shader, sizeof shader, "tiled.%s", product->width);
    vk_plan_dispatch(plan, &(struct vk_dispatch){.shader = shader,
                                                 .constants = {formats, tile->rows, tile->columns,
                                                               tile->depth, tile->high, tile->wide},
                                                 .workgroup = vk_tile_invocations(tile),
                                                 .groups = vk_tile_groups(tile, &size),
                                                 .arguments = &v,
                                                 .bytes = sizeof v,
                                                 .iterations = v.part / tile->depth + VK_RANK_MAX});
    if (v.parts > 1) {
        snprintf(shader, sizeof shader, "tiled.parts.%s",
                 strcmp(product->width, "autocast") == 0 ? "mixed" : product->width);
        vk_plan_dispatch(plan, &(struct vk_dispatch){.shader = shader,
                                                     .constants = {formats},
                                                     .groups = vk_groups(v.result.elements, VK_WORKGROUP),
                                                     .arguments = &v,
                                                     .bytes = sizeof v,
                                                     .iterations = v.parts + VK_RANK_MAX});
    }
}
