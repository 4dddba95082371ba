/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_KERNELS_CPU_HALF_H
#define ASSAY_KERNELS_CPU_HALF_H

/* float16 and bfloat16 as float32 and back, to nearest even; written apart from reference/dtype.c on purpose.
 */

#include <stdint.h>
#include <string.h>

static inline float cpu_float_of_bits(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline uint32_t cpu_bits_of_float(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* Scaling by 2^112 in float32 moves the exponent's bias from 15 to 127 and normalises subnormals, exactly. */
static inline float cpu_float_of_half(uint16_t h)
{
    uint32_t sign = (uint32_t)(h & 0x8000U) << 16, magnitude = h & 0x7FFFU;
    if (magnitude >= 0x7C00U) { /* infinity, NaN */
        return cpu_float_of_bits(sign | 0x7F800000U | (magnitude & 0x3FFU) << 13);
    }
    float x = cpu_float_of_bits(magnitude << 13) * 0x1p112F;
    return cpu_float_of_bits(sign | cpu_bits_of_float(x));
}

static inline uint16_t cpu_half_of_float(float x)
{
    uint32_t bits = cpu_bits_of_float(x), sign = bits >> 16 & 0x8000U, magnitude = bits & 0x7FFFFFFFU;
    if (magnitude > 0x7F800000U) {
        return (uint16_t)(sign | 0x7E00U | (magnitude >> 13 & 0x1FFU));
    }
    if (magnitude >= 0x477FF000U) { /* 65520 and above rounds to infinity */
        return (uint16_t)(sign | 0x7C00U);
    }
    if (magnitude < 0x38800000U) { /* subnormal: adding ½ leaves the result, rounded, in the last bits */
        uint32_t rounded = cpu_bits_of_float(cpu_float_of_bits(magnitude) + 0.5F);
        return (uint16_t)(sign | (rounded - 0x3F000000U));
    }
    uint32_t odd = magnitude >> 13 & 1;
    return (uint16_t)(sign | (magnitude - 0x38000000U + 0xFFFU + odd) >> 13);
}

static inline float cpu_float_of_bfloat(uint16_t h)
{
    return cpu_float_of_bits((uint32_t)h << 16);
}

static inline uint16_t cpu_bfloat_of_float(float x)
{
    uint32_t bits = cpu_bits_of_float(x);
    if ((bits & 0x7FFFFFFFU) > 0x7F800000U) {
        return (uint16_t)(bits >> 16 | 0x40U);
    }
    return (uint16_t)((bits + 0x7FFFU + (bits >> 16 & 1)) >> 16);
}

#endif
