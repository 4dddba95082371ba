// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// layer_norm, rms_norm, group_norm, instance_norm and batch_norm, on [batch, channels, inner].
//
// STATISTICS  of each group, one workgroup: a power of two that keeps squares in range, mean, variance in a second
//             pass over x - mean, reciprocal root
// APPLY       one invocation per element: y = g (x - m) r + b
// RUNNING     one workgroup per channel: running statistics, in place, by the mean over the samples' statistics
//
// Each invocation sums every 64th element (every 8th of short rows), then a tree. All in float32 (float64 for float64).
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
// Squares of elements below 2^SAFE, and sums of them, stay in range.
#ifdef FLOAT64
#define SAFE 400
#define LEFT 100
#define LEAST_NORMAL 2.2250738585072014e-308LF
#else
#define SAFE 40
#define LEFT 20
#define LEAST_NORMAL 1.17549435e-38
#endif

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
    int e = int(exponents[0]) - BIAS;
    return exponents[0] == EXPONENT_ONES || e <= SAFE ? 0 : e - LEFT;
}

// 1/sqrt(x), one step of Newton after it: a device may err by ulps.
REAL reciprocal_root(REAL x)
{
    if (HIGH(magnitude_of(bits_of(x))) >= EXPONENT_ONES << FRACTION_BITS)
        return bits_of(x) == bits_of(infinity(false)) ? ZERO : quiet_nan();
    EXACT REAL r = ONE / sqrt(x);
    EXACT REAL rest = fma(-x * r, r, ONE);
    EXACT REAL better = r + HALF * r * rest;
    return better;
}

#ifdef VARIANT_NORMALIZATION_WELFORD
shared WORD means[gl_WorkGroupSize.x], scatters[gl_WorkGroupSize.x], counts[gl_WorkGroupSize.x];

// Welford's running mean and scatter, then Chan's formula for one part after the other.
void moments(Arguments a, uint group, REAL scale, out REAL mean, out REAL variance)
{
    REAL m = ZERO, scatter = ZERO, count = ZERO;
    uint id = gl_LocalInvocationID.x;
    for (uint j = id; j < members; j += gl_WorkGroupSize.x) {
        EXACT REAL x = x_at(a, group_element(a, group, j)) * scale;
        if ((flags & CENTRED) == 0u) {
            EXACT REAL sum = scatter + x * x;
            scatter = sum;
            continue;
        }
        count += ONE;
        EXACT REAL delta = x - m;
        EXACT REAL next = m + delta / count;
        EXACT REAL more = scatter + delta * (x - next);
        m = next;
        scatter = more;
    }
    means[id] = bits_of(m);
    scatters[id] = bits_of(scatter);
    counts[id] = bits_of(count);
    barrier();
    m = real_of(means[0]);
    scatter = real_of(scatters[0]);
    count = real_of(counts[0]);
    [[dont_unroll]] for (uint k = 1u; k < gl_WorkGroupSize.x; k++) {
        REAL other = real_of(counts[k]);
        EXACT REAL both = count + other;
        EXACT REAL delta = real_of(means[k]) - m;
        EXACT REAL part = both > ZERO ? other / both : ZERO;
        EXACT REAL more = scatter + real_of(scatters[k]) + delta * delta * (count * part);
        EXACT REAL next = m + delta * part;
        scatter = more;
        m = next;
        count = both;
    }
    EXACT REAL v = scatter * parameter(a.share);
    mean = m;
    variance = v;
}
#else
// The mean, where there is one, then the variance in a second pass.
void moments(Arguments a, uint group, REAL scale, out REAL mean, out REAL variance)
{
    mean = ZERO;
    [[dont_unroll]] for (uint pass = (flags & CENTRED) != 0u ? 0u : 1u; pass < 2u; pass++) {
        REAL sum = ZERO, none = ZERO;
        FOR_MINE(j, members) {
            EXACT REAL x = x_at(a, group_element(a, group, j)) * scale;
#ifdef MUTANT_NORMALIZATION_NAIVE
            EXACT REAL deviation = x;
#else
            EXACT REAL deviation = x - mean;
#endif
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
#ifdef MUTANT_NORMALIZATION_NAIVE
    variance = variance - mean * mean;
#endif
#ifdef MUTANT_NORMALIZATION_N_MINUS_1
    if (members > 1u)
        variance = variance * REAL(members) / REAL(members - 1u);
#endif
}
#endif

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
    EXACT REAL eps = parameter(a.eps) * scale * scale;
#if defined MUTANT_NORMALIZATION_EPS_OUTSIDE
    EXACT REAL root = ONE / (sqrt(variance) + eps);
#elif defined MUTANT_NORMALIZATION_EPS_TWICE
    REAL root = reciprocal_root(variance + eps + eps);
#else
    EXACT REAL whole = variance + eps;
    if (whole < LEAST_NORMAL && whole >= ZERO && scale < ONE) // eps was lost, and the elements are all equal
        whole = LEAST_NORMAL;
    REAL root = reciprocal_root(whole);
#endif
    if (gl_LocalInvocationID.x != 0u)
        return;
    keep(a, group, MEAN, mean);
    keep(a, group, ROOT, root);
    keep(a, group, SCALE, scale);
    keep(a, group, VARIANCE, variance);
    keep(a, group, UNSCALE, unscale);
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
#ifdef MUTANT_LAST_ELEMENT
    if (i + 1u == elements)
        return;
#endif
    uint group = group_of(a, i);
    REAL weight = weight_at(a, i), y = normal_times(a, i, group, weight, ONE);
    if ((flags & HAS_BIAS) != 0u) {
        REAL bias;
        READ_PARAMETER(bias, BIAS_LINE, a.bias, channel_of(a, i))
        EXACT REAL sum = y + bias;
#ifndef MUTANT_NORMALIZATION_BIAS_OVERFLOWS
        if (!(abs(y) < power_of_two(BIAS - 1))) { // the bias may bring it back into range
            EXACT REAL part = normal_times(a, i, group, weight, REAL(0.0625)) + bias * REAL(0.0625);
            sum = part * REAL(16.0);
        }
#endif
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
#ifdef MUTANT_NORMALIZATION_MOMENTUM_REVERSED
    REAL taken = parameter(a.rest), kept = parameter(a.momentum);
#else
    REAL taken = parameter(a.momentum), kept = parameter(a.rest);
#endif
    REAL share = parameter(a.sample_share);
#ifdef MUTANT_NORMALIZATION_LAST_SAMPLE // its statistics for the mean over all
    share = ONE;
#endif
    REAL old_mean, old_variance, new_mean = ZERO, new_variance = ZERO, scale = ONE, unlowered = ONE;
    READ_PARAMETER(old_mean, line[1], a.mean, channel)
    READ_PARAMETER(old_variance, line[2], a.variance, channel)
    // A product may leave the range and the other one bring it back: then they are taken a second time, lowered.
    [[dont_unroll]] for (uint attempt = 0u; attempt < 2u; attempt++) {
        REAL mean = ZERO, moved = ZERO; // moved: taken times the mean variance
        FOR_MINE(s, samples) {
            uint group = s * channels + channel;
            REAL unscale = statistic(a, group, UNSCALE), variance = statistic(a, group, VARIANCE);
#ifdef MUTANT_NORMALIZATION_LAST_SAMPLE
            if (s + 1u < samples)
                continue;
#endif
#ifndef MUTANT_NORMALIZATION_RUNNING_BIASED
            EXACT REAL unbiased = variance * parameter(a.unbiased);
            variance = unbiased;
#endif
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
