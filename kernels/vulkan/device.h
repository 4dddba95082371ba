/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_KERNELS_VULKAN_DEVICE_H
#define ASSAY_KERNELS_VULKAN_DEVICE_H

/* A Vulkan device: selection, creation, its profile, and counters of its memory and objects.
 *
 * Needs Vulkan 1.2 with bufferDeviceAddress. A device is used by one thread at a time. It owns its instance:
 * two devices share nothing. launch.h runs programs on it. */

#include "reference/base/error.h"
#include "reference/operator/profile.h"

#include <stdio.h>

struct vk_device;

/* The most rounds of a launch (launch.h). */
enum { VK_ROUNDS_MAX = 15 };

struct vk_device_parameters {
    const char *selector; /* index as `assay devices` prints it, or a part of the name, case ignored; NULL:
                             best of discrete > integrated > virtual > CPU */
    const char *route; /* the only way to take of those in route.h, such as "tiled"; NULL: for each call the
                          first one that covers it */
    bool validate; /* VK_LAYER_KHRONOS_validation with synchronization validation; fails if it is missing */
    double memory_fraction; /* of the device-local heap that may be reserved, (0, 1]; 0 = 0.9 */
    bool staging;           /* copy through staging memory even where device memory is mapped and cached */
    bool no_disk_cache;     /* neither read nor write the pipeline cache */
};

struct vk_device_info {
    char name[256];        /* VkPhysicalDeviceProperties::deviceName */
    char driver[256];      /* driver name and version as the driver states them */
    char api[64];          /* "Vulkan 1.3.230" */
    uint64_t memory_bytes; /* size of the heap that allocations come from */
    struct profile profile;
};

struct vk_memory_counters {
    uint64_t allocated; /* bytes handed out to live allocations, rounded up as the allocator rounds */
    uint64_t reserved;  /* bytes held from the device, cached ones included */
    uint64_t peak;      /* greatest `allocated` so far */
    uint64_t limit;     /* bytes that may be reserved */
};

/* Opens a device; the caller destroys it. Returns NULL with the reason on failure; the reason for a selector
 * that matches no device lists the devices. */
struct vk_device *vk_device_create(const struct vk_device_parameters *parameters, struct error *error);
void vk_device_destroy(struct vk_device **device); /* accepts NULL, leaves NULL; writes the pipeline cache */

/* Returns the names of the routes that the steps of the last launch took, such as "tiled, portable"; "" if
 * none was planned. Valid until the next call or launch. */
const char *vk_device_routes(struct vk_device *device);

void vk_device_info(const struct vk_device *device, struct vk_device_info *info);
void vk_device_memory(const struct vk_device *device, struct vk_memory_counters *counters);

/* Resources in use as the driver and this layer count them, beside the allocator's own counters. */
enum { VK_DEVICE_OBJECTS_MAX = 16 };
struct vk_device_usage {
    uint64_t budget; /* VK_EXT_memory_budget: device-local bytes in use by this process; 0 if not reported */
    int kinds;
    struct {
        const char *name; /* "VkFence"; static storage */
        int64_t live;
    } kind[VK_DEVICE_OBJECTS_MAX];
};
void vk_device_usage(const struct vk_device *device, struct vk_device_usage *usage);

/* Limits the reserved bytes from now on; 0 restores the limit set by memory_fraction. */
void vk_device_limit_memory(struct vk_device *device, uint64_t bytes);
void vk_device_empty_cache(struct vk_device *device); /* gives unused blocks back to the driver */

/* Returns the number of warnings and errors of the validation layer since the last call, and copies the first
 * one to `text`, which may be NULL. */
int vk_device_messages(struct vk_device *device, char *text, size_t size);

/* Runs a loop of `requested` iterations in one invocation and returns how many it completed; −1 if the probe
 * could not run. A device that cuts loops short completes fewer. */
int64_t vk_device_loop_limit(struct vk_device *device, uint32_t requested);

enum { VK_LOOPS_PROBED = 200000 };     /* iterations that the probe requests */
enum { VK_LOOPS_UNLIMITED = 1000000 }; /* see vk_loop_limit */

/* Returns the most loop iterations that one invocation may run on a device, given whether it is a CPU and the
 * result `counted` of a probe of VK_LOOPS_PROBED iterations, which is not read for a CPU:
 *
 *   60,000                 on a CPU, and where the probe could not run (counted < 0)
 *   11/12 of `counted`     where the probe finds an end; 60,073 for an end of 65,535
 *   VK_LOOPS_UNLIMITED     elsewhere: there the time of a dispatch is the limit. Drivers reset a device whose
 *                          work lasts seconds, so that none is planned to last longer than half a second at
 *                          500 ns an iteration. An H200 takes 66 ns for an iteration with two dependent loads
 *                          from memory; the slowest devices are assumed to need eight times that. */
uint64_t vk_loop_limit(bool cpu, int64_t counted);

/* Measures how fast a kernel copies `bytes` bytes, rounded up to 16, from one buffer to another: sets *rate
 * to the bytes read and written per second, the median of five measurements after 20 ms of copies; 0 if the
 * device has no timestamps. A kernel, because vkCmdCopyBuffer on a compute queue can be five times slower.
 * Returns false with the reason if memory is missing, the device fails, or the copy is not equal. */
bool vk_device_copy_rate(struct vk_device *device, uint64_t bytes, double *rate, struct error *error);

/* Prints every physical device, or why there is none. Returns the number of usable ones. */
int vk_device_list(FILE *out);

#endif
