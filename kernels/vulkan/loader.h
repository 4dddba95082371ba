/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_KERNELS_VULKAN_LOADER_H
#define ASSAY_KERNELS_VULKAN_LOADER_H

/* Vulkan's functions, looked up in the loader (libvulkan.so.1) when the first instance is opened, so that the
 * program starts on machines without it and judges other backends there. Include this header instead of
 * <vulkan/vulkan.h>; a function that is called must be in the list. */

#include "reference/base/error.h"

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan.h>

// clang-format off
#define VK_FUNCTIONS(X)                                                                                      \
    X(vkAllocateCommandBuffers) X(vkAllocateMemory) X(vkBeginCommandBuffer)                                  \
    X(vkBindBufferMemory) X(vkCmdBindPipeline) X(vkCmdCopyBuffer) X(vkCmdDispatch)                           \
    X(vkCmdFillBuffer) X(vkCmdPipelineBarrier) X(vkCmdPushConstants) X(vkCmdResetQueryPool)                  \
    X(vkCmdUpdateBuffer) X(vkCmdWriteTimestamp) X(vkCreateBuffer) X(vkCreateCommandPool)                     \
    X(vkCreateComputePipelines) X(vkCreateDevice) X(vkCreateFence) X(vkCreateInstance)                       \
    X(vkCreatePipelineCache) X(vkCreatePipelineLayout) X(vkCreateQueryPool)                                  \
    X(vkCreateShaderModule) X(vkDestroyBuffer) X(vkDestroyCommandPool) X(vkDestroyDevice)                    \
    X(vkDestroyFence) X(vkDestroyInstance) X(vkDestroyPipeline) X(vkDestroyPipelineCache)                    \
    X(vkDestroyPipelineLayout) X(vkDestroyQueryPool) X(vkDestroyShaderModule)                                \
    X(vkDeviceWaitIdle) X(vkEndCommandBuffer) X(vkEnumerateDeviceExtensionProperties)                        \
    X(vkEnumerateInstanceExtensionProperties) X(vkEnumerateInstanceLayerProperties)                          \
    X(vkEnumerateInstanceVersion) X(vkEnumeratePhysicalDevices) X(vkFreeMemory)                              \
    X(vkGetBufferDeviceAddress) X(vkGetBufferMemoryRequirements) X(vkGetDeviceProcAddr)                      \
    X(vkGetDeviceQueue) X(vkGetInstanceProcAddr) X(vkGetPhysicalDeviceExternalBufferProperties)              \
    X(vkGetPhysicalDeviceFeatures2) X(vkGetPhysicalDeviceMemoryProperties)                                   \
    X(vkGetPhysicalDeviceMemoryProperties2) X(vkGetPhysicalDeviceProperties)                                 \
    X(vkGetPhysicalDeviceProperties2) X(vkGetPhysicalDeviceQueueFamilyProperties)                            \
    X(vkGetPipelineCacheData) X(vkGetQueryPoolResults) X(vkMapMemory) X(vkQueueSubmit)                       \
    X(vkResetFences) X(vkWaitForFences)
// clang-format on

/* Hidden, because the loader has functions of the same names. */
#define X(name) extern __attribute__((visibility("hidden"))) PFN_##name name;
VK_FUNCTIONS(X)
#undef X

/* Looks the functions up. Does nothing after the first success; the library stays loaded. Returns false with
 * the reason if the loader is absent or lacks a function. One thread at a time. */
bool vk_loader_open(struct error *error);

#endif
