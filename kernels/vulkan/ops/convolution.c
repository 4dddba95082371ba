/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Convolutions, transposed convolutions and their gradients on the route portable. */

#include "kernels/vulkan/plans/windows.h"

enum { TERMS_PER_DISPATCH = 32768 }; /* a multiple of the shader's block */

/* A sum of so many terms or more is shared by a workgroup if there are so few elements. It depends on the
 * terms and on what of the elements does not depend on the batch. */
enum { SHARED_TERMS = 4096, SHARED_ELEMENTS = 4096 };

static void product(struct vk_plan *plan, struct windows *v, enum dtype dtype, uint32_t fixed)
{
    const uint64_t elements = (uint64_t)v->rows * v->columns * v->groups;
    const bool group =
        v->terms >= SHARED_TERMS && fixed > 0 && (uint64_t)v->rows * fixed * v->groups <= SHARED_ELEMENTS;
    const uint32_t most = TERMS_PER_DISPATCH * (group ? VK_WORKGROUP : 1);
    char shader[32];
    snprintf(shader, sizeof shader, "convolution.%s", vk_windows_width(dtype));
    vk_windows_table(plan, v);
    if (v->terms > most) {
        v->partial = vk_plan_scratch(plan, elements * 8);
    }
    do {
        v->from = v->to;
        v->to = v->terms - v->from > most ? v->from + most : v->terms;
        vk_plan_dispatch(plan, &(struct vk_dispatch){.shader = shader,
                                                     .constants = {vk_windows_formats(dtype), group, v->ones},
                                                     .groups = vk_groups(elements, group ? 1 : VK_WORKGROUP),
                                                     .arguments = v,
                                                     .bytes = sizeof *v,
                                                     .iterations = TERMS_PER_DISPATCH * 5 / 4 + VK_RANK_MAX});
    } while (v->to < v->terms);
}

static void plan_portable(struct vk_plan *plan, const struct step *step)
{
    static const struct windows_route route = {.product = product};
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
