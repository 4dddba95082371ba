// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// C = A B (+ bias): one element per invocation, or per workgroup (GROUP) for a long row times a vector. The
// host has brought all views to six dimensions, [batches, m, k] times [batches, k, n] to [batches, m, n], with
// strides of zero along broadcast batches. autocast rounds the operands first. Products are summed in float32
// (float64 for float64) over blocks of 128 in order, and then over the blocks, so that a term takes part in at
// most 127 + K/128 additions. In a workgroup every invocation sums each 64th term in that way, and a tree sums
// the invocations; the bound holds for more than 128 terms. A long sum takes several dispatches, with the
// partial sum in `partial`.
//! variant float32 -DFLOAT32
//! variant mixed -DMIXED
//! variant float64 -DFLOAT64
#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernel.glsl"
#include "half.glsl"
#include "real.glsl"
#include "workgroup_sum.glsl"
layout(constant_id = 1) const uint FORMATS = 0u; // two bits each: a, b, bias, result, cast to
layout(constant_id = 2) const bool GROUP = false;
const uint SINGLE = 0u, BINARY16 = 1u, BFLOAT16 = 2u;

#ifdef MIXED
#extension GL_EXT_shader_16bit_storage : require
layout(buffer_reference, std430, buffer_reference_align = 2) buffer Narrow { uint16_t value; };
#endif
#ifdef FLOAT64
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Element { uvec2 value; };
#else
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Element { uint value; };
#endif
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Arguments {
    View a, b, bias, result;
    uvec2 partial;
    uint inner, from, to, biased; // this dispatch sums terms from … to - 1
};

uint format_of(uint which)
{
    return FORMATS >> 2u * which & 3u;
}

uint to_bfloat16(REAL x)
{
#ifdef FLOAT64
    return 0u;
#else
    return float_to_bfloat16(x);
#endif
}

REAL narrowed(REAL x)
{
#ifdef MIXED
    if (format_of(4u) == BINARY16)
        return half_to_float(float_to_half(x));
    if (format_of(4u) == BFLOAT16)
        return bfloat16_to_float(to_bfloat16(x));
#endif
    return x;
}

REAL load(uvec2 address, uint at, uint format)
{
#ifdef MIXED
    if (format != SINGLE) {
        uint narrow = uint(Narrow(element_address(address, at, 2u)).value);
        return narrowed(format == BINARY16 ? half_to_float(narrow) : bfloat16_to_float(narrow));
    }
#endif
    return narrowed(real_of(Element(element_address(address, at, SIZE)).value));
}

void store(uvec2 address, uint at, REAL y)
{
#ifdef MIXED
    if (format_of(3u) != SINGLE) {
        uint narrow = format_of(3u) == BINARY16 ? float_to_half(y) : to_bfloat16(y);
        Narrow(element_address(address, at, 2u)).value = uint16_t(narrow);
        return;
    }
#endif
    Element(element_address(address, at, SIZE)).value = bits_of(y);
}

REAL add(REAL x, REAL y)
{
    EXACT REAL sum = x + y;
    return sum;
}

REAL sum_of(REAL sum, REAL x, REAL y) // sum + x y
{
    EXACT REAL product = x * y;
    return add(sum, product);
}

const uint BLOCK = 128u;

void main()
{
    Arguments v = Arguments(push.arguments);
    uint lane = GROUP ? gl_LocalInvocationID.x : 0u, step = GROUP ? gl_WorkGroupSize.x : 1u;
    uint element = GROUP ? group_index() : invocation_index(), rest = element;
    if (element >= v.result.elements)
        return;
    uint a = v.a.offset, b = v.b.offset, c = v.result.offset, column = 0u;
    [[dont_unroll]] for (uint d = 6u; d-- > v.result.outermost;) {
        uint dim = v.result.dim[d], quotient = rest / dim, i = rest - quotient * dim;
        rest = quotient;
        a += d == 5u ? 0u : i * v.a.stride[d];
        b += d == 4u ? 0u : i * v.b.stride[d];
        c += i * v.result.stride[d];
        column = d == 5u ? i : column;
    }
    uvec2 from_a = v.a.address, from_b = v.b.address; // read once: a CPU's driver reads by way of an address each time
    uint along_a = v.a.stride[5], along_b = v.b.stride[4], end = v.to;
    REAL total = ZERO;
    if (v.from > 0u && lane == 0u)
        total = real_of(Element(element_address(v.partial, element, SIZE)).value);
    for (uint k = v.from + lane; k < end;) {
        REAL block = ZERO;
        for (uint stop = min(end, k + BLOCK * step); k < stop; k += step) {
            REAL x = load(from_a, a + k * along_a, format_of(0u));
            REAL y = load(from_b, b + k * along_b, format_of(1u));
            block = sum_of(block, x, y);
        }
        total = add(total, block);
    }
    if (GROUP) {
        total = workgroup_sum(total);
        if (lane != 0u)
            return;
    }
    if (v.to < v.inner) {
        Element(element_address(v.partial, element, SIZE)).value = bits_of(total);
        return;
    }
    if (v.biased != 0u)
        total = add(total, load(v.bias.address, v.bias.offset + column * v.bias.stride[5], format_of(2u)));
    store(v.result.address, c, total);
}
