// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// A product of matrices by tiles: a workgroup computes ROWS x COLUMNS elements, each of its invocations HIGH x WIDE of
// them in registers, from tiles of ROWS x DEPTH and DEPTH x COLUMNS elements in shared memory. Sums are taken by fma
// over blocks of BLOCK terms, and then over the blocks. Needs formats.glsl.
layout(constant_id = 2) const uint ROWS = 64u;
layout(constant_id = 3) const uint COLUMNS = 64u;
layout(constant_id = 5) const uint DEPTH = 16u;
layout(constant_id = 6) const uint HIGH = 4u;
layout(constant_id = 7) const uint WIDE = 4u;

const uint BLOCK = 128u;
const uint INVOCATIONS = ROWS / HIGH * (COLUMNS / WIDE);

#ifndef PARTS
// A row of a tile is four elements longer than needed, so that invocations write to different banks.
const uint ROW_A = ROWS / 4u + 1u, ROW_B = COLUMNS / 4u + 1u;
shared REAL4 tile_a[DEPTH * ROW_A], tile_b[DEPTH * ROW_B]; // [term][row or column]

// Four elements side by side in device memory are a unit: of the terms of one row or column (BY_TERMS), or of one
// term. An invocation copies UNITS of each tile.
const uint UNITS_A = (ROWS * DEPTH / 4u + INVOCATIONS - 1u) / INVOCATIONS;
const uint UNITS_B = (COLUMNS * DEPTH / 4u + INVOCATIONS - 1u) / INVOCATIONS;

// Reads the units of an invocation from a view whose row or column `first` + i and term t have the element number
// at + (first + i)·stride + t·along.
#define READ_TILE(UNITS, four, across, address, at, stride, along, first, rows, k, end, format, by_terms, whole)       \
    [[unroll]] for (uint u_ = 0u; u_ < UNITS; u_++) {                                                                  \
        uint unit_ = gl_LocalInvocationID.x + u_ * INVOCATIONS;                                                        \
        uint r_ = first + (by_terms ? unit_ / (DEPTH / 4u) : unit_ % (across / 4u) * 4u);                              \
        uint t_ = k + (by_terms ? unit_ % (DEPTH / 4u) * 4u : unit_ / (across / 4u));                                  \
        bool there_ = across * DEPTH / 4u % INVOCATIONS == 0u || unit_ < across * DEPTH / 4u;                          \
        uint left_ = !there_ ? 0u : INSIDE ? 4u : by_terms ? (r_ < rows ? end - min(t_, end) : 0u) : (t_ < end ? rows - min(r_, rows) : 0u); \
        four[u_] = format_load4(address, at + r_ * stride + t_ * along, by_terms ? along : stride, left_, format, whole); \
    }

// Writes them to TILE[term][row or column].
#define WRITE_TILE(TILE, UNITS, four, across, by_terms)                                                                \
    [[unroll]] for (uint u_ = 0u; u_ < UNITS; u_++) {                                                                  \
        uint unit_ = gl_LocalInvocationID.x + u_ * INVOCATIONS;                                                        \
        if (across * DEPTH / 4u % INVOCATIONS == 0u || unit_ < across * DEPTH / 4u) {                                  \
            if (by_terms) {                                                                                            \
                uint row_ = unit_ / (DEPTH / 4u), term_ = unit_ % (DEPTH / 4u) * 4u;                                   \
                [[unroll]] for (uint j_ = 0u; j_ < 4u; j_++)                                                           \
                    TILE[(term_ + j_) * (across / 4u + 1u) + row_ / 4u][row_ % 4u] = four[u_][j_];                     \
            } else {                                                                                                   \
                TILE[unit_ / (across / 4u) * (across / 4u + 1u) + unit_ % (across / 4u)] = four[u_];                   \
            }                                                                                                          \
        }                                                                                                              \
    }

// The rows and the columns of an invocation's elements lie in groups of four.
#define TILE_TOP (gl_LocalInvocationID.x / (COLUMNS / WIDE))
#define TILE_LEFT (gl_LocalInvocationID.x % (COLUMNS / WIDE))
#define TILE_ROW(i) ((i / 4u * (ROWS / HIGH) + TILE_TOP) * 4u + i % 4u)
#define TILE_COLUMN(j) ((j / 4u * (COLUMNS / WIDE) + TILE_LEFT) * 4u + j % 4u)

#define CLEAR_TILE(block)                                                                                              \
    [[unroll]] for (uint i_ = 0u; i_ < HIGH; i_++)                                                                     \
        [[unroll]] for (uint j_ = 0u; j_ < WIDE / 4u; j_++)                                                            \
            block[i_][j_] = REAL4(ZERO);

// Adds the products of both tiles to an invocation's elements.
#define MULTIPLY_TILES(block)                                                                                          \
    [[unroll]] for (uint t_ = 0u; t_ < DEPTH; t_++) {                                                                  \
        REAL4 x_[HIGH / 4u], y_[WIDE / 4u];                                                                            \
        [[unroll]] for (uint i_ = 0u; i_ < HIGH / 4u; i_++)                                                            \
            x_[i_] = tile_a[t_ * ROW_A + i_ * (ROWS / HIGH) + TILE_TOP];                                               \
        [[unroll]] for (uint j_ = 0u; j_ < WIDE / 4u; j_++)                                                            \
            y_[j_] = tile_b[t_ * ROW_B + j_ * (COLUMNS / WIDE) + TILE_LEFT];                                           \
        [[unroll]] for (uint i_ = 0u; i_ < HIGH; i_++)                                                                 \
            [[unroll]] for (uint j_ = 0u; j_ < WIDE / 4u; j_++)                                                        \
                block[i_][j_] = MULTIPLY_ADD(REAL4(x_[i_ / 4u][i_ % 4u]), y_[j_], block[i_][j_]);                      \
    }

// Adds the sums of a block to the totals, and clears them.
#define ADD_TILE(total, block)                                                                                         \
    [[unroll]] for (uint i_ = 0u; i_ < HIGH; i_++)                                                                     \
        [[unroll]] for (uint j_ = 0u; j_ < WIDE / 4u; j_++) {                                                          \
            EXACT REAL4 sum_ = total[i_][j_] + block[i_][j_];                                                          \
            total[i_][j_] = sum_;                                                                                      \
            block[i_][j_] = REAL4(ZERO);                                                                               \
        }
#endif
