/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/vulkan/internal.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* True if the device offers the extension. If host memory runs out, marks the device as unusable for that
 * reason, because it might offer the extension. */
static bool device_offers(struct vk_physical *p, const char *extension)
{
    uint32_t count = 0;
    bool found = false;
    if (vkEnumerateDeviceExtensionProperties(p->handle, NULL, &count, NULL) < 0) {
        return false;
    }
    VkExtensionProperties *all = calloc(count ? count : 1, sizeof *all);
    if (!all) {
        strcpy(p->reason, "cannot be examined: this machine is out of memory");
    } else if (vkEnumerateDeviceExtensionProperties(p->handle, NULL, &count, all) >= 0) {
        for (uint32_t i = 0; i < count; i++) {
            found = found || strcmp(all[i].extensionName, extension) == 0;
        }
    }
    free(all);
    return found;
}

static bool family_find(struct vk_physical *p)
{
    VkQueueFamilyProperties families[32];
    uint32_t count = 32;
    vkGetPhysicalDeviceQueueFamilyProperties(p->handle, &count, families);
    for (uint32_t i = 0; i < count; i++) {
        if (families[i].queueFlags & VK_QUEUE_COMPUTE_BIT) {
            p->family = i;
            p->timestamp_bits = families[i].timestampValidBits;
            return true;
        }
    }
    return false;
}

/* Returns the alignment that host memory needs to be imported as a storage buffer
 * (VK_EXT_external_memory_host); 0 if it cannot be imported. */
static uint64_t import_alignment(struct vk_physical *p)
{
    if (!device_offers(p, VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME)) {
        return 0;
    }
    const VkPhysicalDeviceExternalBufferInfo info = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_BUFFER_INFO,
        .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                 VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
        .handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT};
    VkExternalBufferProperties buffers = {.sType = VK_STRUCTURE_TYPE_EXTERNAL_BUFFER_PROPERTIES};
    VkPhysicalDeviceExternalMemoryHostPropertiesEXT host = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_MEMORY_HOST_PROPERTIES_EXT};
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                              .pNext = &host};
    vkGetPhysicalDeviceExternalBufferProperties(p->handle, &info, &buffers);
    vkGetPhysicalDeviceProperties2(p->handle, &properties);
    return buffers.externalMemoryProperties.externalMemoryFeatures & VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT
               ? host.minImportedHostPointerAlignment
               : 0;
}

static void physical_query(struct vk_physical *p)
{
    vkGetPhysicalDeviceProperties(p->handle, &p->properties);
    vkGetPhysicalDeviceMemoryProperties(p->handle, &p->memory);
    if (p->properties.apiVersion < VK_API_VERSION_1_2) {
        strcpy(p->reason, "offers less than Vulkan 1.2");
        return;
    }
    p->driver.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES;
    p->subgroup.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES;
    p->maintenance3.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES;
    p->float_controls.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES;
    p->driver.pNext = &p->subgroup;
    p->subgroup.pNext = &p->maintenance3;
    p->maintenance3.pNext = &p->float_controls;
    vkGetPhysicalDeviceProperties2(
        p->handle, &(VkPhysicalDeviceProperties2){.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                                  .pNext = &p->driver});
    VkPhysicalDeviceVulkan12Features v12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    VkPhysicalDeviceVulkan11Features v11 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
                                            .pNext = &v12};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .pNext = &v11};
    vkGetPhysicalDeviceFeatures2(p->handle, &features);
    p->address = v12.bufferDeviceAddress;
    p->float16 = v12.shaderFloat16;
    p->storage16 = v11.storageBuffer16BitAccess;
    p->storage8 = v12.storageBuffer8BitAccess;
    p->float64 = features.features.shaderFloat64;
    p->int16 = features.features.shaderInt16;
    p->int64 = features.features.shaderInt64;
    p->portability_subset = device_offers(p, "VK_KHR_portability_subset");
    p->budget =
        p->properties.deviceType != VK_PHYSICAL_DEVICE_TYPE_CPU && /* which counts the whole machine */
        device_offers(p, VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);
    p->import_alignment = import_alignment(p);
    if (p->reason[0]) {
        return;
    }
    if (!p->address) {
        strcpy(p->reason, "lacks bufferDeviceAddress");
    } else if (!family_find(p)) {
        strcpy(p->reason, "has no compute queue");
    } else {
        p->usable = true;
    }
}

int vk_physical_enumerate(const struct vk_instance *instance, struct vk_physical physical[VK_PHYSICAL_MAX])
{
    VkPhysicalDevice handles[VK_PHYSICAL_MAX];
    uint32_t count = VK_PHYSICAL_MAX;
    if (vkEnumeratePhysicalDevices(instance->handle, &count, handles) < 0) {
        return 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        physical[i] = (struct vk_physical){.handle = handles[i]};
        physical_query(&physical[i]);
    }
    return (int)count;
}

const char *vk_physical_type(const struct vk_physical *physical)
{
    switch (physical->properties.deviceType) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
        return "discrete";
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
        return "integrated";
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
        return "virtual";
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
        return "CPU";
    default:
        return "other";
    }
}

static int preference(const struct vk_physical *physical)
{
    switch (physical->properties.deviceType) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
        return 4;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
        return 3;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
        return 2;
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
        return 1;
    default:
        return 0;
    }
}

static bool selects(const char *selector, int index, const char *name)
{
    char *end;
    long number = strtol(selector, &end, 10);
    if (*selector && !*end) {
        return number == index;
    }
    for (; *name; name++) {
        if (strncasecmp(name, selector, strlen(selector)) == 0) {
            return true;
        }
    }
    return false;
}

static int choose_failed(const struct vk_physical *physical, int count, const char *selector,
                         struct error *error)
{
    char list[400] = "";
    size_t used = 0;
    for (int i = 0; i < count && used < sizeof list; i++) {
        int wrote = snprintf(list + used, sizeof list - used, "%s%d: %s%s%s%s", i ? "; " : "", i,
                             physical[i].properties.deviceName,
                             physical[i].usable ? "" : " (unusable: ", physical[i].reason,
                             physical[i].usable ? "" : ")");
        used += wrote > 0 ? (size_t)wrote : 0;
    }
    if (count == 0) {
        error_set(error, "no Vulkan device: no driver is installed, or VK_ICD_FILENAMES names none");
    } else if (selector) {
        error_set(error, "no usable Vulkan device '%.60s'; there is %s", selector, list);
    } else {
        error_set(error, "no usable Vulkan device; there is %s", list);
    }
    return -1;
}

int vk_physical_choose(const struct vk_physical *physical, int count, const char *selector,
                       struct error *error)
{
    int best = -1;
    for (int i = 0; i < count; i++) {
        if (!physical[i].usable || (selector && !selects(selector, i, physical[i].properties.deviceName))) {
            continue;
        }
        if (best < 0 || preference(&physical[i]) > preference(&physical[best])) {
            best = i;
        }
    }
    return best >= 0 ? best : choose_failed(physical, count, selector, error);
}

/* Fills the profile from the arithmetic that the kernels use for each dtype, and from what the device offers
 * for the width in which they compute. The 16-bit types are converted by integer arithmetic and computed in
 * float32. float16's subnormals are normal numbers of float32, so that they are kept on every device; those
 * of bfloat16 are subnormals of float32 as well. */
void vk_physical_profile(const struct vk_physical *physical, struct profile *profile)
{
    const VkPhysicalDeviceFloatControlsProperties *f = &physical->float_controls;
    const enum rounding single = f->shaderRoundingModeRTEFloat32 ? ROUNDING_RTE : ROUNDING_OPEN;
    const enum rounding twice = f->shaderRoundingModeRTEFloat64 ? ROUNDING_RTE : ROUNDING_OPEN;
    const enum subnormals kept32 = f->shaderDenormPreserveFloat32 ? SUBNORMALS_KEPT : SUBNORMALS_MAY_FLUSH;
    const enum subnormals kept64 = f->shaderDenormPreserveFloat64 ? SUBNORMALS_KEPT : SUBNORMALS_MAY_FLUSH;
    *profile = (struct profile){
        .summation = SUMMATION_DECLARED, .primitives = PRIMITIVES_VULKAN, .ties = TIES_FIRST};
    for (int d = 0; d < DTYPE_COUNT; d++) {
        profile->rounding[d] = d == DTYPE_FLOAT64 ? twice : single;
        const bool as_float32 = d == DTYPE_FLOAT32 || d == DTYPE_BFLOAT16 || d == DTYPE_COMPLEX64;
        profile->subnormals[d] = d == DTYPE_FLOAT64 ? kept64 : as_float32 ? kept32 : SUBNORMALS_KEPT;
        profile->special_values[d] = d == DTYPE_FLOAT64 ? f->shaderSignedZeroInfNanPreserveFloat64
                                                        : f->shaderSignedZeroInfNanPreserveFloat32;
        profile->accumulate[d] = (enum dtype)d;
        profile->attention_probabilities[d] = (enum dtype)d;
    }
    profile->accumulate[DTYPE_FLOAT16] = DTYPE_FLOAT32;
    profile->accumulate[DTYPE_BFLOAT16] = DTYPE_FLOAT32;
}

/* SPIR-V 1.5 §3.31. Capabilities without a row come with every Vulkan 1.2 device that is usable here. */
const char *vk_physical_lacks(const struct vk_physical *physical, const uint32_t *words, size_t count)
{
    enum {
        FLOAT16 = 9,
        FLOAT64 = 10,
        INT64 = 11,
        INT16 = 22,
        STORAGE_BUFFER_16 = 4433,
        STORAGE_BUFFER_8 = 4448
    };
    for (size_t i = 5; i < count && words[i] >> 16; i += words[i] >> 16) {
        if ((words[i] & 0xffff) != 17) { /* OpCapability: the first section */
            break;
        }
        switch (words[i + 1]) {
        case FLOAT16:
            if (!physical->float16) {
                return "shaderFloat16";
            }
            break;
        case FLOAT64:
            if (!physical->float64) {
                return "shaderFloat64";
            }
            break;
        case INT64:
            if (!physical->int64) {
                return "shaderInt64";
            }
            break;
        case INT16:
            if (!physical->int16) {
                return "shaderInt16";
            }
            break;
        case STORAGE_BUFFER_16:
            if (!physical->storage16) {
                return "storageBuffer16BitAccess";
            }
            break;
        case STORAGE_BUFFER_8:
            if (!physical->storage8) {
                return "storageBuffer8BitAccess";
            }
            break;
        default:
            break;
        }
    }
    return NULL;
}

static unsigned widths(VkBool32 half, VkBool32 single, VkBool32 twice)
{
    return (half ? VK_WIDTH_16 : 0u) | (single ? VK_WIDTH_32 : 0u) | (twice ? VK_WIDTH_64 : 0u);
}

struct vk_float_controls vk_physical_controls(const struct vk_physical *physical)
{
    const VkPhysicalDeviceFloatControlsProperties *f = &physical->float_controls;
    return (struct vk_float_controls){
        .rounding_rte = widths(f->shaderRoundingModeRTEFloat16, f->shaderRoundingModeRTEFloat32,
                               f->shaderRoundingModeRTEFloat64),
        .preserve = widths(f->shaderSignedZeroInfNanPreserveFloat16, f->shaderSignedZeroInfNanPreserveFloat32,
                           f->shaderSignedZeroInfNanPreserveFloat64),
        .denorm_preserve = widths(f->shaderDenormPreserveFloat16, f->shaderDenormPreserveFloat32,
                                  f->shaderDenormPreserveFloat64),
        .rounding_independence = (enum vk_independence)f->roundingModeIndependence,
        .denorm_independence = (enum vk_independence)f->denormBehaviorIndependence};
}
