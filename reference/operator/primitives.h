/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPERATOR_PRIMITIVES_H
#define ASSAY_REFERENCE_OPERATOR_PRIMITIVES_H

/* The error bounds of division, square root, exp, log and other primitives: one table for each environment
 * that states them. primitives.c names the sources. */

#include "reference/base/dtype.h"

#include <stdbool.h>

/* The environments: the legal minimum of Vulkan's SPIR-V environment, the OpenCL full profile, a good libm
 * (1 ulp), the CUDA math library without fast-math, a vector math library (4 ulp). */
enum primitives {
    PRIMITIVES_VULKAN,
    PRIMITIVES_OPENCL,
    PRIMITIVES_LIBM,
    PRIMITIVES_CUDA,
    PRIMITIVES_VECTOR,
    PRIMITIVES_COUNT
};

enum primitive {
    PRIMITIVE_DIVISION,
    PRIMITIVE_SQRT,
    PRIMITIVE_RSQRT,        /* rsqrt, and 1/sqrt with the errors of both operations */
    PRIMITIVE_EXP,          /* exp, exp2 */
    PRIMITIVE_EXP_ARGUMENT, /* the part of exp's error that grows with |argument|, over |argument| */
    PRIMITIVE_LOG,          /* log, log2, log10 outside [1/2, 2] */
    /* On [1/2, 2]; Vulkan states an absolute error there, for log 1 too (primitive_errors.c). */
    PRIMITIVE_LOG_NEAR_ONE,
    PRIMITIVE_ANGLE, /* sin, cos */
    PRIMITIVE_TAN,   /* tan, atan */
    PRIMITIVE_EXPM1,
    PRIMITIVE_LOG1P,
    PRIMITIVE_TANH,
    PRIMITIVE_ERF,         /* erf, erfc, erfinv */
    PRIMITIVE_GAMMA,       /* lgamma, digamma */
    PRIMITIVE_GAMMA_PARTS, /* their parts by shift and reflection, which cancel near zeros */
    PRIMITIVE_POW,
    PRIMITIVE_COUNT
};

/* Returns the greatest error of a primitive computed in `type` (real floating), in ulp of the true value; one
 * ulp counts as 2u|y|. */
double primitives_ulps(enum primitives table, enum primitive primitive, enum dtype type);

/* Returns whether division and square root are correctly rounded. */
static inline bool primitives_divide_rounded(enum primitives table)
{
    return table == PRIMITIVES_LIBM || table == PRIMITIVES_CUDA || table == PRIMITIVES_VECTOR;
}

/* Returns the word of the protocol: "vulkan", "opencl", "libm", "cuda" or "vector"; "unknown" for another
 * number. */
const char *primitives_name(enum primitives table);

#endif
