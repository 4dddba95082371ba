/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/vulkan/plans/product.h"

enum { INT_MM, INT8_LINEAR };
enum { TERMS_PER_DISPATCH = 32768 };

struct vector { /* struct Vector of int_mm.comp */
    uint64_t address;
    uint32_t offset, stride;
};

struct arguments {
    struct vk_view_argument rows, result;
    struct vector along, columns, terms, input_scale, weight_scales;
    uint64_t partial;
    uint32_t n, first, last, inner;
};

/* One dimension of a view. */
static struct vector vector_of(struct vk_plan *plan, const struct view *view, int dimension)
{
    struct vk_view_argument whole = vk_plan_elements(plan, view);
    uint32_t stride = dimension < view->shape.rank ? (uint32_t)view->stride[dimension] : 0;
    return (struct vector){.address = whole.address, .offset = whole.offset, .stride = stride};
}

static void dispatches(struct vk_plan *plan, struct arguments *v, bool linear)
{
    uint64_t elements = v->result.elements;
    if (v->inner > TERMS_PER_DISPATCH) {
        v->partial = vk_plan_scratch(plan, elements * 4);
    }
    do {
        v->first = v->last;
        v->last = v->inner - v->first > TERMS_PER_DISPATCH ? v->first + TERMS_PER_DISPATCH : v->inner;
        vk_plan_dispatch(plan, &(struct vk_dispatch){.shader = linear ? "int_mm.float32" : "int_mm.int32",
                                                     .groups = vk_groups(elements, VK_WORKGROUP),
                                                     .arguments = v,
                                                     .bytes = sizeof *v,
                                                     .iterations = TERMS_PER_DISPATCH + 2 * VK_RANK_MAX});
    } while (v->last < v->inner);
}

static void plan_int_mm(struct vk_plan *plan, const struct step *step)
{
    bool linear = vk_plan_variant(plan) == INT8_LINEAR;
    vk_product_int8_check(plan, step, linear);
    if (!vk_plan_is_good(plan)) {
        return;
    }
    const struct view *b = &step->input[1], *result = &step->output[0];
    struct view rows = step->input[0];
    int last = rows.shape.rank - 1;
    struct arguments v = {.inner = (uint32_t)rows.shape.dim[last], .n = (uint32_t)result->shape.dim[last]};
    v.along = vector_of(plan, &rows, last);
    v.columns = vector_of(plan, b, !linear);
    v.terms = vector_of(plan, b, linear);
    if (linear) {
        v.input_scale = vector_of(plan, &step->input[2], 0);
        v.weight_scales = vector_of(plan, &step->input[3], 0);
    }
    rows.shape.rank = last;
    v.result = vk_plan_elements(plan, result);
    v.rows = v.inner == 0 ? v.result : vk_plan_elements(plan, &rows); /* nothing is read without terms */
    dispatches(plan, &v, linear);
}

static const struct vk_op ops[] = {{.name = "int_mm", .variant = INT_MM, .plan = plan_int_mm},
                                   {.name = "int8_linear", .variant = INT8_LINEAR, .plan = plan_int_mm}};
const struct vk_op_set vk_op_set_int_mm = {ops, sizeof ops / sizeof *ops};
