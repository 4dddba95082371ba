/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* logdet: log det A (NaN if det A < 0), and slogdet: (sign, log |det A|), of a batch [..., n, n].
 *
 * Definition: PyTorch torch.logdet, torch.linalg.slogdet; det of a 0×0 matrix is 1. A singular matrix has
 * logdet −inf and sign 0. Truth: determinant.h. From order DETERMINANT_LARGE on, `enclose` gives a value with
 * a proved radius if determinant_verified.h finds one.
 *
 * Error bound, for elimination with partial pivoting in unit roundoff u: the computed factors are those of A
 * + ΔA with |ΔA| ≤ c·|L||U|, c = n·u (a division error of c_div·u adds c_div − 1 to n). With W = |A⁻¹||L||U|
 * and c·spr(W) < 1 the sign is kept and |δ log det| ≤ −log det(I − c·W); the errors of the logarithms of n
 * pivots and of their sum are added. The traces of W are the greater of partial pivoting of A and of Aᵀ. Rook
 * and complete pivoting have other factors; for these the bound is at least 4·S of the envelope's
 * elimination, which includes complete pivoting. If c·spr(W) ≥ 1, the logarithm has no finite error bound:
 * |det(A + ΔA) − det A| ≤ D (Ipsen and Rehman), and if D ≥ |det|, every y ≤ log(|det| + D) is accepted, with
 * any sign. The envelope is that of determinant_envelope.h; it decides sign, NaN and −inf if 16·S of the
 * elimination is below 1. */

#include "reference/ops/determinant/determinant.h"
#include "reference/ops/determinant/determinant_envelope_large.h"
#include "reference/ops/determinant/logdet_bound.h"

#include <math.h>
#include <stdlib.h>

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

static void describe(const struct determinant *d, int n, const double *a, double *s)
{
    s[ORDER] = n;
    s[GREATEST] = 0;
    for (int i = 0; i < n * n; i++) {
        s[GREATEST] = fmax(s[GREATEST], fabs(a[i]));
    }
    s[CONDITION] = d->condition;
    s[RADIUS] = d->radius;
    s[UNDERFLOW_SUM] = d->underflow_sum;
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

/* One matrix of a batch and its elements. `sign`: of slogdet; NULL for logdet. */
struct element {
    int n;
    const double *a;
    int64_t m;
    struct truth_output *logabs, *sign;
};

static double *sensitivities_of(const struct element *e)
{
    return &e->logabs->sensitivity[e->m * e->logabs->sensitivities];
}

/* Stores a sign (±1, 0, NaN) and log|det| in the outputs of the operator. */
static void keep(const struct element *e, double sign, const struct value *logabs)
{
    e->logabs->value[e->m] = *logabs;
    if (e->sign) {
        e->sign->value[e->m] = value_of(sign);
    } else if (sign < 0) {
        e->logabs->value[e->m] = value_of(NAN);
    }
}

static void keep_sensitivities(const struct element *e)
{
    for (int k = 0; e->sign && k < e->sign->sensitivities; k++) {
        e->sign->sensitivity[e->m * e->sign->sensitivities + k] = sensitivities_of(e)[k];
    }
}

/* Stores the result of a matrix without entries or with a NaN or an infinity; false for other matrices. */
static bool special(const struct element *e)
{
    bool nan = false, infinite = false;
    double *s = sensitivities_of(e);
    for (int64_t i = 0; i < (int64_t)e->n * e->n; i++) {
        nan = nan || isnan(e->a[i]);
        infinite = infinite || isinf(e->a[i]);
    }
    s[ORDER] = e->n;
    if (!nan && !infinite && e->n > 0) {
        return false;
    }
    bool scalar = e->n == 1 && !nan;
    struct value logabs = value_of(e->n == 0 ? 0 : scalar ? INFINITY : NAN);
    s[CONDITION] = nan || scalar || e->n == 0 ? 0 : NAN;
    keep(e, e->n == 0 ? 1 : scalar ? copysign(1, e->a[0]) : NAN, &logabs);
    keep_sensitivities(e);
    return true;
}

/* Stores the envelope of one matrix. NaN for a negative determinant and signs have no random error: S = 0,
 * and sign_spread decides whether they are certain. */
static void surround(const struct element *at, const struct determinant_envelope *d)
{
    struct truth_output *logabs = at->logabs, *sign = at->sign;
    struct envelope *e = &logabs->envelope[at->m];
    double u[ENVELOPE_WIDTHS];
    envelope_widths(logabs->dtype, u);
    for (int w = 0; w < ENVELOPE_WIDTHS; w++) {
        e->drift[w] = d->unstable * u[w] * u[w] < 1.0 / 64 ? d->second * u[w] * u[w] : INFINITY;
    }
    e->sign_spread = fmax(d->elimination, 1);
    sensitivities_of(at)[UNDERFLOW_FORMS] = d->underflow;
    if (sign) {
        sign->sensitivity[at->m * sign->sensitivities + UNDERFLOW_FORMS] = d->underflow;
        sign->envelope[at->m] = *e;
        sign->envelope[at->m].spread = 0;
    }
    bool value = logabs->value[at->m].class == VALUE_FINITE;
    e->spread = value ? envelope_join(d->elimination, d->logarithms) : 0;
    if (value) {
        envelope_alone(e, at->m, value_approximately(&logabs->value[at->m]));
    }
}

/* Computes a certified result. */
static bool certain(const struct element *e, int *bits, struct error *error)
{
    enum dtype dtype = e->logabs->dtype;
    struct determinant d;
    if (!determinant_compute(e->n, e->a, dtype_unit_roundoff(dtype), dtype_least_normal(dtype), &d, error)) {
        return false;
    }
    *bits = d.bits < *bits ? d.bits : *bits;
    keep(e, d.sign, &d.logabs);
    describe(&d, e->n, e->a, sensitivities_of(e));
    keep_sensitivities(e);
    determinant_clear(&d);
    struct determinant_envelope envelope;
    if (!isfinite(sensitivities_of(e)[CONDITION])) { /* singular */
        return true;
    }
    if (!determinant_envelope(e->n, e->a, &envelope)) {
        return error_set(error, "determinant of order %d: out of memory", e->n);
    }
    surround(e, &envelope);
    return true;
}

/* Computes a value with its radius by elimination in double; *done: it could be verified. False when out of
 * memory. */
static bool verified(const struct element *e, bool *done)
{
    struct verified_determinant v;
    struct determinant d;
    struct determinant_envelope envelope;
    enum dtype dtype = e->logabs->dtype;
    bool good = verified_determinant_create(&v, e->n, e->a) && verified_determinant_prove(&v);
    *done = good && v.verified;
    if (*done) {
        good = determinant_envelope_large(&v, &envelope) &&
               verified_determinant_describe(&v, dtype_unit_roundoff(dtype), dtype_least_normal(dtype), &d);
    }
    if (*done && good) {
        keep(e, d.sign, &d.logabs);
        e->logabs->radius[e->m] = e->logabs->value[e->m].class == VALUE_FINITE ? v.radius : 0;
        describe(&d, e->n, e->a, sensitivities_of(e));
        keep_sensitivities(e);
        surround(e, &envelope);
        determinant_clear(&d);
    }
    verified_determinant_destroy(&v);
    return good;
}

static struct element element_of(const struct op_call *call, struct truth *truth)
{
    const struct shape *shape = &call->input[0].shape;
    return (struct element){.n = (int)shape->dim[shape->rank - 1],
                            .logabs = &truth->output[truth->outputs - 1],
                            .sign = truth->outputs == 2 ? &truth->output[0] : NULL};
}

static void take_matrix(const struct op_call *call, const struct element *e, double *a)
{
    int64_t count = (int64_t)e->n * e->n;
    for (int64_t i = 0; i < count; i++) {
        a[i] = tensor_component(&call->input[0], e->m * count + i);
    }
}

static bool all_matrices(const struct op_call *call, bool enclosed, struct truth *truth, struct error *error)
{
    struct element e = element_of(call, truth);
    double *a = malloc(((size_t)e.n * (size_t)e.n + 1) * sizeof *a);
    bool large = enclosed && e.n >= DETERMINANT_LARGE && e.n <= DETERMINANT_LARGEST;
    bool good = (a && truth_output_envelope(e.logabs) && (!e.sign || truth_output_envelope(e.sign)) &&
                 (!large || truth_output_radius(e.logabs, true))) ||
                error_set(error, "%s: out of memory", call->op->name);
    e.a = a;
    for (; good && e.m < e.logabs->elements; e.m++) {
        take_matrix(call, &e, a);
        bool done = special(&e);
        if (!done && large) {
            good = verified(&e, &done) || error_set(error, "%s: out of memory", call->op->name);
        }
        good = good && (done || certain(&e, &truth->bits, error));
    }
    free(a);
    return good;
}

static bool truth(const struct op_call *call, struct truth *truth, struct error *error)
{
    return all_matrices(call, false, truth, error);
}

static bool enclose(const struct op_call *call, struct truth *truth, struct error *error)
{
    return all_matrices(call, true, truth, error);
}

/* Only logarithms have a radius; signs are exact. */
static bool certify(const struct op_call *call, struct truth *truth, int output, int64_t element,
                    struct error *error)
{
    (void)output;
    struct element e = element_of(call, truth);
    struct determinant d;
    double *a = malloc(((size_t)e.n * (size_t)e.n + 1) * sizeof *a);
    bool good = a != NULL || error_set(error, "%s: out of memory", call->op->name);
    e.a = a;
    e.m = element;
    if (good) {
        take_matrix(call, &e, a);
        good = determinant_value(e.n, a, &d, error);
    }
    if (good) {
        truth->bits = d.bits < truth->bits ? d.bits : truth->bits;
        keep(&e, d.sign, &d.logabs);
        e.logabs->radius[element] = 0;
    }
    free(a);
    return good;
}

static const struct op ops[] = {
    {.family = "linalg",
     .name = "logdet",
     .operands = {{"input", OPERAND_READ}},
     .outputs = 1,
     .dtypes = DTYPES,
     .costly = true,
     .signature = signature,
     .truth = truth,
     .enclose = enclose,
     .certify = certify,
     .certify_costly = true,
     .sensitivities = sensitivities,
     .bound = logdet_bound,
     .primitive_error = logdet_primitive_error,
     .naive_may_overflow = logdet_naive_may_overflow,
     .naive_by_word = true,
     .accept = logdet_accept,
     .flipped_sign = logdet_flipped_sign,
     .resolving_power = logdet_resolving_power},
    {.family = "linalg",
     .name = "slogdet",
     .operands = {{"A", OPERAND_READ}},
     .outputs = 2,
     .results = {{"sign", 0}, {"logabsdet", 0}},
     .dtypes = DTYPES,
     .costly = true,
     .signature = signature,
     .truth = truth,
     .enclose = enclose,
     .certify = certify,
     .certify_costly = true,
     .sensitivities = sensitivities,
     .bound = logdet_bound,
     .primitive_error = logdet_primitive_error,
     .naive_may_overflow = logdet_naive_may_overflow,
     .naive_by_word = true,
     .accept = logdet_accept,
     .flipped_sign = logdet_flipped_sign,
     .resolving_power = logdet_resolving_power},
};

const struct op_set op_set_logdet = {.op = ops, .count = sizeof ops / sizeof *ops};
