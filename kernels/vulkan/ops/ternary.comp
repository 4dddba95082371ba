// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// Functions of three numbers (lib/ternary.inc).
//! rows ternary.inc REAL_ SINGLE WORDS CONDITION : float16 -DFLOAT16
//! rows ternary.inc REAL_ SINGLE WORDS CONDITION : bfloat16 -DBFLOAT16
//! rows ternary.inc REAL_ SINGLE WORDS CONDITION : float32 -DFLOAT32
//! rows ternary.inc REAL_ WORDS CONDITION : float64 -DFLOAT64
//! rows ternary.inc WORDS CONDITION : int32 -DINT32
//! rows ternary.inc WORDS CONDITION : int64 -DINT64
//! wide of 4 bytes
#version 460
#extension GL_GOOGLE_include_directive : require
#define OPERANDS 3
#include "operands.glsl"
#ifdef SINGLE_TYPE
#include "activations.glsl"
#endif
#include "elementwise.glsl"
