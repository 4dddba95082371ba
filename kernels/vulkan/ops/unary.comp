// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// A function of lib/unary.inc, TERM: one element per invocation. float16 and bfloat16 in float32, then one rounding.
//! rows unary.inc BITS REAL_ SINGLE : float16 -DFLOAT16
//! rows unary.inc BITS REAL_ SINGLE : bfloat16 -DBFLOAT16
//! rows unary.inc BITS REAL_ SINGLE : float32 -DFLOAT32
//! rows unary.inc BITS REAL_ : float64 -DFLOAT64
//! rows unary.inc BITS : int32 -DINT32
#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernel.glsl"
#include "element.glsl"

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Arguments {
    View x, result;
};

#if defined FLOAT64
#define SIGN_OF(w) w.y
#define SIGN 0x80000000u
#define INFINITE 0x7ff00000u
#else
#define SIGN_OF(w) w
#if defined FLOAT16
#define SIGN 0x8000u
#define INFINITE 0x7c00u
#elif defined BFLOAT16
#define SIGN 0x8000u
#define INFINITE 0x7f80u
#else
#define SIGN 0x80000000u
#define INFINITE 0x7f800000u
#endif
#endif

#ifdef INT32
WORD magnitude_bits(WORD bits) { return uint(abs(int(bits))); }
WORD negated_bits(WORD bits) { return 0u - bits; }
WORD positive_bits(WORD bits) { return int(bits) < 0 ? 0u : bits; }
#else
WORD magnitude_bits(WORD bits)
{
    SIGN_OF(bits) &= ~SIGN;
    return bits;
}

WORD negated_bits(WORD bits)
{
    SIGN_OF(bits) ^= SIGN;
    return bits;
}

bool is_nan_bits(WORD bits)
{
    uint high = SIGN_OF(bits) & ~SIGN;
#ifdef FLOAT64
    return high > INFINITE || (high == INFINITE && bits.x != 0u);
#else
    return high > INFINITE;
#endif
}

// By bits: a device that flushes subnormals also compares them as zeros. NaN passes.
WORD positive_bits(WORD bits)
{
    bool negative = (SIGN_OF(bits) & SIGN) != 0u, nan = is_nan_bits(bits);
#ifdef MUTANT_RELU_NAN_DROPPED
    return negative || nan ? WORD(0u) : bits;
#endif
    return negative && !nan ? WORD(0u) : bits;
}

bool is_negative(REAL x)
{
    WORD bits = bits_of(x), magnitude = magnitude_of(bits);
    return HIGH(bits) >> 31 != 0u && !is_zero(magnitude);
}

REAL root(REAL x) { return is_negative(x) ? quiet_nan() : sqrt(x); }

REAL reciprocal_root(REAL x)
{
    WORD bits = bits_of(x);
    if (is_zero(magnitude_of(bits)))
        return infinity(HIGH(bits) >> 31 != 0u);
    if (is_nan(x)) // a driver may make a number of a signalling NaN
        return x;
    return is_negative(x) ? quiet_nan() : inversesqrt(x);
}

REAL rounded(REAL x)
{
#ifdef MUTANT_ROUND_HALF_UP
    EXACT REAL half_up = x + HALF;
    return floor(half_up);
#endif
    return roundEven(x);
}

REAL clamped(REAL x) // to [0, 6]
{
    return x < ZERO ? ZERO : x > REAL(6) ? REAL(6) : x;
}

#ifndef FLOAT64
#include "functions.glsl"
#endif
#endif

void main()
{
    Arguments a = Arguments(push.arguments);
    uint i = invocation_index(), from, to;
    if (i >= a.result.elements)
        return;
    ELEMENT_NUMBER(from, a.x, i)
    ELEMENT_NUMBER(to, a.result, i)
#ifdef BITS
    WORD bits = WORD(Element(element_address(a.x.address, from, ELEMENT_SIZE)).value);
    WORD result = TERM;
#if defined FLOAT16 || defined BFLOAT16
    Element(element_address(a.result.address, to, ELEMENT_SIZE)).value = uint16_t(result);
#else
    Element(element_address(a.result.address, to, ELEMENT_SIZE)).value = result;
#endif
#else
    REAL x = element_read(a.x.address, from);
    EXACT REAL result = TERM;
    element_write(a.result.address, to, result);
#endif
}
