// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// sin, cos and tan of float32. The angle is reduced exactly (Payne and Hanek, Radian reduction for trigonometric
// functions, 1983); polynomials are Taylor's. Needs functions.glsl and product_exact.

// The binary fraction of 2/pi, preceded by two words of zeros for numbers below 2.
const uint TWO_OVER_PI[9] = uint[](0u, 0u, 0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u,
                                   0xfe5163abu);

// Splits x times 2/pi into its nearest integer, modulo 4, and the magnitude and sign of the rest: 96 bits, the
// first of which is worth one half. x is at least 2^-12.
void turns_of(uint magnitude, out uvec3 fraction, out bool negative, out int quadrant)
{
    uint m = (magnitude & 0x7fffffu) | 0x800000u, start = uint(int(magnitude >> 23) - 150 + 62), at = start >> 5,
         by = start & 31u, high, low, middle, carry;
    uvec3 w = uvec3(TWO_OVER_PI[at], TWO_OVER_PI[at + 1u], TWO_OVER_PI[at + 2u]);
    if (by != 0u) // whole multiples of 4 are shifted out
        w = w << by | uvec3(w.y, w.z, TWO_OVER_PI[at + 3u]) >> (32u - by);
    umulExtended(m, w.z, high, low);
    umulExtended(m, w.y, carry, middle);
    uint top = m * w.x + carry;
    middle = uaddCarry(middle, high, carry);
    top += carry;
    uvec3 f = uvec3(top << 2 | middle >> 30, middle << 2 | low >> 30, low << 2);
    negative = f.x >> 31 != 0u;
    quadrant = int(top >> 30) + (negative ? 1 : 0);
    fraction = negative ? ~f : f;
}

// x = quadrant * pi/2 + angle + low, the angle at most pi/4.
float angle_of(float x, out float low, out int quadrant)
{
    uvec3 f;
    bool negative;
    turns_of(floatBitsToUint(x) & 0x7fffffffu, f, negative, quadrant);
    int scale = 0;
    if (f.x == 0u) {
        f = uvec3(f.y, f.z, 0u);
        scale = 32;
    }
    uint zeros = uint(31 - findMSB(f.x));
    if (zeros != 0u)
        f = f << zeros | uvec3(f.y, f.z, 0u) >> (32u - zeros);
    float unit = uintBitsToFloat(uint(127 - 24 - int(zeros) - scale) << 23), lost;
    EXACT float a = float(f.x >> 8) * unit;
    EXACT float b = float((f.x & 0xffu) << 16 | f.y >> 16) * (unit * 5.9604645e-08);
    float p = product_exact(a, 1.57079637, lost);
    EXACT float rest = lost + (a * -4.37113883e-08 + b * 1.57079637);
    EXACT float sum = p + rest;
    EXACT float sum_lost = rest - (sum - p);
    bool left = floatBitsToUint(x) >> 31 != 0u;
    quadrant = left ? -quadrant : quadrant;
    low = left != negative ? -sum_lost : sum_lost;
    return left != negative ? -sum : sum;
}

float sine_near(float r, float low)
{
    EXACT float z = r * r;
    EXACT float s = z * (-0.166666667 + z * (8.33333333e-03 + z * (-1.98412698e-04 + z * 2.75573192e-06)));
    EXACT float sum = r + (r * s + low * (1.0 - 0.5 * z));
    return sum;
}

float cosine_near(float r, float low)
{
    EXACT float z = r * r;
    EXACT float c =
        z * z * (4.16666667e-02 + z * (-1.38888889e-03 + z * (2.48015873e-05 - z * 2.75573192e-07)));
    EXACT float half_z = 0.5 * z;
    EXACT float w = 1.0 - half_z;
    EXACT float sum = w + (((1.0 - w) - half_z) + (c - r * low));
    return sum;
}

bool is_small(float x) { return (floatBitsToUint(x) & 0x7fffffffu) < 0x39800000u; } // below 2^-12
bool is_no_angle(float x) { return (floatBitsToUint(x) & 0x7fffffffu) >= 0x7f800000u; }
float no_angle(float x) { return is_nan(x) ? x : quiet_nan(); }

// sin(x + quarters * pi/2); |x| is at least 2^-12.
float wave(float x, int quarters)
{
    float low;
    int quadrant;
    float r = angle_of(x, low, quadrant);
    quadrant += quarters;
    float size = (quadrant & 1) != 0 ? cosine_near(r, low) : sine_near(r, low);
    return (quadrant & 2) != 0 ? -size : size;
}

float sine(float x)
{
    return is_no_angle(x) ? no_angle(x) : is_small(x) ? x : wave(x, 0);
}

float cosine(float x)
{
    return is_no_angle(x) ? no_angle(x) : is_small(x) ? 1.0 : wave(x, 1);
}

float tangent(float x)
{
    if (is_no_angle(x))
        return no_angle(x);
    if (is_small(x))
        return x;
    float low;
    int quadrant;
    float r = angle_of(x, low, quadrant), s = sine_near(r, low), c = cosine_near(r, low);
    EXACT float slope = (quadrant & 1) != 0 ? -c / s : s / c;
    return slope;
}
