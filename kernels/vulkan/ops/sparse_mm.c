/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/vulkan/sparse.h"

struct arguments { /* of sparse_mm.comp */
    struct vk_view_argument values, dense, result, start, crow, ccol;
    uint64_t row, column, order;
    uint32_t entries, inner, columns, scaled;
    uint64_t alpha, beta;
    uint32_t groups, turn;
};

/* Rows of more entries are summed by a workgroup. */
enum { ALONE_MAX = 4096 };

static const char *const shader[DTYPE_COUNT] = {[DTYPE_FLOAT16] = "sparse_mm.float16",
                                                [DTYPE_BFLOAT16] = "sparse_mm.bfloat16",
                                                [DTYPE_FLOAT32] = "sparse_mm.float32",
                                                [DTYPE_FLOAT64] = "sparse_mm.float64"};

enum { MM, MV, ADDMM, CSR_MM, CSR_MV, BACKWARD_DENSE };

static const struct roles { /* indices of the inputs; start −1: absent */
    int start, pattern, values, dense;
    bool csr, vector, transposed;
} roles[] = {
    [MM] = {.start = -1, .pattern = 0, .values = 1, .dense = 2},
    [MV] = {.start = -1, .pattern = 0, .values = 1, .dense = 2, .vector = true},
    [ADDMM] = {.start = 0, .pattern = 1, .values = 2, .dense = 3},
    [CSR_MM] = {.start = -1, .pattern = 0, .values = 2, .dense = 3, .csr = true},
    [CSR_MV] = {.start = -1, .pattern = 0, .values = 2, .dense = 3, .csr = true, .vector = true},
    [BACKWARD_DENSE] = {.start = -1, .pattern = 1, .values = 2, .dense = 0, .transposed = true},
};

static void expect_shapes(struct vk_plan *plan, const struct step *step, const struct roles *r,
                          const struct vk_sparse *sparse)
{
    const struct view *dense = &step->input[r->dense];
    const int rank = r->vector ? 1 : 2, leading = r->start >= 0 ? r->start : r->values;
    const int64_t n = dense->shape.rank == 2 ? dense->shape.dim[1] : 0;
    const int64_t inner = r->transposed ? sparse->rows : sparse->columns;
    const struct shape values = {.rank = 1, .dim = {sparse->entries}};
    const struct shape shape = {.rank = rank, .dim = {inner, r->vector ? 0 : n}};
    const struct shape start = {.rank = 2, .dim = {sparse->rows, n}};
    vk_sparse_expect(plan, step, r->values, &values, leading);
    vk_sparse_expect(plan, step, r->dense, &shape, leading);
    if (r->start >= 0) {
        vk_sparse_expect(plan, step, r->start, &start, leading);
    }
    if (!shader[step->input[leading].dtype]) {
        vk_plan_fail(plan, LAUNCH_UNSUPPORTED, "%s of %s", step->op->name,
                     dtype_info(step->input[leading].dtype)->name);
    }
}

/* Adds the dispatch. If rows are long, a workgroup computes as many elements as VK_LOOP_LIMIT allows. */
static void dispatch(struct vk_plan *plan, const struct vk_sparse *sparse, struct arguments *a,
                     enum dtype dtype, bool csr)
{
    const bool group = sparse->longest > ALONE_MAX;
    const uint64_t longest = (uint64_t)sparse->longest, elements = a->result.elements;
    const uint64_t each = (group ? longest / VK_WORKGROUP + 8 : longest) + 2 * 32 + 8; /* two bisections */
    const uint64_t share = group && each < VK_LOOP_LIMIT / 2 ? VK_LOOP_LIMIT / 2 / each : 1;
    a->groups = (uint32_t)(elements / share + 1);
    vk_plan_dispatch(plan, &(struct vk_dispatch){.shader = shader[dtype],
                                                 .constants = {sparse->wide, csr, group},
                                                 .groups = !elements ? 0
                                                           : group   ? a->groups
                                                                     : vk_groups(elements, VK_WORKGROUP),
                                                 .arguments = a,
                                                 .bytes = sizeof *a,
                                                 .iterations = share * (each + 1)});
}

static void plan_product(struct vk_plan *plan, const struct step *step)
{
    const struct roles *r = &roles[vk_plan_variant(plan)];
    const struct vk_sparse sparse = vk_sparse_plan(plan, step, r->pattern, r->csr, r->transposed);
    const struct view *indices = &step->input[r->pattern], dense = vk_sparse_matrix(&step->input[r->dense]);
    const enum dtype dtype = dense.dtype;
    if (vk_plan_is_good(plan)) {
        expect_shapes(plan, step, r, &sparse);
    }
    if (!vk_sparse_is_ready(plan, step)) {
        return;
    }
    const struct view result = vk_sparse_matrix(&step->output[0]);
    struct arguments a = {.values = vk_plan_view(plan, &step->input[r->values]),
                          .dense = vk_plan_view(plan, &dense),
                          .result = vk_plan_view(plan, &result),
                          .entries = (uint32_t)sparse.entries,
                          .inner = (uint32_t)dense.shape.dim[0],
                          .columns = (uint32_t)dense.shape.dim[1]};
    if (r->start >= 0) {
        a.start = vk_plan_view(plan, &step->input[r->start]);
        a.scaled = 1;
        a.alpha = vk_real_bits(dtype, attributes_real(&step->attributes, "alpha", 1));
        a.beta = vk_real_bits(dtype, attributes_real(&step->attributes, "beta", 1));
    }
    if (r->csr) {
        a.crow = vk_plan_view(plan, &indices[0]);
        a.ccol = vk_plan_view(plan, &indices[1]);
    } else if (a.result.elements) {
        const struct vk_sparse_order order = vk_sparse_sort(plan, &sparse, indices, r->transposed, false);
        a.row = order.row;
        a.column = order.column;
        a.order = order.order;
    }
    dispatch(plan, &sparse, &a, dtype, r->csr);
}

static const struct vk_op ops[] = {
    {.name = "sparse_mm", .variant = MM, .plan = plan_product},
    {.name = "sparse_mv", .variant = MV, .plan = plan_product},
    {.name = "sparse_addmm", .variant = ADDMM, .plan = plan_product},
    {.name = "csr_mm", .variant = CSR_MM, .plan = plan_product},
    {.name = "csr_mv", .variant = CSR_MV, .plan = plan_product},
    {.name = "sparse_mm_backward_dense", .variant = BACKWARD_DENSE, .plan = plan_product}};
const struct vk_op_set vk_op_set_sparse_mm = {ops, sizeof ops / sizeof *ops};
