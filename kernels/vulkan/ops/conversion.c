/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* to, clone: converts the input to the dtype of the output. */

#include "kernels/vulkan/conversion.h"

static void plan_conversion(struct vk_plan *plan, const struct step *step)
{
    vk_plan_conversion(plan, step->op->name, &step->input[0], &step->output[0]);
}

static const struct vk_op ops[] = {{.name = "to", .plan = plan_conversion},
                                   {.name = "clone", .plan = plan_conversion},
                                   {.name = "to", .route = VK_WIDE, .plan = plan_conversion},
                                   {.name = "clone", .route = VK_WIDE, .plan = plan_conversion}};
const struct vk_op_set vk_op_set_conversion = {ops, sizeof ops / sizeof *ops};
