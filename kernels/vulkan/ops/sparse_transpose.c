/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/vulkan/sparse.h"

struct arguments { /* of sparse_transpose.comp */
    struct vk_view_argument from, to;
};

static void copy(struct vk_plan *plan, const struct view *from, const struct view *to)
{
    const size_t size = dtype_info(from->dtype)->size;
    const struct arguments arguments = {.from = vk_plan_elements(plan, from),
                                        .to = vk_plan_elements(plan, to)};
    vk_plan_dispatch(plan, &(struct vk_dispatch){.shader = size == 2   ? "sparse_transpose.bits16"
                                                           : size == 4 ? "sparse_transpose.bits32"
                                                                       : "sparse_transpose.bits64",
                                                 .groups = vk_groups(arguments.to.elements, VK_WORKGROUP),
                                                 .arguments = &arguments,
                                                 .bytes = sizeof arguments,
                                                 .iterations = 2 * VK_RANK_MAX});
}

static void plan_transpose(struct vk_plan *plan, const struct step *step)
{
    const struct vk_sparse sparse = vk_sparse_plan(plan, step, 0, false, false);
    const struct shape values = {.rank = 1, .dim = {sparse.entries}};
    if (vk_plan_is_good(plan)) {
        vk_sparse_expect(plan, step, 1, &values, 1);
    }
    if (!vk_sparse_is_ready(plan, step)) {
        return;
    }
    struct view exchanged = step->input[0];
    exchanged.offset += exchanged.stride[0];
    exchanged.stride[0] = -exchanged.stride[0];
    copy(plan, &exchanged, &step->output[0]);
    copy(plan, &step->input[1], &step->output[1]);
}

static const struct vk_op ops[] = {{.name = "sparse_transpose", .plan = plan_transpose}};
const struct vk_op_set vk_op_set_sparse_transpose = {ops, 1};
