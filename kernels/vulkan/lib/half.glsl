// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// Conversions between float32 and the 16-bit types in integer arithmetic: exact to float32, rounded once to
// nearest even from float32, without flushing subnormals on any device. Needs neither shaderFloat16 nor a
// rounding mode.

float half_to_float(uint h)
{
    uint sign = (h & 0x8000u) << 16, magnitude = h & 0x7fffu;
    if (magnitude >= 0x7c00u) // infinity, NaN with its payload
        return uintBitsToFloat(sign | 0x7f800000u | (magnitude & 0x3ffu) << 13);
    if (magnitude >= 0x400u)
        return uintBitsToFloat(sign | ((magnitude << 13) + (112u << 23)));
    if (magnitude == 0u)
        return uintBitsToFloat(sign);
    int top = findMSB(magnitude); // magnitude * 2^-24 = 1.f * 2^(top - 24)
    return uintBitsToFloat(sign | uint(top + 103) << 23 | (magnitude << (23 - top) & 0x7fffffu));
}

uint float_to_half(float x)
{
    uint bits = floatBitsToUint(x), sign = bits >> 16 & 0x8000u, magnitude = bits & 0x7fffffffu;
    if (magnitude > 0x7f800000u)
        return sign | 0x7e00u | (magnitude >> 13 & 0x3ffu);
    if (magnitude >= 0x477ff000u) // 65520 = MAX + ulp/2 rounds to infinity
        return sign | 0x7c00u;
    if (magnitude >= 0x38800000u) { // normal result: rounds off 13 bits; a carry goes to the exponent
        uint rounded = magnitude - (112u << 23);
        return sign | (rounded + 0xfffu + (rounded >> 13 & 1u)) >> 13;
    }
    if (magnitude <= 0x33000000u) // at most 2^-25: half the least subnormal, a tie to even zero
        return sign;
    uint shift = 126u - (magnitude >> 23), significand = (magnitude & 0x7fffffu) | 0x800000u;
    uint kept = significand >> shift, lost = significand & ((1u << shift) - 1u), tie = 1u << (shift - 1u);
    return sign | (kept + uint(lost > tie || (lost == tie && (kept & 1u) == 1u)));
}

float bfloat16_to_float(uint b)
{
    return uintBitsToFloat(b << 16);
}

uint float_to_bfloat16(float x)
{
    uint bits = floatBitsToUint(x);
    if ((bits & 0x7fffffffu) > 0x7f800000u) // the quiet bit keeps it a NaN if its payload is in the lower half
        return bits >> 16 | 0x40u;
    return (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
}
