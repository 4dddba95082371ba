/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* add_, mul_: self ← self + alpha·other, self ← self·other, written into self's own memory.
 *
 * Definition: PyTorch Tensor.add_(other, *, alpha=1), Tensor.mul_(other). `other` broadcasts to self, never
 * the other way. Integers wrap modulo 2^bits. Must be rejected: a self that overlaps itself, an `other` that
 * shares part of self's memory without being the same view, a broadcasting self, a floating operand into an
 * integer self, a fractional alpha for integers.
 *
 * Truth: x + α·y and x·y are exact as a pair of doubles for 16- and 32-bit floats (products of 24-bit
 * significands and one TwoSum), through MPFR at a precision that holds every sum otherwise. Sensitivities of
 * add_: [0] |αy|, [1] its significant bits, [2] exponent of its last bit. */

#include "reference/op.h"

#include <math.h>

/* float64: 53-bit x anywhere in 2^±1074 plus a 106-bit product: every bit fits. */
enum { EXACT_BITS = 4500 };

enum {
    DTYPES = 1U << DTYPE_FLOAT16 | 1U << DTYPE_BFLOAT16 | 1U << DTYPE_FLOAT32 | 1U << DTYPE_FLOAT64 |
             1U << DTYPE_INT32
};

static bool check_memory(const struct op *op, const struct view *self, const struct view *other,
                         struct error *reason)
{
    if (view_overlaps_itself(self)) {
        return error_set(reason, "%s: self refers to the same element more than once; clone it first",
                         op->name);
    }
    struct view wide = view_broadcast(other, &self->shape);
    if (view_sharing(self, &wide) == VIEWS_OVERLAP) {
        return error_set(reason,
                         "%s: other shares part of self's memory without being the same view; clone it first",
                         op->name);
    }
    return true;
}

static bool signature(const struct op *op, const struct op_operands *operands, struct op_signature *out,
                      struct error *reason)
{
    const struct view *self = &operands->input[0], *other = &operands->input[1];
    *out = (struct op_signature){.outputs = 0};
    if (!(op->dtypes >> self->dtype & 1)) {
        return error_set(reason, "%s: dtype %s is not supported", op->name, dtype_info(self->dtype)->name);
    }
    double alpha = attributes_real(operands->attributes, "alpha", 1);
    if (!dtype_is_floating(self->dtype) && (dtype_is_floating(other->dtype) || alpha != floor(alpha))) {
        return error_set(reason, "%s: a floating point result cannot be stored in an %s self", op->name,
                         dtype_info(self->dtype)->name);
    }
    if (other->dtype != self->dtype) {
        return error_set(reason, "%s: other is %s, self is %s", op->name, dtype_info(other->dtype)->name,
                         dtype_info(self->dtype)->name);
    }
    if (!shape_broadcasts(&other->shape, &self->shape)) {
        return error_set(reason, "%s: other does not broadcast to self's shape", op->name);
    }
    return check_memory(op, self, other, reason);
}

static int add_sensitivities(const struct op_call *call, int output)
{
    (void)output;
    return dtype_is_floating(call->input[0].dtype) ? 3 : 0;
}

/* Knuth's TwoSum: hi + lo = a + b exactly. */
static struct value exact_sum(double a, double b)
{
    double hi = a + b, t = hi - a;
    double lo = (a - (hi - t)) + (b - t);
    return value_from_pair(hi, isfinite(hi) ? lo : 0);
}

/* x + α·y by MPFR; exact. */
static struct value exact_fma(double x, double alpha, double y)
{
    mpfr_t product, sum;
    mpfr_init2(product, 2 * 53);
    mpfr_init2(sum, EXACT_BITS);
    mpfr_set_d(product, alpha, MPFR_RNDN);
    mpfr_mul_d(product, product, y, MPFR_RNDN);
    mpfr_set_d(sum, x, MPFR_RNDN);
    mpfr_add(sum, sum, product, MPFR_RNDN);
    struct value value = value_from_mpfr(sum, true);
    mpfr_clear(product);
    mpfr_clear(sum);
    return value;
}

static bool fits_float32(double x)
{
    return (double)(float)x == x;
}

static void describe_product(double alpha, double y, double *sensitivity)
{
    double product = alpha * y;
    sensitivity[0] = fabs(product);
    sensitivity[1] = 0;
    sensitivity[2] = 0;
    if (product == 0 || !isfinite(product)) {
        return;
    }
    int e;
    double m = frexp(fabs(product), &e);
    int bits = 53;
    while (bits > 1 && fmod(ldexp(m, bits - 1), 1) == 0) {
        bits--;
    }
    sensitivity[1] = fma(alpha, y, -product) == 0 ? bits : 2 * 53; /* float64: the product has more bits */
    sensitivity[2] = e - bits;
}

static int64_t wrap(enum dtype dtype, uint64_t x)
{
    unsigned char bytes[8];
    dtype_store_bits(dtype, bytes, x);
    return dtype_load_integer(dtype, bytes);
}

static bool add_truth(const struct op_call *call, struct truth *truth, struct error *error)
{
    (void)error;
    const struct tensor *self = &call->input[0], *other = &call->input[1];
    struct truth_output *out = &truth->output[0];
    double alpha = attributes_real(call->attributes, "alpha", 1);
    bool pairs = self->dtype != DTYPE_FLOAT64 && fits_float32(alpha);
    for (int64_t i = 0; i < out->elements; i++) {
        double x = tensor_component(self, i);
        double y = tensor_component(other, shape_broadcast_element(&other->shape, &self->shape, i));
        if (!dtype_is_floating(self->dtype)) {
            uint64_t sum = (uint64_t)(int64_t)x + (uint64_t)(int64_t)alpha * (uint64_t)(int64_t)y;
            out->value[i] = value_of((double)wrap(self->dtype, sum));
            continue;
        }
        bool special =
            !isfinite(x) || !isfinite(y) || !isfinite(alpha) || alpha == 0 || y == 0; /* IEEE signs */
        out->value[i] = pairs || special ? exact_sum(x, alpha * y) : exact_fma(x, alpha, y);
        describe_product(alpha, y, &out->sensitivity[3 * i]);
    }
    return true;
}

static bool mul_truth(const struct op_call *call, struct truth *truth, struct error *error)
{
    (void)error;
    const struct tensor *self = &call->input[0], *other = &call->input[1];
    struct truth_output *out = &truth->output[0];
    for (int64_t i = 0; i < out->elements; i++) {
        double x = tensor_component(self, i);
        double y = tensor_component(other, shape_broadcast_element(&other->shape, &self->shape, i));
        if (!dtype_is_floating(self->dtype)) {
            uint64_t product = (uint64_t)(int64_t)x * (uint64_t)(int64_t)y;
            out->value[i] = value_of((double)wrap(self->dtype, product));
        } else if (self->dtype == DTYPE_FLOAT64 && isfinite(x) && isfinite(y) && x != 0 && y != 0) {
            out->value[i] = exact_fma(0, x, y);
        } else {
            out->value[i] = value_of(x * y); /* ≤ 48 bits: exact */
        }
    }
    return true;
}

static bool is_representable(double alpha, enum dtype accumulate)
{
    unsigned char bytes[8];
    dtype_store(accumulate, bytes, alpha);
    return dtype_load(accumulate, bytes) == alpha;
}

static bool product_is_exact(const struct bound_query *query, enum dtype accumulate,
                             const double *sensitivity)
{
    const struct dtype_info *info = dtype_info(accumulate);
    bool flushed = query->profile->subnormals[accumulate] == SUBNORMALS_MAY_FLUSH && sensitivity[0] > 0 &&
                   sensitivity[0] < dtype_least_normal(accumulate);
    return sensitivity[1] <= info->precision && sensitivity[2] >= info->emin - info->precision + 1 &&
           !flushed;
}

/* One rounding of α·y (one more where α is no number of that type) and, where sums are held in a wider type,
 * one of the sum there; the last rounding, to the dtype, is u·|truth|. Without a product's rounding the whole
 * is one correctly rounded addition: rounding twice, first to p' ≥ 2p + 2 bits, is innocuous (Figueroa 1995),
 * and E = 0. */
static double add_bound(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[0];
    if (!dtype_is_floating(out->dtype)) {
        return 0;
    }
    enum dtype accumulate = query->profile->accumulate[out->dtype];
    const double *sensitivity = &out->sensitivity[3 * query->element];
    bool alpha_is_exact = is_representable(attributes_real(query->attributes, "alpha", 1), accumulate);
    if (query->exact || (alpha_is_exact && product_is_exact(query, accumulate, sensitivity))) {
        return 0;
    }
    if (sensitivity[0] > dtype_max(accumulate)) {
        return INFINITY; /* rule 6: the product overflows where it need not; alpha is the caller's */
    }
    double u = profile_accumulate_roundoff(query->profile, out->dtype);
    double error =
        (alpha_is_exact ? 1 : 2) * u * sensitivity[0] + profile_underflow_unit(query->profile, accumulate);
    if (accumulate != out->dtype) {
        error += u * fabs(value_approximately(&out->value[query->element]));
    }
    return error;
}

static const struct op ops[] = {
    {.family = "inplace",
     .name = "add_",
     .inputs_min = 2,
     .inputs_max = 2,
     .mutates = 1,
     .attributes = {"alpha"},
     .dtypes = DTYPES,
     .signature = signature,
     .truth = add_truth,
     .sensitivities = add_sensitivities,
     .bound = add_bound},
    {.family = "inplace",
     .name = "mul_",
     .inputs_min = 2,
     .inputs_max = 2,
     .mutates = 1,
     .dtypes = DTYPES,
     .signature = signature,
     .truth = mul_truth},
};

const struct op_set op_set_inplace = {.op = ops, .count = sizeof ops / sizeof *ops};
