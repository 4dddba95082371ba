/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_KERNELS_VULKAN_PLAN_H
#define ASSAY_KERNELS_VULKAN_PLAN_H

/* The launcher's side of a plan: the dispatches, argument blocks and memory that the steps of one program
 * need, collected before anything runs. Operators use kernel.h instead. */

#include "kernels/vulkan/internal.h"
#include "kernels/vulkan/kernel.h"

struct vk_push { /* push constants: struct Push of lib/kernel.glsl */
    VkDeviceAddress arguments;
    uint32_t elements, more;
    struct vk_line {
        uint64_t address;
        uint32_t offset, step, outermost, padding;
    } line[VK_LINES_MAX];
};
_Static_assert(sizeof(struct vk_push) <= 128, "every device has so many bytes (maxPushConstantsSize)");

struct vk_recorded { /* one dispatch */
    VkPipeline pipeline;
    uint32_t groups[3];
    struct vk_push push; /* push.arguments: offset of the argument block in vk_run_cache.arguments */
};

/* Arrays of the launcher, cached between runs: they grow and never shrink. */
struct vk_run_cache {
    struct vk_recorded *dispatch;
    int dispatches, dispatch_room;
    unsigned char *arguments; /* argument blocks, each aligned to 16 */
    size_t arguments_used, arguments_room;
    struct vk_allocation *storage;
    int storages, storage_room;
    struct vk_allocation *scratch;
    int scratches, scratch_room;
    struct vk_allocation block; /* the argument blocks in device memory */
    char routes_text[64];       /* their names, for vk_device_routes */
    unsigned routes;            /* bit r: a step of the last program went by enum vk_route r */
};

struct vk_plan {
    struct vk_device *device;
    const struct launch *launch;
    struct vk_run_cache *run;
    int variant;
    enum vk_route route;
    enum launch_status status;
    char message[256];
};

/* Grows an array, given by the address of its pointer, to at least `wanted` elements of `size` bytes; *room
 * is its capacity in elements. Returns false when out of memory; the array is then unchanged. */
bool vk_grow(void *array, int *room, int wanted, size_t size);

/* step.c: plans one step and returns its status; unless that is OK, the dispatches of the step are discarded.
 */
struct launch_result vk_plan_step(struct vk_device *device, const struct launch *launch,
                                  const struct step *step);

#endif
