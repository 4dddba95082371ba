/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_KERNELS_VULKAN_SHADERS_H
#define ASSAY_KERNELS_VULKAN_SHADERS_H

/* The compiled shaders, embedded at build time: a set per file STEM.comp, in it one entry per variant,
 * "STEM.VARIANT". Static, read-only. */

#include <stddef.h>
#include <stdint.h>

struct vk_shader {
    const char *name;
    const uint32_t *words;
    size_t count;
};

struct vk_shader_set {
    const char *stem;
    const struct vk_shader *shader;
    int count;
};

extern const struct vk_shader_set *const vk_shader_sets[]; /* by stem; NULL at the end */

#endif
