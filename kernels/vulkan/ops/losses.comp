// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// Losses (lib/losses.inc): computes TERM from one element of each operand, with an element per invocation; the
// 16-bit types are computed in float32. ops/rows.comp sums the terms.
//! rows losses.inc REAL_ SINGLE : float16 -DFLOAT16
//! rows losses.inc REAL_ SINGLE : bfloat16 -DBFLOAT16
//! rows losses.inc REAL_ SINGLE : float32 -DFLOAT32
//! rows losses.inc REAL_ : float64 -DFLOAT64
#version 460
#extension GL_GOOGLE_include_directive : require
#include "operands.glsl"
#include "losses.glsl"

// Pushed: grad_output, input, target and the result.
#define TAKE(LINE, operand_, name)                                                                                     \
    uint name##_number = 0u;                                                                                           \
    LINE_NUMBER(name##_number, LINE, operand_, i)

void main()
{
    Arguments a = Arguments(push.arguments);
    uint i = invocation_index(), to;
    if (i >= elements)
        return;
    TAKE(line[1], a.operand[1], input)
    TAKE(line[2], a.operand[2], target)
    TAKE(line[0], a.operand[0], gradient)
    LINE_NUMBER(to, line[3], a.result, i)
    uint has = a.has, weight_number = 0u;
    bool weighs = (has >> 3 & 1u) != 0u;
    if (weighs)
        ELEMENT_NUMBER(weight_number, a.operand[3], i)
    // The operands are read behind the loops: llvmpipe (Mesa 22.3) corrupts a float64 that is live across a
    // loop.
    REAL x = element_read(line[1].address, input_number), y = element_read(line[2].address, target_number);
    REAL g = ONE, w = ONE;
    if ((has & 1u) != 0u)
        g = element_read(line[0].address, gradient_number);
    if (weighs)
        w = element_read(a.operand[3].address, weight_number);
    EXACT REAL share_of_one = g / parameter(a.count);
    g = a.divides != 0u ? share_of_one : g;
    EXACT REAL d = x - y;
    EXACT REAL result = TERM;
    parameter_write(line[3].address, to, a.wide != 0u, result);
}
