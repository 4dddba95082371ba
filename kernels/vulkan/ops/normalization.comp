// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// layer_norm, rms_norm, group_norm, instance_norm and batch_norm, on [batch, channels, inner].
//
// STATISTICS  one workgroup per group: a power of two that keeps squares in range, the mean, the variance in a
//             second pass over x - mean, and the reciprocal root
// APPLY       one invocation per element: y = g (x - m) r + b
// RUNNING     one workgroup per channel: updates the running statistics by the samples' mean statistics
//
// Each invocation sums every 64th element (every 8th of short rows); a tree sums the invocations. Everything is
// computed in float32 (float64 for float64).
//! variant statistics_float16 -DSTATISTICS -DFLOAT16
//! variant statistics_bfloat16 -DSTATISTICS -DBFLOAT16
//! variant statistics_float32 -DSTATISTICS
//! variant statistics_float64 -DSTATISTICS -DFLOAT64
//! variant apply_float16 -DAPPLY -DFLOAT16
//! variant apply_bfloat16 -DAPPLY -DBFLOAT16
//! variant apply_float32 -DAPPLY
//! variant apply_float64 -DAPPLY -DFLOAT64
//! variant running_float16 -DRUNNING -DFLOAT16
//! variant running_bfloat16 -DRUNNING -DBFLOAT16
//! variant running_float32 -DRUNNING
//! variant running_float64 -DRUNNING -DFLOAT64
#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernel.glsl"
#include "element.glsl"
#include "normalization.glsl"

#ifdef STATISTICS
shared uint exponents[gl_WorkGroupSize.x];

// The exponent by which x is scaled down: 0 unless the greatest |x| is beyond 2^SAFE.
int scale_of(Arguments a, uint group)
{
    uint id = gl_LocalInvocationID.x, greatest = 0u;
    for (uint j = id; j < members; j += gl_WorkGroupSize.x) {
        WORD bits = bits_of(x_at(a, group_element(a, group, j)));
        greatest = max(greatest, HIGH(bits) >> FRACTION_BITS & EXPONENT_ONES);
    }
    exponents[id] = greatest;
    barrier();
    [[dont_unroll]] for (uint step = gl_WorkGroupSize.x / 2u; step > 0u; step /= 2u) {
        if (id < step)
            exponents[id] = max(exponents[id], exponents[id + step]);
        barrier();
    }
    return lowered_by(exponents[0]);
}

// The mean, where there is one, then the variance in a second pass.
void moments(Arguments a, uint group, REAL scale, out REAL mean, out REAL variance)
{
    mean = ZERO;
    [[dont_unroll]] for (uint pass = (flags & CENTRED) != 0u ? 0u : 1u; pass < 2u; pass++) {
        REAL sum = ZERO, none = ZERO;
        FOR_MINE(j, members) {
            EXACT REAL x = x_at(a, group_element(a, group, j)) * scale;
            EXACT REAL deviation = x - mean;
            EXACT REAL more = sum + (pass == 0u ? x : deviation * deviation);
            sum = more;
        }
        total(sum, none);
        EXACT REAL share = sum * parameter(a.share);
        if (pass == 0u)
            mean = share;
        else
            variance = share;
    }
}

void main()
{
    Arguments a = Arguments(push.arguments);
    take(a);
    uint group = group_index();
    if (group >= groups)
        return;
    REAL scale = ONE, unscale = ONE, mean, variance;
    if ((flags & EVALUATES) != 0u) {
        READ_PARAMETER(mean, line[1], a.mean, group)
        READ_PARAMETER(variance, line[2], a.variance, group)
    } else {
        int e = scale_of(a, group);
        scale = power_of_two(-e);
        unscale = power_of_two(e);
        moments(a, group, scale, mean, variance);
    }
    REAL root = root_of(a, variance, scale);
    if (gl_LocalInvocationID.x == 0u)
        keep_statistics(a, group, mean, variance, root, scale, unscale);
}
#endif

#ifdef APPLY
void main()
{
    Arguments a = Arguments(push.arguments);
    take(a);
    uint i = invocation_index();
    if (i >= elements)
        return;
    uint group = group_of(a, i);
    REAL weight = weight_at(a, i), y = normal_times(a, i, group, weight, ONE);
    if ((flags & HAS_BIAS) != 0u) {
        REAL bias;
        READ_PARAMETER(bias, BIAS_LINE, a.bias, channel_of(a, i))
        EXACT REAL sum = y + bias;
        if (!(abs(y) < power_of_two(BIAS - 1))) { // the bias may bring it back into range
            EXACT REAL part = normal_times(a, i, group, weight, REAL(0.0625)) + bias * REAL(0.0625);
            sum = part * REAL(16.0);
        }
        y = sum;
    }
    WRITE(Y_LINE, a.y, i, y)
}
#endif

#ifdef RUNNING
#ifdef FLOAT64
#define LOWERING 800
#else
#define LOWERING 100
#endif

void main()
{
    Arguments a = Arguments(push.arguments);
    take(a);
    uint channel = group_index(), samples = (flags & OVER_BATCH) != 0u ? 1u : batch;
    if (channel >= channels)
        return;
    REAL taken = parameter(a.momentum), kept = parameter(a.rest);
    REAL share = parameter(a.sample_share);
    REAL old_mean, old_variance, new_mean = ZERO, new_variance = ZERO, scale = ONE, unlowered = ONE;
    READ_PARAMETER(old_mean, line[1], a.mean, channel)
    READ_PARAMETER(old_variance, line[2], a.variance, channel)
    // One product may overflow though the sum is in range: then both are computed again, scaled down.
    [[dont_unroll]] for (uint attempt = 0u; attempt < 2u; attempt++) {
        REAL mean = ZERO, moved = ZERO; // moved: `taken` times the mean variance
        FOR_MINE(s, samples) {
            uint group = s * channels + channel;
            REAL unscale = statistic(a, group, UNSCALE), variance = statistic(a, group, VARIANCE);
            EXACT REAL unbiased = variance * parameter(a.unbiased);
            variance = unbiased;
            // In this order, a part of a product that is in range stays so.
            EXACT REAL further = mean + statistic(a, group, MEAN) * scale * unscale * share;
            EXACT REAL more = moved + taken * scale * share * variance * unscale * unscale;
            mean = further;
            moved = more;
        }
        total(mean, moved);
        EXACT REAL first = (kept * (old_mean * scale) + taken * mean) * unlowered;
        EXACT REAL second = (kept * (old_variance * scale) + moved) * unlowered;
        new_mean = attempt > 0u && is_finite(new_mean) ? new_mean : first;
        new_variance = attempt > 0u && is_finite(new_variance) ? new_variance : second;
        if (is_finite(new_mean) && is_finite(new_variance))
            break;
        scale = power_of_two(-LOWERING);
        unlowered = power_of_two(LOWERING);
    }
    if (gl_LocalInvocationID.x != 0u)
        return;
    WRITE_PARAMETER(line[1], a.mean, channel, new_mean)
    WRITE_PARAMETER(line[2], a.variance, channel, new_variance)
}
#endif
