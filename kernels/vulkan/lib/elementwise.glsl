// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// The main function of the element-wise operators: computes TERM from one element of each of OPERANDS operands,
// with an element per invocation (PAIRED: two of float32; WIDE: those of 16 bytes). float16 and bfloat16 are
// computed in float32 and rounded once.
//
// The kind of the function (lib/unary.inc, lib/binary.inc, lib/ternary.inc) is defined as a macro: BITS, WORDS,
// ... for a term of words, CONDITION if the first operand is bool, TEST if the result is, NUMBER for a term of
// real numbers and one of integers. ops/elementwise.c fills the arguments. Needs operands.glsl and the
// functions that the terms use.

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Arguments {
    View operand[3], result;
    uvec2 scalar[4]; // float32 or float64 bits, or an integer, in the order in which reference/ declares them
};
#define P(k) parameter(a.scalar[k])

#if defined TEST || defined TEST_FLOAT
#extension GL_EXT_shader_8bit_storage : require
layout(buffer_reference, std430, buffer_reference_align = 1) buffer Bool { uint8_t value; };
#endif
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Word32 { uint value; };

bool bool_read(uvec2 address, uint number) // reads the aligned word around it: the guards of storages are wider
{
    address = element_address(address, number, 1u);
    uint shift = 8u * (address.x & 3u);
    address.x &= ~3u;
    return (Word32(address).value >> shift & 0xffu) != 0u;
}

#define BOTH(real_, integer_) real_
#define OTHER(real_, integer_) integer_
#define SPLIT(which, terms) which(terms)
#if defined NUMBER || defined NARROW
#if defined INT32 || defined INT64
#define RESULT SPLIT(OTHER, TERM)
#else
#define RESULT SPLIT(BOTH, TERM)
#endif
#else
#define RESULT TERM
#endif

#if defined REAL_ || defined SINGLE || ((defined NUMBER || defined NARROW) && !defined INT32 && !defined INT64)
#define VALUE REAL
#define VALUE_IS_REAL
#define READ(address, number) element_read(address, number)
#else
#define VALUE WORD
#define READ(address, number) WORD(Element(element_address(address, number, ELEMENT_SIZE)).value)
#endif

#define LEAST_NORMAL 6.103515625e-5 // of float16

#define TAKE(k, name)                                                                                                  \
    uint name##_number;                                                                                                \
    LINE_NUMBER(name##_number, line[k], a.operand[k], i)

#if defined VALUE_IS_REAL && !defined TEST && !defined TEST_FLOAT
REAL finished(REAL result) // what is stored of it
{
    return result;
}
#endif

#ifdef WIDE
#include "elementwise_wide.glsl"
#elif defined PAIRED // by kernels/vulkan/dispatch.c: halves the loads, which llvmpipe makes invocation by invocation
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Pair { uint64_t value; };

uint result_of(Arguments a, uint bits)
{
    REAL x = real_of(bits);
    EXACT REAL result = RESULT;
    return bits_of(finished(result));
}

void main()
{
    Arguments a = Arguments(push.arguments);
    uint i = invocation_index();
    if (i >= elements / 2u)
        return;
    uint64_t x = Pair(element_address(line[0].address, line[0].offset / 2u + i, 8u)).value;
    uint first = result_of(a, uint(x)), second = result_of(a, uint(x >> 32));
    Pair(element_address(line[3].address, line[3].offset / 2u + i, 8u)).value = uint64_t(second) << 32 | first;
}
#else
void main()
{
    Arguments a = Arguments(push.arguments);
    uint i = invocation_index(), to;
    if (i >= elements)
        return;
    TAKE(0, first)
#if OPERANDS > 1
    TAKE(1, second)
#endif
#if OPERANDS > 2
    TAKE(2, third)
#endif
    LINE_NUMBER(to, line[3], a.result, i)
    // The operands are read behind the loops: llvmpipe (Mesa 22.3) corrupts a float64 that is live across a
    // loop.
#ifdef CONDITION
    bool condition = bool_read(line[0].address, first_number);
#else
    VALUE x = READ(line[0].address, first_number);
#endif
#if OPERANDS > 1
    VALUE y = READ(line[1].address, second_number);
#endif
#if OPERANDS > 2
    VALUE z = READ(line[2].address, third_number);
#endif
#if defined TEST || defined TEST_FLOAT
    Bool(element_address(line[3].address, to, 1u)).value = uint8_t(RESULT ? 1 : 0);
#elif defined VALUE_IS_REAL
    EXACT REAL result = RESULT;
    element_write(line[3].address, to, finished(result));
#else
    VALUE result = RESULT;
#if defined FLOAT16 || defined BFLOAT16
    Element(element_address(line[3].address, to, ELEMENT_SIZE)).value = uint16_t(result);
#else
    Element(element_address(line[3].address, to, ELEMENT_SIZE)).value = result;
#endif
#endif
}
#endif
