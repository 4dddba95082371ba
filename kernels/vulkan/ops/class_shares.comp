// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// cross_entropy with class probabilities as targets. For each element of the input `terms` writes the share of
// its class (its smoothed target probability times its weight), if `surprises` times -log_softmax, to scratch
// memory, sample by sample; `slope` writes the gradient. class_shares.c fills the arguments.
//! variant terms.float16 -DFLOAT16
//! variant terms.bfloat16 -DBFLOAT16
//! variant terms.float32
//! variant terms.float64 -DFLOAT64
//! variant slope.float16 -DFLOAT16 -DSLOPE
//! variant slope.bfloat16 -DBFLOAT16 -DSLOPE
//! variant slope.float32 -DSLOPE
//! variant slope.float64 -DFLOAT64 -DSLOPE
#version 460
#extension GL_GOOGLE_include_directive : require
#include "operands.glsl"
#ifdef FLOAT64
#include "exp64.glsl"
#define exp_own exp_reduced
#endif

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer State { uvec2 value; };
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Arguments {
    View input_, target, weight, gradient, result;
    uvec2 greatest, logarithm, unused, sum; // scratch: for each sample, as vk_rows_logarithms returns them
    uvec2 whole;                            // scratch: for each sample, the sum of the shares of its classes
    uvec2 label, other;                     // 1 - label_smoothing; label_smoothing / classes
    uvec2 count;                            // the number of samples
    uint classes, inner, weighs, smooths;
    uint surprises, divides; // 1: terms are multiplied by -log_softmax; 1: the loss is a mean
};

#ifdef FLOAT64
REAL real_at(uvec2 states, uint i) { return real_of(State(element_address(states, i, 8u)).value); }
#else
REAL real_at(uvec2 states, uint i) { return real_of(State(element_address(states, i, 8u)).value.x); }
#endif

REAL share_of(Arguments a, uint i, uint class_)
{
    uint at, place;
    ELEMENT_NUMBER(at, a.target, i)
    ELEMENT_NUMBER(place, a.weight, class_)
    EXACT REAL share = element_read(a.target.address, at);
    if (a.smooths != 0u)
        share = parameter(a.label) * share + parameter(a.other);
    if (a.weighs != 0u)
        share = element_read(a.weight.address, place) * share;
    return share;
}

// The input less the greatest input of its sample.
REAL apart(Arguments a, uint i, uint sample_)
{
    uint at;
    ELEMENT_NUMBER(at, a.input_, i)
    REAL lead = element_read(a.greatest, sample_ * (8u / ELEMENT_SIZE));
    EXACT REAL difference = element_read(a.input_.address, at) - lead;
    return difference;
}

void main()
{
    Arguments a = Arguments(push.arguments);
    uint i = invocation_index();
    if (i >= a.input_.elements)
        return;
    uint sample_ = i / (a.classes * a.inner) * a.inner + i % a.inner, class_ = i / a.inner % a.classes;
    REAL share = share_of(a, i, class_);
#ifdef SLOPE
    uint at, to;
    ELEMENT_NUMBER(at, a.gradient, sample_)
    ELEMENT_NUMBER(to, a.result, i)
    EXACT REAL grad = element_read(a.gradient.address, at);
    if (a.divides != 0u)
        grad = grad / parameter(a.count);
    REAL whole = real_at(a.whole, sample_);
    EXACT REAL softmax = exp_own(apart(a, i, sample_)) / real_at(a.sum, sample_);
    EXACT REAL slope = (softmax * whole - share) * grad;
    element_write(a.result.address, to, slope);
#else
    EXACT REAL term = share;
    if (a.surprises != 0u)
        term = share * (real_at(a.logarithm, sample_) - apart(a, i, sample_));
    parameter_write(a.result.address, sample_ * a.classes + class_, true, term);
#endif
}
