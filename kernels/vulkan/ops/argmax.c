/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/vulkan/kernel.h"

struct arguments { /* of argmax.comp */
    struct vk_view_argument kept, reduced, result;
    uint64_t keys, places;
    uint32_t terms, parts, chunk, least;
};

enum { CHUNK = 4096 };
enum { GREATEST, LEAST };

static const char *const part[DTYPE_COUNT] = {
    [DTYPE_FLOAT16] = "argmax.part_float16", [DTYPE_BFLOAT16] = "argmax.part_bfloat16",
    [DTYPE_FLOAT32] = "argmax.part_float32", [DTYPE_FLOAT64] = "argmax.part_float64",
    [DTYPE_INT32] = "argmax.part_int32",     [DTYPE_INT64] = "argmax.part_int64"};

/* Sets bit d of *mask if dimension d is reduced; false if `dim` is out of range. A scalar accepts dim 0 and
 * −1. */
static bool reduced_mask(const struct step *step, unsigned *mask)
{
    const int rank = step->input[0].shape.rank, dimensions = rank > 0 ? rank : 1;
    int64_t dim = attributes_integer(&step->attributes, "dim", 0);
    *mask = (1U << rank) - 1;
    if (!attributes_given(&step->attributes, "dim")) {
        return true;
    }
    if (dim < -dimensions || dim >= dimensions) {
        return false;
    }
    dim += dim < 0 ? dimensions : 0;
    *mask &= 1U << dim;
    return true;
}

/* Adds two dispatches: the leading element of each part of a reduction, then that of the whole reduction. */
static void plan_leaders(struct vk_plan *plan, struct arguments *a, enum dtype dtype)
{
    const uint64_t size = dtype_info(dtype)->size == 8 ? 8 : 4;
    a->chunk = CHUNK;
    a->parts = (a->terms + CHUNK - 1) / CHUNK;
    const uint64_t groups = (uint64_t)a->kept.elements * a->parts;
    if (groups > INT32_MAX) {
        vk_plan_fail(plan, LAUNCH_UNSUPPORTED, "%llu parts of rows: kernels number them in 32 bits",
                     (unsigned long long)groups);
        return;
    }
    a->keys = vk_plan_scratch(plan, groups * size + 8);
    a->places = vk_plan_scratch(plan, groups * 4 + 8);
    struct vk_dispatch dispatch = {.shader = part[dtype],
                                   .groups = groups,
                                   .workgroup = vk_sharers(a->terms),
                                   .arguments = a,
                                   .bytes = sizeof *a,
                                   .line = {&a->kept, &a->reduced, &a->result},
                                   .elements = a->kept.elements,
                                   .more = a->terms,
                                   .iterations = CHUNK / 32 * (VK_RANK_MAX + 1) + VK_RANK_MAX + 8};
    vk_plan_dispatch(plan, &dispatch);
    dispatch.shader = size == 8 ? "argmax.join_64" : "argmax.join_32";
    dispatch.groups = a->kept.elements;
    dispatch.workgroup = vk_sharers(a->parts);
    dispatch.iterations = a->parts / 32 + 1 + VK_RANK_MAX + 8;
    vk_plan_dispatch(plan, &dispatch);
}

static void plan_argmax(struct vk_plan *plan, const struct step *step)
{
    const struct view *x = &step->input[0];
    unsigned mask = 0;
    if (!part[x->dtype]) {
        vk_plan_fail(plan, LAUNCH_UNSUPPORTED, "%s of %s", step->op->name, dtype_info(x->dtype)->name);
    } else if (!reduced_mask(step, &mask)) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "%s: the dimension is out of range", step->op->name);
    }
    for (int d = 0; d < x->shape.rank; d++) {
        if ((mask >> d & 1) && x->shape.dim[d] == 0) {
            vk_plan_fail(plan, LAUNCH_REJECTED, "%s: dimension %d is empty", step->op->name, d);
        }
    }
    if (!vk_plan_is_good(plan)) {
        return;
    }
    struct view folded = vk_plan_fold_reduced(plan, x, &mask);
    if (!vk_plan_is_good(plan)) {
        return;
    }
    const struct vk_view_argument all = vk_plan_view(plan, &folded);
    const unsigned gone = mask << (VK_RANK_MAX - folded.shape.rank);
    struct arguments a = {.kept = vk_view_only(&all, ~gone),
                          .reduced = vk_view_only(&all, gone),
                          .result = vk_plan_elements(plan, &step->output[0]),
                          .least = vk_plan_variant(plan) == LEAST};
    a.reduced.offset = 0;
    a.terms = a.reduced.elements;
    if (vk_plan_is_good(plan) && a.kept.elements > 0) {
        plan_leaders(plan, &a, x->dtype);
    }
}

static const struct vk_op ops[] = {{.name = "argmax", .variant = GREATEST, .plan = plan_argmax},
                                   {.name = "argmin", .variant = LEAST, .plan = plan_argmax}};
const struct vk_op_set vk_op_set_argmax = {ops, 2};
