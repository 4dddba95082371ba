// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// fmod, remainder and floor_divide of float32. Needs functions.glsl.

uint significand(uint magnitude, out int exponent) // magnitude = m * 2^exponent as a whole number m below 2^24
{
    int e = int(magnitude >> 23);
    exponent = max(e, 1) - 150;
    return (magnitude & 0x7fffffu) | (e > 0 ? 0x800000u : 0u);
}

// m * 2^exponent, m below 2^24: a number of float32.
float whole_scaled(uint m, int exponent)
{
    if (m == 0u)
        return 0.0;
    int top = findMSB(m), e = exponent + top + 127;
    if (e > 0)
        return uintBitsToFloat(uint(e) << 23 | (m << (23 - top) & 0x7fffffu));
    return uintBitsToFloat(m << (exponent + 149)); // subnormal: exponent >= -149
}

// The exact remainder of the significands, eight bits of the quotient at a time.
float float_rest(float x, float y)
{
    uint p = floatBitsToUint(x), q = floatBitsToUint(y), a = p & 0x7fffffffu, b = q & 0x7fffffffu;
    if (a > 0x7f800000u || b > 0x7f800000u)
        return a > 0x7f800000u ? x : y;
    if (a == 0x7f800000u || b == 0u)
        return quiet_nan();
    if (a < b)
        return x;
    int e, f;
    uint m = significand(a, e), n = significand(b, f);
    m %= n;
    while (e > f && m != 0u) {
        int step = min(e - f, 8);
        m = (m << step) % n;
        e -= step;
    }
    return uintBitsToFloat(floatBitsToUint(whole_scaled(m, f)) | (p & 0x80000000u));
}

bool is_nonzero(float x) { return (floatBitsToUint(x) & 0x7fffffffu) != 0u; }

// 2^64 x for positive x below 2^-100; the bits of a subnormal x are a multiple of 2^-149.
float lifted(uint magnitude)
{
    EXACT float subnormal = float(magnitude) * 2.5849394e-26;
    return magnitude < 0x800000u ? subnormal : uintBitsToFloat(magnitude + (64u << 23));
}

// The remainder and y have opposite signs. If y is small, the remainder may be subnormal, which a device may
// treat as zero: then both are multiplied by 2^64 before they are added.
float moved_across(float rest, float y)
{
    uint bits = floatBitsToUint(y), b = bits & 0x7fffffffu, r = floatBitsToUint(rest) & 0x7fffffffu;
    EXACT float sum = rest + y;
    if (b >= 0x0d800000u)
        return sum;
    EXACT float small = (lifted(b) - lifted(r)) * 5.4210109e-20;
    return with_sign(small, y);
}

float float_remainder(float x, float y)
{
    float rest = float_rest(x, y);
    bool across = (floatBitsToUint(rest) ^ floatBitsToUint(y)) >> 31 != 0u;
    if (!is_nonzero(rest) || is_nan(rest) || !across)
        return rest;
    return moved_across(rest, y);
}

float float_floor_quotient(float x, float y)
{
    uint a = floatBitsToUint(x) & 0x7fffffffu, b = floatBitsToUint(y) & 0x7fffffffu;
    uint sign = (floatBitsToUint(x) ^ floatBitsToUint(y)) & 0x80000000u;
    if (a >= 0x7f800000u || b > 0x7f800000u)
        return b == 0u && a == 0x7f800000u ? uintBitsToFloat(a | sign) : quiet_nan();
    if (b == 0u)
        return a == 0u ? quiet_nan() : infinity(sign != 0u);
    float rest = float_rest(x, y), zero = uintBitsToFloat(sign);
    bool between = is_nonzero(rest) && sign != 0u;
    if (a < b) // an infinite y, too
        return between ? -1.0 : zero;
    EXACT float quotient = (x - rest) / y;
    EXACT float whole = roundEven(quotient) - (between ? 1.0 : 0.0);
    return is_nonzero(whole) ? whole : zero;
}
