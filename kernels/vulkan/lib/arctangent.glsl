// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// atan, asin, acos and atan2 of float32. Needs functions.glsl.

// atan(t) for t in [0, 1], with an error below 2^-26.8 before its roundings: t + t*z*Q(z), z = t*t, where Q
// interpolates at Chebyshev's points.
float arctangent_within_one(float t)
{
    EXACT float z = t * t;
    EXACT float q = 0.0386388227 + z * (-0.0195230637 + z * (0.00632943725 - z * 0.000960541889));
    EXACT float r = -0.0903946087 + z * (0.0742748603 + z * (-0.0578311346 + z * q));
    EXACT float p = -0.142853513 + z * (0.111051328 + z * r);
    EXACT float sum = t + t * (z * (-0.333333343 + z * (0.199999914 + z * p)));
    return sum;
}

// pi/2 - t and pi - t; pi/2 and pi are sums of two float32.
float quarter_less(float t)
{
    EXACT float rest = 1.57079637 - (t + 4.37113883e-08);
    return rest;
}

float half_less(float t)
{
    EXACT float rest = 3.14159274 - (t + 8.74227766e-08);
    return rest;
}

float arctangent(float x)
{
    float a = abs(x);
    if (is_nan(x))
        return x;
    if (!(a < 67108864.0)) // 2^26: pi/2, an infinity's too
        return with_sign(1.57079637, x);
    if (a < 1.0)
        return with_sign(arctangent_within_one(a), x);
    EXACT float inverse = 1.0 / a;
    return with_sign(quarter_less(arctangent_within_one(inverse)), x);
}

float arcsine(float x)
{
    float a = abs(x);
    if (is_nan(x) || a > 1.0)
        return is_nan(x) ? x : quiet_nan();
    EXACT float cosine_of = sqrt((1.0 - a) * (1.0 + a));
    EXACT float steep = cosine_of / a;
    EXACT float flat_ = a / cosine_of;
    return with_sign(a > 0.5 ? quarter_less(arctangent(steep)) : arctangent_within_one(flat_), x);
}

float arccosine(float x)
{
    float a = abs(x);
    if (is_nan(x) || a > 1.0)
        return is_nan(x) ? x : quiet_nan();
    EXACT float slope = sqrt((1.0 - a) / (1.0 + a));
    EXACT float angle = 2.0 * arctangent_within_one(slope);
    return x < 0.0 ? half_less(angle) : angle;
}

// atan2(y, x).
float arctangent_of(float y, float x)
{
    uint a = floatBitsToUint(y) & 0x7fffffffu, b = floatBitsToUint(x) & 0x7fffffffu, least = min(a, b), most = max(a, b);
    if (most > 0x7f800000u)
        return a > 0x7f800000u ? y : x;
    float t = 0.0;
    if (most == 0x7f800000u) {
        t = a == b ? 0.785398163 : 0.0;
    } else if (most != 0u && most < 0x800000u) { // subnormal: the quotient of their bits, as a device may take them for zeros
        EXACT float q = float(least) / float(most);
        t = arctangent_within_one(q);
    } else if (most != 0u) {
        float scale = most >= 0x71800000u ? 8.67361738e-19 : 1.0; // 2^-60 from 2^100 on: a quotient is specified to 2^126
        EXACT float q = (uintBitsToFloat(least) * scale) / (uintBitsToFloat(most) * scale);
        t = arctangent_within_one(q);
    }
    float acute = a > b ? quarter_less(t) : t;
    bool left = floatBitsToUint(x) >> 31 != 0u;
    return with_sign(left ? half_less(acute) : acute, y);
}
