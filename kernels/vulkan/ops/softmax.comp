// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// softmax, softmin and log_softmax on route wide of rows that a workgroup holds in registers, HELD vectors of 16 bytes
// in each invocation: each element is read once. The elements of a row lie one behind the other. The greatest element is
// taken off each, as in rows.comp; softmin (NEGATED) is the softmax of the negated elements. An invocation sums its
// vectors in their order, and a tree the invocations: a term goes through at most 16 · HELD + 8 additions.
//! variant softmax.float16 -DFLOAT16
//! variant softmax.bfloat16 -DBFLOAT16
//! variant softmax.float32
//! variant softmin.float16 -DFLOAT16 -DNEGATED
//! variant softmin.bfloat16 -DBFLOAT16 -DNEGATED
//! variant softmin.float32 -DNEGATED
//! variant log_softmax.float16 -DFLOAT16 -DLOGARITHM
//! variant log_softmax.bfloat16 -DBFLOAT16 -DLOGARITHM
//! variant log_softmax.float32 -DLOGARITHM
#version 460
#extension GL_GOOGLE_include_directive : require
#include "operands.glsl"
#include "rows.glsl"
#include "vectors.glsl"

layout(constant_id = 1) const uint HELD = 1u;
layout(constant_id = 2) const uint WORKGROUP = 256u; // that of the dispatch

shared REAL gathered[WORKGROUP];

REAL greater(REAL a, REAL b) { return is_nan(a) || a >= b ? a : b; }

REAL gather(REAL mine, bool sums) // the greatest or the sum of all invocations' numbers
{
    uint id = gl_LocalInvocationID.x;
    barrier();
    gathered[id] = mine;
    barrier();
    [[dont_unroll]] for (uint half_way = WORKGROUP / 2u; half_way > 0u; half_way /= 2u) {
        if (id < half_way) {
            EXACT REAL sum = gathered[id] + gathered[id + half_way];
            gathered[id] = sums ? sum : greater(gathered[id], gathered[id + half_way]);
        }
        barrier();
    }
    return gathered[0];
}

REAL value_of(uvec2 bits)
{
#ifdef NEGATED
    return -REAL_OF(bits);
#else
    return REAL_OF(bits);
#endif
}

void main()
{
    Arguments a = Arguments(push.arguments);
    uint row = group_index(), from, to, id = gl_LocalInvocationID.x;
    if (row >= elements)
        return;
    LINE_NUMBER(from, line[0], a.kept, row)
    LINE_NUMBER(to, line[2], a.result, row)
    uvec4 held[HELD];
    REAL peak = uintBitsToFloat(0xff800000u), sum = ZERO; // -infinity
    [[unroll]] for (uint h = 0u; h < HELD; h++) {
        uint at = (h * WORKGROUP + id) * VECTOR;
        held[h] = uvec4(0u);
        if (at < more) {
            held[h] = vector_read(line[0].address, from + at, 1u, ELEMENT_SIZE, min(more - at, VECTOR));
            uvec4 xs = held[h];
            [[unroll]] for (uint k = 0u; k < LANES; k++) {
                REAL x = value_of(vector_take(xs, k, ELEMENT_SIZE));
                peak = at + k < more ? greater(peak, x) : peak;
            }
        }
    }
    peak = gather(peak, false);
    [[unroll]] for (uint h = 0u; h < HELD; h++) {
        uint at = (h * WORKGROUP + id) * VECTOR;
        uvec4 xs = held[h];
        [[unroll]] for (uint k = 0u; k < LANES; k++) {
            EXACT REAL offset = value_of(vector_take(xs, k, ELEMENT_SIZE)) - peak;
            EXACT REAL next = sum + exp_of(offset);
            sum = at + k < more ? next : sum;
        }
    }
    sum = gather(sum, true);
#ifdef LOGARITHM
    EXACT REAL logarithm = log_of(sum);
#endif
    [[unroll]] for (uint h = 0u; h < HELD; h++) {
        uint at = (h * WORKGROUP + id) * VECTOR;
        uvec4 xs = held[h], results = uvec4(0u);
        if (at < more) {
            [[unroll]] for (uint k = 0u; k < LANES; k++) {
                EXACT REAL offset = value_of(vector_take(xs, k, ELEMENT_SIZE)) - peak;
#ifdef LOGARITHM
                EXACT REAL result = offset - logarithm;
#else
                EXACT REAL result = exp_of(offset) / sum;
#endif
                vector_put(results, k, BITS_OF(result), ELEMENT_SIZE);
            }
            vector_write(line[2].address, to + at, ELEMENT_SIZE, min(more - at, VECTOR), results);
        }
    }
}
