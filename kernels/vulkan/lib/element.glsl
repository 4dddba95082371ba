// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// Elements of any floating dtype, read as REAL (float64 for float64, else float32) and rounded once when written.
// Needs kernel.glsl; the dtype is named by FLOAT16, BFLOAT16, FLOAT64 or none of them.
#include "half.glsl"
#include "real.glsl"

#if defined FLOAT16 || defined BFLOAT16
#extension GL_EXT_shader_16bit_storage : require
layout(buffer_reference, std430, buffer_reference_align = 2) buffer Element { uint16_t value; };
#define ELEMENT_SIZE 2u
#elif defined FLOAT64
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Element { uvec2 value; };
#define ELEMENT_SIZE 8u
#else
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Element { uint value; };
#define ELEMENT_SIZE 4u
#endif

REAL element_read(uvec2 address, uint number)
{
#if defined FLOAT16
    return half_to_float(uint(Element(element_address(address, number, ELEMENT_SIZE)).value));
#elif defined BFLOAT16
    return bfloat16_to_float(uint(Element(element_address(address, number, ELEMENT_SIZE)).value));
#else
    return real_of(Element(element_address(address, number, ELEMENT_SIZE)).value);
#endif
}

void element_write(uvec2 address, uint number, REAL x)
{
#if defined FLOAT16
    Element(element_address(address, number, ELEMENT_SIZE)).value = uint16_t(float_to_half(x));
#elif defined BFLOAT16
    Element(element_address(address, number, ELEMENT_SIZE)).value = uint16_t(float_to_bfloat16(x));
#else
    Element(element_address(address, number, ELEMENT_SIZE)).value = bits_of(x);
#endif
}

// Copies an element bit by bit.
void element_copy(uvec2 to, uint to_number, uvec2 from, uint from_number)
{
    Element(element_address(to, to_number, ELEMENT_SIZE)).value =
        Element(element_address(from, from_number, ELEMENT_SIZE)).value;
}

// A parameter beside 16-bit elements may be float32 (`wide`).
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Single { float value; };

REAL parameter_read(uvec2 address, uint number, bool wide)
{
#if defined FLOAT16 || defined BFLOAT16
    if (wide)
        return Single(element_address(address, number, 4u)).value;
#endif
    return element_read(address, number);
}

void parameter_write(uvec2 address, uint number, bool wide, REAL x)
{
#if defined FLOAT16 || defined BFLOAT16
    if (wide) {
        Single(element_address(address, number, 4u)).value = x;
        return;
    }
#endif
    element_write(address, number, x);
}
