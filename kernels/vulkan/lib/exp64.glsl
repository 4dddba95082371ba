// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// exp(x) in float64: x = k ln 2 + r, |r| <= ln 2 / 2, Taylor's polynomial of degree 14 by Horner's rule (remainder below
// 2^-57), times 2^k. Below -709.0 it is 0, above 709.0 infinity. The products of k with the first part of ln 2 are
// exact (see log64.glsl).

// Returns exp(x) / 2^exponent; exp(x) itself may be out of range. |x| < 2^20.
double exp_split(double x, out int exponent)
{
    EXACT double k = floor(x * 1.4426950408889634LF + 0.5LF);
    EXACT double r = (x - k * 6.93147180369123816490e-01LF) - k * 1.90821492927058770002e-10LF;
    EXACT double s = 1.0LF + r * 0.071428571428571424606LF;
    s = 1.0LF + r * s * 0.076923076923076927347LF;
    s = 1.0LF + r * s * 0.083333333333333328707LF;
    s = 1.0LF + r * s * 0.090909090909090911614LF;
    s = 1.0LF + r * s * 0.10000000000000000555LF;
    s = 1.0LF + r * s * 0.11111111111111110494LF;
    s = 1.0LF + r * s * 0.125LF;
    s = 1.0LF + r * s * 0.14285714285714284921LF;
    s = 1.0LF + r * s * 0.16666666666666665741LF;
    s = 1.0LF + r * s * 0.2000000000000000111LF;
    s = 1.0LF + r * s * 0.25LF;
    s = 1.0LF + r * s * 0.33333333333333331483LF;
    s = 1.0LF + r * s * 0.5LF;
    s = 1.0LF + r * s;
    exponent = int(k);
    return s;
}

double exp_reduced(double x)
{
    if (!(abs(x) <= 709.0LF))
        return x < 0.0LF ? 0.0LF : x > 0.0LF ? packDouble2x32(uvec2(0u, 0x7ff00000u)) : x;
    int k;
    double s = exp_split(x, k);
    EXACT double result = s * packDouble2x32(uvec2(0u, uint(k + 1023) << 20));
    return result;
}
