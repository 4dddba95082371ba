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
#include "reference/ops/logdet_bound.h"

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

static const struct op ops[] = {
    {.family = "linalg",
     .name = "logdet",
     .operands = {{"input", OPERAND_READ}},
     .outputs = 1,
     .dtypes = DTYPES,
     .costly = true,
     .signature = signature,
     .truth = truth,
     .sensitivities = sensitivities,
     .bound = logdet_bound,
     .allowance = logdet_allowance,
     .naive_escapes = logdet_naive_escapes,
     .accept = logdet_accept,
     .other_sign = logdet_other_sign,
     .resolving_power = logdet_resolving_power},
    {.family = "linalg",
     .name = "slogdet",
     .operands = {{"A", OPERAND_READ}},
     .outputs = 2,
     .dtypes = DTYPES,
     .costly = true,
     .signature = signature,
     .truth = truth,
     .sensitivities = sensitivities,
     .bound = logdet_bound,
     .allowance = logdet_allowance,
     .naive_escapes = logdet_naive_escapes,
     .accept = logdet_accept,
     .other_sign = logdet_other_sign,
     .resolving_power = logdet_resolving_power},
};

const struct op_set op_set_logdet = {.op = ops, .count = sizeof ops / sizeof *ops};
