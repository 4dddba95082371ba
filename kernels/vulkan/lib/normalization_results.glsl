// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// The results of a vector of elements, of ops/normalization_wide.comp: y = g (x - m) r + b. Needs normalization.glsl,
// vectors.glsl and the constant PARAMETERS.
struct Moments {
    REAL mean, root, scale;
};

// g (x - m) r + b
REAL normalised(Moments m, REAL x, REAL weight, REAL bias)
{
    REAL y;
    if ((flags & EVALUATES) != 0u) { // as normal_times in evaluation
        REAL lift = ONE;
        EXACT REAL deviation = x - m.mean;
        if (!is_finite(deviation) && is_finite(x) && is_finite(m.mean)) {
            EXACT REAL quarter = x * REAL(0.25) - m.mean * REAL(0.25);
            deviation = quarter;
            lift = REAL(4.0);
        }
        EXACT REAL whole = product(deviation, m.root, weight, ONE) * lift;
        y = whole;
        if ((flags & HAS_BIAS) != 0u) {
            EXACT REAL sum = y + bias;
            if (!(abs(y) < power_of_two(BIAS - 1))) { // the bias may bring it back into range
                EXACT REAL part = product(deviation, m.root, weight, REAL(0.0625)) * lift + bias * REAL(0.0625);
                sum = part * REAL(16.0);
            }
            y = sum;
        }
        return y;
    }
    EXACT REAL scaled = x * m.scale;
    EXACT REAL deviation = scaled - m.mean;
    EXACT REAL normal = deviation * m.root;
    EXACT REAL whole = normal * weight;
    y = whole;
    if ((flags & HAS_BIAS) != 0u) {
        EXACT REAL sum = y + bias;
        if (!(abs(y) < power_of_two(BIAS - 1))) {
            EXACT REAL part = product(normal, ONE, weight, REAL(0.0625)) + bias * REAL(0.0625);
            sum = part * REAL(16.0);
        }
        y = sum;
    }
    return y;
}

void read_parameters(Arguments a, uint channel, out REAL weight, out REAL bias)
{
    weight = ONE;
    bias = ZERO;
    if ((flags & HAS_WEIGHT) != 0u)
        READ_PARAMETER(weight, WEIGHT_LINE, a.weight, channel)
    if ((flags & HAS_BIAS) != 0u)
        READ_PARAMETER(bias, BIAS_LINE, a.bias, channel)
}

Moments moments_of(Arguments a, uint group)
{
    return Moments(statistic(a, group, MEAN), statistic(a, group, ROOT), statistic(a, group, SCALE));
}

// The results of `count` elements. HELD: those of a group with moments m, from the j-th on. APPLY: those from
// element j on.
uvec4 results_of(Arguments a, uvec4 xs, uint group, uint j, uint count, Moments m)
{
    uvec4 ys = uvec4(0u), weights = uvec4(0u), biases = uvec4(0u);
    REAL weight = ONE, bias = ZERO;
#ifdef HELD
    uint i = group * members + j; // in a group that is not over the batch
#else
    uint i = j;
#endif
    uint channel = (flags & OVER_BATCH) != 0u ? group : channel_of(a, i);
    if (PARAMETERS == OF_VECTOR)
        read_parameters(a, channel, weight, bias);
    if (PARAMETERS == AS_VECTOR) {
        if ((flags & HAS_WEIGHT) != 0u)
            weights = vector_read(WEIGHT_LINE.address, WEIGHT_LINE.offset + channel, 1u, ELEMENT_SIZE, VECTOR);
        if ((flags & HAS_BIAS) != 0u)
            biases = vector_read(BIAS_LINE.address, BIAS_LINE.offset + channel, 1u, ELEMENT_SIZE, VECTOR);
    }
    for (uint k = 0u; k < VECTOR; k++) {
        uvec2 bits = vector_take(xs, k, ELEMENT_SIZE);
        if (PARAMETERS == BY_ELEMENT && k < count) {
#ifdef APPLY
            m = moments_of(a, group_of(a, i + k));
            read_parameters(a, channel_of(a, i + k), weight, bias);
#else
            read_parameters(a, (flags & OVER_BATCH) != 0u ? group : channel_of(a, i + k), weight, bias);
#endif
        }
        if (PARAMETERS == AS_VECTOR) {
            uvec2 weight_bits = vector_take(weights, k, ELEMENT_SIZE), bias_bits = vector_take(biases, k, ELEMENT_SIZE);
            weight = (flags & HAS_WEIGHT) != 0u ? REAL_OF(weight_bits) : ONE;
            bias = REAL_OF(bias_bits);
        }
        REAL y = normalised(m, REAL_OF(bits), weight, bias);
        vector_put(ys, k, BITS_OF(y), ELEMENT_SIZE);
    }
    return ys;
}
