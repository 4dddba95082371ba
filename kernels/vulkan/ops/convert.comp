// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// copy_, to and clone: converts one element per invocation, or those of 16 bytes (WIDE), to another dtype, or
// copies its bits. Results are
// rounded once, to nearest even; floats are truncated to integers; integers are taken modulo 2^bits; a bool is
// true if a bit other than the sign is set. Integers are computed in two words, whatever their width. float64
// and integers are converted to a 16-bit type through a float32 that is rounded to odd, which equals one
// rounding (Boldo and Melquiond, IEEE Trans. Computers 57 (2008)), in integer arithmetic, so that shaderFloat64
// is not needed.
//! variant float16_bfloat16 -DFROM_FLOAT16 -DTO_BFLOAT16
//! variant float16_float32 -DFROM_FLOAT16 -DTO_FLOAT32
//! variant float16_float64 -DFROM_FLOAT16 -DTO_FLOAT64
//! variant float16_int8 -DFROM_FLOAT16 -DTO_INT8
//! variant float16_uint8 -DFROM_FLOAT16 -DTO_UINT8
//! variant float16_int32 -DFROM_FLOAT16 -DTO_INT32
//! variant float16_int64 -DFROM_FLOAT16 -DTO_INT64
//! variant float16_bool -DFROM_FLOAT16 -DTO_BOOL
//! variant bfloat16_float16 -DFROM_BFLOAT16 -DTO_FLOAT16
//! variant bfloat16_float32 -DFROM_BFLOAT16 -DTO_FLOAT32
//! variant bfloat16_float64 -DFROM_BFLOAT16 -DTO_FLOAT64
//! variant bfloat16_int8 -DFROM_BFLOAT16 -DTO_INT8
//! variant bfloat16_uint8 -DFROM_BFLOAT16 -DTO_UINT8
//! variant bfloat16_int32 -DFROM_BFLOAT16 -DTO_INT32
//! variant bfloat16_int64 -DFROM_BFLOAT16 -DTO_INT64
//! variant bfloat16_bool -DFROM_BFLOAT16 -DTO_BOOL
//! variant float32_float16 -DFROM_FLOAT32 -DTO_FLOAT16
//! variant float32_bfloat16 -DFROM_FLOAT32 -DTO_BFLOAT16
//! variant float32_float64 -DFROM_FLOAT32 -DTO_FLOAT64
//! variant float32_int8 -DFROM_FLOAT32 -DTO_INT8
//! variant float32_uint8 -DFROM_FLOAT32 -DTO_UINT8
//! variant float32_int32 -DFROM_FLOAT32 -DTO_INT32
//! variant float32_int64 -DFROM_FLOAT32 -DTO_INT64
//! variant float32_bool -DFROM_FLOAT32 -DTO_BOOL
//! variant float64_float16 -DFROM_FLOAT64 -DTO_FLOAT16
//! variant float64_bfloat16 -DFROM_FLOAT64 -DTO_BFLOAT16
//! variant float64_float32 -DFROM_FLOAT64 -DTO_FLOAT32
//! variant float64_int8 -DFROM_FLOAT64 -DTO_INT8
//! variant float64_uint8 -DFROM_FLOAT64 -DTO_UINT8
//! variant float64_int32 -DFROM_FLOAT64 -DTO_INT32
//! variant float64_int64 -DFROM_FLOAT64 -DTO_INT64
//! variant float64_bool -DFROM_FLOAT64 -DTO_BOOL
//! variant int8_float16 -DFROM_INT8 -DTO_FLOAT16
//! variant int8_bfloat16 -DFROM_INT8 -DTO_BFLOAT16
//! variant int8_float32 -DFROM_INT8 -DTO_FLOAT32
//! variant int8_float64 -DFROM_INT8 -DTO_FLOAT64
//! variant int8_uint8 -DFROM_INT8 -DTO_UINT8
//! variant int8_int32 -DFROM_INT8 -DTO_INT32
//! variant int8_int64 -DFROM_INT8 -DTO_INT64
//! variant int8_bool -DFROM_INT8 -DTO_BOOL
//! variant uint8_float16 -DFROM_UINT8 -DTO_FLOAT16
//! variant uint8_bfloat16 -DFROM_UINT8 -DTO_BFLOAT16
//! variant uint8_float32 -DFROM_UINT8 -DTO_FLOAT32
//! variant uint8_float64 -DFROM_UINT8 -DTO_FLOAT64
//! variant uint8_int8 -DFROM_UINT8 -DTO_INT8
//! variant uint8_int32 -DFROM_UINT8 -DTO_INT32
//! variant uint8_int64 -DFROM_UINT8 -DTO_INT64
//! variant uint8_bool -DFROM_UINT8 -DTO_BOOL
//! variant int32_float16 -DFROM_INT32 -DTO_FLOAT16
//! variant int32_bfloat16 -DFROM_INT32 -DTO_BFLOAT16
//! variant int32_float32 -DFROM_INT32 -DTO_FLOAT32
//! variant int32_float64 -DFROM_INT32 -DTO_FLOAT64
//! variant int32_int8 -DFROM_INT32 -DTO_INT8
//! variant int32_uint8 -DFROM_INT32 -DTO_UINT8
//! variant int32_int64 -DFROM_INT32 -DTO_INT64
//! variant int32_bool -DFROM_INT32 -DTO_BOOL
//! variant int64_float16 -DFROM_INT64 -DTO_FLOAT16
//! variant int64_bfloat16 -DFROM_INT64 -DTO_BFLOAT16
//! variant int64_float32 -DFROM_INT64 -DTO_FLOAT32
//! variant int64_float64 -DFROM_INT64 -DTO_FLOAT64
//! variant int64_int8 -DFROM_INT64 -DTO_INT8
//! variant int64_uint8 -DFROM_INT64 -DTO_UINT8
//! variant int64_int32 -DFROM_INT64 -DTO_INT32
//! variant int64_bool -DFROM_INT64 -DTO_BOOL
//! variant bool_float16 -DFROM_BOOL -DTO_FLOAT16
//! variant bool_bfloat16 -DFROM_BOOL -DTO_BFLOAT16
//! variant bool_float32 -DFROM_BOOL -DTO_FLOAT32
//! variant bool_float64 -DFROM_BOOL -DTO_FLOAT64
//! variant bool_int8 -DFROM_BOOL -DTO_INT8
//! variant bool_uint8 -DFROM_BOOL -DTO_UINT8
//! variant bool_int32 -DFROM_BOOL -DTO_INT32
//! variant bool_int64 -DFROM_BOOL -DTO_INT64
//! variant bits8 -DBITS=8
//! variant bits16 -DBITS=16
//! variant bits32 -DBITS=32
//! variant bits64 -DBITS=64
//! wide
#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernel.glsl"
#include "half.glsl"
#include "convert.glsl"

#ifdef WIDE
#define VECTOR (16u / (SOURCE_SIZE > RESULT_SIZE ? SOURCE_SIZE : RESULT_SIZE))
#define STORES_8
#define STORES_16
#include "wide.glsl"

uvec2 bits_of(uint x) { return uvec2(x, 0u); }
uvec2 bits_of(uvec2 x) { return x; }

void main()
{
    Arguments a = Arguments(push.arguments);
    uint first = invocation_index() * VECTOR;
    if (first >= elements)
        return;
    uint count = min(elements - first, VECTOR);
    uvec4 xs, results = uvec4(0u);
    VECTOR_READ(xs, line[0], a.from, SOURCE_SIZE)
#ifdef BITS
    results = xs;
#else
    [[unroll]] for (uint k = 0u; k < LANES; k++) {
        uvec2 bits = vector_take(xs, k, SOURCE_SIZE);
#if defined FROM_FLOAT64 || defined FROM_INT64
        vector_put(results, k, bits_of(converted(bits)), RESULT_SIZE);
#else
        vector_put(results, k, bits_of(converted(bits.x)), RESULT_SIZE);
#endif
    }
#endif
    VECTOR_WRITE(results, line[1], a.result, RESULT_SIZE)
}
#else
void main()
{
    Arguments a = Arguments(push.arguments);
    uint i = invocation_index(), from, to;
    if (i >= elements)
        return;
    LINE_NUMBER(from, line[0], a.from, i)
    LINE_NUMBER(to, line[1], a.result, i)
    WRITE(line[1].address, converted(READ(line[0].address)));
}
#endif
