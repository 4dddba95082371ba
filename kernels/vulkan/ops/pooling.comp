// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// Average and maximum pooling and their gradients over one to three dimensions, of which those that there are not have
// size 1: one element of the result per invocation. ops/pooling.c fills the arguments. Sums are taken over blocks of 128
// terms, then over the blocks; terms in the padding are left out.
//
// avg            the sum of the window over its divisor
// avg_gradient   the sum over the windows that hold the element of grad_output over their divisors
// max            the first greatest element of the window, bit by bit, and its place in the plane; a NaN is the greatest
// max_gradient   the sum over the windows that hold the element of the elements of grad_output whose index names it
//! variant avg.float16 -DFLOAT16
//! variant avg.bfloat16 -DBFLOAT16
//! variant avg.float32
//! variant avg.float64 -DFLOAT64
//! variant avg_gradient.float16 -DFLOAT16 -DGRADIENT
//! variant avg_gradient.bfloat16 -DBFLOAT16 -DGRADIENT
//! variant avg_gradient.float32 -DGRADIENT
//! variant avg_gradient.float64 -DFLOAT64 -DGRADIENT
//! variant max.float16 -DFLOAT16 -DMAXIMUM
//! variant max.bfloat16 -DBFLOAT16 -DMAXIMUM
//! variant max.float32 -DMAXIMUM
//! variant max.float64 -DFLOAT64 -DMAXIMUM
//! variant max_gradient.float16 -DFLOAT16 -DMAXIMUM -DGRADIENT
//! variant max_gradient.bfloat16 -DBFLOAT16 -DMAXIMUM -DGRADIENT
//! variant max_gradient.float32 -DMAXIMUM -DGRADIENT
//! variant max_gradient.float64 -DFLOAT64 -DMAXIMUM -DGRADIENT
#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernel.glsl"
#include "element.glsl"

struct Planes {
    uvec2 address; // of the storage's first byte
    uint offset, sample_, channel, axis[3];
};
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Arguments {
    Planes from, indices, result;
    uvec2 divisor;
    uint elements, channels, x[3], y[3], kernel[3], stride[3], before[3], dilation[3], windows[3];
    uint counts_padding, divides;
};
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Index { uvec2 value; };

const uint BLOCK = 128u;

#define THREE(a) uvec3(a[0], a[1], a[2])

uint along(uvec3 place, uvec3 axis)
{
    return place.x * axis.x + place.y * axis.y + place.z * axis.z;
}

REAL add(REAL x, REAL y)
{
    EXACT REAL sum = x + y;
    return sum;
}

// What the window at y is divided by: its elements in the input and, if they count, in the padding.
REAL divisor_of(Arguments a, uvec3 y)
{
    if (a.divides != 0u)
        return parameter(a.divisor);
    ivec3 before = ivec3(THREE(a.before)), counted = a.counts_padding != 0u ? before : ivec3(0);
    ivec3 first = ivec3(y * THREE(a.stride)) - before;
    ivec3 end = min(first + ivec3(THREE(a.kernel)), ivec3(THREE(a.x)) + counted);
    ivec3 size = end - max(first, -counted);
    return REAL(size.x * size.y * size.z);
}

void main()
{
    Arguments a = Arguments(push.arguments);
    uint i = invocation_index();
    if (i >= a.elements)
        return;
#ifdef GRADIENT
    uvec3 size = THREE(a.x), loops = THREE(a.windows);
#else
    uvec3 size = THREE(a.y), loops = THREE(a.kernel);
#endif
    uint plane = i / (size.x * size.y * size.z), rest = i - plane * (size.x * size.y * size.z);
    uvec3 own;
    own.z = rest % size.z;
    own.y = rest / size.z % size.y;
    own.x = rest / size.z / size.y;
    uint sample_ = plane / a.channels, channel = plane - sample_ * a.channels;
    uint from = a.from.offset + sample_ * a.from.sample_ + channel * a.from.channel;
    uint to = a.result.offset + sample_ * a.result.sample_ + channel * a.result.channel + along(own, THREE(a.result.axis));
    uvec3 axis = THREE(a.from.axis), stride = THREE(a.stride), before = THREE(a.before), dilation = THREE(a.dilation);
    uvec3 x_size = THREE(a.x), y_size = THREE(a.y), kernel = THREE(a.kernel);
    uvec2 address = a.from.address;
#ifdef MAXIMUM
    uint indices = a.indices.offset + sample_ * a.indices.sample_ + channel * a.indices.channel;
#endif
#if defined MAXIMUM && !defined GRADIENT
    REAL best = ZERO;
    uint chosen = 0u, at = 0u;
    bool found = false;
#else
    REAL total = ZERO, block = ZERO;
    uint count = 0u;
#endif
#ifdef GRADIENT
    uvec3 last = min((own + before) / stride, y_size - 1u);
#endif
    for (uint d = 0u; d < loops.x; d++) {
        for (uint h = 0u; h < loops.y; h++) {
            for (uint w = 0u; w < loops.z; w++) {
                uvec3 k = uvec3(d, h, w);
#ifdef GRADIENT
                uvec3 y = last - k; // beyond 2^31 where there is no such window
                if (any(greaterThanEqual(y, y_size)))
                    continue;
                uint e = from + along(y, axis);
#ifdef MAXIMUM
                uvec2 index = Index(element_address(a.indices.address, indices + along(y, THREE(a.indices.axis)), 8u)).value;
                if (index.y != 0u || index.x != rest)
                    continue;
                REAL term = element_read(address, e);
#else
                if (any(greaterThanEqual(own + before - y * stride, kernel)))
                    continue;
                EXACT REAL term = element_read(address, e) / divisor_of(a, y);
#endif
#else
                uvec3 x = own * stride + k * dilation - before; // beyond 2^31 in the padding in front
                if (any(greaterThanEqual(x, x_size)))
                    continue;
                REAL term = element_read(address, from + along(x, axis));
#ifdef MAXIMUM
                if (!found || term > best || (is_nan(term) && !is_nan(best))) {
                    best = term;
                    chosen = from + along(x, axis);
                    at = (x.x * x_size.y + x.y) * x_size.z + x.z;
                    found = true;
                }
#endif
#endif
#if !defined MAXIMUM || defined GRADIENT
                block = add(block, term);
                count++;
                if (count == BLOCK) {
                    total = add(total, block);
                    block = ZERO;
                    count = 0u;
                }
#endif
            }
        }
    }
#if defined MAXIMUM && !defined GRADIENT
    element_copy(a.result.address, to, address, chosen);
    indices += along(own, THREE(a.indices.axis));
    Index(element_address(a.indices.address, indices, 8u)).value = uvec2(at, 0u);
#else
    REAL sum = add(total, block);
#ifndef GRADIENT
    EXACT REAL mean = sum / divisor_of(a, own);
    sum = mean;
#endif
    element_write(a.result.address, to, sum);
#endif
}
