// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// Shared by the sparse kernels: indices of int32 or int64, values of every floating dtype, sorted entries.
//
// All views have at most two dimensions. An index that an earlier step has computed may be out of range,
// because the host does not know it: it becomes OUTSIDE, and its entry is skipped.
//
// The arguments are copied as a whole at the start of main (unused ones are not read), because a CPU driver
// reads data behind an address again for each use and each invocation.
#include "kernel.glsl"

layout(constant_id = 1) const bool WIDE_INDEX = true; // int64, else int32
const uint OUTSIDE = 0xffffffffu;

layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint value[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Index { uint value; };
layout(buffer_reference, std430, buffer_reference_align = 8) buffer IndexWide { uvec2 value; };

#define AT1(VIEW, i)    (VIEW.offset + (i) * VIEW.stride[5])
#define AT2(VIEW, i, j) (VIEW.offset + (i) * VIEW.stride[4] + (j) * VIEW.stride[5])

uint index_load(uvec2 address, uint at, uint limit)
{
    uvec2 index = WIDE_INDEX ? IndexWide(element_address(address, at, 8u)).value
                             : uvec2(Index(element_address(address, at, 4u)).value, 0u);
    return index.y == 0u && index.x < limit ? index.x : OUTSIDE;
}

void index_store(uvec2 address, uint at, uint index)
{
    if (WIDE_INDEX)
        IndexWide(element_address(address, at, 8u)).value = uvec2(index, 0u);
    else
        Index(element_address(address, at, 4u)).value = index;
}

uint word(uvec2 address, uint at)
{
    return Words(element_address(address, at, 4u)).value[0];
}

void word_store(uvec2 address, uint at, uint x)
{
    Words(element_address(address, at, 4u)).value[0] = x;
}
