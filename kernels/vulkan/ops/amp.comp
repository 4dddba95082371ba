// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// The operations of a gradient scaler: one element per invocation, in float32 for the 16-bit types. Any number
// of invocations may write found_inf; all write 1. The variants `update` and `begin` work on scalars with one
// invocation: `update` updates the scale; `begin` clears found_inf and computes 1/scale before grads are
// unscaled.
//! variant float16 -DFLOAT16
//! variant bfloat16 -DBFLOAT16
//! variant float32 -DFLOAT32
//! variant float64 -DFLOAT64
//! variant update -DFLOAT32 -DUPDATE
//! variant begin -DFLOAT32 -DBEGIN
#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernel.glsl"
#include "element.glsl"
#include "sum.glsl"
layout(constant_id = 1) const uint OPERATION = 0u;
const uint SCALE = 0u, UNSCALE = 1u, STEP = 2u;

layout(buffer_reference, std430, buffer_reference_align = 4) buffer Word { uint value; };
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Arguments {
    View x, y, scale, found, result; // y: absent for SCALE, grad for STEP
    uvec2 rate;                      // STEP: lr; update: growth and backoff factor, float32 bits
    uint interval, unchecked;
};

uint scalar_of(View view)
{
    return Word(element_address(view.address, view.offset, 4u)).value;
}

void set_scalar(View view, uint bits)
{
    Word(element_address(view.address, view.offset, 4u)).value = bits;
}

bool is_finite(uint bits)
{
    return (bits & 0x7f800000u) != 0x7f800000u;
}

bool is_finite(uvec2 bits)
{
    return (bits.y & 0x7ff00000u) != 0x7ff00000u;
}

float scale_of(Arguments a)
{
    return uintBitsToFloat(scalar_of(a.scale));
}

bool found_inf(Arguments a)
{
    return (scalar_of(a.found) & 0x7fffffffu) != 0u;
}

#if defined BEGIN
// 1/scale; exact, from the exponent, if the scale is a power of two, because a division on the device may be
// inexact.
uint reciprocal(uint bits)
{
    uint exponent = bits >> 23;
    if ((bits & 0x807fffffu) == 0u && exponent > 0u && exponent < 254u)
        return (254u - exponent) << 23;
    EXACT float inverse = 1.0 / uintBitsToFloat(bits);
    return floatBitsToUint(inverse);
}

void main()
{
    Arguments a = Arguments(push.arguments);
    if (invocation_index() > 0u)
        return;
    set_scalar(a.result, reciprocal(floatBitsToUint(scale_of(a))));
    set_scalar(a.found, 0u);
}
#elif defined UPDATE
void main()
{
    Arguments a = Arguments(push.arguments);
    if (invocation_index() > 0u)
        return;
    float scale = scale_of(a);
    uint tracker = scalar_of(a.y) + 1u;
    bool found = (scalar_of(a.found) & 0x7fffffffu) != 0u;
    if (found || tracker == a.interval) {
        EXACT float next = scale * uintBitsToFloat(found ? a.rate.y : a.rate.x);
        if (found || is_finite(floatBitsToUint(next))) // a scale grows to no infinity
            scale = next;
        tracker = 0u;
    }
    set_scalar(a.x, floatBitsToUint(scale));
    set_scalar(a.y, tracker);
}
#else

void store_scaled(Arguments a, uint at, REAL y) // amp_scale: the result for 16-bit types is float32
{
#ifdef FLOAT64
    element_write(a.result.address, at, y);
#else
    Word(element_address(a.result.address, at, 4u)).value = floatBitsToUint(y);
#endif
}

void main()
{
    Arguments a = Arguments(push.arguments);
    uint i = invocation_index(), x_at, y_at, to;
    if (i >= a.x.elements)
        return;
    ELEMENT_NUMBER(x_at, a.x, i)
    REAL x = element_read(a.x.address, x_at);
    if (OPERATION == STEP) {
        if (found_inf(a))
            return;
        ELEMENT_NUMBER(y_at, a.y, i)
        element_write(a.x.address, x_at, sum_of(x, -parameter(a.rate), element_read(a.y.address, y_at)));
        return;
    }
    EXACT REAL y = x * REAL(scale_of(a));
    if (OPERATION == SCALE) {
        ELEMENT_NUMBER(to, a.result, i)
        store_scaled(a, to, y);
        return;
    }
    if (!is_finite(bits_of(x)) && a.unchecked == 0u)
        set_scalar(a.found, 0x3f800000u);
    element_write(a.x.address, x_at, y);
}
#endif
