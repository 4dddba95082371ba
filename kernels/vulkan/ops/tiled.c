/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The route tiled: products by tiles in shared memory. */

#include "kernels/vulkan/plans/product.h"
#include "kernels/vulkan/plans/tile.h"

enum { INTEGERS = 8 }; /* a flag of the variants beside PRODUCT_… */

static void plan_tiled(struct vk_plan *plan, const struct step *step)
{
    const int variant = vk_plan_variant(plan);
    const bool whole = variant & INTEGERS;
    const struct product product =
        whole ? vk_product_int8(plan, step, variant & PRODUCT_LINEAR) : vk_product(plan, step, variant);
    if (!vk_plan_is_good(plan)) {
        return;
    }
    if (!vk_product_fits_tiles(&product)) {
        vk_plan_fail(plan, LAUNCH_UNSUPPORTED, "too few columns and terms for a tile");
        return;
    }
    vk_product_tiled(plan, &product);
}

static bool pays(const struct vk_plan *plan, const struct step *step)
{
    const struct shape *b = &step->input[1].shape;
    return b->rank >= 2 && vk_tiles_pay(plan, b->dim[b->rank - 1], b->dim[b->rank - 2], 1);
}

#define PRODUCT(name_, variant_)                                                                             \
    {                                                                                                        \
        .name = #name_, .route = VK_TILED, .variant = variant_, .plan = plan_tiled, .pays = pays             \
    }
static const struct vk_op ops[] = {PRODUCT(matmul, 0),
                                   PRODUCT(mv, PRODUCT_VECTOR),
                                   PRODUCT(linear, PRODUCT_LINEAR),
                                   PRODUCT(autocast_matmul, PRODUCT_AUTOCAST),
                                   PRODUCT(autocast_linear, PRODUCT_LINEAR | PRODUCT_AUTOCAST),
                                   PRODUCT(int_mm, INTEGERS),
                                   PRODUCT(int8_linear, INTEGERS | PRODUCT_LINEAR)};
const struct vk_op_set vk_op_set_tiled = {ops, sizeof ops / sizeof *ops};
