// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// A convolution as a product of matrices: element (row, column) of a group is the sum over terms of a·b. The number of
// a column has four digits j0 … j3, that of a term four digits k0 … k3, the last one fastest:
//
//     a    a_offset + group·a_group + row·a_row + k0·a_term[0] + … + k3·a_term[3]
//     b    b_offset + group·b_group + j0·b_first + k0·b_term + Σ p_d·axis[d]
//          with the positions p_d = j_(d+1)·j_step[d] + k_(d+1)·k_step[d] - pad[d], each from 0 to size[d] - 1; others
//          lie in the padding
//     c    c_offset + group·c_group + row·c_row + j0·c_column[0] + … + j3·c_column[3]
//
// Numbers are taken modulo 2^32. The table has for every term its part of p_1, p_2, p_3 and of the number of b
// (uvec4), and behind all of these its part of the number of a (a uint each). Needs kernel.glsl.
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Windows {
    uvec2 a, b, bias, result, table, partial;
    uint a_offset, b_offset, bias_offset, c_offset;
    uint a_row, a_group, b_first, b_group, bias_row, bias_group, c_row, c_group, b_term;
    uint column[4], term[4], a_term[4], c_column[4];
    uint j_step[3], k_step[3], pad[3], size[3], axis[3];
    uint rows, columns, terms, groups, from, to, part, parts, biased, ones, a_along; // a_along: of A_LINEAR
};
layout(buffer_reference, std430, buffer_reference_align = 16) buffer TermOfB { uvec4 value; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer TermOfA { uint value; };

uvec4 digits_of(uint number, uint extent1, uint extent2, uint extent3)
{
    uvec4 digit;
    uint rest = number / extent3;
    digit.w = number - rest * extent3;
    number = rest / extent2;
    digit.z = rest - number * extent2;
    rest = number / extent1;
    digit.y = number - rest * extent1;
    digit.x = rest;
    return digit;
}

// The part of a column in p_1, p_2, p_3 and in the number of b.
uvec4 column_of_b(Windows v, uvec4 digit)
{
    uvec3 place = digit.yzw * uvec3(v.j_step[0], v.j_step[1], v.j_step[2]) - uvec3(v.pad[0], v.pad[1], v.pad[2]);
    return uvec4(place, digit.x * v.b_first + place.x * v.axis[0] + place.y * v.axis[1] + place.z * v.axis[2]);
}

uint column_of_c(Windows v, uvec4 digit)
{
    return digit.x * v.c_column[0] + digit.y * v.c_column[1] + digit.z * v.c_column[2] + digit.w * v.c_column[3];
}

uvec4 term_of_b(uvec2 table, uint term)
{
    return TermOfB(element_address(table, term, 16u)).value;
}

uint term_of_a(uvec2 table, uint terms, uint term)
{
    return TermOfA(element_address(table, terms * 4u + term, 4u)).value;
}
