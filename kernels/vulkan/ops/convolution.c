/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Convolutions, transposed convolutions and their gradients. */

#include "kernels/vulkan/plans/tile.h"
#include "kernels/vulkan/plans/windows.h"

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
    return vk_tiles_pay(plan, weight->dim[0] / groups, weight->dim[1], taps);
}

#define OP(name_, variant_, route_)                                                                          \
    {.name = "conv" name_, .route = (route_), .variant = (variant_), .plan = vk_windows_plan, .pays = pays}, \
    {                                                                                                        \
        .name = "conv" name_ "_backward", .route = (route_), .variant = (variant_) | WINDOWS_GRADIENT,       \
        .plan = vk_windows_plan, .pays = pays                                                                \
    }
#define ROUTES(name_, variant_) OP(name_, variant_, VK_PORTABLE), OP(name_, variant_, VK_TILED)

static const struct vk_op ops[] = {ROUTES("1d", 1),
                                   ROUTES("2d", 2),
                                   ROUTES("3d", 3),
                                   ROUTES("_transpose1d", CONVOLUTION_SIZES_TRANSPOSED | 1),
                                   ROUTES("_transpose2d", CONVOLUTION_SIZES_TRANSPOSED | 2),
                                   ROUTES("_transpose3d", CONVOLUTION_SIZES_TRANSPOSED | 3)};
const struct vk_op_set vk_op_set_convolution = {ops, sizeof ops / sizeof *ops};
