// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// argmax and argmin: the index of the greatest (least) element of each reduction. A reduction is divided into
// parts of `chunk` elements.
//
// PART   one workgroup per part: the key and index of its leading element
// JOIN   one workgroup per result: the leading element of the parts; the index is stored as int64
//
// Every invocation examines each 64th element; a tree joins the invocations. Elements are compared by keys,
// unsigned integers in the order of the elements, with equal keys for ±0 and the greatest for NaN, so that no
// device flushes a subnormal. The first of equal elements leads.
//! variant part_float16 -DPART -DFLOAT16
//! variant part_bfloat16 -DPART -DBFLOAT16
//! variant part_float32 -DPART -DFLOAT32
//! variant part_float64 -DPART -DFLOAT64
//! variant part_int32 -DPART -DINT32
//! variant part_int64 -DPART -DINT64
//! variant join_32
//! variant join_64 -DWIDE
#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernel.glsl"

#if defined FLOAT64 || defined INT64
#define WIDE
#endif
#ifdef WIDE
#define WORD uvec2
#define SIZE 8u
#define HIGH(w) w.y
#else
#define WORD uint
#define SIZE 4u
#define HIGH(w) w
#endif

#if defined FLOAT16 || defined BFLOAT16
#extension GL_EXT_shader_16bit_storage : require
layout(buffer_reference, std430, buffer_reference_align = 2) readonly buffer Element { uint16_t value; };
#define ELEMENT_SIZE 2u
#else
layout(buffer_reference, std430, buffer_reference_align = SIZE) readonly buffer Element { WORD value; };
#define ELEMENT_SIZE SIZE
#endif

#if defined FLOAT16
#define INFINITE 0x7c000000u
#elif defined BFLOAT16 || defined FLOAT32
#define INFINITE 0x7f800000u
#elif defined FLOAT64
#define INFINITE 0x7ff00000u
#endif

layout(buffer_reference, std430, buffer_reference_align = SIZE) coherent buffer Words { WORD value; };
layout(buffer_reference, std430, buffer_reference_align = 4) coherent buffer Places { uint value; };
layout(buffer_reference, std430, buffer_reference_align = 8) writeonly buffer Result { uvec2 value; };

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Arguments {
    View kept, reduced; // the input's dimensions: element = kept[result] + reduced[term]
    View result;
    uvec2 keys, places; // scratch: results * parts of each
    uint terms, parts, chunk, least;
};

// Pushed: kept with its number of elements, reduced with its number of terms, and result.
bool least;

#define NOWHERE 0xffffffffu

struct Leader {
    WORD key;
    uint place; // NOWHERE: no element yet
};

bool exceeds(WORD a, WORD b)
{
#ifdef WIDE
    return a.y > b.y || (a.y == b.y && a.x > b.x);
#else
    return a > b;
#endif
}

Leader leading(Leader a, Leader b)
{
    bool later = b.place > a.place;
    if (b.place == NOWHERE || a.place == NOWHERE)
        return a.place == NOWHERE ? b : a;
    if (exceeds(b.key, a.key) || (b.key == a.key && !later))
        return b;
    return a;
}

#ifdef PART
// The key of element i: an unsigned integer that increases with the element, or, for argmin, decreases.
WORD key_at(Arguments a, uint base, uint i)
{
    uint at;
    LINE_NUMBER(at, line[1], a.reduced, i)
    at += base;
#if defined FLOAT16 || defined BFLOAT16
    uint bits = uint(Element(element_address(line[0].address, at, ELEMENT_SIZE)).value) << 16;
#else
    WORD bits = Element(element_address(line[0].address, at, ELEMENT_SIZE)).value;
#endif
#ifdef INFINITE
    WORD magnitude = bits;
    HIGH(magnitude) &= 0x7fffffffu;
    WORD infinite = WORD(0u);
    HIGH(infinite) = INFINITE;
    if (exceeds(magnitude, infinite)) // NaN
        return WORD(0xffffffffu);
    if (magnitude == WORD(0u))
        bits = magnitude;
    if ((HIGH(bits) & 0x80000000u) != 0u)
        bits = ~bits;
    else
        HIGH(bits) |= 0x80000000u;
#else
    HIGH(bits) ^= 0x80000000u;
#endif
    if (least)
        bits = ~bits;
    return bits;
}
#endif

shared WORD key_of[gl_WorkGroupSize.x];
shared uint place_of[gl_WorkGroupSize.x];

Leader leader_of(Leader mine) // the leader of the workgroup; valid in invocation 0
{
    uint id = gl_LocalInvocationID.x;
    key_of[id] = mine.key;
    place_of[id] = mine.place;
    barrier();
    [[dont_unroll]] for (uint step = gl_WorkGroupSize.x / 2u; step > 0u; step /= 2u) {
        if (id < step) {
            mine = leading(mine, Leader(key_of[id + step], place_of[id + step]));
            key_of[id] = mine.key;
            place_of[id] = mine.place;
        }
        barrier();
    }
    return mine;
}

void main()
{
    Arguments a = Arguments(push.arguments);
    uint group = group_index(), id = gl_LocalInvocationID.x;
    uint parts = a.parts;
    Leader mine = Leader(WORD(0u), NOWHERE);
    least = a.least != 0u;
#ifdef PART
    if (group >= elements * parts)
        return;
    uint base, part = group % parts, chunk = a.chunk, first = part * chunk, end = min(more, first + chunk);
    LINE_NUMBER(base, line[0], a.kept, group / parts)
    for (uint i = first + id; i < end; i += gl_WorkGroupSize.x)
        mine = leading(mine, Leader(key_at(a, base, i), i));
    mine = leader_of(mine);
    if (id == 0u) {
        Words(element_address(a.keys, group, SIZE)).value = mine.key;
        Places(element_address(a.places, group, 4u)).value = mine.place;
    }
#else
    if (group >= elements)
        return;
    for (uint part = id; part < parts; part += gl_WorkGroupSize.x) {
        uint from = group * parts + part;
        mine = leading(mine, Leader(Words(element_address(a.keys, from, SIZE)).value,
                                    Places(element_address(a.places, from, 4u)).value));
    }
    mine = leader_of(mine);
    if (id != 0u)
        return;
    uint to;
    LINE_NUMBER(to, line[2], a.result, group)
    Result(element_address(line[2].address, to, 8u)).value = uvec2(mine.place, 0u);
#endif
}
