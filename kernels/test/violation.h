/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_KERNELS_TEST_VIOLATION_H
#define ASSAY_KERNELS_TEST_VIOLATION_H

/* A deliberate error for tests of validation messages. */

#include "kernels/vulkan/internal.h"

/* Fills the same bytes twice without a barrier: a write-after-write hazard, which only synchronization
 * validation reports and which harms no device. Returns false if the commands could not be run. */
static inline bool vk_commit_violation(struct vk_device *device, struct error *error)
{
    struct vk_allocation bytes;
    if (vk_memory_allocate(device->memory, 256, &bytes, error) != VK_MEMORY_OK) {
        return false;
    }
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    bool good = vkBeginCommandBuffer(device->commands, &begin) == VK_SUCCESS;
    if (good) {
        vkCmdFillBuffer(device->commands, bytes.buffer, bytes.offset, 256, 1);
        vkCmdFillBuffer(device->commands, bytes.buffer, bytes.offset, 256, 2);
        good = vk_submit(device, error);
    }
    vk_memory_free(device->memory, &bytes);
    return good;
}

#endif
