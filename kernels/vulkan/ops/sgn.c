/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/vulkan/kernel.h"

enum { SGN, SIGN };

static const char *const shader[DTYPE_COUNT] = {
    [DTYPE_FLOAT16] = "sgn.float16", [DTYPE_BFLOAT16] = "sgn.bfloat16",   [DTYPE_FLOAT32] = "sgn.float32",
    [DTYPE_FLOAT64] = "sgn.float64", [DTYPE_COMPLEX64] = "sgn.complex64", [DTYPE_INT32] = "sgn.int32"};

static void plan_sgn(struct vk_plan *plan, const struct step *step)
{
    const enum dtype dtype = step->input[0].dtype;
    if (dtype == DTYPE_COMPLEX64 && vk_plan_variant(plan) == SIGN) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "sign is not defined for complex numbers; sgn is");
    } else if (!shader[dtype]) {
        vk_plan_fail(plan, LAUNCH_UNSUPPORTED, "%s of %s", step->op->name, dtype_info(dtype)->name);
    }
    if (vk_plan_is_good(plan)) {
        vk_plan_map(plan, shader[dtype], &step->input[0], &step->output[0]);
    }
}

static const struct vk_op ops[] = {{.name = "sgn", .variant = SGN, .plan = plan_sgn},
                                   {.name = "sign", .variant = SIGN, .plan = plan_sgn},
                                   {.name = "sgn", .route = VK_WIDE, .variant = SGN, .plan = plan_sgn},
                                   {.name = "sign", .route = VK_WIDE, .variant = SIGN, .plan = plan_sgn}};
const struct vk_op_set vk_op_set_sgn = {ops, sizeof ops / sizeof *ops};
