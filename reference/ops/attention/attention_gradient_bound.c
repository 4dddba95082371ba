/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The error bound of the gradient of attention, with the names of attention_bound.c and attention_group.h.
 *
 * A program computes P anew, as e^(s − m)/Σ or as e^(s − l), where l is the logarithm of the sum of e^s and
 * errs by u·(|m| + log M) and by the logarithm's own error. Its D is Σ P·dP or Σ dO·O, where O may have been
 * rounded to the dtype of the operands. P and dS may be rounded to the dtype that the profile states before
 * they multiply. To first order the error of dS is the sum of GROUP_DS_… times the errors beside which they
 * stand; κ covers the products of errors. */

#include "reference/numeric/elementary/portable.h"
#include "reference/operator/bound_memo.h"
#include "reference/ops/attention/attention_bound.h"

#include <math.h>

static const double *sensitivity_of(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[query->output];
    return &out->sensitivity[query->element * out->sensitivities];
}

static double depth_of(const struct bound_query *query, double terms)
{
    double h = summation_depth(profile_summation(query->profile, query->op->name), terms);
    return h < 0 ? fmax(terms - 1, 0) : h;
}

/* What underflow may change: weights, and the products and sums of the last sum. */
static double underflow_of(const struct attention_errors *e, const double *s)
{
    if (s[ATTENTION_GRADIENT_VALUE_WIDTH] == 0) { /* dP and D are sums of nothing, and every dS is 0 */
        return 0;
    }
    return (e->underflow + e->probability) * s[ATTENTION_GRADIENT_LOST] +
           (3 * s[ATTENTION_GRADIENT_TERMS] + 8) * e->least;
}

/* What the flushing of subnormal operands may change, but for scores. */
static double flushed_of(const struct bound_query *query, const double *s)
{
    const enum dtype dtype = query->truth->output[query->output].dtype;
    return profile_loses_subnormals(query->profile, dtype)
               ? s[ATTENTION_GRADIENT_FLUSHED] * dtype_least_normal(dtype)
               : 0;
}

double attention_gradient_bound(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[query->output];
    const struct profile *profile = query->profile;
    const double *s = sensitivity_of(query);
    const bool is_empty = (int)s[ATTENTION_FLAGS] & ATTENTION_IS_EMPTY;
    if (out->value[query->element].class != VALUE_FINITE || is_empty ||
        (s[ATTENTION_GRADIENT_LOST] == 0 && s[ATTENTION_GRADIENT_MAGNITUDE] == 0)) {
        return 0;
    }
    struct attention_errors e = attention_errors_of(query);
    if (!e.bounded) {
        return INFINITY;
    }
    const double u = query->exact ? 0 : profile_accumulate_roundoff(profile, out->dtype);
    const double logarithm = 1 + (s[ATTENTION_KEYS] > 1 ? portable_log(s[ATTENTION_KEYS]) : 0);
    const double unit = 2 * dtype_unit_roundoff(profile->accumulate[out->dtype]);
    double weight = 2 * (e.weight + e.flushed) + e.keys + e.division +
                    logarithm * (e.distance + 2 * u +
                                 unit * primitives_ulps(profile->primitives, PRIMITIVE_LOG,
                                                        profile->accumulate[out->dtype])) +
                    3 * u;
    double value = query->exact ? 0
                                : profile_sum_error(profile, out->dtype,
                                                    depth_of(query, s[ATTENTION_GRADIENT_VALUE_WIDTH]) + 3) +
                                      profile_unit_roundoff(profile, out->dtype) + e.rounded;
    double last = query->exact ? 0
                               : profile_sum_error(profile, out->dtype,
                                                   depth_of(query, s[ATTENTION_GRADIENT_TERMS]) + 5) +
                                     e.rounded;
    double kept = 1 - e.keys - s[ATTENTION_KEYS] * e.underflow;
    double most = e.growth * e.growth * e.slope / kept * (1 + last) * (1 + value) * (1 + value);
    return most * (e.score * s[ATTENTION_GRADIENT_SCORE] + e.distance * s[ATTENTION_GRADIENT_DISTANCE] +
                   weight * s[ATTENTION_GRADIENT_WEIGHT] + value * s[ATTENTION_GRADIENT_VALUE]) +
           last * s[ATTENTION_GRADIENT_MAGNITUDE] + most * (underflow_of(&e, s) + flushed_of(query, s));
}

/* As attention_primitive_error: twice the deviation of errors of exponentials as large as allowed, four times
 * that of roundings of P, dS and O to a narrower dtype. */
double attention_gradient_primitive_error(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[query->output];
    const double *s = sensitivity_of(query);
    struct attention_errors e = attention_errors_of(query);
    double size = fabs(value_approximately(&out->value[query->element]));
    double once = 2 * e.exponential;
    double all = once * s[ATTENTION_GRADIENT_WEIGHT] + e.argument * s[ATTENTION_GRADIENT_DISTANCE];
    double some =
        2 * (once * s[ATTENTION_GRADIENT_EXPONENTIAL] + e.argument * s[ATTENTION_GRADIENT_ARGUMENT]);
    double u = profile_accumulate_roundoff(query->profile, out->dtype),
           own = profile_unit_roundoff(query->profile, out->dtype), low = fmax(e.rounded, own);
    double rounded = low > u ? low * fmin(s[ATTENTION_GRADIENT_VALUE] + s[ATTENTION_GRADIENT_MAGNITUDE],
                                          4 * s[ATTENTION_GRADIENT_LOW] + size)
                             : 0;
    return fmin(all, some) + e.division * (size + s[ATTENTION_GRADIENT_EXPONENTIAL]) + rounded +
           underflow_of(&e, s) + flushed_of(query, s) + 2 * e.flushed * s[ATTENTION_GRADIENT_WEIGHT];
}

bool attention_gradient_may_overflow(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[query->output];
    const double *s = sensitivity_of(query);
    double most = dtype_max(query->profile->accumulate[out->dtype]) / 4;
    return out->value[query->element].class != VALUE_NAN &&
           (fmax(s[ATTENTION_OVERFLOW], s[ATTENTION_MAXIMUM]) > most ||
            fmax(s[ATTENTION_GRADIENT_LOST], s[ATTENTION_GRADIENT_MAGNITUDE]) > most);
}
