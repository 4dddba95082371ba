/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Sources: Vulkan 1.3 specification, appendix "Precision and Operation of SPIR-V Instructions"; OpenCL C 3.0
 * §7.4, full profile; the GNU C library's manual, "Known Maximum Errors in Math Functions"; CUDA C++
 * Programming Guide 12, "Mathematical Functions", tables of single and double precision.
 *
 * In the Vulkan column, functions for which Vulkan has no instruction (erf, erfc, expm1, log1p), or none that
 * is accurate enough, have OpenCL's bounds, because kernels compute them by their own + − × ÷. Vulkan's tanh
 * errs by half its value at 1e-7 and gives NaN beyond 88. sin and cos err by 2^-11, and by anything beyond π;
 * tan inherits that. pow inherits the errors of exp2(y·log2 x) and is not defined for negative x, atan errs
 * by 4096 ulp, and asinh, acosh and atanh inherit near their zeros the absolute error of log near 1. erfinv,
 * which no other table has, has the bound of erf. OpenCL does not bound lgamma; it gets 16 ulp, like OpenCL's
 * tgamma. The lgammaf of the GNU C library 2.36 errs by 6.78 ulp, at -3.92294407, and nowhere by more (all
 * 2^32 inputs against its lgamma). Where lgamma (at negative numbers) and digamma (everywhere) cancel near
 * zeros, 8 ulp of their parts are allowed: SLEEF's lgamma declares 1e-15 there, CUDA's guide no number.
 *
 * CUDA states the distance from the correctly rounded result, which is at most half an ulp from the true
 * value; each number here includes that half. CUDA has no half precision for these functions: they are
 * computed in float32 and rounded, for which libm's column is wide enough.
 *
 * Vector math libraries state 4 ulp for every function, for float32 and float64 alike: the GNU C library's
 * libmvec, and Intel's SVML in the low accuracy that NumPy uses from 1.22 on. NumPy's own exp and log of
 * float32 err by 2.52 and 3.83 ulp (release notes of 1.17). Functions that these libraries lack have libm's
 * bounds, and 16-bit types as for CUDA. */

#include "reference/operator/primitives.h"

static const double table[PRIMITIVE_COUNT][PRIMITIVES_COUNT] = {
    /*                         Vulkan OpenCL libm CUDA float32, vector */
    [PRIMITIVE_DIVISION] = {2.5, 2.5, 0.5, 0.5, 0.5},
    [PRIMITIVE_SQRT] = {5, 3, 0.5, 0.5, 0.5},
    [PRIMITIVE_RSQRT] = {7.5, 5.5, 2, 2.5, 2},
    [PRIMITIVE_EXP] = {3, 3, 1, 2.5, 4},
    [PRIMITIVE_EXP_ARGUMENT] = {2, 0, 0, 0, 0},
    [PRIMITIVE_LOG] = {3, 3, 1, 2.5, 4}, /* log10f 2, logf and log2f 1 */
    [PRIMITIVE_LOG_NEAR_ONE] = {0, 3, 1, 2.5, 4},
    [PRIMITIVE_ANGLE] = {4, 4, 1, 2.5, 4},
    [PRIMITIVE_TAN] = {5, 5, 1, 4.5, 4}, /* tanf 4, atanf 2 */
    [PRIMITIVE_EXPM1] = {3, 3, 1, 1.5, 4},
    [PRIMITIVE_LOG1P] = {2, 2, 1, 1.5, 4},
    [PRIMITIVE_TANH] = {5, 5, 2, 2.5, 4},
    [PRIMITIVE_ERF] = {16, 16, 5, 4.5, 5}, /* erff and erfinvf 2, erfcf 4 */
    [PRIMITIVE_GAMMA] = {16, 16, 7, 6.5, 7},
    [PRIMITIVE_GAMMA_PARTS] = {8, 8, 8, 8, 8},
    [PRIMITIVE_POW] = {16, 16, 1, 4.5, 4},
};

static const double cuda_double[PRIMITIVE_COUNT] = {
    [PRIMITIVE_DIVISION] = 0.5,     [PRIMITIVE_SQRT] = 0.5,       [PRIMITIVE_RSQRT] = 1.5,
    [PRIMITIVE_EXP] = 1.5,          [PRIMITIVE_EXP_ARGUMENT] = 0, [PRIMITIVE_LOG] = 1.5,
    [PRIMITIVE_LOG_NEAR_ONE] = 1.5, [PRIMITIVE_ANGLE] = 2.5,      [PRIMITIVE_TAN] = 2.5,
    [PRIMITIVE_EXPM1] = 1.5,        [PRIMITIVE_LOG1P] = 1.5,      [PRIMITIVE_TANH] = 1.5,
    [PRIMITIVE_ERF] = 5.5,          [PRIMITIVE_GAMMA] = 4.5,      [PRIMITIVE_GAMMA_PARTS] = 8,
    [PRIMITIVE_POW] = 2.5,
};

double primitives_ulps(enum primitives of, enum primitive primitive, enum dtype type)
{
    enum dtype component = dtype_info(type)->component;
    if (of == PRIMITIVES_VECTOR && dtype_info(component)->size < sizeof(float)) {
        return table[primitive][PRIMITIVES_LIBM];
    }
    if (of == PRIMITIVES_CUDA && component != DTYPE_FLOAT32) {
        return component == DTYPE_FLOAT64 ? cuda_double[primitive] : table[primitive][PRIMITIVES_LIBM];
    }
    return table[primitive][of];
}

const char *primitives_name(enum primitives of)
{
    static const char *const names[PRIMITIVES_COUNT] = {"vulkan", "opencl", "libm", "cuda", "vector"};
    return (unsigned)of < PRIMITIVES_COUNT ? names[of] : "unknown";
}
