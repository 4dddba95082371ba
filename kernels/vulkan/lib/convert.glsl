// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// Conversions of an element, for ops/convert.comp: READ reads it, `converted` converts it, WRITE stores it. The
// dtypes are named by FROM_… and TO_…; or BITS is the width of an element that is copied without conversion.
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require

layout(buffer_reference, std430, buffer_reference_align = 1) buffer Element8 { uint8_t value; };
layout(buffer_reference, std430, buffer_reference_align = 2) buffer Element16 { uint16_t value; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Element32 { uint value; };
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Element64 { uvec2 value; };

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Arguments {
    View from, result;
};

#if defined FROM_INT8 || defined FROM_UINT8 || defined FROM_INT32 || defined FROM_INT64 || defined FROM_BOOL
#define FROM_WHOLE
#endif
#if defined TO_INT8 || defined TO_UINT8 || defined TO_INT32 || defined TO_INT64
#define TO_WHOLE
#endif

#if defined FROM_INT8 || defined FROM_UINT8 || defined FROM_BOOL || BITS == 8
#define SOURCE uint
#define SOURCE_SIZE 1u
#define READ(address) uint(Element8(element_address(address, from, 1u)).value)
#elif defined FROM_FLOAT16 || defined FROM_BFLOAT16 || BITS == 16
#define SOURCE uint
#define SOURCE_SIZE 2u
#define READ(address) uint(Element16(element_address(address, from, 2u)).value)
#elif defined FROM_FLOAT64 || defined FROM_INT64 || BITS == 64
#define SOURCE uvec2
#define SOURCE_SIZE 8u
#define READ(address) Element64(element_address(address, from, 8u)).value
#else
#define SOURCE uint
#define SOURCE_SIZE 4u
#define READ(address) Element32(element_address(address, from, 4u)).value
#endif

#if defined TO_INT8 || defined TO_UINT8 || defined TO_BOOL || BITS == 8
#define RESULT uint
#define RESULT_SIZE 1u
#define WRITE(address, x) Element8(element_address(address, to, 1u)).value = uint8_t(x)
#elif defined TO_FLOAT16 || defined TO_BFLOAT16 || BITS == 16
#define RESULT uint
#define RESULT_SIZE 2u
#define WRITE(address, x) Element16(element_address(address, to, 2u)).value = uint16_t(x)
#elif defined TO_FLOAT64 || defined TO_INT64 || BITS == 64
#define RESULT uvec2
#define RESULT_SIZE 8u
#define WRITE(address, x) Element64(element_address(address, to, 8u)).value = x
#else
#define RESULT uint
#define RESULT_SIZE 4u
#define WRITE(address, x) Element32(element_address(address, to, 4u)).value = x
#endif

// The element as 64 bits if it is an integer, as float32 if it is a float of 32 bits or less.
#if defined FROM_INT64
uvec2 whole_of(uvec2 x)
{
    return x;
}
#elif defined FROM_INT8
uvec2 whole_of(uint x) { return uvec2(uint(int(x << 24) >> 24), uint(int(x << 24) >> 31)); }
#elif defined FROM_INT32
uvec2 whole_of(uint x) { return uvec2(x, uint(int(x) >> 31)); }
#elif defined FROM_WHOLE
uvec2 whole_of(uint x) { return uvec2(x, 0u); }
#elif defined FROM_FLOAT16
float single_of(uint x) { return half_to_float(x); }
#elif defined FROM_BFLOAT16
float single_of(uint x) { return bfloat16_to_float(x); }
#elif defined FROM_FLOAT32
float single_of(uint x) { return uintBitsToFloat(x); }
#endif

#if defined TO_FLOAT16
#define WIDENED half_to_float
#define ROUNDED float_to_half
#elif defined TO_BFLOAT16
#define WIDENED bfloat16_to_float
#define ROUNDED float_to_bfloat16
#endif
#ifdef ROUNDED
uint narrowed(float x)
{
    uint result = ROUNDED(x);
    return result;
}
#endif

// Of the bits that are kept, what is lost behind them noted: its first bit, and whether there is more.
uint noted(uint kept, bool first, bool more)
{
    return kept | uint(first || more);
}

uvec2 negated(uvec2 x) { return uvec2(~x.x + 1u, ~x.y + uint(x.x == 0u)); }
uvec2 shifted_left(uvec2 x, int by) // 0 to 63
{
    if (by >= 32)
        return uvec2(0u, x.x << (by - 32));
    return by == 0 ? x : uvec2(x.x << by, x.y << by | x.x >> (32 - by));
}
uvec2 shifted_right(uvec2 x, int by) // 0 to 63
{
    if (by >= 32)
        return uvec2(x.y >> (by - 32), 0u);
    return by == 0 ? x : uvec2(x.x >> by | x.y << (32 - by), x.y >> by);
}

#ifdef FROM_WHOLE
// x shifted left until its leading bit is bit 63, and the shift; x is not 0.
uvec2 normalized(uvec2 x, out int left)
{
    left = x.y != 0u ? 31 - findMSB(x.y) : 63 - findMSB(x.x);
    return shifted_left(x, left);
}
#endif

#if defined BITS
SOURCE converted(SOURCE x)
{
    return x;
}
#elif defined TO_BOOL
uint converted(SOURCE x)
{
#if defined FROM_FLOAT64
    bool any = ((x.y & 0x7fffffffu) | x.x) != 0u;
#elif defined FROM_WHOLE
    uvec2 whole = whole_of(x);
    bool any = (whole.x | whole.y) != 0u;
#else
    uint magnitude = floatBitsToUint(single_of(x)) & 0x7fffffffu;
    bool any = magnitude != 0u;
#endif
    return any ? 1u : 0u;
}
#elif defined FROM_WHOLE && defined TO_WHOLE
RESULT converted(SOURCE x)
{
    uvec2 whole = whole_of(x);
#ifdef TO_INT64
    return whole;
#else
    return whole.x;
#endif
}
#elif defined TO_WHOLE
// Rounds toward zero. The result is unspecified for NaN and beyond the range of 64 bits.
RESULT converted(SOURCE x)
{
#ifdef FROM_FLOAT64
    int exponent = int(x.y >> 20 & 0x7ffu) - 1075;
    uvec2 significand = uvec2(x.x, (x.y & 0xfffffu) | 0x100000u);
    bool negative = x.y >> 31 != 0u;
#else
    uint bits = floatBitsToUint(single_of(x));
    int exponent = int(bits >> 23 & 0xffu) - 150;
    uvec2 significand = uvec2((bits & 0x7fffffu) | 0x800000u, 0u);
    bool negative = bits >> 31 != 0u;
#endif
    uvec2 whole = exponent >= 0 ? shifted_left(significand, min(exponent, 63))
                                : shifted_right(significand, min(-exponent, 63));
    if (negative)
        whole = negated(whole);
#ifdef TO_INT64
    return whole;
#else
    return whole.x;
#endif
}
#elif defined FROM_WHOLE && defined ROUNDED
uint converted(SOURCE from)
{
    uvec2 x = whole_of(from);
    uint sign = x.y & 0x80000000u;
    int left;
    if (sign != 0u)
        x = negated(x);
    if ((x.x | x.y) == 0u)
        return 0u;
    x = normalized(x, left);
    uint kept = uint(190 - left) << 23 | (x.y >> 8 & 0x7fffffu);
    return narrowed(
        uintBitsToFloat(sign | noted(kept, (x.y & 0x80u) != 0u, (x.y & 0x7fu) != 0u || x.x != 0u)));
}
#elif defined FROM_WHOLE && defined TO_FLOAT32
uint cut(uint x)
{
    return x;
}

// Rounds the leading 32 bits, the last of which is set if a nonzero bit was shifted out: float32 keeps 24, so
// that this equals one rounding of x.
uint converted(SOURCE from)
{
    uvec2 x = whole_of(from);
    if (x.y == uint(int(x.x) >> 31))
        return floatBitsToUint(float(int(x.x)));
    bool negative = int(x.y) < 0;
    if (negative)
        x = negated(x);
    if (x.y == 0u)
        return floatBitsToUint(negative ? -float(cut(x.x)) : float(cut(x.x)));
    int shift = findMSB(x.y) + 1; // 1 to 32
    uint lost = shift == 32 ? x.x : x.x & ((1u << shift) - 1u);
    uint kept = shift == 32 ? x.y : x.y << (32 - shift) | x.x >> shift;
    EXACT float magnitude = float(cut(kept | uint(lost != 0u))) * uintBitsToFloat(uint(127 + shift) << 23);
    return floatBitsToUint(negative ? -magnitude : magnitude);
}
#elif defined FROM_WHOLE && defined TO_FLOAT64
// Rounds in integer arithmetic by the bits behind the 53rd; a carry increments the exponent correctly.
uvec2 converted(SOURCE from)
{
    uvec2 x = whole_of(from);
    uint sign = x.y & 0x80000000u;
    int left;
    if (sign != 0u)
        x = negated(x);
    if ((x.x | x.y) == 0u)
        return uvec2(0u);
    x = normalized(x, left);
    uint lost = x.x & 0x7ffu;
    x = shifted_right(x, 11);
    uvec2 result = uvec2(x.x, uint(1086 - left) << 20 | (x.y & 0xfffffu));
    if (lost > 0x400u || (lost == 0x400u && (result.x & 1u) != 0u))
        result = uvec2(result.x + 1u, result.y + uint(result.x == 0xffffffffu));
    return uvec2(result.x, result.y | sign);
}
#elif defined FROM_FLOAT64 && defined ROUNDED
uint converted(uvec2 x)
{
    uint sign = x.y & 0x80000000u, exponent = x.y >> 20 & 0x7ffu, above = x.y & 0xfffffu;
    uint kept = above << 3 | x.x >> 29; // the 23 leading bits of the fraction
    bool first = (x.x & 0x10000000u) != 0u, more = (x.x & 0xfffffffu) != 0u;
    if (exponent == 0x7ffu) // infinity, NaN
        return narrowed(uintBitsToFloat(sign | 0x7f800000u | uint(above != 0u || x.x != 0u) << 22));
    if (exponent >= 1151u) // 2^128 and beyond: the largest float32 is odd, and rounds on to infinity
        return narrowed(uintBitsToFloat(sign | 0x7f7fffffu));
    if (exponent >= 897u)
        return narrowed(uintBitsToFloat(sign | noted((exponent - 896u) << 23 | kept, first, more)));
    if (exponent == 0u && above == 0u && x.x == 0u)
        return narrowed(uintBitsToFloat(sign));
    uint shift = 897u - exponent; // a subnormal float32: a multiple of 2^-149
    if (shift > 24u)
        return narrowed(uintBitsToFloat(sign | noted(0u, false, true)));
    kept |= 0x800000u;
    more = first || more || (kept & ((1u << (shift - 1u)) - 1u)) != 0u;
    return narrowed(uintBitsToFloat(sign | noted(kept >> shift, (kept >> (shift - 1u) & 1u) != 0u, more)));
}
#elif defined ROUNDED
uint converted(uint x) { return narrowed(single_of(x)); }
#elif defined FROM_FLOAT64
uint converted(uvec2 x)
{
    uint result = floatBitsToUint(float(packDouble2x32(x)));
    return result;
}
#elif defined TO_FLOAT64
uvec2 converted(uint x) { return unpackDouble2x32(double(single_of(x))); }
#else
uint converted(uint x) { return floatBitsToUint(single_of(x)); }
#endif
