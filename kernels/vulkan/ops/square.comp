// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// square: one element per invocation, or those of 16 bytes (WIDE). float16 is computed in float32, where the product is exact, and rounded
// once.
//! variant float16 -DFLOAT16
//! variant float32 -DFLOAT32
//! variant int32 -DINT32
//! wide
#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernel.glsl"
#include "half.glsl"

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
    View x, result;
};

uint square(uint bits)
{
#if defined INT32
    return bits * bits;
#elif defined FLOAT16
    EXACT float product = half_to_float(bits) * half_to_float(bits);
    return float_to_half(product);
#else
    EXACT float product = uintBitsToFloat(bits) * uintBitsToFloat(bits);
    return floatBitsToUint(product);
#endif
}

#ifdef WIDE
#define VECTOR (16u / SIZE)
#define STORES_16
#include "wide.glsl"

void main()
{
    Arguments a = Arguments(push.arguments);
    uint first = invocation_index() * VECTOR;
    if (first >= elements)
        return;
    uint count = min(elements - first, VECTOR);
    uvec4 xs, results = uvec4(0u);
    VECTOR_READ(xs, line[0], a.x, SIZE)
    [[unroll]] for (uint k = 0u; k < LANES; k++) {
        uint x = vector_take(xs, k, SIZE).x;
        vector_put(results, k, uvec2(square(x), 0u), SIZE);
    }
    VECTOR_WRITE(results, line[1], a.result, SIZE)
}
#else
void main()
{
    Arguments a = Arguments(push.arguments);
    uint i = invocation_index(), from, to;
    if (i >= elements)
        return;
    LINE_NUMBER(from, line[0], a.x, i)
    LINE_NUMBER(to, line[1], a.result, i)
    uint r = square(uint(Element(element_address(line[0].address, from, SIZE)).value));
    Element(element_address(line[1].address, to, SIZE)).value = STORED(r);
}
#endif
