// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// layer_norm, rms_norm, group_norm, instance_norm, batch_norm and their gradients, on [batch, channels, inner].
//
// STATISTICS  of each group, one workgroup: a power of two that keeps squares in range, mean, variance in a second
//             pass over x - mean, reciprocal root
// APPLY       one invocation per element: y = g (x - m) r + b
// INPUT       one workgroup per group: dx = r (w - mean w - X mean wX), w = g dy
// PARAMETERS  one workgroup per channel: dg = sum dy X, db = sum dy
// RUNNING     one invocation per channel: running statistics, in place
//
// Each invocation sums every 64th element, then a tree. All in float32 (float64 for float64).
//! variant statistics_float16 -DSTATISTICS -DFLOAT16
//! variant statistics_bfloat16 -DSTATISTICS -DBFLOAT16
//! variant statistics_float32 -DSTATISTICS
//! variant statistics_float64 -DSTATISTICS -DFLOAT64
//! variant apply_float16 -DAPPLY -DFLOAT16
//! variant apply_bfloat16 -DAPPLY -DBFLOAT16
//! variant apply_float32 -DAPPLY
//! variant apply_float64 -DAPPLY -DFLOAT64
//! variant input_float16 -DINPUT -DFLOAT16
//! variant input_bfloat16 -DINPUT -DBFLOAT16
//! variant input_float32 -DINPUT
//! variant input_float64 -DINPUT -DFLOAT64
//! variant parameters_float16 -DPARAMETERS -DFLOAT16
//! variant parameters_bfloat16 -DPARAMETERS -DBFLOAT16
//! variant parameters_float32 -DPARAMETERS
//! variant parameters_float64 -DPARAMETERS -DFLOAT64
//! variant running_float16 -DRUNNING -DFLOAT16
//! variant running_bfloat16 -DRUNNING -DBFLOAT16
//! variant running_float32 -DRUNNING
//! variant running_float64 -DRUNNING -DFLOAT64
#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernel.glsl"
#include "half.glsl"
#include "real.glsl"
#include "element.glsl"

layout(buffer_reference, std430, buffer_reference_align = SIZE) coherent buffer Words { WORD value; };

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Arguments {
    View x, grad, weight, bias, mean, variance, y, dweight, dbias;
    uvec2 statistics; // scratch: STATISTICS_PER_GROUP words per group
    uvec2 eps, momentum, rest; // float64 bits, or float32 bits in x; rest = 1 - momentum
    uvec2 share, unbiased;     // 1/n, n/(n - 1)
    uint batch, channels, inner, groups, members, flags;
};

#define CENTRED 1u
#define OVER_BATCH 2u
#define EVALUATES 4u
#define HAS_WEIGHT 8u
#define HAS_BIAS 16u
#define HAS_DWEIGHT 32u
#define HAS_DBIAS 64u

#define MEAN 0u     // of x·scale
#define ROOT 1u     // of V·scale² + eps·scale², reciprocal
#define SCALE 2u
#define VARIANCE 3u // times scale²
#define UNSCALE 4u  // 1/scale
#define STATISTICS_PER_GROUP 5u

REAL parameter(uvec2 bits)
{
#ifdef FLOAT64
    return packDouble2x32(bits);
#else
    return uintBitsToFloat(bits.x);
#endif
}

REAL statistic(Arguments a, uint group, uint which)
{
#ifdef MUTANT_NORMALIZATION_GROUP_OFF
    group = min(group + 1u, a.groups - 1u);
#endif
    return real_of(Words(element_address(a.statistics, group * STATISTICS_PER_GROUP + which, SIZE)).value);
}

void keep(Arguments a, uint group, uint which, REAL x)
{
    Words(element_address(a.statistics, group * STATISTICS_PER_GROUP + which, SIZE)).value = bits_of(x);
}

uint channel_element(Arguments a, uint channel, uint j)
{
#ifdef MUTANT_NORMALIZATION_DWEIGHT_AXIS
    return channel * a.batch * a.inner + j;
#else
    return (j / a.inner * a.channels + channel) * a.inner + j % a.inner;
#endif
}

uint group_element(Arguments a, uint group, uint j)
{
    return (a.flags & OVER_BATCH) != 0u ? (j / a.inner * a.channels + group) * a.inner + j % a.inner
                                        : group * a.members + j;
}

uint channel_of(Arguments a, uint element)
{
    return element / a.inner % a.channels;
}

uint group_of(Arguments a, uint element)
{
    return (a.flags & OVER_BATCH) != 0u ? channel_of(a, element) : element / a.members;
}

#define READ(result, VIEW, i)                                                                                          \
    {                                                                                                                  \
        uint at_;                                                                                                      \
        ELEMENT_NUMBER(at_, VIEW, i)                                                                                   \
        result = element_read(VIEW.address, at_);                                                                      \
    }

#define WRITE(VIEW, i, x)                                                                                              \
    {                                                                                                                  \
        uint at_;                                                                                                      \
        ELEMENT_NUMBER(at_, VIEW, i)                                                                                   \
        element_write(VIEW.address, at_, x);                                                                           \
    }

REAL x_at(Arguments a, uint element)
{
    REAL x;
    READ(x, a.x, element)
    return x;
}

// (x - m) r of one element.
REAL normal_at(Arguments a, uint element, uint group)
{
    EXACT REAL x = x_at(a, element) * statistic(a, group, SCALE);
    EXACT REAL deviation = x - statistic(a, group, MEAN);
    EXACT REAL normal = deviation * statistic(a, group, ROOT);
    return normal;
}

REAL weight_at(Arguments a, uint element)
{
    REAL weight = ONE;
    if ((a.flags & HAS_WEIGHT) != 0u)
        READ(weight, a.weight, channel_of(a, element))
    return weight;
}

REAL weighted_at(Arguments a, uint element) // g dy
{
    REAL grad;
    READ(grad, a.grad, element)
    EXACT REAL weighted = weight_at(a, element) * grad;
    return weighted;
}

// Which of n elements an invocation takes: every 64th.
#ifdef VARIANT_NORMALIZATION_RECURSIVE
#define FOR_MINE(j, n) for (uint j = gl_LocalInvocationID.x == 0u ? 0u : (n); j < (n); j++)
#else
#define FOR_MINE(j, n) for (uint j = gl_LocalInvocationID.x; j < (n); j += gl_WorkGroupSize.x)
#endif

#if defined STATISTICS || defined INPUT || defined PARAMETERS
shared WORD gathered[gl_WorkGroupSize.x];

REAL added(uint i, uint j)
{
    EXACT REAL sum = real_of(gathered[i]) + real_of(gathered[j]);
    return sum;
}

REAL total(REAL mine) // over the workgroup; the same in every invocation
{
    uint id = gl_LocalInvocationID.x;
    barrier();
    gathered[id] = bits_of(mine);
    barrier();
#ifdef VARIANT_NORMALIZATION_TREE // neighbours first
    for (uint step = 1u; step < gl_WorkGroupSize.x; step *= 2u) {
        if (id % (2u * step) == 0u)
            gathered[id] = bits_of(added(id, id + step));
        barrier();
    }
#else
    for (uint step = gl_WorkGroupSize.x / 2u; step > 0u; step /= 2u) {
        if (id < step)
            gathered[id] = bits_of(added(id, id + step));
        barrier();
    }
#endif
    return real_of(gathered[0]);
}
#endif

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

REAL power_of_two(int e)
{
    WORD bits = WORD(0u);
    HIGH(bits) = uint(e + BIAS) << FRACTION_BITS;
    return real_of(bits);
}

// The exponent by which x is scaled down: 0 unless the greatest |x| is beyond 2^SAFE.
int scale_of(Arguments a, uint group)
{
    uint id = gl_LocalInvocationID.x, greatest = 0u;
    for (uint j = id; j < a.members; j += gl_WorkGroupSize.x) {
        WORD bits = bits_of(x_at(a, group_element(a, group, j)));
        greatest = max(greatest, HIGH(bits) >> FRACTION_BITS & EXPONENT_ONES);
    }
    exponents[id] = greatest;
    barrier();
    for (uint step = gl_WorkGroupSize.x / 2u; step > 0u; step /= 2u) {
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
    for (uint j = id; j < a.members; j += gl_WorkGroupSize.x) {
        EXACT REAL x = x_at(a, group_element(a, group, j)) * scale;
        if ((a.flags & CENTRED) == 0u) {
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
    for (uint k = 1u; k < gl_WorkGroupSize.x; k++) {
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
void moments(Arguments a, uint group, REAL scale, out REAL mean, out REAL variance)
{
    REAL sum = ZERO, squares = ZERO;
    mean = ZERO;
    if ((a.flags & CENTRED) != 0u) {
        FOR_MINE(j, a.members) {
            EXACT REAL more = sum + x_at(a, group_element(a, group, j)) * scale;
            sum = more;
        }
        EXACT REAL m = total(sum) * parameter(a.share);
        mean = m;
    }
    FOR_MINE(j, a.members) {
        EXACT REAL x = x_at(a, group_element(a, group, j)) * scale;
#ifdef MUTANT_NORMALIZATION_NAIVE
        EXACT REAL deviation = x;
#else
        EXACT REAL deviation = x - mean;
#endif
        EXACT REAL more = squares + deviation * deviation;
        squares = more;
    }
    EXACT REAL v = total(squares) * parameter(a.share);
#ifdef MUTANT_NORMALIZATION_NAIVE
    v = v - mean * mean;
#endif
#ifdef MUTANT_NORMALIZATION_N_MINUS_1
    if (a.members > 1u)
        v = v * REAL(a.members) / REAL(a.members - 1u);
#endif
    variance = v;
}
#endif

void main()
{
    Arguments a = Arguments(push.arguments);
    uint group = group_index();
    if (group >= a.groups)
        return;
    REAL scale = ONE, unscale = ONE, mean, variance;
    if ((a.flags & EVALUATES) != 0u) {
        READ(mean, a.mean, group)
        READ(variance, a.variance, group)
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
    uint i = invocation_index();
    if (i >= a.y.elements)
        return;
#ifdef MUTANT_LAST_ELEMENT
    if (i + 1u == a.y.elements)
        return;
#endif
    EXACT REAL y = weight_at(a, i) * normal_at(a, i, group_of(a, i));
    if ((a.flags & HAS_BIAS) != 0u) {
        REAL bias;
        READ(bias, a.bias, channel_of(a, i))
        EXACT REAL sum = y + bias;
        y = sum;
    }
    WRITE(a.y, i, y)
}
#endif

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
        WRITE(a.dweight, channel, first)
    if ((a.flags & HAS_DBIAS) != 0u)
        WRITE(a.dbias, channel, second)
}
#endif

#ifdef RUNNING
void main()
{
    Arguments a = Arguments(push.arguments);
    uint channel = invocation_index();
    if (channel >= a.channels)
        return;
    REAL unscale = statistic(a, channel, UNSCALE), old_mean, old_variance;
    READ(old_mean, a.mean, channel)
    READ(old_variance, a.variance, channel)
    EXACT REAL mean = statistic(a, channel, MEAN) * unscale;
    EXACT REAL variance = statistic(a, channel, VARIANCE) * unscale * unscale;
#ifndef MUTANT_NORMALIZATION_RUNNING_BIASED
    EXACT REAL unbiased = variance * parameter(a.unbiased);
    variance = unbiased;
#endif
#ifdef MUTANT_NORMALIZATION_MOMENTUM_REVERSED
    REAL taken = parameter(a.rest), kept = parameter(a.momentum);
#else
    REAL taken = parameter(a.momentum), kept = parameter(a.rest);
#endif
    EXACT REAL new_mean = kept * old_mean + taken * mean;
    EXACT REAL new_variance = kept * old_variance + taken * variance;
    WRITE(a.mean, channel, new_mean)
    WRITE(a.variance, channel, new_variance)
}
#endif
