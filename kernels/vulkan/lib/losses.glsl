// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// Arguments and terms of ops/losses.comp (lib/losses.inc). Needs operands.glsl.

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Arguments {
    View operand[5], result; // grad_output, input, target, weight, pos_weight
    uvec2 real[2];           // attributes behind the reduction, as vk_real_bits has them
    uvec2 count;             // the divisor of a mean
    uint has;                // bit k: operand k is present
    uint wide;               // 1: results are terms of a sum, in float32 for the 16-bit types
    uint divides;            // 1: grad_output is divided by the count
    uint padding;
};
#define P(k) parameter(a.real[k])

#ifdef FLOAT64
#define LEAST_VARIANCE 1e-12LF
#else
#define LEAST_VARIANCE 1e-12
#endif

REAL most(REAL x, REAL y) { return is_nan(x) || x > y ? x : y; }

REAL variance(REAL x) // of a Bernoulli variable of probability x
{
    EXACT REAL product = (ONE - x) * x;
    return most(product, LEAST_VARIANCE);
}

REAL sign_of(REAL x) { return x > ZERO ? ONE : x < ZERO ? -ONE : ZERO; }

REAL bent(REAL d, REAL beta) // smooth_l1
{
    EXACT REAL below = HALF * d * d / beta;
    EXACT REAL above = d - HALF * beta;
    return d < beta ? below : above;
}

REAL huber(REAL d, REAL delta)
{
    EXACT REAL below = HALF * d * d;
    EXACT REAL above = delta * (d - HALF * delta);
    return d < delta ? below : above;
}

REAL bent_slope(REAL d, REAL beta)
{
    EXACT REAL middle = d / beta;
    return d < -beta ? -ONE : d > beta ? ONE : beta == ZERO ? ZERO : middle;
}

REAL huber_slope(REAL d, REAL delta)
{
    return d < -delta ? -delta : d > delta ? delta : d;
}

#ifdef SINGLE_TYPE
float divergence(float x, float y, bool log_target)
{
    EXACT float of_log = exp_own(y) * (y - x);
    EXACT float whole = y * logarithm(y);
    EXACT float cross = y * x;
    EXACT float of_target = (magnitude_of(bits_of(y)) == 0u ? 0.0 : whole) - cross;
    return log_target ? of_log : of_target;
}

float target_of(float y, bool log_target)
{
    return log_target ? exp_own(y) : y;
}

float clamped(float x, float least)
{
    return most(x, least);
}

float clamped_log(float x) { return clamped(logarithm(x), -100.0); }

float rest_log(float x) { return clamped(log_one_plus(-x), -100.0); }

float weight_of(Arguments a, uint i) // pos_weight
{
    uint at;
    if ((a.has >> 4 & 1u) == 0u)
        return 1.0;
    ELEMENT_NUMBER(at, a.operand[4], i)
    return element_read(a.operand[4].address, at);
}

float share(Arguments a, float y, uint i) // the factor of log(sigmoid(x))
{
    EXACT float more = 1.0 + (weight_of(a, i) - 1.0) * y;
    return (a.has >> 4 & 1u) == 0u ? 1.0 : more;
}

float logits_loss(float x, float y, float part)
{
    EXACT float bent = most(-x, 0.0) + log_one_plus(exp_own(-abs(x)));
    EXACT float loss = (1.0 - y) * x + part * bent;
    return loss;
}

float logits_slope(float x, float y, float more)
{
    EXACT float e = exp_own(-abs(x));
    EXACT float one = 1.0 / (1.0 + e);
    EXACT float other = e / (1.0 + e);
    EXACT float slope = (1.0 - y) * (x < 0.0 ? other : one) - more * y * (x < 0.0 ? one : other);
    return slope;
}
#endif
