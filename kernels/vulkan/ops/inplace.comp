// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// add_ and mul_: one element per invocation; the host has spread `other` over self's shape with strides of zero.
//
// float32: alpha * y rounded, then x + that rounded, never contracted. float16: both in float32, where x, y and x * y
// are exact, then one rounding to float16. int32: modulo 2^32. alpha is rounded once to float32, on the host.
//! variant float16 -DFLOAT16
//! variant float32 -DFLOAT32
//! variant int32 -DINT32
#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernel.glsl"
#include "half.glsl"
layout(constant_id = 1) const bool MULTIPLY = false;

#ifdef FLOAT16
#extension GL_EXT_shader_16bit_storage : require
layout(buffer_reference, std430, buffer_reference_align = 2) buffer Element { uint16_t value; };
#define SIZE 2u
#define STORED(x) uint16_t(x)
#else
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Element { uint value; };
#define SIZE 4u
#define STORED(x) (x)
#endif

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Arguments {
    View self, other, result; // result is self, read and written in place
    uint alpha;               // float32 bits, or an int32
};

uint combine(uint x, uint y, uint alpha)
{
#ifdef MUTANT_ALPHA_IGNORED
#ifdef INT32
    alpha = 1u;
#else
    alpha = 0x3f800000u;
#endif
#endif
#if defined INT32 && defined MUTANT_INT32_VIA_FLOAT32
    EXACT float f = MULTIPLY ? float(int(x)) * float(int(y)) : float(int(x)) + float(int(alpha)) * float(int(y));
    return uint(int(f));
#elif defined INT32
    return MULTIPLY ? x * y : x + alpha * y;
#else
#ifdef FLOAT16
    float a = half_to_float(x), b = half_to_float(y);
#else
    float a = uintBitsToFloat(x), b = uintBitsToFloat(y);
#endif
    float result;
    if (MULTIPLY) {
        EXACT float product = a * b;
        result = product;
    } else {
#ifdef VARIANT_FMA
        result = fma(uintBitsToFloat(alpha), b, a);
#else
        EXACT float product = uintBitsToFloat(alpha) * b;
        EXACT float sum = a + product;
        result = sum;
#endif
    }
#ifdef FLOAT16
    return float_to_half(result);
#else
    return floatBitsToUint(result);
#endif
#endif
}

void main()
{
    Arguments a = Arguments(push.arguments);
    uint i = invocation_index(), self, other, to;
    if (i >= a.self.elements)
        return;
#ifdef MUTANT_LAST_ELEMENT
    if (i + 1u == a.self.elements)
        return;
#endif
#ifdef MUTANT_LOOP_CUT
    if (i >= 65535u)
        return;
#endif
    ELEMENT_NUMBER(self, a.self, i)
    ELEMENT_NUMBER(other, a.other, i)
    ELEMENT_NUMBER(to, a.result, i)
    uint x = uint(Element(element_address(a.self.address, self, SIZE)).value);
    uint y = uint(Element(element_address(a.other.address, other, SIZE)).value);
    uint r = combine(x, y, a.alpha);
    Element(element_address(a.result.address, to, SIZE)).value = STORED(r);
#ifdef MUTANT_GAP_CLOBBERED
    if (int(a.result.stride[5]) > 1)
        Element(element_address(a.result.address, to + 1u, SIZE)).value = STORED(r);
#endif
}
