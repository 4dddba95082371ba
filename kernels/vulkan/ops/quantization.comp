// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// Affine quantization, one element per invocation, in float32: q = clamp(roundEven(x·(1/s)) + z), and back (q −
// z)·s. The scale and the zero point are arguments, or elements of views that are broadcast over a channel or a
// block. Integers are added with saturation. A gradient passes if q before clamping lies in the interval, ends
// included.
//! variant quantize_float16 -DFLOAT16 -DQUANTIZE
//! variant quantize_bfloat16 -DBFLOAT16 -DQUANTIZE
//! variant quantize_float32 -DFLOAT32 -DQUANTIZE
//! variant fake_float16 -DFLOAT16 -DFAKE
//! variant fake_bfloat16 -DBFLOAT16 -DFAKE
//! variant fake_float32 -DFLOAT32 -DFAKE
//! variant backward_float16 -DFLOAT16 -DBACKWARD
//! variant backward_bfloat16 -DBFLOAT16 -DBACKWARD
//! variant backward_float32 -DFLOAT32 -DBACKWARD
//! variant dequantize_float16 -DFLOAT16 -DDEQUANTIZE
//! variant dequantize_bfloat16 -DBFLOAT16 -DDEQUANTIZE
//! variant dequantize_float32 -DFLOAT32 -DDEQUANTIZE
#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernel.glsl"
#include "element.glsl"
#extension GL_EXT_shader_8bit_storage : require

layout(constant_id = 1) const uint WHOLE = 0u; // of the integers: 0 int8, 1 uint8, 2 int32
layout(constant_id = 2) const bool SEVERAL = false; // scales and zero points are views

layout(buffer_reference, std430, buffer_reference_align = 1) buffer Whole8 { uint8_t value; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Whole32 { int value; };

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Arguments {
    View x, scales, zeros, grad, result;
    float scale, inverse;
    int zero, least, most;
};

int whole_read(uvec2 address, uint number)
{
    if (WHOLE == 2u)
        return Whole32(element_address(address, number, 4u)).value;
    uint bits = uint(Whole8(element_address(address, number, 1u)).value);
    return WHOLE == 1u ? int(bits) : int(bits << 24) >> 24;
}

void whole_write(uvec2 address, uint number, int x)
{
    if (WHOLE == 2u)
        Whole32(element_address(address, number, 4u)).value = x;
    else
        Whole8(element_address(address, number, 1u)).value = uint8_t(uint(x) & 0xffu);
}

// n + z, saturated to the range of int.
int saturated_sum(float n, int z)
{
    if (!(n < 2147483648.0))
        return 0x7fffffff;
    if (n < -2147483648.0)
        return int(0x80000000u);
    int whole = int(n), sum = int(uint(whole) + uint(z));
    bool beyond = ((whole ^ sum) & (z ^ sum)) < 0;
    return !beyond ? sum : whole < 0 ? int(0x80000000u) : 0x7fffffff;
}

// Before it is held in the interval.
int quantized(float x, float inverse, int z)
{
    EXACT float ratio = x * inverse;
    float n = roundEven(ratio);
    return saturated_sum(n, z);
}

void main()
{
    Arguments a = Arguments(push.arguments);
    uint i = invocation_index(), from, to, of_scale = 0u, of_zero = 0u, of_grad = 0u;
    if (i >= a.result.elements)
        return;
    ELEMENT_NUMBER(from, a.x, i)
    ELEMENT_NUMBER(to, a.result, i)
    float scale = a.scale, inverse = a.inverse;
    int z = a.zero;
    if (SEVERAL) {
        ELEMENT_NUMBER(of_scale, a.scales, i)
        ELEMENT_NUMBER(of_zero, a.zeros, i)
        scale = Single(element_address(a.scales.address, of_scale, 4u)).value;
        z = Whole32(element_address(a.zeros.address, of_zero, 4u)).value;
        EXACT float reciprocal = 1.0 / scale;
        inverse = reciprocal;
    }
#ifdef DEQUANTIZE
    int q = whole_read(a.x.address, from);
    EXACT float steps = float(q) - float(z);
    if (abs(steps) < 16777216.0)
        steps = float(q - z);
    EXACT float result = steps * scale;
    element_write(a.result.address, to, result);
#else
    float x = element_read(a.x.address, from);
    int n = quantized(x, inverse, z), q = clamp(n, a.least, a.most);
#ifdef QUANTIZE
    whole_write(a.result.address, to, q);
#elif defined FAKE
    EXACT float result = float(q - z) * scale;
    element_write(a.result.address, to, result);
#else
    ELEMENT_NUMBER(of_grad, a.grad, i)
    bool within = n >= a.least && n <= a.most;
    if (within)
        element_copy(a.result.address, to, a.grad.address, of_grad);
    else
        element_write(a.result.address, to, 0.0);
#endif
#endif
}
