/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_KERNELS_VULKAN_INTERNAL_H
#define ASSAY_KERNELS_VULKAN_INTERNAL_H

/* Declarations shared by the files of the Vulkan layer and its tests. Other code uses device.h and launch.h,
 * operators use kernel.h. */

#include "kernels/vulkan/float_controls.h"
#include "kernels/vulkan/memory.h"
#include "kernels/vulkan/objects.h"

/* Makes a Vulkan call; on failure sets the reason and jumps to `fail`. The function around it must have
 * `struct error *error` and that label. */
#define VK(call)                                                                                             \
    do {                                                                                                     \
        VkResult vk_result_ = (call);                                                                        \
        if (vk_result_ < 0) {                                                                                \
            error_set(error, "%.90s: %s", #call, vk_result_text(vk_result_));                                \
            goto fail;                                                                                       \
        }                                                                                                    \
    } while (0)

const char *vk_result_text(VkResult result); /* "VK_ERROR_DEVICE_LOST" */

/* --- instance.c: the loader, layers, and the validation layer's messages */

struct vk_messages { /* filled by the debug messenger; must not move while the instance lives */
    int count;
    char first[512];
};

struct vk_instance {
    VkInstance handle;
    VkDebugUtilsMessengerEXT messenger;
    struct vk_messages messages;
};

bool vk_instance_open(struct vk_instance *instance, bool validate, struct error *error);
void vk_instance_close(struct vk_instance *instance);

/* --- physical.c: properties and features of a physical device */

struct vk_physical {
    VkPhysicalDevice handle;
    VkPhysicalDeviceProperties properties;
    VkPhysicalDeviceDriverProperties driver;
    VkPhysicalDeviceSubgroupProperties subgroup;
    VkPhysicalDeviceMaintenance3Properties maintenance3;
    VkPhysicalDeviceFloatControlsProperties float_controls;
    VkPhysicalDeviceMemoryProperties memory;
    bool address, float16, float64, int16, int64, storage8, storage16; /* features */
    bool portability_subset;
    uint64_t import_alignment; /* of host memory that can be imported as buffers; 0: not supported */
    bool budget;               /* VK_EXT_memory_budget is offered and counts this process alone */
    uint32_t family;           /* queue family for compute */
    uint32_t timestamp_bits;   /* of that family; 0: it has no timestamps */
    bool usable;
    char reason[128]; /* why not usable */
};

enum { VK_PHYSICAL_MAX = 16 };
int vk_physical_enumerate(const struct vk_instance *instance, struct vk_physical physical[VK_PHYSICAL_MAX]);
const char *vk_physical_type(const struct vk_physical *physical); /* "discrete", … */

/* Returns the index of the device that a selector names (NULL: the best one), or −1 with the reason. */
int vk_physical_choose(const struct vk_physical *physical, int count, const char *selector,
                       struct error *error);
void vk_physical_profile(const struct vk_physical *physical, struct profile *profile);

/* Returns the float controls that the device offers, by width. */
struct vk_float_controls vk_physical_controls(const struct vk_physical *physical);

/* Returns the name of a capability that the SPIR-V module needs and the device lacks, or NULL. */
const char *vk_physical_lacks(const struct vk_physical *physical, const uint32_t *words, size_t count);

/* --- device.c */

struct vk_pipelines;

struct vk_device {
    struct vk_instance instance;
    struct vk_physical physical;
    VkDevice logical;
    VkQueue queue;
    VkCommandPool pool;
    VkCommandBuffer commands;
    VkFence fence;
    VkQueryPool queries; /* two timestamps; NULL where the queue has none */
    struct vk_objects objects;
    bool direct; /* device memory is mapped, coherent and cached: no staging */
    struct vk_memory *memory, *staging;
    struct vk_pipelines *pipelines;
    uint64_t loop_limit;      /* read by vk_device_loops alone; 0: not yet determined */
    int route;                /* the only one of enum vk_route that is taken, or VK_ROUTE_ANY */
    struct vk_run_cache *run; /* the launcher's arrays, cached between runs (plan.h) */
};

/* --- pipeline.c: pipelines, cached in memory by shader and constants, and on disk */

enum { VK_CONSTANTS = 10 }; /* an even number, so that the key below has no padding */
struct vk_pipeline_key {    /* without padding, because its bytes are hashed and compared */
    const struct vk_shader *shader;
    uint32_t constants[VK_CONSTANTS]; /* see struct vk_dispatch in kernel.h */
};
_Static_assert(sizeof(struct vk_pipeline_key) ==
                   sizeof(const struct vk_shader *) + VK_CONSTANTS * sizeof(uint32_t),
               "no gaps");

enum vk_pipeline_result { VK_PIPELINE_OK, VK_PIPELINE_UNSUPPORTED, VK_PIPELINE_ERROR };

struct vk_pipelines *vk_pipelines_create(struct vk_device *device, bool disk, struct error *error);
void vk_pipelines_destroy(struct vk_pipelines **pipelines); /* writes the cache file first */
void vk_pipelines_save(struct vk_pipelines *pipelines); /* writes the cache file if pipelines are new in it */
/* If there are more than `most` pipelines, destroys all but the most recently used ones, three quarters of
 * `most`: a worker that runs every operator would otherwise hold a megabyte of code for each on llvmpipe. No
 * launch may be under way. */
void vk_pipelines_trim(struct vk_pipelines *pipelines, size_t most);
VkPipelineLayout vk_pipelines_layout(const struct vk_pipelines *pipelines);
const struct vk_shader *vk_shader_find(const char *name); /* "STEM.VARIANT"; NULL when there is none */
enum vk_pipeline_result vk_pipelines_get(struct vk_pipelines *pipelines, const struct vk_pipeline_key *key,
                                         VkPipeline *pipeline, struct error *error);

/* --- commands.c: the device's one command buffer */

#define VK_STAGE_COMPUTE  VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT
#define VK_STAGE_TRANSFER VK_PIPELINE_STAGE_TRANSFER_BIT
#define VK_STAGE_HOST     VK_PIPELINE_STAGE_HOST_BIT

bool vk_begin(struct vk_device *device, struct error *error);

/* Records a memory barrier: later commands see, at the stages `to` and for the accesses `used`, the writes
 * `written` of the stages `from`. */
void vk_barrier(VkCommandBuffer commands, VkPipelineStageFlags from, VkAccessFlags written,
                VkPipelineStageFlags to, VkAccessFlags used);

/* Ends and submits the command buffer and waits for its completion, for an hour at most. */
bool vk_submit(struct vk_device *device, struct error *error);

/* --- launch.c */
void vk_run_cache_destroy(struct vk_device *device);

/* --- probe.c */

/* Runs one workgroup of a shader, for probes and tests. The argument block has `bytes` bytes, a multiple of
 * 4; its first 8 are replaced by the address of `answer_bytes` bytes of device memory, which are copied to
 * `answer` afterwards. */
bool vk_launch_raw(struct vk_device *device, const char *shader, const void *arguments, size_t bytes,
                   void *answer, size_t answer_bytes, struct error *error);

/* Returns vk_loop_limit of the device. The first call on a device that is not a CPU runs the probe; no
 * commands may be being recorded then. */
uint64_t vk_device_loops(struct vk_device *device);

#endif
