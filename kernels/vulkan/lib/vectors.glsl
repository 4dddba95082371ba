// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// Vectors (wide.glsl) of elements of a dtype: its elements as numbers, REAL_OF and BITS_OF, and as words, WORD_OF
// and BITS_OF_WORD. Needs operands.glsl. A shader that takes no element as a number defines WORDS_ALONE, so that
// it does not need shaderFloat16.
#if defined FLOAT16 || defined BFLOAT16
#define VECTOR 8u
#define STORES_16
#elif defined FLOAT64 || defined INT64
#define VECTOR 2u
#else
#define VECTOR 4u
#endif
#include "wide.glsl"

#if defined INT32 || defined INT64 || defined WORDS_ALONE
#elif defined FLOAT16
#include "half_native.glsl"
#define REAL_OF(bits) half_value(bits.x)
#define BITS_OF(x) uvec2(half_bits(x), 0u)
#elif defined BFLOAT16
#define REAL_OF(bits) bfloat16_to_float(bits.x)
#define BITS_OF(x) uvec2(float_to_bfloat16(x), 0u)
#elif defined FLOAT64
#define REAL_OF(bits) real_of(bits)
#define BITS_OF(x) bits_of(x)
#else
#define REAL_OF(bits) real_of(bits.x)
#define BITS_OF(x) uvec2(bits_of(x), 0u)
#endif
#if defined FLOAT64 || defined INT64
#define WORD_OF(bits) bits
#define BITS_OF_WORD(x) x
#else
#define WORD_OF(bits) bits.x
#define BITS_OF_WORD(x) uvec2(x, 0u)
#endif
