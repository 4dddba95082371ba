// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// sparse_transpose: strided copies. The host exchanges the two rows of the indices by a stride of flipped sign.
//! variant bits16 -DBITS16
//! variant bits32
//! variant bits64 -DBITS64
#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernel.glsl"

#if defined BITS16
#extension GL_EXT_shader_16bit_storage : require
layout(buffer_reference, std430, buffer_reference_align = 2) buffer Element { uint16_t value; };
#define SIZE 2u
#elif defined BITS64
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Element { uvec2 value; };
#define SIZE 8u
#else
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Element { uint value; };
#define SIZE 4u
#endif

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Arguments {
    View from, to;
};

void main()
{
    Arguments a = Arguments(push.arguments);
    uint i = invocation_index(), source, target;
    if (i >= a.to.elements)
        return;
    ELEMENT_NUMBER(source, a.from, i)
    ELEMENT_NUMBER(target, a.to, i)
    Element(element_address(a.to.address, target, SIZE)).value =
        Element(element_address(a.from.address, source, SIZE)).value;
}
