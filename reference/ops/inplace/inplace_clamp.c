/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* clamp_(min, max) = min(max(self, min), max), written into self.
 *
 * Definition: PyTorch Tensor.clamp_: the limits are tensors or attributes; the result is NaN if self or a
 * limit is NaN, and max if min > max. Operands are rejected as in inplace.c; at least one limit must be
 * given. */

#include "reference/ops/inplace/inplace_operands.h"

#include <math.h>

/* Sensitivities. OPPOSITE_ZEROS: 1 if zeros of both signs are compared, so that either may be the result,
 * else 0. SUBNORMAL_…: this operand if both it and the result are 0 or subnormal, else 0: a device that
 * flushes subnormals only in comparisons may return any of these operands. */
enum { OPPOSITE_ZEROS, SUBNORMAL_SELF, SUBNORMAL_MIN, SUBNORMAL_MAX, SENSITIVITIES };

static int sensitivities(const struct op_call *call, int output)
{
    (void)output;
    return dtype_is_floating(call->input[0].dtype) ? SENSITIVITIES : 0;
}

/* A limit: an element of the tensor, else the attribute, else `without`. */
static double limit(const struct op_call *call, int operand, const struct shape *shape, int64_t i,
                    double without)
{
    return inplace_given(call, operand)
               ? inplace_real(call, operand, shape, i)
               : attributes_real(call->attributes, operand == 1 ? "min" : "max", without);
}

static int64_t integer_limit(const struct op_call *call, int operand, const struct shape *shape, int64_t i,
                             int64_t without)
{
    return inplace_given(call, operand)
               ? inplace_integer(call, operand, shape, i)
               : attributes_integer(call->attributes, operand == 1 ? "min" : "max", without);
}

static bool opposite_zeros(double a, double b)
{
    return a == 0 && b == 0 && signbit(a) != signbit(b);
}

static bool truth(const struct op_call *call, struct truth *truth, struct error *error)
{
    (void)error;
    struct truth_output *out = &truth->output[0];
    for (int64_t i = 0; i < out->elements; i++) {
        if (!dtype_is_floating(out->dtype)) {
            int64_t n = inplace_integer(call, 0, &out->shape, i),
                    low = integer_limit(call, 1, &out->shape, i, INT64_MIN),
                    high = integer_limit(call, 2, &out->shape, i, INT64_MAX);
            n = n < low ? low : n;
            out->value[i] = value_of_integer(n > high ? high : n);
            continue;
        }
        double x = inplace_real(call, 0, &out->shape, i), low = limit(call, 1, &out->shape, i, -INFINITY),
               high = limit(call, 2, &out->shape, i, INFINITY);
        double raised = x < low ? low : x, y = raised > high ? high : raised;
        out->value[i] = value_of(isnan(x) || isnan(low) || isnan(high) ? NAN : y);
        double *s = &out->sensitivity[SENSITIVITIES * i], least = dtype_least_normal(out->dtype);
        s[OPPOSITE_ZEROS] = opposite_zeros(x, low) || opposite_zeros(raised, high) || opposite_zeros(x, high);
        for (int k = 0; k < 3 && fabs(y) < least; k++) {
            double operand = k == 0 ? x : k == 1 ? low : high;
            s[SUBNORMAL_SELF + k] = fabs(operand) < least ? operand : 0;
        }
    }
    return true;
}

static void accept_clamp(const struct bound_query *query, struct accept *accept)
{
    const struct truth_output *out = &query->truth->output[0];
    accept_converted(accept, out->dtype, query->profile, &out->value[query->element]); /* of a limit */
    if (!dtype_is_floating(out->dtype)) {
        return;
    }
    const double *s = &out->sensitivity[SENSITIVITIES * query->element];
    bool flushes = profile_loses_subnormals(query->profile, out->dtype);
    for (int k = SUBNORMAL_SELF; k <= SUBNORMAL_MAX && flushes; k++) {
        if (s[k] != 0) {
            accept_also(accept, s[k]);
        }
    }
    if (s[OPPOSITE_ZEROS] != 0) {
        accept_any_zero(accept);
    }
}

static bool signature(const struct op *op, const struct op_operands *operands, struct op_signature *signature,
                      struct error *reason)
{
    static const char *const limits[] = {"min", "max"};
    bool limited = false, whole = true;
    for (int k = 0; k < 2; k++) {
        double x = attributes_real(operands->attributes, limits[k], 0);
        limited = limited || attributes_given(operands->attributes, limits[k]);
        whole = whole && x == floor(x);
    }
    if (!whole && !dtype_is_floating(operands->input[0].dtype)) {
        return error_set(reason, "%s: the limits of %s must be whole numbers", op->name,
                         dtype_info(operands->input[0].dtype)->name);
    }
    for (int i = 1; i < operands->inputs; i++) {
        limited = limited || operands->input[i].storage >= 0;
    }
    if (!limited) {
        return error_set(reason, "%s: at least one of min and max must be given", op->name);
    }
    return inplace_signature(op, operands, signature, reason);
}

static const struct op ops[] = {
    {.family = "inplace",
     .name = "clamp_",
     .operands = {{"self", OPERAND_MUTATED}, {"min", OPERAND_OPTIONAL}, {"max", OPERAND_OPTIONAL}},
     .attributes = {{"min", ATTRIBUTE_NUMBER}, {"max", ATTRIBUTE_NUMBER}},
     .dtypes = INPLACE_DTYPES,
     .elementwise = true,
     .signature = signature,
     .truth = truth,
     .sensitivities = sensitivities,
     .one_rounding = op_rounds_once, /* all alternatives are zeros or subnormals */
     .accept = accept_clamp}};

const struct op_set op_set_inplace_clamp = {.op = ops, .count = 1};
