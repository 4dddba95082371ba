// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// Functions of one number (lib/unary.inc).
//! rows unary.inc BITS REAL_ SINGLE TEST_FLOAT : float16 -DFLOAT16
//! rows unary.inc BITS REAL_ SINGLE TEST_FLOAT : bfloat16 -DBFLOAT16
//! rows unary.inc BITS REAL_ SINGLE TEST_FLOAT : float32 -DFLOAT32
//! rows unary.inc REAL_ SINGLE : float32x2 -DFLOAT32 -DPAIRED
//! rows unary.inc BITS REAL_ TEST_FLOAT : float64 -DFLOAT64
//! rows unary.inc BITS INTEGER : int32 -DINT32
//! rows unary.inc INTEGER : int64 -DINT64
//! wide of 4 bytes
#version 460
#extension GL_GOOGLE_include_directive : require
#define OPERANDS 1
#include "operands.glsl"
#ifdef SINGLE
#include "product.glsl"
#include "trigonometry.glsl"
#include "gamma.glsl"
#include "arctangent.glsl"
#include "hyperbolic.glsl"
#endif
#include "elementwise.glsl"
