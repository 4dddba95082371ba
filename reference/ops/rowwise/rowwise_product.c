/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Products of rows.
 *
 * Truth: one long MPFR number; each multiplication errs by 2^-BITS.
 *
 * Bound: in every order the rounding of each multiplication enters the result once, so n − 1 of them give at
 * most (1 + u)^(n − 1) − 1 of it. A multiplication by a power of two does not round, and none does if the
 * product of all odd parts fits into the significand. Partial products lie between L, the product of the
 * factors below 1 in size, and G, that of the factors above. Where L is not normal, each may lose η, which
 * the other factors grow to at most G·η. Where G is beyond the greatest number, some orders give an infinity,
 * and NaN if a 0 meets it.
 *
 * Envelope: as many independent roundings as there are multiplications that may round. */

#include "reference/numeric/elementary/portable.h"
#include "reference/operator/ziv.h"
#include "reference/ops/rowwise/rowwise.h"

#include <limits.h>
#include <math.h>

/* Sensitivities: multiplications that may round; the product of odd parts, infinite beyond 2^53; log2 of G
 * and of L. */
enum { ROUNDINGS, ODD, GREAT, LITTLE, PRODUCT_SENSITIVITIES };
enum { BITS = 192 };

int rowwise_product_sensitivities(const struct op_call *call, int output)
{
    (void)output;
    return dtype_is_floating(call->input[0].dtype) ? PRODUCT_SENSITIVITIES : 0;
}

/* Adds a term other than 0, infinities and NaN to the sensitivities. */
static void note(double x, double *sensitivity)
{
    int exponent;
    const double size = fabs(x), part = frexp(size, &exponent);
    if (x == 0 || !isfinite(x)) {
        return;
    }
    double log, radius;
    elementary_log2(&part, &log, &radius, 1); /* the same on every machine */
    const double bits = log + exponent;
    sensitivity[bits > 0 ? GREAT : LITTLE] += bits;
    if (part != 0.5) {
        sensitivity[ROUNDINGS]++;
        sensitivity[ODD] *= size / ldexp(1, dtype_lowest_bit(size));
        sensitivity[ODD] = sensitivity[ODD] > 0x1p53 ? INFINITY : sensitivity[ODD];
    }
}

bool rowwise_product(const struct op_call *call, struct truth *truth, struct error *error)
{
    const struct tensor *x = &call->input[0];
    struct truth_output *out = &truth->output[0];
    struct rowwise_rows rows;
    double u[ENVELOPE_WIDTHS];
    mpfr_t product;
    if (!dtype_is_floating(x->dtype)) {
        return rowwise_integers(call, truth, error);
    }
    bool good =
        truth_output_envelope(out) && rowwise_rows_create(&rows, call->op, call->attributes, &x->shape);
    if (!good) {
        return error_set(error, "%s: out of memory", call->op->name);
    }
    envelope_widths(out->dtype, u);
    mpfr_init2(product, BITS);
    for (int64_t i = 0; i < out->elements; i++) {
        double *sensitivity = &out->sensitivity[i * PRODUCT_SENSITIVITIES];
        bool exact = true, special = false;
        sensitivity[ODD] = 1;
        mpfr_set_ui(product, 1, MPFR_RNDN);
        for (int64_t k = 0; k < rows.terms; k++) {
            const double term = tensor_component(x, rowwise_element(&rows, i, k));
            exact = mpfr_mul_d(product, product, term, MPFR_RNDN) == 0 && exact;
            special = special || !isfinite(term);
            note(term, sensitivity);
        }
        sensitivity[ROUNDINGS] = fmax(sensitivity[ROUNDINGS] - 1, 0);
        out->value[i] = value_from_mpfr(product, exact);
        out->value[i].special_input = special;
        if (!out->value[i].exact && ZIV_TARGET_BITS < truth->bits) {
            truth->bits = ZIV_TARGET_BITS;
        }
        const double size = fabs(value_approximately(&out->value[i])), n = sensitivity[ROUNDINGS];
        out->envelope[i].spread = sqrt(n) * size;
        for (int w = 0; w < ENVELOPE_WIDTHS; w++) {
            out->envelope[i].drift[w] = n * u[w] * n * u[w] * size;
        }
        envelope_alone(&out->envelope[i], i, size);
    }
    mpfr_clear(product);
    rowwise_rows_clear(&rows);
    return true;
}

/* --- error bounds */

static const double *of_element(const struct bound_query *query)
{
    return &query->truth->output[0].sensitivity[query->element * PRODUCT_SENSITIVITIES];
}

static enum dtype type_of(const struct bound_query *query)
{
    return query->profile->accumulate[query->truth->output[0].dtype];
}

static double bound_of(const struct bound_query *query, bool rounds)
{
    const struct truth_output *out = &query->truth->output[0];
    const struct value *value = &out->value[query->element];
    if (value->class != VALUE_FINITE || !dtype_is_floating(out->dtype)) {
        return 0;
    }
    const double *s = of_element(query), u = profile_accumulate_roundoff(query->profile, out->dtype);
    const enum dtype type = type_of(query);
    const bool exact = s[ODD] <= ldexp(1, dtype_info(type)->precision);
    const double growth = portable_above(elementary_expm1, s[ROUNDINGS] * u),
                 relative = rounds && !exact ? growth : 0;
    double error = relative > 0 ? fabs(value_approximately(value)) * relative : 0;
    if (value->hi != 0 && s[LITTLE] - 0x1p-20 < portable_log2(dtype_least_normal(type))) {
        error += portable_above(elementary_exp2, s[GREAT] + 0x1p-20) * (1 + growth) * (s[ROUNDINGS] + 1) *
                 profile_underflow_unit(query->profile, type);
    }
    return error;
}

double rowwise_product_bound(const struct bound_query *query)
{
    return bound_of(query, true);
}

/* The part of the bound that is not independent rounding. */
double rowwise_product_primitive_error(const struct bound_query *query)
{
    return bound_of(query, false);
}

/* True if some order has an infinity on the way to a finite result, or a 0 on the way to an infinite one. */
bool rowwise_product_may_overflow(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[0];
    const struct value *value = &out->value[query->element];
    if (!dtype_is_floating(out->dtype) || value->class == VALUE_NAN) {
        return false;
    }
    const double *s = of_element(query), u = profile_accumulate_roundoff(query->profile, out->dtype);
    const enum dtype type = type_of(query);
    const bool beyond = s[GREAT] + 2 * s[ROUNDINGS] * u + 0x1p-20 >= portable_log2(dtype_max(type)),
               lost = s[LITTLE] - 2 * s[ROUNDINGS] * u - 0x1p-20 < portable_log2(dtype_least_normal(type)),
               ends = value->class != VALUE_FINITE || /* an infinity in every order */
                      fabs(ldexp(value->hi, value->exponent - 1)) > dtype_max(type);
    return ends ? lost : beyond && (value->hi == 0 || s[LITTLE] < 0);
}
