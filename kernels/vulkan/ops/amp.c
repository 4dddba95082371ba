/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/vulkan/kernel.h"

#include <string.h>

struct arguments { /* of amp.comp */
    struct vk_view_argument x, y, scale, found, result;
    uint32_t rate[2];
    uint32_t interval, unchecked;
};

enum operation {
    SCALE,
    UNSCALE,
    STEP,
#ifdef MUTANT_AMP_FOUND_INF_RESET
    RESET
#endif
};

static const char *const shader[DTYPE_COUNT] = {[DTYPE_FLOAT16] = "amp.float16",
                                                [DTYPE_BFLOAT16] = "amp.bfloat16",
                                                [DTYPE_FLOAT32] = "amp.float32",
                                                [DTYPE_FLOAT64] = "amp.float64"};

static void expect_scalar(struct vk_plan *plan, const struct step *step, int input, enum dtype dtype)
{
    const struct view *view = &step->input[input];
    if (view->dtype != dtype || shape_elements(&view->shape) != 1)
        vk_plan_fail(plan, LAUNCH_REJECTED, "%s: input %d must be one %s", step->op->name, input,
                     dtype_info(dtype)->name);
}

static void expect_real(struct vk_plan *plan, const struct step *step, int input)
{
    const enum dtype dtype = step->input[input].dtype;
    if (!shader[dtype])
        vk_plan_fail(plan, LAUNCH_REJECTED, "%s of %s", step->op->name, dtype_info(dtype)->name);
    else if (dtype != step->input[0].dtype)
        vk_plan_fail(plan, LAUNCH_REJECTED, "%s: tensors of different dtypes", step->op->name);
}

static uint32_t float_bits(double x)
{
    const float rounded = (float)x;
    uint32_t bits;
    memcpy(&bits, &rounded, sizeof bits);
    return bits;
}

static void dispatch(struct vk_plan *plan, enum operation operation, enum dtype dtype,
                     const struct arguments *a)
{
    vk_plan_dispatch(plan, &(struct vk_dispatch){.shader = shader[dtype],
                                                 .constants = {operation},
                                                 .groups = vk_groups(a->x.elements, VK_WORKGROUP),
                                                 .arguments = a,
                                                 .bytes = sizeof *a,
                                                 .iterations = 3 * RANK_MAX});
}

static void plan_scale(struct vk_plan *plan, const struct step *step)
{
    expect_real(plan, step, 0);
    expect_scalar(plan, step, 1, DTYPE_FLOAT32);
    if (!vk_plan_alive(plan))
        return;
    const struct arguments a = {.x = vk_plan_view(plan, &step->input[0]),
                                .scale = vk_plan_view(plan, &step->input[1]),
                                .result = vk_plan_view(plan, &step->output[0])};
    dispatch(plan, SCALE, step->input[0].dtype, &a);
}

static void plan_unscale(struct vk_plan *plan, const struct step *step)
{
    const int grads = step->inputs - 2;
    for (int g = 0; g < grads; g++)
        expect_real(plan, step, g);
    expect_scalar(plan, step, grads, DTYPE_FLOAT32);
    expect_scalar(plan, step, grads + 1, DTYPE_FLOAT32);
    if (!vk_plan_alive(plan))
        return;
    struct arguments a = {.found = vk_plan_view(plan, &step->input[grads]),
                          .scale = vk_plan_view(plan, &step->input[grads + 1])};
#ifdef MUTANT_AMP_FOUND_INF_RESET
    a.x = a.found;
    dispatch(plan, RESET, DTYPE_FLOAT32, &a);
#endif
    for (int g = 0; g < grads; g++) {
        a.x = vk_plan_view(plan, &step->input[g]);
#ifdef MUTANT_AMP_LAST_GRAD_UNCHECKED
        a.unchecked = g == grads - 1;
#endif
        dispatch(plan, UNSCALE, step->input[g].dtype, &a);
    }
}

static void plan_step(struct vk_plan *plan, const struct step *step)
{
    const double lr = attributes_real(&step->attributes, "lr", 0);
    expect_real(plan, step, 0);
    expect_real(plan, step, 1);
    expect_scalar(plan, step, 2, DTYPE_FLOAT32);
    if (!shape_equal(&step->input[0].shape, &step->input[1].shape))
        vk_plan_fail(plan, LAUNCH_REJECTED, "amp_step: grad must have param's shape");
    if (!vk_plan_alive(plan))
        return;
    struct arguments a = {.x = vk_plan_view(plan, &step->input[0]),
                          .y = vk_plan_view(plan, &step->input[1]),
                          .found = vk_plan_view(plan, &step->input[2]),
                          .rate = {float_bits(lr)}};
    if (step->input[0].dtype == DTYPE_FLOAT64)
        memcpy(a.rate, &lr, sizeof a.rate);
    dispatch(plan, STEP, step->input[0].dtype, &a);
}

static void plan_update_scale(struct vk_plan *plan, const struct step *step)
{
    const struct attributes *attributes = &step->attributes;
    expect_scalar(plan, step, 0, DTYPE_FLOAT32);
    expect_scalar(plan, step, 1, DTYPE_INT32);
    expect_scalar(plan, step, 2, DTYPE_FLOAT32);
    if (!vk_plan_alive(plan))
        return;
    struct arguments a = {.x = vk_plan_view(plan, &step->input[0]),
                          .y = vk_plan_view(plan, &step->input[1]),
                          .found = vk_plan_view(plan, &step->input[2]),
                          .rate = {float_bits(attributes_real(attributes, "growth_factor", 2)),
                                   float_bits(attributes_real(attributes, "backoff_factor", 0.5))},
                          .interval = (uint32_t)attributes_integer(attributes, "growth_interval", 2000)};
    a.scale = a.x;
    vk_plan_dispatch(plan, &(struct vk_dispatch){.shader = "amp.update",
                                                 .groups = 1,
                                                 .arguments = &a,
                                                 .bytes = sizeof a,
                                                 .iterations = 3 * RANK_MAX});
}

static const struct vk_op ops[] = {{"amp_scale", plan_scale},
                                   {"amp_unscale", plan_unscale},
                                   {"amp_step", plan_step},
                                   {"amp_update_scale", plan_update_scale}};
const struct vk_op_set vk_op_set_amp = {ops, sizeof ops / sizeof *ops};
