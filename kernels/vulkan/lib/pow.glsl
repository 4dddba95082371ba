// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// x^y, hypot's kin and logaddexp of float32. Needs functions.glsl and product.glsl.

// log(m 2^e) = high + low with a relative error of 2^-32, m in [1/sqrt(2), sqrt(2)): 2 atanh(s), s = (m - 1)/(m
// + 1), as a sum of two numbers.
float log_pair(float m, int e, out float low)
{
    EXACT float f = m - 1.0;
    EXACT float d = m + 1.0;
    EXACT float d_lost = m - (d - 1.0);
    EXACT float s = f / d;
    float lost;
    float back = product_exact(s, d, lost);
    EXACT float rest = ((f - back) - lost - s * d_lost) / d;
    EXACT float z = s * s;
    EXACT float tail = z * (0.66666667 + z * (0.4 + z * (0.28571429 + z * (0.22222222 + z * 0.18181818))));
    EXACT float k = float(e);
    EXACT float twice = 2.0 * s;
    EXACT float large = k * 0.693115234375; // ln 2 in three parts: log32.glsl
    EXACT float high = large + twice;
    EXACT float sum_lost = e == 0 ? 0.0 : twice - (high - large);
    EXACT float small = k * 3.193318843841553e-05 + (k * 1.2996507e-08 + (2.0 * rest + s * tail));
    EXACT float lows = sum_lost + small;
    EXACT float total = high + lows;
    EXACT float total_lost = lows - (total - high);
    low = total_lost;
    return total;
}

bool is_whole(float y) { return abs(y) >= 8388608.0 || floor(y) == y; }
bool is_odd(float y) { return abs(y) < 16777216.0 && is_whole(y) && (int(y) & 1) != 0; }

// |x|^y of finite numbers; |x| is neither 0 nor 1.
float positive_power(float size, float y)
{
    int e;
    float m = split(floatBitsToUint(size), e), low, lost;
    float high = log_pair(m, e, low);
    EXACT float near = high * y;
    if (abs(y) > 1e12 || abs(near) > 110.0) { // beyond every float32
        bool up = (high > 0.0) == (y > 0.0);
        return up ? infinity(false) : 0.0;
    }
    float p = product_exact(high, y, lost);
    EXACT float rest = lost + low * y;
    int k;
    EXACT float s = exp_split(p, k);
    EXACT float corrected = s + s * rest;
    return k > 128 ? infinity(false) : k < -155 ? 0.0 : scaled(corrected, k);
}

float power(float x, float y) // special values: C's Annex F
{
    uint a = floatBitsToUint(x) & 0x7fffffffu, b = floatBitsToUint(y) & 0x7fffffffu;
    bool negative = floatBitsToUint(x) >> 31 != 0u, down = floatBitsToUint(y) >> 31 != 0u;
    if (b == 0u || floatBitsToUint(x) == 0x3f800000u)
        return 1.0;
    if (a > 0x7f800000u || b > 0x7f800000u)
        return a > 0x7f800000u ? x : y;
    bool odd = is_odd(y);
    uint sign = negative && odd ? 0x80000000u : 0u;
    if (b == 0x7f800000u)
        return a == 0x3f800000u ? 1.0 : (a > 0x3f800000u) != down ? infinity(false) : 0.0;
    if (a == 0u || a == 0x7f800000u)
        return uintBitsToFloat(sign | ((a == 0u) == down ? 0x7f800000u : 0u));
    if (negative && !is_whole(y))
        return quiet_nan();
    float size = a == 0x3f800000u ? 1.0 : erring(positive_power(uintBitsToFloat(a), y), 12);
    return uintBitsToFloat(floatBitsToUint(size) | sign);
}

// x 2^y in steps that stay in range unless the result leaves it; the fraction of y by exp2.
float scaled_by_power(float x, float y)
{
    if (is_nan(x) || is_nan(y))
        return is_nan(x) ? x : y;
    uint size = floatBitsToUint(x) & 0x7fffffffu;
    if ((size == 0u || size == 0x7f800000u) && (floatBitsToUint(y) & 0x7fffffffu) < 0x7f800000u)
        return x;
    if (abs(y) > 1000.0) { // beyond every float32; of an infinite y 0 * infinity is NaN
        EXACT float end = x * (y > 0.0 ? infinity(false) : 0.0);
        return end;
    }
    float whole = trunc(y), part = y - whole;
    int k = clamp(int(whole), -300, 300), third = k / 3;
    float fraction = part == 0.0 ? 1.0 : exp2(part);
    EXACT float near = y < 0.0 ? x * fraction : x; // what makes it less comes first, what makes it more last
    EXACT float once = near * uintBitsToFloat(uint(third + 127) << 23);
    EXACT float twice = once * uintBitsToFloat(uint(third + 127) << 23);
    EXACT float thrice = twice * uintBitsToFloat(uint(k - 2 * third + 127) << 23);
    EXACT float result = y < 0.0 ? thrice : thrice * fraction;
    return result;
}

float log_of_sum(float x, float y)
{
    if (is_nan(x) || is_nan(y))
        return is_nan(x) ? x : y;
    EXACT float apart = x == y ? 0.0 : abs(x - y);
    EXACT float sum = (x > y ? x : y) + log_one_plus(exp_own(-apart));
    return sum;
}
