/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/vulkan/plan.h"
#include "kernels/vulkan/shaders.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

enum { SLOTS_LEAST = 512 }; /* a power of two; the table doubles when half of it is taken */

struct slot {
    struct vk_pipeline_key key;
    VkPipeline pipeline; /* VK_NULL_HANDLE: the slot is free */
    uint64_t requested;  /* the number of the last request for it, counted over all pipelines */
};

struct vk_pipelines {
    struct vk_device *device;
    VkPipelineLayout layout;
    VkPipelineCache cache;
    struct slot *slot; /* hash table of `slots` entries, a power of two, with linear probing */
    size_t slots, used;
    uint64_t requested;
    bool unsaved;
    size_t saved_size;
    char path[512]; /* the cache file; empty: none */
};

/* The cache file is this header and the driver's data behind it. The driver checks only the header of its
 * data; the hash finds damage in the rest. */
struct cache_header {
    uint64_t magic, size, hash;
};
static const uint64_t cache_magic = 0x6568636163797361; /* "asycache", little-endian */

static void cache_path(const struct vk_physical *physical, char *path, size_t size)
{
    const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char directory[400];
    int wrote = xdg && *xdg     ? snprintf(directory, sizeof directory, "%s", xdg)
                : home && *home ? snprintf(directory, sizeof directory, "%s/.cache", home)
                                : -1;
    *path = '\0';
    if (wrote < 0 || (size_t)wrote > sizeof directory - 8) {
        return;
    }
    if (mkdir(directory, 0700) != 0 && errno != EEXIST) {
        return;
    }
    strcat(directory, "/assay");
    if (mkdir(directory, 0700) != 0 && errno != EEXIST) {
        return;
    }
    const VkPhysicalDeviceProperties *p = &physical->properties;
    char uuid[2 * VK_UUID_SIZE + 1];
    for (size_t i = 0; i < VK_UUID_SIZE; i++) {
        snprintf(uuid + 2 * i, 3, "%02x", p->pipelineCacheUUID[i]);
    }
    snprintf(path, size, "%s/pipelines-%08x-%08x-%08x-%s", directory, p->vendorID, p->deviceID,
             p->driverVersion, uuid);
}

/* Returns the driver's data from the cache file, which the caller frees; NULL if there is none or if it is
 * damaged. */
static void *cache_read(const char *path, size_t *size)
{
    struct cache_header header;
    void *data = NULL;
    struct stat status;
    int fd = *path ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1; /* a FIFO must not hang the device */
    bool regular = fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
    FILE *file = regular ? fdopen(fd, "rb") : NULL;
    if (!file) {
        if (fd >= 0) {
            close(fd);
        }
        return NULL;
    }
    if (fread(&header, sizeof header, 1, file) == 1 && header.magic == cache_magic &&
        header.size < (1u << 30)) {
        data = malloc(header.size ? header.size : 1);
    }
    if (data &&
        (fread(data, 1, header.size, file) != header.size || XXH3_64bits(data, header.size) != header.hash)) {
        free(data);
        data = NULL;
    }
    fclose(file);
    *size = data ? header.size : 0;
    return data;
}

static bool cache_write(const char *path, const void *data, size_t size)
{
    char temporary[560];
    const struct cache_header header = {cache_magic, size, XXH3_64bits(data, size)};
    snprintf(temporary, sizeof temporary, "%s.XXXXXX", path);
    int fd = mkostemp(temporary, O_CLOEXEC); /* an unpredictable name: nobody can have placed a link there */
    FILE *file = fd >= 0 ? fdopen(fd, "wb") : NULL;
    if (!file) {
        if (fd >= 0) {
            close(fd);
            unlink(temporary);
        }
        return false;
    }
    bool good = fwrite(&header, sizeof header, 1, file) == 1 && fwrite(data, 1, size, file) == size;
    good = fclose(file) == 0 && good;
    if (!good || rename(temporary, path) != 0) {
        unlink(temporary);
        return false;
    }
    return true;
}

void vk_pipelines_save(struct vk_pipelines *pipelines)
{
    VkDevice device = pipelines->device->logical;
    size_t size = 0;
    if (!pipelines->unsaved || !*pipelines->path) {
        return;
    }
    pipelines->unsaved = false;
    if (vkGetPipelineCacheData(device, pipelines->cache, &size, NULL) != VK_SUCCESS ||
        size == pipelines->saved_size) {
        return;
    }
    void *data = malloc(size);
    if (data && vkGetPipelineCacheData(device, pipelines->cache, &size, data) == VK_SUCCESS &&
        cache_write(pipelines->path, data, size)) {
        pipelines->saved_size = size;
    }
    free(data);
}

struct vk_pipelines *vk_pipelines_create(struct vk_device *device, bool disk, struct error *error)
{
    struct vk_pipelines *pipelines = calloc(1, sizeof *pipelines);
    void *data = NULL;
    if (!pipelines) {
        error_set(error, "out of memory");
        return NULL;
    }
    pipelines->device = device;
    pipelines->slots = SLOTS_LEAST;
    pipelines->slot = calloc(pipelines->slots, sizeof *pipelines->slot);
    if (!pipelines->slot) {
        error_set(error, "out of memory");
        free(pipelines);
        return NULL;
    }
    if (disk) {
        cache_path(&device->physical, pipelines->path, sizeof pipelines->path);
    }
    VkPipelineCacheCreateInfo cache = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    cache.pInitialData = data = cache_read(pipelines->path, &cache.initialDataSize);
    pipelines->saved_size = cache.initialDataSize;
    VK(vkCreatePipelineCache(device->logical, &cache, NULL, &pipelines->cache));
    const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(struct vk_push)};
    const VkPipelineLayoutCreateInfo layout = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                               .pushConstantRangeCount = 1,
                                               .pPushConstantRanges = &range};
    VK(vkCreatePipelineLayout(device->logical, &layout, NULL, &pipelines->layout));
    free(data);
    return pipelines;
fail:
    free(data);
    vk_pipelines_destroy(&pipelines);
    return NULL;
}

void vk_pipelines_destroy(struct vk_pipelines **pipelines)
{
    struct vk_pipelines *p = *pipelines;
    if (!p) {
        return;
    }
    vk_pipelines_save(p);
    for (size_t i = 0; i < p->slots; i++) {
        vkDestroyPipeline(p->device->logical,
                          VK_DESTROYED(&p->device->objects, VK_OBJECT_PIPELINE, p->slot[i].pipeline), NULL);
    }
    vkDestroyPipelineLayout(p->device->logical, p->layout, NULL);
    vkDestroyPipelineCache(p->device->logical, p->cache, NULL);
    free(p->slot);
    free(p);
    *pipelines = NULL;
}

VkPipelineLayout vk_pipelines_layout(const struct vk_pipelines *pipelines)
{
    return pipelines->layout;
}

const struct vk_shader *vk_shader_find(const char *name)
{
    const size_t stem = strcspn(name, ".");
    for (const struct vk_shader_set *const *set = vk_shader_sets; *set; set++) {
        if (strncmp((*set)->stem, name, stem) == 0 && (*set)->stem[stem] == '\0') {
            for (int i = 0; i < (*set)->count; i++) {
                if (strcmp((*set)->shader[i].name, name) == 0) {
                    return &(*set)->shader[i];
                }
            }
        }
    }
    return NULL;
}

static VkPipeline pipeline_make(struct vk_pipelines *pipelines, const struct vk_pipeline_key *key,
                                struct error *error)
{
    const struct vk_shader *shader = key->shader;
    VkDevice device = pipelines->device->logical;
    struct vk_objects *objects = &pipelines->device->objects;
    const struct vk_float_controls controls = vk_physical_controls(&pipelines->device->physical);
    VkShaderModule module = VK_NULL_HANDLE;
    VkPipeline pipeline = VK_NULL_HANDLE;
    size_t count = 0;
    uint32_t *words = vk_float_controls_patch(shader->words, shader->count, &controls, &count);
    if (!words) {
        error_set(error, "%s: not a SPIR-V module, or out of host memory", shader->name);
        return VK_NULL_HANDLE;
    }
    const VkShaderModuleCreateInfo module_info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                                  .codeSize = count * sizeof *words,
                                                  .pCode = words};
    VK(vk_created(objects, VK_OBJECT_SHADER_MODULE,
                  vkCreateShaderModule(device, &module_info, NULL, &module)));
    VkSpecializationMapEntry entry[VK_CONSTANTS];
    for (uint32_t i = 0; i < VK_CONSTANTS; i++) {
        entry[i] = (VkSpecializationMapEntry){i, i * 4, 4};
    }
    const VkSpecializationInfo constants = {VK_CONSTANTS, entry, sizeof key->constants, key->constants};
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main",
                  .pSpecializationInfo = &constants},
        .layout = pipelines->layout};
    VK(vk_created(objects, VK_OBJECT_PIPELINE,
                  vkCreateComputePipelines(device, pipelines->cache, 1, &info, NULL, &pipeline)));
fail:
    vkDestroyShaderModule(device, VK_DESTROYED(objects, VK_OBJECT_SHADER_MODULE, module), NULL);
    free(words);
    return pipeline;
}

/* Returns the slot of the key, or the free slot where it belongs. There is always a free slot. */
static struct slot *slot_of(struct slot *table, size_t slots, const struct vk_pipeline_key *key)
{
    size_t at = XXH3_64bits(key, sizeof *key) & (slots - 1);
    while (table[at].pipeline && memcmp(&table[at].key, key, sizeof *key) != 0) {
        at = (at + 1) & (slots - 1);
    }
    return &table[at];
}

/* Makes room for one more pipeline: a single worker may run all cases. False when out of memory. */
static bool make_room(struct vk_pipelines *pipelines)
{
    if (pipelines->used < pipelines->slots / 2) {
        return true;
    }
    const size_t slots = pipelines->slots * 2;
    struct slot *table = calloc(slots, sizeof *table);
    if (!table) {
        return false;
    }
    for (size_t i = 0; i < pipelines->slots; i++) {
        if (pipelines->slot[i].pipeline) {
            *slot_of(table, slots, &pipelines->slot[i].key) = pipelines->slot[i];
        }
    }
    free(pipelines->slot);
    pipelines->slot = table;
    pipelines->slots = slots;
    return true;
}

enum vk_pipeline_result vk_pipelines_get(struct vk_pipelines *pipelines, const struct vk_pipeline_key *key,
                                         VkPipeline *pipeline, struct error *error)
{
    struct slot *known = slot_of(pipelines->slot, pipelines->slots, key);
    known->requested = ++pipelines->requested;
    *pipeline = known->pipeline;
    if (*pipeline) {
        return VK_PIPELINE_OK;
    }
    const struct vk_shader *shader = key->shader;
    const char *lacks = vk_physical_lacks(&pipelines->device->physical, shader->words, shader->count);
    if (lacks) {
        error_set(error, "the device lacks %s, which %s needs", lacks, shader->name);
        return VK_PIPELINE_UNSUPPORTED;
    }
    if (!make_room(pipelines)) {
        error_set(error, "out of host memory for %zu pipelines", pipelines->used + 1);
        return VK_PIPELINE_ERROR;
    }
    *pipeline = pipeline_make(pipelines, key, error);
    if (!*pipeline) {
        return VK_PIPELINE_ERROR;
    }
    *slot_of(pipelines->slot, pipelines->slots, key) = (struct slot){*key, *pipeline, pipelines->requested};
    pipelines->used++;
    pipelines->unsaved = true;
    return VK_PIPELINE_OK;
}

static int by_age(const void *a, const void *b)
{
    const struct slot *x = a, *y = b;
    return (x->requested < y->requested) - (x->requested > y->requested); /* latest first; free slots: 0 */
}

void vk_pipelines_trim(struct vk_pipelines *pipelines, size_t most)
{
    if (pipelines->used <= most) {
        return;
    }
    const size_t keep = most - most / 4; /* fewer than `most`, so that not every launch has one to destroy */
    struct slot *table = calloc(pipelines->slots, sizeof *table);
    if (!table) {
        return; /* all pipelines stay */
    }
    for (size_t i = 0; i < pipelines->slots; i++) {
        pipelines->slot[i].requested = pipelines->slot[i].pipeline ? pipelines->slot[i].requested : 0;
    }
    qsort(pipelines->slot, pipelines->slots, sizeof *pipelines->slot, by_age);
    for (size_t i = 0; i < pipelines->used; i++) {
        const struct slot *slot = &pipelines->slot[i];
        if (i < keep) {
            *slot_of(table, pipelines->slots, &slot->key) = *slot;
        } else {
            vkDestroyPipeline(pipelines->device->logical,
                              VK_DESTROYED(&pipelines->device->objects, VK_OBJECT_PIPELINE, slot->pipeline),
                              NULL);
        }
    }
    free(pipelines->slot);
    pipelines->slot = table;
    pipelines->used = keep;
}
