// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// Sparse times dense: alpha A D + beta C. Each element is summed by one invocation, or by a workgroup (GROUP)
// if a row may be long. The entries of a row are found by bisection in the sorted order (COO) or from two
// crow_indices (CSR). They are summed in their order, or each 64th by an invocation and then by a tree: at most
// nnz(row) - 1 additions. The result is deterministic.
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
layout(constant_id = 3) const bool GROUP = false;

struct Arguments { // struct mm_arguments
    View values, dense, result, start, crow, ccol;
    uvec2 row, column, order;
    uint entries, inner, columns, scaled; // inner: rows of the dense operand; columns: of the result
    uvec2 alpha, beta;
    uint groups, turn;
};
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer ArgumentsAt { Arguments value; };

uint first_of_row(Arguments a, uint r) // the first position in the sorted order whose row is not below r
{
    uint low = 0u, high = a.entries;
    while (low < high) {
        uint middle = (low + high) / 2u;
        if (word(a.row, word(a.order, middle)) < r)
            low = middle + 1u;
        else
            high = middle;
    }
    return low;
}

uint boundary(Arguments a, uint r)
{
    if (!CSR)
        return first_of_row(a, r);
    return min(index_load(a.crow.address, AT1(a.crow, r), a.entries + 1u), a.entries);
}

uint column_of(Arguments a, uint i, uint entry)
{
    return CSR ? index_load(a.ccol.address, AT1(a.ccol, i), a.inner) : word(a.column, entry);
}

bool counts(Arguments a, uint i, uint end, uint column)
{
    return column != OUTSIDE;
}

void compute(Arguments a, uint element)
{
    uint r = element / a.columns, j = element - r * a.columns;
    uint lane = GROUP ? gl_LocalInvocationID.x : 0u, step = GROUP ? gl_WorkGroupSize.x : 1u;
    uint first = boundary(a, r), end = boundary(a, r + 1u);
    REAL sum = ZERO;
    for (uint next = first + lane; next < end; next += step) {
        uint i = next;
        uint entry = CSR ? i : word(a.order, i), column = column_of(a, i, entry);
        if (!counts(a, i, end, column))
            continue;
        REAL v = element_read(a.values.address, AT1(a.values, entry));
        sum = sum_of(sum, v, element_read(a.dense.address, AT2(a.dense, column, j)));
    }
    if (GROUP)
        sum = workgroup_sum(sum);
    if (lane != 0u)
        return;
    if (a.scaled != 0u) {
        EXACT REAL scaled = parameter(a.alpha) * sum;
        sum = scaled;
        if (parameter(a.beta) != ZERO)
            sum = sum_of(sum, parameter(a.beta), element_read(a.start.address, AT2(a.start, r, j)));
    }
    element_write(a.result.address, AT2(a.result, r, j), sum);
}

void main()
{
    Arguments a = ArgumentsAt(push.arguments).value;
    if (GROUP) {
        for (uint element = group_index(); element < a.result.elements; element += a.groups)
            compute(a, element);
    } else if (invocation_index() < a.result.elements) {
        compute(a, invocation_index());
    }
}
