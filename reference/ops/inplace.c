/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* self ← self + α·other, self − α·other, self·other, self/other, written into self's own memory, and the same
 * into a third operand `out`.
 *
 * Definition: PyTorch Tensor.add_(other, *, alpha=1), sub_, mul_, div_; torch.add(self, other, *, alpha=1,
 * out) and so on, whose names here are add_out, …: PyTorch's overload add.out. `other` broadcasts to self,
 * never the other way. Integers wrap modulo 2^bits and cannot hold a quotient. Must be rejected: a written
 * view that overlaps itself, an operand that shares part of its memory without being the same view, a
 * broadcasting self, a floating operand into an integer self, a fractional alpha for integers.
 *
 * Truth: x ± α·y and x·y are exact as a pair of doubles for 16- and 32-bit floats (products of 24-bit
 * significands and one TwoSum), through reference/exact_fma.h otherwise; a quotient is a
 * pair whose tail is the residual over the divisor (MPFR for float64). Sensitivity of quotients:
 * |divisor|. */

#include "reference/inplace.h"
#include "reference/exact_fma.h"
#include "reference/upward.h"

#include <math.h>

enum { QUOTIENT_BITS = 240 };

/* Sensitivities of sums: |αy|, its significant bits, and the exponent of its last bit (where it is infinite:
 * whether no factor is). */
enum { PRODUCT, BITS, LAST_BIT, SUM_SENSITIVITIES };

static bool fits_float32(double x)
{
    return (double)(float)x == x;
}

static void describe_product(double alpha, double y, double *sensitivity)
{
    double product = alpha * y;
    sensitivity[PRODUCT] =
        alpha == 0 || y == 0 ? fabs(product) : upward_product(fabs(alpha), fabs(y)); /* 0·inf */
    sensitivity[BITS] = 0;
    sensitivity[LAST_BIT] = 0;
    if (product == 0 || !isfinite(product)) {
        sensitivity[LAST_BIT] = isfinite(alpha) && isfinite(y);
        return;
    }
    int e;
    uint64_t significand = (uint64_t)(frexp(fabs(product), &e) * 0x1p53); /* 53 bits, the first is set */
    int bits = 53 - __builtin_ctzll(significand);
    sensitivity[BITS] = fma(alpha, y, -product) == 0 ? bits : 2 * 53; /* float64: the product has more bits */
    sensitivity[LAST_BIT] = e - bits;
}

static int sum_sensitivities(const struct op_call *call, int output)
{
    (void)output;
    return dtype_is_floating(call->input[0].dtype) ? SUM_SENSITIVITIES : 0;
}

/* self + sign·alpha·other */
static bool signed_sum(const struct op_call *call, struct truth *truth, int sign, struct error *error)
{
    struct truth_output *out = &truth->output[0];
    enum dtype dtype = out->dtype;
    if (dtype_is_floating(dtype) && !truth_output_envelope(out)) {
        return error_set(error, "%s: out of memory", call->op->name);
    }
    double alpha = sign * attributes_real(call->attributes, "alpha", 1);
    uint64_t whole = (uint64_t)sign * (uint64_t)attributes_integer(call->attributes, "alpha", 1);
    bool pairs = dtype != DTYPE_FLOAT64 && fits_float32(alpha);
    for (int64_t i = 0; i < out->elements; i++) {
        if (!dtype_is_floating(dtype)) {
            uint64_t x = (uint64_t)inplace_integer(call, 0, &out->shape, i),
                     y = (uint64_t)inplace_integer(call, 1, &out->shape, i);
            out->value[i] = inplace_wrapped(dtype, x + whole * y);
            continue;
        }
        double x = inplace_real(call, 0, &out->shape, i), y = inplace_real(call, 1, &out->shape, i);
        inplace_store(truth, i, pairs ? inplace_sum(x, alpha * y) : exact_fma(x, alpha, y));
        describe_product(alpha, y, &out->sensitivity[SUM_SENSITIVITIES * i]);
        inplace_envelope(out, i, sqrt(2) * alpha * y); /* the product, and alpha where no float holds it */
    }
    return true;
}

static bool add_truth(const struct op_call *call, struct truth *truth, struct error *error)
{
    return signed_sum(call, truth, 1, error);
}

static bool sub_truth(const struct op_call *call, struct truth *truth, struct error *error)
{
    return signed_sum(call, truth, -1, error);
}

static bool mul_truth(const struct op_call *call, struct truth *truth, struct error *error)
{
    (void)error;
    struct truth_output *out = &truth->output[0];
    enum dtype dtype = out->dtype;
    for (int64_t i = 0; i < out->elements; i++) {
        if (!dtype_is_floating(dtype)) {
            uint64_t x = (uint64_t)inplace_integer(call, 0, &out->shape, i),
                     y = (uint64_t)inplace_integer(call, 1, &out->shape, i);
            out->value[i] = inplace_wrapped(dtype, x * y);
            continue;
        }
        double x = inplace_real(call, 0, &out->shape, i), y = inplace_real(call, 1, &out->shape, i);
        bool wide = dtype == DTYPE_FLOAT64 && x != 0 && y != 0; /* else ≤ 48 bits, or a zero with its sign */
        inplace_store(truth, i, wide ? exact_fma(0, x, y) : value_of(x * y));
    }
    return true;
}

static bool product_is_exact(const struct bound_query *query, enum dtype accumulate,
                             const double *sensitivity)
{
    const struct dtype_info *info = dtype_info(accumulate);
    bool flushed = query->profile->subnormals[accumulate] == SUBNORMALS_MAY_FLUSH &&
                   sensitivity[PRODUCT] > 0 && sensitivity[PRODUCT] < dtype_least_normal(accumulate);
    return sensitivity[BITS] <= info->precision &&
           sensitivity[LAST_BIT] >= info->emin - info->precision + 1 && !flushed;
}

/* One rounding of α·y (one more where α is no number of that type) and, where sums are held in a wider type,
 * one of the sum there; the last rounding, to the dtype, is u·|truth|. Without a product's rounding the whole
 * is one correctly rounded addition: rounding twice, first to p' ≥ 2p + 2 bits, is innocuous (Figueroa 1995),
 * and E = 0. */
static double sum_bound(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[0];
    if (!dtype_is_floating(out->dtype) || out->value[query->element].class == VALUE_NAN) {
        return 0;
    }
    enum dtype accumulate = query->profile->accumulate[out->dtype];
    const double *sensitivity = &out->sensitivity[SUM_SENSITIVITIES * query->element];
    bool alpha_is_exact = dtype_holds(accumulate, attributes_real(query->attributes, "alpha", 1));
    if (query->exact || (alpha_is_exact && product_is_exact(query, accumulate, sensitivity))) {
        return 0;
    }
    if (isinf(sensitivity[PRODUCT])) {
        return 0; /* fused, it is one rounding; else the product is infinite */
    }
    double u = profile_accumulate_roundoff(query->profile, out->dtype);
    double error = (alpha_is_exact ? 1 : 2) * u * sensitivity[PRODUCT] +
                   profile_underflow_unit(query->profile, accumulate);
    if (accumulate != out->dtype) {
        error += u * fabs(value_approximately(&out->value[query->element]));
    }
    return error;
}

/* α·y rounds to itself, and no wider than the dtype: then fused or not, in this type or a wider one, the sum
 * is rounded once. A product of more bits, exact in a wider type, may round to a midpoint there. */
static bool sum_rounds_once(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[0];
    enum dtype accumulate = query->profile->accumulate[out->dtype];
    if (!dtype_is_floating(out->dtype) || out->value[query->element].class == VALUE_NAN) {
        return false;
    }
    const double *sensitivity = &out->sensitivity[SUM_SENSITIVITIES * query->element];
    return dtype_holds(accumulate, attributes_real(query->attributes, "alpha", 1)) &&
           product_is_exact(query, accumulate, sensitivity) &&
           sensitivity[BITS] <= dtype_info(out->dtype)->precision;
}

/* A product of two p-bit significands is exact in 2p bits, which every wider type has. */
/* α·y overflows where the sum need not; alpha is the caller's. */
static bool sum_escapes(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[0];
    if (!dtype_is_floating(out->dtype) || out->value[query->element].class == VALUE_NAN) {
        return false;
    }
    const double *s = &out->sensitivity[SUM_SENSITIVITIES * query->element];
    return s[PRODUCT] > dtype_max(query->profile->accumulate[out->dtype]) &&
           (isfinite(s[PRODUCT]) || s[LAST_BIT] == 1);
}

/* --- quotients */

static struct value long_quotient(double x, double y)
{
    mpfr_t quotient;
    mpfr_init2(quotient, QUOTIENT_BITS);
    mpfr_set_d(quotient, x, MPFR_RNDN); /* exact */
    int ternary = mpfr_div_d(quotient, quotient, y, MPFR_RNDN);
    struct value value = value_from_mpfr(quotient, ternary == 0);
    mpfr_clear(quotient);
    return value;
}

/* Operands of at most 24 bits: neither the quotient nor the residual, which is exact, leaves double's range,
 * and the tail's own rounding is below 2^-106 of the quotient. */
static struct value short_quotient(double x, double y)
{
    double hi = x / y, rest = fma(-hi, y, x), lo = rest / y;
    struct value value = value_from_pair(hi, lo);
    value.exact = fma(-lo, y, rest) == 0;
    return value;
}

static int quotient_sensitivities(const struct op_call *call, int output)
{
    (void)call, (void)output;
    return 1;
}

static bool div_truth(const struct op_call *call, struct truth *truth, struct error *error)
{
    (void)error;
    struct truth_output *out = &truth->output[0];
    for (int64_t i = 0; i < out->elements; i++) {
        double x = inplace_real(call, 0, &out->shape, i), y = inplace_real(call, 1, &out->shape, i);
        bool special = !isfinite(x) || !isfinite(y) || x == 0 || y == 0;
        inplace_store(truth, i,
                      special                       ? value_of(x / y)
                      : out->dtype == DTYPE_FLOAT64 ? long_quotient(x, y)
                                                    : short_quotient(x, y));
        out->sensitivity[i] = fabs(y);
    }
    return true;
}

/* A correct division is one rounding, also through a wider type with p' ≥ 2p bits (Figueroa 1995); Vulkan's
 * allows 2.5 ulp, and nothing is said where the divisor lies outside [2^emin, 2^(emax − 1)]. */
static double div_bound(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[0];
    const struct profile *profile = query->profile;
    enum dtype accumulate = profile->accumulate[out->dtype];
    const struct dtype_info *info = dtype_info(accumulate);
    double divisor = out->sensitivity[query->element];
    double quotient = fabs(value_approximately(&out->value[query->element]));
    bool wider = accumulate != out->dtype;
    if (out->value[query->element].class != VALUE_FINITE) {
        return 0; /* an operand is zero or special */
    }
    if (quotient > 2 * dtype_max(accumulate)) {
        return 0; /* infinite, however it is rounded */
    }
    if (primitives_divide_rounded(profile->primitives)) {
        return wider && profile->rounding[accumulate] == ROUNDING_OPEN
                   ? profile_divide_error(profile, accumulate, quotient)
                   : 0;
    }
    if (profile->primitives == PRIMITIVES_VULKAN && divisor != 0 && isfinite(divisor) &&
        (divisor < ldexp(1, info->emin) || divisor > ldexp(1, info->emax - 1))) {
        return INFINITY;
    }
    return profile_divide_error(profile, accumulate, quotient);
}

static double sum_allowance(const struct bound_query *query)
{
    enum dtype dtype = query->truth->output[0].dtype;
    return profile_underflow_unit(query->profile, query->profile->accumulate[dtype]);
}

static bool quotient_rounds_once(const struct bound_query *query)
{
    return div_bound(query) == 0;
}

/* The operator in place, and the one with a third operand for the result. */
#define ROWS(name_, attribute_, signature_, truth_, sensitivities_, bound_, escapes_, once_, plain_)         \
    {.family = "inplace",                                                                                    \
     .name = name_ "_",                                                                                      \
     .operands = {{"self", OPERAND_MUTATED}, {"other", OPERAND_READ}},                                       \
     .attributes = {{attribute_, ATTRIBUTE_NUMBER}},                                                         \
     .defaults = {{"alpha", DEFAULT_VALUE, 1}},                                                              \
     .dtypes = INPLACE_DTYPES,                                                                               \
     .elementwise = true,                                                                                    \
     .plain = plain_,                                                                                        \
     .signature = signature_,                                                                                \
     .truth = truth_,                                                                                        \
     .sensitivities = sensitivities_,                                                                        \
     .escapes = escapes_,                                                                                    \
     .one_rounding = once_,                                                                                  \
     .bound = bound_,                                                                                        \
     .allowance = sum_allowance},                                                                            \
    {                                                                                                        \
        .family = "inplace", .name = name_ "_out",                                                           \
        .operands = {{"input", OPERAND_READ}, {"other", OPERAND_READ}, {"out", OPERAND_MUTATED}},            \
        .attributes = {{attribute_, ATTRIBUTE_NUMBER}}, .defaults = {{"alpha", DEFAULT_VALUE, 1}},           \
        .dtypes = INPLACE_DTYPES, .elementwise = true, .plain = plain_, .signature = signature_,             \
        .truth = truth_, .sensitivities = sensitivities_, .bound = bound_, .escapes = escapes_,              \
        .allowance = sum_allowance, .one_rounding = once_                                                    \
    }

static const struct op ops[] = {
    ROWS("add", "alpha", inplace_signature, add_truth, sum_sensitivities, sum_bound, sum_escapes,
         sum_rounds_once, true),
    ROWS("sub", "alpha", inplace_signature, sub_truth, sum_sensitivities, sum_bound, sum_escapes,
         sum_rounds_once, true),
    ROWS("mul", NULL, inplace_signature, mul_truth, NULL, NULL, NULL, op_rounds_once, true),
    ROWS("div", NULL, inplace_quotient_signature, div_truth, quotient_sensitivities, div_bound, NULL,
         quotient_rounds_once, false),
};

const struct op_set op_set_inplace = {.op = ops, .count = sizeof ops / sizeof *ops};
