/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/vulkan/plans/product.h"

#include "kernels/vulkan/plans/formats.h"
#include "reference/ops/matmul/matmul.h"

/* Inserts a dimension of extent `size` and stride 0 before dimension d. */
static void insert(struct view *view, int d, int64_t size)
{
    for (int i = view->shape.rank++; i > d; i--) {
        view->shape.dim[i] = view->shape.dim[i - 1];
        view->stride[i] = view->stride[i - 1];
    }
    view->shape.dim[d] = size;
    view->stride[d] = 0;
}

/* Turns `a` and `b` into matrices with the same batch dimensions; false if their shapes cannot be multiplied.
 * If `linear`, b is the weight of a linear layer and is transposed. */
static bool align(struct view *a, struct view *b, bool linear)
{
    if (a->shape.rank == 0 || b->shape.rank == 0 || (linear && b->shape.rank != 2)) {
        return false;
    }
    if (linear) {
        const struct view weight = *b;
        b->shape.dim[0] = weight.shape.dim[1];
        b->shape.dim[1] = weight.shape.dim[0];
        b->stride[0] = weight.stride[1];
        b->stride[1] = weight.stride[0];
    }
    if (a->shape.rank == 1) {
        insert(a, 0, 1);
    }
    if (b->shape.rank == 1) {
        insert(b, 1, 1);
    }
    while (a->shape.rank < b->shape.rank) {
        insert(a, 0, 1);
    }
    while (b->shape.rank < a->shape.rank) {
        insert(b, 0, 1);
    }
    const int batches = a->shape.rank - 2;
    for (int d = 0; d < batches; d++) {
        const int64_t x = a->shape.dim[d], y = b->shape.dim[d];
        if (x != y && x != 1 && y != 1) {
            return false;
        }
        if (x != y) {
            struct view *one = x == 1 ? a : b;
            one->shape.dim[d] = x == 1 ? y : x;
            one->stride[d] = 0;
        }
    }
    return a->shape.dim[batches + 1] == b->shape.dim[batches];
}

/* What the operands take part as; fails the plan where they do not agree. */
static enum dtype common_dtype(struct vk_plan *plan, const struct step *step, int inputs, bool autocast)
{
    const enum dtype target = matmul_autocast_dtype(&step->attributes);
    enum dtype common = DTYPE_COUNT;
    if (autocast && target == DTYPE_COUNT) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "%s: dtype must be 10 (float16) or 16 (bfloat16)",
                     step->op->name);
    }
    for (int i = 0; i < inputs; i++) {
        const enum dtype own = step->input[i].dtype, taken = autocast && own != DTYPE_FLOAT64 ? target : own;
        if (!dtype_is_real(own)) {
            vk_plan_fail(plan, LAUNCH_REJECTED, "%s of %s", step->op->name, dtype_info(own)->name);
        }
        if (i > 0 && taken != common) {
            vk_plan_fail(plan, LAUNCH_REJECTED, "%s: the operands differ in dtype", step->op->name);
        }
        common = taken;
    }
    return common;
}

/* Returns the result as matrices, with a dimension of extent 1 in place of each operand dimension that a
 * vector lacks. */
static struct view result_of(const struct step *step)
{
    struct view c = step->output[0];
    const bool row = step->input[0].shape.rank == 1, column = step->input[1].shape.rank == 1;
    if (column) {
        insert(&c, c.shape.rank, 1);
    }
    if (row) {
        insert(&c, c.shape.rank - 1, 1);
    }
    return c;
}

/* Returns the product of a step whose operands, aligned, are a and b: its views and the number of its terms.
 */
static struct product product_of(struct vk_plan *plan, const struct step *step, struct view a, struct view b)
{
    struct view c = result_of(step);
    vk_plan_fold(plan, 3, (struct view *const[]){&a, &b, &c}, 3U << (a.shape.rank - 2), NULL);
    return (struct product){.a = vk_plan_view(plan, &a),
                            .b = vk_plan_view(plan, &b),
                            .result = vk_plan_view(plan, &c),
                            .inner = (uint32_t)a.shape.dim[a.shape.rank - 1]};
}

struct product vk_product(struct vk_plan *plan, const struct step *step, int variant)
{
    const bool linear = variant & PRODUCT_LINEAR, autocast = variant & PRODUCT_AUTOCAST,
               vector = variant & PRODUCT_VECTOR;
    struct view a = step->input[0], b = step->input[1];
    const bool biased = step->inputs > 2 && step->input[2].storage >= 0;
    const enum dtype dtype = common_dtype(plan, step, biased ? 3 : 2, autocast);
    if ((vector && (a.shape.rank != 2 || b.shape.rank != 1)) || !align(&a, &b, linear)) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "%s: the shapes cannot be multiplied", step->op->name);
    } else if (biased && (step->input[2].shape.rank != 1 ||
                          step->input[2].shape.dim[0] != b.shape.dim[b.shape.rank - 1])) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "%s: bias must have one element for each row of weight",
                     step->op->name);
    }
    if (!vk_plan_is_good(plan)) {
        return (struct product){.width = ""};
    }
    struct product product = product_of(plan, step, a, b);
    product.biased = biased;
    product.dtype = dtype;
    product.formats = vk_format(a.dtype) | vk_format(b.dtype) << FORMAT_B | vk_format(dtype) << FORMAT_RESULT;
    if (biased) {
        product.bias = vk_plan_view(plan, &step->input[2]);
        product.formats |= vk_format(step->input[2].dtype) << FORMAT_BIAS;
    }
    if (autocast) {
        product.formats |= vk_format(dtype) << FORMAT_CAST;
    }
    product.width = product.formats >> FORMAT_CAST & 3 ? "autocast" : vk_format_width(dtype, product.formats);
    return product;
}

void vk_product_int8_check(struct vk_plan *plan, const struct step *step, bool linear)
{
    const struct view *a = &step->input[0], *b = &step->input[1];
    int last = a->shape.rank - 1;
    if (a->dtype != DTYPE_INT8 || b->dtype != DTYPE_INT8) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "%s of other dtypes than int8", step->op->name);
    } else if (last < 0 || b->shape.rank != 2 || (!linear && last != 1) ||
               a->shape.dim[last] != b->shape.dim[linear]) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "%s: shapes cannot be multiplied", step->op->name);
    } else if (linear) {
        const struct shape *x = &step->input[2].shape, *w = &step->input[3].shape;
        if (x->rank != 0 || w->rank != 1 || w->dim[0] != b->shape.dim[0]) {
            vk_plan_fail(plan, LAUNCH_REJECTED, "%s: one input_scale, and one of each row of weight",
                         step->op->name);
        }
    }
}

struct product vk_product_int8(struct vk_plan *plan, const struct step *step, bool linear)
{
    struct view a = step->input[0], b = step->input[1];
    vk_product_int8_check(plan, step, linear);
    if (!vk_plan_is_good(plan) || !align(&a, &b, linear)) {
        return (struct product){.width = ""};
    }
    struct product product = product_of(plan, step, a, b);
    product.dtype = DTYPE_INT8;
    product.width = linear ? "scaled" : "int8";
    if (linear) {
        const struct vk_view_argument scale = vk_plan_view(plan, &step->input[2]);
        product.bias = vk_plan_view(plan, &step->input[3]);
        product.scale = scale.address + scale.offset * sizeof(float);
    }
    return product;
}
