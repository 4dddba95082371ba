/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* lerp_(end, weight) = self + weight·(end − self), weight a tensor or the attribute; written into self's
 * memory.
 *
 * Definition: PyTorch Tensor.lerp_. Refusals as reference/ops/inplace.c. Truth: exact. Where an
 * operand is not finite, it depends on which of three formulas is used, s + w(e − s), e − (e − s)(1 − w)
 * (PyTorch takes it for |w| ≥ 1/2) or s(1 − w) + e·w (FMix of GLSL.std.450): what any of them gives is
 * accepted, a factor that overflows on the way included, and no number. A difference that is flushed beside
 * an infinite weight gives NaN, as the third formula does of any two numbers of one sign. */

#include "reference/exact_fma.h"
#include "reference/inplace.h"
#include "reference/upward.h"

#include <math.h>

/* Sensitivities, d = end − self: |w·d|, |(1 − w)·d|, |d|, |(1 − w)·self| + |w·end|; where an operand is not
 * finite, the ACCEPT_… bits of what the formulas give, else 0. */
enum { PRODUCT, REST_PRODUCT, DIFFERENCE, TWO_PRODUCTS, SPECIALS, SENSITIVITIES };

static int sensitivities(const struct op_call *call, int output)
{
    (void)call, (void)output;
    return SENSITIVITIES;
}

static double lerp_weight(const struct op_call *call, const struct shape *shape, int64_t i)
{
    return inplace_given(call, 2) ? inplace_real(call, 2, shape, i)
                                  : attributes_real(call->attributes, "weight", NAN);
}

static unsigned bit_of(double x)
{
    return isnan(x)      ? ACCEPT_NAN
           : isfinite(x) ? 0
           : x > 0       ? ACCEPT_POSITIVE_INFINITY
                         : ACCEPT_NEGATIVE_INFINITY;
}

static double within(double x, double limit)
{
    return fabs(x) > limit ? copysign(INFINITY, x) : x;
}

/* What the formulas give where an operand is not finite, every step infinite beyond `limit`. */
static unsigned lerp_specials(double s, double e, double w, double limit)
{
    double d = within(e - s, limit), rest = within(1 - w, limit);
    return bit_of(s + within(w * d, limit)) | bit_of(e - within(d * rest, limit)) |
           bit_of(within(s * rest, limit) + within(e * w, limit));
}

/* s + w·(e − s), and the sensitivities |w·d| and |d|, rounded up. */
static struct value lerp(mpfr_ptr sum, mpfr_ptr product, double s, double e, double w, double *k)
{
    struct pair d = pair_sum(e, -s), p;
    struct value value;
    if (isfinite(d.hi) && d.lo == 0 && exact_product(w, d.hi, &p) && exact_plus(s, p, &value)) {
        k[DIFFERENCE] = fabs(d.hi);
        k[PRODUCT] = exact_magnitude(p);
        return value;
    }
    mpfr_set_d(product, e, MPFR_RNDN);
    mpfr_sub_d(product, product, s, MPFR_RNDN);
    k[DIFFERENCE] = fabs(mpfr_get_d(product, MPFR_RNDA));
    mpfr_mul_d(product, product, w, MPFR_RNDN);
    mpfr_add_d(sum, product, s, MPFR_RNDN);
    k[PRODUCT] = fabs(mpfr_get_d(product, MPFR_RNDA));
    return value_from_mpfr(sum, true);
}

static bool lerp_truth(const struct op_call *call, struct truth *truth, struct error *error)
{
    struct truth_output *out = &truth->output[0];
    if (!truth_output_envelope(out)) {
        return error_set(error, "%s: out of memory", call->op->name);
    }
    mpfr_t sum, product;
    mpfr_inits2(inplace_exact_bits(out->dtype), sum, product, (mpfr_ptr)0);
    for (int64_t i = 0; i < out->elements; i++) {
        double s = inplace_real(call, 0, &out->shape, i), e = inplace_real(call, 1, &out->shape, i),
               weight = lerp_weight(call, &out->shape, i), *k = &out->sensitivity[SENSITIVITIES * i];
        inplace_store(truth, i, lerp(sum, product, s, e, weight, k));
        if (!isfinite(s) || !isfinite(e) || !isfinite(weight)) {
            k[PRODUCT] = 0;
            k[SPECIALS] =
                lerp_specials(s, e, weight, INFINITY) | lerp_specials(s, e, weight, dtype_max(out->dtype));
            continue;
        }
        double rest = upward_sum(fmax(1, weight), -fmin(1, weight)); /* |1 − w| */
        k[REST_PRODUCT] = upward_product(rest, k[DIFFERENCE]);
        k[TWO_PRODUCTS] = upward_sum(upward_product(rest, fabs(s)), upward_product(fabs(weight), fabs(e)));
        /* d and its product, three roundings with 1 − w, two products: the forms of lerp_bound */
        inplace_envelope(out, i,
                         envelope_join(sqrt(3) * k[PRODUCT],
                                       envelope_join(sqrt(3) * k[REST_PRODUCT], sqrt(2) * k[TWO_PRODUCTS])));
    }
    mpfr_clears(sum, product, (mpfr_ptr)0);
    return true;
}

/* s + w·d: d and the product round; e − d·(1 − w): 1 − w as well; s·(1 − w) + e·w, as FMix of GLSL.std.450 is
 * defined: 1 − w and two products. */
static double lerp_bound(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[0];
    const struct profile *profile = query->profile;
    const double *k = &out->sensitivity[SENSITIVITIES * query->element];
    enum dtype accumulate = profile->accumulate[out->dtype];
    double truth = value_approximately(&out->value[query->element]);
    double weight = attributes_real(query->attributes, "weight", 0);
    if (k[SPECIALS] != 0 || query->exact) {
        return 0;
    }
    /* What is infinite escapes. */
    double error = isinf(k[PRODUCT]) ? 0 : inplace_gamma(profile, out->dtype, 2) * k[PRODUCT];
    error =
        isinf(k[REST_PRODUCT]) ? error : fmax(error, inplace_gamma(profile, out->dtype, 3) * k[REST_PRODUCT]);
    error = fmax(error, inplace_gamma(profile, out->dtype, 2) * k[TWO_PRODUCTS]);
    error += 2 * profile_underflow_unit(profile, accumulate);
    if (!dtype_holds(accumulate, weight) && isfinite(k[PRODUCT])) {
        error += profile_accumulate_roundoff(profile, out->dtype) * k[PRODUCT];
    }
    if (accumulate != out->dtype) {
        error += profile_accumulate_roundoff(profile, out->dtype) * (fabs(truth) + error);
    }
    return error * (1 + 2 * profile_unit_roundoff(profile, out->dtype));
}

/* The difference of two finite numbers overflows, or a product: the contract says nothing of it. */
static bool lerp_escapes(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[0];
    const double *k = &out->sensitivity[SENSITIVITIES * query->element];
    double max = dtype_max(query->profile->accumulate[out->dtype]);
    return out->value[query->element].class == VALUE_FINITE &&
           (k[PRODUCT] > max || k[REST_PRODUCT] > max || k[DIFFERENCE] > max ||
            k[TWO_PRODUCTS] * (1 - 0x1p-50) > max);
}

static bool lerp_signature(const struct op *op, const struct op_operands *operands,
                           struct op_signature *signature, struct error *reason)
{
    bool given = operands->inputs > 2 && operands->input[2].storage >= 0;
    if (!given && !attributes_given(operands->attributes, "weight")) {
        return error_set(reason, "%s: a weight must be given, as a tensor or a number", op->name);
    }
    return inplace_signature(op, operands, signature, reason);
}

static void lerp_accept(const struct bound_query *query, struct accept *accept)
{
    const struct truth_output *out = &query->truth->output[0];
    const double *k = &out->sensitivity[SENSITIVITIES * query->element];
    accept_default(accept, out->dtype, query->profile, &out->value[query->element], lerp_bound(query));
    if (k[SPECIALS] != 0) {
        accept->set[0].component[0].special |= (unsigned)k[SPECIALS];
    }
    inplace_open_zero(accept);
}

static double lerp_allowance(const struct bound_query *query)
{
    return 2 *
           profile_underflow_unit(query->profile, query->profile->accumulate[query->truth->output[0].dtype]);
}

static const struct op ops[] = {{
    .family = "inplace",
    .name = "lerp_",
    .operands = {{"self", OPERAND_MUTATED}, {"end", OPERAND_READ}, {"weight", OPERAND_OPTIONAL}},
    .dtypes = INPLACE_FLOATS,
    .elementwise = true,
    .attributes = {{"weight", ATTRIBUTE_REAL}},
    .sensitivities = sensitivities,
    .signature = lerp_signature,
    .truth = lerp_truth,
    .bound = lerp_bound,
    .escapes = lerp_escapes,
    .allowance = lerp_allowance,
    .accept = lerp_accept,
    .bounded = true,
}};

const struct op_set op_set_inplace_lerp = {.op = ops, .count = sizeof ops / sizeof *ops};
