/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/test/support.h"

#include <float.h>

enum { COUNT = 20000, PRECISION = 12000 };

static double random_real(struct philox *generator, enum dtype dtype)
{
    int range = dtype == DTYPE_FLOAT16 ? 20 : dtype == DTYPE_FLOAT64 ? 600 : 80;
    unsigned char bytes[8];
    double x = ldexp(1 + philox_unit(generator), (int)philox_below(generator, (uint32_t)range) - range / 2);
    dtype_store(dtype, bytes, philox_below(generator, 2) ? -x : x);
    return dtype_load(dtype, bytes);
}

static void set_value(arb_t y, const struct value *value)
{
    arb_t tail;
    arb_init(tail);
    arb_set_d(y, value->hi);
    arb_set_d(tail, value->lo);
    arb_add(y, y, tail, PRECISION);
    arb_mul_2exp_si(y, y, value->exponent);
    arb_clear(tail);
}

/* The operator's formula in Arb, to PRECISION bits. */
static void formula(const char *name, const double x[3], double value, arb_t y)
{
    arb_t a, b, c, v;
    arb_init(a), arb_init(b), arb_init(c), arb_init(v);
    arb_set_d(a, x[0]), arb_set_d(b, x[1]), arb_set_d(c, x[2]), arb_set_d(v, value);
    if (strcmp(name, "sub_") == 0) {
        arb_mul(b, b, v, PRECISION);
        arb_sub(y, a, b, PRECISION);
    } else if (strcmp(name, "div_") == 0) {
        arb_div(y, a, b, PRECISION);
    } else if (strcmp(name, "addcmul_") == 0) {
        arb_mul(b, b, c, PRECISION);
        arb_mul(b, b, v, PRECISION);
        arb_add(y, a, b, PRECISION);
    } else if (strcmp(name, "addcdiv_") == 0) {
        arb_div(b, b, c, PRECISION);
        arb_mul(b, b, v, PRECISION);
        arb_add(y, a, b, PRECISION);
    } else {
        arb_sub(b, b, a, PRECISION);
        arb_addmul(a, b, c, PRECISION);
        arb_set(y, a);
    }
    arb_clear(a), arb_clear(b), arb_clear(c), arb_clear(v);
}

static void check_against_arb(const char *name, int operands, enum dtype dtype, const char *attribute,
                              double value)
{
    double *x[3];
    struct tensor input[3];
    struct philox generator;
    philox_start(&generator, 11);
    for (int k = 0; k < 3; k++) {
        x[k] = malloc(COUNT * sizeof *x[k]);
        for (int i = 0; i < COUNT; i++) {
            x[k][i] = random_real(&generator, dtype);
        }
        input[k] = tensor_from(dtype, shape_of(1, (int64_t)COUNT), x[k]);
    }
    struct attributes attributes = {.count = attribute != NULL,
                                    .item = {{.name = attribute, .type = ATTRIBUTE_REAL, .real = value}}};
    struct truth *truth = truth_of_call(name, &attributes, operands, input);
    cr_assert_geq(truth->bits, 104);
    arb_t expected, got, tolerance;
    arb_init(expected), arb_init(got), arb_init(tolerance);
    for (int64_t i = 0; i < COUNT; i++) {
        const double element[3] = {x[0][i], x[1][i], x[2][i]};
        const struct value *v = &truth->output[0].value[i];
        formula(name, element, value, expected);
        set_value(got, v);
        arb_sub(got, got, expected, PRECISION);
        arb_abs(got, got);
        if (v->exact) {
            cr_assert(arb_contains_zero(got), "%s[%d]: taken for exact", name, (int)i);
        }
        arb_abs(tolerance, expected);
        arb_mul_2exp_si(tolerance, tolerance, -104);
        cr_assert(arb_le(got, tolerance) || arb_contains_zero(got), "%s %s: %a, %a, %a", name,
                  dtype_info(dtype)->name, element[0], element[1], element[2]);
    }
    arb_clear(expected), arb_clear(got), arb_clear(tolerance);
    truth_destroy(&truth);
    for (int k = 0; k < 3; k++) {
        tensor_destroy(&input[k]);
        free(x[k]);
    }
}

static void check_dtypes(const char *name, int operands, const char *attribute, double value)
{
    static const enum dtype dtypes[] = {DTYPE_FLOAT16, DTYPE_BFLOAT16, DTYPE_FLOAT32, DTYPE_FLOAT64};
    for (int d = 0; d < 4; d++) {
        check_against_arb(name, operands, dtypes[d], attribute, value);
    }
}

Test(inplace_ternary, sub_is_arbs)
{
    check_dtypes("sub_", 2, "alpha", 0.75);
}
Test(inplace_ternary, div_is_arbs)
{
    check_dtypes("div_", 2, NULL, 1);
}
Test(inplace_ternary, addcmul_is_arbs)
{
    check_dtypes("addcmul_", 3, "value", -0.1);
}
Test(inplace_ternary, addcdiv_is_arbs)
{
    check_dtypes("addcdiv_", 3, "value", 3);
}
Test(inplace_ternary, lerp_is_arbs)
{
    check_dtypes("lerp_", 3, NULL, 1);
}

/* One element of float32 operands: the acceptance set of a strict profile, and whether it takes `got`. */
static bool takes_under(const struct profile *profile, const char *name, const float x[3],
                        const char *attribute, double value, float got)
{
    struct tensor input[3];
    for (int k = 0; k < 3; k++) {
        double element = (double)x[k];
        input[k] = tensor_from(DTYPE_FLOAT32, shape_of(0), &element);
    }
    struct attributes attributes = {.count = attribute != NULL,
                                    .item = {{.name = attribute, .type = ATTRIBUTE_REAL, .real = value}}};
    int operands = strcmp(name, "div_") == 0 ? 2 : 3;
    struct truth *truth = truth_of_call(name, &attributes, operands, input);
    struct bound_query query = {
        .op = op_find(name), .profile = profile, .attributes = &attributes, .truth = truth};
    struct accept accept;
    op_accept(&query, &accept);
    bool accepted = accept_judge(&accept, &got).accepted;
    truth_destroy(&truth);
    for (int k = 0; k < 3; k++) {
        tensor_destroy(&input[k]);
    }
    return accepted;
}

static bool takes(const char *name, const float x[3], const char *attribute, double value, float got)
{
    struct profile ieee = profile_ieee();
    return takes_under(&ieee, name, x, attribute, value, got);
}

Test(inplace_ternary, formulas_of_lerp_are_accepted_and_a_wrong_one_is_not)
{
    struct philox generator;
    philox_start(&generator, 3);
    int caught = 0;
    for (int i = 0; i < 2000; i++) {
        const float s = (float)random_real(&generator, DTYPE_FLOAT32),
                    e = s * (float)(1 + 3 * philox_unit(&generator)), w = (float)philox_unit(&generator);
        const float operand[3] = {s, e, w};
        cr_assert(takes("lerp_", operand, NULL, 0, s + w * (e - s)), "%a, %a, %a", s, e, w);
        cr_assert(takes("lerp_", operand, NULL, 0, e - (e - s) * (1 - w)), "%a, %a, %a", s, e, w);
        cr_assert(takes("lerp_", operand, NULL, 0, s * (1 - w) + e * w), "%a, %a, %a", s, e, w);
        const float near[3] = {s, s * (1 + 1e-6F), w};
        cr_assert(takes("lerp_", near, NULL, 0, near[0] * (1 - w) + near[1] * w), "%a, %a", s, w);
        caught += !takes("lerp_", operand, NULL, 0, s + (1 - w) * (e - s));
    }
    cr_assert_gt(caught, 1900);
}

Test(inplace_ternary, orders_of_a_product_and_of_a_quotient_are_accepted)
{
    struct philox generator;
    philox_start(&generator, 4);
    for (int i = 0; i < 2000; i++) {
        const float x = (float)random_real(&generator, DTYPE_FLOAT16),
                    a = (float)random_real(&generator, DTYPE_FLOAT16) / 3,
                    b = (float)random_real(&generator, DTYPE_FLOAT16) / 7, v = 0.1F;
        const float operand[3] = {x, a, b};
        cr_assert(takes("addcmul_", operand, "value", 0.1, x + v * (a * b)));
        cr_assert(takes("addcmul_", operand, "value", 0.1, x + (v * a) * b));
        cr_assert(takes("addcmul_", operand, "value", 0.1, fmaf(v * a, b, x)));
        cr_assert(takes("addcdiv_", operand, "value", 0.1, x + v * (a / b)));
        cr_assert(takes("addcdiv_", operand, "value", 0.1, x + v * a / b));
        cr_assert(takes("div_", operand, NULL, 1, x / a));
        cr_assert_not(takes("div_", operand, NULL, 1, x / a * (1 + 0x1p-22F)));
        cr_assert_not(takes("addcmul_", operand, "value", 0.1, (x + v * (a * b)) * (1 + 0x1p-19F)) &&
                      takes("addcmul_", operand, "value", 0.1, (x + v * (a * b)) * (1 - 0x1p-19F)) &&
                      fabsf(x) > fabsf(a * b));
    }
}

Test(inplace_ternary, special_values_follow_the_rules)
{
    const float nan = NAN, inf = INFINITY;
    cr_assert(takes("addcmul_", (const float[]){1, nan, 2}, NULL, 1, nan));
    cr_assert_not(takes("addcmul_", (const float[]){1, nan, 2}, NULL, 1, 1));
    cr_assert_not(takes("addcmul_", (const float[]){nan, 1, 2}, NULL, 1, 3));
    cr_assert_not(takes("addcmul_", (const float[]){1, inf, 0}, NULL, 1, 1));
    cr_assert(takes("addcmul_", (const float[]){1, inf, 2}, NULL, 1, inf));
    cr_assert_not(takes("addcdiv_", (const float[]){nan, 1, 2}, NULL, 1, 1));
    cr_assert(takes("addcdiv_", (const float[]){1, 1, 0}, NULL, 1, inf));
    cr_assert_not(takes("addcdiv_", (const float[]){1, 1, 0}, NULL, 1, -inf));
    cr_assert_not(takes("addcdiv_", (const float[]){1, 0, 0}, NULL, 1, 1));
    cr_assert(takes("addcdiv_", (const float[]){1, 1, inf}, NULL, 1, 1));
    cr_assert_not(takes("div_", (const float[]){nan, 1, 0}, NULL, 1, 0));
    cr_assert_not(takes("div_", (const float[]){-1, 0, 0}, NULL, 1, inf));
    cr_assert_not(takes("lerp_", (const float[]){nan, 1, 0.25F}, NULL, 1, 1));
    cr_assert(takes("lerp_", (const float[]){1, inf, 0.25F}, NULL, 1, inf));
    cr_assert_not(takes("clamp_", (const float[]){nan, -1, 1}, NULL, 1, -1));
    cr_assert_not(takes("clamp_", (const float[]){0, nan, 1}, NULL, 1, 0));
    cr_assert(takes("clamp_", (const float[]){0, 2, 1}, NULL, 1, 1));
    cr_assert(takes("clamp_", (const float[]){-0.0F, 0, 1}, NULL, 1, -0.0F));
    cr_assert(takes("clamp_", (const float[]){-0.0F, 0, 1}, NULL, 1, 0));
    cr_assert_not(takes("clamp_", (const float[]){-0.0F, -1, 1}, NULL, 1, 0));
}

Test(inplace_ternary, a_bound_is_never_nan_at_the_end_of_the_range)
{
    double x[3] = {-1, -DBL_MAX, 1};
    struct tensor input[3];
    for (int k = 0; k < 3; k++) {
        input[k] = tensor_from(DTYPE_FLOAT64, shape_of(0), &x[k]);
    }
    struct truth *truth = truth_of_call("addcdiv_", NULL, 3, input);
    struct profile profile = profile_ieee();
    profile.primitives = PRIMITIVES_VULKAN;
    struct attributes none = {.count = 0};
    struct bound_query query = {
        .op = op_find("addcdiv_"), .profile = &profile, .attributes = &none, .truth = truth};
    cr_assert_not(isnan(query.op->bound(&query)));
    truth_destroy(&truth);
    for (int k = 0; k < 3; k++) {
        tensor_destroy(&input[k]);
    }
}

/* clamp_ without its lower limit, given as an absent tensor, of a subnormal: what is absent is no zero where
 * inputs are flushed. */
Test(inplace_ternary, an_absent_limit_stays_absent_where_inputs_are_flushed)
{
    double x[2] = {-0x1p-140, -5}, high[2] = {1, 1};
    struct tensor input[3] = {tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)2), x),
                              {.dtype = DTYPE_FLOAT32, .data = NULL},
                              tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)2), high)};
    struct attributes none = {.count = 0};
    struct op_signature signature = {.outputs = 0};
    struct error error = {.text = ""};
    struct op_call call = {.op = op_find("clamp_"), .attributes = &none, .inputs = 3, .input = input};
    struct truth *truth = op_truth(&call, &signature, &error);
    cr_assert_not_null(truth->flushed);
    cr_assert_eq(truth->output[0].value[1].hi, -5);
    cr_assert_eq(truth->flushed->output[0].value[1].hi, -5);
    truth_destroy(&truth);
    tensor_destroy(&input[0]);
    tensor_destroy(&input[2]);
}

/* If subnormals may be flushed only in comparisons, an operand that compares equal to the result is accepted,
 * but no other number. If subnormals are kept, or far from 0, only the result is accepted. */
Test(inplace_ternary, clamp_may_take_a_subnormal_for_zero_where_it_compares)
{
    const float tiny = 0x1p-140F, less = 0x1p-145F;
    struct profile flushing = profile_ieee();
    flushing.subnormals[DTYPE_FLOAT32] = SUBNORMALS_MAY_FLUSH;
    const float raised[] = {-tiny, 0, 1}, lowered[] = {tiny, -1, less}, far[] = {tiny, 2, 3};
    cr_expect(takes_under(&flushing, "clamp_", raised, NULL, 0, -tiny));
    cr_expect(takes_under(&flushing, "clamp_", raised, NULL, 0, 0));
    cr_expect_not(takes_under(&flushing, "clamp_", raised, NULL, 0, tiny));
    cr_expect_not(takes_under(&flushing, "clamp_", raised, NULL, 0, -less));
    cr_expect_not(takes("clamp_", raised, NULL, 0, -tiny));
    cr_expect(takes_under(&flushing, "clamp_", lowered, NULL, 0, tiny));
    cr_expect(takes_under(&flushing, "clamp_", lowered, NULL, 0, less));
    cr_expect(takes_under(&flushing, "clamp_", lowered, NULL, 0, 0));
    cr_expect_not(takes("clamp_", lowered, NULL, 0, tiny));
    cr_expect_not(takes_under(&flushing, "clamp_", far, NULL, 0, tiny));
    cr_expect(takes_under(&flushing, "clamp_", far, NULL, 0, 2));
}
