/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The gradient of prelu with respect to its weight: a dispatch writes the terms to scratch memory, ordered by
 * channel if each channel has its weight, and the row reductions (rows.h) sum those of each weight. */

#include "kernels/vulkan/plans/rows.h"

struct arguments { /* of prelu_weight.comp */
    struct vk_view_argument gradient, x, terms;
};

static const char *const shader[DTYPE_COUNT] = {[DTYPE_FLOAT16] = "prelu_weight.float16",
                                                [DTYPE_BFLOAT16] = "prelu_weight.bfloat16",
                                                [DTYPE_FLOAT32] = "prelu_weight.float32",
                                                [DTYPE_FLOAT64] = "prelu_weight.float64"};

static bool fit(const struct view *gradient, const struct view *x, const struct view *weight)
{
    const int64_t weights = shape_elements(&weight->shape),
                  channels = x->shape.rank > 1 ? x->shape.dim[1] : 1;
    return gradient->dtype == x->dtype && weight->dtype == x->dtype && weight->shape.rank <= 1 &&
           shape_equal(&gradient->shape, &x->shape) &&
           (weights == 1 || (x->shape.rank > 0 && weights == channels));
}

/* Returns x with dimensions 0 and 1 exchanged, so that the channels are outermost. */
static struct view by_channel(const struct view *x)
{
    struct view y = *x;
    y.shape.dim[0] = x->shape.dim[1];
    y.shape.dim[1] = x->shape.dim[0];
    y.stride[0] = x->stride[1];
    y.stride[1] = x->stride[0];
    return y;
}

static void plan_weight(struct vk_plan *plan, const struct step *step)
{
    struct view gradient = step->input[0], x = step->input[1];
    const struct view *weight = &step->input[2];
    const enum dtype dtype = x.dtype, wide = dtype == DTYPE_FLOAT64 ? DTYPE_FLOAT64 : DTYPE_FLOAT32;
    if (!shader[dtype]) {
        vk_plan_fail(plan, LAUNCH_UNSUPPORTED, "%s of %s", step->op->name, dtype_info(dtype)->name);
    } else if (!fit(&gradient, &x, weight)) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "%s: shapes or dtypes do not fit", step->op->name);
    }
    const uint32_t rows = (uint32_t)shape_elements(&weight->shape);
    if (!vk_plan_is_good(plan) || rows == 0) {
        return;
    }
    if (rows > 1) {
        gradient = by_channel(&gradient);
        x = by_channel(&x);
    }
    struct arguments a = {.gradient = vk_plan_elements(plan, &gradient), .x = vk_plan_elements(plan, &x)};
    if (!vk_plan_is_good(plan)) {
        return;
    }
    const uint32_t terms = a.x.elements;
    const uint64_t size = dtype_info(wide)->size;
    a.terms = vk_view_line(vk_plan_scratch(plan, ((uint64_t)terms + 1) * size), terms, 1);
    vk_plan_dispatch(plan, &(struct vk_dispatch){.shader = shader[dtype],
                                                 .groups = vk_groups(terms, VK_WORKGROUP),
                                                 .arguments = &a,
                                                 .bytes = sizeof a,
                                                 .line = {&a.gradient, &a.x, &a.terms},
                                                 .elements = (uint32_t)terms,
                                                 .iterations = 3 * VK_RANK_MAX});
    vk_rows_values(plan, vk_rows_sums(plan, a.terms.address, rows, terms / rows, wide), &step->output[0]);
}

static const struct vk_op ops[] = {{.name = "prelu_backward_weight", .plan = plan_weight}};
const struct vk_op_set vk_op_set_prelu_weight = {ops, sizeof ops / sizeof *ops};
