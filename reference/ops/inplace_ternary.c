/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* addcmul_, addcdiv_: three operands, written into the first one's own memory.
 *
 * Definitions: PyTorch Tensor.addcmul_(t1, t2, *, value=1) = self + value·t1·t2, integers modulo 2^bits;
 * addcdiv_ = self + value·t1/t2. Refusals as reference/ops/inplace.c.
 *
 * Truth: exact, by reference/exact_fma.h or in MPFR; addcdiv_ as one quotient (self·t2 + value·t1)/t2 of 300
 * bits. */

#include "reference/exact_fma.h"
#include "reference/inplace.h"
#include "reference/upward.h"

#include <math.h>

enum { CERTIFIED_BITS = 300 };

/* Sensitivities of addcmul_: |value·t1·t2|, the greatest product of two of the factors, the greatest factor,
 * and 1 where one is not finite; of addcdiv_: |value·t1/t2|, |t1/t2|, |value·t1|, and |t2|, which is 0 where
 * t1 or t2 is zero or not finite. */
enum { PRODUCT, TWO_FACTORS, GREATEST_FACTOR, NOT_FINITE, SENSITIVITIES };
enum { SCALED_QUOTIENT, QUOTIENT, SCALED_DIVIDEND, DIVISOR };

struct work {
    mpfr_t sum, product, quotient;
};

static struct work work_for(enum dtype dtype)
{
    struct work w;
    mpfr_init2(w.sum, inplace_exact_bits(dtype));
    mpfr_init2(w.product, inplace_exact_bits(dtype));
    mpfr_init2(w.quotient, CERTIFIED_BITS);
    return w;
}

static void work_done(struct work *w)
{
    mpfr_clears(w->sum, w->product, w->quotient, (mpfr_ptr)0);
}

static double greatest(double a, double b, double c)
{
    return fmax(fabs(a), fmax(fabs(b), fabs(c)));
}

static double product(double a, double b) /* |a·b|, rounded up */
{
    return upward_product(fabs(a), fabs(b));
}

static int sensitivities(const struct op_call *call, int output)
{
    (void)output;
    return dtype_is_floating(call->input[0].dtype) ? SENSITIVITIES : 0;
}

/* --- addcmul_ */

static void addcmul_integers(const struct op_call *call, struct truth_output *out)
{
    uint64_t value = (uint64_t)attributes_integer(call->attributes, "value", 1);
    for (int64_t i = 0; i < out->elements; i++) {
        uint64_t x[3];
        for (int k = 0; k < 3; k++) {
            x[k] = (uint64_t)inplace_integer(call, k, &out->shape, i);
        }
        out->value[i] = inplace_wrapped(out->dtype, x[0] + value * x[1] * x[2]);
    }
}

/* x + value·a·b; |value·a·b| rounded up. */
static struct value addcmul(struct work *w, double x, double value, double a, double b, double *size)
{
    struct value sum;
    struct pair product;
    if (exact_triple(value, a, b, &product) && exact_plus(x, product, &sum)) {
        *size = exact_magnitude(product);
        return sum;
    }
    mpfr_set_d(w->product, value, MPFR_RNDN);
    mpfr_mul_d(w->product, w->product, a, MPFR_RNDN);
    mpfr_mul_d(w->product, w->product, b, MPFR_RNDN);
    mpfr_add_d(w->sum, w->product, x, MPFR_RNDN);
    *size = fabs(mpfr_get_d(w->product, MPFR_RNDA));
    return value_from_mpfr(w->sum, true);
}

static bool addcmul_truth(const struct op_call *call, struct truth *truth, struct error *error)
{
    struct truth_output *out = &truth->output[0];
    if (!dtype_is_floating(out->dtype)) {
        addcmul_integers(call, out);
        return true;
    }
    if (!truth_output_envelope(out)) {
        return error_set(error, "%s: out of memory", call->op->name);
    }
    double value = attributes_real(call->attributes, "value", 1);
    struct work w = work_for(out->dtype);
    for (int64_t i = 0; i < out->elements; i++) {
        double x = inplace_real(call, 0, &out->shape, i), a = inplace_real(call, 1, &out->shape, i),
               b = inplace_real(call, 2, &out->shape, i);
        double *s = &out->sensitivity[SENSITIVITIES * i];
        inplace_store(truth, i, addcmul(&w, x, value, a, b, &s[PRODUCT]));
        s[TWO_FACTORS] = greatest(product(value, a), product(value, b), product(a, b));
        s[GREATEST_FACTOR] = greatest(value, a, b);
        inplace_envelope(out, i, sqrt(3) * s[PRODUCT]);
        s[NOT_FINITE] = !isfinite(a) || !isfinite(b);
        /* What an order of the three factors may lose beside the one that is infinite. */
        if (s[NOT_FINITE] != 0) {
            s[TWO_FACTORS] = isinf(a) && isfinite(b)   ? product(value, b)
                             : isinf(b) && isfinite(a) ? product(value, a)
                                                       : 1;
        }
    }
    work_done(&w);
    return true;
}

/* Two products in any order (one where value = 1), a sum; with a wider type the sum is rounded there as well.
 * An intermediate product may lose η, which the third factor then multiplies. */
static double addcmul_bound(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[0];
    if (!dtype_is_floating(out->dtype) || query->exact) {
        return 0;
    }
    const double *s = &out->sensitivity[SENSITIVITIES * query->element];
    enum dtype accumulate = query->profile->accumulate[out->dtype];
    double value = attributes_real(query->attributes, "value", 1);
    double truth = fabs(value_approximately(&out->value[query->element]));
    if (s[PRODUCT] == 0 || isinf(s[PRODUCT]) || out->value[query->element].class != VALUE_FINITE) {
        return 0;
    }
    int roundings = value == 1 ? 1 : dtype_holds(accumulate, value) ? 2 : 3;
    double error = inplace_gamma(query->profile, out->dtype, roundings) * s[PRODUCT] +
                   (1 + s[GREATEST_FACTOR]) * profile_underflow_unit(query->profile, accumulate);
    if (accumulate != out->dtype) {
        error += profile_accumulate_roundoff(query->profile, out->dtype) * (truth + error);
    }
    return error * (1 + 2 * profile_unit_roundoff(query->profile, out->dtype));
}

/* A product of two factors overflows where that of three need not, as for alpha in add_; or it vanishes
 * beside a third that is infinite, and gives NaN. */
static bool addcmul_escapes(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[0];
    if (!dtype_is_floating(out->dtype) || out->value[query->element].class == VALUE_NAN) {
        return false;
    }
    const double *s = &out->sensitivity[SENSITIVITIES * query->element];
    enum dtype accumulate = query->profile->accumulate[out->dtype];
    return s[NOT_FINITE] != 0
               ? s[TWO_FACTORS] < dtype_least_normal(accumulate)
               : !(s[PRODUCT] <= dtype_max(accumulate) && s[TWO_FACTORS] <= dtype_max(accumulate));
}

/* --- addcdiv_ */

/* (x·b + value·a)/b where all is finite and neither factor 0. */
static struct value one_quotient(struct work *w, double x, double value, double a, double b)
{
    struct pair product, other;
    struct value sum, quotient;
    if (exact_product(value, a, &product) && exact_product(x, b, &other) && other.lo == 0 &&
        exact_plus(other.hi, product, &sum) && exact_quotient(sum, b, &quotient)) {
        return quotient;
    }
    mpfr_set_d(w->product, value, MPFR_RNDN);
    mpfr_mul_d(w->product, w->product, a, MPFR_RNDN);
    mpfr_set_d(w->sum, x, MPFR_RNDN);
    mpfr_mul_d(w->sum, w->sum, b, MPFR_RNDN);
    mpfr_add(w->sum, w->sum, w->product, MPFR_RNDN);
    bool exact = mpfr_div_d(w->quotient, w->sum, b, MPFR_RNDN) == 0;
    /* x = −value·a/b: a sum that cancels is +0 */
    return mpfr_zero_p(w->sum) ? value_of(0) : value_from_mpfr(w->quotient, exact);
}

static struct value addcdiv(struct work *w, double x, double value, double a, double b)
{
    if (isfinite(x) && isfinite(a) && isfinite(b) && a != 0 && b != 0 && value != 0) {
        return one_quotient(w, x, value, a, b);
    }
    mpfr_set_d(w->product, value, MPFR_RNDN);
    mpfr_mul_d(w->product, w->product, a, MPFR_RNDN);
    mpfr_div_d(w->quotient, w->product, b, MPFR_RNDN);
    mpfr_add_d(w->sum, w->quotient, x, MPFR_RNDN);
    return value_from_mpfr(w->sum, true);
}

static bool addcdiv_truth(const struct op_call *call, struct truth *truth, struct error *error)
{
    struct truth_output *out = &truth->output[0];
    if (!truth_output_envelope(out)) {
        return error_set(error, "%s: out of memory", call->op->name);
    }
    double value = attributes_real(call->attributes, "value", 1);
    struct work w = work_for(out->dtype);
    for (int64_t i = 0; i < out->elements; i++) {
        double x = inplace_real(call, 0, &out->shape, i), a = inplace_real(call, 1, &out->shape, i),
               b = inplace_real(call, 2, &out->shape, i);
        inplace_store(truth, i, addcdiv(&w, x, value, a, b));
        double *s = &out->sensitivity[SENSITIVITIES * i];
        s[SCALED_QUOTIENT] = upward_quotient(product(value, a), fabs(b));
        s[QUOTIENT] = upward_quotient(fabs(a), fabs(b));
        s[SCALED_DIVIDEND] = product(value, a);
        s[DIVISOR] = isfinite(a) && isfinite(b) && a != 0 ? fabs(b) : 0;
        inplace_envelope(out, i, sqrt(3) * s[SCALED_QUOTIENT]);
    }
    work_done(&w);
    return true;
}

/* value·(t1/t2) or (value·t1)/t2: a division, a product unless value = 1, a sum. */
static double addcdiv_bound(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[0];
    const struct profile *profile = query->profile;
    const double *s = &out->sensitivity[SENSITIVITIES * query->element];
    enum dtype accumulate = profile->accumulate[out->dtype];
    const struct dtype_info *info = dtype_info(accumulate);
    double value = attributes_real(query->attributes, "value", 1);
    double truth = fabs(value_approximately(&out->value[query->element]));
    if (s[DIVISOR] == 0 || out->value[query->element].class == VALUE_NAN) {
        return 0; /* the quotient is zero or special, by IEEE 754's rules */
    }
    bool unspecified = profile->primitives == PRIMITIVES_VULKAN &&
                       (s[DIVISOR] < ldexp(1, info->emin) || s[DIVISOR] > ldexp(1, info->emax - 1));
    if (unspecified) {
        return INFINITY;
    }
    if (isinf(s[SCALED_QUOTIENT]) || out->value[query->element].class != VALUE_FINITE) {
        return 0; /* self is infinite, or the quotient is, however it is rounded */
    }
    double eta = profile_underflow_unit(profile, accumulate);
    double division = profile_divide_error(profile, accumulate, s[SCALED_QUOTIENT]);
    if (s[QUOTIENT] <= dtype_max(accumulate)) { /* else value·(t1/t2) escapes */
        division = fmax(division, fabs(value) * profile_divide_error(profile, accumulate, s[QUOTIENT]));
    }
    int products = value == 1 ? 0 : dtype_holds(accumulate, value) ? 1 : 2;
    double error = division; /* near MAX the sum of both is infinite, and no product must make that NaN */
    if (products) {
        error += inplace_gamma(profile, out->dtype, products) * (s[SCALED_QUOTIENT] + division);
    }
    error += value == 1 ? eta : (1 + 1 / s[DIVISOR]) * eta;
    if (accumulate != out->dtype) {
        error += profile_accumulate_roundoff(profile, out->dtype) * (truth + error);
    }
    return error * (1 + 2 * profile_unit_roundoff(profile, out->dtype));
}

/* Underflow, which t1, t2 or value then multiplies. */
static double addcmul_allowance(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[0];
    enum dtype accumulate = query->profile->accumulate[out->dtype];
    double greatest_factor =
        out->sensitivities ? out->sensitivity[SENSITIVITIES * query->element + GREATEST_FACTOR] : 0;
    return (1 + greatest_factor) * profile_underflow_unit(query->profile, accumulate);
}

/* The division's own, and underflow. */
static double addcdiv_allowance(const struct bound_query *query)
{
    const double *s = &query->truth->output[0].sensitivity[SENSITIVITIES * query->element];
    const struct profile *profile = query->profile;
    enum dtype accumulate = profile->accumulate[query->truth->output[0].dtype];
    double value = fabs(attributes_real(query->attributes, "value", 1));
    return s[DIVISOR] == 0 ? 0
                           : profile_divide_error(profile, accumulate, s[SCALED_QUOTIENT]) +
                                 value * profile_divide_error(profile, accumulate, s[QUOTIENT]) +
                                 (1 + 1 / s[DIVISOR]) * profile_underflow_unit(profile, accumulate);
}

/* value·t1 or t1/t2 overflows where the whole need not; or value·t1 overflows over an infinite t2, or
 * vanishes over a zero, and gives NaN. */
static bool addcdiv_escapes(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[0];
    const double *s = &out->sensitivity[SENSITIVITIES * query->element];
    enum dtype accumulate = query->profile->accumulate[out->dtype];
    double max = dtype_max(accumulate);
    if (out->value[query->element].class == VALUE_NAN) {
        return false;
    }
    if (s[DIVISOR] == 0) {
        return (s[QUOTIENT] == 0 && s[SCALED_DIVIDEND] > max) ||
               (isinf(s[QUOTIENT]) && s[SCALED_DIVIDEND] > 0 &&
                s[SCALED_DIVIDEND] < dtype_least_normal(accumulate));
    }
    return !(s[SCALED_QUOTIENT] <= max && s[QUOTIENT] <= max && s[SCALED_DIVIDEND] <= max);
}

#define ROW(name_, dtypes_, ...)                                                                             \
    {                                                                                                        \
        .family = "inplace", .name = name_,                                                                  \
        .operands = {{"self", OPERAND_MUTATED}, {"tensor1", OPERAND_READ}, {"tensor2", OPERAND_READ}},       \
        .dtypes = dtypes_, .elementwise = true, .sensitivities = sensitivities, __VA_ARGS__                  \
    }

static const struct op ops[] = {
    ROW("addcmul_", INPLACE_DTYPES, .attributes = {{"value", ATTRIBUTE_NUMBER}},
        .defaults = {{"value", DEFAULT_VALUE, 1}}, .signature = inplace_signature, .truth = addcmul_truth,
        .escapes = addcmul_escapes, .bound = addcmul_bound, .allowance = addcmul_allowance),
    ROW("addcdiv_", INPLACE_DTYPES, .attributes = {{"value", ATTRIBUTE_NUMBER}},
        .defaults = {{"value", DEFAULT_VALUE, 1}}, .signature = inplace_quotient_signature,
        .truth = addcdiv_truth, .escapes = addcdiv_escapes, .bound = addcdiv_bound,
        .allowance = addcdiv_allowance),
};

const struct op_set op_set_inplace_ternary = {.op = ops, .count = sizeof ops / sizeof *ops};
