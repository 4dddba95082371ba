/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Adds a dispatch to a plan: chooses its shader and pipeline, folds its grid, and stores its arguments. */

#include "kernels/vulkan/plan.h"
#include "kernels/vulkan/shaders.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Folds a number of workgroups into three dimensions, because no more than 65,535 workgroups per dimension
 * are guaranteed (maxComputeWorkGroupCount). The grid may be larger than `groups`: kernels compare their
 * index with the count of their work. */
static void fold(uint64_t groups, uint32_t out[3])
{
    enum { LEAST = 65535 };
    out[0] = groups < LEAST ? (uint32_t)groups : LEAST;
    uint64_t rows = (groups + out[0] - 1) / out[0];
    out[1] = rows < LEAST ? (uint32_t)rows : LEAST;
    out[2] = (uint32_t)((rows + out[1] - 1) / out[1]);
}

static int64_t arguments_put(struct vk_run_cache *run, const void *bytes, size_t size)
{
    const size_t at = (run->arguments_used + 15) / 16 * 16;
    if (at + size > run->arguments_room) {
        size_t room = (at + size) * 2;
        unsigned char *grown = realloc(run->arguments, room);
        if (!grown) {
            return -1;
        }
        run->arguments = grown;
        run->arguments_room = room;
    }
    memcpy(run->arguments + at, bytes, size);
    run->arguments_used = at + size;
    return (int64_t)at;
}

static struct vk_push push_of(const struct vk_dispatch *dispatch, uint64_t arguments)
{
    struct vk_push push = {.arguments = arguments, .elements = dispatch->elements, .more = dispatch->more};
    for (int k = 0; k < VK_LINES_MAX; k++) {
        const struct vk_view_argument *view = dispatch->line[k];
        if (view) {
            push.line[k] = (struct vk_line){.address = view->address,
                                            .offset = view->offset,
                                            .step = view->step,
                                            .outermost = view->outermost};
        }
    }
    return push;
}

/* True if the dispatch has ONE_LINE_LEAST elements or more and each of its pushed views has a single stride:
 * ONE_LINE of lib/kernel.glsl. It needs a pipeline of its own, whose compilation (some milliseconds on
 * llvmpipe) pays from so many elements on. Views without elements stand for absent operands. */
enum { ONE_LINE_LEAST = 1 << 18 };
static bool are_one_line_each(const struct vk_dispatch *dispatch)
{
    int lines = 0, straight = 0;
    for (int k = 0; k < VK_LINES_MAX && dispatch->elements >= ONE_LINE_LEAST; k++) {
        const struct vk_view_argument *view = dispatch->line[k];
        bool there = view && view->elements > 0;
        lines += there;
        straight += there && view->outermost == VK_RANK_MAX - 1;
    }
    return lines > 0 && straight == lines;
}

/* True if the elements of each pushed view form aligned pairs: contiguous, an even number of them, and the
 * first one at an even offset. Storages and their guards are aligned to more than a pair. */
static bool are_in_pairs(const struct vk_dispatch *dispatch)
{
    bool pairs = dispatch->elements % 2 == 0;
    for (int k = 0; k < VK_LINES_MAX; k++) {
        const struct vk_view_argument *view = dispatch->line[k];
        bool there = view && view->elements > 0;
        pairs = pairs && (!there || (view->step == 1 && view->offset % 2 == 0 && view->address % 8 == 0));
    }
    return pairs;
}

/* Returns the shader, or NULL if none has the name, and sets the grid. This is the shader for pairs, with
 * half as many invocations, if there is one, the device can run it, and the elements form pairs. It uses
 * larger workgroups, because llvmpipe spends a fixed time on each workgroup. */
static const struct vk_shader *choose_shader(const struct vk_plan *plan, const struct vk_dispatch *dispatch,
                                             bool lines, uint64_t *groups, uint32_t *workgroup)
{
    enum { NAME_MAX_BYTES = 96, PAIRS_WORKGROUP = 256 };
    char name[NAME_MAX_BYTES];
    const struct vk_shader *pairs = NULL;
    const VkPhysicalDeviceLimits *limits = &plan->device->physical.properties.limits;
    if (lines && are_in_pairs(dispatch) &&
        snprintf(name, sizeof name, "%sx2", dispatch->shader) < (int)sizeof name) {
        pairs = vk_shader_find(name);
    }
    if (!pairs || vk_physical_lacks(&plan->device->physical, pairs->words, pairs->count)) {
        *groups = dispatch->groups;
        *workgroup = dispatch->workgroup ? dispatch->workgroup : VK_WORKGROUP;
        return vk_shader_find(dispatch->shader);
    }
    *workgroup = limits->maxComputeWorkGroupInvocations < PAIRS_WORKGROUP ||
                         limits->maxComputeWorkGroupSize[0] < PAIRS_WORKGROUP
                     ? VK_WORKGROUP
                     : PAIRS_WORKGROUP;
    *groups = vk_groups(dispatch->elements / 2, *workgroup);
    return pairs;
}

void vk_plan_dispatch(struct vk_plan *plan, const struct vk_dispatch *dispatch)
{
    struct vk_run_cache *run = plan->run;
    struct error error = {0};
    if (!vk_plan_is_good(plan) || dispatch->groups == 0) {
        return;
    }
    const bool lines = are_one_line_each(dispatch);
    uint64_t groups = 0;
    uint32_t workgroup = 0;
    const struct vk_shader *shader = choose_shader(plan, dispatch, lines, &groups, &workgroup);
    struct vk_pipeline_key key = {.shader = shader,
                                  .constants = {workgroup, dispatch->constants[0], dispatch->constants[1],
                                                dispatch->constants[2], lines, dispatch->constants[3],
                                                dispatch->constants[4], dispatch->constants[5],
                                                !vk_plan_is_on_cpu(plan)}};
    if (!key.shader || dispatch->bytes > VK_ARGUMENTS_MAX) {
        vk_plan_fail(plan, LAUNCH_ERROR, "%s: no such shader, or too many arguments", dispatch->shader);
        return;
    }
    if (dispatch->iterations > vk_plan_loop_limit(plan)) {
        vk_plan_fail(plan, LAUNCH_UNSUPPORTED,
                     "%s would run %llu loop iterations in one invocation, more than %llu", dispatch->shader,
                     (unsigned long long)dispatch->iterations, (unsigned long long)vk_plan_loop_limit(plan));
        return;
    }
    VkPipeline pipeline;
    enum vk_pipeline_result result = vk_pipelines_get(plan->device->pipelines, &key, &pipeline, &error);
    if (result != VK_PIPELINE_OK) {
        vk_plan_fail(plan, result == VK_PIPELINE_UNSUPPORTED ? LAUNCH_UNSUPPORTED : LAUNCH_ERROR, "%.250s",
                     error.text);
        return;
    }
    int64_t at = arguments_put(run, dispatch->arguments, dispatch->bytes);
    if (at < 0 || !vk_grow(&run->dispatch, &run->dispatch_room, run->dispatches + 1, sizeof *run->dispatch)) {
        vk_plan_fail(plan, LAUNCH_ERROR, "out of host memory");
        return;
    }
    struct vk_recorded *recorded = &run->dispatch[run->dispatches++];
    *recorded = (struct vk_recorded){.pipeline = pipeline, .push = push_of(dispatch, (uint64_t)at)};
    fold(groups, recorded->groups);
}
