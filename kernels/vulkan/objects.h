/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_KERNELS_VULKAN_OBJECTS_H
#define ASSAY_KERNELS_VULKAN_OBJECTS_H

/* How many Vulkan objects of each kind a device has alive: what is created and not destroyed shows here, also
 * where it costs too little memory to be seen. Every vkCreate… and vkAllocate… of a device goes through
 * vk_created, every vkDestroy… and vkFree… is announced by vk_destroyed. */

#include <stdint.h>
#include <vulkan/vulkan.h>

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

/* Passes the result on, and counts an object if there is one now. */
static inline VkResult vk_created(struct vk_objects *objects, enum vk_object kind, VkResult result)
{
    objects->live[kind] += result == VK_SUCCESS;
    return result;
}

/* Passes the handle on, to the call that destroys it. */
#define VK_DESTROYED(objects, kind, handle) ((objects)->live[kind] -= (handle) != VK_NULL_HANDLE, (handle))

#endif
