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
