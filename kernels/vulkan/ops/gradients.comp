// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// Gradients of activations (lib/gradients.inc).
//! rows gradients.inc REAL_ SINGLE : float16 -DFLOAT16
//! rows gradients.inc REAL_ SINGLE : bfloat16 -DBFLOAT16
//! rows gradients.inc REAL_ SINGLE : float32 -DFLOAT32
//! rows gradients.inc REAL_ : float64 -DFLOAT64
//! wide of 4 bytes
#version 460
#extension GL_GOOGLE_include_directive : require
#define OPERANDS 2
#include "operands.glsl"
#ifdef SINGLE_TYPE
#include "activations.glsl"
#endif
#include "elementwise.glsl"
