// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// Copies 16-byte vectors from line[0] to line[1], four in each invocation: the ceiling of what a kernel that reads
// and writes every byte once can reach. Neighbouring invocations copy neighbouring vectors, and all four are loaded
// before the first is stored, so that their loads overlap. copy_rate.c dispatches it.
//! variant vectors
#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernel.glsl"

layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Source { uvec4 value; };
layout(buffer_reference, std430, buffer_reference_align = 16) writeonly buffer Target { uvec4 value; };

const uint EACH = 4u; // COPY_EACH of copy_rate.c

void main()
{
    uint first = group_index() * EACH * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
    uvec4 value[EACH];
    [[unroll]] for (uint k = 0u; k < EACH; k++) {
        uint i = first + k * gl_WorkGroupSize.x;
        if (i < elements)
            value[k] = Source(element_address(line[0].address, i, 16u)).value;
    }
    [[unroll]] for (uint k = 0u; k < EACH; k++) {
        uint i = first + k * gl_WorkGroupSize.x;
        if (i < elements)
            Target(element_address(line[1].address, i, 16u)).value = value[k];
    }
}
