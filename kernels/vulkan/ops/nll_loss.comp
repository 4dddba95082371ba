// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// nll_loss and cross_entropy with class indices as targets. ops/nll_loss.c fills the arguments.
//
// forward   for each sample -(weight·input) at its target, and the weight; 0 if the sample is ignored
// backward  for each element of the input the gradient of nll_loss
// entropy   for each sample its cross_entropy, and the weight; 0 if the sample is ignored
// slope     for each element of the input the gradient of cross_entropy
//! variant forward.float16 -DFLOAT16
//! variant forward.bfloat16 -DBFLOAT16
//! variant forward.float32
//! variant forward.float64 -DFLOAT64
//! variant backward.float16 -DFLOAT16 -DBACKWARD
//! variant backward.bfloat16 -DBFLOAT16 -DBACKWARD
//! variant backward.float32 -DBACKWARD
//! variant backward.float64 -DFLOAT64 -DBACKWARD
//! variant entropy.float16 -DFLOAT16 -DENTROPY
//! variant entropy.bfloat16 -DBFLOAT16 -DENTROPY
//! variant entropy.float32 -DENTROPY
//! variant entropy.float64 -DFLOAT64 -DENTROPY
//! variant slope.float16 -DFLOAT16 -DSLOPE
//! variant slope.bfloat16 -DBFLOAT16 -DSLOPE
//! variant slope.float32 -DSLOPE
//! variant slope.float64 -DFLOAT64 -DSLOPE
#version 460
#extension GL_GOOGLE_include_directive : require
#include "operands.glsl"
#if defined SLOPE && defined FLOAT64
#include "exp64.glsl"
#define exp_own exp_reduced
#endif
#if defined BACKWARD || defined SLOPE
#define OF_ELEMENTS
#endif

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Index { uvec2 value; };
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer State { uvec2 value; };
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Arguments {
    View input_, target, weight, gradient, result;
    uvec2 weights; // scratch: the weight of each sample
    uvec2 total;   // scratch: the sum of the weights; address 0: no division
    uvec2 ignore;  // ignore_index
    uint classes, inner;
    uvec2 greatest, logarithm, surprises, sum; // scratch: for each sample, as vk_rows_logarithms returns them
    uvec2 whole;                               // scratch: the sum of the weights of all classes
    uvec2 label, other;                   // 1 - label_smoothing; label_smoothing / classes
    uint weighs, wide; // 1: there are weights; 1: results are float32 for the 16-bit types
    uint smooths, unused;
};

#define WEIGHT_OF(w) w

#ifdef FLOAT64
REAL real_in(uvec2 state) { return real_of(state); }
#else
REAL real_in(uvec2 state) { return real_of(state.x); }
#endif

#if defined ENTROPY || defined SLOPE
REAL greatest_of(Arguments a, uint sample_)
{
    return element_read(a.greatest, sample_ * (8u / ELEMENT_SIZE));
}

bool smooths(Arguments a)
{
    return a.smooths != 0u;
}
#endif

#ifdef SLOPE
REAL weight_of(Arguments a, uint class_)
{
    uint place;
    ELEMENT_NUMBER(place, a.weight, class_)
    return a.weighs != 0u ? element_read(a.weight.address, place) : ONE;
}

// What the target gives to all classes.
REAL whole_of(Arguments a, uint target)
{
    REAL w = weight_of(a, target);
    if (!smooths(a))
        return w;
    EXACT REAL whole = parameter(a.label) * w + parameter(a.other) * real_in(State(a.whole).value);
    return a.weighs != 0u ? whole : ONE;
}

// What it gives to one.
REAL share_of(Arguments a, uint class_, bool hit)
{
    if (!hit && !smooths(a))
        return ZERO;
    REAL w = weight_of(a, class_);
    if (!smooths(a))
        return w;
    EXACT REAL own = parameter(a.label) * w;
    EXACT REAL other = parameter(a.other) * w;
    EXACT REAL both = own + other;
    return hit ? both : other;
}

REAL slope_of(Arguments a, REAL x, uint sample_, uint class_, uint target, REAL grad)
{
    EXACT REAL softmax = exp_own(x - greatest_of(a, sample_)) / real_in(State(element_address(a.sum, sample_, 8u)).value);
    EXACT REAL slope = (softmax * whole_of(a, target) - share_of(a, class_, class_ == target)) * grad;
    return slope;
}
#endif

void main()
{
    Arguments a = Arguments(push.arguments);
    uint i = invocation_index(), sample_, at, place, to;
    if (i >= a.result.elements)
        return;
#ifdef OF_ELEMENTS
    sample_ = i / (a.classes * a.inner) * a.inner + i % a.inner;
#else
    sample_ = i;
#endif
    ELEMENT_NUMBER(to, a.result, i)
    ELEMENT_NUMBER(at, a.target, sample_)
    uvec2 target = Index(element_address(a.target.address, at, 8u)).value;
    bool counts = target != a.ignore;
#ifdef BACKWARD
    counts = counts && target.x == i / a.inner % a.classes;
#endif
    if (!counts) {
        parameter_write(a.result.address, to, a.wide != 0u, ZERO);
#ifndef OF_ELEMENTS
        if (a.wide != 0u)
            parameter_write(a.weights, i, true, WEIGHT_OF(ZERO));
#endif
        return;
    }
#ifdef SLOPE
    ELEMENT_NUMBER(place, a.input_, i)
    ELEMENT_NUMBER(at, a.gradient, sample_)
    EXACT REAL grad = element_read(a.gradient.address, at);
    if (a.total != uvec2(0u))
        grad = grad / real_in(State(a.total).value);
    REAL x = element_read(a.input_.address, place);
    element_write(a.result.address, to, slope_of(a, x, sample_, i / a.inner % a.classes, target.x, grad));
#else
    ELEMENT_NUMBER(place, a.weight, target.x)
#ifdef BACKWARD
    ELEMENT_NUMBER(at, a.gradient, sample_)
    REAL w = ONE, x = element_read(a.gradient.address, at);
#else
    ELEMENT_NUMBER(at, a.input_, (sample_ / a.inner * a.classes + target.x) * a.inner + sample_ % a.inner)
    REAL w = ONE, x = element_read(a.input_.address, at);
#endif
    if (a.weighs != 0u)
        w = element_read(a.weight.address, place);
#ifdef ENTROPY
    EXACT REAL result = w * (real_in(State(element_address(a.logarithm, sample_, 8u)).value) - (x - greatest_of(a, sample_)));
    if (smooths(a)) {
        EXACT REAL smooth_ = parameter(a.label) * result;
        EXACT REAL rest = parameter(a.other) * real_in(State(element_address(a.surprises, sample_, 8u)).value);
        result = smooth_ + rest;
    }
#else
    EXACT REAL result = -(w * x);
#endif
#ifdef BACKWARD
    if (a.total != uvec2(0u))
        result = result / real_in(State(a.total).value);
#else
    if (a.wide != 0u)
        parameter_write(a.weights, i, true, WEIGHT_OF(w));
#endif
    parameter_write(a.result.address, to, a.wide != 0u, result);
#endif
}
