// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// Shared by the shaders of normalization: arguments, the elements of groups and channels, the statistics of
// groups, (x - m) r, and sums over a workgroup. Needs kernel.glsl and element.glsl.
//
// Addresses and strides are pushed, and the arguments that loops use are read once, by `take`, because a CPU
// driver reads data behind an address once for each invocation.
layout(buffer_reference, std430, buffer_reference_align = SIZE) coherent buffer Words { WORD value; };

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Arguments {
    View x, grad, weight, bias, mean, variance, y, dweight, dbias;
    uvec2 statistics; // scratch: STATISTICS_PER_GROUP words per group
    uvec2 eps, momentum, rest; // float64 bits, or float32 bits in x; rest = 1 - momentum
    uvec2 share, unbiased;     // 1/n, n/(n - 1)
    uvec2 sample_share;        // 1/samples, for running statistics
    uint batch, channels, inner, groups, members, flags;
    uint parts, chunk; // of normalization_wide.comp
    uvec2 partial;     // scratch: PARTIAL_WORDS words for each part of a group
};

uint batch, channels, inner, groups, members, flags;

void take(Arguments a)
{
    batch = a.batch;
    channels = a.channels;
    inner = a.inner;
    groups = a.groups;
    members = a.members;
    flags = a.flags;
}

// line[] of the dispatches.
#define X_LINE line[0]
#define GRAD_LINE line[1] // in gradients
#define BIAS_LINE line[1] // else
#define Y_LINE line[2]
#define WEIGHT_LINE line[3]

#define CENTRED 1u
#define OVER_BATCH 2u
#define EVALUATES 4u
#define HAS_WEIGHT 8u
#define HAS_BIAS 16u
#define HAS_DWEIGHT 32u
#define HAS_DBIAS 64u
#define WIDE_PARAMETERS 128u
#define FINDS_MEANS 256u // the first of two dispatches of a gradient
#define APPLIES 512u     // of normalization_wide.comp
#define SECOND_PASS 1024u

#define MEAN 0u     // of x·scale
#define ROOT 1u     // of V·scale² + eps·scale², reciprocal
#define SCALE 2u
#define VARIANCE 3u // times scale²
#define UNSCALE 4u  // 1/scale
// Of gradients; dy is multiplied by LOWERED twice:
#define MEAN_GRAD 5u   // mean w
#define PROJECTION 6u  // mean w X
#define LOWERED 7u
#define RAISED 8u      // 1/LOWERED
#define STATISTICS_PER_GROUP 9u

REAL statistic(Arguments a, uint group, uint which)
{
    return real_of(Words(element_address(a.statistics, group * STATISTICS_PER_GROUP + which, SIZE)).value);
}

void keep(Arguments a, uint group, uint which, REAL x)
{
    Words(element_address(a.statistics, group * STATISTICS_PER_GROUP + which, SIZE)).value = bits_of(x);
}

uint channel_element(Arguments a, uint channel, uint j)
{
    return (j / inner * channels + channel) * inner + j % inner;
}

uint group_element(Arguments a, uint group, uint j)
{
    return (flags & OVER_BATCH) != 0u ? (j / inner * channels + group) * inner + j % inner
                                        : group * members + j;
}

uint channel_of(Arguments a, uint element)
{
    return element / inner % channels;
}

uint group_of(Arguments a, uint element)
{
    return (flags & OVER_BATCH) != 0u ? channel_of(a, element) : element / members;
}

#define READ(result, LINE, VIEW, i)                                                                                    \
    {                                                                                                                  \
        uint at_;                                                                                                      \
        LINE_NUMBER(at_, LINE, VIEW, i)                                                                                \
        result = element_read(LINE.address, at_);                                                                      \
    }

#define WRITE(LINE, VIEW, i, x)                                                                                        \
    {                                                                                                                  \
        uint at_;                                                                                                      \
        LINE_NUMBER(at_, LINE, VIEW, i)                                                                                \
        element_write(LINE.address, at_, x);                                                                           \
    }

#define READ_PARAMETER(result, LINE, VIEW, i)                                                                          \
    {                                                                                                                  \
        uint at_;                                                                                                      \
        LINE_NUMBER(at_, LINE, VIEW, i)                                                                                \
        result = parameter_read(LINE.address, at_, (flags & WIDE_PARAMETERS) != 0u);                                   \
    }

#define WRITE_PARAMETER(LINE, VIEW, i, x)                                                                              \
    {                                                                                                                  \
        uint at_;                                                                                                      \
        LINE_NUMBER(at_, LINE, VIEW, i)                                                                                \
        parameter_write(LINE.address, at_, (flags & WIDE_PARAMETERS) != 0u, x);                                        \
    }

REAL power_of_two(int e) // normal
{
    WORD bits = WORD(0u);
    HIGH(bits) = uint(e + BIAS) << FRACTION_BITS;
    return real_of(bits);
}

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

// The exponent by which a group is scaled down whose greatest element has the biased exponent `greatest`: 0 unless
// it is beyond 2^SAFE.
int lowered_by(uint greatest)
{
    int e = int(greatest) - BIAS;
    return greatest == EXPONENT_ONES || e <= SAFE ? 0 : e - LEFT;
}

// 1/sqrt(x) with one step of Newton's method, because the error of a device may be several ulps.
REAL reciprocal_root(REAL x)
{
    if (HIGH(magnitude_of(bits_of(x))) >= EXPONENT_ONES << FRACTION_BITS)
        return bits_of(x) == bits_of(infinity(false)) ? ZERO : quiet_nan();
    EXACT REAL r = ONE / sqrt(x);
    EXACT REAL rest = fma(-x * r, r, ONE);
    EXACT REAL better = r + HALF * r * rest;
    return better;
}

// The reciprocal root of V + eps, both times scale^2.
REAL root_of(Arguments a, REAL variance, REAL scale)
{
    EXACT REAL eps = parameter(a.eps) * scale * scale;
    EXACT REAL whole = variance + eps;
    if (whole < LEAST_NORMAL && whole >= ZERO && scale < ONE) // eps was lost, and the elements are all equal
        whole = LEAST_NORMAL;
    return reciprocal_root(whole);
}

void keep_statistics(Arguments a, uint group, REAL mean, REAL variance, REAL root, REAL scale, REAL unscale)
{
    keep(a, group, MEAN, mean);
    keep(a, group, ROOT, root);
    keep(a, group, SCALE, scale);
    keep(a, group, VARIANCE, variance);
    keep(a, group, UNSCALE, unscale);
}

REAL x_at(Arguments a, uint element)
{
    REAL x;
    READ(x, X_LINE, a.x, element)
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

bool is_finite(REAL x)
{
    return HIGH(magnitude_of(bits_of(x))) < EXPONENT_ONES << FRACTION_BITS;
}

void order_by_magnitude(inout REAL a, inout REAL b)
{
    if (exceeds(magnitude_of(bits_of(b)), magnitude_of(bits_of(a)))) {
        REAL other = a;
        a = b;
        b = other;
    }
}

// Returns a b c scale, scale a power of two, without overflow unless the result overflows: multiplies the two
// greatest factors first, or, if they overflow, the greatest and the least. That product is then at most a
// third of the way down to underflow, and the remaining factor brings it to the result.
REAL product(REAL a, REAL b, REAL c, REAL scale)
{
    order_by_magnitude(a, b);
    order_by_magnitude(b, c);
    order_by_magnitude(a, b);
    if (scale != ONE) {
        EXACT REAL lowered = a * scale;
        a = lowered;
        order_by_magnitude(a, b);
        order_by_magnitude(b, c);
    }
    EXACT REAL first = a * b;
    if (is_finite(first) || !is_finite(a)) {
        EXACT REAL whole = first * c;
        return whole;
    }
    EXACT REAL inner = a * c;
    EXACT REAL whole = inner * b;
    return whole;
}

// factor (x - m) r scale. In evaluation m and V need not be those of x: (x - m) r may leave the range though the
// factor brings it back, and so may x - m.
REAL normal_times(Arguments a, uint element, uint group, REAL factor, REAL scale)
{
    if ((flags & EVALUATES) != 0u) {
        REAL x = x_at(a, element), mean = statistic(a, group, MEAN), lift = ONE;
        EXACT REAL deviation = x - mean;
        if (!is_finite(deviation) && is_finite(x) && is_finite(mean)) {
            EXACT REAL quarter = x * REAL(0.25) - mean * REAL(0.25);
            deviation = quarter;
            lift = REAL(4.0);
        }
        EXACT REAL lifted = product(deviation, statistic(a, group, ROOT), factor, scale) * lift;
        return lifted;
    }
    return product(normal_at(a, element, group), ONE, factor, scale);
}

REAL weight_at(Arguments a, uint element)
{
    REAL weight = ONE;
    if ((flags & HAS_WEIGHT) != 0u)
        READ_PARAMETER(weight, WEIGHT_LINE, a.weight, channel_of(a, element))
    return weight;
}

REAL weighted_at(Arguments a, uint element, REAL factor, REAL scale) // g dy factor scale
{
    REAL grad;
    READ(grad, GRAD_LINE, a.grad, element)
    return product(weight_at(a, element), grad, factor, scale);
}

// Which of n elements an invocation takes: one per workgroup size.
#define FOR_MINE(j, n) for (uint j = gl_LocalInvocationID.x; j < (n); j += gl_WorkGroupSize.x)

shared WORD gathered[2][gl_WorkGroupSize.x];

void add(uint i, uint j)
{
    EXACT REAL first = real_of(gathered[0][i]) + real_of(gathered[0][j]);
    EXACT REAL second = real_of(gathered[1][i]) + real_of(gathered[1][j]);
    gathered[0][i] = bits_of(first);
    gathered[1][i] = bits_of(second);
}

// Replaces both numbers by their sums over the workgroup, which are the same in every invocation. A shader
// should call it in one place only, if necessary in a loop, because code with barriers takes a CPU's compiler
// the most time.
void total(inout REAL first, inout REAL second)
{
    uint id = gl_LocalInvocationID.x;
    barrier();
    gathered[0][id] = bits_of(first);
    gathered[1][id] = bits_of(second);
    barrier();
    [[dont_unroll]] for (uint step = gl_WorkGroupSize.x / 2u; step > 0u; step /= 2u) {
        if (id < step)
            add(id, id + step);
        barrier();
    }
    first = real_of(gathered[0][0]);
    second = real_of(gathered[1][0]);
}
