/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The functions of lib/unary.inc: one launch for all of them. */

#include "kernels/vulkan/kernel.h"

struct arguments { /* of unary.comp */
    struct vk_view_argument x, result;
};

/* The shaders of each function, NULL where there is none. */
#define HALVES(name)       [DTYPE_FLOAT16] = "unary." name ".float16", [DTYPE_BFLOAT16] = "unary." name ".bfloat16"
#define SINGLES(name)      HALVES(name), [DTYPE_FLOAT32] = "unary." name ".float32"
#define REALS(name)        SINGLES(name), [DTYPE_FLOAT64] = "unary." name ".float64"
#define BITS(name, term)   {REALS(#name), [DTYPE_INT32] = "unary." #name ".int32"},
#define REAL_(name, term)  {REALS(#name)},
#define SINGLE(name, term) {SINGLES(#name)},
static const char *const shader[][DTYPE_COUNT] = {
#include "kernels/vulkan/lib/unary.inc"
};
#undef BITS
#undef REAL_
#undef SINGLE

static void plan_unary(struct vk_plan *plan, const struct step *step)
{
    const enum dtype dtype = step->input[0].dtype;
    const char *const name = shader[vk_plan_variant(plan)][dtype];
    if (!name) {
        vk_plan_fail(plan, LAUNCH_UNSUPPORTED, "%s of %s", step->op->name, dtype_info(dtype)->name);
    }
    if (!vk_plan_is_good(plan)) {
        return;
    }
    const struct arguments arguments = {.x = vk_plan_elements(plan, &step->input[0]),
                                        .result = vk_plan_elements(plan, &step->output[0])};
    vk_plan_dispatch(plan, &(struct vk_dispatch){.shader = name,
                                                 .groups = vk_groups(arguments.result.elements, VK_WORKGROUP),
                                                 .arguments = &arguments,
                                                 .bytes = sizeof arguments,
                                                 .iterations = 2 * VK_RANK_MAX});
}

enum { /* places in the table */
#define BITS(name, term)   ROW_##name,
#define REAL_(name, term)  ROW_##name,
#define SINGLE(name, term) ROW_##name,
#include "kernels/vulkan/lib/unary.inc"
#undef BITS
#undef REAL_
#undef SINGLE
};

#define OP(name_)          {.name = #name_, .variant = ROW_##name_, .plan = plan_unary},
#define BITS(name, term)   OP(name)
#define REAL_(name, term)  OP(name)
#define SINGLE(name, term) OP(name)
static const struct vk_op ops[] = {
#include "kernels/vulkan/lib/unary.inc"
};
const struct vk_op_set vk_op_set_unary = {ops, sizeof ops / sizeof *ops};
