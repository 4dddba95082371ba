/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The functions of lib/unary.inc: one launch for all of them. */

#include "kernels/vulkan/kernel.h"

struct arguments { /* of unary.comp */
    struct vk_view_argument x, result;
};

enum {
    HALVES = 1 << DTYPE_FLOAT16 | 1 << DTYPE_BFLOAT16,
    SINGLES = HALVES | 1 << DTYPE_FLOAT32,
    REALS = SINGLES | 1 << DTYPE_FLOAT64,
    ALL = REALS | 1 << DTYPE_INT32,
    DTYPE_BITS = 16 /* of a variant: the function's number, then the dtypes that have a shader */
};

static const char *const shader[DTYPE_COUNT] = {
    [DTYPE_FLOAT16] = "unary.float16", [DTYPE_BFLOAT16] = "unary.bfloat16", [DTYPE_FLOAT32] = "unary.float32",
    [DTYPE_FLOAT64] = "unary.float64", [DTYPE_INT32] = "unary.int32",
};

static void plan_unary(struct vk_plan *plan, const struct step *step)
{
    const enum dtype dtype = step->input[0].dtype;
    const int variant = vk_plan_variant(plan);
    if (!(variant >> dtype & 1)) {
        vk_plan_fail(plan, LAUNCH_UNSUPPORTED, "%s of %s", step->op->name, dtype_info(dtype)->name);
    }
    if (!vk_plan_is_good(plan)) {
        return;
    }
    const struct arguments arguments = {.x = vk_plan_elements(plan, &step->input[0]),
                                        .result = vk_plan_elements(plan, &step->output[0])};
    vk_plan_dispatch(plan, &(struct vk_dispatch){.shader = shader[dtype],
                                                 .constants = {(uint32_t)variant >> DTYPE_BITS},
                                                 .groups = vk_groups(arguments.result.elements, VK_WORKGROUP),
                                                 .arguments = &arguments,
                                                 .bytes = sizeof arguments,
                                                 .iterations = 2 * VK_RANK_MAX});
}

#define OP(number_, name_, dtypes_)                                                                          \
    {.name = #name_, .variant = (number_) << DTYPE_BITS | (dtypes_), .plan = plan_unary},
#define BITS(number, name, term)   OP(number, name, ALL)
#define REAL_(number, name, term)  OP(number, name, REALS)
#define SINGLE(number, name, term) OP(number, name, SINGLES)

static const struct vk_op ops[] = {
#include "kernels/vulkan/lib/unary.inc"
};
const struct vk_op_set vk_op_set_unary = {ops, sizeof ops / sizeof *ops};
