// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// Conversions between float32 and float16 by the device's own instructions, if NATIVE: kernels set it only where
// declared float controls fix rounding and subnormals (vk_plan_native_halves). A NaN is converted as in half.glsl,
// so that all bits of a result are those of the other routes. Needs half.glsl.
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
layout(constant_id = 3) const bool NATIVE = false;

float half_value(uint h)
{
    if (NATIVE && (h & 0x7fffu) <= 0x7c00u)
        return float(unpackFloat2x16(h).x);
    return half_to_float(h);
}

uint half_bits(float x)
{
    if (NATIVE && (floatBitsToUint(x) & 0x7fffffffu) <= 0x7f800000u)
        return packFloat2x16(f16vec2(float16_t(x), float16_t(0.0)));
    return float_to_half(x);
}
