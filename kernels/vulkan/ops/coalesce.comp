// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// coalesce and to_dense (DENSE) of sorted entries. A place is a row and a column that have an entry.
//
// HEADS  writes 1 for the first entry of each place, else 0; sparse_order.scan then numbers the places
// FILL   fills the dense matrix with zeros
// SUM    sums the duplicates of a place, by the invocation of its first entry or by a workgroup (GROUP; each
//        workgroup examines every groups-th entry), and stores the sum under the number of the place or in the
//        dense matrix. An entry without duplicates is copied. If the number of places is not that of the output,
//        nothing is written.
//! variant heads -DHEADS
//! variant fill_float16 -DFILL -DFLOAT16
//! variant fill_bfloat16 -DFILL -DBFLOAT16
//! variant fill_float32 -DFILL
//! variant fill_float64 -DFILL -DFLOAT64
//! variant sum_float16 -DSUM -DFLOAT16
//! variant sum_bfloat16 -DSUM -DBFLOAT16
//! variant sum_float32 -DSUM
//! variant sum_float64 -DSUM -DFLOAT64
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sparse.glsl"
#include "element.glsl"
#include "sum.glsl"
layout(constant_id = 2) const bool DENSE = false;
layout(constant_id = 3) const bool GROUP = false;

struct Arguments { // struct coalesce_arguments
    View values, indices, result; // indices, result: outputs
    uvec2 row, column, order, number, total;
    uint entries, columns, groups, padding;
};
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer ArgumentsAt { Arguments value; };

bool before(Arguments a, uint x, uint y) // in the order of the places
{
    uint r = word(a.row, x), s = word(a.row, y);
    return r < s || (r == s && word(a.column, x) < word(a.column, y));
}

bool is_head(Arguments a, uint i)
{
    uint entry = word(a.order, i);
    return word(a.row, entry) != OUTSIDE && (i == 0u || before(a, word(a.order, i - 1u), entry));
}

uint end_of_place(Arguments a, uint first)
{
    uint entry = word(a.order, first), low = first + 1u, high = a.entries;
    while (low < high) {
        uint middle = (low + high) / 2u;
        if (before(a, entry, word(a.order, middle)))
            high = middle;
        else
            low = middle + 1u;
    }
    return low;
}

#ifdef SUM
void sum_place(Arguments a, uint first, uint to)
{
    uint lane = GROUP ? gl_LocalInvocationID.x : 0u, step = GROUP ? gl_WorkGroupSize.x : 1u;
    uint end = end_of_place(a, first);
    if (end == first + 1u) {
        if (lane == 0u)
            element_copy(a.result.address, to, a.values.address, AT1(a.values, word(a.order, first)));
        return;
    }
    REAL sum = ZERO;
    for (uint i = first + lane; i < end; i += step) {
        EXACT REAL next = sum + element_read(a.values.address, AT1(a.values, word(a.order, i)));
        sum = next;
    }
    if (GROUP)
        sum = workgroup_sum(sum);
    if (lane == 0u)
        element_write(a.result.address, to, sum);
}
#endif

#ifdef SUM
void store_place(Arguments a, uint i) // if entry i is the first of its place
{
    if (!is_head(a, i))
        return;
    uint entry = word(a.order, i), r = word(a.row, entry), c = word(a.column, entry);
    if (DENSE) {
        sum_place(a, i, AT2(a.result, r, c));
        return;
    }
    uint place = word(a.number, i);
    if (word(a.total, 0u) != a.result.elements)
        return;
    if (!GROUP || gl_LocalInvocationID.x == 0u) {
        index_store(a.indices.address, AT2(a.indices, 0u, place), r);
        index_store(a.indices.address, AT2(a.indices, 1u, place), c);
    }
    sum_place(a, i, AT1(a.result, place));
}
#endif

void main()
{
    Arguments a = ArgumentsAt(push.arguments).value;
#if defined HEADS
    uint i = invocation_index();
    if (i < a.entries)
        word_store(a.number, i, is_head(a, i) ? 1u : 0u);
#elif defined FILL
    uint i = invocation_index();
    if (i >= a.result.elements)
        return;
    uint r = i / a.columns;
    element_write(a.result.address, AT2(a.result, r, i - r * a.columns), ZERO);
#else
    if (GROUP) {
        for (uint i = group_index(); i < a.entries; i += a.groups)
            store_place(a, i);
    } else if (invocation_index() < a.entries) {
        store_place(a, invocation_index());
    }
#endif
}
