/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_KERNELS_VULKAN_FLOAT_CONTROLS_H
#define ASSAY_KERNELS_VULKAN_FLOAT_CONTROLS_H

/* Float controls patched into SPIR-V: for each float width that a module uses and the device offers,
 * RoundingModeRTE, SignedZeroInfNanPreserve and DenormPreserve as capability and execution mode.
 *
 * Declared in GLSL (GL_EXT_spirv_intrinsics' spirv_execution_mode) glslang keeps only the last width per
 * mode. Source: SPIR-V 1.5 §2.4 (layout), §3.6, §3.31; Vulkan 1.3, VkPhysicalDeviceFloatControlsProperties.
 * Pure. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { VK_WIDTH_16 = 1, VK_WIDTH_32 = 2, VK_WIDTH_64 = 4 }; /* bits of a set of widths */
enum vk_independence {
    VK_INDEPENDENCE_32_ONLY,
    VK_INDEPENDENCE_ALL,
    VK_INDEPENDENCE_NONE
}; /* Vulkan's order */

struct vk_float_controls { /* sets of widths that a device offers */
    unsigned rounding_rte, preserve, denorm_preserve;
    enum vk_independence rounding_independence, denorm_independence;
};

unsigned vk_float_widths(const uint32_t *words, size_t count); /* widths of the module's float types */

/* Widths on which a mode offered for `offered` may be set in a module that uses `used`: where widths are not
 * independent, a mode is set on all of a tied group or on none of it. */
unsigned vk_float_settable(unsigned used, unsigned offered, enum vk_independence independence);

/* A patched copy (malloc), *patched_count words long; NULL when out of memory or `words` is no SPIR-V module.
 */
uint32_t *vk_float_controls_patch(const uint32_t *words, size_t count,
                                  const struct vk_float_controls *offered, size_t *patched_count);

#endif
