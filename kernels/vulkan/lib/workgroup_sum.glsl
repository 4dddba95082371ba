// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// A sum of REAL over a workgroup, by a binary tree. Needs kernel.glsl and real.glsl.
shared REAL gathered[gl_WorkGroupSize.x];

REAL workgroup_sum(REAL mine) // the sum of `mine` over all invocations, every one of which must call it
{
    uint id = gl_LocalInvocationID.x;
    gathered[id] = mine;
    barrier();
    [[dont_unroll]] for (uint step = gl_WorkGroupSize.x / 2u; step > 0u; step /= 2u) {
        if (id < step) {
            EXACT REAL sum = gathered[id] + gathered[id + step];
            gathered[id] = sum;
        }
        barrier();
    }
    REAL sum = gathered[0];
    barrier(); // before the next sum overwrites it
    return sum;
}
