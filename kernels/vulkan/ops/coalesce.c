/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/vulkan/sparse.h"

enum { COALESCE, TO_DENSE };

struct coalesce_arguments { /* of coalesce.comp */
    struct vk_view_argument values, indices, result;
    uint64_t row, column, order, number, total;
    uint32_t entries, columns, groups, padding;
};

/* Places of more duplicates are summed by a workgroup. */
enum { ALONE_MAX = 4096 };
enum { SHARE = 512 }; /* entries that one workgroup examines */

#define SHADERS(phase)                                                                                       \
    {                                                                                                        \
        [DTYPE_FLOAT16] = "coalesce." phase "_float16", [DTYPE_BFLOAT16] = "coalesce." phase "_bfloat16",    \
        [DTYPE_FLOAT32] = "coalesce." phase "_float32", [DTYPE_FLOAT64] = "coalesce." phase "_float64",      \
    }

static const char *const fill[DTYPE_COUNT] = SHADERS("fill"), *const sum[DTYPE_COUNT] = SHADERS("sum");

static void expect_values(struct vk_plan *plan, const struct step *step, const struct vk_sparse *sparse)
{
    const struct shape values = {.rank = 1, .dim = {sparse->entries}};
    vk_sparse_expect(plan, step, 1, &values, 1);
    if (!sum[step->input[1].dtype]) {
        vk_plan_fail(plan, LAUNCH_UNSUPPORTED, "%s of %s", step->op->name,
                     dtype_info(step->input[1].dtype)->name);
    }
}

/* Fills the dense matrix with zeros, or numbers the places. A place is a row and a column with an entry. */
static void prepare(struct vk_plan *plan, struct coalesce_arguments *a, bool dense, enum dtype dtype)
{
    struct vk_dispatch dispatch = {.shader = dense ? fill[dtype] : "coalesce.heads",
                                   .groups = vk_groups(dense ? a->result.elements : a->entries, VK_WORKGROUP),
                                   .arguments = a,
                                   .bytes = sizeof *a};
    vk_plan_dispatch(plan, &dispatch);
    if (!dense) {
        vk_sparse_scan(plan, a->number, a->entries, a->total);
    }
}

static void dispatch_sums(struct vk_plan *plan, const struct vk_sparse *sparse, struct coalesce_arguments *a,
                          bool dense, enum dtype dtype)
{
    const bool group = sparse->longest > ALONE_MAX;
    const uint64_t longest = (uint64_t)sparse->longest;
    a->groups = a->entries / SHARE + 1;
    const uint64_t alone = longest + 32 + 8, shared = SHARE * (1 + 32) + a->entries / VK_WORKGROUP + 8;
    vk_plan_dispatch(plan,
                     &(struct vk_dispatch){.shader = sum[dtype],
                                           .constants = {sparse->wide, dense, group},
                                           .groups = group ? a->groups : vk_groups(a->entries, VK_WORKGROUP),
                                           .arguments = a,
                                           .bytes = sizeof *a,
                                           .iterations = group ? shared : alone});
}

static void plan_sums(struct vk_plan *plan, const struct step *step)
{
    const bool dense = vk_plan_variant(plan) == TO_DENSE;
    struct vk_sparse sparse = vk_sparse_plan(plan, step, 0, false, false);
    const enum dtype dtype = step->input[1].dtype;
    if (vk_plan_is_good(plan)) {
        expect_values(plan, step, &sparse);
    }
    if (!vk_sparse_is_ready(plan, step)) {
        return;
    }
    if (sparse.longest > ALONE_MAX) { /* entries of a row; a single place seldom has so many */
        sparse.longest = vk_sparse_most_duplicates(plan, step, &step->input[0], &sparse);
    }
    struct coalesce_arguments a = {.values = vk_plan_view(plan, &step->input[1]),
                                   .result = vk_plan_view(plan, &step->output[dense ? 0 : 1]),
                                   .entries = (uint32_t)sparse.entries,
                                   .columns = (uint32_t)sparse.columns};
    if (!dense) {
        a.indices = vk_plan_view(plan, &step->output[0]);
    }
    const struct vk_sparse_order order = vk_sparse_sort(plan, &sparse, &step->input[0], false, true);
    a.row = order.row;
    a.column = order.column;
    a.order = order.order;
    a.number = order.scan;
    a.total = vk_plan_scratch(plan, 8);
    prepare(plan, &a, dense, dtype);
    dispatch_sums(plan, &sparse, &a, dense, dtype);
}

static const struct vk_op ops[] = {{.name = "coalesce", .variant = COALESCE, .plan = plan_sums},
                                   {.name = "to_dense", .variant = TO_DENSE, .plan = plan_sums}};
const struct vk_op_set vk_op_set_coalesce = {ops, sizeof ops / sizeof *ops};
