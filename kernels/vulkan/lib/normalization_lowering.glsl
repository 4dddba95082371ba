// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// Of gradients with respect to weight and bias. Needs normalization.glsl.

// A term dy (x - m) r is below 2^332, for float64 below 2^2,586: divided twice by 2^LOWERING, no sum of such
// terms overflows.
#ifdef FLOAT64
#define LOWERING 800
#else
#define LOWERING 120
#endif
