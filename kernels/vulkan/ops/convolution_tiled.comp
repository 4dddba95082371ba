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
const bool A_LINEAR = (FORMATS & 0x10000u) != 0u; // the terms of a row of a have one stride
const bool UNPADDED = (FORMATS & 0x20000u) != 0u; // no position of b lies in the padding

// The parts of the tile's columns in the positions and the number of b, and in the number of the result; the parts of
// the terms of this tile and of the next one in the positions and the number of b, in turn.
shared uvec4 columns_b[COLUMNS], terms_b[2u * DEPTH];
shared uint columns_c[COLUMNS];

// Each invocation copies SINGLES of each tile, or fours of a (A_LINEAR). BY_TERMS: neighbouring invocations copy
// neighbouring terms; else all elements that an invocation copies lie in one column.
const uint SINGLES_A = (ROWS * DEPTH + INVOCATIONS - 1u) / INVOCATIONS;
const uint SINGLES_B = (COLUMNS * DEPTH + INVOCATIONS - 1u) / INVOCATIONS;
const uint ENTRIES = (DEPTH + INVOCATIONS - 1u) / INVOCATIONS;
#define ONE_COLUMN (!B_BY_TERMS && INVOCATIONS % COLUMNS == 0u)
#define UNIT(u) (gl_LocalInvocationID.x + u * INVOCATIONS)
#define TERM_OF(unit, across, by_terms) (by_terms ? unit % DEPTH : unit / across)
#define PLACE_OF(unit, across, by_terms) (by_terms ? unit / DEPTH : unit % across)

#define READ_A(k)                                                                                                      \
    if (A_LINEAR) {                                                                                                    \
        READ_TILE(UNITS_A, next_a, ROWS, from_a, a, down, along, row, rows, k, end, format_of(0u), A_BY_TERMS, A_WHOLE) \
    } else {                                                                                                           \
        [[unroll]] for (uint u_ = 0u; u_ < SINGLES_A; u_++) {                                                          \
            uint term_ = k + TERM_OF(UNIT(u_), ROWS, A_BY_TERMS), row_ = row + PLACE_OF(UNIT(u_), ROWS, A_BY_TERMS);   \
            next_a[u_ / 4u][u_ % 4u] = ZERO;                                                                           \
            if (INSIDE || (term_ < end && row_ < rows && UNIT(u_) < ROWS * DEPTH))                                                 \
                next_a[u_ / 4u][u_ % 4u] =                                                                             \
                    format_load(from_a, a + row_ * down + term_of_a(table, terms, term_), format_of(0u));              \
        }                                                                                                              \
    }

#define READ_B(k, half)                                                                                                \
    [[unroll]] for (uint u_ = 0u; u_ < SINGLES_B; u_++) {                                                              \
        uint term_ = TERM_OF(UNIT(u_), COLUMNS, B_BY_TERMS), column_ = PLACE_OF(UNIT(u_), COLUMNS, B_BY_TERMS);        \
        next_b[u_] = ZERO;                                                                                             \
        if (INSIDE || (k + term_ < end && column + column_ < columns && UNIT(u_) < COLUMNS * DEPTH)) {                 \
            uvec4 t_ = terms_b[(half) * DEPTH + term_] + (ONE_COLUMN ? own : columns_b[column_]);                      \
            if (UNPADDED || all(lessThan(t_.xyz, size)))                                                                           \
                next_b[u_] = format_load(from_b, b + t_.w, format_of(1u));                                             \
        }                                                                                                              \
    }

#define WRITE_SINGLES(TILE, ROW, SINGLES, element, across, by_terms)                                                   \
    [[unroll]] for (uint u_ = 0u; u_ < SINGLES; u_++) {                                                                \
        uint place_ = PLACE_OF(UNIT(u_), across, by_terms);                                                            \
        if (across * DEPTH % INVOCATIONS == 0u || UNIT(u_) < across * DEPTH)                                           \
            TILE[TERM_OF(UNIT(u_), across, by_terms) * ROW + place_ / 4u][place_ % 4u] = element;                      \
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
    uint down = v.a_row, along = v.a_along, k = part * v.part, end = min(terms, k + v.part);
    for (uint j = gl_LocalInvocationID.x; j < COLUMNS; j += INVOCATIONS) {
        uvec4 digit = digits_of(column + j, v.column[1], v.column[2], v.column[3]);
        columns_b[j] = column_of_b(v, digit);
        columns_c[j] = column_of_c(v, digit);
    }
    for (uint t = gl_LocalInvocationID.x; t < 2u * DEPTH && k + t < end; t += INVOCATIONS)
        terms_b[t] = term_of_b(table, k + t);
    barrier();
    uvec4 own = columns_b[gl_LocalInvocationID.x % COLUMNS];
    REAL4 block[HIGH][WIDE / 4u], total[HIGH][WIDE / 4u], next_a[UNITS_A];
    REAL next_b[SINGLES_B];
    uvec4 entry[ENTRIES]; // of the table, for the tile after the next one
    CLEAR_TILE(total)
    CLEAR_TILE(block)
    if (k < end) {
        READ_A(k)
        READ_B(k, 0u)
    }
    uint half_ = 0u;
    [[dont_unroll]] for (uint term = 0u; k < end; k += DEPTH) {
        if (A_LINEAR) {
            WRITE_TILE(tile_a, UNITS_A, next_a, ROWS, A_BY_TERMS)
        } else {
            WRITE_SINGLES(tile_a, ROW_A, SINGLES_A, next_a[u_ / 4u][u_ % 4u], ROWS, A_BY_TERMS)
        }
        WRITE_SINGLES(tile_b, ROW_B, SINGLES_B, next_b[u_], COLUMNS, B_BY_TERMS)
        barrier();
        if (k + DEPTH < end) { // while the products are summed
            [[unroll]] for (uint e = 0u; e < ENTRIES; e++)
                if (UNIT(e) < DEPTH && k + 2u * DEPTH + UNIT(e) < end)
                    entry[e] = term_of_b(table, k + 2u * DEPTH + UNIT(e));
            READ_A(k + DEPTH)
            READ_B(k + DEPTH, half_ ^ 1u)
        }
        MULTIPLY_TILES(block)
        [[unroll]] for (uint e = 0u; e < ENTRIES; e++)
            if (UNIT(e) < DEPTH)
                terms_b[half_ * DEPTH + UNIT(e)] = entry[e];
        half_ ^= 1u;
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
