// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// Functions of two numbers (lib/binary.inc).
//! rows binary.inc NUMBER NARROW WORDS WORDS_FLOAT TEST REAL_ SINGLE : float16 -DFLOAT16
//! rows binary.inc NUMBER NARROW WORDS WORDS_FLOAT TEST REAL_ SINGLE : bfloat16 -DBFLOAT16
//! rows binary.inc NUMBER NARROW WORDS WORDS_FLOAT TEST REAL_ SINGLE : float32 -DFLOAT32
//! rows binary.inc NUMBER WORDS WORDS_FLOAT TEST REAL_ : float64 -DFLOAT64
//! rows binary.inc NUMBER NARROW WORDS TEST INTEGER : int32 -DINT32
//! rows binary.inc NUMBER NARROW WORDS TEST INTEGER : int64 -DINT64
//! wide of 4 bytes
#version 460
#extension GL_GOOGLE_include_directive : require
#define OPERANDS 2
#include "operands.glsl"
#if !defined INT32 && !defined INT64
#include "division.glsl"
#endif
#ifdef SINGLE_TYPE
#include "activations.glsl"
#include "quotients.glsl"
#include "product.glsl"
#include "pow.glsl"
#include "arctangent.glsl"
#endif
#include "elementwise.glsl"
