/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_KERNELS_VULKAN_OBJECTS_H
#define ASSAY_KERNELS_VULKAN_OBJECTS_H

/* Counts the live Vulkan objects of each kind, so that a leak is found even if it costs too little memory to
 * be noticed. Every vkCreate… and vkAllocate… of a device goes through vk_created, every vkDestroy… and
 * vkFree… through VK_DESTROYED. */

#include "kernels/vulkan/loader.h"

#include <stdint.h>

// clang-format off
#define VK_OBJECT_KINDS(X)                                                                                   \
    X(MEMORY, "VkDeviceMemory") X(BUFFER, "VkBuffer") X(PIPELINE, "VkPipeline")                              \
    X(SHADER_MODULE, "VkShaderModule") X(COMMAND_BUFFER, "VkCommandBuffer") X(FENCE, "VkFence")              \
    X(QUERY_POOL, "VkQueryPool") X(DESCRIPTOR_SET_LAYOUT, "VkDescriptorSetLayout")
// clang-format on

enum vk_object {
#define X(kind, name) VK_OBJECT_##kind,
    VK_OBJECT_KINDS(X)
#undef X
        VK_OBJECT_COUNT
};

struct vk_objects {
    int64_t live[VK_OBJECT_COUNT];
};

const char *vk_object_name(enum vk_object kind); /* "VkFence" */

/* Returns `result`, and counts an object if it is VK_SUCCESS. */
static inline VkResult vk_created(struct vk_objects *objects, enum vk_object kind, VkResult result)
{
    objects->live[kind] += result == VK_SUCCESS;
    return result;
}

/* The handle, for the call that destroys it; subtracts it from the count unless it is VK_NULL_HANDLE. */
#define VK_DESTROYED(objects, kind, handle) ((objects)->live[kind] -= (handle) != VK_NULL_HANDLE, (handle))

#endif
