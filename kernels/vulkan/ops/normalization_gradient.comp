// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// Gradients of the normalizations, after STATISTICS of normalization.comp.
//
// INPUT       one workgroup per group: first, unless in evaluation, mean w and mean wX; then
//             dx = r (w - mean w - X mean wX), w = g dy, X = (x - m) r
// PARAMETERS  one workgroup per channel: dg = sum dy X, db = sum dy
//
// Each invocation sums every 64th element (every 8th of short rows); a tree sums the invocations. Everything is
// computed in float32 (float64 for float64).
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
#include "normalization_means.glsl"

// Computes mean(w scale^2) and mean(w scale^2 X) with scale = 1, and again with a smaller scale if they are too
// large.
void find_means(Arguments a, uint group)
{
    REAL mean, projection, scale = ONE, unscale = ONE;
    [[dont_unroll]] for (uint attempt = 0u; attempt < 2u; attempt++) {
        REAL sum = ZERO, dot = ZERO;
        FOR_MINE(j, members) {
            uint i = group_element(a, group, j);
            REAL w = weighted_at(a, i, scale, scale);
            EXACT REAL more = sum + w;
            EXACT REAL further = dot + w * normal_at(a, i, group);
            sum = more;
            dot = further;
        }
        total(sum, dot);
        EXACT REAL first = sum * parameter(a.share);
        EXACT REAL second = dot * parameter(a.share);
        mean = (flags & CENTRED) != 0u ? first : ZERO;
        projection = second;
        REAL most = power_of_two(HIGH_ENOUGH);
        if (abs(mean) < most && abs(projection) < most)
            break;
        if (attempt == 0u) {
            scale = power_of_two(-DOWN);
            unscale = power_of_two(DOWN);
        }
    }
    if (gl_LocalInvocationID.x != 0u)
        return;
    keep(a, group, MEAN_GRAD, mean);
    keep(a, group, PROJECTION, projection);
    keep(a, group, LOWERED, scale);
    keep(a, group, RAISED, unscale);
}

void main()
{
    Arguments a = Arguments(push.arguments);
    take(a);
    uint group = group_index();
    if (group >= groups)
        return;
    if ((flags & FINDS_MEANS) != 0u) {
        find_means(a, group);
        return;
    }
    for (uint j = gl_LocalInvocationID.x; j < members; j += gl_WorkGroupSize.x) {
        uint i = group_element(a, group, j);
        REAL root = statistic(a, group, ROOT), dx;
        if ((flags & EVALUATES) == 0u) {
            REAL lowered = statistic(a, group, LOWERED), raised = statistic(a, group, RAISED);
            EXACT REAL deviation = weighted_at(a, i, lowered, lowered) - statistic(a, group, MEAN_GRAD);
            REAL normal = normal_at(a, i, group), projection = statistic(a, group, PROJECTION);
            EXACT REAL rest = deviation - normal * projection;
            EXACT REAL scale = statistic(a, group, SCALE) * raised; // of x and of dy
            if (raised != ONE) { // of a small w not lowered, where the sums fit
                EXACT REAL mean = statistic(a, group, MEAN_GRAD) * raised * raised;
                EXACT REAL part = product(normal, projection, raised, ONE) * raised;
                EXACT REAL plain = weighted_at(a, i, ONE, ONE) - mean - part;
                if (is_finite(plain)) {
                    rest = plain;
                    scale = statistic(a, group, SCALE);
                    raised = ONE;
                }
            }
            EXACT REAL whole = product(rest, root, scale, ONE) * raised;
            dx = whole;
        } else {
            dx = weighted_at(a, i, root, ONE);
        }
        WRITE(Y_LINE, a.y, i, dx)
    }
}
#endif

#ifdef PARAMETERS
#include "normalization_lowering.glsl"

// sum dy X and sum dy over a channel. A partial sum may overflow though the sum is in range: then the sums are
// computed a second time, scaled by 2^-64, and, if they are still not finite (in evaluation X has any size), a
// third time, scaled by 2^-LOWERING, the terms of sum dy X twice.
void main()
{
    Arguments a = Arguments(push.arguments);
    take(a);
    uint channel = group_index();
    if (channel >= channels)
        return;
    REAL dweight = ZERO, dbias = ZERO, scale = ONE, raised = ONE;
    [[dont_unroll]] for (uint attempt = 0u; attempt < 3u; attempt++) {
        REAL of_weight = ZERO, of_bias = ZERO;
        FOR_MINE(j, batch * inner) {
            uint i = channel_element(a, channel, j);
            REAL grad;
            READ(grad, GRAD_LINE, a.grad, i)
            EXACT REAL factor = grad * (attempt == 2u ? scale : ONE);
            EXACT REAL further = of_weight + normal_times(a, i, group_of(a, i), factor, scale);
            EXACT REAL more = of_bias + grad * scale;
            of_weight = further;
            of_bias = more;
        }
        total(of_weight, of_bias);
        EXACT REAL first = of_weight * raised * (attempt == 2u ? raised : ONE);
        EXACT REAL second = of_bias * raised;
        dweight = attempt > 0u && is_finite(dweight) ? dweight : first;
        dbias = attempt > 0u && is_finite(dbias) ? dbias : second;
        if (is_finite(dweight) && is_finite(dbias))
            break;
        scale = power_of_two(attempt == 0u ? -64 : -LOWERING);
        raised = power_of_two(attempt == 0u ? 64 : LOWERING);
    }
    if (gl_LocalInvocationID.x != 0u)
        return;
    if ((flags & HAS_DWEIGHT) != 0u)
        WRITE_PARAMETER(line[2], a.dweight, channel, dweight)
    if ((flags & HAS_DBIAS) != 0u)
        WRITE_PARAMETER(line[3], a.dbias, channel, dbias)
}
#endif
