// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// exp(x) in float32: x = k ln 2 + r, |r| <= ln 2 / 2, Taylor's polynomial of degree 8 by Horner's rule (remainder below
// 2^-27), times 2^k. Below -88.0 it is 0, above 88.0 infinity. The products of k with the first part of ln 2 are
// exact (see log32.glsl).

// x = k ln 2 + r, and s with exp(r) = 1 + r + r^2 s/2; |x| < 2^11.
float exp_series(float x, out float k, out float r)
{
    EXACT float whole = floor(x * 1.4426950408889634 + 0.5);
    EXACT float rest = (x - whole * 0.693115234375) - whole * 3.193318843841553e-05 - whole * 1.2996507e-08;
    EXACT float s = 1.0 + rest * 0.125;
    s = 1.0 + rest * s * 0.14285714285714284921;
    s = 1.0 + rest * s * 0.16666666666666665741;
    s = 1.0 + rest * s * 0.2000000000000000111;
    s = 1.0 + rest * s * 0.25;
    s = 1.0 + rest * s * 0.33333333333333331483;
    k = whole;
    r = rest;
    return s;
}

// Returns exp(x) / 2^exponent; exp(x) itself may be out of range. |x| < 2^11.
float exp_split(float x, out int exponent)
{
    float k, r;
    EXACT float s = exp_series(x, k, r);
    s = 1.0 + r * s * 0.5;
    s = 1.0 + r * s;
    exponent = int(k);
    return s;
}

float exp_reduced(float x)
{
    if (!(abs(x) <= 88.0))
        return x < 0.0 ? 0.0 : x > 0.0 ? uintBitsToFloat(0x7f800000u) : x;
    int k;
    float s = exp_split(x, k);
    EXACT float result = s * uintBitsToFloat(uint(k + 127) << 23);
    return result;
}
