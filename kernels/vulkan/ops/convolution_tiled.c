/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Convolutions, transposed convolutions and their gradients on the route tiled. */

#include "kernels/vulkan/plans/tile.h"
#include "kernels/vulkan/plans/windows.h"

enum { BY_TERMS_A = 0x400, BY_TERMS_B = 0x800, NATIVE = 0x4000 }; /* flags of lib/formats.glsl */

/* Neighbouring terms lie side by side where the stride of the last digit with an extent is 1. */
static bool by_terms(const uint32_t extent[4], const uint32_t stride[4])
{
    int last = 3;
    while (last > 0 && extent[last] == 1) {
        last--;
    }
    return stride[last] == 1;
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

static void product(struct vk_plan *plan, struct windows *v, enum dtype dtype, uint32_t fixed)
{
    const bool twice = dtype == DTYPE_FLOAT64;
    const uint32_t narrow = fixed > 0 && fixed < v->rows ? fixed : v->rows;
    const uint64_t elements = (uint64_t)v->rows * v->columns * v->groups;
    uint32_t formats = vk_windows_formats(dtype) | (by_terms(v->term, v->a_term) ? BY_TERMS_A : 0) |
                       (b_by_terms(v) ? BY_TERMS_B : 0) | (vk_plan_native_halves(plan) ? NATIVE : 0);
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
    vk_windows_table(plan, v);
    v->partial = v->parts > 1 ? vk_plan_scratch(plan, v->parts * elements * (twice ? 8 : 4)) : 0;
    snprintf(shader, sizeof shader, "convolution_tiled.%s", vk_windows_width(dtype));
    vk_plan_dispatch(plan, &(struct vk_dispatch){.shader = shader,
                                                 .constants = {formats, tile->rows, tile->columns,
                                                               tile->depth, tile->high, tile->wide},
                                                 .workgroup = vk_tile_invocations(tile),
                                                 .groups = vk_tile_groups(tile, &size),
                                                 .arguments = v,
                                                 .bytes = sizeof *v,
                                                 .iterations = v->part / tile->depth + tile->columns});
    if (v->parts > 1) {
        snprintf(shader, sizeof shader, "convolution_tiled.parts.%s", vk_windows_width(dtype));
        vk_plan_dispatch(plan, &(struct vk_dispatch){.shader = shader,
                                                     .constants = {formats},
                                                     .groups = vk_groups(elements, VK_WORKGROUP),
                                                     .arguments = v,
                                                     .bytes = sizeof *v,
                                                     .iterations = v->parts});
    }
}

/* The sums of channels are no products: the portable kernel shares each among a workgroup. */
static void product_or_sum(struct vk_plan *plan, struct windows *v, enum dtype dtype, uint32_t fixed)
{
    if (v->ones) {
        vk_windows_portable(plan, v, dtype, fixed);
    } else {
        product(plan, v, dtype, fixed);
    }
}

static void plan_tiled(struct vk_plan *plan, const struct step *step)
{
    static const struct windows_route route = {.product = product_or_sum};
    vk_windows_plan(plan, step, &route);
}

/* Tiles pay for groups of some channels; on a CPU, where a pipeline takes a tenth of a second to compile,
 * from a size that such a product takes itself. */
static bool pays(const struct vk_plan *plan, const struct step *step)
{
    enum { LEAST = 8, CPU_LEAST = 16, CPU_SIZE = 128 * 128 };
    const bool gradient = vk_plan_variant(plan) & WINDOWS_GRADIENT;
    const struct shape *weight = &step->input[gradient + 1].shape;
    int64_t groups = attributes_integer(&step->attributes, "groups", 1), taps = 1;
    for (int d = 2; d < weight->rank; d++) {
        taps *= weight->dim[d];
    }
    if (weight->rank < 3 || groups < 1) {
        return false;
    }
    const int64_t y = weight->dim[0] / groups, x = weight->dim[1], few = x < y ? x : y;
    return vk_plan_is_on_cpu(plan) ? few >= CPU_LEAST && x * y * taps >= CPU_SIZE : few >= LEAST;
}

#define OP(name_, variant_)                                                                                  \
    {.name = "conv" name_, .route = VK_TILED, .variant = (variant_), .plan = plan_tiled, .pays = pays},      \
    {                                                                                                        \
        .name = "conv" name_ "_backward", .route = VK_TILED, .variant = (variant_) | WINDOWS_GRADIENT,       \
        .plan = plan_tiled, .pays = pays                                                                     \
    }

static const struct vk_op ops[] = {OP("1d", 1),
                                   OP("2d", 2),
                                   OP("3d", 3),
                                   OP("_transpose1d", CONVOLUTION_SIZES_TRANSPOSED | 1),
                                   OP("_transpose2d", CONVOLUTION_SIZES_TRANSPOSED | 2),
                                   OP("_transpose3d", CONVOLUTION_SIZES_TRANSPOSED | 3)};
const struct vk_op_set vk_op_set_convolution_tiled = {ops, sizeof ops / sizeof *ops};
