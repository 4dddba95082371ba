/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* What a profile allows each class of error. Sources: Vulkan 1.3 specification, appendix "Precision and
 * Operation of SPIR-V Instructions"; OpenCL C 3.0 §7.4, full profile; the GNU C library's manual, "Known
 * Maximum Errors in Math Functions". What Vulkan has no instruction for (erf, erfc, expm1, log1p), and what
 * its instruction is no such function by, is held to OpenCL there: kernels compute it by + − × ÷ of their
 * own. tanh is off by half at 1e-7 and NaN beyond 88, sin and cos by 2^-11 and by anything beyond π, tan and
 * pow inherit that, pow is not defined for negative numbers, and atan is off by 4096 ulp. erfinv, which no
 * table has, is held to what erf may err by. Of lgamma OpenCL says nothing: 16 ulp, as of its tgamma; the
 * lgammaf of the GNU C library 2.36 errs by 6.78, at -3.92294407, and nowhere by more (all 2^32 inputs beside
 * its lgamma). What cancels near zeros, of lgamma at negative numbers, of digamma everywhere, may err by 8 ulp
 * of its parts: SLEEF's lgamma declares 1e-15 there. */

#include "reference/expression.h"

#include <math.h>

/* In ulp; a value below 2u|y| each. */
static const struct {
    enum expression_class class;
    double ulps[PRIMITIVES_COUNT];
} functions[] = {
    {EXPRESSION_DIVISION, {[PRIMITIVES_VULKAN] = 2.5, [PRIMITIVES_OPENCL] = 2.5, [PRIMITIVES_LIBM] = 0.5}},
    {EXPRESSION_SQRT, {[PRIMITIVES_VULKAN] = 5, [PRIMITIVES_OPENCL] = 3, [PRIMITIVES_LIBM] = 0.5}},
    {EXPRESSION_RSQRT, {[PRIMITIVES_VULKAN] = 7.5, [PRIMITIVES_OPENCL] = 5.5, [PRIMITIVES_LIBM] = 2}},
    {EXPRESSION_EXP, {[PRIMITIVES_VULKAN] = 3, [PRIMITIVES_OPENCL] = 3, [PRIMITIVES_LIBM] = 1}},
    {EXPRESSION_EXP_ARGUMENT, {[PRIMITIVES_VULKAN] = 2, [PRIMITIVES_OPENCL] = 0, [PRIMITIVES_LIBM] = 0}},
    {EXPRESSION_LOG, {[PRIMITIVES_VULKAN] = 3, [PRIMITIVES_OPENCL] = 3, [PRIMITIVES_LIBM] = 1}},
    {EXPRESSION_LOG_NEAR_ONE, {[PRIMITIVES_VULKAN] = 0, [PRIMITIVES_OPENCL] = 3, [PRIMITIVES_LIBM] = 1}},
    {EXPRESSION_ANGLE, {[PRIMITIVES_VULKAN] = 4, [PRIMITIVES_OPENCL] = 4, [PRIMITIVES_LIBM] = 1}},
    {EXPRESSION_TAN, {[PRIMITIVES_VULKAN] = 5, [PRIMITIVES_OPENCL] = 5, [PRIMITIVES_LIBM] = 1}},
    {EXPRESSION_EXPM1, {[PRIMITIVES_VULKAN] = 3, [PRIMITIVES_OPENCL] = 3, [PRIMITIVES_LIBM] = 1}},
    {EXPRESSION_LOG1P, {[PRIMITIVES_VULKAN] = 2, [PRIMITIVES_OPENCL] = 2, [PRIMITIVES_LIBM] = 1}},
    {EXPRESSION_TANH, {[PRIMITIVES_VULKAN] = 5, [PRIMITIVES_OPENCL] = 5, [PRIMITIVES_LIBM] = 2}},
    {EXPRESSION_ERF, {[PRIMITIVES_VULKAN] = 16, [PRIMITIVES_OPENCL] = 16, [PRIMITIVES_LIBM] = 5}},
    {EXPRESSION_GAMMA, {[PRIMITIVES_VULKAN] = 16, [PRIMITIVES_OPENCL] = 16, [PRIMITIVES_LIBM] = 7}},
    {EXPRESSION_GAMMA_PARTS, {[PRIMITIVES_VULKAN] = 8, [PRIMITIVES_OPENCL] = 8, [PRIMITIVES_LIBM] = 8}},
    {EXPRESSION_POW, {[PRIMITIVES_VULKAN] = 16, [PRIMITIVES_OPENCL] = 16, [PRIMITIVES_LIBM] = 1}},
};

/* Absolute errors of Vulkan's functions, and where division is specified; wider types as float32 at their own
 * precision (reference/profile.c). */
static void add_vulkan(struct expression_allowances *a, const struct dtype_info *info)
{
    bool half = info->component == DTYPE_FLOAT16;
    a->of[EXPRESSION_EXP] = half ? 2 * info->unit_roundoff : a->of[EXPRESSION_EXP];
    a->of[EXPRESSION_LOG_ABSOLUTE] = half ? 0x1p-7 : ldexp(1, 3 - info->precision);
    a->of[EXPRESSION_DIVISOR] = INFINITY;
    a->divisor_least = info->least_normal;
    a->divisor_most = ldexp(1, info->emax - 1);
}

struct expression_allowances expression_allowances_of(const struct profile *profile, enum dtype dtype,
                                                      double n, double h, bool exact)
{
    enum dtype type = dtype_info(profile->accumulate[dtype])->component;
    const struct dtype_info *info = dtype_info(type);
    double declared =
        summation_depth((struct summation_order){profile->summation, profile->summation_size}, n);
    double depth = h >= 0 ? h : declared >= 0 ? declared : n > 1 ? n - 1 : 0;
    double u = exact ? 0 : profile_accumulate_roundoff(profile, dtype),
           own = profile_unit_roundoff(profile, dtype);
    bool same = type == dtype_info(dtype)->component;
    struct expression_allowances a = {.type = type, .divisor_most = INFINITY, .rounded = 1 + 2 * own};
    a.of[EXPRESSION_ARITHMETIC] = u;
    a.of[EXPRESSION_RESULT] = same && u <= own ? 0 : u;
    a.of[EXPRESSION_SUM] = exact ? 0 : profile_sum_error(profile, dtype, depth);
    a.of[EXPRESSION_MEAN] = exact ? 0 : profile_sum_error(profile, dtype, depth + 2);
    for (size_t k = 0; k < sizeof functions / sizeof *functions; k++) {
        a.of[functions[k].class] = functions[k].ulps[profile->primitives] * 2 * info->unit_roundoff;
    }
    a.of[EXPRESSION_UNDERFLOW] = profile_underflow_unit(profile, type);
    a.eta = profile_underflow_unit(profile, dtype) >= a.of[EXPRESSION_UNDERFLOW];
    a.of[EXPRESSION_FLUSH] =
        profile->subnormals[type] == SUBNORMALS_KEPT ? 0 : profile_underflow_unit(profile, type);
    a.of[EXPRESSION_JUMP] = 1;
    if (profile->primitives == PRIMITIVES_VULKAN) {
        add_vulkan(&a, info);
    }
    return a;
}

struct expression_allowances expression_allowances_join(const struct expression_allowances *a,
                                                        const struct expression_allowances *b)
{
    struct expression_allowances joined = *a;
    for (int c = 0; c < EXPRESSION_CLASSES; c++) {
        joined.of[c] = fmax(a->of[c], b->of[c]);
    }
    joined.eta = a->eta && b->eta;
    joined.rounded = fmax(a->rounded, b->rounded);
    joined.divisor_least = fmax(a->divisor_least, b->divisor_least);
    joined.divisor_most = fmin(a->divisor_most, b->divisor_most);
    return joined;
}
