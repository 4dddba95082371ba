// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// alpha l r + beta v for each entry of a sparse matrix, where l r is the dot product of a row of `left` and a
// column of `right`, summed in the order of the terms: one entry per invocation. The row of a CSR entry is
// found by bisection in crow_indices.
//! variant float16 -DFLOAT16
//! variant bfloat16 -DBFLOAT16
//! variant float32 -DFLOAT32
//! variant float64 -DFLOAT64
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sparse.glsl"
#include "element.glsl"
#include "sum.glsl"
layout(constant_id = 2) const bool CSR = false;

struct Arguments { // struct sampled_arguments
    View left, right, values, result, indices, ccol; // indices: [2, n], or crow_indices
    uint rows, columns, inner, entries;
    uvec2 alpha, beta;
};
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer ArgumentsAt { Arguments value; };

uint row_of(Arguments a, uint entry) // the last row that begins at or before the entry
{
    if (!CSR)
        return index_load(a.indices.address, AT2(a.indices, 0u, entry), a.rows);
    uint low = 0u, high = a.rows;
    while (low + 1u < high) {
        uint middle = (low + high) / 2u;
        if (index_load(a.indices.address, AT1(a.indices, middle), a.entries + 1u) <= entry)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void main()
{
    Arguments a = ArgumentsAt(push.arguments).value;
    uint entry = invocation_index();
    if (entry >= a.result.elements)
        return;
    uint r = row_of(a, entry);
    uint c = CSR ? index_load(a.ccol.address, AT1(a.ccol, entry), a.columns)
                 : index_load(a.indices.address, AT2(a.indices, 1u, entry), a.columns);
    if (r == OUTSIDE || c == OUTSIDE)
        return;
    REAL sum = ZERO;
    for (uint k = 0u; k < a.inner; k++)
        sum = sum_of(sum, element_read(a.left.address, AT2(a.left, r, k)),
                     element_read(a.right.address, AT2(a.right, k, c)));
    if (CSR) {
        EXACT REAL scaled = parameter(a.alpha) * sum;
        sum = scaled;
        if (parameter(a.beta) != ZERO)
            sum = sum_of(sum, parameter(a.beta), element_read(a.values.address, AT1(a.values, entry)));
    }
    element_write(a.result.address, AT1(a.result, entry), sum);
}
