// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// Convolutions as products of matrices (windows.glsl) by tiles (tile.glsl), as tiled.comp multiplies matrices. What lies
// in the padding is a zero in shared memory: it is multiplied, so that an infinite weight gives NaN there. A long sum is
// split into parts, each computed by a workgroup of its own; the variants `parts` then sum these in their order.
//! variant float32 -DFLOAT32
//! variant mixed -DMIXED
//! variant float64 -DFLOAT64
//! variant parts.float32 -DFLOAT32 -DPARTS
//! variant parts.mixed -DMIXED -DPARTS
//! variant parts.float64 -DFLOAT64 -DPARTS
#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernel.glsl"
#include "half.glsl"
#include "real.glsl"
#include "formats.glsl"
#include "tile.glsl"
#include "windows.glsl"

void finish(Windows v, uint group, uint row, uint at, REAL total)
{
    if (v.biased != 0u) {
        EXACT REAL sum = total + format_load(v.bias, v.bias_offset + group * v.bias_group + row * v.bias_row, format_of(2u));
        total = sum;
    }
    format_store(v.result, at, total);
}

#ifdef PARTS
void main()
{
    Windows v = Windows(push.arguments);
    uint i = invocation_index(), elements = v.rows * v.columns * v.groups;
    if (i >= elements)
        return;
    REAL total = ZERO;
    for (uint p = 0u; p < v.parts; p++) {
        EXACT REAL sum = total + real_of(Element(element_address(v.partial, p * elements + i, SIZE)).value);
        total = sum;
    }
    uint line = i / v.columns, column = i - line * v.columns, group = line / v.rows, row = line - group * v.rows;
    uvec4 digit = digits_of(column, v.column[1], v.column[2], v.column[3]);
    finish(v, group, row, v.c_offset + group * v.c_group + row * v.c_row + column_of_c(v, digit), total);
}
#else
// The parts of the tile's columns in the positions and the number of b, and in the number of the result.
shared uvec4 columns_b[COLUMNS];
shared uint columns_c[COLUMNS];

// Each invocation copies SINGLES of each tile. BY_TERMS: neighbouring invocations copy neighbouring terms.
const uint SINGLES_A = (ROWS * DEPTH + INVOCATIONS - 1u) / INVOCATIONS;
const uint SINGLES_B = (COLUMNS * DEPTH + INVOCATIONS - 1u) / INVOCATIONS;
#define UNIT(u) (gl_LocalInvocationID.x + u * INVOCATIONS)
#define TERM_OF(unit, across, by_terms) (by_terms ? unit % DEPTH : unit / across)
#define PLACE_OF(unit, across, by_terms) (by_terms ? unit / DEPTH : unit % across)

#define READ_TILES(k)                                                                                                  \
    [[unroll]] for (uint u_ = 0u; u_ < SINGLES_A; u_++) {                                                              \
        uint term_ = k + TERM_OF(UNIT(u_), ROWS, A_BY_TERMS), row_ = row + PLACE_OF(UNIT(u_), ROWS, A_BY_TERMS);       \
        next_a[u_] = ZERO;                                                                                             \
        if (term_ < end && row_ < rows && UNIT(u_) < ROWS * DEPTH)                                                     \
            next_a[u_] = format_load(from_a, a + row_ * down + term_of_a(table, terms, term_), format_of(0u));         \
    }                                                                                                                  \
    [[unroll]] for (uint u_ = 0u; u_ < SINGLES_B; u_++) {                                                              \
        uint term_ = k + TERM_OF(UNIT(u_), COLUMNS, B_BY_TERMS), column_ = PLACE_OF(UNIT(u_), COLUMNS, B_BY_TERMS);    \
        next_b[u_] = ZERO;                                                                                             \
        if (term_ < end && column + column_ < columns && UNIT(u_) < COLUMNS * DEPTH) {                                 \
            uvec4 t_ = term_of_b(table, term_) + columns_b[column_];                                                   \
            if (all(lessThan(t_.xyz, size)))                                                                           \
                next_b[u_] = format_load(from_b, b + t_.w, format_of(1u));                                             \
        }                                                                                                              \
    }

#define WRITE_TILE(TILE, ROW, SINGLES, next, across, by_terms)                                                         \
    [[unroll]] for (uint u_ = 0u; u_ < SINGLES; u_++) {                                                                \
        uint place_ = PLACE_OF(UNIT(u_), across, by_terms);                                                            \
        if (across * DEPTH % INVOCATIONS == 0u || UNIT(u_) < across * DEPTH)                                           \
            TILE[TERM_OF(UNIT(u_), across, by_terms) * ROW + place_ / 4u][place_ % 4u] = next[u_];                     \
    }

void main()
{
    Windows v = Windows(push.arguments);
    uint rows = v.rows, columns = v.columns, terms = v.terms;
    uint tiles = (columns + COLUMNS - 1u) / COLUMNS, stacks = (rows + ROWS - 1u) / ROWS, number = group_index();
    uint column = number % tiles * COLUMNS, rest = number / tiles, row = rest % stacks * ROWS;
    rest /= stacks;
    uint group = rest % v.groups, part = rest / v.groups;
    if (part >= v.parts)
        return;
    uint a = v.a_offset + group * v.a_group, b = v.b_offset + group * v.b_group;
    uvec2 from_a = v.a, from_b = v.b, table = v.table;
    uvec3 size = max(uvec3(v.size[0], v.size[1], v.size[2]), uvec3(1u)); // 1 in dimensions that there are not
    uint down = v.a_row, k = part * v.part, end = min(terms, k + v.part);
    for (uint j = gl_LocalInvocationID.x; j < COLUMNS; j += INVOCATIONS) {
        uvec4 digit = digits_of(column + j, v.column[1], v.column[2], v.column[3]);
        columns_b[j] = column_of_b(v, digit);
        columns_c[j] = column_of_c(v, digit);
    }
    barrier();
    REAL4 block[HIGH][WIDE / 4u], total[HIGH][WIDE / 4u];
    REAL next_a[SINGLES_A], next_b[SINGLES_B];
    CLEAR_TILE(total)
    CLEAR_TILE(block)
    if (k < end) {
        READ_TILES(k)
    }
    [[dont_unroll]] for (uint term = 0u; k < end; k += DEPTH) {
        WRITE_TILE(tile_a, ROW_A, SINGLES_A, next_a, ROWS, A_BY_TERMS)
        WRITE_TILE(tile_b, ROW_B, SINGLES_B, next_b, COLUMNS, B_BY_TERMS)
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
    uint c = v.c_offset + group * v.c_group;
    [[unroll]] for (uint i = 0u; i < HIGH; i++) {
        uint r = row + TILE_ROW(i);
        [[unroll]] for (uint j = 0u; j < WIDE; j++) {
            uint s = TILE_COLUMN(j);
            if (r < rows && column + s < columns) {
                REAL sum = total[i][j / 4u][j % 4u];
                if (v.parts > 1u) {
                    uint at = ((part * v.groups + group) * rows + r) * columns + column + s;
                    Element(element_address(v.partial, at, SIZE)).value = bits_of(sum);
                } else {
                    finish(v, group, r, c + r * v.c_row + columns_c[s], sum);
                }
            }
        }
    }
}
#endif
