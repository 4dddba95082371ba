// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// Products of int8 matrices, summed in int32: one element per invocation, from a row of the input and a column
// of the other matrix. A long sum takes several dispatches, with the partial sum in `partial`. SCALED: converts
// the sum to float32 and multiplies it by the product of both scales.
//! variant int32 -DWHOLE
//! variant float32 -DSCALED
#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernel.glsl"
#include "half.glsl"
#extension GL_EXT_shader_8bit_storage : require

layout(buffer_reference, std430, buffer_reference_align = 1) readonly buffer Byte { uint8_t value; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Word { int value; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Single { float value; };

struct Vector { // elements of a storage, `stride` apart
    uvec2 address;
    uint offset, stride;
};

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Arguments {
    View rows, result; // rows: the input without its last dimension
    Vector along, columns, terms; // the input's last dimension; the other matrix, column by column and term by term
    Vector input_scale, weight_scales;
    uvec2 partial;
    uint n, first, last, inner; // this dispatch sums terms from `first` to last - 1
};

int whole_read(uvec2 address, uint number)
{
    uint bits = uint(Byte(element_address(address, number, 1u)).value);
    return int(bits << 24) >> 24;
}

int second_read(uvec2 address, uint number)
{
    return int(uint(Byte(element_address(address, number, 1u)).value) << 24) >> 24;
}

void main()
{
    Arguments a = Arguments(push.arguments);
    uint i = invocation_index(), from, to;
    if (i >= a.result.elements)
        return;
    uint row = i / a.n, column = i - row * a.n;
    ELEMENT_NUMBER(from, a.rows, row)
    ELEMENT_NUMBER(to, a.result, i)
    uint other = a.columns.offset + column * a.columns.stride;
    int sum = a.first == 0u ? 0 : Word(element_address(a.partial, i, 4u)).value;
    for (uint t = a.first; t < a.last; t++) {
        int product = whole_read(a.rows.address, from + t * a.along.stride) *
                      second_read(a.columns.address, other + t * a.terms.stride);
        sum += product;
    }
    if (a.last < a.inner) {
        Word(element_address(a.partial, i, 4u)).value = sum;
        return;
    }
#ifdef WHOLE
    Word(element_address(a.result.address, to, 4u)).value = sum;
#else
    float x = Single(element_address(a.input_scale.address, a.input_scale.offset, 4u)).value;
    float w = Single(element_address(a.weight_scales.address,
                                     a.weight_scales.offset + column * a.weight_scales.stride, 4u)).value;
    EXACT float scale = x * w;
    EXACT float result = float(sum) * scale;
    Single(element_address(a.result.address, to, 4u)).value = result;
#endif
}
