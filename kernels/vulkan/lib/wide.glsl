// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// Route wide: VECTOR elements of a view at once, 16 bytes of the widest operand. kernels/vulkan/wide.c admits
// only views whose vectors are aligned and lie in one piece, or repeat one element.
//
// A vector is a uvec4 with its first element in the lowest bits. A kernel takes elements off its lower end and
// puts results on at its upper end, so that no component is indexed by a variable. Needs kernel.glsl and
// VECTOR; a shader that writes elements of 8 or 16 bits defines STORES_8 or STORES_16.

// On a GPU loops over the elements of a vector are unrolled. On a CPU they are not, because its driver would take
// seconds to compile the longest terms: their length is no constant then. (`elements` is below 2^31.)
layout(constant_id = 8) const bool UNROLLED = false;
#define LANES (UNROLLED ? VECTOR : VECTOR + (elements >> 31))

layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words1 { uint value; };
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Words2 { uvec2 value; };
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Words4 { uvec4 value; };
#ifdef STORES_8
#extension GL_EXT_shader_8bit_storage : require
layout(buffer_reference, std430, buffer_reference_align = 1) buffer Byte { uint8_t value; };
#endif
#ifdef STORES_16
#extension GL_EXT_shader_16bit_storage : require
layout(buffer_reference, std430, buffer_reference_align = 2) buffer Bytes2 { uint16_t value; };
#endif

// Takes the k-th element of `size` bytes off a vector; the elements are taken in their order.
uvec2 vector_take(inout uvec4 v, uint k, uint size)
{
    uvec2 bits = v.xy;
    if (size == 8u) {
        v = v.zwxy;
        return bits;
    }
    if (size < 4u) {
        bits.x &= (1u << 8u * size) - 1u;
        v.x >>= 8u * size;
    }
    if (size == 4u || (k + 1u) % (4u / size) == 0u)
        v = v.yzwx;
    return uvec2(bits.x, 0u);
}

// Puts the k-th element of `size` bytes on a vector; the elements are put in their order.
void vector_put(inout uvec4 v, uint k, uvec2 bits, uint size)
{
    if (size == 8u) {
        v = uvec4(v.zw, bits);
        return;
    }
    if (size == 4u || k % (4u / size) == 0u)
        v = uvec4(v.yzw, 0u);
    v.w = size == 4u ? bits.x : v.w >> 8u * size | bits.x << 32u - 8u * size;
}

// The vector after its last element was put on: shifts its first element into the lowest bits.
uvec4 vector_whole(uvec4 v, uint size)
{
    switch (VECTOR * size) {
    case 16u: return v;
    case 8u: return v.zwxy;
    case 4u: return v.wxyz;
    default: return uvec4(v.w >> 32u - 8u * VECTOR * size, 0u, 0u, 0u);
    }
}

// Reads the aligned word around an element of 8 or 16 bits, which ends where the element's own alignment does.
uvec2 vector_element(uvec2 address, uint number, uint size)
{
    address = element_address(address, number, size);
    if (size == 8u)
        return Words2(address).value;
    uint shift = 8u * (address.x & 3u);
    address.x &= ~3u;
    uint word = Words1(address).value >> shift;
    return uvec2(size == 4u ? word : word & (1u << 8u * size) - 1u, 0u);
}

uvec4 vector_repeated(uvec2 bits, uint size)
{
    return size == 8u   ? bits.xyxy
           : size == 4u ? bits.xxxx
           : size == 2u ? uvec4(bits.x | bits.x << 16)
                        : uvec4(bits.x * 0x01010101u);
}

// Reads `count` elements, at most VECTOR, from element `number` on: nothing before them or behind them. One load
// reads all VECTOR of them if they are aligned.
uvec4 vector_read(uvec2 address, uint number, uint step, uint size, uint count)
{
    uvec4 v = uvec4(0u);
    if (step == 0u)
        return vector_repeated(vector_element(address, number, size), size);
    if (count < VECTOR || number % VECTOR != 0u) {
        [[dont_unroll]] for (uint k = 0u; k < VECTOR; k++) {
            uvec2 bits = uvec2(0u);
            if (k < count)
                bits = vector_element(address, number + k, size);
            vector_put(v, k, bits, size);
        }
        return vector_whole(v, size);
    }
    address = element_address(address, number, size);
    if (VECTOR * size == 16u) {
        v = Words4(address).value;
    } else if (VECTOR * size == 8u) {
        v.xy = Words2(address).value;
    } else { // 2 bytes lie in the lower or in the upper half of a word
        uint shift = 8u * (address.x & 3u);
        address.x &= ~3u;
        v.x = Words1(address).value >> shift;
    }
    return v;
}

void vector_element_write(uvec2 address, uint number, uint size, uvec2 bits)
{
    address = element_address(address, number, size);
    if (size == 8u)
        Words2(address).value = bits;
    else if (size == 4u)
        Words1(address).value = bits.x;
#ifdef STORES_16
    else if (size == 2u)
        Bytes2(address).value = uint16_t(bits.x);
#endif
#ifdef STORES_8
    else if (size == 1u)
        Byte(address).value = uint8_t(bits.x);
#endif
}

// Writes the first `count` elements of a vector on which VECTOR elements were put, at once if that is aligned.
void vector_write(uvec2 address, uint number, uint size, uint count, uvec4 v)
{
    v = vector_whole(v, size);
    if (count < VECTOR || number % VECTOR != 0u || VECTOR * size < 4u) {
        [[dont_unroll]] for (uint k = 0u; k < VECTOR; k++) {
            uvec2 bits = vector_take(v, k, size);
            if (k < count)
                vector_element_write(address, number + k, size, bits);
        }
        return;
    }
    address = element_address(address, number, size);
    if (VECTOR * size == 16u)
        Words4(address).value = v;
    else if (VECTOR * size == 8u)
        Words2(address).value = v.xy;
    else
        Words1(address).value = v.x;
}

// Reads the elements of view VIEW, whose LINE is pushed, from row-major number `first` on.
#define VECTOR_READ(v, LINE, VIEW, size)                                                                               \
    {                                                                                                                  \
        uint number_;                                                                                                  \
        LINE_NUMBER(number_, LINE, VIEW, first)                                                                        \
        v = vector_read(LINE.address, number_, ONE_LINE ? LINE.step : VIEW.stride[5], size, count);                    \
    }

#define VECTOR_WRITE(v, LINE, VIEW, size)                                                                              \
    {                                                                                                                  \
        uint number_;                                                                                                  \
        LINE_NUMBER(number_, LINE, VIEW, first)                                                                        \
        vector_write(LINE.address, number_, size, count, v);                                                           \
    }
