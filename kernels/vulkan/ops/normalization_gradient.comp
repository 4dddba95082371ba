// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// Gradients of the normalizations, after STATISTICS of normalization.comp.
//
// INPUT       one workgroup per group: dx = r (w - mean w - X mean wX), w = g dy, X = (x - m) r
// PARAMETERS  one workgroup per channel: dg = sum dy X, db = sum dy
//
// Each invocation sums every 64th element (every 8th of short rows), then a tree. All in float32 (float64 for float64).
//! variant input_float16 -DINPUT -DFLOAT16
//! variant input_bfloat16 -DINPUT -DBFLOAT16
//! variant input_float32 -DINPUT
//! variant input_float64 -DINPUT -DFLOAT64
//! variant parameters_float16 -DPARAMETERS -DFLOAT16
//! variant parameters_bfloat16 -DPARAMETERS -DBFLOAT16
//! variant parameters_float32 -DPARAMETERS
//! variant parameters_float64 -DPARAMETERS -DFLOAT64
#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernel.glsl"
#include "element.glsl"
#include "normalization.glsl"

#ifdef INPUT
void main()
{
    Arguments a = Arguments(push.arguments);
    uint group = group_index();
    if (group >= a.groups)
        return;
    REAL sum = ZERO, dot = ZERO;
    if ((a.flags & EVALUATES) == 0u) {
        FOR_MINE(j, a.members) {
            uint i = group_element(a, group, j);
            REAL w = weighted_at(a, i);
            EXACT REAL more = sum + w;
            EXACT REAL further = dot + w * normal_at(a, i, group);
            sum = more;
            dot = further;
        }
#ifndef MUTANT_NORMALIZATION_DX_PLAIN
        EXACT REAL mean = total(sum) * parameter(a.share);
        EXACT REAL projection = total(dot) * parameter(a.share);
        sum = (a.flags & CENTRED) != 0u ? mean : ZERO;
        dot = projection;
#else
        sum = dot = ZERO;
#endif
    }
    for (uint j = gl_LocalInvocationID.x; j < a.members; j += gl_WorkGroupSize.x) {
        uint i = group_element(a, group, j);
        EXACT REAL dx = weighted_at(a, i);
        if ((a.flags & EVALUATES) == 0u) {
            EXACT REAL rest = dx - sum - normal_at(a, i, group) * dot;
            dx = rest;
        }
        EXACT REAL scaled = dx * statistic(a, group, ROOT) * statistic(a, group, SCALE);
#ifdef MUTANT_LAST_ELEMENT
        if (i + 1u == a.y.elements)
            continue;
#endif
        WRITE(a.y, i, scaled)
    }
}
#endif

#ifdef PARAMETERS
void main()
{
    Arguments a = Arguments(push.arguments);
    uint channel = group_index(), terms = a.batch * a.inner;
    if (channel >= a.channels)
        return;
    REAL dweight = ZERO, dbias = ZERO;
    FOR_MINE(j, terms) {
        uint i = channel_element(a, channel, j);
        REAL grad;
        READ(grad, a.grad, i)
        EXACT REAL more = dbias + grad;
        EXACT REAL further = dweight + grad * normal_at(a, i, group_of(a, i));
        dbias = more;
        dweight = further;
    }
    REAL first = total(dweight), second = total(dbias);
    if (gl_LocalInvocationID.x != 0u)
        return;
    if ((a.flags & HAS_DWEIGHT) != 0u)
        WRITE_PARAMETER(a.dweight, channel, first)
    if ((a.flags & HAS_DBIAS) != 0u)
        WRITE_PARAMETER(a.dbias, channel, second)
}
#endif
