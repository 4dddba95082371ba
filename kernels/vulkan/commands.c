/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/vulkan/internal.h"

void vk_barrier(VkCommandBuffer commands, VkPipelineStageFlags from, VkAccessFlags written,
                VkPipelineStageFlags to, VkAccessFlags used)
{
    const VkMemoryBarrier memory = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = written, .dstAccessMask = used};
    vkCmdPipelineBarrier(commands, from, to, 0, 1, &memory, 0, NULL, 0, NULL);
}

bool vk_begin(struct vk_device *device, struct error *error)
{
    VK(vkBeginCommandBuffer(
        device->commands, &(VkCommandBufferBeginInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                                      .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT}));
    return true;
fail:
    return false;
}

bool vk_submit(struct vk_device *device, struct error *error)
{
    enum { SECOND = 1000000000, SECONDS_MOST = 3600 };
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &device->commands};
    VkResult waited = VK_TIMEOUT;
    VK(vkEndCommandBuffer(device->commands));
    VK(vkResetFences(device->logical, 1, &device->fence));
    VK(vkQueueSubmit(device->queue, 1, &info, device->fence));
    for (int second = 0; second < SECONDS_MOST && waited == VK_TIMEOUT; second++) {
        VK(waited = vkWaitForFences(device->logical, 1, &device->fence, VK_TRUE, SECOND));
    }
    if (waited == VK_TIMEOUT) {
        return error_set(error, "the device did not finish within %d s", SECONDS_MOST);
    }
    return true;
fail:
    return false;
}
