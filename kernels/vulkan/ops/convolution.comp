// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// Convolutions as products of matrices (windows.glsl): one element per invocation, or per workgroup (GROUP) for a long
// sum of few elements. Products are summed as in matmul.comp: in float32 (float64 for float64) over blocks of 128 terms
// in their order, then over the blocks; in a workgroup every invocation sums each 64th term in that way, and a tree sums
// the invocations. Terms in the padding are left out. A long sum takes several dispatches, with the partial sum in
// `partial`.
//! variant float32 -DFLOAT32
//! variant mixed -DMIXED
//! variant float64 -DFLOAT64
//! variant terms -DFLOAT32 -DTERMS
#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernel.glsl"
#include "half.glsl"
#include "real.glsl"
#include "formats.glsl"
#include "windows.glsl"

#ifdef TERMS
void main() // fills the table
{
    Windows v = Windows(push.arguments);
    uint k = invocation_index();
    if (k >= v.terms)
        return;
    uvec4 digit = digits_of(k, v.term[1], v.term[2], v.term[3]);
    uvec3 place = digit.yzw * uvec3(v.k_step[0], v.k_step[1], v.k_step[2]);
    TermOfB(element_address(v.table, k, 16u)).value =
        uvec4(place, digit.x * v.b_term + place.x * v.axis[0] + place.y * v.axis[1] + place.z * v.axis[2]);
    TermOfA(element_address(v.table, v.terms * 4u + k, 4u)).value =
        digit.x * v.a_term[0] + digit.y * v.a_term[1] + digit.z * v.a_term[2] + digit.w * v.a_term[3];
}
#else
#include "workgroup_sum.glsl"
layout(constant_id = 2) const bool GROUP = false;
layout(constant_id = 3) const bool ONES = false;
const uint BLOCK = 128u;

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

void main()
{
    Windows v = Windows(push.arguments);
    uint lane = GROUP ? gl_LocalInvocationID.x : 0u, step = GROUP ? gl_WorkGroupSize.x : 1u;
    uint element = GROUP ? group_index() : invocation_index();
    uint rows = v.rows, columns = v.columns;
    if (element >= rows * columns * v.groups)
        return;
    uint line = element / columns, column = element - line * columns, group = line / rows, row = line - group * rows;
    uvec4 digit = digits_of(column, v.column[1], v.column[2], v.column[3]), place = column_of_b(v, digit);
    uint a = v.a_offset + group * v.a_group + row * v.a_row, b = v.b_offset + group * v.b_group + place.w;
    uvec3 size = uvec3(v.size[0], v.size[1], v.size[2]);
    size = max(size, uvec3(1u)); // of dimensions that there are not
    uvec2 from_a = v.a, from_b = v.b, table = v.table; // read once, as in matmul.comp
    uint end = v.to, terms = v.terms;
    REAL total = ZERO;
    if (v.from > 0u && lane == 0u)
        total = real_of(Element(element_address(v.partial, element, SIZE)).value);
    for (uint k = v.from + lane; k < end;) {
        REAL block = ZERO;
        for (uint stop = min(end, k + BLOCK * step); k < stop; k += step) {
            uvec4 term = term_of_b(table, k);
            if (all(lessThan(place.xyz + term.xyz, size))) {
                REAL y = format_load(from_b, b + term.w, format_of(1u));
                if (ONES) {
                    block = add(block, y);
                } else {
                    REAL x = format_load(from_a, a + term_of_a(table, terms, k), format_of(0u));
                    block = sum_of(block, x, y);
                }
            }
        }
        total = add(total, block);
    }
    if (GROUP) {
        total = workgroup_sum(total);
        if (lane != 0u)
            return;
    }
    if (v.to < terms) {
        Element(element_address(v.partial, element, SIZE)).value = bits_of(total);
        return;
    }
    if (v.biased != 0u)
        total = add(total, format_load(v.bias, v.bias_offset + group * v.bias_group + row * v.bias_row, format_of(2u)));
    format_store(v.result, v.c_offset + group * v.c_group + row * v.c_row + column_of_c(v, digit), total);
}
#endif
