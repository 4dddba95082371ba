/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_KERNELS_VULKAN_FLOAT_CONTROLS_H
#define ASSAY_KERNELS_VULKAN_FLOAT_CONTROLS_H

/* Patches float controls into SPIR-V modules: RoundingModeRTE, SignedZeroInfNanPreserve and DenormPreserve,
 * as capability and execution mode, for each float width that the module uses and the device offers.
 *
 * They are patched in because glslang keeps only the last width per mode when they are declared in GLSL
 * (GL_EXT_spirv_intrinsics' spirv_execution_mode). Source: SPIR-V 1.5 §2.4 (layout), §3.6, §3.31; Vulkan 1.3,
 * VkPhysicalDeviceFloatControlsProperties. All functions are pure. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { VK_WIDTH_16 = 1, VK_WIDTH_32 = 2, VK_WIDTH_64 = 4 }; /* members of a set of widths, as bits */
enum vk_independence {
    VK_INDEPENDENCE_32_ONLY,
    VK_INDEPENDENCE_ALL,
    VK_INDEPENDENCE_NONE
}; /* in the order of VkShaderFloatControlsIndependence */

struct vk_float_controls { /* the widths for which a device offers each mode */
    unsigned rounding_rte, preserve, denorm_preserve;
    enum vk_independence rounding_independence, denorm_independence;
};

unsigned vk_float_widths(const uint32_t *words,
                         size_t count); /* the set of widths of a module's float types */

/* Returns the widths on which a mode that the device offers for `offered` may be set in a module that uses
 * `used`. Widths that are not independent are set together or not at all. */
unsigned vk_float_settable(unsigned used, unsigned offered, enum vk_independence independence);

/* Returns a patched copy of *patched_count words, which the caller frees; NULL when out of memory or if
 * `words` is not a SPIR-V module. */
uint32_t *vk_float_controls_patch(const uint32_t *words, size_t count,
                                  const struct vk_float_controls *offered, size_t *patched_count);

#endif
