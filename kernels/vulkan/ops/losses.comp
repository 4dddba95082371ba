// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// Losses (lib/losses.inc): TERM of one element of each operand, an element per invocation; float16 and bfloat16 in
// float32. Sums of such terms are ops/rows.comp's.
//! rows losses.inc REAL_ SINGLE : float16 -DFLOAT16
//! rows losses.inc REAL_ SINGLE : bfloat16 -DBFLOAT16
//! rows losses.inc REAL_ SINGLE : float32 -DFLOAT32
//! rows losses.inc REAL_ : float64 -DFLOAT64
#version 460
#extension GL_GOOGLE_include_directive : require
#include "operands.glsl"
#include "losses.glsl"

#define TAKE(operand_, name)                                                                                           \
    uint name##_number = 0u;                                                                                           \
    ELEMENT_NUMBER(name##_number, operand_, i)

void main()
{
    Arguments a = Arguments(push.arguments);
    uint i = invocation_index(), to;
    if (i >= a.result.elements)
        return;
    TAKE(a.operand[1], input)
    TAKE(a.operand[2], target)
    TAKE(a.operand[0], gradient)
    TAKE(a.operand[3], weight)
    ELEMENT_NUMBER(to, a.result, i)
    // Read behind the loops: llvmpipe (Mesa 22.3) loses parts of a float64 that is held through one.
    REAL x = element_read(a.operand[1].address, input_number), y = element_read(a.operand[2].address, target_number);
    REAL g = ONE, w = ONE;
    if ((a.has & 1u) != 0u)
        g = element_read(a.operand[0].address, gradient_number);
    if ((a.has >> 3 & 1u) != 0u)
        w = element_read(a.operand[3].address, weight_number);
    EXACT REAL share_of_one = g / parameter(a.count);
    g = a.divides != 0u ? share_of_one : g;
    EXACT REAL d = x - y;
    EXACT REAL result = TERM;
    parameter_write(a.result.address, to, a.wide != 0u, result);
}
