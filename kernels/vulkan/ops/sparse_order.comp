// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// Sorts COO entries by row (and column), stably: a radix sort of their numbers, with 4 bits per pass. It uses
// no atomics, so that the result is deterministic.
//
// LOAD   rows and columns of all entries as 32-bit words (all ones where out of range); order = identity
// COUNT  each invocation counts the 16 digits in its chunk of the current order
// SCAN   one workgroup replaces each count by the sum of those before it, and stores the sum of all in `total`
// PLACE  each invocation moves the entries of its chunk to the positions given by the scanned counts
//! variant load -DLOAD
//! variant count -DCOUNT
//! variant scan -DSCAN
//! variant place -DPLACE
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sparse.glsl"

struct Arguments { // struct order_arguments
    View indices;
    uvec2 row, column, order, next, key, table, total;
    uint entries, rows, columns, chunk, threads, shift, counts, padding;
};
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer ArgumentsAt { Arguments value; };

#ifdef SCAN
shared uint partial[gl_WorkGroupSize.x];

void scan(Arguments a)
{
    uint id = gl_LocalInvocationID.x, share = (a.counts + gl_WorkGroupSize.x - 1u) / gl_WorkGroupSize.x;
    uint first = min(id * share, a.counts), end = min(first + share, a.counts), sum = 0u, before = 0u;
    for (uint i = first; i < end; i++)
        sum += word(a.table, i);
    partial[id] = sum;
    barrier();
    for (uint i = 0u; i < id; i++)
        before += partial[i];
    if (id + 1u == gl_WorkGroupSize.x)
        word_store(a.total, 0u, before + sum);
    for (uint i = first; i < end; i++) {
        uint count = word(a.table, i);
        word_store(a.table, i, before);
        before += count;
    }
}
#endif

void main()
{
    Arguments a = ArgumentsAt(push.arguments).value;
    uint id = invocation_index();
#if defined LOAD
    if (id >= a.entries)
        return;
    uint row = index_load(a.indices.address, AT2(a.indices, 0u, id), a.rows);
    uint column = index_load(a.indices.address, AT2(a.indices, 1u, id), a.columns);
    bool outside = row == OUTSIDE || column == OUTSIDE;
    word_store(a.row, id, outside ? OUTSIDE : row);
    word_store(a.column, id, outside ? OUTSIDE : column);
    word_store(a.order, id, id);
#elif defined SCAN
    scan(a);
#else
    if (id >= a.threads)
        return;
    uint counter[16];
    [[dont_unroll]] for (uint d = 0u; d < 16u; d++)
#ifdef PLACE
        counter[d] = word(a.table, d * a.threads + id);
#else
        counter[d] = 0u;
#endif
    uint end = min(a.entries, (id + 1u) * a.chunk);
    for (uint i = id * a.chunk; i < end; i++) {
        uint entry = word(a.order, i), digit = word(a.key, entry) >> a.shift & 15u;
#ifdef PLACE
        word_store(a.next, counter[digit], entry);
#endif
        counter[digit]++;
    }
#ifdef COUNT
    [[dont_unroll]] for (uint d = 0u; d < 16u; d++)
        word_store(a.table, d * a.threads + id, counter[d]);
#endif
#endif
}
