/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/vulkan/kernel.h"

#include <string.h>

enum { LOGDET, SLOGDET };

struct arguments { /* of logdet.comp */
    struct vk_view_argument batch, sign, logarithm;
    uint64_t matrix, pivots;
    uint32_t row_stride, column_stride;
    uint32_t n, count, k, width;
    uint32_t flush, is_signed;
};

enum {
    SMALL_32 =
        48, /* greatest n that one workgroup factors in shared memory: 9,216 and 8,192 bytes of the 16,384 */
    SMALL_64 = 32, /* that every device has; logdet.comp's STRIDE */
    PANEL_THREADS = 128,
    PANEL_WIDTH = 32
};

static const char *shader(enum dtype dtype, const char *single, const char *twice)
{
    return dtype == DTYPE_FLOAT32 ? single : twice;
}
#define SHADER(phase) shader(dtype, "logdet." phase "_float32", "logdet." phase "_float64")

static uint64_t ceiling(uint64_t a, uint64_t b)
{
    return (a + b - 1) / b;
}

/* Returns the view of the first elements of all matrices: the batch dimensions only. */
static struct view batch_of(const struct view *x)
{
    struct view batch = *x;
    batch.shape.rank -= 2;
    return batch;
}

static void plan_small(struct vk_plan *plan, enum dtype dtype, const struct arguments *arguments)
{
    const uint64_t n = arguments->n;
    const uint32_t workgroup = vk_sharers(n * n);
    /* For each column: a search over n rows, the exchange, the quotients, and the update of n·n elements; a
     * left-looking elimination has up to n sweeps in place of the update. */
    const uint64_t column = n + 2 * ceiling(n, workgroup) + ceiling(n * n, workgroup) + n;
    vk_plan_dispatch(plan, &(struct vk_dispatch){.shader = SHADER("small"),
                                                 .workgroup = workgroup,
                                                 .groups = arguments->count,
                                                 .arguments = arguments,
                                                 .bytes = sizeof *arguments,
                                                 .iterations = 4 * VK_RANK_MAX + ceiling(n * n, workgroup) +
                                                               (n + 2) * (column + 2)});
}

/* Returns the loop iterations of one invocation of PANEL for `rows` rows. */
static uint64_t panel_iterations(uint64_t rows, uint64_t width)
{
    const uint64_t share = ceiling(rows, PANEL_THREADS);
    return width * (1 + share + 7 + ceiling(width, PANEL_THREADS) + share) + share * width * (width - 1) / 2;
}

static void plan_panel(struct vk_plan *plan, enum dtype dtype, const struct arguments *arguments)
{
    const uint64_t rest = arguments->n - arguments->k - arguments->width, count = arguments->count;
    const uint64_t width = arguments->width;
    struct vk_dispatch dispatch = {.arguments = arguments, .bytes = sizeof *arguments};
    dispatch.shader = SHADER("panel");
    dispatch.workgroup = PANEL_THREADS;
    dispatch.constants[0] = PANEL_THREADS;
    dispatch.groups = count;
    dispatch.iterations = panel_iterations(arguments->n - arguments->k, width);
    vk_plan_dispatch(plan, &dispatch);
    dispatch.shader = SHADER("solve");
    dispatch.workgroup = VK_WORKGROUP;
    dispatch.constants[0] = 0;
    dispatch.groups = vk_groups(count * rest, VK_WORKGROUP);
    dispatch.iterations = width + width + width * (width - 1) / 2;
    vk_plan_dispatch(plan, &dispatch);
    dispatch.shader = SHADER("update");
    dispatch.groups = vk_groups(count * rest * rest, VK_WORKGROUP);
    dispatch.iterations = width;
    vk_plan_dispatch(plan, &dispatch);
}

static void plan_blocked(struct vk_plan *plan, enum dtype dtype, struct arguments *arguments)
{
    const uint64_t n = arguments->n, count = arguments->count;
    uint32_t width = PANEL_WIDTH;
    if (n > UINT16_MAX || count * n * n > INT32_MAX) {
        vk_plan_fail(plan, LAUNCH_UNSUPPORTED,
                     "%llu matrices of order %llu: kernels number elements in 32 bits",
                     (unsigned long long)count, (unsigned long long)n);
        return;
    }
    while (width > 1 && panel_iterations(n, width) > vk_plan_loop_limit(plan)) {
        width /= 2;
    }
    arguments->matrix = vk_plan_scratch(plan, count * n * n * dtype_info(dtype)->size);
    arguments->pivots = vk_plan_scratch(plan, count * n * sizeof(uint32_t));
    struct vk_dispatch dispatch = {.arguments = arguments, .bytes = sizeof *arguments};
    dispatch.shader = SHADER("copy");
    dispatch.groups = vk_groups(count * n * n, VK_WORKGROUP);
    dispatch.iterations = VK_RANK_MAX;
    vk_plan_dispatch(plan, &dispatch);
    for (arguments->k = 0; arguments->k < n; arguments->k += width) {
        arguments->width = n - arguments->k < width ? (uint32_t)n - arguments->k : width;
        plan_panel(plan, dtype, arguments);
    }
    dispatch.shader = SHADER("finish");
    dispatch.groups = vk_groups(count, VK_WORKGROUP);
    dispatch.iterations = n + 2 * VK_RANK_MAX;
    vk_plan_dispatch(plan, &dispatch);
}

static void plan_logdet(struct vk_plan *plan, const struct step *step)
{
    const struct view *x = &step->input[0];
    const enum dtype dtype = x->dtype;
    const int rank = x->shape.rank;
    const bool is_signed = vk_plan_variant(plan) == SLOGDET;
    if (dtype != DTYPE_FLOAT32 && dtype != DTYPE_FLOAT64) {
        vk_plan_fail(plan, LAUNCH_UNSUPPORTED, "%s of %s", step->op->name, dtype_info(dtype)->name);
    } else if (rank < 2 || x->shape.dim[rank - 1] != x->shape.dim[rank - 2]) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "%s: the last two dimensions must be equal", step->op->name);
    }
    if (!vk_plan_is_good(plan)) {
        return;
    }
    struct view matrices = *x;
    vk_plan_fold(plan, 1, (struct view *const[]){&matrices}, 3U << (rank - 2), NULL);
    const struct view batch = batch_of(x);
    const int64_t n = x->shape.dim[rank - 1], count = shape_elements(&batch.shape);
    const struct vk_view_argument whole = vk_plan_view(plan, &matrices); /* bounds and strides */
    struct arguments arguments = {.batch = whole,
                                  .logarithm = vk_plan_elements(plan, &step->output[is_signed]),
                                  .row_stride = whole.stride[VK_RANK_MAX - 2],
                                  .column_stride = whole.stride[VK_RANK_MAX - 1],
                                  .n = (uint32_t)n,
                                  .count = (uint32_t)count,
                                  .flush = !vk_plan_keeps_subnormals(plan, dtype == DTYPE_FLOAT32 ? 32 : 64),
                                  .is_signed = is_signed};
    if (!vk_plan_is_good(plan) || count == 0) {
        return;
    }
    memmove(arguments.batch.dim + 2, arguments.batch.dim, (VK_RANK_MAX - 2) * sizeof *arguments.batch.dim);
    memmove(arguments.batch.stride + 2, arguments.batch.stride,
            (VK_RANK_MAX - 2) * sizeof *arguments.batch.stride);
    arguments.batch.dim[0] = arguments.batch.dim[1] = 1;
    vk_view_join(&arguments.batch);
    arguments.sign = is_signed ? vk_plan_elements(plan, &step->output[0]) : arguments.logarithm;
    const int64_t small = dtype == DTYPE_FLOAT32 ? SMALL_32 : SMALL_64;
    if (n <= small) {
        plan_small(plan, dtype, &arguments);
    } else {
        plan_blocked(plan, dtype, &arguments);
    }
}

static const struct vk_op ops[] = {{.name = "logdet", .variant = LOGDET, .plan = plan_logdet},
                                   {.name = "slogdet", .variant = SLOGDET, .plan = plan_logdet}};
const struct vk_op_set vk_op_set_logdet = {ops, 2};
