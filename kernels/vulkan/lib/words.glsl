// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// Elements as words: sign, order and neighbours of numbers of every dtype, decided on their bits, because a
// device that flushes subnormals compares them as zeros. The dtype is named by FLOAT16, BFLOAT16, FLOAT64,
// INT32, INT64 or none.

#if defined INT64
#undef WORD
#define WORD uvec2
#endif
#if defined FLOAT64 || defined INT64
#define TOP(w) w.y
#else
#define TOP(w) w
#endif

#if defined FLOAT16
#define SIGN 0x8000u
#define INFINITE 0x7c00u
#elif defined BFLOAT16
#define SIGN 0x8000u
#define INFINITE 0x7f80u
#elif defined FLOAT64
#define SIGN 0x80000000u
#define INFINITE 0x7ff00000u // its upper half
#else
#define SIGN 0x80000000u
#define INFINITE 0x7f800000u
#endif

bool is_negative_bits(WORD bits) { return (TOP(bits) & SIGN) != 0u; }

#if defined INT32
WORD magnitude_bits(WORD bits) { return uint(abs(int(bits))); }
WORD negated_bits(WORD bits) { return 0u - bits; }
bool is_nan_bits(WORD bits) { return false; }
bool less(WORD a, WORD b) { return int(a) < int(b); }
bool same(WORD a, WORD b) { return a == b; }
#elif defined INT64
bool is_nan_bits(WORD bits) { return false; }
bool less(WORD a, WORD b) { return int(a.y) < int(b.y) || (a.y == b.y && a.x < b.x); }
bool same(WORD a, WORD b) { return a == b; }
#else
WORD magnitude_bits(WORD bits)
{
    TOP(bits) &= ~SIGN;
    return bits;
}

WORD negated_bits(WORD bits)
{
    TOP(bits) ^= SIGN;
    return bits;
}

WORD signed_bits(WORD bits, WORD sign) // the magnitude of one, the sign of the other
{
    TOP(bits) = (TOP(bits) & ~SIGN) | (TOP(sign) & SIGN);
    return bits;
}

bool is_infinite_bits(WORD bits)
{
    WORD infinite = WORD(0u);
    TOP(infinite) = INFINITE;
    return magnitude_bits(bits) == infinite;
}

bool is_finite_bits(WORD bits) { return (TOP(bits) & ~SIGN) < INFINITE; }
bool is_nan_bits(WORD bits) { return !is_finite_bits(bits) && !is_infinite_bits(bits); }

#ifdef FLOAT64
bool below(WORD a, WORD b) { return a.y < b.y || (a.y == b.y && a.x < b.x); }
WORD up(WORD bits) { return uvec2(bits.x + 1u, bits.y + uint(bits.x == 0xffffffffu)); }
WORD down(WORD bits) { return uvec2(bits.x - 1u, bits.y - uint(bits.x == 0u)); }
WORD least_bits() { return uvec2(1u, 0u); }
#else
bool below(WORD a, WORD b) { return a < b; }
WORD up(WORD bits) { return bits + 1u; }
WORD down(WORD bits) { return bits - 1u; }
WORD least_bits() { return 1u; }
#endif

bool same(WORD a, WORD b) // zeros are equal whatever their signs
{
    return a == b || (magnitude_bits(a) == WORD(0u) && magnitude_bits(b) == WORD(0u));
}

bool less(WORD a, WORD b) // neither is a NaN
{
    if (same(a, b))
        return false;
    bool negative = is_negative_bits(a);
    return negative != is_negative_bits(b) ? negative
           : negative                      ? below(magnitude_bits(b), magnitude_bits(a))
                                           : below(a, b);
}

WORD next_bits(WORD x, WORD y) // the number next to x towards y
{
    if (is_nan_bits(x) || is_nan_bits(y))
        return is_nan_bits(x) ? x : y;
    if (same(x, y))
        return y;
    if (magnitude_bits(x) == WORD(0u))
        return signed_bits(least_bits(), y);
    return less(x, y) != is_negative_bits(x) ? up(x) : down(x);
}
#endif

bool unordered(WORD a, WORD b) { return is_nan_bits(a) || is_nan_bits(b); }

WORD positive_bits(WORD bits) // NaN passes
{
    bool nan = is_nan_bits(bits);
    return is_negative_bits(bits) && !nan ? WORD(0u) : bits;
}

WORD greater_of(WORD a, WORD b) // a NaN is handed on
{
    return is_nan_bits(a) ? a : is_nan_bits(b) || less(a, b) ? b : a;
}

WORD lesser_of(WORD a, WORD b)
{
    return is_nan_bits(a) ? a : is_nan_bits(b) || less(b, a) ? b : a;
}

WORD greater_number(WORD a, WORD b) // a NaN is ignored
{
    return is_nan_bits(b) ? a : is_nan_bits(a) || less(a, b) ? b : a;
}

WORD lesser_number(WORD a, WORD b)
{
    return is_nan_bits(b) ? a : is_nan_bits(a) || less(b, a) ? b : a;
}

WORD clamped_bits(WORD x, WORD low, WORD high)
{
    return is_nan_bits(x) ? x : is_nan_bits(low) ? low : lesser_of(greater_of(x, low), high);
}
