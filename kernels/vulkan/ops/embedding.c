/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* embedding, and its gradient by the table. The gradient's first dispatch writes for each vector of
 * grad_output the row that its index names, and where it lies. Then an invocation for each element of the
 * gradient scans this list, so that no order of additions depends on the device. A long list takes several
 * dispatches, which hand on the sums. */

#include "kernels/vulkan/kernel.h"
#include "kernels/vulkan/sparse.h"

struct arguments { /* of embedding.comp */
    struct vk_view_argument from, indices, result;
    uint64_t list, sums, counts;
    uint32_t rows, width, padding, step, begin, end, vectors, unused;
};

enum { NO_ROW = -2 }; /* as uint32: a number that no row has; −1 is that of a vector that counts for none */

static const char *const sums[DTYPE_COUNT] = {[DTYPE_FLOAT16] = "embedding.sum.float16",
                                              [DTYPE_BFLOAT16] = "embedding.sum.bfloat16",
                                              [DTYPE_FLOAT32] = "embedding.sum.float32",
                                              [DTYPE_FLOAT64] = "embedding.sum.float64"};

/* Returns whether operands and padding_idx fit a table of so many rows; fails the plan if not. */
static bool fits(struct vk_plan *plan, const struct step *step, bool good, int64_t rows)
{
    const int64_t padding = attributes_integer(&step->attributes, "padding_idx", 0);
    if (!sums[step->input[0].dtype]) {
        vk_plan_fail(plan, LAUNCH_UNSUPPORTED, "%s of %s", step->op->name,
                     dtype_info(step->input[0].dtype)->name);
        return false;
    }
    good = good && rows >= 0 && step->input[1].dtype == DTYPE_INT64;
    if (!good ||
        (attributes_given(&step->attributes, "padding_idx") && (padding < -rows || padding >= rows))) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "%s: shapes, dtypes or padding_idx do not fit", step->op->name);
        return false;
    }
    if (rows == 0 && shape_elements(&step->input[1].shape) > 0) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "%s: a table without rows has no index", step->op->name);
    }
    return vk_indices_fit(plan, step, &step->input[1], rows, 0) && step->outputs > 0;
}

static void plan_forward(struct vk_plan *plan, const struct step *step)
{
    const struct shape *table = &step->input[0].shape;
    if (!fits(plan, step, table->rank == 2, table->rank == 2 ? table->dim[0] : 0)) {
        return;
    }
    const size_t size = dtype_info(step->input[0].dtype)->size;
    const struct arguments a = {.from = vk_plan_elements(plan, &step->input[0]),
                                .indices = vk_plan_elements(plan, &step->input[1]),
                                .result = vk_plan_elements(plan, &step->output[0]),
                                .rows = (uint32_t)table->dim[0],
                                .width = (uint32_t)table->dim[1]};
    vk_plan_dispatch(plan, &(struct vk_dispatch){.shader = size == 2   ? "embedding.rows16"
                                                           : size == 4 ? "embedding.rows32"
                                                                       : "embedding.rows64",
                                                 .groups = vk_groups(a.result.elements, VK_WORKGROUP),
                                                 .arguments = &a,
                                                 .bytes = sizeof a,
                                                 .iterations = 3 * VK_RANK_MAX + 8});
}

static bool gradient_fits(const struct step *step)
{
    const struct shape *grad = &step->input[0].shape, *indices = &step->input[1].shape;
    bool good = grad->rank == indices->rank + 1;
    for (int d = 0; good && d < indices->rank; d++) {
        good = grad->dim[d] == indices->dim[d];
    }
    return good;
}

static void add_sums(struct vk_plan *plan, struct arguments *a, enum dtype dtype)
{
    enum { SPARE = 64, MOST = 1 << 24 };
    const uint64_t limit = vk_plan_loop_limit(plan);
    const uint32_t most = limit > MOST ? MOST : limit > 2 * SPARE ? (uint32_t)limit - SPARE : 1;
    if (a->vectors > most) {
        a->sums = vk_plan_scratch(plan, (uint64_t)a->result.elements * 16);
        a->counts = vk_plan_scratch(plan, (uint64_t)a->result.elements * 4);
    }
    do {
        a->begin = a->end;
        a->end = a->vectors - a->begin > most ? a->begin + most : a->vectors;
        vk_plan_dispatch(plan, &(struct vk_dispatch){.shader = sums[dtype],
                                                     .groups = vk_groups(a->result.elements, VK_WORKGROUP),
                                                     .arguments = a,
                                                     .bytes = sizeof *a,
                                                     .iterations = a->end - a->begin + VK_RANK_MAX});
    } while (a->end < a->vectors);
}

static void plan_gradient(struct vk_plan *plan, const struct step *step)
{
    const struct view *grad = &step->input[0];
    const int64_t rows = attributes_integer(&step->attributes, "num_weights", -1),
                  padding = attributes_integer(&step->attributes, "padding_idx", 0);
    if (!fits(plan, step, gradient_fits(step), rows)) {
        return;
    }
    unsigned last = 1U << (grad->shape.rank - 1);
    const struct view folded = vk_plan_fold_reduced(plan, grad, &last);
    const struct vk_view_argument all = vk_plan_view(plan, &folded);
    const unsigned columns = last << (VK_RANK_MAX - folded.shape.rank);
    struct arguments a = {.from = vk_view_only(&all, ~columns),
                          .indices = vk_plan_elements(plan, &step->input[1]),
                          .result = vk_plan_elements(plan, &step->output[0]),
                          .rows = (uint32_t)rows,
                          .width = (uint32_t)grad->shape.dim[grad->shape.rank - 1],
                          .padding = (uint32_t)NO_ROW,
                          .step = vk_view_only(&all, columns).step};
    if (attributes_given(&step->attributes, "padding_idx")) {
        a.padding = (uint32_t)(padding < 0 ? padding + rows : padding);
    }
    a.vectors = a.indices.elements;
    a.list = vk_plan_scratch(plan, (uint64_t)a.vectors * 8 + 8);
    if (!vk_plan_is_good(plan) || a.result.elements == 0) {
        return;
    }
    vk_plan_dispatch(plan, &(struct vk_dispatch){.shader = "embedding.list",
                                                 .groups = vk_groups(a.vectors, VK_WORKGROUP),
                                                 .arguments = &a,
                                                 .bytes = sizeof a,
                                                 .iterations = 2 * VK_RANK_MAX + 8});
    add_sums(plan, &a, grad->dtype);
}

static const struct vk_op ops[] = {{.name = "embedding", .plan = plan_forward},
                                   {.name = "embedding_backward", .plan = plan_gradient}};
const struct vk_op_set vk_op_set_embedding = {ops, sizeof ops / sizeof *ops};
