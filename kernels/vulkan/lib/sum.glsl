// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// Sums of products in REAL, and a sum over a workgroup. Needs kernel.glsl and real.glsl.
REAL sum_of(REAL sum, REAL a, REAL b) // sum + a b
{
#ifdef VARIANT_FMA
    return fma(a, b, sum);
#else
    EXACT REAL product = a * b;
    EXACT REAL result = sum + product;
    return result;
#endif
}

shared REAL gathered[gl_WorkGroupSize.x];

REAL workgroup_sum(REAL mine) // of every invocation's part; all of them must come here
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
