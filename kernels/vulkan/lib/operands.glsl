// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// Building blocks of the element-wise functions: elements as numbers (REAL) and as words (WORD). The dtype is
// named by FLOAT16, BFLOAT16, FLOAT64, INT32, INT64 or none of them.
#include "kernel.glsl"
#if defined INT64
#define WORD uvec2
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Element { uvec2 value; };
#define ELEMENT_SIZE 8u
#elif defined INT32
#define WORD uint
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Element { uint value; };
#define ELEMENT_SIZE 4u
#else
#include "element.glsl"
#endif
#include "words.glsl"
#if defined INT32 || defined INT64
#include "integers.glsl"
#else
#define REAL_TYPE

bool is_negative(REAL x)
{
    WORD bits = bits_of(x), magnitude = magnitude_of(bits);
    return HIGH(bits) >> 31 != 0u && !is_zero(magnitude);
}

bool is_positive(REAL x)
{
    WORD bits = bits_of(x), magnitude = magnitude_of(bits);
    return HIGH(bits) >> 31 == 0u && !is_zero(magnitude) && !is_nan(x);
}

// For prelu and its gradient: `value` if x is positive, else weight * value.
REAL weighted(REAL value, REAL x, REAL weight)
{
    EXACT REAL product = weight * value;
    return is_positive(x) ? value : product;
}

REAL leaky(REAL x, REAL slope)
{
    EXACT REAL product = slope * x;
    return is_negative(x) ? product : x;
}

REAL root(REAL x) { return is_negative(x) ? quiet_nan() : sqrt(x); }

REAL reciprocal_root(REAL x)
{
    WORD bits = bits_of(x);
    if (is_zero(magnitude_of(bits)))
        return infinity(HIGH(bits) >> 31 != 0u);
    if (is_nan(x)) // a driver may return a number for a signalling NaN
        return x;
    return is_negative(x) ? quiet_nan() : inversesqrt(x);
}

#ifdef FLOAT64
// By bits, because llvmpipe (Mesa 22.3) with vectors of 256 bits returns 0 for RoundEven(0.5000000000000001)
// and loses signs.
REAL truncated(REAL x)
{
    WORD bits = bits_of(x);
    int e = int(bits.y >> 20 & 0x7ffu) - 1023;
    if (e >= 52)
        return x;
    bits.x = e < 0 || e <= 20 ? 0u : bits.x & ~(0xffffffffu >> (e - 20));
    bits.y = e < 0 ? bits.y & 0x80000000u : e < 20 ? bits.y & ~(0xfffffu >> e) : bits.y;
    return real_of(bits);
}

REAL floored(REAL x)
{
    REAL whole = truncated(x);
    EXACT REAL below = whole - ONE;
    return bits_of(whole) != bits_of(x) && is_negative(x) ? below : whole;
}

REAL ceiled(REAL x)
{
    REAL whole = truncated(x);
    EXACT REAL above = whole + ONE;
    return bits_of(whole) != bits_of(x) && is_positive(x) ? above : whole;
}

REAL to_even(REAL x)
{
    REAL whole = truncated(x);
    EXACT REAL rest = abs(x - whole);
    EXACT REAL half_of = whole * HALF;
    bool odd = bits_of(truncated(half_of)) != bits_of(half_of);
    if (!(rest > HALF || (rest == HALF && odd)))
        return whole;
    EXACT REAL away = whole + (HIGH(bits_of(x)) >> 31 != 0u ? -ONE : ONE);
    return away;
}
#else
REAL truncated(REAL x) { return trunc(x); }
REAL floored(REAL x) { return floor(x); }
REAL ceiled(REAL x) { return ceil(x); }
REAL to_even(REAL x) { return roundEven(x); }
#endif

REAL rounded(REAL x)
{
    return to_even(x);
}

// The greater magnitude times sqrt(1 + (lesser/greater)^2), so that nothing overflows. An infinity and a NaN
// give infinity. A device may treat two subnormal numbers as zeros in the division: then the greater one is the
// result.
REAL hypotenuse(REAL x, REAL y)
{
    WORD a = magnitude_of(bits_of(x)), b = magnitude_of(bits_of(y)), infinite = bits_of(infinity(false));
    if (a == infinite || b == infinite)
        return infinity(false);
    bool first = exceeds(a, b);
    REAL most = real_of(first ? a : b), least = real_of(first ? b : a);
    if (is_nan(most) || is_zero(first ? a : b))
        return most;
    EXACT REAL q = least / most;
    EXACT REAL product = most * sqrt(ONE + q * q);
    return is_nan(q) ? most : product;
}

REAL sum_with_product(REAL c, REAL a, REAL b)
{
    EXACT REAL sum = c + a * b;
    return sum;
}

REAL scaled_sum(REAL x, REAL factor, REAL y) // nothing is multiplied where nothing need be
{
    EXACT REAL sum = x + (factor == ONE ? y : -y);
    return factor == ONE || factor == -ONE ? sum : sum_with_product(x, factor, y);
}

REAL interpolated(REAL x, REAL y, REAL weight)
{
    EXACT REAL apart = y - x;
    return sum_with_product(x, weight, apart);
}

REAL sum_with_products(REAL x, REAL factor, REAL y, REAL z)
{
    EXACT REAL product = y * z;
    return sum_with_product(x, factor, product);
}

REAL sum_with_quotient(REAL x, REAL factor, REAL y, REAL z)
{
    EXACT REAL quotient = y / z;
    return sum_with_product(x, factor, quotient);
}

REAL clamped(REAL x) // to [0, 6]
{
    return x < ZERO ? ZERO : x > REAL(6) ? REAL(6) : x;
}

#ifndef FLOAT64
#define SINGLE_TYPE
#include "functions.glsl"
#endif
#endif
