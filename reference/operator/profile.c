/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/operator/profile.h"
#include "reference/numeric/elementary/portable.h"

#include <math.h>
#include <string.h>

struct profile profile_ieee(void)
{
    struct profile profile = {.primitives = PRIMITIVES_LIBM};
    for (int d = 0; d < DTYPE_COUNT; d++) {
        profile.rounding[d] = ROUNDING_RTE;
        profile.subnormals[d] = SUBNORMALS_KEPT;
        profile.special_values[d] = true;
        profile.accumulate[d] = (enum dtype)d;
        profile.attention_probabilities[d] = (enum dtype)d;
    }
    return profile;
}

double profile_unit_roundoff(const struct profile *profile, enum dtype dtype)
{
    enum dtype component = dtype_info(dtype)->component;
    if (!dtype_is_floating(component)) {
        return 0;
    }
    double u = dtype_unit_roundoff(component);
    return profile->rounding[component] == ROUNDING_RTE ? u : 2 * u;
}

bool profile_accumulate_is_open(const struct profile *profile, enum dtype dtype)
{
    enum dtype component = dtype_info(dtype)->component,
               wide = dtype_info(profile->accumulate[dtype])->component;
    return profile->rounding[wide] != ROUNDING_RTE || (profile->matrix_unit && wide != component);
}

bool profile_rounds_to_nearest(const struct profile *profile, enum dtype dtype)
{
    return profile->rounding[dtype] == ROUNDING_RTE &&
           profile->rounding[profile->accumulate[dtype]] == ROUNDING_RTE;
}

double profile_accumulate_roundoff(const struct profile *profile, enum dtype dtype)
{
    double u = profile_unit_roundoff(profile, profile->accumulate[dtype]);
    bool own = profile->rounding[dtype_info(profile->accumulate[dtype])->component] != ROUNDING_RTE;
    return profile_accumulate_is_open(profile, dtype) && !own ? 2 * u : u;
}

double profile_sum_error(const struct profile *profile, enum dtype dtype, double roundings)
{
    enum dtype accumulate = dtype_info(profile->accumulate[dtype])->component;
    double first = roundings * profile_accumulate_roundoff(profile, dtype);
    return profile->rounding[accumulate] == ROUNDING_RTE ? first : first < 1 ? first / (1 - first) : INFINITY;
}

double profile_underflow_unit(const struct profile *profile, enum dtype dtype)
{
    enum dtype component = dtype_info(dtype)->component;
    if (!dtype_is_floating(component)) {
        return 0;
    }
    return profile->subnormals[component] == SUBNORMALS_KEPT ? dtype_least_subnormal(component)
                                                             : dtype_least_normal(component);
}

static bool names(const char *const *list, const char *operator_name)
{
    for (int i = 0; list && list[i]; i++) {
        if (strcmp(list[i], operator_name) == 0) {
            return true;
        }
    }
    return false;
}

bool profile_is_nondeterministic(const struct profile *profile, const char *operator_name)
{
    return names(profile->nondeterministic, operator_name);
}

bool profile_is_invariant(const struct profile *profile, const char *operator_name)
{
    return profile->invariance == INVARIANCE_BITS && !profile_is_nondeterministic(profile, operator_name);
}

struct summation_order profile_summation(const struct profile *profile, const char *operator_name)
{
    const struct operator_summation *own = profile->summations;
    for (; own && own->operator_name; own++) {
        if (strcmp(own->operator_name, operator_name) == 0) {
            return own->order;
        }
    }
    return (struct summation_order){profile->summation, profile->summation_size};
}

double summation_depth(struct summation_order order, double n)
{
    double all = n > 1 ? n - 1 : 0, size = (double)order.size;
    switch (order.kind) {
    case SUMMATION_DECLARED:
        return -1;
    case SUMMATION_PAIRWISE:
        return n > 1 ? portable_log2_ceiling(n) : 0;
    case SUMMATION_BLOCKED:
        return n > 1 ? fmin(all, ceil(n / size) - 1 + portable_log2_ceiling(size)) : 0;
    case SUMMATION_UNDECLARED:
    case SUMMATION_RECURSIVE:
        break;
    }
    return all;
}

static struct operator_algorithm algorithm_of(const struct profile *profile, const char *operator_name)
{
    const struct operator_algorithm *own = profile->algorithms;
    for (; own && own->operator_name; own++) {
        if (strcmp(own->operator_name, operator_name) == 0) {
            return *own;
        }
    }
    return (struct operator_algorithm){.operator_name = NULL};
}

int64_t profile_fast_crossover(const struct profile *profile, const char *operator_name)
{
    return algorithm_of(profile, operator_name).crossover;
}

int profile_winograd(const struct profile *profile, const char *operator_name)
{
    return algorithm_of(profile, operator_name).winograd;
}

bool profile_loses_subnormals(const struct profile *profile, enum dtype dtype)
{
    enum dtype accumulate = profile->accumulate[dtype];
    bool same_range = dtype_info(dtype)->emin == dtype_info(accumulate)->emin;
    return profile->subnormals[dtype] == SUBNORMALS_MAY_FLUSH ||
           (same_range && profile->subnormals[accumulate] == SUBNORMALS_MAY_FLUSH);
}

struct profile profile_of_operator(const struct profile *profile, const char *operator_name)
{
    struct profile own = *profile;
    for (int dtype = 0; names(profile->accumulate_own, operator_name) && dtype < DTYPE_COUNT; dtype++) {
        own.accumulate[dtype] = dtype_info((enum dtype)dtype)->component;
    }
    own.matrix_unit = names(profile->matrix_units, operator_name);
    own.documented_form = names(profile->documented, operator_name);
    own.range = names(profile->naive_range, operator_name) ? RANGE_NAIVE : RANGE_SAFE;
    /* looked up once, for all uses */
    struct summation_order order = profile_summation(profile, operator_name);
    own.summation = order.kind;
    own.summation_size = order.size;
    own.summations = NULL;
    own.algorithms = algorithm_of(profile, operator_name).operator_name ? profile->algorithms : NULL;
    return own;
}

/* Returns an error bound of `count` ulp as an absolute error at y. As ulp(y) ≤ 2u|y|, it is a relative error
 * that holds at every y, plus η. */
static double ulps(const struct profile *profile, enum dtype dtype, double count, double y)
{
    enum dtype component = dtype_info(dtype)->component;
    return count * 2 * dtype_unit_roundoff(component) * fabs(y) + profile_underflow_unit(profile, dtype);
}

double profile_log_error(const struct profile *profile, enum dtype dtype, double x, double y)
{
    enum dtype component = dtype_info(dtype)->component;
    double error = ulps(profile, dtype, primitives_ulps(profile->primitives, PRIMITIVE_LOG, dtype), y);
    if (profile->primitives == PRIMITIVES_VULKAN && x >= 0.5 && x <= 2) {
        /* The absolute error is 2^-21 for 32-bit and 2^-7 for 16-bit. 64-bit follows the 32-bit rule at its
         * own precision (2^-50), which is stricter than the specification: that only requires 64-bit to be as
         * good as 32-bit. */
        double absolute =
            component == DTYPE_FLOAT16 ? 0x1p-7 : ldexp(1, 3 - dtype_info(component)->precision);
        error = fmax(error, absolute);
    }
    return error;
}

double profile_divide_error(const struct profile *profile, enum dtype dtype, double y)
{
    return ulps(profile, dtype, primitives_ulps(profile->primitives, PRIMITIVE_DIVISION, dtype), y);
}

double profile_sqrt_error(const struct profile *profile, enum dtype dtype, double y)
{
    return ulps(profile, dtype, primitives_ulps(profile->primitives, PRIMITIVE_SQRT, dtype), y);
}

double profile_rsqrt_error(const struct profile *profile, enum dtype dtype, double y)
{
    /* inversesqrt errs by 2 ulp; 1/sqrt may have the errors of both its operations, a square root and a
     * division. */
    return ulps(profile, dtype, primitives_ulps(profile->primitives, PRIMITIVE_RSQRT, dtype), y);
}

const char *padding_name(enum padding padding)
{
    static const char *const names[] = {
        [PADDING_OPEN] = "open", [PADDING_SKIPPED] = "skipped", [PADDING_ZEROS] = "zeros"};
    return names[padding];
}
