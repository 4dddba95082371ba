/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Route wide of kernels that compute one result from one element of each operand: an invocation reads,
 * computes and writes a vector of elements (lib/wide.glsl). */

#include "kernels/vulkan/plan.h"

#include <stdio.h>

enum { WORKGROUP = 256, VECTOR_BYTES = VK_VECTOR_BYTES };

/* Returns why the elements of a view cannot be read or written `vector` at a time, or NULL if they can. The
 * view is one row of elements that lie one behind the other, or several whose extent is a multiple of a
 * vector; or a number that is repeated along the innermost dimension. Unless it is one row, no vector is
 * incomplete. */
static const char *unfit(const struct vk_view_argument *view, uint32_t vector, bool written)
{
    const int inner = VK_RANK_MAX - 1;
    const bool rows = view->outermost < VK_RANK_MAX - 1, repeated = view->stride[inner] == 0;
    if (view->elements <= 1) {
        return NULL;
    }
    if (view->stride[inner] != 1 && (!repeated || written)) {
        return "elements do not lie one behind the other";
    }
    if (rows && view->dim[inner] % vector != 0) {
        return "rows do not consist of whole vectors of 16 bytes";
    }
    bool aligned = view->address % VECTOR_BYTES == 0 && view->offset % vector == 0;
    for (int d = 0; d < inner; d++) {
        aligned = aligned && (view->dim[d] == 1 || view->stride[d] % vector == 0);
    }
    return aligned || repeated ? NULL : "the first element of a row is not aligned to 16 bytes";
}

bool vk_plan_has_workgroup(const struct vk_plan *plan, uint32_t invocations)
{
    const VkPhysicalDeviceLimits *limits = &plan->device->physical.properties.limits;
    return limits->maxComputeWorkGroupInvocations >= invocations &&
           limits->maxComputeWorkGroupSize[0] >= invocations;
}

uint32_t vk_plan_vector_workgroup(const struct vk_plan *plan)
{
    return vk_plan_has_workgroup(plan, WORKGROUP) ? WORKGROUP : VK_WORKGROUP;
}

bool vk_plan_native_halves(const struct vk_plan *plan)
{
    const unsigned used = VK_WIDTH_16 | VK_WIDTH_32;
    const struct vk_physical *physical = &plan->device->physical;
    const struct vk_float_controls offered = vk_physical_controls(physical);
    return physical->float16 && offered.preserve & VK_WIDTH_16 &&
           vk_float_settable(used, offered.rounding_rte, offered.rounding_independence) & VK_WIDTH_16 &&
           vk_float_settable(used, offered.denorm_preserve, offered.denorm_independence) & VK_WIDTH_16;
}

void vk_plan_dispatch_elements(struct vk_plan *plan, const struct vk_dispatch *portable, size_t widest)
{
    enum { NAME_MAX_BYTES = 96 };
    char name[NAME_MAX_BYTES];
    const uint32_t vector = VECTOR_BYTES / (uint32_t)widest;
    struct vk_dispatch dispatch = *portable;
    if (vk_plan_route(plan) != VK_WIDE) {
        vk_plan_dispatch(plan, portable);
        return;
    }
    for (int k = 0; k < VK_LINES_MAX; k++) {
        const char *reason =
            dispatch.line[k] ? unfit(dispatch.line[k], vector, k == portable->written) : NULL;
        if (reason) {
            vk_plan_fail(plan, LAUNCH_UNSUPPORTED, "%s", reason);
        }
    }
    snprintf(name, sizeof name, "%s_wide", portable->shader);
    if (!vk_shader_find(name)) {
        vk_plan_fail(plan, LAUNCH_UNSUPPORTED, "elements of 8 bytes"); /* compile.sh */
    }
    dispatch.shader = name;
    dispatch.workgroup = vk_plan_vector_workgroup(plan);
    dispatch.groups = vk_groups(vk_groups(dispatch.elements, vector), dispatch.workgroup);
    dispatch.iterations = portable->iterations + 4 * VECTOR_BYTES;
    vk_plan_dispatch(plan, &dispatch);
}

void vk_plan_map(struct vk_plan *plan, const char *shader, const struct view *from, const struct view *to)
{
    const struct {
        struct vk_view_argument from, to;
    } arguments = {vk_plan_elements(plan, from), vk_plan_elements(plan, to)};
    const size_t sizes[] = {dtype_info(from->dtype)->size, dtype_info(to->dtype)->size};
    vk_plan_dispatch_elements(plan,
                              &(struct vk_dispatch){.shader = shader,
                                                    .groups = vk_groups(arguments.to.elements, VK_WORKGROUP),
                                                    .arguments = &arguments,
                                                    .bytes = sizeof arguments,
                                                    .line = {&arguments.from, &arguments.to},
                                                    .written = 1,
                                                    .elements = arguments.to.elements,
                                                    .iterations = 2 * VK_RANK_MAX},
                              sizes[0] > sizes[1] ? sizes[0] : sizes[1]);
}
