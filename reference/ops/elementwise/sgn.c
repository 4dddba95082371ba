/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* sgn, sign: x/|x|, 0 at 0.
 *
 * Definition: array API "sign" (real and complex), PyTorch torch.sgn; sgn(z) = z/|z|. Real and integer
 * results are exact. sgn(±0) keeps its sign and sgn(NaN) is NaN unless the profile declares another
 * convention. For a complex number with an infinite component two results are in use, and both are accepted:
 * the quotient z/|z| by IEEE arithmetic (NaN where a component is infinite) and the limit along the
 * direction. |z| must neither overflow nor underflow on the way (rule 6). Sensitivities, complex only: the
 * code of the infinite components (enum infinite), and |z|. */

#include "reference/numeric/elementary/portable.h"
#include "reference/operator/op.h"
#include "reference/operator/ziv.h"

#include <math.h>

enum sensitivity { INFINITE, MODULUS, SENSITIVITIES };
enum infinite { REAL_INFINITE = 1, IMAGINARY_INFINITE = 2, REAL_NEGATIVE = 4, IMAGINARY_NEGATIVE = 8 };

enum {
    REAL_DTYPES = 1U << DTYPE_FLOAT16 | 1U << DTYPE_BFLOAT16 | 1U << DTYPE_FLOAT32 | 1U << DTYPE_FLOAT64 |
                  1U << DTYPE_INT8 | 1U << DTYPE_UINT8 | 1U << DTYPE_INT32 | 1U << DTYPE_INT64,
    COMPLEX_DTYPES = 1U << DTYPE_COMPLEX64
};

static bool signature(const struct op *op, const struct op_operands *operands, struct op_signature *out,
                      struct error *reason)
{
    const struct view *x = &operands->input[0];
    if (!(op->dtypes >> x->dtype & 1)) {
        return error_set(reason, "%s: dtype %s is not supported", op->name, dtype_info(x->dtype)->name);
    }
    *out = (struct op_signature){.outputs = 1};
    out->output[0].dtype = x->dtype;
    out->output[0].shape = x->shape;
    return true;
}

static struct value real_sgn(double x)
{
    return value_of(isnan(x) || x == 0 ? x : copysign(1, x));
}

/* (a, b)/√(a² + b²): nothing cancels, so a step of the precision ladder always suffices. */
static void enclose_quotient(void *user, mpfr_prec_t precision, mpfi_t out[])
{
    const double *z = user;
    mpfi_t square, sum;
    mpfi_init2(square, precision);
    mpfi_init2(sum, precision);
    mpfi_set_d(square, z[0]);
    mpfi_sqr(sum, square);
    mpfi_set_d(square, z[1]);
    mpfi_sqr(square, square);
    mpfi_add(sum, sum, square);
    mpfi_sqrt(sum, sum);
    for (int c = 0; c < 2; c++) {
        mpfi_set_d(square, z[c]);
        mpfi_div(out[c], square, sum);
    }
    mpfi_clear(square);
    mpfi_clear(sum);
}

static bool complex_sgn(double a, double b, struct value out[2], double *s, int *bits, struct error *error)
{
    s[INFINITE] = 0;
    s[MODULUS] = portable_hypot(a, b);
    if (isnan(a) || isnan(b)) {
        out[0] = out[1] = value_of(NAN);
    } else if (isinf(a) || isinf(b)) {
        s[INFINITE] = (isinf(a) ? REAL_INFINITE : 0) | (isinf(b) ? IMAGINARY_INFINITE : 0) |
                      (signbit(a) ? REAL_NEGATIVE : 0) | (signbit(b) ? IMAGINARY_NEGATIVE : 0);
        out[0] = value_of(isinf(a) ? NAN : copysign(0, a));
        out[1] = value_of(isinf(b) ? NAN : copysign(0, b));
    } else if (a == 0 || b == 0) {
        out[0] = real_sgn(a);
        out[1] = real_sgn(b);
    } else {
        double z[2] = {a, b};
        return ziv_refine(&(struct ziv){.enclose = enclose_quotient, .user = z, .count = 2}, out, bits,
                          error);
    }
    return true;
}

static int sensitivities(const struct op_call *call, int output)
{
    (void)output;
    return call->input[0].dtype == DTYPE_COMPLEX64 ? SENSITIVITIES : 0;
}

static bool truth(const struct op_call *call, struct truth *truth, struct error *error)
{
    const struct tensor *x = &call->input[0];
    struct truth_output *out = &truth->output[0];
    for (int64_t i = 0; i < out->elements; i++) {
        if (x->dtype != DTYPE_COMPLEX64) {
            out->value[i] = real_sgn(tensor_component(x, i));
        } else if (!complex_sgn(tensor_component(x, 2 * i), tensor_component(x, 2 * i + 1),
                                &out->value[2 * i], &out->sensitivity[i * SENSITIVITIES], &truth->bits,
                                error)) {
            return false;
        }
    }
    return true;
}

/* z/√(re² + im²): the squares and their sum err by less than 2u·(1 + u), which the root halves; then root and
 * quotient: (c_sqrt + c_div + 2)·u of |z/|z|| = 1 covers all. Scaling by powers of two is exact. */
static double bound(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[0];
    if (out->dtype != DTYPE_COMPLEX64) {
        return 0;
    }
    const struct value *z = &out->value[2 * query->element];
    if (z[0].class != VALUE_FINITE || (z[0].hi == 0 && z[1].hi == 0)) { /* 0 → 0; NaN */
        return 0;
    }
    struct profile profile = *query->profile;
    if (query->quality && profile.primitives == PRIMITIVES_VULKAN) {
        profile.primitives = PRIMITIVES_OPENCL;
    }
    return profile_sqrt_error(&profile, DTYPE_FLOAT32, 1) + profile_divide_error(&profile, DTYPE_FLOAT32, 1) +
           2 * profile_unit_roundoff(&profile, DTYPE_FLOAT32);
}

/* Applies the profile's conventions for zeros and NaN of real numbers (rule 7). */
static void accept_convention(const struct bound_query *query, struct accept *accept)
{
    const struct truth_output *out = &query->truth->output[0];
    int components = dtype_info(out->dtype)->components;
    for (int c = 0; c < components; c++) {
        const struct value *truth_value = &out->value[query->element * components + c];
        if (truth_value->class == VALUE_FINITE && truth_value->hi == 0 &&
            query->profile->sgn_zero[out->dtype] != SGN_ZERO_KEPT) {
            accept->set[0].component[c].zero =
                query->profile->sgn_zero[out->dtype] == SGN_ZERO_POSITIVE ? ZERO_POSITIVE : ZERO_ANY;
        }
        if (truth_value->class == VALUE_NAN && components == 1 &&
            query->profile->sgn_nan[out->dtype] == SGN_NAN_IS_ZERO) {
            accept->set[0].component[c].special = 0;
            accept->set[0].component[c].finite = true;
            accept->set[0].component[c].centre = value_of(0);
            accept->set[0].component[c].zero = ZERO_ANY;
            accept->set[0].rule = RULE_CONVENTION;
        }
    }
}

/* Accepts both results for an infinite component: the quotient (NaN there; ±0 or NaN in a finite component)
 * and the direction (±1, ±√½). */
static void accept_infinite(unsigned code, double u, struct accept *accept)
{
    struct accept direction = *accept;
    bool both = (code & REAL_INFINITE) && (code & IMAGINARY_INFINITE);
    for (int c = 0; c < 2; c++) {
        bool infinite = code >> c & 1, negative = code >> (c + 2) & 1;
        accept->set[0].component[c].special = ACCEPT_NAN;
        accept->set[0].component[c].finite = !infinite;
        accept->set[0].component[c].centre = value_of(0);
        accept->set[0].component[c].zero = ZERO_ANY;
        direction.set[0].component[c].special = 0;
        direction.set[0].component[c].finite = true;
        direction.set[0].component[c].centre =
            value_of((infinite ? both ? sqrt(0.5) : 1.0 : 0.0) * (negative ? -1 : 1));
        direction.set[0].component[c].zero = ZERO_ANY;
    }
    accept->set[0].radius = 0;
    accept->set[0].rule = RULE_OPERATOR;
    direction.set[0].radius = both ? 4 * u : 0;
    direction.set[0].rule = RULE_OPERATOR;
    accept_union(accept, &direction);
}

static void accept_sgn(const struct bound_query *query, struct accept *accept)
{
    const struct truth_output *out = &query->truth->output[0];
    int components = dtype_info(out->dtype)->components;
    accept_default(accept, out->dtype, query->profile, &out->value[query->element * components],
                   bound(query));
    accept_convention(query, accept);
    double code = out->sensitivities ? out->sensitivity[query->element * SENSITIVITIES + INFINITE] : 0;
    if (code != 0 && query->profile->special_values[DTYPE_FLOAT32]) {
        accept_infinite((unsigned)code, dtype_unit_roundoff(DTYPE_FLOAT32), accept);
    }
}

/* True for real numbers whose only accepted result is the truth: no convention for zeros applies. */
static bool is_the_truth(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[0];
    return out->dtype != DTYPE_COMPLEX64 &&
           (out->value[query->element].hi != 0 || query->profile->sgn_zero[out->dtype] == SGN_ZERO_KEPT);
}

/* True if re² + im² of a finite number may leave the range or lose accuracy near zero. */
static bool naive_may_overflow(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[0];
    if (!out->sensitivities) {
        return false;
    }
    const double *s = &out->sensitivity[query->element * SENSITIVITIES];
    if (!isfinite(s[MODULUS]) || s[MODULUS] == 0) {
        return false;
    }
    double square = s[MODULUS] * s[MODULUS], u = profile_unit_roundoff(query->profile, DTYPE_FLOAT32);
    return square > dtype_max(DTYPE_FLOAT32) ||
           square * u < 2 * profile_underflow_unit(query->profile, DTYPE_FLOAT32);
}

static const struct op ops[] = {
    {.family = "elementwise",
     .name = "sgn",
     .operands = {{"input", OPERAND_READ}},
     .outputs = 1,
     .elementwise = true,
     .dtypes = REAL_DTYPES | COMPLEX_DTYPES,
     .signature = signature,
     .truth = truth,
     .sensitivities = sensitivities,
     .bound = bound,
     .naive_may_overflow = naive_may_overflow,
     .naive_by_word = true,
     .one_rounding = is_the_truth,
     .accept = accept_sgn},
    {.family = "elementwise",
     .name = "sign",
     .operands = {{"input", OPERAND_READ}},
     .outputs = 1,
     .elementwise = true,
     .dtypes = REAL_DTYPES,
     .signature = signature,
     .truth = truth,
     .sensitivities = sensitivities,
     .bound = bound,
     .one_rounding = is_the_truth,
     .accept = accept_sgn},
};

const struct op_set op_set_sgn = {.op = ops, .count = sizeof ops / sizeof *ops};
