/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The dispatches of one product of windows.h. */

#include "kernels/vulkan/plans/formats.h"
#include "kernels/vulkan/plans/tile.h"
#include "kernels/vulkan/plans/windows.h"

static void add_table(struct vk_plan *plan, struct windows *v)
{
    v->table = v->terms ? vk_plan_scratch(plan, (uint64_t)v->terms * 32) : 0;
    if (v->terms) {
        vk_plan_dispatch(plan, &(struct vk_dispatch){.shader = "convolution.terms",
                                                     .groups = vk_groups(v->terms, VK_WORKGROUP),
                                                     .arguments = v,
                                                     .bytes = sizeof *v,
                                                     .iterations = 16});
    }
}

static uint32_t formats_of(enum dtype dtype)
{
    const uint32_t format = vk_format(dtype);
    return format | format << FORMAT_B | format << FORMAT_BIAS | format << FORMAT_RESULT;
}

enum { TERMS_PER_DISPATCH = 32768 }; /* a multiple of the shader's block */

/* A sum of so many terms or more is shared by a workgroup if there are so few elements. It depends on the
 * terms and on what of the elements does not depend on the batch. */
enum { SHARED_TERMS = 4096, SHARED_ELEMENTS = 4096 };

/* `fixed`: the number of columns that does not depend on the batch; 0 if all do. */
static void by_elements(struct vk_plan *plan, struct windows *v, enum dtype dtype, uint32_t fixed)
{
    const uint64_t elements = (uint64_t)v->rows * v->columns * v->groups;
    const bool group =
        v->terms >= SHARED_TERMS && fixed > 0 && (uint64_t)v->rows * fixed * v->groups <= SHARED_ELEMENTS;
    const uint32_t most = TERMS_PER_DISPATCH * (group ? VK_WORKGROUP : 1);
    char shader[32];
    snprintf(shader, sizeof shader, "convolution.%s", vk_format_width(dtype, formats_of(dtype)));
    add_table(plan, v);
    if (v->terms > most) {
        v->partial = vk_plan_scratch(plan, elements * 8);
    }
    do {
        v->from = v->to;
        v->to = v->terms - v->from > most ? v->from + most : v->terms;
        vk_plan_dispatch(plan, &(struct vk_dispatch){.shader = shader,
                                                     .constants = {formats_of(dtype), group, v->ones},
                                                     .groups = vk_groups(elements, group ? 1 : VK_WORKGROUP),
                                                     .arguments = v,
                                                     .bytes = sizeof *v,
                                                     .iterations = TERMS_PER_DISPATCH * 5 / 4 + VK_RANK_MAX});
    } while (v->to < v->terms);
}

enum { A_LINEAR = 0x10000, UNPADDED = 0x20000 }; /* flags of convolution_tiled.comp */

/* Neighbouring terms lie side by side where the stride of the last digit with an extent is 1. */
static bool by_terms(const uint32_t extent[4], const uint32_t stride[4])
{
    int last = 3;
    while (last > 0 && extent[last] == 1) {
        last--;
    }
    return stride[last] == 1;
}

/* Whether the terms of a row of a have one stride, *along. */
static bool is_linear(const struct windows *v, uint32_t *along)
{
    uint32_t step = 0;
    bool linear = true, known = false;
    for (int i = 3; i >= 0; i--) {
        if (v->term[i] == 1) {
            continue;
        }
        *along = known ? *along : v->a_term[i];
        linear = linear && (!known || v->a_term[i] == step);
        step = v->a_term[i] * v->term[i];
        known = true;
    }
    *along = known ? *along : 1;
    return linear;
}

/* Whether four terms of a that lie side by side are aligned everywhere. */
static bool is_aligned(const struct windows *v, bool twice)
{
    return !twice && v->a_along == 1 && v->a_offset % 4 == 0 && v->a_row % 4 == 0 &&
           (v->groups == 1 || v->a_group % 4 == 0);
}

/* Whether all positions of b exist. */
static bool is_unpadded(const struct windows *v)
{
    bool within = true;
    for (int i = 0; i < 3; i++) {
        const int64_t j = (int32_t)v->j_step[i], k = (int32_t)v->k_step[i],
                      first = -(int64_t)(int32_t)v->pad[i];
        const int64_t a = j * (v->column[1 + i] - 1), b = k * ((int64_t)v->term[1 + i] - 1);
        const int64_t least = first + (a < 0 ? a : 0) + (b < 0 ? b : 0),
                      most = first + (a > 0 ? a : 0) + (b > 0 ? b : 0);
        within = within && least >= 0 && most < (v->size[i] ? v->size[i] : 1);
    }
    return within;
}

/* Whether rows, columns and terms fill all tiles. */
static bool fills(const struct vk_tile *tile, const struct windows *v)
{
    return v->rows % tile->rows == 0 && v->columns % tile->columns == 0 && v->terms % tile->depth == 0;
}

/* Places of b that neighbouring columns, or neighbouring terms, have. */
static bool b_by_terms(const struct windows *v)
{
    const uint32_t columns[4] = {v->b_first, v->j_step[0] * v->axis[0], v->j_step[1] * v->axis[1],
                                 v->j_step[2] * v->axis[2]};
    const uint32_t terms[4] = {v->b_term, v->k_step[0] * v->axis[0], v->k_step[1] * v->axis[1],
                               v->k_step[2] * v->axis[2]};
    return by_terms(v->term, terms) && !by_terms(v->column, columns);
}

static void by_tiles(struct vk_plan *plan, struct windows *v, enum dtype dtype, uint32_t fixed)
{
    const bool twice = dtype == DTYPE_FLOAT64;
    const uint32_t narrow = fixed > 0 && fixed < v->rows ? fixed : v->rows;
    const uint64_t elements = (uint64_t)v->rows * v->columns * v->groups;
    const bool linear = is_linear(v, &v->a_along);
    uint32_t formats = formats_of(dtype) | (by_terms(v->term, v->a_term) ? FORMATS_A_BY_TERMS : 0) |
                       (linear ? A_LINEAR : 0) | (linear && is_aligned(v, twice) ? FORMATS_A_WHOLE : 0) |
                       (b_by_terms(v) ? FORMATS_B_BY_TERMS : 0) |
                       (vk_plan_native_halves(plan) ? FORMATS_NATIVE : 0);
    char shader[48];
    v->part = vk_tile_part(v->terms, narrow);
    v->parts = v->terms ? (v->terms - 1) / v->part + 1 : 1;
    if (v->parts * elements > UINT32_MAX) {
        vk_plan_fail(plan, LAUNCH_UNSUPPORTED, "more than 2^32 partial sums");
        return;
    }
    const struct tiled_product size = {
        .rows = v->rows, .columns = v->columns, .matrices = v->groups, .parts = v->parts};
    const struct vk_tile *tile = vk_tile_choose(plan, &size, twice);
    formats |= (fills(tile, v) ? FORMATS_INSIDE : 0) | (is_unpadded(v) ? UNPADDED : 0);
    add_table(plan, v);
    v->partial = v->parts > 1 ? vk_plan_scratch(plan, v->parts * elements * (twice ? 8 : 4)) : 0;
    snprintf(shader, sizeof shader, "convolution_tiled.%s", vk_format_width(dtype, formats_of(dtype)));
    vk_plan_dispatch(plan, &(struct vk_dispatch){.shader = shader,
                                                 .constants = {formats, tile->rows, tile->columns,
                                                               tile->depth, tile->high, tile->wide},
                                                 .workgroup = vk_tile_invocations(tile),
                                                 .groups = vk_tile_groups(tile, &size),
                                                 .arguments = v,
                                                 .bytes = sizeof *v,
                                                 .iterations = v->part / tile->depth + tile->columns});
    if (v->parts > 1) {
        snprintf(shader, sizeof shader, "convolution_tiled.parts.%s",
                 vk_format_width(dtype, formats_of(dtype)));
        vk_plan_dispatch(plan, &(struct vk_dispatch){.shader = shader,
                                                     .constants = {formats},
                                                     .groups = vk_groups(elements, VK_WORKGROUP),
                                                     .arguments = v,
                                                     .bytes = sizeof *v,
                                                     .iterations = v->parts});
    }
}

static uint64_t product_of(const uint32_t digits[4])
{
    return (uint64_t)digits[0] * digits[1] * digits[2] * digits[3];
}

void vk_windows_add(struct vk_plan *plan, enum dtype dtype, struct windows v, uint32_t fixed)
{
    v.groups = v.groups ? v.groups : 1;
    if (product_of(v.column) * v.rows * v.groups > UINT32_MAX || product_of(v.term) > UINT32_MAX / 32) {
        vk_plan_fail(plan, LAUNCH_UNSUPPORTED, "more than 2^32 elements or 2^27 terms");
        return;
    }
    v.columns = (uint32_t)product_of(v.column);
    v.terms = (uint32_t)product_of(v.term);
    v.parts = 1;
    if (v.columns == 0 || v.rows == 0 || !vk_plan_is_good(plan)) {
        return;
    }
    if (vk_plan_route(plan) == VK_TILED && !v.ones) { /* sums of channels are no products */
        by_tiles(plan, &v, dtype, fixed);
    } else {
        by_elements(plan, &v, dtype, fixed);
    }
}
