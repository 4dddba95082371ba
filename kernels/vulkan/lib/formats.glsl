// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// Elements of operands whose formats are known when the pipeline is created: float32, float16 or bfloat16 read as
// float32 (MIXED; AUTOCAST: and rounded first), float64 alone, or int8 read as int32 (INT8). Needs kernel.glsl,
// half.glsl and, except for INT8, real.glsl.
layout(constant_id = 1) const uint FORMATS = 0u; // two bits each: a, b, bias, result, cast to; then the flags:
const bool A_BY_TERMS = (FORMATS & 0x400u) != 0u; // the elements of a lie side by side along the terms of a sum
const bool B_BY_TERMS = (FORMATS & 0x800u) != 0u;
const bool A_WHOLE = (FORMATS & 0x1000u) != 0u; // four elements that lie side by side may be read at once
const bool B_WHOLE = (FORMATS & 0x2000u) != 0u;
const bool NATIVE = (FORMATS & 0x4000u) != 0u; // the device converts float16 to float32 without flushing subnormals
const bool INSIDE = (FORMATS & 0x8000u) != 0u; // rows, columns and terms fill all tiles
const uint SINGLE = 0u, BINARY16 = 1u, BFLOAT16 = 2u;

uint format_of(uint which)
{
    return FORMATS >> 2u * which & 3u;
}

#if defined INT8
#extension GL_EXT_shader_8bit_storage : require
#define REAL int
#define REAL4 ivec4
#define ZERO 0
#define SIZE 4u
#define bits_of(x) uint(x)
#define real_of(x) int(x)
#define MULTIPLY_ADD(x, y, sum) (sum + x * y)
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Element { uint value; };
layout(buffer_reference, std430, buffer_reference_align = 1) readonly buffer Byte { uint8_t value; };

REAL format_load(uvec2 address, uint at, uint format)
{
    return int(uint(Byte(element_address(address, at, 1u)).value) << 24) >> 24;
}

#else
#define MULTIPLY_ADD(x, y, sum) fma(x, y, sum)
#ifdef FLOAT64
#define REAL4 dvec4
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Element { uvec2 value; };
#else
#define REAL4 vec4
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Element { uint value; };
#endif
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Element4 { uvec4 value; };
#ifdef MIXED
#extension GL_EXT_shader_16bit_storage : require
layout(buffer_reference, std430, buffer_reference_align = 2) buffer Narrow { uint16_t value; };
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Narrow4 { uvec2 value; };
layout(buffer_reference, std430, buffer_reference_align = 2) readonly buffer Half { float16_t value; };
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Half4 { f16vec4 value; };
#endif

REAL narrowed(REAL x) // as autocast rounds an operand
{
#ifdef AUTOCAST
    if (format_of(4u) == BINARY16)
        return half_to_float(float_to_half(x));
    if (format_of(4u) == BFLOAT16)
        return bfloat16_to_float(float_to_bfloat16(x));
#endif
    return x;
}

REAL format_load(uvec2 address, uint at, uint format)
{
#ifdef MIXED
    if (format == BINARY16 && NATIVE)
        return narrowed(float(Half(element_address(address, at, 2u)).value));
    if (format != SINGLE) {
        uint narrow = uint(Narrow(element_address(address, at, 2u)).value);
        return narrowed(format == BINARY16 ? half_to_float(narrow) : bfloat16_to_float(narrow));
    }
#endif
    return narrowed(real_of(Element(element_address(address, at, SIZE)).value));
}

void format_store(uvec2 address, uint at, REAL y)
{
#ifdef MIXED
    if (format_of(3u) != SINGLE) {
        uint narrow = format_of(3u) == BINARY16 ? float_to_half(y) : float_to_bfloat16(y);
        Narrow(element_address(address, at, 2u)).value = uint16_t(narrow);
        return;
    }
#endif
    Element(element_address(address, at, SIZE)).value = bits_of(y);
}

#endif

// Four elements whose numbers are `step` apart, from `at` on; zeros in place of those beyond the first `left`.
// `whole`: step is 1, and every `at` is a multiple of four.
REAL4 format_load4(uvec2 address, uint at, uint step, uint left, uint format, bool whole)
{
#if defined INT8
    if (whole && left >= 4u) {
        uint bytes = Element(element_address(address, at, 1u)).value;
        return ivec4(int(bytes << 24) >> 24, int(bytes << 16) >> 24, int(bytes << 8) >> 24, int(bytes) >> 24);
    }
#elif !defined FLOAT64
    if (whole && left >= 4u) {
#ifdef MIXED
        if (format == BINARY16 && NATIVE) {
            vec4 wide = vec4(Half4(element_address(address, at, 2u)).value);
            return vec4(narrowed(wide.x), narrowed(wide.y), narrowed(wide.z), narrowed(wide.w));
        }
        if (format != SINGLE) {
            uvec2 two = Narrow4(element_address(address, at, 2u)).value;
            uvec4 narrow = uvec4(two.x & 0xffffu, two.x >> 16, two.y & 0xffffu, two.y >> 16);
            vec4 wide;
            [[unroll]] for (uint j = 0u; j < 4u; j++)
                wide[j] = narrowed(format == BINARY16 ? half_to_float(narrow[j]) : bfloat16_to_float(narrow[j]));
            return wide;
        }
#endif
        uvec4 bits = Element4(element_address(address, at, 4u)).value;
        return vec4(narrowed(real_of(bits.x)), narrowed(real_of(bits.y)), narrowed(real_of(bits.z)),
                    narrowed(real_of(bits.w)));
    }
#endif
    REAL4 four = REAL4(ZERO);
    [[unroll]] for (uint j = 0u; j < 4u; j++) {
        if (j < left)
            four[j] = format_load(address, at + j * step, format);
    }
    return four;
}
