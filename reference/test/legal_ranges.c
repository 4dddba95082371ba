/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Results of legal algorithms whose intermediates leave the range at either end are accepted, wrong results
 * beside them are not. The results are computed here in the dtype's own arithmetic or known from IEEE 754. */

#include "reference/test/call.h"

#include <float.h>

static const double all_special[] = {NAN, INFINITY, -INFINITY};

static void takes_only_special(struct call *c, int64_t element, const char *what)
{
    static const double finite[] = {0, 42, -42, FLT_MAX, -FLT_MAX};
    for (int k = 0; k < 3; k++) {
        cr_expect(takes(c, 0, element, all_special[k]), "%s: element %d, %g", what, (int)element,
                  all_special[k]);
    }
    for (int k = 0; k < 5; k++) {
        cr_expect_not(takes(c, 0, element, finite[k]), "%s: element %d, %g", what, (int)element, finite[k]);
    }
}

/* The sum of two products a·b + c·d as operands of each operator. */
static struct call two_terms(const char *op, enum dtype dtype, double a, double b, double c, double d)
{
    struct call call = call_of(op);
    if (strcmp(op, "sparse_mm") == 0) {
        integers_attribute(&call, "size", integers_of(2, (int64_t)1, (int64_t)2));
        MATRIX(&call, DTYPE_INT64, 2, 2, 0, 0, 0, 1);
        VECTOR(&call, dtype, a, c);
        MATRIX(&call, dtype, 2, 1, b, d);
        return call;
    }
    MATRIX(&call, dtype, 1, 2, a, c);
    give(&call, dtype,
         strstr(op, "linear") ? shape_of(2, (int64_t)1, (int64_t)2) : shape_of(2, (int64_t)2, (int64_t)1),
         (double[]){b, d});
    return call;
}

/* 1e58 and −1e40: inf − inf however small the second is beside the first; fused and the other way round
 * fma(1e29, 1e29, −inf) = −inf. */
Test(legal_ranges, products_that_overflow_with_unlike_signs)
{
    static const char *const ops[] = {"matmul", "linear", "sparse_mm"};
    for (int o = 0; o < 3; o++) {
        volatile float first = 1e29F * 1e29F, second = 1e20F * -1e20F;
        cr_assert(isnan(first + second));
        struct call c = two_terms(ops[o], DTYPE_FLOAT32, 1e29, 1e29, 1e20, -1e20);
        takes_only_special(&c, 0, ops[o]);
        end(&c);
        c = two_terms(ops[o], DTYPE_FLOAT32, 1e29, 1e29, 1e20, 1e20);
        cr_expect(takes(&c, 0, 0, INFINITY), "%s", ops[o]);
        cr_expect_not(takes(&c, 0, 0, NAN) || takes(&c, 0, 0, -INFINITY) || takes(&c, 0, 0, 42), "%s",
                      ops[o]);
        end(&c);
        c = two_terms(ops[o], DTYPE_FLOAT32, 1e29, 1e29, 1, -1);
        cr_expect(takes(&c, 0, 0, INFINITY), "%s", ops[o]);
        cr_expect_not(takes(&c, 0, 0, 42), "%s", ops[o]);
        end(&c);
    }
    struct call c = two_terms("matmul", DTYPE_FLOAT64, 1e200, 1e200, 1e200, 1e200);
    cr_expect(takes(&c, 0, 0, INFINITY));
    cr_expect_not(takes(&c, 0, 0, 42) || takes(&c, 0, 0, NAN), "float64 has no wider magnitude");
    end(&c);
}

/* [[170, 1], [−1, 0]]: the last squaring adds the squares of e^85 and of −e^85/170, both infinite. */
Test(legal_ranges, exponentials_whose_partial_products_have_unlike_signs)
{
    struct call c = call_of("matrix_exp");
    MATRIX(&c, DTYPE_FLOAT32, 2, 2, 170, 1, -1, 0);
    for (int i = 0; i < 3; i++) {
        takes_only_special(&c, i, "matrix_exp");
    }
    end(&c);
    c = call_of("matrix_exp"); /* all entries of e^(A/2) are positive */
    MATRIX(&c, DTYPE_FLOAT32, 2, 2, 170, 1, 1, 170);
    for (int i = 0; i < 4; i++) {
        cr_expect(takes(&c, 0, i, INFINITY), "%d", i);
        cr_expect_not(takes(&c, 0, i, NAN) || takes(&c, 0, i, -INFINITY) || takes(&c, 0, i, 42), "%d", i);
    }
    end(&c);
}

static struct call row_of_three(const char *op, double eps, double a, double b, double c)
{
    struct call call = call_of(op);
    integers_attribute(&call, "normalized_shape", integers_of(1, (int64_t)3));
    real_attribute(&call, "eps", eps);
    MATRIX(&call, DTYPE_FLOAT32, 1, 3, a, b, c);
    VECTOR(&call, DTYPE_FLOAT32, 0, 1, 1);
    return call;
}

/* A row whose squares are all 0: 1/sqrt(0) is infinite, and infinity times a weight or an element 0 NaN. */
Test(legal_ranges, roots_of_what_underflows)
{
    const float tiny = 1e-30F;
    volatile float square = tiny * tiny;
    cr_assert(square == 0 && isnan(0 * (1 / sqrtf(square))));
    struct call c = row_of_three("rms_norm", 0, 1e-30, 0, -1e-30);
    for (int i = 0; i < 2; i++) {
        cr_expect(takes(&c, 0, i, 0) && takes(&c, 0, i, NAN), "element %d", i);
        cr_expect_not(takes(&c, 0, i, 5) || takes(&c, 0, i, INFINITY), "element %d", i);
    }
    cr_expect(takes(&c, 0, 2, -INFINITY) && takes(&c, 0, 2, -sqrt(1.5)));
    end(&c);
    c = row_of_three("rms_norm", 0, 1e-15, 0, -1e-15); /* squares in range */
    cr_expect_not(takes(&c, 0, 0, NAN) || takes(&c, 0, 1, NAN));
    end(&c);
    c = row_of_three("layer_norm", 1e-5, 1e5, 1e5,
                     1e5); /* a variance that cancels, and an eps that holds it */
    cr_expect(takes(&c, 0, 0, 0));
    cr_expect_not(takes(&c, 0, 0, NAN) || takes(&c, 0, 1, NAN));
    end(&c);
}

enum centred { LAYER, GROUP, INSTANCE, BATCH, CENTRED };

/* One sample of two channels of two elements; the first weight is 0. */
static struct call tiny_channels(enum centred kind, double eps)
{
    static const char *const ops[] = {"layer_norm", "group_norm", "instance_norm", "batch_norm"};
    static const char *const names[] = {"", "num_groups", "use_input_stats", "training"};
    struct call c = call_of(ops[kind]);
    real_attribute(&c, "eps", eps);
    if (kind == LAYER) {
        integers_attribute(&c, "normalized_shape", integers_of(2, (int64_t)2, (int64_t)2));
    } else {
        c.attributes.item[c.attributes.count++] = (struct attribute){
            .name = names[kind], .type = kind == GROUP ? ATTRIBUTE_INTEGER : ATTRIBUTE_BOOL, .integer = 1};
    }
    give(&c, DTYPE_FLOAT32, shape_of(3, (int64_t)1, (int64_t)2, (int64_t)2),
         (double[]){1e-30, 2e-30, 4e-30, 3e-30});
    for (int k = 0; (kind == INSTANCE || kind == BATCH) && k < 2; k++) {
        c.input[c.inputs++] = (struct tensor){.dtype = DTYPE_FLOAT32}; /* no running statistics */
    }
    if (kind == LAYER) {
        MATRIX(&c, DTYPE_FLOAT32, 2, 2, 0, 0, 1, 1);
    } else {
        VECTOR(&c, DTYPE_FLOAT32, 0, 1);
    }
    return c;
}

Test(legal_ranges, roots_of_variances_that_underflow)
{
    for (enum centred kind = LAYER; kind < CENTRED; kind++) {
        for (int held = 0; held < 2; held++) {
            struct call c = tiny_channels(kind, held ? 1e-5 : 0);
            cr_expect(takes(&c, 0, 0, 0), "%s", c.op);
            cr_expect_eq(takes(&c, 0, 0, NAN), !held, "%s, eps %d", c.op, held);
            cr_expect_not(takes(&c, 0, 0, 5), "%s, eps %d", c.op, held);
            end(&c);
        }
    }
}

/* Products that float64 itself cannot hold: 4,096 times 2^-1076 is 2^-1064, and IEEE 754's sum is 0. */
Test(legal_ranges, products_below_the_least_subnormal_of_float64)
{
    enum { K = 4096 };
    double x[K];
    volatile double sum = 0;
    for (int k = 0; k < K; k++) {
        x[k] = 0x1p-538;
        sum += x[k] * x[k];
    }
    cr_assert_eq(sum, 0);
    struct call c = call_of("matmul");
    give(&c, DTYPE_FLOAT64, shape_of(2, (int64_t)1, (int64_t)K), x);
    give(&c, DTYPE_FLOAT64, shape_of(2, (int64_t)K, (int64_t)1), x);
    cr_expect(takes(&c, 0, 0, sum) && takes(&c, 0, 0, 0x1p-1064));
    cr_expect_not(takes(&c, 0, 0, 0x1p-1050) || takes(&c, 0, 0, -0x1p-1050));
    end(&c);
    c = two_terms("matmul", DTYPE_FLOAT64, 0, 1, 1e-200, 0);
    cr_expect_not(takes(&c, 0, 0, 0x1p-1074), "zeros give 0");
    end(&c);
}

/* alpha·(1e-200·1e-200): the product is 0 before 1e300 can lift it. */
Test(legal_ranges, alpha_after_a_product_that_vanishes)
{
    for (int sampled = 0; sampled < 2; sampled++) {
        struct call c = call_of(sampled ? "sampled_addmm" : "sparse_addmm");
        integers_attribute(&c, "size", integers_of(2, (int64_t)1, (int64_t)1));
        real_attribute(&c, "alpha", 1e300);
        if (sampled) {
            VECTOR(&c, DTYPE_INT64, 0, 1);
            VECTOR(&c, DTYPE_INT64, 0);
            VECTOR(&c, DTYPE_FLOAT64, 0);
            MATRIX(&c, DTYPE_FLOAT64, 1, 1, 1e-200);
        } else {
            MATRIX(&c, DTYPE_FLOAT64, 1, 1, 0);
            MATRIX(&c, DTYPE_INT64, 2, 1, 0, 0);
            VECTOR(&c, DTYPE_FLOAT64, 1e-200);
        }
        MATRIX(&c, DTYPE_FLOAT64, 1, 1, 1e-200);
        cr_expect(takes(&c, 0, 0, 0) && takes(&c, 0, 0, 1e-100), "%s", c.op);
        cr_expect_not(takes(&c, 0, 0, 1e-20) || takes(&c, 0, 0, NAN), "%s", c.op);
        end(&c);
    }
}

/* (1e-30·1e-30)·inf is 0·inf in float32; (1e-30·1e-3)·inf is not. */
Test(legal_ranges, alpha_that_makes_a_zero_beside_an_infinity)
{
    static const double factor[] = {1e-30, 1e-3};
    for (int k = 0; k < 2; k++) {
        volatile float first = 1e-30F * (float)factor[k];
        cr_assert_eq(isnan(first * INFINITY), k == 0);
        struct call c = call_of("sparse_addmm");
        integers_attribute(&c, "size", integers_of(2, (int64_t)1, (int64_t)1));
        real_attribute(&c, "alpha", 1e-30);
        MATRIX(&c, DTYPE_FLOAT32, 1, 1, 0);
        MATRIX(&c, DTYPE_INT64, 2, 1, 0, 0);
        VECTOR(&c, DTYPE_FLOAT32, factor[k]);
        MATRIX(&c, DTYPE_FLOAT32, 1, 1, INFINITY);
        cr_expect(takes(&c, 0, 0, INFINITY));
        cr_expect_eq(takes(&c, 0, 0, NAN), k == 0);
        cr_expect_not(takes(&c, 0, 0, 42));
        end(&c);
    }
}

static struct call lerp(double self, double other, double weight)
{
    struct call c = call_of("lerp_");
    VECTOR(&c, DTYPE_FLOAT32, self);
    VECTOR(&c, DTYPE_FLOAT32, other);
    VECTOR(&c, DTYPE_FLOAT32, weight);
    return c;
}

Test(legal_ranges, interpolation_with_an_infinite_weight)
{
    /* 1.4e-45 apart: a flushed difference makes it 0·inf */
    for (int flushes = 0; flushes < 2; flushes++) {
        struct call c = lerp(0, 0x1p-149, INFINITY);
        c.profile.subnormals[DTYPE_FLOAT32] = flushes ? SUBNORMALS_MAY_FLUSH : SUBNORMALS_KEPT;
        cr_expect(takes(&c, 0, 0, INFINITY) && takes(&c, 0, 0, NAN));
        cr_expect_not(takes(&c, 0, 0, 42) || takes(&c, 0, 0, -INFINITY));
        end(&c);
        c = lerp(-0x1p-126, -0x1.000002p-126, -INFINITY);
        c.profile.subnormals[DTYPE_FLOAT32] = flushes ? SUBNORMALS_MAY_FLUSH : SUBNORMALS_KEPT;
        cr_expect(takes(&c, 0, 0, INFINITY) && takes(&c, 0, 0, NAN));
        cr_expect_not(takes(&c, 0, 0, 42) || takes(&c, 0, 0, 0));
        end(&c);
    }
    /* s + w(e − s), e − (e − s)(1 − w), s(1 − w) + e·w */
    static const struct {
        double self, end, weight;
    } rows[] = {{1, 2, INFINITY},    {-1, 2, INFINITY},   {1, 2, -INFINITY}, {1, INFINITY, 0.75},
                {1, INFINITY, 0.25}, {-INFINITY, 1, 0.5}, {0, 1, INFINITY},  {1, 1, INFINITY},
                {INFINITY, 3, 1},    {3, -INFINITY, 0},   {1, NAN, 0.5},     {INFINITY, -INFINITY, 0.5}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        volatile float s = (float)rows[r].self, e = (float)rows[r].end, w = (float)rows[r].weight;
        const float formula[] = {s + w * (e - s), e - (e - s) * (1 - w), s * (1 - w) + e * w};
        struct call c = lerp(rows[r].self, rows[r].end, rows[r].weight);
        for (int k = 0; k < 3; k++) {
            bool legal = false;
            for (int f = 0; f < 3; f++) {
                cr_expect(takes(&c, 0, 0, (double)formula[f]), "row %zu, formula %d: %g", r, f,
                          (double)formula[f]);
                legal = legal ||
                        (isnan(formula[f]) ? isnan(all_special[k]) : (double)formula[f] == all_special[k]);
            }
            cr_expect_eq(takes(&c, 0, 0, all_special[k]), legal, "row %zu: %g", r, all_special[k]);
        }
        cr_expect_not(takes(&c, 0, 0, 42) || takes(&c, 0, 0, 0), "row %zu", r);
        end(&c);
    }
    struct call c = lerp(-3e38, -INFINITY, 5); /* -3e38·(1 − 5) overflows: inf − inf */
    cr_expect(takes(&c, 0, 0, NAN) && takes(&c, 0, 0, -INFINITY));
    cr_expect_not(takes(&c, 0, 0, INFINITY) || takes(&c, 0, 0, 42));
    end(&c);
}

/* s(1 − w) + e·w of finite numbers, -6e38 + 9e38 where the truth is 3e38: lost is what a form without such
 * products keeps. */
Test(legal_ranges, interpolation_whose_products_overflow)
{
    volatile float s = 3e38F, w = 3;
    cr_assert(isnan(s * (1 - w) + s * w));
    struct call c = lerp(3e38, 3e38, 3);
    cr_expect(takes(&c, 0, 0, 3e38));
    cr_expect_not(takes(&c, 0, 0, 42) || takes(&c, 0, 0, -3e38) || takes(&c, 0, 0, NAN));
    end(&c);
    c = lerp(FLT_MAX, FLT_MAX, 0.3F);
    cr_expect(takes(&c, 0, 0, FLT_MAX));
    cr_expect_not(takes(&c, 0, 0, NAN) || takes(&c, 0, 0, 42));
    end(&c);
}

static struct call trained(double momentum, double x)
{
    struct call c = call_of("batch_norm");
    c.attributes.item[c.attributes.count++] =
        (struct attribute){.name = "training", .type = ATTRIBUTE_BOOL, .integer = 1};
    real_attribute(&c, "momentum", momentum);
    MATRIX(&c, DTYPE_FLOAT32, 3, 1, x, -x, 0);
    VECTOR(&c, DTYPE_FLOAT32, 0);
    VECTOR(&c, DTYPE_FLOAT32, 2);
    return c;
}

/* 0·variance is 0·inf where the variance has no float32 number; the mean has one. */
Test(legal_ranges, a_momentum_of_0_beside_a_variance_beyond_the_range)
{
    struct call c = trained(0, 1e25);
    cr_expect(takes(&c, 1, 0, 2) && takes(&c, 1, 0, NAN));
    cr_expect_not(takes(&c, 1, 0, 3) || takes(&c, 1, 0, INFINITY) || takes(&c, 0, 0, NAN));
    end(&c);
    c = trained(0, 1e15);
    cr_expect(takes(&c, 1, 0, 2));
    cr_expect_not(takes(&c, 1, 0, NAN));
    end(&c);
    c = trained(1e-20, 1e25);
    cr_expect(takes(&c, 1, 0, 1e30) && takes(&c, 1, 0, INFINITY));
    cr_expect_not(takes(&c, 1, 0, NAN) || takes(&c, 1, 0, 2));
    end(&c);
}

/* Jeannerod and Rump 2013: K·u for any K under round to nearest; where the direction is open, K·u/(1 − K·u)
 * as long as that is one. */
Test(legal_ranges, sums_of_more_terms_than_the_significand_has_units)
{
    enum { K = 8192 };
    struct call c = call_of("matmul");
    double x[K];
    for (int k = 0; k < K; k++) {
        x[k] = 1;
    }
    give(&c, DTYPE_FLOAT16, shape_of(2, (int64_t)1, (int64_t)K), x);
    give(&c, DTYPE_FLOAT16, shape_of(2, (int64_t)K, (int64_t)1), x);
    cr_expect(takes(&c, 0, 0, 2048), "where ones in a row stagnate in float16");
    cr_expect_not(takes(&c, 0, 0, -40000) || takes(&c, 0, 0, NAN), "8192 - 4·8192 - u·8192 is the least");
    c.profile.rounding[DTYPE_FLOAT16] = ROUNDING_OPEN;
    cr_expect(takes(&c, 0, 0, -40000), "no bound");
    end(&c);
    struct profile profile = profile_ieee();
    cr_expect_eq(profile_sum_error(&profile, DTYPE_FLOAT16, 4096), 2);
    profile.rounding[DTYPE_FLOAT16] = ROUNDING_OPEN;
    cr_expect_eq(profile_sum_error(&profile, DTYPE_FLOAT16, 256), 1.0 / 3);
    cr_expect(isinf(profile_sum_error(&profile, DTYPE_FLOAT16, 1024)));
}

/* At a kink the derivative of the other side is right as well, also next to both ends of float64's range,
 * where a double cannot distinguish it from the derivative of this side. */
Test(legal_ranges, the_other_side_of_a_kink_next_to_the_ends_of_float64)
{
    const double most = dtype_max(DTYPE_FLOAT64), least = 0x1p-1074;
    struct call six = call_of("hardsigmoid_backward"), swish = call_of("hardswish_backward");
    VECTOR(&six, DTYPE_FLOAT64, -most, 30 * least);
    VECTOR(&six, DTYPE_FLOAT64, 3, -3);
    cr_expect(takes(&six, 0, 0, 0) && takes(&six, 0, 0, -most / 6));
    cr_expect(takes(&six, 0, 1, 0) && takes(&six, 0, 1, 5 * least));
    cr_expect_not(takes(&six, 0, 0, most / 6) || takes(&six, 0, 0, -INFINITY) || takes(&six, 0, 0, NAN));
    cr_expect_not(takes(&six, 0, 1, 20 * least) || takes(&six, 0, 1, -5 * least));
    end(&six);
    VECTOR(&swish, DTYPE_FLOAT64, -most, 4 * least);
    VECTOR(&swish, DTYPE_FLOAT64, 3, -3);
    cr_expect(takes(&swish, 0, 0, -most) && takes(&swish, 0, 0, -INFINITY));
    cr_expect(takes(&swish, 0, 1, 0) && takes(&swish, 0, 1, -2 * least));
    cr_expect_not(takes(&swish, 0, 0, INFINITY) || takes(&swish, 0, 0, NAN) ||
                  takes(&swish, 0, 0, -most / 2));
    cr_expect_not(takes(&swish, 0, 1, 20 * least) || takes(&swish, 0, 1, -20 * least));
    end(&swish);
}
