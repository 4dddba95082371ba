/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/vulkan/kernel.h"

#include <string.h>

struct arguments { /* of matrix_exp.comp */
    struct vk_view_argument batch, result;
    uint64_t matrix, state;
    uint32_t row_stride, column_stride;
    uint32_t n, count, chunk;
    uint32_t flush;
    uint64_t steps;
    uint32_t turn, tiled;
};

enum {
    SMALL_32 =
        32, /* greatest n in shared memory: three buffers of 4,096 and 3,200 bytes, of the 16,384 that */
    SMALL_64 = 20, /* every device has; matrix_exp.comp's STRIDE */
    THREADS = 128, /* of the larger ones' workgroups */
    DEGREE = 18,
    SQUARINGS_32 = 130 + 10, /* for the greatest norm: n·MAX, n < 1024, over theta */
    SQUARINGS_64 = 1026 + 10
};
enum {                  /* of route wide */
       WIDE_LEAST = 16, /* least n for which it pays */
       TILE = 32,
       TILE_INVOCATIONS = 256,
       TILED_SQUARINGS = 24 /* so many squarings are computed by tiles: for norms up to 2^24 theta */
};

static const char *shader(enum dtype dtype, const char *single, const char *twice)
{
    return dtype == DTYPE_FLOAT32 ? single : twice;
}
#define SHADER(phase) shader(dtype, "matrix_exp." phase "_float32", "matrix_exp." phase "_float64")
#define WIDE_SHADER(phase)                                                                                   \
    shader(dtype, "matrix_exp." phase "_float32_wide", "matrix_exp." phase "_float64_wide")

/* Return the loop iterations of one invocation: for one matrix product, and for everything else. */
static uint64_t product_iterations(uint64_t n, uint64_t threads)
{
    return vk_groups(n * n, (uint32_t)threads) * (n / 4 + n % 4 + 1) + 1;
}

static uint64_t other_iterations(uint64_t n, uint64_t threads)
{
    return vk_groups(n, (uint32_t)threads) * (n + 1) + threads + 4 +
           vk_groups(n * n, (uint32_t)threads) * (2 + 2 * VK_RANK_MAX) + VK_RANK_MAX;
}

/* Plans route wide's products by tiles: a dispatch for each step of Horner's rule, and for each squaring. */
static void plan_tiles(struct vk_plan *plan, enum dtype dtype, struct arguments *arguments)
{
    const uint64_t across = vk_groups(arguments->n, TILE);
    struct vk_dispatch dispatch = {.shader = WIDE_SHADER("evaluate"),
                                   .workgroup = TILE_INVOCATIONS,
                                   .groups = arguments->count,
                                   .arguments = arguments,
                                   .bytes = sizeof *arguments,
                                   .iterations = other_iterations(arguments->n, TILE_INVOCATIONS)};
    vk_plan_dispatch(plan, &dispatch);
    dispatch.shader = WIDE_SHADER("square");
    dispatch.groups = arguments->count * across * across;
    dispatch.iterations = 2 * (uint64_t)arguments->n + 64;
    for (arguments->turn = 0; arguments->turn < DEGREE + TILED_SQUARINGS; arguments->turn++) {
        vk_plan_dispatch(plan, &dispatch);
    }
}

static void plan_large(struct vk_plan *plan, enum dtype dtype, struct arguments *arguments,
                       uint64_t squarings)
{
    const uint64_t n = arguments->n, count = arguments->count;
    const uint64_t product = product_iterations(n, THREADS), other = other_iterations(n, THREADS);
    if (3 * count * n * n > INT32_MAX || n >= 1024) {
        vk_plan_fail(plan, LAUNCH_UNSUPPORTED,
                     "%llu matrices of order %llu: kernels number elements in 32 bits",
                     (unsigned long long)count, (unsigned long long)n);
        return;
    }
    arguments->matrix = vk_plan_scratch(plan, 3 * count * n * n * dtype_info(dtype)->size);
    arguments->state = vk_plan_scratch(plan, 2 * count * sizeof(uint32_t));
    const uint64_t limit = vk_plan_loop_limit(plan);
    const uint64_t most = (limit - (other < limit / 2 ? other : limit / 2)) / product;
    arguments->chunk = most > 0 ? (uint32_t)most : 1;
    struct vk_dispatch dispatch = {.shader = SHADER("evaluate"),
                                   .workgroup = THREADS,
                                   .groups = count,
                                   .arguments = arguments,
                                   .bytes = sizeof *arguments,
                                   .iterations = DEGREE * (product + 1) + other};
    if (vk_plan_route(plan) == VK_WIDE) {
        arguments->steps = vk_plan_scratch(plan, 2 * count * sizeof(uint32_t));
        arguments->tiled = TILED_SQUARINGS;
        squarings -= TILED_SQUARINGS;
        plan_tiles(plan, dtype, arguments);
    } else {
        vk_plan_dispatch(plan, &dispatch);
    }
    dispatch.shader = SHADER("square");
    dispatch.iterations = arguments->chunk * product + other;
    for (uint64_t done = 0; done <= squarings; done += arguments->chunk) {
        vk_plan_dispatch(plan, &dispatch);
    }
}

static void plan_matrix_exp(struct vk_plan *plan, const struct step *step)
{
    const struct view *x = &step->input[0];
    const enum dtype dtype = x->dtype;
    const int rank = x->shape.rank;
    if (dtype != DTYPE_FLOAT32 && dtype != DTYPE_FLOAT64) {
        vk_plan_fail(plan, LAUNCH_UNSUPPORTED, "matrix_exp of %s", dtype_info(dtype)->name);
    } else if (rank < 2 || x->shape.dim[rank - 1] != x->shape.dim[rank - 2]) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "matrix_exp: the last two dimensions must be equal");
    }
    if (!vk_plan_is_good(plan)) {
        return;
    }
    const int64_t n = x->shape.dim[rank - 1], elements = shape_elements(&x->shape);
    struct view matrices = *x;
    vk_plan_fold(plan, 1, (struct view *const[]){&matrices}, 3U << (rank - 2), NULL);
    const struct vk_view_argument whole = vk_plan_view(plan, &matrices);
    struct arguments arguments = {.batch = whole,
                                  .result = vk_plan_elements(plan, &step->output[0]),
                                  .row_stride = whole.stride[VK_RANK_MAX - 2],
                                  .column_stride = whole.stride[VK_RANK_MAX - 1],
                                  .n = (uint32_t)n,
                                  .count = n ? (uint32_t)(elements / (n * n)) : 0,
                                  .flush = !vk_plan_keeps_subnormals(plan, dtype == DTYPE_FLOAT32 ? 32 : 64)};
    if (!vk_plan_is_good(plan) || elements == 0) {
        return;
    }
    memmove(arguments.batch.dim + 2, arguments.batch.dim, (VK_RANK_MAX - 2) * sizeof *arguments.batch.dim);
    memmove(arguments.batch.stride + 2, arguments.batch.stride,
            (VK_RANK_MAX - 2) * sizeof *arguments.batch.stride);
    arguments.batch.dim[0] = arguments.batch.dim[1] = 1;
    vk_view_join(&arguments.batch);
    const uint64_t squarings = dtype == DTYPE_FLOAT32 ? SQUARINGS_32 : SQUARINGS_64, order = arguments.n;
    const bool wide = vk_plan_route(plan) == VK_WIDE;
    const uint32_t workgroup = wide ? vk_plan_vector_workgroup(plan) : vk_sharers(order * order);
    const uint64_t iterations = (DEGREE + squarings) * (product_iterations(order, workgroup) + 1) +
                                other_iterations(order, workgroup);
    if (wide && workgroup != TILE_INVOCATIONS) {
        vk_plan_fail(plan, LAUNCH_UNSUPPORTED, "the device has no workgroups of %d", TILE_INVOCATIONS);
        return;
    }
    if (n > (dtype == DTYPE_FLOAT32 ? SMALL_32 : SMALL_64) || iterations > vk_plan_loop_limit(plan)) {
        plan_large(plan, dtype, &arguments, squarings);
        return;
    }
    vk_plan_dispatch(plan, &(struct vk_dispatch){.shader = wide ? WIDE_SHADER("small") : SHADER("small"),
                                                 .workgroup = workgroup,
                                                 .groups = arguments.count,
                                                 .arguments = &arguments,
                                                 .bytes = sizeof arguments,
                                                 .iterations = iterations});
}

static bool wide_pays(const struct vk_plan *plan, const struct step *step)
{
    const struct shape *shape = &step->input[0].shape;
    return !vk_plan_is_on_cpu(plan) && shape->rank >= 2 && shape->dim[shape->rank - 1] >= WIDE_LEAST;
}

static const struct vk_op ops[] = {
    {.name = "matrix_exp", .plan = plan_matrix_exp},
    {.name = "matrix_exp", .route = VK_WIDE, .plan = plan_matrix_exp, .pays = wide_pays}};
const struct vk_op_set vk_op_set_matrix_exp = {ops, 2};
