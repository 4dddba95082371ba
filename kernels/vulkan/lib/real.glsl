// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// The real type, REAL: float64 if FLOAT64 is defined, else float32; and its bits, WORD.
#ifdef FLOAT64
#define REAL double
#define ZERO 0.0LF
#define ONE 1.0LF
#define HALF 0.5LF
#define ROOT2 1.4142135623730951LF
#define WORD uvec2
#define SIZE 8u
#define EXPONENT_ONES 0x7ffu
#define BIAS 1023
#define HIGH(w) w.y
#define FRACTION_HIGH 0xfffffu
#define FRACTION_BITS 20
#else
#define REAL float
#define ZERO 0.0
#define ONE 1.0
#define HALF 0.5
#define ROOT2 1.41421356
#define WORD uint
#define SIZE 4u
#define EXPONENT_ONES 0xffu
#define BIAS 127
#define HIGH(w) w
#define FRACTION_HIGH 0x7fffffu
#define FRACTION_BITS 23
#endif

WORD bits_of(REAL x)
{
#ifdef FLOAT64
    return unpackDouble2x32(x);
#else
    return floatBitsToUint(x);
#endif
}

REAL real_of(WORD bits)
{
#ifdef FLOAT64
    return packDouble2x32(bits);
#else
    return uintBitsToFloat(bits);
#endif
}

// Reads an argument of 8 bytes that vk_real_bits has filled.
REAL parameter(uvec2 bits)
{
#ifdef FLOAT64
    return real_of(bits);
#else
    return real_of(bits.x);
#endif
}

WORD magnitude_of(WORD bits)
{
    HIGH(bits) &= 0x7fffffffu;
    return bits;
}

// |a| > |b|, NaN above everything: a pivot search by bits cannot pass over a NaN.
bool exceeds(WORD a, WORD b)
{
#ifdef FLOAT64
    return a.y > b.y || (a.y == b.y && a.x > b.x);
#else
    return a > b;
#endif
}

bool is_zero(WORD magnitude)
{
    return magnitude == WORD(0u);
}

bool is_subnormal_or_zero(WORD magnitude)
{
    return HIGH(magnitude) <= FRACTION_HIGH;
}

// Flushes subnormals to zero if `flush` is not 0, so that a device that may flush them does so everywhere.
WORD flushed(WORD bits, uint flush)
{
    if (flush != 0u && is_subnormal_or_zero(magnitude_of(bits))) {
        WORD zero = WORD(0u);
        HIGH(zero) = HIGH(bits) & 0x80000000u;
        return zero;
    }
    return bits;
}

REAL quiet_nan()
{
    WORD nan = WORD(0u);
    HIGH(nan) = (EXPONENT_ONES << FRACTION_BITS) | 1u << (FRACTION_BITS - 1);
    return real_of(nan);
}

REAL infinity(bool negative)
{
    WORD infinite = WORD(0u);
    HIGH(infinite) = EXPONENT_ONES << FRACTION_BITS | (negative ? 0x80000000u : 0u);
    return real_of(infinite);
}

// Decided by the bits, so that no device can take a NaN for a number.
bool is_nan(REAL x)
{
    return exceeds(magnitude_of(bits_of(x)), bits_of(infinity(false)));
}
