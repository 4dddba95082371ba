/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/vulkan/plans/product.h"

static void plan_product(struct vk_plan *plan, const struct step *step)
{
    const int variant = vk_plan_variant(plan);
    const struct product product = vk_product(plan, step, variant);
    if (!vk_plan_is_good(plan)) {
        return;
    }
    vk_product_portable(plan, &product, variant & PRODUCT_VECTOR && product.inner > PRODUCT_BLOCK);
}

static const struct vk_op ops[] = {
    {.name = "matmul", .variant = 0, .plan = plan_product},
    {.name = "mv", .variant = PRODUCT_VECTOR, .plan = plan_product},
    {.name = "linear", .variant = PRODUCT_LINEAR, .plan = plan_product},
    {.name = "autocast_matmul", .variant = PRODUCT_AUTOCAST, .plan = plan_product},
    {.name = "autocast_linear", .variant = PRODUCT_LINEAR | PRODUCT_AUTOCAST, .plan = plan_product}};
const struct vk_op_set vk_op_set_matmul = {ops, sizeof ops / sizeof *ops};
