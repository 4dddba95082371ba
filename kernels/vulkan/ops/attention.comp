// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// What attention computes between its products (attention.c): a workgroup for each row of scores, the rows of one batch
// behind one another, all in the type in which sums are taken.
//
// WEIGH   makes the scores q·k of a row its probabilities: times the scale, the mask added, less the greatest, e to
//         their power, divided by their sum. A key that takes no part gets 0, and so does each key of a row without any.
// SLOPE   makes probabilities P and their gradients dP those of the scores: P (dP - Σ P dP), in place of dP, and times
//         the scale in place of P; 0 for a key that takes no part.
// REDUCE  sums what several batches, heads or rows have to one element of a gradient: an element per invocation, or per
//         workgroup (GROUP).
//
// An invocation sums every n-th element of a row in blocks of 128, and then the blocks; a tree sums the invocations.
//! variant weigh.float32 -DWEIGH
//! variant weigh.mixed -DWEIGH -DMIXED
//! variant weigh.float64 -DWEIGH -DFLOAT64
//! variant slope.float32 -DSLOPE
//! variant slope.mixed -DSLOPE -DMIXED
//! variant slope.float64 -DSLOPE -DFLOAT64
//! variant reduce.float32 -DREDUCE
//! variant reduce.mixed -DREDUCE -DMIXED
//! variant reduce.float64 -DREDUCE -DFLOAT64
#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernel.glsl"
#include "half.glsl"
#include "real.glsl"
#include "formats.glsl" // a: the mask; result: of REDUCE
#ifdef WEIGH
#ifdef FLOAT64
#include "exp64.glsl"
REAL exp_of(REAL x) { return exp_reduced(x); }
#else
#include "functions.glsl"
REAL exp_of(REAL x) { return exp_own(x); }
#endif
#endif
layout(constant_id = 2) const uint MASK = 0u; // NO_MASK, NUMBERS or CONDITIONS
layout(constant_id = 3) const bool GROUP = false;
const uint NO_MASK = 0u, NUMBERS = 1u, CONDITIONS = 2u;

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Arguments {
    View mask, result;             // mask: of all batches, queries and keys, with strides of zero where it is broadcast
    uvec2 scores, slopes, scale;   // scale: the bits of the number; REDUCE: scores is what is summed
    uint rows, queries, keys, causal;
    uint extent[6], from[6], terms; // REDUCE: dimensions and strides of what is summed, and elements of one sum
};
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Word { uint value; };

shared REAL gathered[gl_WorkGroupSize.x];

REAL add(REAL x, REAL y)
{
    EXACT REAL sum = x + y;
    return sum;
}

REAL greater(REAL a, REAL b) { return is_nan(a) || a >= b ? a : b; }

REAL gather(REAL mine, bool sums) // the sum or the greatest of all invocations' numbers
{
    uint id = gl_LocalInvocationID.x;
    barrier();
    gathered[id] = mine;
    barrier();
    [[dont_unroll]] for (uint half_way = gl_WorkGroupSize.x / 2u; half_way > 0u; half_way /= 2u) {
        if (id < half_way)
            gathered[id] = sums ? add(gathered[id], gathered[id + half_way]) : greater(gathered[id], gathered[id + half_way]);
        barrier();
    }
    return gathered[0];
}

REAL load(uvec2 address, uint at) { return real_of(Element(element_address(address, at, SIZE)).value); }
void store(uvec2 address, uint at, REAL x) { Element(element_address(address, at, SIZE)).value = bits_of(x); }

REAL scale_of(Arguments v)
{
#ifdef FLOAT64
    return real_of(v.scale);
#else
    return real_of(v.scale.x);
#endif
}

const uint BLOCK = 128u;

#ifdef REDUCE
void main()
{
    Arguments v = Arguments(push.arguments);
    uint element = GROUP ? group_index() : invocation_index(), rest = element, at = 0u, number = v.result.offset;
    uint lane = GROUP ? gl_LocalInvocationID.x : 0u, step = GROUP ? gl_WorkGroupSize.x : 1u;
    if (element >= v.result.elements)
        return;
    [[dont_unroll]] for (uint d = 6u; d-- > 0u;) {
        uint quotient = rest / v.result.dim[d], i = rest - quotient * v.result.dim[d];
        rest = quotient;
        at += i * v.from[d];
        number += i * v.result.stride[d];
    }
    REAL total = ZERO;
    for (uint t = lane; t < v.terms;) {
        REAL block = ZERO;
        for (uint stop = min(v.terms, t + BLOCK * step); t < stop; t += step) {
            uint left = t, place = at;
            [[dont_unroll]] for (uint d = 6u; d-- > 0u;) {
                if (v.result.dim[d] == v.extent[d])
                    continue;
                uint quotient = left / v.extent[d];
                place += (left - quotient * v.extent[d]) * v.from[d];
                left = quotient;
            }
            block = add(block, load(v.scores, place));
        }
        total = add(total, block);
    }
    if (GROUP)
        total = gather(total, true);
    if (lane == 0u)
        format_store(v.result.address, number, total);
}
#else
uint mask_row(Arguments v, uint row) // the number of the mask's element for the first key
{
    uint number = v.mask.offset;
    [[dont_unroll]] for (uint d = 5u; d-- > 0u;) {
        uint quotient = row / v.mask.dim[d];
        number += (row - quotient * v.mask.dim[d]) * v.mask.stride[d];
        row = quotient;
    }
    return number;
}

// Whether key j takes part; `bias` is what the mask adds.
bool takes(Arguments v, uint row, uint first, uint j, out REAL bias)
{
    bias = ZERO;
    if (MASK == NO_MASK)
        return v.causal == 0u || j <= row % v.queries;
    uint number = first + j * v.mask.stride[5];
    if (MASK == CONDITIONS)
        return (Word(element_address(v.mask.address, number / 4u, 4u)).value >> number % 4u * 8u & 0xffu) != 0u;
    bias = format_load(v.mask.address, number, format_of(0u));
    return bias != -infinity(false);
}

#ifdef WEIGH
void main()
{
    Arguments v = Arguments(push.arguments);
    uint row = group_index(), keys = v.keys, lane = gl_LocalInvocationID.x, step = gl_WorkGroupSize.x;
    if (row >= v.rows)
        return;
    uint first = MASK == NO_MASK ? 0u : mask_row(v, row), at = row * keys;
    REAL scale = scale_of(v), most = -infinity(false), there = ZERO, total = ZERO;
    for (uint j = lane; j < keys; j += step) {
        REAL bias, score = -infinity(false);
        if (takes(v, row, first, j, bias)) {
            EXACT REAL scaled_score = load(v.scores, at + j) * scale;
            score = MASK == NUMBERS ? add(scaled_score, bias) : scaled_score;
            most = greater(score, most);
            there = ONE;
        }
        store(v.scores, at + j, score);
    }
    most = gather(most, false);
    bool empty = gather(there, false) == ZERO;
    for (uint j = lane; j < keys;) {
        REAL block = ZERO;
        for (uint stop = min(keys, j + BLOCK * step); j < stop; j += step) {
            EXACT REAL offset = load(v.scores, at + j) - most;
            REAL weight = exp_of(offset);
            store(v.scores, at + j, weight);
            block = add(block, weight);
        }
        total = add(total, block);
    }
    total = gather(total, true);
    for (uint j = lane; j < keys; j += step) {
        EXACT REAL probability = load(v.scores, at + j) / total;
        store(v.scores, at + j, empty ? ZERO : probability);
    }
}
#else
void main()
{
    Arguments v = Arguments(push.arguments);
    uint row = group_index(), keys = v.keys, lane = gl_LocalInvocationID.x, step = gl_WorkGroupSize.x;
    if (row >= v.rows)
        return;
    uint first = MASK == NO_MASK ? 0u : mask_row(v, row), at = row * keys;
    REAL scale = scale_of(v), total = ZERO, bias;
    for (uint j = lane; j < keys;) {
        REAL block = ZERO;
        for (uint stop = min(keys, j + BLOCK * step); j < stop; j += step) {
            if (takes(v, row, first, j, bias)) {
                EXACT REAL product = load(v.scores, at + j) * load(v.slopes, at + j);
                block = add(block, product);
            }
        }
        total = add(total, block);
    }
    total = gather(total, true);
    for (uint j = lane; j < keys; j += step) {
        REAL slope = ZERO;
        if (takes(v, row, first, j, bias)) {
            EXACT REAL difference = load(v.slopes, at + j) - total;
            EXACT REAL product = load(v.scores, at + j) * difference;
            slope = product;
        }
        EXACT REAL scaled_slope = slope * scale;
        store(v.slopes, at + j, slope);
        store(v.scores, at + j, scaled_slope);
    }
}
#endif
#endif
