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
};

static const char *const shader[DTYPE_COUNT] = {[DTYPE_FLOAT16] = "amp.float16",
                                                [DTYPE_BFLOAT16] = "amp.bfloat16",
                                                [DTYPE_FLOAT32] = "amp.float32",
                                                [DTYPE_FLOAT64] = "amp.float64"};

static void expect_scalar(struct vk_plan *plan, const struct step *step, int input, enum dtype dtype)
{
    const struct view *view = &step->input[input];
    if (view->dtype != dtype || shape_elements(&view->shape) != 1) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "%s: input %d must be one %s", step->op->name, input,
                     dtype_info(dtype)->name);
    }
}

static void expect_real(struct vk_plan *plan, const struct step *step, int input)
{
    const enum dtype dtype = step->input[input].dtype;
    if (!shader[dtype]) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "%s of %s", step->op->name, dtype_info(dtype)->name);
    } else if (dtype != step->input[0].dtype) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "%s: tensors of different dtypes", step->op->name);
    }
}

static uint32_t float_bits(double x)
{
    return (uint32_t)vk_real_bits(DTYPE_FLOAT32, x);
}

static void dispatch(struct vk_plan *plan, enum operation operation, enum dtype dtype,
                     const struct arguments *a)
{
    vk_plan_dispatch(plan, &(struct vk_dispatch){.shader = shader[dtype],
                                                 .constants = {operation},
                                                 .groups = vk_groups(a->x.elements, VK_WORKGROUP),
                                                 .arguments = a,
                                                 .bytes = sizeof *a,
                                                 .iterations = 3 * VK_RANK_MAX});
}

static void set_rate(struct arguments *a, enum dtype dtype, double lr)
{
    const uint64_t bits = vk_real_bits(dtype, lr);
    memcpy(a->rate, &bits, sizeof a->rate);
}

/* Dispatches one invocation of a variant that works on scalars only. */
static void dispatch_scalars(struct vk_plan *plan, const char *variant, const struct arguments *a)
{
    vk_plan_dispatch(plan, &(struct vk_dispatch){.shader = variant,
                                                 .groups = 1,
                                                 .arguments = a,
                                                 .bytes = sizeof *a,
                                                 .iterations = 3 * VK_RANK_MAX});
}

static void plan_scale(struct vk_plan *plan, const struct step *step)
{
    expect_real(plan, step, 0);
    expect_scalar(plan, step, 1, DTYPE_FLOAT32);
    if (!vk_plan_is_good(plan)) {
        return;
    }
    const struct arguments a = {.x = vk_plan_elements(plan, &step->input[0]),
                                .scale = vk_plan_elements(plan, &step->input[1]),
                                .result = vk_plan_elements(plan, &step->output[0])};
    dispatch(plan, SCALE, step->input[0].dtype, &a);
}

static void plan_unscale(struct vk_plan *plan, const struct step *step)
{
    const int grads = step->inputs - 2;
    for (int g = 0; g < grads; g++) {
        expect_real(plan, step, g);
    }
    expect_scalar(plan, step, grads, DTYPE_FLOAT32);
    expect_scalar(plan, step, grads + 1, DTYPE_FLOAT32);
    if (!vk_plan_is_good(plan)) {
        return;
    }
    struct arguments a = {.found = vk_plan_elements(plan, &step->input[grads]),
                          .scale = vk_plan_elements(plan, &step->input[grads + 1])};
    for (int g = 0; g < grads; g++) {
        a.x = vk_plan_elements(plan, &step->input[g]);
        dispatch(plan, UNSCALE, step->input[g].dtype, &a);
    }
}

static void plan_step(struct vk_plan *plan, const struct step *step)
{
    const double lr = attributes_real(&step->attributes, "lr", 0);
    expect_real(plan, step, 0);
    expect_real(plan, step, 1);
    expect_scalar(plan, step, 2, DTYPE_FLOAT32);
    if (!shape_equal(&step->input[0].shape, &step->input[1].shape)) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "amp_step: grad must have param's shape");
    }
    if (!vk_plan_is_good(plan)) {
        return;
    }
    struct arguments a = {.x = vk_plan_elements(plan, &step->input[0]),
                          .y = vk_plan_elements(plan, &step->input[1]),
                          .found = vk_plan_elements(plan, &step->input[2])};
    set_rate(&a, step->input[0].dtype, lr);
    dispatch(plan, STEP, step->input[0].dtype, &a);
}

static struct arguments update_of(const struct attributes *attributes, struct vk_view_argument scale,
                                  struct vk_view_argument tracker, struct vk_view_argument found)
{
    return (struct arguments){.x = scale,
                              .y = tracker,
                              .scale = scale,
                              .found = found,
                              .rate = {float_bits(attributes_real(attributes, "growth_factor", 2)),
                                       float_bits(attributes_real(attributes, "backoff_factor", 0.5))},
                              .interval = (uint32_t)attributes_integer(attributes, "growth_interval", 2000)};
}

static void plan_update_scale(struct vk_plan *plan, const struct step *step)
{
    expect_scalar(plan, step, 0, DTYPE_FLOAT32);
    expect_scalar(plan, step, 1, DTYPE_INT32);
    expect_scalar(plan, step, 2, DTYPE_FLOAT32);
    if (!vk_plan_is_good(plan)) {
        return;
    }
    const struct arguments a =
        update_of(&step->attributes, vk_plan_elements(plan, &step->input[0]),
                  vk_plan_elements(plan, &step->input[1]), vk_plan_elements(plan, &step->input[2]));
    dispatch_scalars(plan, "amp.update", &a);
}

/* --- grad_scaler: the operations above in the order in which a scaler and its optimizer call them */

enum call { CALL_UNSCALE, CALL_STEP, CALL_UPDATE };

static void expect_pairs(struct vk_plan *plan, const struct step *step)
{
    const int tensors = step->inputs - 2;
    if (tensors % 2) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "grad_scaler: a param without a grad");
    }
    for (int t = 0; t < tensors; t++) {
        const enum dtype dtype = step->input[t].dtype;
        if ((dtype != DTYPE_FLOAT32 && dtype != DTYPE_FLOAT64) || dtype != step->input[0].dtype) {
            vk_plan_fail(plan, LAUNCH_REJECTED, "grad_scaler of %s: params and grads are float32 or float64",
                         dtype_info(dtype)->name);
        }
        if (t % 2 && !shape_equal(&step->input[t].shape, &step->input[t - 1].shape)) {
            vk_plan_fail(plan, LAUNCH_REJECTED, "grad_scaler: grad %d must have its param's shape", t / 2);
        }
    }
    expect_scalar(plan, step, tensors, DTYPE_FLOAT32);
    expect_scalar(plan, step, tensors + 1, DTYPE_INT32);
}

/* Rejects calls in an order that PyTorch's scaler refuses. As there, the state between two updates is kept on
 * the host. */
static void expect_order(struct vk_plan *plan, const struct integers *calls)
{
    bool unscaled = false, stepped = false;
    if (!calls || calls->count == 0) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "grad_scaler: no calls");
    }
    for (int c = 0; vk_plan_is_good(plan) && c < calls->count; c++) {
        switch (calls->item[c]) {
        case CALL_UNSCALE:
            if (unscaled) {
                vk_plan_fail(plan, LAUNCH_REJECTED, "grad_scaler: call %d unscales what is unscaled", c + 1);
            }
            unscaled = true;
            break;
        case CALL_STEP:
            if (stepped) {
                vk_plan_fail(plan, LAUNCH_REJECTED, "grad_scaler: call %d is a second step", c + 1);
            }
            unscaled = stepped = true;
            break;
        case CALL_UPDATE:
            if (!unscaled) {
                vk_plan_fail(plan, LAUNCH_REJECTED, "grad_scaler: call %d updates without a check", c + 1);
            }
            unscaled = stepped = false;
            break;
        default:
            vk_plan_fail(plan, LAUNCH_REJECTED, "grad_scaler: call %d is none", c + 1);
        }
    }
}

/* Allocates a scalar of 4 bytes in scratch memory. */
static struct vk_view_argument scratch_scalar(struct vk_plan *plan)
{
    return (struct vk_view_argument){
        .address = vk_plan_scratch(plan, 4), .elements = 1, .dim = {1, 1, 1, 1, 1, 1}};
}

static void plan_grad_scaler(struct vk_plan *plan, const struct step *step)
{
    const struct integers *calls = attributes_integers(&step->attributes, "calls");
    const double lr = attributes_real(&step->attributes, "lr", 0);
    const int tensors = step->inputs - 2;
    expect_pairs(plan, step);
    expect_order(plan, calls);
    if (!vk_plan_is_good(plan)) {
        return;
    }
    const enum dtype dtype = step->input[0].dtype;
    const struct vk_view_argument found = scratch_scalar(plan), inverse = scratch_scalar(plan),
                                  scale = vk_plan_elements(plan, &step->input[tensors]),
                                  tracker = vk_plan_elements(plan, &step->input[tensors + 1]);
    bool unscaled = false;
    for (int c = 0; c < calls->count; c++) {
        if (calls->item[c] == CALL_UPDATE) {
            const struct arguments a = update_of(&step->attributes, scale, tracker, found);
            dispatch_scalars(plan, "amp.update", &a);
            unscaled = false;
            continue;
        }
        if (!unscaled) {
            struct arguments a = {.scale = scale, .found = found, .result = inverse};
            dispatch_scalars(plan, "amp.begin", &a);
            a = (struct arguments){.scale = inverse, .found = found};
            for (int t = 1; t < tensors; t += 2) {
                a.x = vk_plan_elements(plan, &step->input[t]);
                dispatch(plan, UNSCALE, dtype, &a);
            }
            unscaled = true;
        }
        for (int t = 0; calls->item[c] == CALL_STEP && t < tensors; t += 2) {
            struct arguments a = {.x = vk_plan_elements(plan, &step->input[t]),
                                  .y = vk_plan_elements(plan, &step->input[t + 1]),
                                  .found = found};
            set_rate(&a, dtype, lr);
            dispatch(plan, STEP, dtype, &a);
        }
    }
}

static const struct vk_op ops[] = {{.name = "grad_scaler", .plan = plan_grad_scaler},
                                   {.name = "amp_scale", .plan = plan_scale},
                                   {.name = "amp_unscale", .plan = plan_unscale},
                                   {.name = "amp_step", .plan = plan_step},
                                   {.name = "amp_update_scale", .plan = plan_update_scale}};
const struct vk_op_set vk_op_set_amp = {ops, sizeof ops / sizeof *ops};
