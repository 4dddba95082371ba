// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// Operators that write into an operand: one element per invocation, or those of 16 bytes (WIDE). The host has broadcast every operand to the
// shape of the written one with strides of zero, and passes scalars for absent operands.
//
// In float32 every product, quotient and sum is rounded once and never contracted. float16 and bfloat16 are
// computed in float32 and rounded once. int32 and int64 are computed modulo 2^bits, int64 in two words, so that
// no device needs shaderInt64. copy_ and masked_fill_ copy words. Scalars are float32 or float64 bits, or
// integers.
//! variant float16 -DFLOAT16
//! variant bfloat16 -DBFLOAT16
//! variant float32 -DFLOAT32
//! variant float64 -DFLOAT64
//! variant int32 -DINT32
//! variant int64 -DINT64
//! wide
#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernel.glsl"
#include "half.glsl"
layout(constant_id = 1) const uint OPERATION = 0u;
layout(constant_id = 2) const uint VIEWED = 0u; // bit k: operand k is a view, else scalar k

#define SUM 0u         // x + s0 * y
#define PRODUCT 1u     // x * y
#define QUOTIENT 2u    // x / y
#define SUM_PRODUCT 3u // x + s0 * (y * z)
#define SUM_QUOTIENT 4u
#define LERP 5u // from x to y by z, or by s0
#define CLAMP 6u
#define COPY 7u
#define FILL 8u
#define MASKED_FILL 9u

#if defined FLOAT64 || defined INT64
#define WORD uvec2
#define SIZE 8u
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Element { uvec2 value; };
#define STORED(x) (x)
#elif defined FLOAT16 || defined BFLOAT16
#extension GL_EXT_shader_16bit_storage : require
#define WORD uint
#define SIZE 2u
layout(buffer_reference, std430, buffer_reference_align = 2) buffer Element { uint16_t value; };
#define STORED(x) uint16_t(x)
#else
#define WORD uint
#define SIZE 4u
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Element { uint value; };
#define STORED(x) (x)
#endif
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Word32 { uint value; };

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Arguments {
    View operand[3], result; // result is operand 0 if the operator works in place
    uvec2 scalar[3];         // scalar[0]: alpha, value or weight; scalar[k]: used in place of operand k
    uint mask_elements;      // elements of the mask before it was broadcast
    uint padding;
};

#ifdef FLOAT64
#define REAL double
REAL real_of(WORD bits) { return packDouble2x32(bits); }
WORD word_of(REAL x) { return unpackDouble2x32(x); }
REAL scalar_of(uvec2 bits) { return packDouble2x32(bits); }
bool is_nan(REAL x)
{
    uvec2 bits = unpackDouble2x32(x);
    bits.y &= 0x7fffffffu;
    return bits.y > 0x7ff00000u || (bits.y == 0x7ff00000u && bits.x != 0u);
}
#elif !defined INT32 && !defined INT64
#define REAL float
REAL scalar_of(uvec2 bits) { return uintBitsToFloat(bits.x); }
bool is_nan(REAL x) { return (floatBitsToUint(x) & 0x7fffffffu) > 0x7f800000u; }
#if defined FLOAT16 && defined WIDE
#include "half_native.glsl"
REAL real_of(WORD bits) { return half_value(bits); }
WORD word_of(REAL x) { return half_bits(x); }
#elif defined FLOAT16
REAL real_of(WORD bits) { return half_to_float(bits); }
WORD word_of(REAL x) { return float_to_half(x); }
#elif defined BFLOAT16
REAL real_of(WORD bits) { return bfloat16_to_float(bits); }
WORD word_of(REAL x) { return float_to_bfloat16(x); }
#else
REAL real_of(WORD bits) { return uintBitsToFloat(bits); }
WORD word_of(REAL x) { return floatBitsToUint(x); }
#endif
#endif

#ifdef REAL
REAL sum_of_product(REAL x, REAL a, REAL b) // x + a * b
{
    EXACT REAL product = a * b;
    EXACT REAL sum = x + product;
    return sum;
}

REAL interpolated(REAL x, REAL y, REAL weight)
{
    EXACT REAL difference = y - x;
    if (weight < REAL(0.5)) // below -1/2, too: from the other end products leave the range there
        return sum_of_product(x, weight, difference);
    EXACT REAL rest = REAL(1) - weight;
    return sum_of_product(y, -difference, rest);
}

// a > b for numbers, decided on their bits: a device that flushes subnormals also compares them as zeros.
bool above(REAL a, REAL b)
{
#ifdef FLOAT64
    uvec2 p = unpackDouble2x32(a), q = unpackDouble2x32(b);
    uvec2 m = uvec2(p.x, p.y & 0x7fffffffu), n = uvec2(q.x, q.y & 0x7fffffffu);
    bool negative = p.y >> 31 != 0u, other = q.y >> 31 != 0u;
    bool larger = m.y > n.y || (m.y == n.y && m.x > n.x), smaller = n.y > m.y || (n.y == m.y && n.x > m.x);
    bool zeros = m == uvec2(0u) && n == uvec2(0u);
#else
    uint p = floatBitsToUint(a), q = floatBitsToUint(b);
    uint m = p & 0x7fffffffu, n = q & 0x7fffffffu;
    bool negative = p >> 31 != 0u, other = q >> 31 != 0u;
    bool larger = m > n, smaller = n > m, zeros = m == 0u && n == 0u;
#endif
    if (negative != other)
        return other && !zeros;
    return negative ? smaller : larger;
}

REAL clamped(REAL x, REAL low, REAL high)
{
    if (is_nan(x))
        return x;
    if (is_nan(low))
        return low;
    if (is_nan(high))
        return high;
    x = above(x, low) ? x : low;
    return above(high, x) ? x : high;
}

WORD combine(WORD xs, WORD ys, WORD zs, REAL s)
{
    REAL x = real_of(xs), y = real_of(ys), z = real_of(zs);
    REAL result = x;
    switch (OPERATION) {
    case SUM: result = sum_of_product(x, s, y); break;
    case PRODUCT: {
        EXACT REAL product = x * y;
        result = product;
        break;
    }
    case QUOTIENT: {
        EXACT REAL quotient = x / y;
        result = quotient;
        break;
    }
    case SUM_PRODUCT: {
        EXACT REAL product = s * y;
        result = sum_of_product(x, product, z);
        break;
    }
    case SUM_QUOTIENT: {
        EXACT REAL quotient = y / z;
        result = sum_of_product(x, s, quotient);
        break;
    }
    case LERP: result = interpolated(x, y, (VIEWED & 4u) != 0u ? z : s); break;
    case CLAMP: result = clamped(x, y, z); break;
    }
    return word_of(result);
}
#endif

#ifdef INT32
#define SIGNED(x) int(x)
uint scalar_of(uvec2 bits) { return bits.x; }
bool less(uint a, uint b) { return int(a) < int(b); }
uint product_of(uint a, uint b) { return a * b; }
uint sum_of(uint a, uint b) { return a + b; }
#elif defined INT64
uvec2 scalar_of(uvec2 bits) { return bits; }
bool less(uvec2 a, uvec2 b) { return int(a.y) < int(b.y) || (a.y == b.y && a.x < b.x); }
uvec2 product_of(uvec2 a, uvec2 b)
{
    uint high, low;
    umulExtended(a.x, b.x, high, low);
    return uvec2(low, high + a.x * b.y + a.y * b.x);
}
uvec2 sum_of(uvec2 a, uvec2 b)
{
    uint carry, low = uaddCarry(a.x, b.x, carry);
    return uvec2(low, a.y + b.y + carry);
}
#endif

#ifndef REAL
WORD combine(WORD x, WORD y, WORD z, WORD s)
{
    switch (OPERATION) {
    case SUM: return sum_of(x, product_of(s, y));
    case PRODUCT: return product_of(x, y);
    case SUM_PRODUCT: return sum_of(x, product_of(product_of(s, y), z));
    case CLAMP:
        x = less(x, y) ? y : x;
        return less(z, x) ? z : x;
    }
    return x;
}
#endif

#ifdef REAL
#define SCALAR REAL
WORD word_of_scalar(uvec2 bits) { return word_of(scalar_of(bits)); }
#else
#define SCALAR WORD
WORD word_of_scalar(uvec2 bits) { return scalar_of(bits); }
#endif

Arguments a = Arguments(push.arguments);

// Scalar factors and weights (scalar[0]) have the precision of the computation; limits are rounded to the
// dtype.
#define OPERAND(to, k, i)                                                                                              \
    WORD to = word_of_scalar(a.scalar[k]);                                                                             \
    if ((VIEWED >> k & 1u) != 0u) {                                                                                    \
        uint number_;                                                                                                  \
        LINE_NUMBER(number_, line[k], a.operand[k], i)                                                            \
        to = WORD(Element(element_address(line[k].address, number_, SIZE)).value);                                \
    }

bool masked(uint i) // reads the aligned word around the bool: the guards of storages are wider
{
    uint number;
    LINE_NUMBER(number, line[1], a.operand[1], i)
    uvec2 address = element_address(line[1].address, number, 1u);
    uint shift = 8u * (address.x & 3u);
    address.x &= ~3u;
    return (Word32(address).value >> shift & 0xffu) != 0u;
}

#ifdef WIDE
#define VECTOR (16u / SIZE)
#define STORES_16
#include "wide.glsl"
#if defined FLOAT64 || defined INT64
#define OF_BITS(bits) bits
#define TO_BITS(x) x
#else
#define OF_BITS(bits) bits.x
#define TO_BITS(x) uvec2(x, 0u)
#endif
#define VECTOR_OPERAND(v, k)                                                                                           \
    uvec4 v = vector_repeated(TO_BITS(word_of_scalar(a.scalar[k])), SIZE);                                             \
    if ((VIEWED >> k & 1u) != 0u)                                                                                      \
        VECTOR_READ(v, line[k], a.operand[k], SIZE)

void main()
{
    uint first = invocation_index() * VECTOR;
    if (first >= elements)
        return;
    uint count = min(elements - first, VECTOR);
    uvec4 results = uvec4(0u);
    if (OPERATION == FILL) {
        results = vector_repeated(TO_BITS(word_of_scalar(a.scalar[0])), SIZE);
    } else if (OPERATION == COPY) {
        VECTOR_OPERAND(ys, 1)
        results = ys;
    } else if (OPERATION == MASKED_FILL) {
        uvec4 masks;
        WORD value = word_of_scalar(a.scalar[0]);
        VECTOR_OPERAND(xs, 0)
        VECTOR_READ(masks, line[1], a.operand[1], 1u)
        [[unroll]] for (uint k = 0u; k < LANES; k++) {
            uvec2 x_bits = vector_take(xs, k, SIZE);
            bool masked_element = vector_take(masks, k, 1u).x != 0u;
            vector_put(results, k, masked_element ? TO_BITS(value) : x_bits, SIZE);
        }
    } else {
        SCALAR s = scalar_of(a.scalar[0]);
        VECTOR_OPERAND(xs, 0)
        VECTOR_OPERAND(ys, 1)
        VECTOR_OPERAND(zs, 2)
        [[unroll]] for (uint k = 0u; k < LANES; k++) {
            uvec2 x_bits = vector_take(xs, k, SIZE), y_bits = vector_take(ys, k, SIZE),
                  z_bits = vector_take(zs, k, SIZE);
            vector_put(results, k, TO_BITS(combine(OF_BITS(x_bits), OF_BITS(y_bits), OF_BITS(z_bits), s)), SIZE);
        }
    }
    VECTOR_WRITE(results, line[3], a.result, SIZE)
}
#else
void main()
{
    uint i = invocation_index(), to;
    if (i >= elements)
        return;
    LINE_NUMBER(to, line[3], a.result, i)
    WORD r;
    if (OPERATION == FILL) {
        r = word_of_scalar(a.scalar[0]);
    } else if (OPERATION == MASKED_FILL) {
        OPERAND(x, 0, i)
        r = masked(i) ? word_of_scalar(a.scalar[0]) : x;
    } else if (OPERATION == COPY) {
        OPERAND(y, 1, i)
        r = y;
    } else {
        SCALAR s = scalar_of(a.scalar[0]);
        OPERAND(x, 0, i)
        OPERAND(y, 1, i)
        OPERAND(z, 2, i)
        r = combine(x, y, z, s);
    }
    Element(element_address(line[3].address, to, SIZE)).value = STORED(r);
}
#endif
