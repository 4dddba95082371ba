// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// The main function of the element-wise operators in route wide (lib/elementwise.glsl): an invocation computes
// TERM for a vector of elements. A loop takes one element after the other, because an unrolled term of several
// hundred instructions would cost drivers seconds.
#if defined FLOAT16 || defined BFLOAT16
#define VECTOR 8u
#elif defined FLOAT64 || defined INT64
#define VECTOR 2u
#else
#define VECTOR 4u
#endif
#if defined TEST || defined TEST_FLOAT
#define RESULT_SIZE 1u
#define STORES_8
#else
#define RESULT_SIZE ELEMENT_SIZE
#if defined FLOAT16 || defined BFLOAT16
#define STORES_16
#endif
#endif
#include "wide.glsl"

#if defined FLOAT16 && defined VALUE_IS_REAL
#include "half_native.glsl"
#endif

#ifdef VALUE_IS_REAL
#if defined FLOAT16
#define OF_BITS(bits) half_value(bits.x)
#define TO_BITS(x) uvec2(half_bits(x), 0u)
#elif defined BFLOAT16
#define OF_BITS(bits) bfloat16_to_float(bits.x)
#define TO_BITS(x) uvec2(float_to_bfloat16(x), 0u)
#elif defined FLOAT64
#define OF_BITS(bits) real_of(bits)
#define TO_BITS(x) bits_of(x)
#else
#define OF_BITS(bits) real_of(bits.x)
#define TO_BITS(x) uvec2(bits_of(x), 0u)
#endif
#elif defined FLOAT64 || defined INT64
#define OF_BITS(bits) bits
#define TO_BITS(x) x
#else
#define OF_BITS(bits) bits.x
#define TO_BITS(x) uvec2(x, 0u)
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
    for (uint k = 0u; k < VECTOR; k++) {
#ifdef CONDITION
        bool condition = vector_take(xs, k, 1u).x != 0u;
#else
        uvec2 x_bits = vector_take(xs, k, ELEMENT_SIZE);
        VALUE x = OF_BITS(x_bits);
#endif
#if OPERANDS > 1
        uvec2 y_bits = vector_take(ys, k, ELEMENT_SIZE);
        VALUE y = OF_BITS(y_bits);
#endif
#if OPERANDS > 2
        uvec2 z_bits = vector_take(zs, k, ELEMENT_SIZE);
        VALUE z = OF_BITS(z_bits);
#endif
#if defined TEST || defined TEST_FLOAT
        uvec2 bits = uvec2(RESULT ? 1u : 0u, 0u);
#elif defined VALUE_IS_REAL
        EXACT REAL result = RESULT;
        uvec2 bits = TO_BITS(finished(result));
#else
        VALUE result = RESULT;
        uvec2 bits = TO_BITS(result);
#endif
        vector_put(results, k, bits, RESULT_SIZE);
    }
    VECTOR_WRITE(results, line[3], a.result, RESULT_SIZE)
}
