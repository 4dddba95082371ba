// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// The terms of the gradient of prelu with respect to its weight, in the order of the channels, one per
// invocation, in float32 for the 16-bit types. ops/rows.comp sums them.
//! variant float16 -DFLOAT16
//! variant bfloat16 -DBFLOAT16
//! variant float32 -DFLOAT32
//! variant float64 -DFLOAT64
#version 460
#extension GL_GOOGLE_include_directive : require
#include "operands.glsl"

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Arguments {
    View gradient, x, terms;
};

REAL term_of(REAL gradient, REAL x)
{
    EXACT REAL product = gradient * x;
    return is_positive(x) ? ZERO : product;
}

void main()
{
    Arguments a = Arguments(push.arguments);
    uint i = invocation_index(), gradient_number, x_number;
    if (i >= elements)
        return;
    LINE_NUMBER(gradient_number, line[0], a.gradient, i)
    LINE_NUMBER(x_number, line[1], a.x, i)
    // Read behind the loops: llvmpipe (Mesa 22.3) loses parts of a float64 that is held through one.
    REAL gradient = element_read(line[0].address, gradient_number), x = element_read(line[1].address, x_number);
    EXACT REAL term = term_of(gradient, x);
    parameter_write(line[2].address, i, true, term);
}
