/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Convolutions, transposed convolutions and their gradients on the route portable. */

#include "kernels/vulkan/plans/windows.h"

static void plan_portable(struct vk_plan *plan, const struct step *step)
{
    static const struct windows_route route = {.product = vk_windows_portable};
    vk_windows_plan(plan, step, &route);
}

#define OP(name_, variant_)                                                                                  \
    {.name = "conv" name_, .variant = (variant_), .plan = plan_portable},                                    \
    {                                                                                                        \
        .name = "conv" name_ "_backward", .variant = (variant_) | WINDOWS_GRADIENT, .plan = plan_portable    \
    }

static const struct vk_op ops[] = {OP("1d", 1),
                                   OP("2d", 2),
                                   OP("3d", 3),
                                   OP("_transpose1d", CONVOLUTION_SIZES_TRANSPOSED | 1),
                                   OP("_transpose2d", CONVOLUTION_SIZES_TRANSPOSED | 2),
                                   OP("_transpose3d", CONVOLUTION_SIZES_TRANSPOSED | 3)};
const struct vk_op_set vk_op_set_convolution = {ops, sizeof ops / sizeof *ops};
