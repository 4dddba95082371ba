/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/vulkan/kernel.h"
#include "kernels/vulkan/overlap.h"

#include <math.h>
#include <string.h>

struct arguments { /* of inplace.comp */
    struct vk_view_argument self, other, result;
    uint32_t alpha;
    uint32_t padding;
};

static const char *const shader[DTYPE_COUNT] = {[DTYPE_FLOAT16] = "inplace.float16",
                                                [DTYPE_FLOAT32] = "inplace.float32",
                                                [DTYPE_INT32] = "inplace.int32"};

/* `other` spread over self's shape: strides of zero where it has one element. False where it does not fit. */
static bool spread(const struct view *other, const struct shape *shape, struct view *wide)
{
    *wide = *other;
    wide->shape = *shape;
    const int pad = shape->rank - other->shape.rank;
    if (pad < 0)
        return false;
    for (int d = 0; d < shape->rank; d++) {
        const int64_t dim = d < pad ? 1 : other->shape.dim[d - pad];
        if (dim != shape->dim[d] && dim != 1)
            return false;
        wide->stride[d] = dim == shape->dim[d] && d >= pad ? other->stride[d - pad] : 0;
    }
    return true;
}

static bool int_self_refuses(const struct step *step, double alpha)
{
    return dtype_is_integer(step->input[0].dtype) &&
           (dtype_is_floating(step->input[1].dtype) || alpha != floor(alpha));
}

/* Operands that an in-place operator must refuse: what it would write is not what its operands mean. */
static void check(struct vk_plan *plan, const struct step *step, double alpha, struct view *wide)
{
    const struct view *self = &step->input[0], *other = &step->input[1];
    const char *name = step->op->name;
    if (int_self_refuses(step, alpha))
        vk_plan_fail(plan, LAUNCH_REJECTED, "%s: a floating point result cannot be stored in %s", name,
                     dtype_info(self->dtype)->name);
    else if (self->dtype != other->dtype)
        vk_plan_fail(plan, LAUNCH_UNSUPPORTED, "%s: %s into %s", name, dtype_info(other->dtype)->name,
                     dtype_info(self->dtype)->name);
    else if (!shader[self->dtype])
        vk_plan_fail(plan, LAUNCH_UNSUPPORTED, "%s of %s", name, dtype_info(self->dtype)->name);
    else if (!spread(other, &self->shape, wide))
        vk_plan_fail(plan, LAUNCH_REJECTED,
                     "%s: other does not broadcast to self's shape, and self must not broadcast", name);
    else if (vk_overlaps_itself(self))
        vk_plan_fail(plan, LAUNCH_REJECTED, "%s: elements of self share memory; clone it first", name);
    else if (!vk_same_elements(self, wide) && vk_shares_memory(self, wide))
        vk_plan_fail(plan, LAUNCH_REJECTED, "%s: other shares part of self's memory; clone it first", name);
}

/* int32: modulo 2^32, whatever the integer's size, as alpha * y is. */
static uint32_t alpha_bits(enum dtype dtype, double alpha)
{
    const float rounded = (float)alpha;
    uint32_t bits;
    if (dtype == DTYPE_INT32) {
        const double rest = fmod(alpha, 4294967296.0); /* exact */
        return (uint32_t)(int64_t)rest;
    }
    memcpy(&bits, &rounded, sizeof bits);
    return bits;
}

static void plan_inplace(struct vk_plan *plan, const struct step *step)
{
    const double alpha = attributes_real(&step->attributes, "alpha", 1);
    const struct view *self = &step->input[0];
    struct view wide = {0};
    check(plan, step, alpha, &wide);
    if (!vk_plan_alive(plan))
        return;
    struct arguments arguments = {.self = vk_plan_view(plan, self),
                                  .other = vk_plan_view(plan, &wide),
                                  .alpha = alpha_bits(self->dtype, alpha)};
    arguments.result = arguments.self;
#ifdef MUTANT_INPLACE_COPY
    arguments.result.address = vk_plan_scratch(plan, vk_plan_storage_bytes(plan, self));
#endif
    vk_plan_dispatch(plan, &(struct vk_dispatch){.shader = shader[self->dtype],
                                                 .constants = {strcmp(step->op->name, "mul_") == 0},
                                                 .groups = vk_groups(arguments.self.elements, VK_WORKGROUP),
                                                 .arguments = &arguments,
                                                 .bytes = sizeof arguments,
                                                 .iterations = 3 * RANK_MAX});
}

static const struct vk_op ops[] = {{"add_", plan_inplace}, {"mul_", plan_inplace}};
const struct vk_op_set vk_op_set_inplace = {ops, 2};
