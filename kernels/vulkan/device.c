/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/vulkan/internal.h"
#include "kernels/vulkan/route.h"

#include <stdlib.h>
#include <string.h>

static bool logical_create(struct vk_device *device, struct error *error)
{
    const struct vk_physical *p = &device->physical;
    const float priority = 1;
    const char *extension[2];
    uint32_t extensions = 0;
    if (p->portability_subset) {
        extension[extensions++] = "VK_KHR_portability_subset";
    }
    if (p->import_alignment > 0) {
        extension[extensions++] = VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME;
    }
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueFamilyIndex = p->family,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    VkPhysicalDeviceVulkan12Features v12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                            .shaderFloat16 = p->float16,
                                            .storageBuffer8BitAccess = p->storage8,
                                            .bufferDeviceAddress = VK_TRUE};
    VkPhysicalDeviceVulkan11Features v11 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
                                            .pNext = &v12,
                                            .storageBuffer16BitAccess = p->storage16};
    const VkPhysicalDeviceFeatures2 features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
        .pNext = &v11,
        .features = {.shaderFloat64 = p->float64, .shaderInt64 = p->int64, .shaderInt16 = p->int16}};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &features,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue,
                                     .enabledExtensionCount = extensions,
                                     .ppEnabledExtensionNames = extension};
    VK(vkCreateDevice(p->handle, &info, NULL, &device->logical));
    vkGetDeviceQueue(device->logical, p->family, 0, &device->queue);
    return true;
fail:
    return false;
}

static bool commands_create(struct vk_device *device, struct error *error)
{
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                          .queueFamilyIndex = device->physical.family};
    VK(vkCreateCommandPool(device->logical, &pool, NULL, &device->pool));
    const VkCommandBufferAllocateInfo buffer = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                .commandPool = device->pool,
                                                .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                                .commandBufferCount = 1};
    VK(vk_created(&device->objects, VK_OBJECT_COMMAND_BUFFER,
                  vkAllocateCommandBuffers(device->logical, &buffer, &device->commands)));
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    VK(vk_created(&device->objects, VK_OBJECT_FENCE,
                  vkCreateFence(device->logical, &fence, NULL, &device->fence)));
    if (device->physical.timestamp_bits && device->physical.properties.limits.timestampPeriod > 0) {
        const VkQueryPoolCreateInfo queries = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                               .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                               .queryCount = VK_ROUNDS_MAX + 1};
        VK(vk_created(&device->objects, VK_OBJECT_QUERY_POOL,
                      vkCreateQueryPool(device->logical, &queries, NULL, &device->queries)));
    }
    return true;
fail:
    return false;
}

/* Returns the index of the first memory type with all of `flags`, or −1. */
static int type_find(const struct vk_physical *physical, VkMemoryPropertyFlags flags)
{
    for (uint32_t i = 0; i < physical->memory.memoryTypeCount; i++) {
        if ((physical->memory.memoryTypes[i].propertyFlags & flags) == flags) {
            return (int)i;
        }
    }
    return -1;
}

static uint64_t heap_size(const struct vk_physical *physical, int type)
{
    return physical->memory.memoryHeaps[physical->memory.memoryTypes[type].heapIndex].size;
}

/* Creates the allocators. Storages are mapped directly only if the device memory is host-visible and cached:
 * the visible memory of a discrete GPU is write-combined, and reading it costs a bus transfer per word. */
static bool memory_create(struct vk_device *device, const struct vk_device_parameters *requested,
                          struct error *error)
{
    const VkMemoryPropertyFlags host =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    const struct vk_physical *p = &device->physical;
    struct vk_memory_parameters parameters = {.device = device->logical,
                                              .objects = &device->objects,
                                              .addressed = true,
                                              .ours = p->properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU,
                                              .block_max = p->maintenance3.maxMemoryAllocationSize,
                                              .import_alignment = p->import_alignment};
    int type = type_find(p, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | host | VK_MEMORY_PROPERTY_HOST_CACHED_BIT);
    double fraction = requested->memory_fraction;
    device->direct = type >= 0 && !requested->staging;
    if (!device->direct) {
        type = type_find(p, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    }
    if (type < 0) {
        return error_set(error, "%s has no device-local memory", p->properties.deviceName);
    }
    if (!(fraction > 0 && fraction <= 1)) {
        fraction = 0.9;
    }
    parameters.type = (uint32_t)type;
    parameters.mapped = device->direct;
    parameters.limit = (uint64_t)(fraction * (double)heap_size(p, type));
    device->memory = vk_memory_create(&parameters);
    if (!device->direct) {
        type = type_find(p, host | VK_MEMORY_PROPERTY_HOST_CACHED_BIT);
        if (type < 0) {
            type = type_find(p, host);
        }
        if (type < 0) {
            return error_set(error, "%s has no host-visible memory", p->properties.deviceName);
        }
        parameters.type = (uint32_t)type;
        parameters.mapped = true;
        parameters.addressed = false;
        parameters.import_alignment = 0;
        parameters.limit = heap_size(p, type);
        device->staging = vk_memory_create(&parameters);
    }
    if (!device->memory || (!device->direct && !device->staging)) {
        return error_set(error, "out of memory");
    }
    return true;
}

struct vk_device *vk_device_create(const struct vk_device_parameters *parameters, struct error *error)
{
    struct vk_device *device = calloc(1, sizeof *device);
    struct vk_physical *physical = calloc(VK_PHYSICAL_MAX, sizeof *physical);
    if (!device || !physical) {
        error_set(error, "out of memory");
        goto fail;
    }
    device->route = parameters->route ? vk_route_find(parameters->route) : VK_ROUTE_ANY;
    if (parameters->route && device->route == VK_ROUTE_ANY) {
        error_set(error, "unknown route \"%s\"; there are: %s", parameters->route, vk_route_names());
        goto fail;
    }
    if (!vk_instance_open(&device->instance, parameters->validate, error)) {
        goto fail;
    }
    int count = vk_physical_enumerate(&device->instance, physical);
    int chosen = vk_physical_choose(physical, count, parameters->selector, error);
    if (chosen < 0) {
        goto fail;
    }
    device->physical = physical[chosen];
    if (!logical_create(device, error) || !commands_create(device, error) ||
        !memory_create(device, parameters, error)) {
        goto fail;
    }
    device->pipelines = vk_pipelines_create(device, !parameters->no_disk_cache, error);
    if (!device->pipelines) {
        goto fail;
    }
    free(physical);
    return device;
fail:
    free(physical);
    vk_device_destroy(&device);
    return NULL;
}

void vk_device_destroy(struct vk_device **device)
{
    struct vk_device *d = *device;
    if (!d) {
        return;
    }
    if (d->logical) {
        vkDeviceWaitIdle(d->logical);
        vk_run_cache_destroy(d);
        vk_pipelines_destroy(&d->pipelines);
        vk_memory_destroy(&d->staging);
        vk_memory_destroy(&d->memory);
        vkDestroyQueryPool(d->logical, VK_DESTROYED(&d->objects, VK_OBJECT_QUERY_POOL, d->queries), NULL);
        vkDestroyFence(d->logical, VK_DESTROYED(&d->objects, VK_OBJECT_FENCE, d->fence), NULL);
        vkDestroyCommandPool(d->logical, d->pool, NULL);
        vkDestroyDevice(d->logical, NULL);
    }
    vk_instance_close(&d->instance);
    free(d);
    *device = NULL;
}

void vk_device_info(const struct vk_device *device, struct vk_device_info *info)
{
    const struct vk_physical *p = &device->physical;
    const uint32_t api = p->properties.apiVersion;
    *info = (struct vk_device_info){0};
    snprintf(info->name, sizeof info->name, "%s", p->properties.deviceName);
    snprintf(info->driver, sizeof info->driver, "%.120s %.120s", p->driver.driverName, p->driver.driverInfo);
    snprintf(info->api, sizeof info->api, "Vulkan %u.%u.%u", VK_API_VERSION_MAJOR(api),
             VK_API_VERSION_MINOR(api), VK_API_VERSION_PATCH(api));
    info->memory_bytes = 0;
    for (uint32_t i = 0; i < p->memory.memoryHeapCount; i++) {
        if (p->memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT &&
            p->memory.memoryHeaps[i].size > info->memory_bytes) {
            info->memory_bytes = p->memory.memoryHeaps[i].size;
        }
    }
    vk_physical_profile(p, &info->profile);
}

void vk_device_memory(const struct vk_device *device, struct vk_memory_counters *counters)
{
    vk_memory_counters(device->memory, counters);
}

/* Returns the bytes in use on all device-local heaps, as the driver counts them; 0 if it does not report
 * them. */
static uint64_t budget_usage(const struct vk_device *device)
{
    VkPhysicalDeviceMemoryBudgetPropertiesEXT budget = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT};
    VkPhysicalDeviceMemoryProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2, .pNext = &budget};
    uint64_t used = 0;
    if (!device->physical.budget) {
        return 0;
    }
    vkGetPhysicalDeviceMemoryProperties2(device->physical.handle, &properties);
    for (uint32_t i = 0; i < properties.memoryProperties.memoryHeapCount; i++) {
        if (properties.memoryProperties.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) {
            used += budget.heapUsage[i];
        }
    }
    return used;
}

void vk_device_usage(const struct vk_device *device, struct vk_device_usage *usage)
{
    *usage = (struct vk_device_usage){.budget = budget_usage(device), .kinds = VK_OBJECT_COUNT};
    _Static_assert((int)VK_OBJECT_COUNT <= (int)VK_DEVICE_OBJECTS_MAX, "every kind has a place");
    for (int k = 0; k < VK_OBJECT_COUNT; k++) {
        usage->kind[k].name = vk_object_name((enum vk_object)k);
        usage->kind[k].live = device->objects.live[k];
    }
}

void vk_device_limit_memory(struct vk_device *device, uint64_t bytes)
{
    vk_memory_limit(device->memory, bytes);
}

const char *vk_object_name(enum vk_object kind)
{
    static const char *const names[] = {
#define X(kind, name) name,
        VK_OBJECT_KINDS(X)
#undef X
    };
    return names[kind];
}

void vk_device_empty_cache(struct vk_device *device)
{
    vk_memory_empty_cache(device->memory);
    if (device->staging) {
        vk_memory_empty_cache(device->staging);
    }
}

int vk_device_messages(struct vk_device *device, char *text, size_t size)
{
    struct vk_messages *messages = &device->instance.messages;
    const int count = messages->count;
    if (text && size) {
        snprintf(text, size, "%s", messages->first);
    }
    *messages = (struct vk_messages){0};
    return count;
}
