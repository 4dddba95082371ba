/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_KERNELS_CPU_HALF_H
#define ASSAY_KERNELS_CPU_HALF_H

/* Conversions of float16 and bfloat16 by integer arithmetic on bit patterns, for the CPU backend; independent
 * of reference/base/dtype.c. Conversions to the 16-bit formats round to nearest even. */

#include <stdint.h>
#include <string.h>

static inline float half_from_bits32(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline uint32_t half_bits32(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline float bfloat16_to_float(uint16_t bits)
{
    return half_from_bits32((uint32_t)bits << 16);
}

static inline uint16_t bfloat16_from_float(float x)
{
    uint32_t bits = half_bits32(x);
    if ((bits & 0x7FFFFFFFU) > 0x7F800000U) {
        return (uint16_t)(bits >> 16 | 0x40U); /* the quiet bit keeps it a NaN whatever its payload */
    }
    bits += 0x7FFFU + (bits >> 16 & 1U);
    return (uint16_t)(bits >> 16);
}

static inline float float16_to_float(uint16_t bits)
{
    uint32_t sign = (uint32_t)(bits & 0x8000U) << 16, exponent = bits >> 10 & 31U, fraction = bits & 0x3FFU;
    if (exponent == 31) {
        return half_from_bits32(sign | 0x7F800000U | fraction << 13);
    }
    if (exponent == 0) { /* fraction·2^-24, exact in float32 */
        float magnitude = (float)fraction * 0x1p-24F;
        return half_from_bits32(sign | half_bits32(magnitude));
    }
    return half_from_bits32(sign | (exponent + 112) << 23 | fraction << 13);
}

static inline uint16_t float16_from_float(float x)
{
    uint32_t bits = half_bits32(x), sign = bits >> 16 & 0x8000U, magnitude = bits & 0x7FFFFFFFU;
    if (magnitude > 0x7F800000U) {
        return (uint16_t)(sign | 0x7E00U | (magnitude >> 13 & 0x3FFU));
    }
    if (magnitude >= 0x477FF000U) { /* ≥ 65520 rounds to infinity */
        return (uint16_t)(sign | 0x7C00U);
    }
    if (magnitude < 0x38800000U) { /* below 2^-14: an integer multiple of 2^-24 */
        uint32_t shift = 126 - (magnitude >> 23), fraction = (magnitude & 0x7FFFFFU) | 0x800000U;
        if (shift > 24 || magnitude < 0x00800000U) {
            return (
                uint16_t)sign; /* below half the least subnormal; exactly half is a tie that gives 0 below */
        }
        uint32_t rest = fraction & ((1U << shift) - 1), half = 1U << (shift - 1),
                 quotient = fraction >> shift;
        quotient += rest > half || (rest == half && (quotient & 1U));
        return (uint16_t)(sign | quotient);
    }
    magnitude += 0xFFFU + (magnitude >> 13 & 1U);
    return (uint16_t)(sign | ((magnitude >> 13) - (112U << 10)));
}

/* Rounds x to float32, to odd: an inexact result has its last bit set, so that rounding it to a 16-bit format
 * gives the same as rounding x itself (Boldo and Melquiond, "Emulation of a FMA and correctly rounded sums:
 * proved algorithms using rounding to odd", IEEE Trans. Computers 57 (2008)). */
static inline float half_odd_from_double(double x)
{
    float nearest = (float)x;
    if ((double)nearest == x || x != x) {
        return nearest;
    }
    uint32_t away = ((double)nearest > x) == (x > 0);
    return half_from_bits32((half_bits32(nearest) - away) | 1U);
}

static inline float half_odd_from_integer(int64_t n)
{
    uint64_t magnitude = n < 0 ? 0 - (uint64_t)n : (uint64_t)n, unit = 1;
    for (; magnitude >> 53; unit *= 2) {
        magnitude = magnitude >> 1 | (magnitude & 1);
    }
    double x = (double)magnitude * (double)unit;
    return half_odd_from_double(n < 0 ? -x : x);
}

#endif
