/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The primitive error that a profile allows each class (reference/operator/primitives.h has the tables). */

#include "reference/operator/primitive_errors.h"

#include <math.h>

static const enum expression_class functions[PRIMITIVE_COUNT] = {
    [PRIMITIVE_DIVISION] = EXPRESSION_DIVISION,
    [PRIMITIVE_SQRT] = EXPRESSION_SQRT,
    [PRIMITIVE_RSQRT] = EXPRESSION_RSQRT,
    [PRIMITIVE_EXP] = EXPRESSION_EXP,
    [PRIMITIVE_EXP_ARGUMENT] = EXPRESSION_EXP_ARGUMENT,
    [PRIMITIVE_LOG] = EXPRESSION_LOG,
    [PRIMITIVE_LOG_NEAR_ONE] = EXPRESSION_LOG_NEAR_ONE,
    [PRIMITIVE_ANGLE] = EXPRESSION_ANGLE,
    [PRIMITIVE_TAN] = EXPRESSION_TAN,
    [PRIMITIVE_EXPM1] = EXPRESSION_EXPM1,
    [PRIMITIVE_LOG1P] = EXPRESSION_LOG1P,
    [PRIMITIVE_TANH] = EXPRESSION_TANH,
    [PRIMITIVE_ERF] = EXPRESSION_ERF,
    [PRIMITIVE_GAMMA] = EXPRESSION_GAMMA,
    [PRIMITIVE_GAMMA_PARTS] = EXPRESSION_GAMMA_PARTS,
    [PRIMITIVE_POW] = EXPRESSION_POW,
};

/* Adds the absolute errors of Vulkan's functions and the range of divisors for which division is specified.
 * Wider types follow the rule of float32 at their own precision (reference/operator/profile.c). */
static void add_vulkan(struct primitive_errors *a, const struct dtype_info *info)
{
    bool half = info->component == DTYPE_FLOAT16;
    a->of[EXPRESSION_EXP] = half ? 2 * info->unit_roundoff : a->of[EXPRESSION_EXP];
    a->of[EXPRESSION_LOG_ABSOLUTE] = half ? 0x1p-7 : ldexp(1, 3 - info->precision);
    a->of[EXPRESSION_DIVISOR] = INFINITY;
    a->divisor_least = info->least_normal;
    a->divisor_most = ldexp(1, info->emax - 1);
}

struct primitive_errors primitive_errors_of(const struct profile *profile, enum dtype dtype, double n,
                                            double h, bool exact)
{
    enum dtype type = dtype_info(profile->accumulate[dtype])->component;
    const struct dtype_info *info = dtype_info(type);
    double declared =
        summation_depth((struct summation_order){profile->summation, profile->summation_size}, n);
    double depth = h >= 0 ? h : declared >= 0 ? declared : n > 1 ? n - 1 : 0;
    double u = exact ? 0 : profile_accumulate_roundoff(profile, dtype),
           own = profile_unit_roundoff(profile, dtype);
    bool same = type == dtype_info(dtype)->component;
    struct primitive_errors a = {.type = type, .divisor_most = INFINITY, .rounded = 1 + 2 * own};
    a.of[EXPRESSION_ARITHMETIC] = u;
    a.of[EXPRESSION_RESULT] = same && u <= own ? 0 : u;
    a.of[EXPRESSION_SUM] = exact ? 0 : profile_sum_error(profile, dtype, depth);
    a.of[EXPRESSION_MEAN] = exact ? 0 : profile_sum_error(profile, dtype, depth + 2);
    for (int p = 0; p < PRIMITIVE_COUNT; p++) {
        a.of[functions[p]] =
            primitives_ulps(profile->primitives, (enum primitive)p, type) * 2 * info->unit_roundoff;
    }
    a.of[EXPRESSION_UNDERFLOW] = profile_underflow_unit(profile, type);
    a.eta = profile_underflow_unit(profile, dtype) >= a.of[EXPRESSION_UNDERFLOW];
    a.of[EXPRESSION_FLUSH] =
        profile->subnormals[type] == SUBNORMALS_KEPT ? 0 : profile_underflow_unit(profile, type);
    a.of[EXPRESSION_JUMP] = 1;
    a.to_nearest = profile->rounding[type] == ROUNDING_RTE && profile->rounding[dtype] == ROUNDING_RTE;
    if (profile->primitives == PRIMITIVES_VULKAN) {
        add_vulkan(&a, info);
    }
    return a;
}

struct primitive_errors primitive_errors_join(const struct primitive_errors *a,
                                              const struct primitive_errors *b)
{
    struct primitive_errors joined = *a;
    for (int c = 0; c < EXPRESSION_CLASSES; c++) {
        joined.of[c] = fmax(a->of[c], b->of[c]);
    }
    joined.eta = a->eta && b->eta;
    joined.to_nearest = a->to_nearest && b->to_nearest;
    joined.rounded = fmax(a->rounded, b->rounded);
    joined.divisor_least = fmax(a->divisor_least, b->divisor_least);
    joined.divisor_most = fmin(a->divisor_most, b->divisor_most);
    return joined;
}
