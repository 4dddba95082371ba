/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Runs one workgroup of a shader outside of any program, for probes and tests. */

#include "kernels/vulkan/device.h"
#include "kernels/vulkan/internal.h"
#include "kernels/vulkan/plan.h"
#include "kernels/vulkan/shaders.h"

#include <string.h>

bool vk_launch_raw(struct vk_device *device, const char *shader, const void *arguments, size_t bytes,
                   void *answer, size_t answer_bytes, struct error *error)
{
    struct vk_pipeline_key key = {.shader = vk_shader_find(shader), .constants = {VK_WORKGROUP}};
    struct vk_memory *host = device->direct ? device->memory : device->staging;
    struct vk_allocation block = {0}, out = {0}, back = {0};
    unsigned char filled[VK_ARGUMENTS_MAX];
    VkPipeline pipeline;
    bool good = false;
    if (!key.shader || bytes > sizeof filled || bytes < sizeof out.address) {
        return error_set(error, "no shader %s, or %zu bytes of arguments", shader, bytes);
    }
    if (vk_pipelines_get(device->pipelines, &key, &pipeline, error) != VK_PIPELINE_OK ||
        vk_memory_allocate(device->memory, bytes, &block, error) != VK_MEMORY_OK ||
        vk_memory_allocate(device->memory, answer_bytes, &out, error) != VK_MEMORY_OK ||
        vk_memory_allocate(host, answer_bytes, &back, error) != VK_MEMORY_OK || !vk_begin(device, error)) {
        goto fail;
    }
    VkCommandBuffer commands = device->commands;
    memcpy(filled, arguments, bytes);
    memcpy(filled, &out.address, sizeof out.address);
    vkCmdUpdateBuffer(commands, block.buffer, block.offset, bytes, filled);
    vk_barrier(commands, VK_STAGE_TRANSFER, VK_ACCESS_TRANSFER_WRITE_BIT, VK_STAGE_COMPUTE,
               VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    const struct vk_push push = {.arguments = block.address};
    vkCmdPushConstants(commands, vk_pipelines_layout(device->pipelines), VK_SHADER_STAGE_COMPUTE_BIT, 0,
                       sizeof push, &push);
    vkCmdDispatch(commands, 1, 1, 1);
    vk_barrier(commands, VK_STAGE_COMPUTE, VK_ACCESS_SHADER_WRITE_BIT, VK_STAGE_TRANSFER,
               VK_ACCESS_TRANSFER_READ_BIT);
    vkCmdCopyBuffer(commands, out.buffer, back.buffer, 1,
                    &(VkBufferCopy){out.offset, back.offset, answer_bytes});
    vk_barrier(commands, VK_STAGE_TRANSFER, VK_ACCESS_TRANSFER_WRITE_BIT, VK_STAGE_HOST,
               VK_ACCESS_HOST_READ_BIT);
    good = vk_submit(device, error);
    if (good) {
        memcpy(answer, back.host, answer_bytes);
    }
fail:
    vk_memory_free(device->memory, &block);
    vk_memory_free(device->memory, &out);
    vk_memory_free(host, &back);
    return good;
}

int64_t vk_device_loop_limit(struct vk_device *device, uint32_t requested)
{
    const struct {
        uint64_t counter;
        uint32_t iterations, padding;
    } arguments = {.iterations = requested};
    uint32_t counted[2];
    if (!vk_launch_raw(device, "probe.loop", &arguments, sizeof arguments, counted, sizeof counted, NULL)) {
        return -1;
    }
    return counted[0];
}

uint64_t vk_loop_limit(bool cpu, int64_t counted)
{
    if (cpu || counted < 0) {
        return VK_LOOP_LIMIT;
    }
    if (counted < VK_LOOPS_PROBED) {
        return counted < 2 ? 1 : (uint64_t)counted - ((uint64_t)counted + 11) / 12;
    }
    return VK_LOOPS_UNLIMITED;
}

uint64_t vk_device_loops(struct vk_device *device)
{
    if (!device->loop_limit) {
        const bool cpu = device->physical.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
        device->loop_limit = vk_loop_limit(cpu, cpu ? 0 : vk_device_loop_limit(device, VK_LOOPS_PROBED));
    }
    return device->loop_limit;
}
