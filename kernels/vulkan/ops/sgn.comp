// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// sgn and sign: one element per invocation, or those of 16 bytes (WIDE).
//
// Real dtypes are decided on their bits, without arithmetic, so that a device that flushes subnormals still
// gives +-1 for them, and NaN and the sign of zero are kept. Complex numbers give z/|z|, computed after scaling
// by a power of two.
//! variant float16 -DFLOAT16
//! variant bfloat16 -DBFLOAT16
//! variant float32 -DFLOAT32
//! variant float64 -DFLOAT64
//! variant complex64 -DCOMPLEX64
//! variant int32 -DINT32
//! wide
#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernel.glsl"

#if defined FLOAT16 || defined BFLOAT16
#extension GL_EXT_shader_16bit_storage : require
layout(buffer_reference, std430, buffer_reference_align = 2) buffer Element { uint16_t value; };
#define WORD uint
#define SIZE 2u
#define SIGN 0x8000u
#elif defined FLOAT32 || defined INT32
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Element { uint value; };
#define WORD uint
#define SIZE 4u
#define SIGN 0x80000000u
#else
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Element { uvec2 value; };
#define WORD uvec2
#define SIZE 8u
#define SIGN 0x80000000u
#endif

#if defined FLOAT16 // EXPONENT: the bits of infinity; UNIT: one step of the exponent; ONE: the bits of 1
#define EXPONENT 0x7c00u
#define UNIT 0x0400u
#define ONE 0x3c00u
#elif defined BFLOAT16
#define EXPONENT 0x7f80u
#define UNIT 0x0080u
#define ONE 0x3f80u
#elif defined FLOAT64 // of the high word
#define EXPONENT 0x7ff00000u
#define UNIT 0x00100000u
#define ONE 0x3ff00000u
#else
#define EXPONENT 0x7f800000u
#define UNIT 0x00800000u
#define ONE 0x3f800000u
#endif
#define QUIET (EXPONENT | UNIT >> 1)

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Arguments {
    View x, result;
};

#if defined INT32
uint sgn(uint x)
{
    return uint(sign(int(x)));
}
#elif !defined COMPLEX64
// The word that holds sign and exponent, and whether a bit below it is set.
uint sgn_high(uint bits, bool low)
{
    uint magnitude = bits & (SIGN - 1u), s = bits & SIGN;
    if (magnitude > EXPONENT || (magnitude == EXPONENT && low))
        return bits | QUIET;
    return magnitude == 0u && !low ? s : s | ONE;
}
#ifdef FLOAT64
uvec2 sgn(uvec2 x)
{
    return uvec2(0u, sgn_high(x.y, x.x != 0u));
}
#else
uint sgn(uint x)
{
    return sgn_high(x, false);
}
#endif
#else
// |x| * 2^shift for a finite x != 0 given by its bits: exact unless the result leaves the normal range, where it
// underflows to zero or a subnormal. The caller makes sure that it cannot overflow.
float scaled(uint magnitude, int shift)
{
    int exponent = int(magnitude >> 23);
    float significand; // in [1, 2)
    if (exponent == 0) {
        int top = findMSB(magnitude);
        significand = uintBitsToFloat(ONE | (magnitude << (23 - top) & 0x7fffffu));
        exponent = top - 149;
    } else {
        significand = uintBitsToFloat(ONE | (magnitude & 0x7fffffu));
        exponent -= 127;
    }
    exponent += shift;
    EXACT float result = significand * uintBitsToFloat(uint(max(exponent, -126) + 127) << 23);
    if (exponent < -126)
        result = exponent < -151 ? 0.0 : result * uintBitsToFloat(uint(exponent + 126 + 127) << 23);
    return result;
}

int exponent_of(uint magnitude)
{
    return magnitude < UNIT ? findMSB(magnitude) - 149 : int(magnitude >> 23) - 127;
}

uint sgn_component(uint x) // of a number on an axis
{
    return (x & SIGN) | ((x & ~SIGN) == 0u ? 0u : ONE);
}

uint with_sign(float magnitude, uint sign_of)
{
    return floatBitsToUint(magnitude) | (sign_of & SIGN);
}

// z/|z|. The larger component is scaled into [1, 2) by a power of two, so that neither square overflows and
// what underflows is below an ulp. With c and d the primitive errors of sqrt and division in ulp, the normwise
// error is at most (3/2 + c + d) u + u per component: two squares and a sum err by 2u, halved by the root. If a
// component is infinite, the quotient is taken component by component: inf/inf = NaN, and 0 for a finite
// component.
uvec2 sgn(uvec2 z)
{
    uvec2 magnitude = z & ~SIGN;
    bool zero = magnitude == uvec2(0u);
    if (magnitude.x > EXPONENT || magnitude.y > EXPONENT)
        return uvec2(QUIET);
    if (magnitude.x == EXPONENT || magnitude.y == EXPONENT)
        return uvec2(magnitude.x == EXPONENT ? QUIET : z.x & SIGN, magnitude.y == EXPONENT ? QUIET : z.y & SIGN);
    if (magnitude.x == 0u || magnitude.y == 0u)
        return uvec2(sgn_component(z.x), sgn_component(z.y));
    int shift = -exponent_of(max(magnitude.x, magnitude.y));
    EXACT float a = scaled(magnitude.x, shift), b = scaled(magnitude.y, shift);
    EXACT float square = a * a + b * b;
    EXACT float modulus = sqrt(square);
    EXACT float x = a / modulus;
    EXACT float y = b / modulus;
    return uvec2(with_sign(x, z.x), with_sign(y, z.y));
}
#endif

#ifdef WIDE
#define VECTOR (16u / SIZE)
#define STORES_16
#include "wide.glsl"
#if defined FLOAT64 || defined COMPLEX64
#define OF_BITS(bits) bits
#define TO_BITS(x) x
#else
#define OF_BITS(bits) bits.x
#define TO_BITS(x) uvec2(x, 0u)
#endif

void main()
{
    Arguments a = Arguments(push.arguments);
    uint first = invocation_index() * VECTOR;
    if (first >= elements)
        return;
    uint count = min(elements - first, VECTOR);
    uvec4 xs, results = uvec4(0u);
    VECTOR_READ(xs, line[0], a.x, SIZE)
    [[unroll]] for (uint k = 0u; k < LANES; k++) {
        uvec2 bits = vector_take(xs, k, SIZE);
        vector_put(results, k, TO_BITS(sgn(OF_BITS(bits))), SIZE);
    }
    VECTOR_WRITE(results, line[1], a.result, SIZE)
}
#else
void main()
{
    Arguments a = Arguments(push.arguments);
    uint i = invocation_index(), from, to;
    if (i >= elements)
        return;
    LINE_NUMBER(from, line[0], a.x, i)
    LINE_NUMBER(to, line[1], a.result, i)
    WORD x = WORD(Element(element_address(line[0].address, from, SIZE)).value);
#if defined FLOAT16 || defined BFLOAT16
    Element(element_address(line[1].address, to, SIZE)).value = uint16_t(sgn(x));
#else
    Element(element_address(line[1].address, to, SIZE)).value = sgn(x);
#endif
}
#endif
