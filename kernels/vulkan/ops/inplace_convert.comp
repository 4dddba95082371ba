// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// copy_ into another dtype: one element per invocation. One rounding to nearest even, integers truncated from floats and
// taken modulo 2^bits from integers. int64 in two words. From 64 bits and from integers into a 16-bit format through a
// float32 that is rounded to odd (what is lost stands in its last bit), which rounds as the whole does (Boldo and
// Melquiond, IEEE Trans. Computers 57 (2008)); by integer arithmetic, so that it needs no shaderFloat64.
//! variant float32_float16 -DFROM_FLOAT32 -DTO_FLOAT16
//! variant float32_bfloat16 -DFROM_FLOAT32 -DTO_BFLOAT16
//! variant float32_float64 -DFROM_FLOAT32 -DTO_FLOAT64
//! variant float32_int32 -DFROM_FLOAT32 -DTO_INT32
//! variant float16_float32 -DFROM_FLOAT16 -DTO_FLOAT32
//! variant bfloat16_float32 -DFROM_BFLOAT16 -DTO_FLOAT32
//! variant float64_float32 -DFROM_FLOAT64 -DTO_FLOAT32
//! variant float64_float16 -DFROM_FLOAT64 -DTO_FLOAT16
//! variant float64_bfloat16 -DFROM_FLOAT64 -DTO_BFLOAT16
//! variant float16_bfloat16 -DFROM_FLOAT16 -DTO_BFLOAT16
//! variant bfloat16_float16 -DFROM_BFLOAT16 -DTO_FLOAT16
//! variant int32_float16 -DFROM_INT32 -DTO_FLOAT16
//! variant int32_bfloat16 -DFROM_INT32 -DTO_BFLOAT16
//! variant int64_float16 -DFROM_INT64 -DTO_FLOAT16
//! variant int64_bfloat16 -DFROM_INT64 -DTO_BFLOAT16
//! variant int32_float32 -DFROM_INT32 -DTO_FLOAT32
//! variant int64_float32 -DFROM_INT64 -DTO_FLOAT32
//! variant int32_int64 -DFROM_INT32 -DTO_INT64
//! variant int64_int32 -DFROM_INT64 -DTO_INT32
#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernel.glsl"
#include "half.glsl"
#extension GL_EXT_shader_16bit_storage : require

layout(buffer_reference, std430, buffer_reference_align = 2) buffer Element16 { uint16_t value; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Element32 { uint value; };
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Element64 { uvec2 value; };

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Arguments {
    View from, result;
};

#if defined FROM_FLOAT16 || defined FROM_BFLOAT16
#define READ(address) uint(Element16(element_address(address, from, 2u)).value)
#elif defined FROM_FLOAT64 || defined FROM_INT64
#define READ(address) Element64(element_address(address, from, 8u)).value
#else
#define READ(address) Element32(element_address(address, from, 4u)).value
#endif

#if defined TO_FLOAT16 || defined TO_BFLOAT16
#define WRITE(address, x) Element16(element_address(address, to, 2u)).value = uint16_t(x)
#elif defined TO_FLOAT64 || defined TO_INT64
#define WRITE(address, x) Element64(element_address(address, to, 8u)).value = x
#else
#define WRITE(address, x) Element32(element_address(address, to, 4u)).value = x
#endif

#if defined TO_FLOAT16
#define NARROW(x) float_to_half(x)
#elif defined TO_BFLOAT16
#define NARROW(x) float_to_bfloat16(x)
#endif

// Of the bits that are kept, what is lost behind them noted: its first bit, and whether there is more.
uint noted(uint kept, bool first, bool more)
{
#ifdef MUTANT_CONVERT_TWICE // to nearest float32
    return kept + uint(first && (more || (kept & 1u) != 0u));
#else
    return kept | uint(first || more);
#endif
}

#if defined FROM_FLOAT64 && defined NARROW
uint converted(uvec2 x)
{
    uint sign = x.y & 0x80000000u, exponent = x.y >> 20 & 0x7ffu, above = x.y & 0xfffffu;
    uint kept = above << 3 | x.x >> 29; // the 23 leading bits of the fraction
    bool first = (x.x & 0x10000000u) != 0u, more = (x.x & 0xfffffffu) != 0u;
    if (exponent == 0x7ffu) // infinity, NaN
        return NARROW(uintBitsToFloat(sign | 0x7f800000u | uint(above != 0u || x.x != 0u) << 22));
    if (exponent >= 1151u) // 2^128 and beyond: the largest float32 is odd, and rounds on to infinity
        return NARROW(uintBitsToFloat(sign | 0x7f7fffffu));
    if (exponent >= 897u)
        return NARROW(uintBitsToFloat(sign | noted((exponent - 896u) << 23 | kept, first, more)));
    if (exponent == 0u && above == 0u && x.x == 0u)
        return NARROW(uintBitsToFloat(sign));
    uint shift = 897u - exponent; // a subnormal float32: a multiple of 2^-149
    if (shift > 24u)
        return NARROW(uintBitsToFloat(sign | noted(0u, false, true)));
    kept |= 0x800000u;
    more = first || more || (kept & ((1u << (shift - 1u)) - 1u)) != 0u;
    return NARROW(uintBitsToFloat(sign | noted(kept >> shift, (kept >> (shift - 1u) & 1u) != 0u, more)));
}
#elif (defined FROM_INT32 || defined FROM_INT64) && defined NARROW
#ifdef FROM_INT32
#define WIDE(x) uvec2(x, uint(int(x) >> 31))
uint converted(uint from)
#else
#define WIDE(x) x
uint converted(uvec2 from)
#endif
{
    uvec2 x = WIDE(from);
    uint sign = x.y & 0x80000000u;
    if (sign != 0u)
        x = uvec2(~x.x + 1u, ~x.y + uint(x.x == 0u));
    if ((x.x | x.y) == 0u)
        return 0u;
    int top = x.y != 0u ? 32 + findMSB(x.y) : findMSB(x.x);
    int left = 63 - top; // the leading bit to bit 63
    if (left >= 32) {
        x = uvec2(0u, x.x);
        left -= 32;
    }
    if (left > 0)
        x = uvec2(x.x << left, x.y << left | x.x >> (32 - left));
    uint kept = uint(127 + top) << 23 | (x.y >> 8 & 0x7fffffu);
    return NARROW(
        uintBitsToFloat(sign | noted(kept, (x.y & 0x80u) != 0u, (x.y & 0x7fu) != 0u || x.x != 0u)));
}
#elif defined FROM_FLOAT16 && defined TO_BFLOAT16
uint converted(uint x) { return float_to_bfloat16(half_to_float(x)); }
#elif defined FROM_BFLOAT16 && defined TO_FLOAT16
uint converted(uint x) { return float_to_half(bfloat16_to_float(x)); }
#elif defined FROM_FLOAT32 && defined TO_FLOAT16
uint converted(uint x) { return float_to_half(uintBitsToFloat(x)); }
#elif defined FROM_FLOAT32 && defined TO_BFLOAT16
uint converted(uint x)
{
#ifdef MUTANT_CONVERT_TRUNCATES
    return x >> 16 | uint((x & 0x7fffffffu) > 0x7f800000u) << 6;
#else
    return float_to_bfloat16(uintBitsToFloat(x));
#endif
}
#elif defined FROM_FLOAT32 && defined TO_FLOAT64
uvec2 converted(uint x) { return unpackDouble2x32(double(uintBitsToFloat(x))); }
#elif defined FROM_FLOAT32 && defined TO_INT32
uint converted(uint x) { return uint(int(uintBitsToFloat(x))); }
#elif defined FROM_FLOAT16
uint converted(uint x) { return floatBitsToUint(half_to_float(x)); }
#elif defined FROM_BFLOAT16
uint converted(uint x) { return x << 16; }
#elif defined FROM_FLOAT64
uint converted(uvec2 x) { return floatBitsToUint(float(packDouble2x32(x))); }
#elif defined FROM_INT32 && defined TO_FLOAT32
uint converted(uint x) { return floatBitsToUint(float(int(x))); }
#elif defined FROM_INT64 && defined TO_FLOAT32
// The leading 32 bits, what was shifted out noted in the last: float32 keeps 24, so that this rounds as the whole does.
uint converted(uvec2 x)
{
    if (x.y == uint(int(x.x) >> 31))
        return floatBitsToUint(float(int(x.x)));
    bool negative = int(x.y) < 0;
    if (negative) {
        x = uvec2(~x.x + 1u, ~x.y + uint(x.x == 0u));
    }
    if (x.y == 0u)
        return floatBitsToUint(negative ? -float(x.x) : float(x.x));
    int shift = findMSB(x.y) + 1; // 1 to 32
    uint lost = shift == 32 ? x.x : x.x & ((1u << shift) - 1u);
    uint kept = shift == 32 ? x.y : x.y << (32 - shift) | x.x >> shift;
#ifdef MUTANT_CONVERT_TWICE // to 32 bits first
    lost = 0u;
#endif
    EXACT float magnitude = float(kept | uint(lost != 0u)) * uintBitsToFloat(uint(127 + shift) << 23);
    return floatBitsToUint(negative ? -magnitude : magnitude);
}
#elif defined TO_INT64
uvec2 converted(uint x) { return uvec2(x, uint(int(x) >> 31)); }
#else
uint converted(uvec2 x) { return x.x; }
#endif

void main()
{
    Arguments a = Arguments(push.arguments);
    uint i = invocation_index(), from, to;
    if (i >= a.result.elements)
        return;
    ELEMENT_NUMBER(from, a.from, i)
    ELEMENT_NUMBER(to, a.result, i)
    WRITE(a.result.address, converted(READ(a.from.address)));
}
