/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/vulkan/kernel.h"

struct arguments { /* of square.comp */
    struct vk_view_argument x, result;
};

static const char *const shader[DTYPE_COUNT] = {
    [DTYPE_FLOAT16] = "square.float16", [DTYPE_FLOAT32] = "square.float32", [DTYPE_INT32] = "square.int32"};

static void plan_square(struct vk_plan *plan, const struct step *step)
{
    const enum dtype dtype = step->input[0].dtype;
    if (!shader[dtype]) {
        vk_plan_fail(plan, LAUNCH_UNSUPPORTED, "%s of %s", step->op->name, dtype_info(dtype)->name);
    }
    if (!vk_plan_is_good(plan)) {
        return;
    }
    const struct arguments arguments = {.x = vk_plan_elements(plan, &step->input[0]),
                                        .result = vk_plan_elements(plan, &step->output[0])};
    vk_plan_dispatch_elements(
        plan,
        &(struct vk_dispatch){.shader = shader[dtype],
                              .groups = vk_groups(arguments.result.elements, VK_WORKGROUP),
                              .arguments = &arguments,
                              .bytes = sizeof arguments,
                              .line = {&arguments.x, &arguments.result},
                              .written = 1,
                              .elements = arguments.result.elements,
                              .iterations = 2 * VK_RANK_MAX},
        dtype_info(dtype)->size);
}

static const struct vk_op ops[] = {{.name = "square", .plan = plan_square},
                                   {.name = "square", .route = VK_WIDE, .plan = plan_square}};
const struct vk_op_set vk_op_set_square = {ops, sizeof ops / sizeof *ops};
