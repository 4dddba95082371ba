/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_KERNELS_VULKAN_SHADERS_H
#define ASSAY_KERNELS_VULKAN_SHADERS_H

/* The compiled shaders, embedded at build time: one entry per variant, "STEM.VARIANT". Static, read-only. */

#include <stddef.h>
#include <stdint.h>

struct vk_shader {
    const char *name;
    const uint32_t *words;
    size_t count;
};

extern const struct vk_shader vk_shaders[];
extern const int vk_shaders_count;

#endif
