// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// embedding and its gradient by the table. ops/embedding.c fills the arguments. An index that names no row, which only
// a program's own step can compute, leaves its elements unwritten, or counts for no row.
//
// rows   for each element of the result the element of the table, bit by bit
// list   for each vector of grad_output the row that its index names, NOWHERE for that of padding_idx, and the number
//        of its first element
// sum    for each element of the gradient the sum of those vectors that name its row, in their order: blocks of 128
//        terms, then the blocks
//! variant rows16 -DROWS -DFLOAT16
//! variant rows32 -DROWS
//! variant rows64 -DROWS -DFLOAT64
//! variant list -DLIST
//! variant sum.float16 -DFLOAT16
//! variant sum.bfloat16 -DBFLOAT16
//! variant sum.float32
//! variant sum.float64 -DFLOAT64
#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernel.glsl"
#include "element.glsl"

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Arguments {
    View from, indices, result;
    uvec2 list, sums, counts; // scratch: see above; sum of blocks and sum of a block; terms in this block
    uint rows, width, padding, step, begin, end, vectors, unused;
};
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Index { uvec2 value; };
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Entry { uvec2 value; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Count { uint value; };
layout(buffer_reference, std430, buffer_reference_align = SIZE) buffer Sum { WORD value; };

const uint NOWHERE = 0xffffffffu, BLOCK = 128u;

#if defined ROWS || defined LIST
// The row that index i names; NOWHERE if it names none.
uint row_of(Arguments a, uint i)
{
    uint at;
    ELEMENT_NUMBER(at, a.indices, i)
    uvec2 index = Index(element_address(a.indices.address, at, 8u)).value;
    return index.y != 0u || index.x >= a.rows ? NOWHERE : index.x;
}
#endif

#if defined ROWS
void main()
{
    Arguments a = Arguments(push.arguments);
    uint i = invocation_index(), at, to, width = a.width;
    if (i >= a.result.elements)
        return;
    uint vector = i / width, row = row_of(a, vector);
    if (row == NOWHERE)
        return;
    ELEMENT_NUMBER(at, a.from, row * width + (i - vector * width))
    ELEMENT_NUMBER(to, a.result, i)
    element_copy(a.result.address, to, a.from.address, at);
}
#elif defined LIST
void main()
{
    Arguments a = Arguments(push.arguments);
    uint i = invocation_index(), at;
    if (i >= a.vectors)
        return;
    uint row = row_of(a, i);
    ELEMENT_NUMBER(at, a.from, i)
    Entry(element_address(a.list, i, 8u)).value = uvec2(row == a.padding ? NOWHERE : row, at);
}
#else
REAL add(REAL x, REAL y)
{
    EXACT REAL sum = x + y;
    return sum;
}

void main()
{
    Arguments a = Arguments(push.arguments);
    uint i = invocation_index(), to, width = a.width, end = a.end, step = a.step;
    if (i >= a.result.elements)
        return;
    uint row = i / width, column = (i - row * width) * step, count = 0u;
    uvec2 list = a.list, from = a.from.address;
    REAL total = ZERO, block = ZERO;
    if (a.begin > 0u) {
        total = real_of(Sum(element_address(a.sums, 2u * i, SIZE)).value);
        block = real_of(Sum(element_address(a.sums, 2u * i + 1u, SIZE)).value);
        count = Count(element_address(a.counts, i, 4u)).value;
    }
    for (uint k = a.begin; k < end; k++) {
        uvec2 entry = Entry(element_address(list, k, 8u)).value;
        if (entry.x == row) {
            block = add(block, element_read(from, entry.y + column));
            count++;
            if (count == BLOCK) {
                total = add(total, block);
                block = ZERO;
                count = 0u;
            }
        }
    }
    if (end < a.vectors) {
        Sum(element_address(a.sums, 2u * i, SIZE)).value = bits_of(total);
        Sum(element_address(a.sums, 2u * i + 1u, SIZE)).value = bits_of(block);
        Count(element_address(a.counts, i, 4u)).value = count;
        return;
    }
    ELEMENT_NUMBER(to, a.result, i)
    element_write(a.result.address, to, add(total, block));
}
#endif
