// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// C = A B (+ bias) by tiles: a workgroup computes ROWS x COLUMNS elements of one matrix of the batch, each of its
// invocations HIGH x WIDE of them in registers, from tiles of ROWS x DEPTH and DEPTH x COLUMNS elements in shared
// memory. The host has brought the views to six dimensions as for matmul.comp.
//
// The order of each sum is that of matmul.comp: blocks of 128 terms in their order, here by fma, and then the
// blocks. It depends neither on the shape of the tiles nor on the number of rows. A long sum of few columns is split
// into parts, each computed by a workgroup of its own; the variants `parts` then sum these in their order. Terms and
// elements beyond an edge are zeros in shared memory and are neither read from nor written to device memory. int8 is
// summed in int32; SCALED converts the sum to float32 and multiplies it by the product of both scales.
//! variant float32 -DFLOAT32
//! variant mixed -DMIXED
//! variant float64 -DFLOAT64
//! variant autocast -DMIXED -DAUTOCAST
//! variant int8 -DINT8
//! variant scaled -DINT8 -DSCALED
//! variant parts.float32 -DFLOAT32 -DPARTS
//! variant parts.mixed -DMIXED -DPARTS
//! variant parts.float64 -DFLOAT64 -DPARTS
//! variant parts.int8 -DINT8 -DPARTS
//! variant parts.scaled -DINT8 -DSCALED -DPARTS
#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernel.glsl"
#include "half.glsl"
#ifndef INT8
#include "real.glsl"
#endif
#include "formats.glsl"
#include "tile.glsl"

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Arguments {
    View a, b, bias, result; // SCALED: bias holds the scales of the columns
    uvec2 partial, scale;    // scale: of SCALED, a number of float32
    uint inner, part, parts, biased; // `parts` parts of `part` terms, a multiple of BLOCK
};

#ifdef INT8
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Single { float value; };

void finish(Arguments v, uint column, uint number, REAL total)
{
#ifdef SCALED
    uvec2 scales = element_address(v.bias.address, v.bias.offset + column * v.bias.stride[5], 4u);
    EXACT float scale = Single(v.scale).value * Single(scales).value;
    EXACT float result = float(total) * scale;
    Single(element_address(v.result.address, number, 4u)).value = result;
#else
    Element(element_address(v.result.address, number, 4u)).value = bits_of(total);
#endif
}
#else
void finish(Arguments v, uint column, uint number, REAL total)
{
    if (v.biased != 0u) {
        EXACT REAL sum = total + format_load(v.bias.address, v.bias.offset + column * v.bias.stride[5], format_of(2u));
        total = sum;
    }
    format_store(v.result.address, number, total);
}
#endif

#ifdef PARTS
void main()
{
    Arguments v = Arguments(push.arguments);
    uint i = invocation_index(), number;
    if (i >= v.result.elements)
        return;
    REAL total = ZERO;
    for (uint p = 0u; p < v.parts; p++) {
        EXACT REAL sum =
            total + real_of(Element(element_address(v.partial, p * v.result.elements + i, SIZE)).value);
        total = sum;
    }
    ELEMENT_NUMBER(number, v.result, i)
    finish(v, i % v.result.dim[5], number, total);
}
#else
void main()
{
    Arguments v = Arguments(push.arguments);
    uint rows = v.result.dim[4], columns = v.result.dim[5];
    uint tiles = (columns + COLUMNS - 1u) / COLUMNS, stacks = (rows + ROWS - 1u) / ROWS, group = group_index();
    uint column = group % tiles * COLUMNS, rest = group / tiles, row = rest % stacks * ROWS;
    rest /= stacks;
    uint matrices = v.result.elements / (rows * columns), batch = rest % matrices, part = rest / matrices;
    if (part >= v.parts)
        return;
    uint a = v.a.offset, b = v.b.offset, c = v.result.offset, matrix = batch;
    [[dont_unroll]] for (uint d = 4u; d-- > 0u;) {
        uint quotient = batch / v.result.dim[d], i = batch - quotient * v.result.dim[d];
        batch = quotient;
        a += i * v.a.stride[d];
        b += i * v.b.stride[d];
        c += i * v.result.stride[d];
    }
    uvec2 from_a = v.a.address, from_b = v.b.address;
    uint down = v.a.stride[4], along_a = v.a.stride[5], along_b = v.b.stride[4], right = v.b.stride[5];
    uint k = part * v.part, end = min(v.inner, k + v.part);

    REAL4 block[HIGH][WIDE / 4u], total[HIGH][WIDE / 4u], next_a[UNITS_A], next_b[UNITS_B];
    CLEAR_TILE(total)
    CLEAR_TILE(block)
#define READ_TILES(k)                                                                                                  \
    READ_TILE(UNITS_A, next_a, ROWS, from_a, a, down, along_a, row, rows, k, end, format_of(0u), A_BY_TERMS, A_WHOLE)  \
    READ_TILE(UNITS_B, next_b, COLUMNS, from_b, b, right, along_b, column, columns, k, end, format_of(1u), B_BY_TERMS, \
              B_WHOLE)
    if (k < end) {
        READ_TILES(k)
    }
    [[dont_unroll]] for (uint term = 0u; k < end; k += DEPTH) {
        WRITE_TILE(tile_a, UNITS_A, next_a, ROWS, A_BY_TERMS)
        WRITE_TILE(tile_b, UNITS_B, next_b, COLUMNS, B_BY_TERMS)
        barrier();
        if (k + DEPTH < end) { // while the products are summed
            READ_TILES(k + DEPTH)
        }
        MULTIPLY_TILES(block)
        barrier();
        term += DEPTH;
        if (term == BLOCK || k + DEPTH >= end) {
            ADD_TILE(total, block)
            term = 0u;
        }
    }
    [[unroll]] for (uint i = 0u; i < HIGH; i++) {
        uint r = row + TILE_ROW(i);
        [[unroll]] for (uint j = 0u; j < WIDE; j++) {
            uint s = column + TILE_COLUMN(j);
            if (r < rows && s < columns) {
                REAL sum = total[i][j / 4u][j % 4u];
                if (v.parts > 1u) {
                    uint at = part * v.result.elements + (matrix * rows + r) * columns + s;
                    Element(element_address(v.partial, at, SIZE)).value = bits_of(sum);
                } else {
                    finish(v, s, c + r * v.result.stride[4] + s * v.result.stride[5], sum);
                }
            }
        }
    }
}
#endif
