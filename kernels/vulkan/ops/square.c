/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/vulkan/kernel.h"

static const char *const shader[DTYPE_COUNT] = {
    [DTYPE_FLOAT16] = "square.float16", [DTYPE_FLOAT32] = "square.float32", [DTYPE_INT32] = "square.int32"};

static void plan_square(struct vk_plan *plan, const struct step *step)
{
    const enum dtype dtype = step->input[0].dtype;
    if (!shader[dtype]) {
        vk_plan_fail(plan, LAUNCH_UNSUPPORTED, "%s of %s", step->op->name, dtype_info(dtype)->name);
    }
    if (vk_plan_is_good(plan)) {
        vk_plan_map(plan, shader[dtype], &step->input[0], &step->output[0]);
    }
}

static const struct vk_op ops[] = {{.name = "square", .plan = plan_square},
                                   {.name = "square", .route = VK_WIDE, .plan = plan_square}};
const struct vk_op_set vk_op_set_square = {ops, sizeof ops / sizeof *ops};
