// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// Functions of one float32 that GLSL lacks, or leaves undefined for some arguments. Needs kernel.glsl and
// real.glsl.
#include "exp32.glsl"
#include "log32.glsl"

// s * 2^k for s in [1/2, 4) and k in [-160, 128]; rounds once, if the result is subnormal.
float scaled(float s, int k)
{
    int half_way = k >> 1;
    EXACT float near = s * uintBitsToFloat(uint(half_way + 127) << 23);
    EXACT float result = near * uintBitsToFloat(uint(k - half_way + 127) << 23);
    return result;
}

float with_sign(float size, float x)
{
    return uintBitsToFloat((floatBitsToUint(size) & 0x7fffffffu) | (floatBitsToUint(x) & 0x80000000u));
}

// A result that errs by so many units more, up or down as its bits have it.
float erring(float result, int units)
{
    return result;
}

float exponential(float x)
{
    return is_nan(x) ? x : erring(exp(x), 1); // SwiftShader's exp and exp2 of a NaN are infinite
}

float exponential_of_two(float x) { return is_nan(x) ? x : exp2(x); }

float exp_own(float x)
{
    if (!(x < 90.0))
        return is_nan(x) ? x : infinity(false);
    if (x < -105.0)
        return 0.0;
    int k;
    float s = exp_split(x, k);
    return scaled(s, k);
}

// 2^k (exp(r) - 1) + (2^k - 1): the first as Taylor's polynomial without its 1.
float exp_minus_one(float x)
{
    EXACT float twice = x + 0.5 * x * x;
    if (abs(x) < 1e-4) // the rest of the series is below x 2^-27
        return x == 0.0 ? x : twice;
    if (!(x < 89.0))
        return is_nan(x) ? x : infinity(false);
    if (x < -18.0)
        return -1.0;
    float k, r;
    EXACT float s = exp_series(x, k, r);
    s = r + r * (r * s * 0.5);
    if (k == 0.0)
        return s;
    int power = int(k);
    if (power == 128) { // 2^128 is no float
        EXACT float half_of = (s + 1.0) * 1.7014118346046923e38;
        EXACT float whole = half_of * 2.0;
        return whole;
    }
    float unit = uintBitsToFloat(uint(power + 127) << 23);
    EXACT float result = unit * s + (unit - 1.0);
    return result;
}

// |x| = m * 2^e, m in [1/sqrt(2), sqrt(2)); x not 0.
float split(uint magnitude, out int e)
{
    e = int(magnitude >> 23) - 127;
    if (magnitude < 0x800000u) {
        int top = findMSB(magnitude);
        magnitude <<= 23 - top;
        e = top - 149;
    }
    float m = uintBitsToFloat(0x3f800000u | (magnitude & 0x7fffffu));
    bool above = m > ROOT2;
    e += above ? 1 : 0;
    return uintBitsToFloat((above ? 0x3f000000u : 0x3f800000u) | (magnitude & 0x7fffffu));
}

// True if log(x) is not a finite number.
bool log_is_special(float x, out float value)
{
    uint magnitude = floatBitsToUint(x) & 0x7fffffffu;
    value = magnitude > 0x7f800000u ? x : magnitude == 0u ? infinity(true) : quiet_nan();
    if (floatBitsToUint(x) == 0x7f800000u)
        value = x;
    return magnitude >= 0x7f800000u || magnitude == 0u || floatBitsToUint(x) >> 31 != 0u;
}

float logarithm(float x)
{
    float value;
    if (!log_is_special(x, value)) {
        int e;
        float m = split(floatBitsToUint(x), e);
        value = erring(log_split(m, e), 1);
    }
    return value;
}

// log(x) times a factor, except that a power of two gives its exponent.
float binary_logarithm(float x)
{
    float value;
    if (!log_is_special(x, value)) {
        int e;
        float m = split(floatBitsToUint(x), e);
        EXACT float l = log_split(m, 0);
        EXACT float high = uintBitsToFloat(floatBitsToUint(l) & 0xfffff000u);
        EXACT float low = l - high; // times log2(e) in two parts, the first of 12 bits
        EXACT float small = high * 0.00017107144 + low * 1.44269504;
        EXACT float sum = (float(e) + high * 1.44252396) + small;
        value = sum;
    }
    return value;
}

float decimal_logarithm(float x)
{
    float value;
    if (!log_is_special(x, value)) {
        int e;
        float m = split(floatBitsToUint(x), e);
        EXACT float l = log_split(m, e);
        EXACT float high = uintBitsToFloat(floatBitsToUint(l) & 0xfffff000u);
        EXACT float low = l - high;
        EXACT float small = high * -3.1689971e-05 + low * 0.43429448;
        EXACT float sum = high * 0.434326171875 + small; // 3,558/8,192: 12 bits
        value = sum;
    }
    return value;
}

// log(u) + (x - (u - 1))/u for u = 1 + x rounded.
float log_one_plus(float x)
{
    if (!(abs(x) < 1e8))
        return x < -1.0 ? quiet_nan() : logarithm(x);
    if (x == 0.0)
        return x;
    EXACT float u = 1.0 + x;
    if (u <= 0.0)
        return u == 0.0 ? infinity(true) : quiet_nan();
    int e;
    float m = split(floatBitsToUint(u), e);
    EXACT float small = x - (u - 1.0);
    EXACT float large = 1.0 - (u - x);
    EXACT float lost = abs(x) >= 1.0 ? large : small;
    EXACT float result = log_split(m, e) + lost / u;
    return u == 1.0 ? x : result;
}

// expm1(2|x|)/(expm1(2|x|) + 2).
float hyperbolic_tangent(float x)
{
    float size = abs(x), t = 1.0;
    if (is_nan(x) || size < 1e-4)
        return x; // x^3/3 is below an ulp/8
    if (size < 10.0) {
        EXACT float twice = 2.0 * size;
        EXACT float e = exp_minus_one(twice);
        EXACT float quotient = e / (e + 2.0);
        t = erring(quotient, 3);
    }
    return x < 0.0 ? -t : t;
}

// x + x P(x^2), P by least squares on [0, 0.875], with an error below 2^-32. For |x| below 2^-100 the product x
// P(0) may be subnormal, which a device may flush to zero: both terms are then computed from 2^24 x.
float erf_near(float x)
{
    if (abs(x) < 7.8886091e-31) {
        EXACT float large = x * 16777216.0;
        EXACT float sum = large + large * 0.12837916612625122;
        EXACT float small = sum * 5.9604645e-08;
        return small;
    }
    EXACT float z = x * x;
    EXACT float p = 8.69759896889535e-05;
    p = p * z - 0.0008216259302571416;
    p = p * z + 0.005207196809351444;
    p = p * z - 0.02686176635324955;
    p = p * z + 0.11283735930919647;
    p = p * z - 0.37612634897232056;
    p = p * z + 0.12837916612625122;
    EXACT float result = x + x * p;
    return result;
}

// exp(-x^2) R(t)/(1 + 2x), t = (x - 2)/(x + 2): R by least squares on [0.5, 10.1], error below 2^-27. x^2 in two parts,
// the first exact.
float erfc_far(float x)
{
    if (x > 10.1)
        return 0.0;
    EXACT float t = (x - 2.0) / (x + 2.0);
    EXACT float r = -0.00022839472512714565;
    r = r * t - 0.0012659556232392788;
    r = r * t + 0.0011492256307974458;
    r = r * t + 0.008659414015710354;
    r = r * t - 0.008006512187421322;
    r = r * t - 0.05421130359172821;
    r = r * t + 0.16404883563518524;
    r = r * t - 0.16603082418441772;
    r = r * t - 0.09276376664638519;
    r = r * t + 1.2769783735275269;
    EXACT float high = uintBitsToFloat(floatBitsToUint(x) & 0xfffff000u);
    EXACT float rest = (x - high) * (x + high);
    int k, j;
    EXACT float square = -high * high;
    EXACT float a = exp_split(square, k);
    EXACT float b = exp_split(-rest, j);
    EXACT float q = r / (1.0 + 2.0 * x);
    EXACT float product = a * b * q * 32.0; // q is at least 1/18
    return scaled(product, k + j - 5);
}

float error_function(float x)
{
    float size = abs(x);
    if (is_nan(x) || size < 0.875)
        return is_nan(x) ? x : erring(erf_near(x), 10);
    EXACT float rest = 1.0 - erfc_far(min(size, 4.0));
    return erring(x < 0.0 ? -rest : rest, 10);
}

float error_function_complement(float x)
{
    if (is_nan(x))
        return x;
    EXACT float left = x < -0.875 ? 1.0 - erfc_far(min(-x, 4.0)) : -erf_near(x);
    EXACT float near = 1.0 + left;
    return erring(x < 0.5 ? near : erfc_far(x), 10);
}

// 1/(1 + exp(-x)), and exp(x)/(1 + exp(x)) for negative x, so that nothing overflows.
float sigmoid(float x)
{
    EXACT float e = exp_own(-abs(x));
    EXACT float q = 1.0 / (1.0 + e);
    EXACT float p = e * q;
    return is_nan(x) ? x : x < 0.0 ? p : q;
}

float silu(float x)
{
    EXACT float product = x * sigmoid(x);
    return product;
}

// x tanh(log(1 + exp(x)))
float mish(float x)
{
    EXACT float bent = (x > 0.0 ? x : 0.0) + log_one_plus(exp_own(-abs(x)));
    EXACT float product = x * hyperbolic_tangent(bent);
    return product;
}
