/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/ops/determinant/logdet_bound.h"
#include "reference/numeric/elementary/portable.h"

#include <math.h>

static const double *sensitivity_of(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[query->output];
    return &out->sensitivity[query->element * out->sensitivities];
}

static enum dtype dtype_of(const struct bound_query *query)
{
    return query->truth->output[query->output].dtype;
}

static struct profile graded(const struct bound_query *query)
{
    struct profile profile = *query->profile;
    if (query->quality && profile.primitives == PRIMITIVES_VULKAN) {
        profile.primitives = PRIMITIVES_OPENCL;
    }
    return profile;
}

/* c: |ΔA| ≤ c·|L||U| in the profile's precision. */
static double backward_error(const struct bound_query *query, const struct profile *profile)
{
    enum dtype dtype = dtype_of(query), accumulate = profile->accumulate[dtype];
    double u = profile_accumulate_roundoff(profile, dtype);
    double c_div = profile_divide_error(profile, accumulate, 1) / u;
    return (sensitivity_of(query)[ORDER] + fmax(c_div - 1, 0)) * u;
}

/* Bound of the error of log|det| from elimination: −log det(I − c·W) = Σ c^k·tr(W^k)/k, its tail bounded by
 * n·spr(W)^k, plus underflow; at least 4·S for other legal pivots. Infinite if rounding may make the matrix
 * singular. */
static double perturbation(const struct bound_query *query)
{
    const double *s = sensitivity_of(query);
    double n = s[ORDER];
    if (query->exact || n == 0) {
        return 0;
    }
    struct profile profile = graded(query);
    double c = backward_error(query, &profile),
           eta = profile_underflow_unit(&profile, profile.accumulate[dtype_of(query)]);
    double radius = c * s[RADIUS], power = 1, sum = 0;
    if (!(radius < 1)) {
        return INFINITY;
    }
    for (int k = 0; k < DETERMINANT_TRACES; k++) {
        power *= c;
        sum += power * s[TRACE + k] / (k + 1);
    }
    sum += n * portable_power(radius, DETERMINANT_TRACES + 1) / (DETERMINANT_TRACES + 1) / (1 - radius);
    const struct truth_output *out = &query->truth->output[query->output];
    double underflow = n * eta * s[UNDERFLOW_SUM] / (1 - radius),
           u = profile_accumulate_roundoff(&profile, dtype_of(query));
    double other = out->envelope && n > 2 ? 4 * u * out->envelope[query->element].sign_spread : 0;
    return underflow < 1 ? fmax((sum - portable_log1p(-underflow)) * (1 + 0x1p-40), other) : INFINITY;
}

/* The error of the logarithms of n pivots, and of their sum. */
static double logarithm_error(const struct bound_query *query)
{
    const double *s = sensitivity_of(query);
    if (s[ORDER] == 0) {
        return 0;
    }
    struct profile profile = graded(query);
    enum dtype accumulate = profile.accumulate[dtype_of(query)];
    double u = profile_accumulate_roundoff(&profile, dtype_of(query));
    return profile_log_error(&profile, accumulate, 4, s[LOG_SUM]) +
           s[NEAR_ONE] * profile_log_error(&profile, accumulate, 1, 0) + s[ORDER] * u * s[LOG_SUM];
}

/* log(|det| + D), the natural logarithm of the greatest |det| that rounding may lead to; −infinity if both
 * are 0. Stores log D in *log_d. */
static double log_reach(const struct bound_query *query, double *log_d)
{
    const double *s = sensitivity_of(query);
    struct profile profile = graded(query);
    enum dtype dtype = dtype_of(query);
    double u = profile_accumulate_roundoff(&profile, dtype);
    double c_div = profile_divide_error(&profile, profile.accumulate[dtype], 1) / u;
    int n = (int)s[ORDER];
    /* ‖ΔA‖_F in units of F: n·u by rounding, n·(n·η)/F by underflow, n·(n·η) by underflow of multipliers. */
    double eta = n * (n * profile_underflow_unit(&profile, profile.accumulate[dtype]));
    double units = (n + fmax(c_div - 1, 0)) * u + portable_exp2(portable_log2(eta) - s[LOG2_FROBENIUS]) + eta;
    double log2_epsilon = portable_log2(units), largest = -INFINITY, sum = 0;
    for (int k = 1; k <= n && s[HAS_COEFFICIENTS] != 0; k++) {
        largest = fmax(largest, s[LOG2_COEFFICIENT + k - 1] + k * log2_epsilon);
    }
    for (int k = 1; k <= n && isfinite(largest); k++) {
        sum += portable_exp2(s[LOG2_COEFFICIENT + k - 1] + k * log2_epsilon - largest);
    }
    *log_d = isfinite(largest)          ? (largest + portable_log2(sum)) * M_LN2
             : s[HAS_COEFFICIENTS] != 0 ? -INFINITY
                                        : INFINITY;
    double log_det = s[LOG2_ABS] * M_LN2, high = fmax(*log_d, log_det), low = fmin(*log_d, log_det);
    return isfinite(high) ? high + portable_log1p(portable_exp(low - high)) : high;
}

double logdet_bound(const struct bound_query *query)
{
    return perturbation(query) + logarithm_error(query);
}

/* The primitive error: the errors of the logarithm function, and underflow. */
double logdet_primitive_error(const struct bound_query *query)
{
    const double *s = sensitivity_of(query);
    struct profile profile = graded(query);
    enum dtype accumulate = profile.accumulate[dtype_of(query)];
    double underflow = s[ORDER] * profile_underflow_unit(&profile, accumulate) * s[UNDERFLOW_FORMS];
    bool is_sign = query->op->outputs == 2 && query->output == 0;
    return s[ORDER] == 0 || is_sign
               ? underflow
               : profile_log_error(&profile, accumulate, 4, s[LOG_SUM]) +
                     s[NEAR_ONE] * profile_log_error(&profile, accumulate, 1, 0) + underflow;
}

/* n ≥ 2 with an infinite entry: the determinant is undefined. Every special value is accepted, and every
 * sign. */
static void accept_infinite_entries(const struct bound_query *query, bool is_sign, struct accept *accept)
{
    *accept = (struct accept){.dtype = dtype_of(query), .sets = 1};
    accept->set[0].component[0].special = ACCEPT_NAN | ACCEPT_POSITIVE_INFINITY | ACCEPT_NEGATIVE_INFINITY;
    accept->set[0].component[0].finite = is_sign;
    accept->set[0].component[0].zero = ZERO_ANY;
    accept->set[0].radius = is_sign ? 1 : 0;
    accept->set[0].rule = RULE_OPERATOR;
}

/* Accepts −1, 0 and 1, for D ≥ |det|. */
static void accept_any_sign(const struct bound_query *query, struct accept *accept)
{
    *accept = (struct accept){.dtype = dtype_of(query), .sets = 3};
    for (int s = 0; s < 3; s++) {
        accept->set[s].component[0].finite = true;
        accept->set[s].component[0].zero = ZERO_ANY;
        accept->set[s].component[0].centre = value_of(s - 1);
        accept->set[s].rule = RULE_OPERATOR;
    }
}

/* Acceptance set of a logarithm without a finite error bound, by D. `signed_log`: logdet, which is NaN for a
 * negative determinant. */
static void accept_undecided(const struct bound_query *query, bool signed_log, struct accept *accept)
{
    const double *s = sensitivity_of(query);
    double log_d, reach = log_reach(query, &log_d);
    double log_det = s[LOG2_ABS] * M_LN2;
    bool sign_free = log_d >= log_det;
    double slack =
        logarithm_error(query) + 64 * profile_unit_roundoff(query->profile, dtype_of(query)) * fabs(reach);
    *accept = (struct accept){.dtype = dtype_of(query), .sets = 1};
    struct accept_set *set = &accept->set[0];
    set->rule = RULE_OPERATOR;
    set->component[0].zero = ZERO_ANY;
    set->component[0].finite = isfinite(reach) || reach > 0;
    if (sign_free) {
        set->component[0].special = ACCEPT_NEGATIVE_INFINITY | (signed_log ? ACCEPT_NAN : 0);
        set->component[0].centre = value_of(isfinite(reach) ? reach : 0);
        set->radius = isfinite(reach) ? slack : reach > 0 ? INFINITY : 0;
        set->unbounded_below = true;
        return;
    }
    const struct value *truth_value = &query->truth->output[query->output].value[query->element];
    if (truth_value->class != VALUE_FINITE) { /* logdet of a certainly negative determinant */
        accept_default(accept, dtype_of(query), query->profile, truth_value, 0);
        return;
    }
    double below = -portable_log1p(-fmin(1, portable_exp(log_d - log_det)));
    set->component[0].centre = *truth_value;
    set->radius = fmax(reach - log_det, below) + slack;
}

/* The naive form computes the determinant, a product of pivots in any order, then its logarithm. */
bool logdet_naive_may_overflow(const struct bound_query *query)
{
    enum dtype accumulate = query->profile->accumulate[dtype_of(query)];
    return sensitivity_of(query)[LOG_SUM] > -portable_log(dtype_least_normal(accumulate));
}

/* True for the sign of a matrix with a NaN if the profile permits a number. */
static bool sign_is_number(const struct bound_query *query, bool is_sign)
{
    const struct truth_output *out = &query->truth->output[query->output];
    return is_sign && query->profile->slogdet_nan_sign == SLOGDET_NAN_SIGN_NUMBER &&
           out->value[query->element].class == VALUE_NAN;
}

/* True if elimination may overflow: in practice entries grow by a factor of at most n. LAPACK's getrf does
 * not scale the matrix first. */
static bool may_overflow(const struct bound_query *query)
{
    const double *s = sensitivity_of(query);
    return s[ORDER] > 1 && s[GREATEST] * s[ORDER] > dtype_max(query->profile->accumulate[dtype_of(query)]);
}

/* Adds results that are also correct for finite entries: zeros of either sign for log 1 and for the sign of a
 * singular matrix, and results of an elimination that overflows. */
static void accept_others(const struct bound_query *query, bool is_sign, struct accept *accept)
{
    if (may_overflow(query)) {
        if (is_sign) {
            accept_any_sign(query, accept);
        }
        accept_overflowed(accept, query->profile);
    }
    accept_any_zero(accept);
}

void logdet_accept(const struct bound_query *query, struct accept *accept)
{
    const struct truth_output *out = &query->truth->output[query->output];
    const double *s = sensitivity_of(query);
    bool is_sign = query->op->outputs == 2 && query->output == 0;
    bool special_truth = isnan(s[CONDITION]);
    bool certified = isfinite(perturbation(query));
    double log_d = -INFINITY;
    if (sign_is_number(query, is_sign)) {
        accept_any_sign(query, accept);
        accept->set[0].component[0].special = ACCEPT_NAN;
        for (int k = 0; k < accept->sets; k++) {
            accept->set[k].rule = RULE_CONVENTION;
        }
    } else if (special_truth) {
        accept_infinite_entries(query, is_sign, accept);
    } else if (!certified && !is_sign) {
        accept_undecided(query, query->op->outputs == 1, accept);
    } else if (!certified && log_reach(query, &log_d) > -INFINITY && log_d >= s[LOG2_ABS] * M_LN2) {
        accept_any_sign(query, accept);
    } else {
        accept_default(accept, out->dtype, query->profile, &out->value[query->element],
                       is_sign ? 0 : logdet_bound(query));
    }
    if (!special_truth) {
        accept_others(query, is_sign, accept);
    }
}

/* The result with the wrong sign: NaN instead of a number, or a number instead of NaN. */
bool logdet_flipped_sign(const struct bound_query *query, void *bytes)
{
    const struct truth_output *out = &query->truth->output[query->output];
    const double *s = sensitivity_of(query);
    enum value_class class = out->value[query->element].class;
    bool negative = class == VALUE_NAN && isfinite(s[CONDITION]) && s[CONDITION] > 0;
    if (query->op->outputs == 2 || (class != VALUE_FINITE && !negative)) {
        return false;
    }
    dtype_store(out->dtype, bytes, negative ? s[LOG2_ABS] * M_LN2 : NAN);
    return true;
}

/* If the logarithm has an error bound B: B / max(1, Σ|log|u_ii||). Otherwise (|det| + D) / Hadamard's
 * bound. */
double logdet_resolving_power(const struct bound_query *query, const struct accept *accept)
{
    const double *s = sensitivity_of(query);
    if (query->op->outputs == 2 && query->output == 0) {
        bool convention = accept->set[0].rule == RULE_CONVENTION; /* a NaN: the result is decided */
        return accept->sets == 3 && !convention ? INFINITY : 0;
    }
    if (accept->set[0].unbounded_below) {
        double log_d, reach = log_reach(query, &log_d);
        return portable_exp(reach - s[LOG_HADAMARD]);
    }
    return accept->set[0].radius / fmax(1, s[LOG_SUM]);
}
