/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_PROFILE_H
#define ASSAY_REFERENCE_PROFILE_H

/* What a backend promises about its arithmetic: filled by the backend, read by the bounds.
 *
 * The truth never depends on it; the acceptance set does. A promise that is not made costs resolving power (a
 * wider bound), never a false accusation. Plain data: copy freely. */

#include "reference/dtype.h"

enum rounding {
    ROUNDING_OPEN,
    ROUNDING_RTE
}; /* direction unspecified: u doubles (SPIR-V env. §"Precision") */
enum subnormals { SUBNORMALS_MAY_FLUSH, SUBNORMALS_KEPT }; /* inputs and results may be flushed to a zero */
enum summation {
    SUMMATION_UNDECLARED,
    SUMMATION_DECLARED
}; /* h = K−1, or the operator's own declared tree */

/* Which table of primitive allowances holds for division, sqrt, exp, log, …: the legal minimum of Vulkan's
 * SPIR-V environment, the OpenCL full profile, a good libm (1 ulp), or assay's own kernels (see
 * kernels/vulkan). */
enum primitives { PRIMITIVES_VULKAN, PRIMITIVES_OPENCL, PRIMITIVES_LIBM, PRIMITIVES_COUNT };

/* sgn(NaN): NumPy and IEEE 754 give NaN, PyTorch's real sign gives 0. */
enum sgn_nan { SGN_NAN_IS_NAN, SGN_NAN_IS_ZERO };
/* sgn(±0): keep the sign (IEEE 754's view: f(−0) of an odd function is −0), give +0, or leave it open. */
enum sgn_zero { SGN_ZERO_KEPT, SGN_ZERO_POSITIVE, SGN_ZERO_OPEN };

/* The same element in another batch, place or length: the same bits, or only within its bound (libraries that
 * choose an algorithm by size). Special values must agree in either case. */
enum invariance { INVARIANCE_BITS, INVARIANCE_BOUND };

enum { PROFILE_OPERATORS_MAX = 16 };

struct profile {
    enum rounding rounding[DTYPE_COUNT];
    enum subnormals subnormals[DTYPE_COUNT];
    bool special_values[DTYPE_COUNT];   /* rules on NaN, infinity and −0 hold (SignedZeroInfNanPreserve) */
    enum dtype accumulate[DTYPE_COUNT]; /* type of sums and intermediates of an operator on this dtype */
    enum summation summation;
    enum primitives primitives;
    enum sgn_nan sgn_nan;
    enum sgn_zero sgn_zero;
    enum invariance invariance;
    /* Operator names, NULL-terminated if fewer: whose repeats may differ within the bound; whose
     * intermediates have the operands' own dtype, whatever `accumulate` says of the rest. */
    const char *nondeterministic[PROFILE_OPERATORS_MAX];
    const char *accumulate_own[PROFILE_OPERATORS_MAX];
    bool conversions_via_float32; /* into float16 and bfloat16, from any dtype: rounded to float32 first */
};

/* A strict IEEE 754 profile: RTE, subnormals kept, special values, accumulation in the dtype itself, libm. */
struct profile profile_ieee(void);

/* u of the rounding of results, and of intermediates, of an operator on `dtype`; doubled where direction is
 * open. */
double profile_unit_roundoff(const struct profile *profile, enum dtype dtype);
double profile_accumulate_roundoff(const struct profile *profile, enum dtype dtype);

/* What a sum of products may be off by, over Σ|ab|, where each term goes through at most so many roundings
 * of the accumulation type: K·u under round to nearest, without restriction on K (Jeannerod and Rump,
 * "Improved error bounds for inner products in floating-point arithmetic", SIMAX 34 (2013)); else K·u/(1 −
 * K·u) (Higham, Accuracy and Stability, lemma 3.1), infinite where K·u ≥ 1. */
double profile_sum_error(const struct profile *profile, enum dtype dtype, double roundings);

/* η: the least positive error unit near zero: least subnormal with gradual underflow, least normal if
 * flushing. */
double profile_underflow_unit(const struct profile *profile, enum dtype dtype);

/* Whether subnormal operands of `dtype` may be taken for zeros; bfloat16's are float32's as well. */
bool profile_loses_subnormals(const struct profile *profile, enum dtype dtype);

/* The profile as it holds for one operator: the one that bounds are given. */
struct profile profile_of_operator(const struct profile *profile, const char *operator_name);

bool profile_is_nondeterministic(const struct profile *profile, const char *operator_name);

/* Allowance of one primitive evaluated in `dtype` at a result of magnitude y (argument x where it matters),
 * as an absolute error. Tables: Vulkan 1.3 specification, appendix "Precision of SPIR-V instructions"; OpenCL
 * C 3.0 §7.4. */
double profile_log_error(const struct profile *profile, enum dtype dtype, double x, double y);
double profile_divide_error(const struct profile *profile, enum dtype dtype, double y);
double profile_sqrt_error(const struct profile *profile, enum dtype dtype, double y);
double profile_rsqrt_error(const struct profile *profile, enum dtype dtype, double y); /* or 1/sqrt */

#endif
