/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_KERNELS_VULKAN_FORMATS_H
#define ASSAY_KERNELS_VULKAN_FORMATS_H

/* The constant FORMATS of lib/formats.glsl: two bits for each operand, and flags. */

#include "kernels/vulkan/kernel.h"

enum { SINGLE, BINARY16, BFLOAT16 };                                        /* float64 counts as single */
enum { FORMAT_B = 2, FORMAT_BIAS = 4, FORMAT_RESULT = 6, FORMAT_CAST = 8 }; /* shifts of the bits; a has 0 */
enum {
    FORMATS_A_BY_TERMS = 0x400,
    FORMATS_B_BY_TERMS = 0x800,
    FORMATS_A_WHOLE = 0x1000,
    FORMATS_B_WHOLE = 0x2000,
    FORMATS_NATIVE = 0x4000,
    FORMATS_INSIDE = 0x8000
};

/* Returns the two bits of an operand. */
static inline uint32_t vk_format(enum dtype dtype)
{
    return dtype == DTYPE_FLOAT16 ? BINARY16 : dtype == DTYPE_BFLOAT16 ? BFLOAT16 : SINGLE;
}

/* Returns the variant of a shader whose operands have these formats and take part as `dtype`. */
static inline const char *vk_format_width(enum dtype dtype, uint32_t formats)
{
    return dtype == DTYPE_FLOAT64 ? "float64" : formats ? "mixed" : "float32";
}

#endif
