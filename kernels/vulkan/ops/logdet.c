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

enum {                  /* of route wide */
       WIDE_LEAST = 64, /* least n for which it pays: 10,000 × 32² take 1.4 times as long as on portable */
       WIDE_THREADS = 256,
       WIDE_PANEL = 8, /* most columns of a panel, and the fewest; logdet_wide.glsl's MOST */
       WIDE_PANEL_LEAST = 4,
       WIDE_TILE = 32
};

static const char *shader(enum dtype dtype, const char *single, const char *twice)
{
    return dtype == DTYPE_FLOAT32 ? single : twice;
}
#define SHADER(phase)      shader(dtype, "logdet." phase "_float32", "logdet." phase "_float64")
#define WIDE_SHADER(phase) shader(dtype, "logdet." phase "_float32_wide", "logdet." phase "_float64_wide")

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

/* Allocates scratch memory for the matrices that are factored in blocks; false if the plan has failed. */
static bool take_scratch(struct vk_plan *plan, enum dtype dtype, struct arguments *arguments)
{
    const uint64_t n = arguments->n, count = arguments->count;
    if (n > UINT16_MAX || count * n * n > INT32_MAX) {
        vk_plan_fail(plan, LAUNCH_UNSUPPORTED,
                     "%llu matrices of order %llu: kernels number elements in 32 bits",
                     (unsigned long long)count, (unsigned long long)n);
    }
    if (vk_plan_is_good(plan)) {
        arguments->matrix = vk_plan_scratch(plan, count * n * n * dtype_info(dtype)->size);
        arguments->pivots = vk_plan_scratch(plan, count * n * sizeof(uint32_t));
    }
    return vk_plan_is_good(plan);
}

static void plan_blocked(struct vk_plan *plan, enum dtype dtype, struct arguments *arguments)
{
    const uint64_t n = arguments->n, count = arguments->count;
    uint32_t width = PANEL_WIDTH;
    if (!take_scratch(plan, dtype, arguments)) {
        return;
    }
    while (width > 1 && panel_iterations(n, width) > vk_plan_loop_limit(plan)) {
        width /= 2;
    }
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

/* Returns the rows of route wide's panel in shared memory, so that few pipelines serve all orders. */
static uint32_t wide_rows(uint64_t n)
{
    return (uint32_t)ceiling(n, WIDE_THREADS) * WIDE_THREADS;
}

/* Returns the columns of route wide's panels, or fails the plan if too few of them fit in shared memory. */
static uint32_t wide_width(struct vk_plan *plan, enum dtype dtype, uint64_t n)
{
    const uint64_t size = dtype_info(dtype)->size, search = WIDE_THREADS * (size + sizeof(uint32_t));
    uint32_t width = WIDE_PANEL;
    while (width * size * wide_rows(n) + search > vk_plan_shared_bytes(plan)) {
        width /= 2;
    }
    if (width < WIDE_PANEL_LEAST) {
        vk_plan_fail(plan, LAUNCH_UNSUPPORTED, "%d columns of order %llu are more than shared memory holds",
                     WIDE_PANEL_LEAST, (unsigned long long)n);
    }
    return width;
}

static void plan_wide_panel(struct vk_plan *plan, enum dtype dtype, const struct arguments *arguments,
                            uint32_t most)
{
    const uint64_t width = arguments->width, height = arguments->n - arguments->k, rest = height - width;
    const uint64_t count = arguments->count, tiles = ceiling(rest, WIDE_TILE);
    struct vk_dispatch dispatch = {.arguments = arguments, .bytes = sizeof *arguments};
    dispatch.shader = WIDE_SHADER("panel");
    dispatch.workgroup = WIDE_THREADS;
    dispatch.constants[0] = wide_rows(arguments->n);
    dispatch.constants[1] = most;
    dispatch.groups = count;
    dispatch.iterations = 2 * ceiling(height * width, WIDE_THREADS) +
                          width * (ceiling(height, WIDE_THREADS) * (2 + width) + 16);
    vk_plan_dispatch(plan, &dispatch);
    dispatch.constants[0] = dispatch.constants[1] = 0;
    dispatch.shader = WIDE_SHADER("solve");
    dispatch.workgroup = VK_WORKGROUP;
    dispatch.groups = count * vk_groups(rest, VK_WORKGROUP);
    dispatch.iterations = 2 * width + WIDE_PANEL * WIDE_PANEL;
    vk_plan_dispatch(plan, &dispatch);
    dispatch.shader = WIDE_SHADER("update");
    dispatch.workgroup = WIDE_THREADS;
    dispatch.groups = count * tiles * tiles;
    dispatch.iterations = 4 * (width + 2) + 4;
    vk_plan_dispatch(plan, &dispatch);
}

static void plan_wide(struct vk_plan *plan, enum dtype dtype, struct arguments *arguments)
{
    const uint64_t n = arguments->n, count = arguments->count;
    struct vk_dispatch dispatch = {.arguments = arguments, .bytes = sizeof *arguments};
    if (n <= (dtype == DTYPE_FLOAT32 ? SMALL_32 : SMALL_64)) {
        dispatch.shader = WIDE_SHADER("small");
        dispatch.workgroup = n > 32 ? 2 * VK_WORKGROUP : VK_WORKGROUP;
        dispatch.groups = count;
        dispatch.iterations = ceiling(n * n, VK_WORKGROUP) + n * (n * 4 + 32) + 4 * VK_RANK_MAX;
        vk_plan_dispatch(plan, &dispatch);
        return;
    }
    const uint32_t width = wide_width(plan, dtype, n);
    if (vk_plan_vector_workgroup(plan) != WIDE_THREADS) {
        vk_plan_fail(plan, LAUNCH_UNSUPPORTED, "the device has no workgroups of %d", WIDE_THREADS);
    }
    if (!take_scratch(plan, dtype, arguments)) {
        return;
    }
    dispatch.shader = WIDE_SHADER("copy");
    dispatch.workgroup = WIDE_THREADS;
    dispatch.groups = vk_groups(count * n * n, WIDE_THREADS);
    dispatch.iterations = VK_RANK_MAX;
    vk_plan_dispatch(plan, &dispatch);
    for (arguments->k = 0; arguments->k < n; arguments->k += width) {
        arguments->width = n - arguments->k < width ? (uint32_t)n - arguments->k : width;
        plan_wide_panel(plan, dtype, arguments, width);
    }
    dispatch.shader = WIDE_SHADER("finish");
    dispatch.workgroup = VK_WORKGROUP;
    dispatch.groups = count;
    dispatch.iterations = n + ceiling(n, VK_WORKGROUP) + 2 * VK_RANK_MAX;
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
    if (vk_plan_route(plan) == VK_WIDE) {
        plan_wide(plan, dtype, &arguments);
    } else if (n <= small) {
        plan_small(plan, dtype, &arguments);
    } else {
        plan_blocked(plan, dtype, &arguments);
    }
}

static bool wide_pays(const struct vk_plan *plan, const struct step *step)
{
    const struct shape *shape = &step->input[0].shape;
    return !vk_plan_is_on_cpu(plan) && shape->rank >= 2 && shape->dim[shape->rank - 1] >= WIDE_LEAST;
}

static const struct vk_op ops[] = {
    {.name = "logdet", .variant = LOGDET, .plan = plan_logdet},
    {.name = "slogdet", .variant = SLOGDET, .plan = plan_logdet},
    {.name = "logdet", .route = VK_WIDE, .variant = LOGDET, .plan = plan_logdet, .pays = wide_pays},
    {.name = "slogdet", .route = VK_WIDE, .variant = SLOGDET, .plan = plan_logdet, .pays = wide_pays}};
const struct vk_op_set vk_op_set_logdet = {ops, sizeof ops / sizeof *ops};
