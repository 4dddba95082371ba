// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// Of gradients with respect to x. Needs normalization.glsl.

// If the means are below 2^HIGH_ENOUGH, neither they nor X times them overflow; else dy is multiplied by
// 2^-DOWN twice, which brings any product of two numbers below 2^HIGH_ENOUGH.
#ifdef FLOAT64
#define HIGH_ENOUGH 960
#define DOWN 600
#else
#define HIGH_ENOUGH 96
#define DOWN 80
#endif
