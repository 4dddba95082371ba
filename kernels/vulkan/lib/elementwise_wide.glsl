// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// The main function of the element-wise operators in route wide (lib/elementwise.glsl): an invocation computes
// TERM for a vector of elements.
#if defined TEST || defined TEST_FLOAT
#define RESULT_SIZE 1u
#define STORES_8
#else
#define RESULT_SIZE ELEMENT_SIZE
#endif
#ifndef VALUE_IS_REAL
#define WORDS_ALONE
#endif
#include "vectors.glsl"
#ifdef VALUE_IS_REAL
#define VALUE_OF(bits) REAL_OF(bits)
#else
#define VALUE_OF(bits) WORD_OF(bits)
#endif

void main()
{
    Arguments a = Arguments(push.arguments);
    uint first = invocation_index() * VECTOR;
    if (first >= elements)
        return;
    uint count = min(elements - first, VECTOR);
    uvec4 xs, ys, zs, results = uvec4(0u);
#ifdef CONDITION
    VECTOR_READ(xs, line[0], a.operand[0], 1u)
#else
    VECTOR_READ(xs, line[0], a.operand[0], ELEMENT_SIZE)
#endif
#if OPERANDS > 1
    VECTOR_READ(ys, line[1], a.operand[1], ELEMENT_SIZE)
#endif
#if OPERANDS > 2
    VECTOR_READ(zs, line[2], a.operand[2], ELEMENT_SIZE)
#endif
    [[unroll]] for (uint k = 0u; k < LANES; k++) {
#ifdef CONDITION
        bool condition = vector_take(xs, k, 1u).x != 0u;
#else
        uvec2 x_bits = vector_take(xs, k, ELEMENT_SIZE);
        VALUE x = VALUE_OF(x_bits);
#endif
#if OPERANDS > 1
        uvec2 y_bits = vector_take(ys, k, ELEMENT_SIZE);
        VALUE y = VALUE_OF(y_bits);
#endif
#if OPERANDS > 2
        uvec2 z_bits = vector_take(zs, k, ELEMENT_SIZE);
        VALUE z = VALUE_OF(z_bits);
#endif
#if defined TEST || defined TEST_FLOAT
        uvec2 bits = uvec2(RESULT ? 1u : 0u, 0u);
#elif defined VALUE_IS_REAL
        EXACT REAL result = RESULT;
        uvec2 bits = BITS_OF(finished(result));
#else
        VALUE result = RESULT;
        uvec2 bits = BITS_OF_WORD(result);
#endif
        vector_put(results, k, bits, RESULT_SIZE);
    }
    VECTOR_WRITE(results, line[3], a.result, RESULT_SIZE)
}
