// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// Route wide of normalizations: vectors of the elements of a group, the parts of groups, and sums over a workgroup,
// of two numbers or of ONE_SUM. Needs normalization.glsl and vectors.glsl.
layout(constant_id = 1) const uint VECTORS = 1u;     // that an invocation holds, at most VECTORS_MOST
layout(constant_id = 2) const uint PARAMETERS = 0u;  // how they are read
// Every vector is aligned and lies in one piece. Where a shader takes the vectors of a group, each is also whole.
layout(constant_id = 5) const bool ALIGNED = false;
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

// Sets v to `count` elements of VIEW, of which the k-th has the row-major number `at`, and zeros behind them.
#define ELEMENTS_READ(v, LINE, VIEW, count, at)                                                                        \
    {                                                                                                                  \
        v = uvec4(0u);                                                                                                 \
        for (uint k = 0u; k < VECTOR; k++) {                                                                           \
            uvec2 bits_ = uvec2(0u);                                                                                   \
            if (k < (count)) {                                                                                         \
                uint number_;                                                                                          \
                LINE_NUMBER(number_, LINE, VIEW, at)                                                                   \
                bits_ = vector_element(LINE.address, number_, ELEMENT_SIZE);                                           \
            }                                                                                                          \
            vector_put(v, k, bits_, ELEMENT_SIZE);                                                                     \
        }                                                                                                              \
        v = vector_whole(v, ELEMENT_SIZE);                                                                             \
    }

// Writes the first `count` elements of v, of which the k-th has the row-major number `at` in VIEW.
#define ELEMENTS_WRITE(v, LINE, VIEW, count, at)                                                                       \
    {                                                                                                                  \
        v = vector_whole(v, ELEMENT_SIZE);                                                                             \
        for (uint k = 0u; k < VECTOR; k++) {                                                                           \
            uvec2 bits_ = vector_take(v, k, ELEMENT_SIZE);                                                             \
            if (k < (count)) {                                                                                         \
                uint number_;                                                                                          \
                LINE_NUMBER(number_, LINE, VIEW, at)                                                                   \
                vector_element_write(LINE.address, number_, ELEMENT_SIZE, bits_);                                      \
            }                                                                                                          \
        }                                                                                                              \
    }

// Sets v to `count` elements of a group from the j-th on, and zeros behind them.
#define GROUP_READ(v, LINE, VIEW, group, j, count)                                                                     \
    {                                                                                                                  \
        if (ALIGNED)                                                                                                   \
            v = vector_read(LINE.address, LINE.offset + group_element(a, group, j), 1u, ELEMENT_SIZE, VECTOR);         \
        else                                                                                                           \
            ELEMENTS_READ(v, LINE, VIEW, count, group_element(a, group, j + k))                                        \
    }

// Sets v to `count` elements from row-major number i on, and zeros behind them.
#define LINE_READ(v, LINE, VIEW, i, count)                                                                             \
    {                                                                                                                  \
        if (ALIGNED)                                                                                                   \
            v = vector_read(LINE.address, LINE.offset + i, 1u, ELEMENT_SIZE, count);                                   \
        else                                                                                                           \
            ELEMENTS_READ(v, LINE, VIEW, count, i + k)                                                                 \
    }

#define LINE_WRITE(v, LINE, VIEW, i, count)                                                                            \
    {                                                                                                                  \
        if (ALIGNED)                                                                                                   \
            vector_write(LINE.address, LINE.offset + i, ELEMENT_SIZE, count, v);                                       \
        else                                                                                                           \
            ELEMENTS_WRITE(v, LINE, VIEW, count, i + k)                                                                \
    }

// Scratch: PARTIAL_WORDS numbers of each part of a group.
#define PARTIAL_WORDS 4u

uvec2 partial_address(Arguments a, uint part, uint which)
{
    return element_address(a.partial, part * PARTIAL_WORDS + which, SIZE);
}
