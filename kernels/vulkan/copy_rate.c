/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Measures how fast a kernel copies: what memory-bound kernels are compared with. */

#include "kernels/vulkan/device.h"
#include "kernels/vulkan/internal.h"
#include "kernels/vulkan/plan.h"
#include "kernels/vulkan/shaders.h"

#include <stdlib.h>
#include <string.h>

enum { COPY_EACH = 4 /* vectors of an invocation: EACH of ops/copy.comp */, VECTOR = 16 };
enum { ROUNDS = 5, REPEATS = 20, WARM_UP_MOST = 1000 };
static const uint32_t source_pattern = 0x5EED1234, target_pattern = 0xDEADBEEF;

struct copy {
    VkPipeline pipeline;
    struct vk_allocation source, target, back;
    uint64_t vectors;
    uint32_t workgroup;
};

/* Records `count` copies one behind the other, all of the same bytes. */
static void record_copies(struct vk_device *device, const struct copy *copy, int count)
{
    enum { LEAST = 65535 }; /* maxComputeWorkGroupCount of every device */
    const uint64_t groups = vk_groups(copy->vectors, COPY_EACH * copy->workgroup);
    const uint32_t across = groups < LEAST ? (uint32_t)groups : LEAST;
    struct vk_push push = {.elements = (uint32_t)copy->vectors};
    push.line[0].address = copy->source.address;
    push.line[1].address = copy->target.address;
    vkCmdBindPipeline(device->commands, VK_PIPELINE_BIND_POINT_COMPUTE, copy->pipeline);
    vkCmdPushConstants(device->commands, vk_pipelines_layout(device->pipelines), VK_SHADER_STAGE_COMPUTE_BIT,
                       0, sizeof push, &push);
    for (int c = 0; c < count; c++) {
        vkCmdDispatch(device->commands, across, (uint32_t)((groups + across - 1) / across), 1);
        vk_barrier(device->commands, VK_STAGE_COMPUTE, VK_ACCESS_SHADER_WRITE_BIT,
                   VK_STAGE_COMPUTE | VK_STAGE_TRANSFER,
                   VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_READ_BIT);
    }
}

static bool fill(struct vk_device *device, const struct copy *copy, struct error *error)
{
    const uint64_t bytes = copy->vectors * VECTOR;
    if (!vk_begin(device, error)) {
        return false;
    }
    vkCmdFillBuffer(device->commands, copy->source.buffer, copy->source.offset, bytes, source_pattern);
    vkCmdFillBuffer(device->commands, copy->target.buffer, copy->target.offset, bytes, target_pattern);
    vk_barrier(device->commands, VK_STAGE_TRANSFER, VK_ACCESS_TRANSFER_WRITE_BIT, VK_STAGE_COMPUTE,
               VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
    return vk_submit(device, error);
}

/* Measures `repeats` copies after `warm_up` others. *seconds is the time of one copy. */
static bool measure(struct vk_device *device, const struct copy *copy, int warm_up, int repeats,
                    double *seconds, struct error *error)
{
    uint64_t stamp[2];
    const uint32_t bits = device->physical.timestamp_bits;
    const uint64_t mask = bits < 64 ? (1ull << bits) - 1 : ~0ull;
    if (!vk_begin(device, error)) {
        return false;
    }
    vkCmdResetQueryPool(device->commands, device->queries, 0, 2);
    record_copies(device, copy, warm_up);
    vkCmdWriteTimestamp(device->commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, device->queries, 0);
    record_copies(device, copy, repeats);
    vkCmdWriteTimestamp(device->commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, device->queries, 1);
    if (!vk_submit(device, error)) {
        return false;
    }
    VK(vkGetQueryPoolResults(device->logical, device->queries, 0, 2, sizeof stamp, stamp, sizeof *stamp,
                             VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
    *seconds = (double)((stamp[1] - stamp[0]) & mask) *
               (double)device->physical.properties.limits.timestampPeriod * 1e-9 / repeats;
    return true;
fail:
    return false;
}

/* Copies once, then reads the target, piece by piece, and compares it with the source's pattern. */
static bool check(struct vk_device *device, const struct copy *copy, struct error *error)
{
    const uint64_t bytes = copy->vectors * VECTOR, piece = copy->back.size / VECTOR * VECTOR;
    for (uint64_t at = 0; at < bytes; at += piece) {
        const uint64_t size = bytes - at < piece ? bytes - at : piece;
        if (!vk_begin(device, error)) {
            return false;
        }
        record_copies(device, copy, at == 0);
        vkCmdCopyBuffer(device->commands, copy->target.buffer, copy->back.buffer, 1,
                        &(VkBufferCopy){copy->target.offset + at, copy->back.offset, size});
        vk_barrier(device->commands, VK_STAGE_TRANSFER, VK_ACCESS_TRANSFER_WRITE_BIT, VK_STAGE_HOST,
                   VK_ACCESS_HOST_READ_BIT);
        if (!vk_submit(device, error)) {
            return false;
        }
        for (uint64_t i = 0; i < size; i += sizeof source_pattern) {
            if (memcmp(copy->back.host + i, &source_pattern, sizeof source_pattern) != 0) {
                return error_set(error, "the copy by a kernel differs at byte %llu of %llu",
                                 (unsigned long long)(at + i), (unsigned long long)bytes);
            }
        }
    }
    return true;
}

static int ascending(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static bool time_copies(struct vk_device *device, const struct copy *copy, double *rate, struct error *error)
{
    double seconds[ROUNDS], once = 0;
    if (!measure(device, copy, 1, 1, &once, error)) {
        return false;
    }
    const int warm_up = once < 20e-3 / WARM_UP_MOST ? WARM_UP_MOST : (int)(20e-3 / once) + 1;
    const int repeats = once > 20e-3 ? 1 : REPEATS;
    for (int r = 0; r < ROUNDS; r++) {
        if (!measure(device, copy, warm_up, repeats, &seconds[r], error)) {
            return false;
        }
    }
    qsort(seconds, ROUNDS, sizeof *seconds, ascending);
    const double median = seconds[ROUNDS / 2];
    *rate = median > 0 ? 2 * (double)(copy->vectors * VECTOR) / median : 0;
    return true;
}

bool vk_device_copy_rate(struct vk_device *device, uint64_t bytes, double *rate, struct error *error)
{
    enum { LARGE = 256, PIECE = 1 << 20 };
    const VkPhysicalDeviceLimits *limits = &device->physical.properties.limits;
    struct vk_memory *host = device->direct ? device->memory : device->staging;
    struct copy copy = {.vectors = (bytes + VECTOR - 1) / VECTOR, .workgroup = VK_WORKGROUP};
    *rate = 0;
    if (copy.vectors == 0 || copy.vectors > UINT32_MAX / 2) {
        return error_set(error, "cannot measure the copy of %llu bytes", (unsigned long long)bytes);
    }
    if (limits->maxComputeWorkGroupInvocations >= LARGE && limits->maxComputeWorkGroupSize[0] >= LARGE) {
        copy.workgroup = LARGE;
    }
    const struct vk_pipeline_key key = {.shader = vk_shader_find("copy.vectors"),
                                        .constants = {copy.workgroup}};
    bool good =
        vk_pipelines_get(device->pipelines, &key, &copy.pipeline, error) == VK_PIPELINE_OK &&
        vk_memory_allocate(device->memory, copy.vectors * VECTOR, &copy.source, error) == VK_MEMORY_OK &&
        vk_memory_allocate(device->memory, copy.vectors * VECTOR, &copy.target, error) == VK_MEMORY_OK &&
        vk_memory_allocate(host, PIECE, &copy.back, error) == VK_MEMORY_OK && fill(device, &copy, error) &&
        check(device, &copy, error) && (!device->queries || time_copies(device, &copy, rate, error));
    vk_memory_free(device->memory, &copy.source);
    vk_memory_free(device->memory, &copy.target);
    vk_memory_free(host, &copy.back);
    return good;
}
