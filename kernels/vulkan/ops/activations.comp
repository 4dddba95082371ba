// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// Activations with attributes (lib/activations.inc).
//! rows activations.inc REAL_ SINGLE : float16 -DFLOAT16
//! rows activations.inc REAL_ SINGLE : bfloat16 -DBFLOAT16
//! rows activations.inc REAL_ SINGLE : float32 -DFLOAT32
//! rows activations.inc REAL_ SINGLE : float32x2 -DFLOAT32 -DPAIRED
//! rows activations.inc REAL_ : float64 -DFLOAT64
//! wide of 4 bytes
#version 460
#extension GL_GOOGLE_include_directive : require
#define OPERANDS 1
#include "operands.glsl"
#ifdef SINGLE_TYPE
#include "activations.glsl"
#endif
#include "elementwise.glsl"
