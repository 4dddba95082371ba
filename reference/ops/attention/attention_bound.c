/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The error bound of attention.
 *
 * A score s is computed with an error of at most α·T, where T = scale·Σ|q·k| + |mask|: each product goes
 * through at most h additions, one rounding of its own, and up to seven more for the scale (on either factor
 * or on both, by its root), for log2 e (where weights are powers of two) and for the mask. The difference to
 * the maximum is rounded, and so is its product with log2 e. Where programs subtract a maximum that they
 * rounded after scaling it, blocks of keys with different maxima differ by 2u·|m|. So a weight e^x is
 * computed as e^x·(1 + ε) with |ε| ≤ e^β − 1, where
 *
 *     β = α·T + γ·X + π,  X = m − s,
 *
 * γ holds three roundings and the part of the exponential's error that grows with its argument, and π the
 * other part, once for the weight and once for each of up to r rescalings by e^(m_old − m_new). The arguments
 * of all these exponentials add up to X.
 *
 * With P the probabilities, ε' the errors of the sum over keys of P·V (roundings of sums, rescalings,
 * products, the division, and of P) and φ those of the sum of weights,
 *
 *     Ô − O = (Σ P(1 + ε)(V(1 + ε') − O(1 + φ))) / (Σ P(1 + ε)(1 + φ)),
 *
 * and Σ P(V − O) = 0, so that |Ô − O| ≤ (Σ P|ε||V − O| + (1 + b)(Θ·Σ P|V| + Φ|O|)) / ((1 − Φ)/(1 + b)), where
 * Θ ≥ |ε'|, Φ ≥ |φ| and b = e^β − 1 of the greatest β of the row. A weight that underflows errs by less than
 * the least normal number, whatever the profile says of subnormals: exponentials in use give 0 there. Keys
 * that are more than 1500 below the maximum have weights of 0 if their scores err by less than half of that.
 */

#include "reference/ops/attention/attention_bound.h"
#include "reference/numeric/elementary/portable.h"
#include "reference/operator/bound_memo.h"
#include "reference/ops/attention/attention_scores.h"

#include <math.h>

/* Roundings of a score beside its sum's, of an exponent beside the exponential's error over X, of a
 * probability beside its sum's. */
enum { SCORE_ROUNDINGS = 8, DISTANCE_ROUNDINGS = 3, PROBABILITY_ROUNDINGS = 4 };

static double depth_of(const struct bound_query *query, double terms)
{
    double h = summation_depth(profile_summation(query->profile, query->op->name), terms);
    return h < 0 ? fmax(terms - 1, 0) : h; /* no order of attention's is documented yet */
}

static const double *sensitivity_of(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[query->output];
    return &out->sensitivity[query->element * out->sensitivities];
}

/* Returns e^β − 1, rounded up. */
static double growth_less_one(double beta)
{
    return beta > 700       ? INFINITY
           : beta > 0x1p-12 ? portable_above(elementary_expm1, beta)
                            : beta * (1 + beta);
}

struct attention_errors attention_errors_of(const struct bound_query *query)
{
    const double *s = sensitivity_of(query);
    const struct profile *profile = query->profile;
    const enum primitives table =
        query->quality && profile->primitives == PRIMITIVES_VULKAN ? PRIMITIVES_OPENCL : profile->primitives;
    const enum dtype dtype = query->truth->output[query->output].dtype;
    const enum dtype wide = profile->accumulate[dtype], low = profile->attention_probabilities[dtype];
    const double unit = 2 * dtype_unit_roundoff(wide);
    struct attention_errors e = {.bounded = true};
    e.exponential = primitives_ulps(table, PRIMITIVE_EXP, wide) * unit;
    e.argument = primitives_ulps(table, PRIMITIVE_EXP_ARGUMENT, wide) * unit;
    e.division = primitives_ulps(table, PRIMITIVE_DIVISION, wide) * unit;
    e.depth = 2 * depth_of(query, s[ATTENTION_KEYS]);
    if (!query->exact) {
        double h = depth_of(query, s[ATTENTION_WIDTH] + 1);
        e.score = profile_sum_error(profile, dtype, h + SCORE_ROUNDINGS);
        e.distance = profile_sum_error(profile, dtype, DISTANCE_ROUNDINGS);
        e.weight = 2 * profile_accumulate_roundoff(profile, dtype) * s[ATTENTION_MAXIMUM];
        e.keys = profile_sum_error(profile, dtype, e.depth + PROBABILITY_ROUNDINGS);
        e.rounded = profile_unit_roundoff(profile, low);
    }
    e.distance += e.argument;
    e.weight += (e.depth / 2 + 1) * e.exponential;
    e.flushed = profile_loses_subnormals(profile, dtype) ? s[ATTENTION_SUBNORMAL] : 0;
    e.least = profile_underflow_unit(profile, wide);
    e.underflow = fmax(e.least, dtype_least_normal(wide == DTYPE_FLOAT64 ? wide : DTYPE_FLOAT32));
    e.probability = fmax(e.underflow, profile_underflow_unit(profile, low));
    double beta =
        e.score * s[ATTENTION_SCORE_MOST] + e.distance * s[ATTENTION_DISTANCE_MOST] + e.weight + e.flushed;
    double less_one = growth_less_one(beta);
    e.growth = 1 + less_one;
    e.slope = beta > 0 ? fmax(1, less_one / beta * (1 + 0x1p-50)) : 1;
    bool far_is_zero =
        e.score * s[ATTENTION_FAR_MOST] + e.distance + (e.weight + e.flushed) / ATTENTION_FAR < 0.5;
    double lost = e.keys + s[ATTENTION_KEYS] * e.underflow;
    e.bounded = far_is_zero && isfinite(e.growth) && lost < 0.5;
    return e;
}

double attention_bound(const struct bound_query *query)
{
    const double *s = sensitivity_of(query);
    const struct value *value = &query->truth->output[query->output].value[query->element];
    if (value->class != VALUE_FINITE || ((int)s[ATTENTION_FLAGS] & ATTENTION_IS_EMPTY) ||
        s[ATTENTION_VALUES] == 0) {
        return 0;
    }
    struct attention_errors e = attention_errors_of(query);
    if (!e.bounded) {
        return INFINITY;
    }
    double size = fabs(value_approximately(value));
    double weights = e.slope * (e.score * s[ATTENTION_SCORES] + e.distance * s[ATTENTION_DISTANCE] +
                                (e.weight + e.flushed) * s[ATTENTION_SPREAD]);
    double sums = (e.keys + e.division + e.rounded) * s[ATTENTION_MAGNITUDE] + e.keys * size;
    double underflow = (e.underflow + e.probability) * s[ATTENTION_VALUES] +
                       s[ATTENTION_KEYS] * e.underflow * size + (3 * s[ATTENTION_KEYS] + 4) * e.least;
    if (profile_loses_subnormals(query->profile, query->truth->output[query->output].dtype)) {
        sums += s[ATTENTION_SUBNORMAL_VALUES];
    }
    double kept = 1 - e.keys - s[ATTENTION_KEYS] * e.underflow;
    return e.growth * (weights + e.growth * sums + underflow) / kept;
}

/* The primitive error: exponentials, the division, the rounding of probabilities, underflow. On random data
 * the values know nothing of the scores, so that errors of weights, even if they depend on the score alone,
 * add up with random signs: twice the deviation that they have if each is as large as allowed. Roundings of
 * probabilities are random but for a part that all keys share. */
double attention_primitive_error(const struct bound_query *query)
{
    const double *s = sensitivity_of(query);
    const struct truth_output *out = &query->truth->output[query->output];
    struct attention_errors e = attention_errors_of(query);
    double size = fabs(value_approximately(&out->value[query->element]));
    double once = 2 * e.exponential;
    double all = once * s[ATTENTION_SPREAD] + e.argument * s[ATTENTION_DISTANCE];
    double some = 2 * (once * s[ATTENTION_SPREAD_ENERGY] + e.argument * s[ATTENTION_DISTANCE_ENERGY]);
    double weights = fmin(all, some) + e.flushed * s[ATTENTION_SPREAD];
    double u = profile_accumulate_roundoff(query->profile, out->dtype);
    double rounded =
        e.rounded > u ? e.rounded * fmin(s[ATTENTION_MAGNITUDE], 4 * s[ATTENTION_ENERGY] + size) : 0;
    double underflow = (e.underflow + e.probability) * s[ATTENTION_VALUES] +
                       s[ATTENTION_KEYS] * e.underflow * size + (3 * s[ATTENTION_KEYS] + 4) * e.least;
    bool lost = profile_loses_subnormals(query->profile, out->dtype);
    return weights + e.division * size + rounded + underflow + (lost ? s[ATTENTION_SUBNORMAL_VALUES] : 0);
}

/* Scores that overflow, or values that are summed before the division. */
bool attention_may_overflow(const struct bound_query *query)
{
    const double *s = sensitivity_of(query);
    double most = dtype_max(query->profile->accumulate[query->truth->output[query->output].dtype]);
    const struct value *value = &query->truth->output[query->output].value[query->element];
    return value->class != VALUE_NAN && (fmax(s[ATTENTION_OVERFLOW], s[ATTENTION_MAXIMUM]) > most / 4 ||
                                         s[ATTENTION_KEYS] * s[ATTENTION_MAGNITUDE] > most / 4);
}

void attention_accept(const struct bound_query *query, struct accept *accept)
{
    const struct truth_output *out = &query->truth->output[query->output];
    const struct profile *profile = query->profile;
    const struct value *value = &out->value[query->element];
    const int flags = (int)sensitivity_of(query)[ATTENTION_FLAGS];
    const struct value nan = value_of(NAN);
    if (flags & ATTENTION_IS_EMPTY) {
        bool only =
            profile->attention_empty_row == ATTENTION_EMPTY_ROW_NAN && !(flags & ATTENTION_MEETS_EMPTY);
        bool also =
            profile->attention_empty_row == ATTENTION_EMPTY_ROW_OPEN || (flags & ATTENTION_MAY_BE_NAN);
        accept_default(accept, out->dtype, profile, only ? &nan : value, 0);
        accept->set[0].rule = RULE_OPERATOR;
        accept->set[0].component[0].special |= also ? ACCEPT_NAN : 0U;
        if (!only) {
            accept_any_zero(accept);
        }
        return;
    }
    accept_default(accept, out->dtype, profile, value, op_bound(query));
    bool empty = (flags & ATTENTION_MEETS_EMPTY) && profile->attention_empty_row != ATTENTION_EMPTY_ROW_ZERO;
    if ((flags & ATTENTION_MAY_BE_NAN) || empty) {
        for (int k = 0; k < accept->sets; k++) {
            accept->set[k].component[0].special |= ACCEPT_NAN;
        }
    }
    if (value->class == VALUE_FINITE && value->hi == 0) {
        accept_any_zero(accept);
    }
}
