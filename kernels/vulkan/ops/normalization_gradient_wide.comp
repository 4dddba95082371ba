// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// Route wide of the gradients of normalizations, after the statistics of normalization_wide.comp
// and with the arithmetic of normalization_gradient.comp.
//
// PART    a part of a group: sums of w and of wX, w = g dy, X = (x - m) r, and of both for a lowered dy
// JOINED  one workgroup per group: mean w and mean wX
// INPUT   one invocation per vector: dx = r (w - mean w - X mean wX)
// FEW     one invocation per channel of a few terms: dg = sum dy X, db = sum dy, in their order
//! variant few_float16 -DFEW -DFLOAT16
//! variant few_bfloat16 -DFEW -DBFLOAT16
//! variant few_float32 -DFEW
//! variant few_float64 -DFEW -DFLOAT64
//! variant part_float16 -DPART -DFLOAT16
//! variant part_bfloat16 -DPART -DBFLOAT16
//! variant part_float32 -DPART
//! variant part_float64 -DPART -DFLOAT64
//! variant joined_float32 -DJOINED
//! variant joined_float64 -DJOINED -DFLOAT64
//! variant input_float16 -DINPUT -DFLOAT16
//! variant input_bfloat16 -DINPUT -DBFLOAT16
//! variant input_float32 -DINPUT
//! variant input_float64 -DINPUT -DFLOAT64
#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernel.glsl"
#include "element.glsl"
#include "normalization.glsl"
#include "vectors.glsl"
#include "normalization_vectors.glsl"
#include "normalization_means.glsl"

// The numbers of a part: for dy, and for dy times 2^-DOWN twice.
#define SUM 0u
#define DOT 1u
#define LOWERED_SUM 2u
#define LOWERED_DOT 3u

#if defined PART || defined INPUT
// The weights of a vector whose first element has this channel and number. PARAMETERS == BY_ELEMENT: none.
uvec4 weights_of(Arguments a, uint channel, out REAL weight)
{
    weight = ONE;
    if (PARAMETERS == OF_VECTOR && (flags & HAS_WEIGHT) != 0u)
        READ_PARAMETER(weight, WEIGHT_LINE, a.weight, channel)
    if (PARAMETERS == AS_VECTOR && (flags & HAS_WEIGHT) != 0u)
        return vector_read(WEIGHT_LINE.address, WEIGHT_LINE.offset + channel, 1u, ELEMENT_SIZE, VECTOR);
    return uvec4(0u);
}

// Replaces `weight` by that of the k-th element of a vector, where the elements have different ones.
void next_weight(Arguments a, inout uvec4 weights, uint k, uint channel, inout REAL weight)
{
    if (PARAMETERS == AS_VECTOR && (flags & HAS_WEIGHT) != 0u) {
        uvec2 bits = vector_take(weights, k, ELEMENT_SIZE);
        weight = REAL_OF(bits);
    }
    if (PARAMETERS == BY_ELEMENT && (flags & HAS_WEIGHT) != 0u)
        READ_PARAMETER(weight, WEIGHT_LINE, a.weight, channel)
}
#endif

#ifdef PART
void main()
{
    Arguments a = Arguments(push.arguments);
    take(a);
    uint parts = a.parts, chunk = a.chunk, number = group_index(), top = 0u;
    uint group = number / parts, first = number % parts * chunk, end = min(first + chunk, members);
    if (group >= groups)
        return;
    REAL mean = statistic(a, group, MEAN), root = statistic(a, group, ROOT), scale = statistic(a, group, SCALE);
    REAL low = power_of_two(-DOWN);
    WORD sum = bits_of(ZERO), dot = sum, lowered_sum = sum, lowered_dot = sum;
    for (uint j = first + gl_LocalInvocationID.x * VECTOR; j < end; j += gl_WorkGroupSize.x * VECTOR) {
        uint count = min(end - j, VECTOR), i = group * members + j; // in a group that is not over the batch
        bool over_batch = (flags & OVER_BATCH) != 0u;
        uvec4 xs, grads;
        GROUP_READ(xs, X_LINE, a.x, group, j, count)
        GROUP_READ(grads, GRAD_LINE, a.grad, group, j, count)
        REAL weight;
        uvec4 weights = weights_of(a, over_batch ? group : channel_of(a, i), weight);
        for (uint k = 0u; k < VECTOR; k++) {
            uvec2 bits = vector_take(xs, k, ELEMENT_SIZE), grad_bits = vector_take(grads, k, ELEMENT_SIZE);
            if (k >= count)
                continue;
            next_weight(a, weights, k, over_batch ? group : channel_of(a, i + k), weight);
            REAL grad = REAL_OF(grad_bits);
            EXACT REAL scaled = REAL_OF(bits) * scale;
            EXACT REAL deviation = scaled - mean;
            EXACT REAL normal = deviation * root;
            EXACT REAL w = weight * grad;
            REAL lowered = product(weight, grad, low, low);
            EXACT REAL next_sum = real_of(sum) + w;
            EXACT REAL next_dot = real_of(dot) + w * normal;
            EXACT REAL next_lowered_sum = real_of(lowered_sum) + lowered;
            EXACT REAL next_lowered_dot = real_of(lowered_dot) + lowered * normal;
            sum = bits_of(next_sum);
            dot = bits_of(next_dot);
            lowered_sum = bits_of(next_lowered_sum);
            lowered_dot = bits_of(next_lowered_dot);
        }
    }
    [[dont_unroll]] for (uint pair = 0u; pair < 2u; pair++) { // one place with barriers
        REAL one = real_of(pair == 0u ? sum : lowered_sum), other = real_of(pair == 0u ? dot : lowered_dot);
        joined(one, other, top);
        if (gl_LocalInvocationID.x == 0u) {
            Words(partial_address(a, number, 2u * pair)).value = bits_of(one);
            Words(partial_address(a, number, 2u * pair + 1u)).value = bits_of(other);
        }
    }
}
#endif

#ifdef JOINED
void main()
{
    Arguments a = Arguments(push.arguments);
    take(a);
    uint parts = a.parts, group = group_index(), top = 0u;
    if (group >= groups)
        return;
    REAL mean = ZERO, projection = ZERO, most = power_of_two(HIGH_ENOUGH);
    bool lowers = false;
    [[dont_unroll]] for (uint attempt = 0u; attempt < 2u; attempt++) {
        WORD sum = bits_of(ZERO), dot = sum;
        for (uint p = gl_LocalInvocationID.x; p < parts; p += gl_WorkGroupSize.x) {
            uint part = group * parts + p;
            EXACT REAL more = real_of(sum) + real_of(Words(partial_address(a, part, 2u * attempt)).value);
            EXACT REAL further = real_of(dot) + real_of(Words(partial_address(a, part, 2u * attempt + 1u)).value);
            sum = bits_of(more);
            dot = bits_of(further);
        }
        REAL one = real_of(sum), other = real_of(dot);
        joined(one, other, top);
        EXACT REAL first = one * parameter(a.share);
        EXACT REAL second = other * parameter(a.share);
        mean = (flags & CENTRED) != 0u ? first : ZERO;
        projection = second;
        if (abs(mean) < most && abs(projection) < most)
            break;
        lowers = true;
    }
    if (gl_LocalInvocationID.x != 0u)
        return;
    keep(a, group, MEAN_GRAD, mean);
    keep(a, group, PROJECTION, projection);
    keep(a, group, LOWERED, lowers ? power_of_two(-DOWN) : ONE);
    keep(a, group, RAISED, lowers ? power_of_two(DOWN) : ONE);
}
#endif

#ifdef INPUT
struct Group {
    REAL mean, root, scale, mean_grad, projection, lowered, raised;
};

Group group_at(Arguments a, uint group)
{
    Group g;
    g.mean = statistic(a, group, MEAN);
    g.root = statistic(a, group, ROOT);
    g.scale = statistic(a, group, SCALE);
    g.mean_grad = statistic(a, group, MEAN_GRAD);
    g.projection = statistic(a, group, PROJECTION);
    g.lowered = statistic(a, group, LOWERED);
    g.raised = statistic(a, group, RAISED);
    return g;
}

REAL gradient_of(Group g, REAL x, REAL weight, REAL grad)
{
    if ((flags & EVALUATES) != 0u)
        return product(weight, grad, g.root, ONE);
    EXACT REAL scaled = x * g.scale;
    EXACT REAL from_mean = scaled - g.mean;
    EXACT REAL normal = from_mean * g.root;
    EXACT REAL w = weight * grad;
    if (g.raised != ONE)
        w = product(weight, grad, g.lowered, g.lowered);
    EXACT REAL deviation = w - g.mean_grad;
    EXACT REAL rest = deviation - normal * g.projection;
    EXACT REAL scale = g.scale * g.raised; // of x and of dy
    REAL raised = g.raised;
    if (raised != ONE) { // of a small w not lowered, where the sums fit
        EXACT REAL mean = g.mean_grad * raised * raised;
        EXACT REAL part = product(normal, g.projection, raised, ONE) * raised;
        EXACT REAL plain = weight * grad - mean - part;
        if (is_finite(plain)) {
            rest = plain;
            scale = g.scale;
            raised = ONE;
        }
    }
    EXACT REAL whole = product(rest, g.root, scale, ONE) * raised;
    return whole;
}

void main()
{
    Arguments a = Arguments(push.arguments);
    take(a);
    uint i = invocation_index() * VECTOR;
    if (i >= elements)
        return;
    uint count = min(elements - i, VECTOR);
    uvec4 xs, grads, ys = uvec4(0u);
    LINE_READ(xs, X_LINE, a.x, i, count)
    LINE_READ(grads, GRAD_LINE, a.grad, i, count)
    Group g = group_at(a, group_of(a, i));
    REAL weight;
    uvec4 weights = weights_of(a, channel_of(a, i), weight);
    for (uint k = 0u; k < VECTOR; k++) {
        uvec2 bits = vector_take(xs, k, ELEMENT_SIZE), grad_bits = vector_take(grads, k, ELEMENT_SIZE);
        if (k < count) {
            next_weight(a, weights, k, channel_of(a, i + k), weight);
            if (PARAMETERS == BY_ELEMENT)
                g = group_at(a, group_of(a, i + k));
        }
        REAL dx = gradient_of(g, REAL_OF(bits), weight, REAL_OF(grad_bits));
        vector_put(ys, k, BITS_OF(dx), ELEMENT_SIZE);
    }
    LINE_WRITE(ys, Y_LINE, a.y, i, count)
}
#endif

#ifdef FEW
#include "normalization_lowering.glsl"

// With the attempts of PARAMETERS of normalization_gradient.comp.
void main()
{
    Arguments a = Arguments(push.arguments);
    take(a);
    uint channel = invocation_index();
    if (channel >= channels)
        return;
    WORD dweight = bits_of(ZERO), dbias = dweight;
    REAL scale = ONE, raised = ONE;
    [[dont_unroll]] for (uint attempt = 0u; attempt < 3u; attempt++) {
        WORD of_weight = bits_of(ZERO), of_bias = of_weight;
        for (uint j = 0u; j < batch * inner; j++) {
            uint i = channel_element(a, channel, j);
            REAL grad;
            READ(grad, GRAD_LINE, a.grad, i)
            EXACT REAL factor = grad * (attempt == 2u ? scale : ONE);
            EXACT REAL further = real_of(of_weight) + normal_times(a, i, group_of(a, i), factor, scale);
            EXACT REAL more = real_of(of_bias) + grad * scale;
            of_weight = bits_of(further);
            of_bias = bits_of(more);
        }
        EXACT REAL first = real_of(of_weight) * raised * (attempt == 2u ? raised : ONE);
        EXACT REAL second = real_of(of_bias) * raised;
        dweight = attempt > 0u && is_finite(real_of(dweight)) ? dweight : bits_of(first);
        dbias = attempt > 0u && is_finite(real_of(dbias)) ? dbias : bits_of(second);
        if (is_finite(real_of(dweight)) && is_finite(real_of(dbias)))
            break;
        scale = power_of_two(attempt == 0u ? -64 : -LOWERING);
        raised = power_of_two(attempt == 0u ? 64 : LOWERING);
    }
    if ((flags & HAS_DWEIGHT) != 0u)
        WRITE_PARAMETER(line[2], a.dweight, channel, real_of(dweight))
    if ((flags & HAS_DBIAS) != 0u)
        WRITE_PARAMETER(line[3], a.dbias, channel, real_of(dbias))
}
#endif
