/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* logdet, slogdet: log det A (NaN where det A < 0), and (sign, log |det A|), of a batch [..., n, n].
 *
 * Definition: PyTorch torch.logdet, torch.linalg.slogdet; det of a 0×0 matrix is 1. A singular matrix has
 * logdet −inf and sign 0. Truth: reference/determinant.h.
 *
 * Bound, for elimination with partial pivoting in precision u: the computed factors are those of A + ΔA with
 * |ΔA| ≤ c·|L||U|, c = n·u (divisions that err by c_div·u add c_div − 1). With W = |A⁻¹||L||U| and c·spr(W) <
 * 1 the sign is kept and |δ log det| ≤ −log det(I − c·W); then the logarithms of n pivots and their sum.
 * W is that of partial pivoting of A and of Aᵀ, whichever is greater; rook and complete pivoting have other
 * factors, so the bound is never below 4·S of the envelope's elimination, which holds them.
 * Otherwise there is no certified limit of the logarithm: |det(A + ΔA) − det A| ≤ D (Ipsen and Rehman), and
 * every y ≤ log(|det| + D) is accepted, with any sign, once D ≥ |det|. The envelope is
 * reference/determinant_envelope.h's: sign, NaN and −inf are certain where 16·S of the elimination is
 * below 1. */

#include "reference/determinant.h"
#include "reference/determinant_envelope.h"
#include "reference/op.h"

#include <math.h>
#include <stdlib.h>

/* Sensitivities of one matrix; the coefficients of D follow LOG2_COEFFICIENT, n of them. */
enum sensitivity {
    ORDER,           /* n */
    CONDITION,       /* C = tr(W); NaN where an entry is infinite and n ≥ 2 */
    RADIUS,          /* spr(W) */
    UNDERFLOW,       /* what η in every entry does: underflow_sum of reference/determinant.h */
    UNDERFLOW_FORMS, /* the same by any legal elimination, to first order: of reference/determinant_envelope.h
                      */
    TRACE,           /* tr(W^k), k = 1 … DETERMINANT_TRACES */
    LOG_SUM = TRACE + DETERMINANT_TRACES, /* Σ|log|u_ii|| */
    NEAR_ONE,                             /* pivots in [1/2, 2] */
    LOG_HADAMARD,                         /* natural log of Π‖row‖₂ */
    LOG2_ABS,                             /* log2 |det| */
    LOG2_FROBENIUS,
    HAS_COEFFICIENTS,
    LOG2_COEFFICIENT
};

enum { DTYPES = 1U << DTYPE_FLOAT32 | 1U << DTYPE_FLOAT64 };

static bool signature(const struct op *op, const struct op_operands *operands, struct op_signature *out,
                      struct error *reason)
{
    const struct view *a = &operands->input[0];
    if (!op_takes_square_matrices(op, operands, reason)) {
        return false;
    }
    *out = (struct op_signature){.outputs = op->outputs};
    for (int o = 0; o < op->outputs; o++) {
        out->output[o].dtype = a->dtype;
        out->output[o].shape = a->shape;
        out->output[o].shape.rank = a->shape.rank - 2;
    }
    return true;
}

static int sensitivities(const struct op_call *call, int output)
{
    (void)output;
    const struct shape *shape = &call->input[0].shape;
    return LOG2_COEFFICIENT + (int)shape->dim[shape->rank - 1];
}

static void describe(const struct determinant *d, int n, double *s)
{
    s[ORDER] = n;
    s[CONDITION] = d->condition;
    s[RADIUS] = d->radius;
    s[UNDERFLOW] = d->underflow_sum;
    for (int k = 0; k < DETERMINANT_TRACES; k++) {
        s[TRACE + k] = d->trace[k];
    }
    s[LOG_SUM] = d->log_sum;
    s[NEAR_ONE] = d->near_one;
    s[LOG_HADAMARD] = d->log_hadamard;
    s[LOG2_ABS] = d->log2_abs;
    s[LOG2_FROBENIUS] = d->log2_frobenius;
    s[HAS_COEFFICIENTS] = d->log2_coefficient != NULL;
    for (int k = 0; k < n && d->log2_coefficient; k++) {
        s[LOG2_COEFFICIENT + k] = d->log2_coefficient[k];
    }
}

/* Sign (±1, 0, NaN) and log|det| of one matrix whose entries are all decoded. */
static bool one_matrix(int n, const double *a, enum dtype dtype, double *sign, struct value *logabs,
                       double *s, int *bits, struct error *error)
{
    bool nan = false, infinite = false;
    for (int i = 0; i < n * n; i++) {
        nan = nan || isnan(a[i]);
        infinite = infinite || isinf(a[i]);
    }
    s[ORDER] = n;
    if (nan || infinite || n == 0) {
        bool scalar = n == 1 && !nan;
        *sign = n == 0 ? 1 : scalar ? copysign(1, a[0]) : NAN;
        *logabs = value_of(n == 0 ? 0 : scalar ? INFINITY : NAN);
        s[CONDITION] = nan || scalar || n == 0 ? 0 : NAN;
        return true;
    }
    struct determinant d;
    if (!determinant_compute(n, a, dtype_unit_roundoff(dtype), dtype_least_normal(dtype), &d, error)) {
        return false;
    }
    *sign = d.sign;
    *logabs = d.logabs;
    *bits = d.bits < *bits ? d.bits : *bits;
    describe(&d, n, s);
    determinant_clear(&d);
    return true;
}

/* The envelope of matrix m. Of a negative determinant's logarithm and of a sign nothing is random: they are
 * certain or they are not. */
static bool surround(int n, const double *a, int64_t m, struct truth_output *logabs,
                     struct truth_output *sign)
{
    double *s = &logabs->sensitivity[m * logabs->sensitivities], u[ENVELOPE_WIDTHS];
    struct envelope *e = &logabs->envelope[m];
    struct determinant_envelope d;
    if (n == 0 || !isfinite(s[CONDITION]) ||
        s[CONDITION] == 0) { /* 0 where an entry is NaN, infinite where A is singular */
        return true;
    }
    if (!determinant_envelope(n, a, &d)) {
        return false;
    }
    envelope_widths(logabs->dtype, u);
    for (int w = 0; w < ENVELOPE_WIDTHS; w++) {
        e->drift[w] = d.unstable * u[w] * u[w] < 1.0 / 64 ? d.second * u[w] * u[w] : INFINITY;
    }
    e->sign_spread = fmax(d.elimination, 1);
    s[UNDERFLOW_FORMS] = d.underflow;
    if (sign) {
        sign->sensitivity[m * sign->sensitivities + UNDERFLOW_FORMS] = d.underflow;
        sign->envelope[m] = *e;
        sign->envelope[m].spread = 0;
    }
    bool value = logabs->value[m].class == VALUE_FINITE;
    e->spread = value ? envelope_join(d.elimination, d.logarithms) : 0;
    if (value) {
        envelope_alone(e, m, value_approximately(&logabs->value[m]));
    }
    return true;
}

static bool truth(const struct op_call *call, struct truth *truth, struct error *error)
{
    const struct tensor *input = &call->input[0];
    int n = (int)input->shape.dim[input->shape.rank - 1];
    struct truth_output *logabs = &truth->output[truth->outputs - 1];
    struct truth_output *sign = truth->outputs == 2 ? &truth->output[0] : NULL;
    double *a = malloc(((size_t)n * (size_t)n + 1) * sizeof *a);
    bool good = (a && truth_output_envelope(logabs) && (!sign || truth_output_envelope(sign))) ||
                error_set(error, "%s: out of memory", call->op->name);
    for (int64_t m = 0; good && m < logabs->elements; m++) {
        for (int64_t i = 0; i < (int64_t)n * n; i++) {
            a[i] = tensor_component(input, m * n * n + i);
        }
        double *s = &logabs->sensitivity[m * logabs->sensitivities];
        double sgn = 0;
        good = one_matrix(n, a, input->dtype, &sgn, &logabs->value[m], s, &truth->bits, error);
        if (sign) {
            sign->value[m] = value_of(sgn);
            for (int k = 0; k < sign->sensitivities; k++) {
                sign->sensitivity[m * sign->sensitivities + k] = s[k];
            }
        } else if (sgn < 0) {
            logabs->value[m] = value_of(NAN);
        }
        good = good &&
               (surround(n, a, m, logabs, sign) || error_set(error, "%s: out of memory", call->op->name));
    }
    free(a);
    return good;
}

/* --- bounds */

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

/* −log det(I − c·W) and what underflow adds: Σ c^k·tr(W^k)/k, the tail by n·spr(W)^k; or 4·S where other
 * legal pivots err by more. Infinite where rounding may make the matrix singular. */
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
    sum += n * pow(radius, DETERMINANT_TRACES + 1) / (DETERMINANT_TRACES + 1) / (1 - radius);
    const struct truth_output *out = &query->truth->output[query->output];
    double underflow = n * eta * s[UNDERFLOW] / (1 - radius),
           u = profile_accumulate_roundoff(&profile, dtype_of(query));
    double other = out->envelope && n > 2 ? 4 * u * out->envelope[query->element].sign_spread : 0;
    return underflow < 1 ? fmax((sum - log1p(-underflow)) * (1 + 0x1p-40), other) : INFINITY;
}

/* The logarithms of n pivots, and their sum. */
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

/* log(|det| + D): natural log of the greatest |det| that rounding can make of A; −infinity when both vanish.
 */
static double log_reach(const struct bound_query *query, double *log_d)
{
    const double *s = sensitivity_of(query);
    struct profile profile = graded(query);
    enum dtype dtype = dtype_of(query);
    double u = profile_accumulate_roundoff(&profile, dtype);
    double c_div = profile_divide_error(&profile, profile.accumulate[dtype], 1) / u;
    int n = (int)s[ORDER];
    /* ‖ΔA‖_F ≤ n·u·F by rounding; n·(n·η) by underflow, in units of F, and n·(n·η)·F by that of multipliers.
     */
    double eta = n * (n * profile_underflow_unit(&profile, profile.accumulate[dtype]));
    double units = (n + fmax(c_div - 1, 0)) * u + exp2(log2(eta) - s[LOG2_FROBENIUS]) + eta;
    double log2_epsilon = log2(units), largest = -INFINITY, sum = 0;
    for (int k = 1; k <= n && s[HAS_COEFFICIENTS] != 0; k++) {
        largest = fmax(largest, s[LOG2_COEFFICIENT + k - 1] + k * log2_epsilon);
    }
    for (int k = 1; k <= n && isfinite(largest); k++) {
        sum += exp2(s[LOG2_COEFFICIENT + k - 1] + k * log2_epsilon - largest);
    }
    *log_d = isfinite(largest)          ? (largest + log2(sum)) * M_LN2
             : s[HAS_COEFFICIENTS] != 0 ? -INFINITY
                                        : INFINITY;
    double log_det = s[LOG2_ABS] * M_LN2, high = fmax(*log_d, log_det), low = fmin(*log_d, log_det);
    return isfinite(high) ? high + log1p(exp(low - high)) : high;
}

static double bound(const struct bound_query *query)
{
    return perturbation(query) + logarithm_error(query);
}

/* What is not random in a logarithm: the primitives' allowance and underflow. */
static double allowance(const struct bound_query *query)
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

/* n ≥ 2 with an infinite entry: the determinant is no limit; any special value is accepted, and any sign. */
static void accept_infinite_entries(const struct bound_query *query, bool is_sign, struct accept *accept)
{
    *accept = (struct accept){.dtype = dtype_of(query), .sets = 1};
    accept->set[0].component[0].special = ACCEPT_NAN | ACCEPT_POSITIVE_INFINITY | ACCEPT_NEGATIVE_INFINITY;
    accept->set[0].component[0].finite = is_sign;
    accept->set[0].component[0].zero = ZERO_ANY;
    accept->set[0].radius = is_sign ? 1 : 0;
    accept->set[0].rule = RULE_OPERATOR;
}

/* D ≥ |det|: the sign is free. */
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

/* No certified limit: rule D. `signed_log`: logdet, where a negative determinant is NaN. */
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
    double below = -log1p(-exp(log_d - log_det));
    set->component[0].centre = *truth_value;
    set->radius = fmax(reach - log_det, below) + slack;
}

/* The determinant itself, a product of pivots in any order, whose logarithm is then taken. */
static bool naive_escapes(const struct bound_query *query)
{
    enum dtype accumulate = query->profile->accumulate[dtype_of(query)];
    return sensitivity_of(query)[LOG_SUM] > -log(dtype_least_normal(accumulate));
}

/* slogdet of a matrix that holds a NaN, where the profile says that a number may come out. */
static bool sign_is_number(const struct bound_query *query, bool is_sign)
{
    const struct truth_output *out = &query->truth->output[query->output];
    return is_sign && query->profile->slogdet_nan_sign == SLOGDET_NAN_SIGN_NUMBER &&
           out->value[query->element].class == VALUE_NAN;
}

static void accept_logdet(const struct bound_query *query, struct accept *accept)
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
                       is_sign ? 0 : bound(query));
    }
    if (!special_truth) {
        for (int k = 0; k < accept->sets; k++) {
            accept->set[k].component[0].zero =
                ZERO_ANY; /* log 1 and the sign of a singular matrix: left open */
        }
    }
}

/* NaN for a number and a number for NaN. */
static bool other_sign(const struct bound_query *query, void *bytes)
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

/* In the logarithm where it is resolved: B / max(1, Σ|log|u_ii||). Else what is left of the determinant
 * itself: the reach |det| + D against Hadamard's bound. */
static double resolving_power(const struct bound_query *query, const struct accept *accept)
{
    const double *s = sensitivity_of(query);
    if (query->op->outputs == 2 && query->output == 0) {
        bool convention = accept->set[0].rule == RULE_CONVENTION; /* of a NaN: nothing is left undecided */
        return accept->sets == 3 && !convention ? INFINITY : 0;
    }
    if (accept->set[0].unbounded_below) {
        double log_d, reach = log_reach(query, &log_d);
        return exp(reach - s[LOG_HADAMARD]);
    }
    return accept->set[0].radius / fmax(1, s[LOG_SUM]);
}

static const struct op ops[] = {
    {.family = "linalg",
     .name = "logdet",
     .inputs_min = 1,
     .inputs_max = 1,
     .outputs = 1,
     .dtypes = DTYPES,
     .costly = true,
     .signature = signature,
     .truth = truth,
     .sensitivities = sensitivities,
     .bound = bound,
     .allowance = allowance,
     .naive_escapes = naive_escapes,
     .accept = accept_logdet,
     .other_sign = other_sign,
     .resolving_power = resolving_power},
    {.family = "linalg",
     .name = "slogdet",
     .inputs_min = 1,
     .inputs_max = 1,
     .outputs = 2,
     .dtypes = DTYPES,
     .costly = true,
     .signature = signature,
     .truth = truth,
     .sensitivities = sensitivities,
     .bound = bound,
     .allowance = allowance,
     .naive_escapes = naive_escapes,
     .accept = accept_logdet,
     .other_sign = other_sign,
     .resolving_power = resolving_power},
};

const struct op_set op_set_logdet = {.op = ops, .count = sizeof ops / sizeof *ops};
