// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// Values of one format, computed with in float32 (float64 for float64), and sums over a workgroup.
#include "half.glsl"
#include "real.glsl"

#if defined FLOAT16 || defined BFLOAT16
#extension GL_EXT_shader_16bit_storage : require
layout(buffer_reference, std430, buffer_reference_align = 2) buffer Element { uint16_t value; };
#define ELEMENT_SIZE 2u
#elif defined FLOAT64
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Element { uvec2 value; };
#define ELEMENT_SIZE 8u
#else
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Element { uint value; };
#define ELEMENT_SIZE 4u
#endif

REAL value_load(uvec2 address, uint at)
{
    Element e = Element(element_address(address, at, ELEMENT_SIZE));
#if defined FLOAT16
    return half_to_float(uint(e.value));
#elif defined BFLOAT16
    return uintBitsToFloat(uint(e.value) << 16);
#else
    return real_of(e.value);
#endif
}

void value_store(uvec2 address, uint at, REAL y)
{
    Element e = Element(element_address(address, at, ELEMENT_SIZE));
#if defined FLOAT16
    e.value = uint16_t(float_to_half(y));
#elif defined BFLOAT16
    uint bits = floatBitsToUint(y);
    bits = (bits & 0x7fffffffu) > 0x7f800000u ? bits >> 16 | 0x40u : (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
    e.value = uint16_t(bits);
#else
    e.value = bits_of(y);
#endif
}

// Unchanged to the last bit.
void value_copy(uvec2 to, uint to_at, uvec2 from, uint from_at)
{
    Element(element_address(to, to_at, ELEMENT_SIZE)).value = Element(element_address(from, from_at, ELEMENT_SIZE)).value;
}

REAL sum_of(REAL sum, REAL a, REAL b) // sum + a b
{
#ifdef VARIANT_FMA
    return fma(a, b, sum);
#else
    EXACT REAL product = a * b;
    EXACT REAL result = sum + product;
    return result;
#endif
}

shared REAL gathered[gl_WorkGroupSize.x];

REAL workgroup_sum(REAL mine) // of every invocation's part; all of them must come here
{
    uint id = gl_LocalInvocationID.x;
    gathered[id] = mine;
    barrier();
    for (uint step = gl_WorkGroupSize.x / 2u; step > 0u; step /= 2u) {
        if (id < step) {
            EXACT REAL sum = gathered[id] + gathered[id + step];
            gathered[id] = sum;
        }
        barrier();
    }
    REAL sum = gathered[0];
    barrier(); // before the next sum overwrites it
    return sum;
}
