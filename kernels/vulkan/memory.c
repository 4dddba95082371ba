/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/vulkan/memory.h"

#include "kernels/vulkan/internal.h"

#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 512 };
static const uint64_t MIB = 1024 * 1024;

struct vk_range {
    struct block *block;
    uint64_t offset, size;
    bool used;
    struct vk_range *before, *after; /* neighbours in the block; NULL at its ends */
};

struct block {
    VkDeviceMemory memory;
    VkBuffer buffer;
    VkDeviceAddress address;
    unsigned char *host;
    uint64_t size;
    bool imported; /* host memory (vk_memory_import): a single range; the block is in no list */
    struct vk_range *first;
    struct block *next;
};

struct vk_memory {
    struct vk_memory_parameters parameters;
    PFN_vkGetMemoryHostPointerPropertiesEXT host_pointer; /* NULL: host memory cannot be imported */
    struct vk_memory_counters counters;
    struct block *blocks;
};

static uint64_t round_up(uint64_t bytes, uint64_t to)
{
    return (bytes + to - 1) / to * to;
}

struct vk_memory *vk_memory_create(const struct vk_memory_parameters *parameters)
{
    struct vk_memory *memory = calloc(1, sizeof *memory);
    if (memory) {
        memory->parameters = *parameters;
        memory->counters.limit = parameters->limit;
        if (parameters->import_alignment > 0) {
            memory->host_pointer = (PFN_vkGetMemoryHostPointerPropertiesEXT)vkGetDeviceProcAddr(
                parameters->device, "vkGetMemoryHostPointerPropertiesEXT");
        }
    }
    return memory;
}

static void block_release(struct vk_memory *memory, struct block *block)
{
    VkDevice device = memory->parameters.device;
    for (struct vk_range *range = block->first; range;) {
        struct vk_range *after = range->after;
        free(range);
        range = after;
    }
    struct vk_objects *objects = memory->parameters.objects;
    vkDestroyBuffer(device, VK_DESTROYED(objects, VK_OBJECT_BUFFER, block->buffer), NULL);
    vkFreeMemory(device, VK_DESTROYED(objects, VK_OBJECT_MEMORY, block->memory), NULL); /* unmaps */
    free(block);
}

void vk_memory_destroy(struct vk_memory **memory)
{
    if (!*memory) {
        return;
    }
    for (struct block *block = (*memory)->blocks; block;) {
        struct block *next = block->next;
        block_release(*memory, block);
        block = next;
    }
    free(*memory);
    *memory = NULL;
}

void vk_memory_empty_cache(struct vk_memory *memory)
{
    for (struct block **link = &memory->blocks; *link;) {
        struct block *block = *link;
        if (block->first->used || block->first->after) { /* an unused block is one free range */
            link = &block->next;
            continue;
        }
        *link = block->next;
        memory->counters.reserved -= block->size;
        block_release(memory, block);
    }
}

/* Returns the memory types, as bits, to which host memory at `pages` can be imported; 0 on failure. */
static uint32_t host_types(const struct vk_memory *memory, const void *pages)
{
    VkMemoryHostPointerPropertiesEXT host = {.sType = VK_STRUCTURE_TYPE_MEMORY_HOST_POINTER_PROPERTIES_EXT};
    bool shown = memory->host_pointer(memory->parameters.device,
                                      VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT, pages,
                                      &host) == VK_SUCCESS;
    return shown ? host.memoryTypeBits : 0;
}

/* Creates the block's buffer over `size` bytes of memory: host memory at `pages`, or, if that is NULL, newly
 * allocated device memory. */
static VkResult block_bind(const struct vk_memory *memory, uint64_t size, void *pages, struct block *block)
{
    const struct vk_memory_parameters *p = &memory->parameters;
    const VkExternalMemoryBufferCreateInfo external = {
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO,
        .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT};
    VkBufferUsageFlags usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    if (p->addressed) {
        usage |= VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    }
    const VkBufferCreateInfo whole = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                      .pNext = pages ? &external : NULL,
                                      .size = size,
                                      .usage = usage};
    VkResult result =
        vk_created(p->objects, VK_OBJECT_BUFFER, vkCreateBuffer(p->device, &whole, NULL, &block->buffer));
    if (result != VK_SUCCESS) {
        return result;
    }
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(p->device, block->buffer, &needs);
    const uint32_t types = needs.memoryTypeBits & (pages ? host_types(memory, pages) : ~UINT32_C(0));
    if (!(types >> p->type & 1) || (pages && needs.size > size)) {
        return VK_ERROR_FEATURE_NOT_PRESENT;
    }
    const VkImportMemoryHostPointerInfoEXT import = {
        .sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT,
        .handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT,
        .pHostPointer = pages};
    const VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                             .pNext = pages ? &import : NULL,
                                             .flags =
                                                 p->addressed ? VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT : 0};
    const VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                       .pNext = &flags,
                                       .allocationSize = pages ? size : needs.size,
                                       .memoryTypeIndex = p->type};
    result =
        vk_created(p->objects, VK_OBJECT_MEMORY, vkAllocateMemory(p->device, &info, NULL, &block->memory));
    return result == VK_SUCCESS ? vkBindBufferMemory(p->device, block->buffer, block->memory, 0) : result;
}

/* Creates a block; returns VK_SUCCESS or the driver's error, after which nothing stays allocated. */
static VkResult block_reserve(struct vk_memory *memory, uint64_t size, void *pages, struct block **made)
{
    const struct vk_memory_parameters *p = &memory->parameters;
    struct block *block = calloc(1, sizeof *block);
    struct vk_range *range = calloc(1, sizeof *range);
    VkResult result = block && range ? block_bind(memory, size, pages, block) : VK_ERROR_OUT_OF_HOST_MEMORY;
    if (result == VK_SUCCESS && pages) {
        block->host = pages;
    } else if (result == VK_SUCCESS && p->mapped) {
        result = vkMapMemory(p->device, block->memory, 0, VK_WHOLE_SIZE, 0, (void **)&block->host);
    }
    if (result != VK_SUCCESS) {
        free(range);
        if (block) {
            block_release(memory, block);
        }
        return result;
    }
    if (p->addressed) {
        block->address = vkGetBufferDeviceAddress(
            p->device, &(VkBufferDeviceAddressInfo){.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                                    .buffer = block->buffer});
    }
    block->size = size;
    block->imported = pages != NULL;
    *range = (struct vk_range){.block = block, .size = size};
    block->first = range;
    *made = block;
    return VK_SUCCESS;
}

static struct vk_range *best_fit(const struct vk_memory *memory, uint64_t size)
{
    struct vk_range *best = NULL;
    for (struct block *block = memory->blocks; block; block = block->next) {
        for (struct vk_range *range = block->first; range; range = range->after) {
            if (!range->used && range->size >= size && (!best || range->size < best->size)) {
                best = range;
            }
        }
    }
    return best;
}

/* Finds a free range, or reserves a new block and takes its range. Does not empty the cache. */
static VkResult range_find(struct vk_memory *memory, uint64_t size, struct vk_range **found)
{
    *found = best_fit(memory, size);
    if (*found) {
        return VK_SUCCESS;
    }
    uint64_t block_size = size <= MIB ? 2 * MIB : size <= 10 * MIB ? 20 * MIB : round_up(size, 2 * MIB);
    uint64_t room = memory->counters.limit > memory->counters.reserved
                        ? memory->counters.limit - memory->counters.reserved
                        : 0;
    if (block_size > room || block_size > memory->parameters.block_max) {
        block_size = size; /* the usual size does not fit */
    }
    if (block_size > room || block_size > memory->parameters.block_max) {
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    }
    struct block *block = NULL;
    VkResult result = block_reserve(memory, block_size, NULL, &block);
    if (result == VK_ERROR_OUT_OF_DEVICE_MEMORY && memory->parameters.ours) {
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    if (result != VK_SUCCESS) {
        return result;
    }
    block->next = memory->blocks;
    memory->blocks = block;
    memory->counters.reserved += block_size;
    *found = block->first;
    return VK_SUCCESS;
}

static bool range_split(struct vk_range *range, uint64_t size)
{
    if (range->size == size) {
        return true;
    }
    struct vk_range *rest = calloc(1, sizeof *rest);
    if (!rest) {
        return false;
    }
    *rest = (struct vk_range){.block = range->block,
                              .offset = range->offset + size,
                              .size = range->size - size,
                              .before = range,
                              .after = range->after};
    if (rest->after) {
        rest->after->before = rest;
    }
    range->after = rest;
    range->size = size;
    return true;
}

static struct vk_allocation allocation_of(struct vk_range *range)
{
    const struct block *block = range->block;
    return (struct vk_allocation){.buffer = block->buffer,
                                  .offset = range->offset,
                                  .size = range->size,
                                  .address = block->address ? block->address + range->offset : 0,
                                  .host = block->host ? block->host + range->offset : NULL,
                                  .range = range};
}

enum vk_memory_result vk_memory_allocate(struct vk_memory *memory, uint64_t bytes,
                                         struct vk_allocation *allocation, struct error *error)
{
    *allocation = (struct vk_allocation){0};
    if (bytes > memory->counters.limit) { /* also keeps round_up from overflowing */
        error_set(error, "out of device memory: %llu bytes asked, %llu may be reserved",
                  (unsigned long long)bytes, (unsigned long long)memory->counters.limit);
        return VK_MEMORY_OUT;
    }
    uint64_t size = round_up(bytes ? bytes : 1, ALIGNMENT);
    if (size > memory->parameters.block_max) {
        error_set(error, "out of device memory: %llu bytes asked at once, the device gives %llu",
                  (unsigned long long)bytes, (unsigned long long)memory->parameters.block_max);
        return VK_MEMORY_OUT;
    }
    struct vk_range *range = NULL;
    VkResult result = range_find(memory, size, &range);
    if (result == VK_ERROR_OUT_OF_DEVICE_MEMORY || result == VK_ERROR_OUT_OF_HOST_MEMORY) {
        vk_memory_empty_cache(memory);
        result = range_find(memory, size, &range);
    }
    if (result == VK_ERROR_OUT_OF_DEVICE_MEMORY) {
        error_set(error, "out of device memory: %llu bytes asked, %llu allocated, %llu reserved of %llu",
                  (unsigned long long)bytes, (unsigned long long)memory->counters.allocated,
                  (unsigned long long)memory->counters.reserved, (unsigned long long)memory->counters.limit);
        return VK_MEMORY_OUT;
    }
    if (result == VK_SUCCESS && !range_split(range, size)) {
        result = VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    if (result != VK_SUCCESS) {
        error_set(error, "device memory: %llu bytes requested: %s", (unsigned long long)bytes,
                  vk_result_text(result));
        return VK_MEMORY_ERROR;
    }
    range->used = true;
    memory->counters.allocated += size;
    if (memory->counters.allocated > memory->counters.peak) {
        memory->counters.peak = memory->counters.allocated;
    }
    *allocation = allocation_of(range);
    return VK_MEMORY_OK;
}

bool vk_memory_import(struct vk_memory *memory, void *pages, uint64_t bytes, struct vk_allocation *allocation)
{
    const uint64_t alignment = memory->parameters.import_alignment;
    struct block *block = NULL;
    *allocation = (struct vk_allocation){0};
    if (!memory->host_pointer || (uintptr_t)pages % alignment != 0 || bytes % alignment != 0 ||
        bytes > memory->parameters.block_max || block_reserve(memory, bytes, pages, &block) != VK_SUCCESS) {
        return false;
    }
    block->first->used = true;
    *allocation = allocation_of(block->first);
    return true;
}

static void join_after(struct vk_range *range)
{
    struct vk_range *after = range->after;
    if (!after || after->used) {
        return;
    }
    range->size += after->size;
    range->after = after->after;
    if (range->after) {
        range->after->before = range;
    }
    free(after);
}

void vk_memory_free(struct vk_memory *memory, struct vk_allocation *allocation)
{
    struct vk_range *range = allocation->range;
    *allocation = (struct vk_allocation){0};
    if (!range) {
        return;
    }
    if (range->block->imported) {
        block_release(memory, range->block);
        return;
    }
    memory->counters.allocated -= range->size;
    range->used = false;
    join_after(range);
    if (range->before && !range->before->used) {
        join_after(range->before);
    }
}

void vk_memory_limit(struct vk_memory *memory, uint64_t bytes)
{
    memory->counters.limit = bytes ? bytes : memory->parameters.limit;
}

void vk_memory_counters(const struct vk_memory *memory, struct vk_memory_counters *counters)
{
    *counters = memory->counters;
}
