/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_KERNELS_VULKAN_MEMORY_H
#define ASSAY_KERNELS_VULKAN_MEMORY_H

/* A caching allocator over one memory type, with the counters that users of GPU frameworks know.
 *
 * Blocks come from vkAllocateMemory, each with one buffer over the whole of it; allocations are ranges of
 * blocks, found best fit, split, and joined with free neighbours when they come back. Blocks stay reserved
 * until the cache is emptied. Block sizes follow PyTorch's CUDA caching allocator: 2 MiB for requests up to 1
 * MiB, 20 MiB up to 10 MiB, else the request rounded up to 2 MiB. One thread at a time. */

#include "kernels/vulkan/device.h"
#include "kernels/vulkan/objects.h"

#include <vulkan/vulkan.h>

struct vk_memory;
struct vk_range;

struct vk_memory_parameters {
    VkDevice device;
    struct vk_objects *objects; /* where blocks are counted; outlives the allocator */
    uint32_t type;              /* memory type index */
    bool mapped;                /* the type is host-visible: map every block for its life */
    bool addressed;             /* buffers get a device address */
    bool ours; /* the device computes in this machine's own memory: a refusal of the driver is no limit of the
                  device, but a shortage of this machine */
    uint64_t limit;             /* bytes that may be reserved */
    uint64_t block_max;         /* VkPhysicalDeviceMaintenance3Properties::maxMemoryAllocationSize */
    uint64_t import_alignment;  /* of host memory that the device can work in; 0: it cannot */
};

struct vk_allocation {
    VkBuffer buffer;
    VkDeviceSize offset, size; /* in the buffer; size is at least what was asked */
    VkDeviceAddress address;   /* of the first byte, a multiple of 256; 0 unless addressed */
    unsigned char *host;       /* the first byte as the host sees it; NULL unless mapped */
    struct vk_range *range;    /* the allocator's own */
};

enum vk_memory_result { VK_MEMORY_OK, VK_MEMORY_OUT, VK_MEMORY_ERROR };

struct vk_memory *vk_memory_create(const struct vk_memory_parameters *parameters);
void vk_memory_destroy(struct vk_memory **memory); /* every allocation must have been freed */

/* Fills *allocation. When the limit or the driver refuses, unused blocks are given back and it is tried once
 * more; then VK_MEMORY_OUT with the reason. VK_MEMORY_ERROR with the reason where this machine, not the
 * device, is short of memory, or where the driver fails otherwise. Zero bytes get the least range. */
enum vk_memory_result vk_memory_allocate(struct vk_memory *memory, uint64_t bytes,
                                         struct vk_allocation *allocation, struct error *error);

/* Device memory that is memory of the host: `bytes` at `pages`, which outlive the allocation. It is not the
 * device's, and neither limited nor counted among its bytes. False, and nothing is held, where the device or
 * its driver refuses (VK_EXT_external_memory_host). */
bool vk_memory_import(struct vk_memory *memory, void *pages, uint64_t bytes,
                      struct vk_allocation *allocation);

void vk_memory_free(struct vk_memory *memory,
                    struct vk_allocation *allocation); /* accepts a zeroed one, zeroes it */

void vk_memory_empty_cache(struct vk_memory *memory);

/* Another limit from now on; 0: that of the parameters. What is reserved already stays until the cache is
 * emptied. */
void vk_memory_limit(struct vk_memory *memory, uint64_t bytes);
void vk_memory_counters(const struct vk_memory *memory, struct vk_memory_counters *counters);

#endif
