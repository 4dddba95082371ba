// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// Route wide of normalizations: vectors of the elements of a group, the parts of groups, and sums over a workgroup,
// of two numbers or of ONE_SUM. Needs normalization.glsl and vectors.glsl.
layout(constant_id = 1) const uint VECTORS = 1u;     // that an invocation holds, at most VECTORS_MOST
layout(constant_id = 2) const uint PARAMETERS = 0u;  // how they are read
layout(constant_id = 5) const bool ALIGNED = false;  // every vector is whole and aligned
#define VECTORS_MOST 8
#define BY_ELEMENT 0u // each element has a channel of its own
#define OF_VECTOR 1u  // all elements of a vector have one channel and one group, or there are no parameters
#define AS_VECTOR 2u  // the elements of a vector have neighbouring channels, whose parameters are aligned vectors

uint top_of(REAL x)
{
    return HIGH(bits_of(x)) >> FRACTION_BITS & EXPONENT_ONES;
}

shared uint tops[gl_WorkGroupSize.x];

// As `total`; replaces `top` by the greatest one.
void joined(inout REAL first, inout REAL second, inout uint top)
{
    uint id = gl_LocalInvocationID.x;
    barrier();
    gathered[0][id] = bits_of(first);
#ifndef ONE_SUM
    gathered[1][id] = bits_of(second);
#endif
    tops[id] = top;
    barrier();
    [[dont_unroll]] for (uint step = gl_WorkGroupSize.x / 2u; step > 0u; step /= 2u) {
        if (id < step) {
            EXACT REAL sum = real_of(gathered[0][id]) + real_of(gathered[0][id + step]);
            gathered[0][id] = bits_of(sum);
#ifndef ONE_SUM
            EXACT REAL other = real_of(gathered[1][id]) + real_of(gathered[1][id + step]);
            gathered[1][id] = bits_of(other);
#endif
            tops[id] = max(tops[id], tops[id + step]);
        }
        barrier();
    }
    first = real_of(gathered[0][0]);
#ifndef ONE_SUM
    second = real_of(gathered[1][0]);
#endif
    top = tops[0];
}

// The elements of a group from the j-th on; those behind the first `count` are 0.
uvec4 group_vector(Arguments a, Line place, uint group, uint j, uint count)
{
    if (ALIGNED)
        return vector_read(place.address, place.offset + group_element(a, group, j), 1u, ELEMENT_SIZE, VECTOR);
    uvec4 v = uvec4(0u);
    for (uint k = 0u; k < VECTOR; k++) {
        uvec2 bits = uvec2(0u);
        if (k < count)
            bits = vector_element(place.address, place.offset + group_element(a, group, j + k), ELEMENT_SIZE);
        vector_put(v, k, bits, ELEMENT_SIZE);
    }
    return vector_whole(v, ELEMENT_SIZE);
}

// Scratch: PARTIAL_WORDS numbers of each part of a group.
#define PARTIAL_WORDS 4u

uvec2 partial_address(Arguments a, uint part, uint which)
{
    return element_address(a.partial, part * PARTIAL_WORDS + which, SIZE);
}
