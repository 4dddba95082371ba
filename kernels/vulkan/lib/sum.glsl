// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// Sums of products in REAL, and a sum over a workgroup. Needs kernel.glsl and real.glsl.
#include "workgroup_sum.glsl"

REAL sum_of(REAL sum, REAL a, REAL b) // sum + a b
{
    EXACT REAL product = a * b;
    EXACT REAL result = sum + product;
    return result;
}
