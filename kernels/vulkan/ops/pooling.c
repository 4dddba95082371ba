/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Average and maximum pooling and their gradients: an invocation for each element of the result, which scans
 * its window, or the windows that hold it. */

#include "kernels/shapes/pool_sizes.h"
#include "kernels/vulkan/kernel.h"
#include "kernels/vulkan/sparse.h"

#include <stdio.h>

enum { RANK = 3, GRADIENT = 4, MAXIMUM = 8 };

struct planes { /* struct Planes of pooling.comp */
    uint64_t address;
    uint32_t offset, sample, channel, axis[3];
};

struct arguments { /* of pooling.comp */
    struct planes from, indices, result;
    uint64_t divisor; /* as a number of the accumulator's type */
    uint32_t elements, channels, x[3], y[3], kernel[3], stride[3], before[3], dilation[3], windows[3];
    uint32_t counts_padding, divides;
};

static const char *const types[DTYPE_COUNT] = {[DTYPE_FLOAT16] = "float16",
                                               [DTYPE_BFLOAT16] = "bfloat16",
                                               [DTYPE_FLOAT32] = "float32",
                                               [DTYPE_FLOAT64] = "float64"};

/* Strides of samples, channels and three spatial dimensions; those that there are not have stride 0. */
static struct planes planes_of(struct vk_plan *plan, const struct view *view, const struct pool_sizes *s)
{
    const struct vk_view_argument all = vk_plan_view(plan, view);
    struct planes p = {.address = all.address, .offset = all.offset};
    for (int d = 0; d < s->rank; d++) {
        p.axis[3 - s->rank + d] = all.stride[VK_RANK_MAX - s->rank + d];
    }
    p.channel = all.stride[VK_RANK_MAX - s->rank - 1];
    p.sample = s->batched ? all.stride[VK_RANK_MAX - s->rank - 2] : 0;
    return p;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static void set_sizes(struct arguments *a, const struct pool_sizes *s)
{
    a->channels = (uint32_t)s->channels;
    for (int i = 0; i < 3; i++) {
        const int64_t reach = s->dilation[i] * (s->kernel[i] - 1) + 1;
        a->x[i] = (uint32_t)s->x[i];
        a->y[i] = (uint32_t)s->y[i];
        a->kernel[i] = (uint32_t)s->kernel[i];
        a->stride[i] = (uint32_t)s->stride[i];
        a->before[i] = (uint32_t)s->before[i];
        a->dilation[i] = (uint32_t)s->dilation[i];
        a->windows[i] = (uint32_t)smaller((reach + s->stride[i] - 1) / s->stride[i], s->y[i]);
    }
    a->counts_padding = s->counts_padding;
    a->divides = s->divisor != 0;
}

static bool fits(struct vk_plan *plan, const struct step *step, struct pool_sizes *s)
{
    const int variant = vk_plan_variant(plan);
    const bool gradient = variant & GRADIENT, indexed = gradient && (variant & MAXIMUM);
    const struct view *input = step->input;
    if (!types[input[0].dtype]) {
        vk_plan_fail(plan, LAUNCH_UNSUPPORTED, "%s of %s", step->op->name, dtype_info(input[0].dtype)->name);
        return false;
    }
    if (input[gradient].dtype != input[0].dtype ||
        !pool_sizes_of(variant & RANK, &step->attributes, &input[gradient].shape, s) ||
        (gradient && !pool_sizes_fit(s, &input[0].shape)) ||
        (indexed && (!pool_sizes_fit(s, &input[2].shape) || input[2].dtype != DTYPE_INT64))) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "%s: operands and attributes do not fit", step->op->name);
        return false;
    }
    return !indexed || vk_indices_fit(plan, step, &input[2], s->x[0] * s->x[1] * s->x[2], 0);
}

static void plan_pooling(struct vk_plan *plan, const struct step *step)
{
    const int variant = vk_plan_variant(plan);
    const bool gradient = variant & GRADIENT, maximum = variant & MAXIMUM;
    const enum dtype dtype = step->input[0].dtype;
    struct pool_sizes s;
    if (!fits(plan, step, &s) || step->outputs == 0) {
        return;
    }
    struct arguments a = {.from = planes_of(plan, &step->input[0], &s),
                          .result = planes_of(plan, &step->output[0], &s),
                          .divisor = vk_real_bits(dtype, (double)s.divisor)};
    if (maximum) {
        a.indices = planes_of(plan, gradient ? &step->input[2] : &step->output[1], &s);
    }
    set_sizes(&a, &s);
    const int64_t elements = shape_elements(&step->output[0].shape);
    const uint32_t *loops = gradient ? a.windows : a.kernel;
    const uint64_t iterations = 3 * (uint64_t)loops[0] * loops[1] * loops[2] + 8;
    if (iterations > vk_plan_loop_limit(plan)) {
        vk_plan_fail(plan, LAUNCH_UNSUPPORTED, "%s: windows of so many elements", step->op->name);
    }
    if (!vk_plan_is_good(plan) || elements == 0) {
        return;
    }
    char shader[48];
    snprintf(shader, sizeof shader, "pooling.%s%s.%s", maximum ? "max" : "avg", gradient ? "_gradient" : "",
             types[dtype]);
    a.elements = (uint32_t)elements;
    vk_plan_dispatch(plan, &(struct vk_dispatch){.shader = shader,
                                                 .groups = vk_groups(a.elements, VK_WORKGROUP),
                                                 .arguments = &a,
                                                 .bytes = sizeof a,
                                                 .iterations = iterations});
}

#define OP(name_, variant_)                                                                                  \
    {.name = name_, .variant = (variant_), .plan = plan_pooling},                                            \
    {                                                                                                        \
        .name = name_ "_backward", .variant = (variant_) | GRADIENT, .plan = plan_pooling                    \
    }

static const struct vk_op ops[] = {OP("avg_pool1d", 1),           OP("avg_pool2d", 2),
                                   OP("avg_pool3d", 3),           OP("max_pool1d", MAXIMUM | 1),
                                   OP("max_pool2d", MAXIMUM | 2), OP("max_pool3d", MAXIMUM | 3)};
const struct vk_op_set vk_op_set_pooling = {ops, sizeof ops / sizeof *ops};
