/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Convolutions, transposed convolutions and their gradients on the route tiled. */

#include "kernels/vulkan/plans/windows.h"

static void plan_tiled(struct vk_plan *plan, const struct step *step)
{
    static const struct windows_route route = {.product = vk_windows_tiled};
    vk_windows_plan(plan, step, &route);
}

/* Tiles pay for groups of some channels; on a CPU, where a pipeline takes a tenth of a second to compile,
 * from a size that such a product takes itself. */
static bool pays(const struct vk_plan *plan, const struct step *step)
{
    const bool gradient = vk_plan_variant(plan) & WINDOWS_GRADIENT;
    const struct shape *weight = &step->input[gradient + 1].shape;
    int64_t groups = attributes_integer(&step->attributes, "groups", 1), taps = 1;
    for (int d = 2; d < weight->rank; d++) {
        taps *= weight->dim[d];
    }
    if (weight->rank < 3 || groups < 1) {
        return false;
    }
    return vk_windows_tiles_pay(plan, weight->dim[0] / groups, weight->dim[1], taps);
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
