// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// Route wide of the normalizations: statistics of groups, and the results of the forward operators, by vectors of
// 16 bytes. The arithmetic is that of normalization.comp: the mean first, then the squares of the differences.
//
// HELD    one workgroup per group, whose elements it holds in registers: statistics, and results where APPLIES
// PART    a part of a longer group: first its greatest exponent and its sum, in the second pass its sum of squares
// JOINED  one workgroup per group: statistics from those of its parts
// APPLY   one invocation per vector: y = g (x - m) r + b
//
// An invocation takes every 8th, 64th or 256th vector of a group or of a part; a tree joins the invocations. What
// takes a vector from memory does not change the order: a vector that is not aligned, or does not lie in one piece, is
// read by its elements.
//! variant held_float16 -DHELD -DFLOAT16
//! variant held_bfloat16 -DHELD -DBFLOAT16
//! variant held_float32 -DHELD
//! variant held_float64 -DHELD -DFLOAT64
//! variant part_float16 -DPART -DFLOAT16
//! variant part_bfloat16 -DPART -DBFLOAT16
//! variant part_float32 -DPART
//! variant part_float64 -DPART -DFLOAT64
//! variant joined_float32 -DJOINED
//! variant joined_float64 -DJOINED -DFLOAT64
//! variant apply_float16 -DAPPLY -DFLOAT16
//! variant apply_bfloat16 -DAPPLY -DBFLOAT16
//! variant apply_float32 -DAPPLY
//! variant apply_float64 -DAPPLY -DFLOAT64
#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernel.glsl"
#include "element.glsl"
#include "normalization.glsl"
#include "vectors.glsl"

#ifdef HELD
#define ONE_SUM
#endif
#include "normalization_vectors.glsl"

#if defined HELD || defined PART
// The sum of the squares of the first `count` differences from the mean, after `sum`.
WORD with_squares(WORD sum, uvec4 xs, uint count, REAL scale, REAL mean)
{
    for (uint k = 0u; k < VECTOR; k++) {
        uvec2 bits = vector_take(xs, k, ELEMENT_SIZE);
        EXACT REAL x = REAL_OF(bits) * scale;
        EXACT REAL deviation = x - mean;
        EXACT REAL more = real_of(sum) + deviation * deviation;
        if (k < count)
            sum = bits_of(more);
    }
    return sum;
}
#endif

#if defined HELD || defined APPLY
#include "normalization_results.glsl"
#endif

#ifdef HELD
void write_vector(Arguments a, uint group, uint j, uint count, uvec4 ys)
{
    if (ALIGNED)
        vector_write(Y_LINE.address, Y_LINE.offset + group_element(a, group, j), ELEMENT_SIZE, VECTOR, ys);
    else
        ELEMENTS_WRITE(ys, Y_LINE, a.y, count, group_element(a, group, j + k))
}

uint place_of(uint v) // the first element of the v-th vector of this invocation
{
    return (v * gl_WorkGroupSize.x + gl_LocalInvocationID.x) * VECTOR;
}

uint count_at(uint j)
{
    return j < members ? min(members - j, VECTOR) : 0u;
}

void main()
{
    Arguments a = Arguments(push.arguments);
    take(a);
    uint group = group_index(), top = 0u;
    if (group >= groups)
        return;
    uvec4 held[VECTORS_MOST];
    for (uint v = 0u; v < VECTORS; v++) {
        uint j = place_of(v);
        held[v] = uvec4(0u);
        if (j < members)
            GROUP_READ(held[v], X_LINE, a.x, group, j, count_at(j))
    }
    bool centred = (flags & CENTRED) != 0u;
    REAL scale = ONE, unscale = ONE, mean = ZERO, none = ZERO, sum = ZERO;
    // What is not centred is squared at once: elements that are not there are 0.
    [[dont_unroll]] for (uint attempt = 0u; attempt < 2u; attempt++) {
        WORD mine = bits_of(ZERO);
        for (uint v = 0u; v < VECTORS; v++) {
            uvec4 xs = held[v];
            for (uint k = 0u; k < VECTOR; k++) {
                uvec2 bits = vector_take(xs, k, ELEMENT_SIZE);
                REAL x = REAL_OF(bits);
                top = max(top, top_of(x));
                EXACT REAL scaled = x * scale;
                EXACT REAL more = real_of(mine) + (centred ? scaled : scaled * scaled);
                mine = bits_of(more);
            }
        }
        sum = real_of(mine);
        joined(sum, none, top);
        int e = lowered_by(top);
        if (e == 0)
            break;
        scale = power_of_two(-e);
        unscale = power_of_two(e);
    }
    EXACT REAL variance = sum * parameter(a.share);
    if (centred) {
        mean = variance;
        WORD mine = bits_of(ZERO);
        for (uint v = 0u; v < VECTORS; v++)
            mine = with_squares(mine, held[v], count_at(place_of(v)), scale, mean);
        sum = real_of(mine);
        joined(sum, none, top);
        EXACT REAL share = sum * parameter(a.share);
        variance = share;
    }
    Moments m = Moments(mean, root_of(a, variance, scale), scale);
    if (gl_LocalInvocationID.x == 0u)
        keep_statistics(a, group, mean, variance, m.root, scale, unscale);
    if ((flags & APPLIES) == 0u)
        return;
    for (uint v = 0u; v < VECTORS; v++) {
        uint j = place_of(v), count = count_at(j);
        if (count > 0u)
            write_vector(a, group, j, count, results_of(a, held[v], group, j, count, m));
    }
}
#endif

#if defined PART || defined JOINED
#define SUM 0u     // of the elements
#define LOWERED_SUM 1u // of the elements times 2^-TOO_HIGH, for groups whose sum may overflow
#define TOP 2u     // the greatest biased exponent
#define SQUARES 3u
#ifdef FLOAT64
#define TOO_HIGH 100
#else
#define TOO_HIGH 40
#endif

// The mean and the scale of a group, from the first pass over its parts.
REAL mean_of(Arguments a, uint group, uint parts, out int lowered)
{
    WORD sum = bits_of(ZERO), lowered_sum = sum;
    uint top = 0u;
    for (uint p = gl_LocalInvocationID.x; p < parts; p += gl_WorkGroupSize.x) {
        uint part = group * parts + p;
        EXACT REAL more = real_of(sum) + real_of(Words(partial_address(a, part, SUM)).value);
        EXACT REAL further = real_of(lowered_sum) + real_of(Words(partial_address(a, part, LOWERED_SUM)).value);
        sum = bits_of(more);
        lowered_sum = bits_of(further);
        WORD greatest = Words(partial_address(a, part, TOP)).value;
        top = max(top, HIGH(greatest));
    }
    REAL first = real_of(sum), second = real_of(lowered_sum);
    joined(first, second, top);
    lowered = lowered_by(top);
    EXACT REAL mean = (lowered == 0 ? first : second) * parameter(a.share);
    if (lowered != 0) {
        EXACT REAL scaled = mean * power_of_two(TOO_HIGH - lowered);
        mean = scaled;
    }
    return (flags & CENTRED) != 0u ? mean : ZERO;
}
#endif

#ifdef PART
void main()
{
    Arguments a = Arguments(push.arguments);
    take(a);
    uint parts = a.parts, chunk = a.chunk, number = group_index();
    uint group = number / parts, first = number % parts * chunk, end = min(first + chunk, members);
    if (group >= groups)
        return;
    bool second_pass = (flags & SECOND_PASS) != 0u;
    int lowered = 0;
    REAL mean = ZERO, scale = ONE, low = power_of_two(-TOO_HIGH);
    if (second_pass) {
        mean = mean_of(a, group, parts, lowered);
        scale = power_of_two(-lowered);
    }
    WORD sum = bits_of(ZERO), lowered_sum = sum;
    uint top = 0u;
    for (uint j = first + gl_LocalInvocationID.x * VECTOR; j < end; j += gl_WorkGroupSize.x * VECTOR) {
        uint count = min(end - j, VECTOR);
        uvec4 xs;
        GROUP_READ(xs, X_LINE, a.x, group, j, count)
        if (second_pass) {
            sum = with_squares(sum, xs, count, scale, mean);
        } else {
            for (uint k = 0u; k < VECTOR; k++) {
                uvec2 bits = vector_take(xs, k, ELEMENT_SIZE);
                REAL x = REAL_OF(bits);
                top = max(top, top_of(x));
                EXACT REAL more = real_of(sum) + x;
                EXACT REAL further = real_of(lowered_sum) + x * low;
                sum = bits_of(more);
                lowered_sum = bits_of(further);
            }
        }
    }
    REAL total_sum = real_of(sum), total_lowered = real_of(lowered_sum);
    joined(total_sum, total_lowered, top);
    if (gl_LocalInvocationID.x != 0u)
        return;
    if (second_pass) {
        Words(partial_address(a, number, SQUARES)).value = bits_of(total_sum);
        return;
    }
    WORD greatest = WORD(0u);
    HIGH(greatest) = top;
    Words(partial_address(a, number, SUM)).value = bits_of(total_sum);
    Words(partial_address(a, number, LOWERED_SUM)).value = bits_of(total_lowered);
    Words(partial_address(a, number, TOP)).value = greatest;
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
    int lowered;
    REAL mean = mean_of(a, group, parts, lowered), none = ZERO, scale = power_of_two(-lowered);
    WORD sum = bits_of(ZERO);
    for (uint p = gl_LocalInvocationID.x; p < parts; p += gl_WorkGroupSize.x) {
        EXACT REAL more = real_of(sum) + real_of(Words(partial_address(a, group * parts + p, SQUARES)).value);
        sum = bits_of(more);
    }
    REAL squares = real_of(sum);
    joined(squares, none, top);
    EXACT REAL variance = squares * parameter(a.share);
    if (gl_LocalInvocationID.x == 0u)
        keep_statistics(a, group, mean, variance, root_of(a, variance, scale), scale, power_of_two(lowered));
}
#endif

#ifdef APPLY
void main()
{
    Arguments a = Arguments(push.arguments);
    take(a);
    uint i = invocation_index() * VECTOR;
    if (i >= elements)
        return;
    uint count = min(elements - i, VECTOR), group = group_of(a, i);
    uvec4 xs;
    LINE_READ(xs, X_LINE, a.x, i, count)
    uvec4 ys = results_of(a, xs, group, i, count, moments_of(a, group));
    LINE_WRITE(ys, Y_LINE, a.y, i, count)
}
#endif
