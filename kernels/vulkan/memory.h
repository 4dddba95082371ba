/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_KERNELS_VULKAN_MEMORY_H
#define ASSAY_KERNELS_VULKAN_MEMORY_H

/* A caching allocator for one Vulkan memory type, with the counters that GPU frameworks have (allocated,
 * reserved, peak).
 *
 * A block is one vkAllocateMemory with one buffer over the whole of it; an allocation is a range of a block.
 * Ranges are found by best fit, split, and joined with free neighbours when they are freed. Blocks stay
 * reserved until the cache is emptied. Block sizes follow PyTorch's CUDA caching allocator: 2 MiB for
 * requests up to 1 MiB, 20 MiB up to 10 MiB, else the request rounded up to 2 MiB. One thread at a time. */

#include "kernels/vulkan/device.h"
#include "kernels/vulkan/loader.h"
#include "kernels/vulkan/objects.h"

struct vk_memory;
struct vk_range;

struct vk_memory_parameters {
    VkDevice device;
    struct vk_objects *objects; /* counters of Vulkan objects; must outlive the allocator */
    uint32_t type;              /* memory type index */
    bool mapped;                /* map every block for its lifetime; the type must be host-visible */
    bool addressed;             /* buffers get a device address */
    bool ours;      /* the device computes in host memory: if the driver refuses, the host is out of memory */
    uint64_t limit; /* bytes that may be reserved */
    uint64_t block_max;        /* VkPhysicalDeviceMaintenance3Properties::maxMemoryAllocationSize */
    uint64_t import_alignment; /* of host memory that can be imported; 0: import is not supported */
};

struct vk_allocation {
    VkBuffer buffer;
    VkDeviceSize offset, size; /* in the buffer; size is at least the requested size */
    VkDeviceAddress address;   /* of the first byte, a multiple of 256; 0 unless addressed */
    unsigned char *host;       /* host pointer to the first byte; NULL unless mapped */
    struct vk_range *range;    /* private to the allocator */
};

enum vk_memory_result { VK_MEMORY_OK, VK_MEMORY_OUT, VK_MEMORY_ERROR };

struct vk_memory *vk_memory_create(const struct vk_memory_parameters *parameters);
void vk_memory_destroy(struct vk_memory **memory); /* every allocation must have been freed */

/* Fills *allocation; the caller frees it with vk_memory_free. If the limit or the driver refuses, gives
 * unused blocks back to the driver and tries once more. Returns VK_MEMORY_OUT with the reason if the device
 * is out of memory, VK_MEMORY_ERROR with the reason if the host is, or if the driver fails in another way. 0
 * bytes get the smallest range. */
enum vk_memory_result vk_memory_allocate(struct vk_memory *memory, uint64_t bytes,
                                         struct vk_allocation *allocation, struct error *error);

/* Makes `bytes` of host memory at `pages` an allocation of the device, zero-copy
 * (VK_EXT_external_memory_host). The pages must outlive the allocation, which counts neither against the
 * limit nor in the byte counters. Returns false and zeroes *allocation if the device or driver refuses. */
bool vk_memory_import(struct vk_memory *memory, void *pages, uint64_t bytes,
                      struct vk_allocation *allocation);

void vk_memory_free(struct vk_memory *memory,
                    struct vk_allocation *allocation); /* zeroes *allocation; does nothing if it is zeroed */

void vk_memory_empty_cache(struct vk_memory *memory);

/* Sets the limit of reserved bytes; 0 restores that of the parameters. Blocks that are reserved already stay
 * until the cache is emptied. */
void vk_memory_limit(struct vk_memory *memory, uint64_t bytes);
void vk_memory_counters(const struct vk_memory *memory, struct vk_memory_counters *counters);

#endif
