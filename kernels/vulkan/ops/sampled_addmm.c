/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/vulkan/sparse.h"

enum { SAMPLED, BACKWARD };

struct sampled_arguments { /* of sampled_addmm.comp */
    struct vk_view_argument left, right, values, result, indices, ccol;
    uint32_t rows, columns, inner, entries;
    uint64_t alpha, beta;
};

static const char *const shader[DTYPE_COUNT] = {[DTYPE_FLOAT16] = "sampled_addmm.float16",
                                                [DTYPE_BFLOAT16] = "sampled_addmm.bfloat16",
                                                [DTYPE_FLOAT32] = "sampled_addmm.float32",
                                                [DTYPE_FLOAT64] = "sampled_addmm.float64"};

static void expect_shapes(struct vk_plan *plan, const struct step *step, const struct vk_sparse *sparse,
                          bool sampled)
{
    const struct view *left = &step->input[sampled ? 3 : 0];
    const int leading = sampled ? 2 : 0;
    const int64_t inner = left->shape.rank == 2 ? left->shape.dim[1] : 0;
    const struct shape rows = {.rank = 2, .dim = {sparse->rows, inner}};
    const struct shape values = {.rank = 1, .dim = {sparse->entries}};
    struct shape columns = {.rank = 2, .dim = {inner, sparse->columns}};
    if (!sampled) {
        columns.dim[0] = sparse->columns;
        columns.dim[1] = inner;
    }
    vk_sparse_expect(plan, step, sampled ? 3 : 0, &rows, leading);
    vk_sparse_expect(plan, step, sampled ? 4 : 2, &columns, leading);
    if (sampled) {
        vk_sparse_expect(plan, step, 2, &values, leading);
    }
    if (!shader[left->dtype]) {
        vk_plan_fail(plan, LAUNCH_UNSUPPORTED, "%s of %s", step->op->name, dtype_info(left->dtype)->name);
    }
}

static struct view transposed(const struct view *view)
{
    struct view turned = *view;
    turned.shape.dim[0] = view->shape.dim[1];
    turned.shape.dim[1] = view->shape.dim[0];
    turned.stride[0] = view->stride[1];
    turned.stride[1] = view->stride[0];
    return turned;
}

static void plan_sampling(struct vk_plan *plan, const struct step *step)
{
    const bool sampled = vk_plan_variant(plan) == SAMPLED;
    const int pattern = sampled ? 0 : 1;
    const struct vk_sparse sparse = vk_sparse_plan(plan, step, pattern, sampled, false);
    const struct view *left = &step->input[sampled ? 3 : 0];
    if (vk_plan_is_good(plan)) {
        expect_shapes(plan, step, &sparse, sampled);
    }
    if (!vk_sparse_is_ready(plan, step)) {
        return;
    }
    const struct view right = sampled ? step->input[4] : transposed(&step->input[2]);
    struct sampled_arguments a = {.left = vk_plan_view(plan, left),
                                  .right = vk_plan_view(plan, &right),
                                  .result = vk_plan_view(plan, &step->output[0]),
                                  .indices = vk_plan_view(plan, &step->input[pattern]),
                                  .rows = (uint32_t)sparse.rows,
                                  .columns = (uint32_t)sparse.columns,
                                  .inner = (uint32_t)left->shape.dim[1],
                                  .entries = (uint32_t)sparse.entries};
    if (sampled) {
        a.ccol = vk_plan_view(plan, &step->input[1]);
        a.values = vk_plan_view(plan, &step->input[2]);
        a.alpha = vk_real_bits(left->dtype, attributes_real(&step->attributes, "alpha", 1));
        a.beta = vk_real_bits(left->dtype, attributes_real(&step->attributes, "beta", 1));
    }
    vk_plan_dispatch(plan, &(struct vk_dispatch){.shader = shader[left->dtype],
                                                 .constants = {sparse.wide, sampled},
                                                 .groups = vk_groups(a.result.elements, VK_WORKGROUP),
                                                 .arguments = &a,
                                                 .bytes = sizeof a,
                                                 .iterations = (uint64_t)a.inner + 32 + 8});
}

static const struct vk_op ops[] = {
    {.name = "sampled_addmm", .variant = SAMPLED, .plan = plan_sampling},
    {.name = "sparse_mm_backward_sparse", .variant = BACKWARD, .plan = plan_sampling}};
const struct vk_op_set vk_op_set_sampled_addmm = {ops, sizeof ops / sizeof *ops};
