/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_KERNELS_VULKAN_SHADERS_H
#define ASSAY_KERNELS_VULKAN_SHADERS_H

/* The compiled shaders (SPIR-V), which compile.sh and embed.sh make at build time: a set for each file
 * STEM.comp with an entry "STEM.VARIANT" for each of its variants. Static and read-only. */

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

extern const struct vk_shader_set *const vk_shader_sets[]; /* sorted by stem; NULL at the end */

#endif
