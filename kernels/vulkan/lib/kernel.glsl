// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// Declarations shared by all kernels: views by device address, push constants, and the index of an invocation.
//
// Addresses are uvec2 (GL_EXT_buffer_reference_uvec2) with explicit additions, so that no kernel needs
// shaderInt64, which is optional. Element numbers count from the storage's first byte and are taken modulo
// 2^32: a negative stride is its two's complement, and the sum is right because the element lies in the
// storage.
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_control_flow_attributes : require

// Before any use of gl_WorkGroupSize: glslang takes it for 1 in functions that stand above the declaration.
layout(local_size_x_id = 0) in;

#define EXACT precise

struct View { // struct vk_view_argument in kernel.h
    uvec2 address; // of the storage's first byte
    uint offset;   // of element (0, …, 0), in elements
    uint elements;
    uint dim[6]; // padded in front with 1
    uint stride[6];
    uint outermost; // first dimension whose extent is not 1
    uint step;      // its stride
};

struct Line { // struct vk_line in plan.h
    uvec2 address;
    uint offset, step, outermost, padding;
};

layout(push_constant) uniform Push { // struct vk_push in plan.h
    uvec2 arguments;
    uint elements, more;
    Line line[4];
} push;

// Copies of the push constants, read at the start of main: behind a divergent branch llvmpipe reads them
// separately for each invocation.
Line line[4] = push.line;
uint elements = push.elements, more = push.more;

uvec2 element_address(uvec2 base, uint index, uint size)
{
    uint high, low, carry;
    umulExtended(index, size, high, low);
    low = uaddCarry(base.x, low, carry);
    return uvec2(low, base.y + high + carry);
}

// True if each pushed view has a single stride. A specialization constant, because llvmpipe executes the body
// of a loop once even if it has no iterations, which is half of the cost of a small kernel there.
layout(constant_id = 4) const bool ONE_LINE = false;

uint group_index() // the launcher folds long grids into three dimensions
{
    return gl_WorkGroupID.x + gl_NumWorkGroups.x * (gl_WorkGroupID.y + gl_NumWorkGroups.y * gl_WorkGroupID.z);
}

uint invocation_index()
{
    return group_index() * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
}

// Sets `result` to the element number of the i-th element, in row-major order, of view VIEW. It is a macro
// because a function would copy the view, and has a loop because six dimensions, unrolled wherever an element
// is read, dominate the compilation time of a CPU's driver.
#define ELEMENT_NUMBER(result, VIEW, i) NUMBER_ALONG(result, VIEW, VIEW, i, true)

// As ELEMENT_NUMBER, with offset and step from LINE, one of line[], and no loop if ONE_LINE.
#define LINE_NUMBER(result, LINE, VIEW, i) NUMBER_ALONG(result, LINE, VIEW, i, !ONE_LINE)

#define NUMBER_ALONG(result, LINE, VIEW, i, loops)                                                                     \
    {                                                                                                                  \
        uint rest_ = (i);                                                                                              \
        result = LINE.offset;                                                                                          \
        if (loops) [[dont_unroll]] for (uint d_ = 5u; d_ > LINE.outermost; d_--) {                                     \
            uint quotient_ = rest_ / VIEW.dim[d_];                                                                     \
            result += (rest_ - quotient_ * VIEW.dim[d_]) * VIEW.stride[d_];                                            \
            rest_ = quotient_;                                                                                         \
        }                                                                                                              \
        result += rest_ * LINE.step;                                                                                   \
    }
