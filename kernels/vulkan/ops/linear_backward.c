/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The gradients of a linear layer, as products of the kernels of convolutions: these find their operands by
 * up to four digits, which here are the dimensions of the batch. */

#include "kernels/vulkan/plans/tile.h"
#include "kernels/vulkan/plans/windows.h"

/* What the products of a step have in common. The batch has up to four dimensions. */
struct layer {
    struct vk_view_argument grad, x, weight;
    uint32_t n, k, batch[4];
};

enum { FIRST = VK_RANK_MAX - 5 }; /* the first dimension of the batch in a padded view */

static bool fits(const struct step *step)
{
    const struct view *grad = &step->input[0], *x = &step->input[1], *w = &step->input[2];
    bool good = dtype_is_real(grad->dtype) && x->dtype == grad->dtype && w->dtype == grad->dtype &&
                w->shape.rank == 2 && x->shape.rank >= 1 && grad->shape.rank == x->shape.rank;
    const int last = x->shape.rank - 1;
    for (int d = 0; good && d < last; d++) {
        good = grad->shape.dim[d] == x->shape.dim[d];
    }
    return good && x->shape.dim[last] == w->shape.dim[1] && grad->shape.dim[last] == w->shape.dim[0];
}

/* Digits and strides of the batch, as the terms or as the columns of a product. */
static void along_batch(const struct layer *l, const struct vk_view_argument *view, bool terms,
                        struct windows *v)
{
    for (int i = 0; i < 4; i++) {
        (terms ? v->term : v->column)[i] = l->batch[i];
    }
    *(terms ? &v->b_term : &v->b_first) = view->stride[FIRST];
    for (int i = 0; i < 3; i++) {
        (terms ? v->k_step : v->j_step)[i] = 1;
        v->size[i] = l->batch[1 + i];
        v->axis[i] = view->stride[FIRST + 1 + i];
    }
}

static void along_vector(uint32_t digits[4], uint32_t extent)
{
    digits[0] = extent;
    digits[1] = digits[2] = digits[3] = 1;
}

/* grad_input: rows are elements of a vector, columns the vectors of the batch. */
static struct windows to_input(const struct layer *l, const struct vk_view_argument *result)
{
    struct windows v = {.a = l->weight.address,
                        .a_offset = l->weight.offset,
                        .a_row = l->weight.stride[VK_RANK_MAX - 1],
                        .b = l->grad.address,
                        .b_offset = l->grad.offset,
                        .b_term = l->grad.stride[VK_RANK_MAX - 1],
                        .result = result->address,
                        .c_offset = result->offset,
                        .c_row = result->stride[VK_RANK_MAX - 1],
                        .rows = l->k};
    along_batch(l, &l->grad, false, &v);
    along_vector(v.term, l->n);
    v.a_term[0] = l->weight.stride[VK_RANK_MAX - 2];
    for (int i = 0; i < 4; i++) {
        v.c_column[i] = result->stride[FIRST + i];
    }
    return v;
}

static struct windows to_weight(const struct layer *l, const struct vk_view_argument *result)
{
    struct windows v = {.a = l->grad.address,
                        .a_offset = l->grad.offset,
                        .a_row = l->grad.stride[VK_RANK_MAX - 1],
                        .b = l->x.address,
                        .b_offset = l->x.offset,
                        .b_first = l->x.stride[VK_RANK_MAX - 1],
                        .result = result->address,
                        .c_offset = result->offset,
                        .c_row = result->stride[VK_RANK_MAX - 2],
                        .rows = l->n};
    along_batch(l, &l->x, true, &v);
    along_vector(v.column, l->k);
    v.c_column[0] = result->stride[VK_RANK_MAX - 1];
    for (int i = 0; i < 4; i++) {
        v.a_term[i] = l->grad.stride[FIRST + i];
    }
    return v;
}

static struct windows to_bias(const struct layer *l, const struct vk_view_argument *result)
{
    struct windows v = {.ones = 1,
                        .b = l->grad.address,
                        .b_offset = l->grad.offset,
                        .b_first = l->grad.stride[VK_RANK_MAX - 1],
                        .result = result->address,
                        .c_offset = result->offset,
                        .rows = 1};
    along_batch(l, &l->grad, true, &v);
    along_vector(v.column, l->n);
    v.c_column[0] = result->stride[VK_RANK_MAX - 1];
    return v;
}

static void plan_gradients(struct vk_plan *plan, const struct step *step)
{
    if (!fits(step)) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "%s: the operands' dtypes and shapes do not fit", step->op->name);
        return;
    }
    if (step->outputs == 0) {
        return;
    }
    if (step->input[1].shape.rank > 5) {
        vk_plan_fail(plan, LAUNCH_UNSUPPORTED, "%s: a batch of more than four dimensions", step->op->name);
        return;
    }
    const struct vk_view_argument result[] = {vk_plan_view(plan, &step->output[0]),
                                              vk_plan_view(plan, &step->output[1]),
                                              vk_plan_view(plan, &step->output[2])};
    struct layer l = {.grad = vk_plan_view(plan, &step->input[0]),
                      .x = vk_plan_view(plan, &step->input[1]),
                      .weight = vk_plan_view(plan, &step->input[2]),
                      .n = (uint32_t)step->input[2].shape.dim[0],
                      .k = (uint32_t)step->input[2].shape.dim[1]};
    for (int i = 0; i < 4; i++) {
        l.batch[i] = l.x.dim[FIRST + i];
    }
    vk_windows_add(plan, step->input[0].dtype, to_input(&l, &result[0]), 0);
    vk_windows_add(plan, step->input[0].dtype, to_weight(&l, &result[1]), l.k);
    vk_windows_add(plan, step->input[0].dtype, to_bias(&l, &result[2]), l.n);
}

static bool pays(const struct vk_plan *plan, const struct step *step)
{
    const struct shape *weight = &step->input[2].shape;
    return weight->rank == 2 && vk_tiles_pay(plan, weight->dim[0], weight->dim[1], 1);
}

static const struct vk_op ops[] = {
    {.name = "linear_backward", .plan = plan_gradients},
    {.name = "linear_backward", .route = VK_TILED, .plan = plan_gradients, .pays = pays}};
const struct vk_op_set vk_op_set_linear_backward = {ops, sizeof ops / sizeof *ops};
