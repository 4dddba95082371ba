// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// Counts the iterations of a loop in one invocation; the host compares the count with the requested number. The
// body depends on its own result, so that no compiler can remove the loop.
//! variant loop
#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernel.glsl"
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Counter { uint count, mixed; };
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Arguments {
    uvec2 counter;
    uint iterations;
};

void main()
{
    Arguments a = Arguments(push.arguments);
    uint count = 0u, mixed = 1u;
    if (invocation_index() != 0u)
        return;
    for (uint i = 0u; i < a.iterations; i++) {
        mixed = mixed * 1664525u + 1013904223u + i;
        count++;
    }
    Counter(a.counter).mixed = mixed;
    Counter(a.counter).count = count;
}
