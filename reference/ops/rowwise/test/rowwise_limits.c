/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Error bounds of row-wise operators: programs with the greatest legal error are accepted, slightly worse
 * ones are not. */

#include "reference/ops/rowwise/rowwise.h"
#include "reference/test/support.h"

#include <float.h>

enum { LENGTH = 64 };

static const struct attributes none = {.count = 0};

/* Acceptance of the single result of one row. */
static struct accept of_row(const char *name, const struct profile *profile, int n, const double *x)
{
    struct tensor input = tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)n), x);
    struct truth *truth = truth_of_call(name, &none, 1, &input);
    struct accept accept = accept_of(name, &none, profile, truth, 0, 0, false);
    truth_destroy(&truth);
    tensor_destroy(&input);
    return accept;
}

/* --- sums */

/* Kind 0: whole numbers; 1: what cancels to the last bit; 2: one exponent. */
static double any_term(struct philox *g, int kind, int k, const double *x)
{
    double unit = philox_unit(g) - 0.5;
    return kind == 0   ? (double)philox_below(g, 2001) - 1000
           : kind == 2 ? 1 + unit
           : k % 2     ? -x[k - 1]
                       : ldexp(unit, (int)philox_below(g, 60) - 30);
}

/* float32 sums of all trees that are tried lie within the bound for any order. */
Test(rowwise_limits, no_order_of_a_sum_is_reported_falsely)
{
    struct profile profile = profile_ieee();
    struct philox g;
    philox_start(&g, 5);
    for (int i = 0; i < 2000; i++) {
        double x[64];
        float single[64];
        int n = 2 + (int)philox_below(&g, 63);
        double size = 0x1p-140;
        for (int k = 0; k < n; k++) {
            single[k] = (float)any_term(&g, i % 3, k, x);
            x[k] = (double)single[k];
            size += fabs(x[k]);
        }
        struct tensor input = tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)n), x);
        struct truth *truth = truth_of_call("sum", NULL, 1, &input);
        struct accept accept = accept_of("sum", &none, &profile, truth, 0, 0, false);
        float got = by_any_tree(single, n, false, &g);
        cr_expect(accepts_double(&accept, (double)got), "%d: %.9g", i, (double)got);
        cr_expect_not(accepts_double(&accept, (double)got + 3 * n * 0x1p-24 * size), "%d", i);
        truth_destroy(&truth);
        tensor_destroy(&input);
    }
}

/* 1 and then halves of its ulp and a little more, one after the other: each addition is half an ulp off. */
Test(rowwise_limits, no_worst_order_of_a_sum_is_reported_falsely)
{
    struct profile profile = profile_ieee();
    for (int n = 2; n <= LENGTH; n++) {
        double x[LENGTH] = {1};
        float got = 1;
        for (int k = 1; k < n; k++) {
            x[k] = 0x1.0002p-24;
            got += (float)x[k];
        }
        cr_expect_eq(got, 1 + (float)(n - 1) * 0x1p-23F);
        struct accept accept = of_row("sum", &profile, n, x), mean = of_row("mean", &profile, n, x);
        float reciprocal = 1 / (float)n, share = got * reciprocal;
        cr_expect(accepts_double(&accept, (double)got), "%d", n);
        cr_expect(accepts_double(&mean, (double)share), "%d", n);
        cr_expect(accepts_double(&mean, (double)(got / (float)n)), "%d", n);
        cr_expect_not(accepts_double(&accept, (double)got + (n + 2) * 0x1p-24), "%d", n);
        cr_expect_not(accepts_double(&mean, ((double)got + (n + 8) * 0x1p-24) / n), "%d", n);
    }
}

Test(rowwise_limits, a_zero_of_a_sum_has_any_sign)
{
    static const double nothing[] = {-0.0, -0.0, -0.0}, cancels[] = {3, -5, 2};
    struct profile profile = profile_ieee();
    for (int k = 0; k < 4; k++) {
        struct accept accept = of_row(k / 2 ? "mean" : "sum", &profile, 3, k % 2 ? cancels : nothing);
        cr_expect(accepts_double(&accept, 0.0), "%d", k);
        cr_expect(accepts_double(&accept, -0.0), "%d", k);
        cr_expect_not(accepts_double(&accept, 0x1p-149), "%d", k);
    }
}

Test(rowwise_limits, special_terms_of_a_sum)
{
    static const double inf = INFINITY;
    const double x[][3] = {{inf, 1, -inf}, {-inf, inf, inf}, {inf, -3, inf}, {-inf, 3, 0}, {1, NAN, inf}};
    const double wanted[] = {NAN, NAN, inf, -inf, NAN}, others[] = {inf, -inf, NAN, 3, FLT_MAX};
    struct profile profile = profile_ieee();
    for (size_t r = 0; r < sizeof wanted / sizeof *wanted; r++) {
        for (int mean = 0; mean < 2; mean++) {
            struct accept accept = of_row(mean ? "mean" : "sum", &profile, 3, x[r]);
            cr_expect(accepts_double(&accept, wanted[r]), "row %zu", r);
            for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
                bool same = others[k] == wanted[r] || (isnan(others[k]) && isnan(wanted[r]));
                cr_expect(same || !accepts_double(&accept, others[k]), "row %zu: %g", r, others[k]);
            }
        }
    }
}

static bool may_overflow(const char *name, int n, const double *x)
{
    struct profile profile = profile_ieee();
    struct tensor input = tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)n), x);
    struct truth *truth = truth_of_call(name, &none, 1, &input);
    struct bound_query query = {
        .op = op_find(name), .profile = &profile, .attributes = &none, .truth = truth};
    bool yes = rowwise_sum_may_overflow(&query);
    truth_destroy(&truth);
    tensor_destroy(&input);
    return yes;
}

/* With large terms of both signs some order may overflow; with one sign only if the result does, which is not
 * reported as an overflow on the way. */
Test(rowwise_limits, orders_that_overflow)
{
    static const double both[] = {FLT_MAX, FLT_MAX, -FLT_MAX}, one[] = {FLT_MAX, FLT_MAX, 0},
                        small[] = {FLT_MAX / 4, FLT_MAX / 4, -FLT_MAX / 4};
    struct profile profile = profile_ieee();
    cr_expect(may_overflow("sum", 3, both));
    cr_expect_not(may_overflow("sum", 3, one));
    cr_expect_not(may_overflow("sum", 3, small));
    cr_expect(may_overflow("mean", 3, one), "the sum leaves the range, though the mean does not");
    struct accept accept = of_row("sum", &profile, 3, one);
    cr_expect(accepts_double(&accept, INFINITY));
    cr_expect_not(accepts_double(&accept, FLT_MAX));
    cr_expect_not(accepts_double(&accept, -INFINITY));
}

Test(rowwise_limits, subnormal_terms_of_a_sum)
{
    static const double x[] = {0x1p-130, 0x1p-128, 0x1p-127};
    const double whole = x[0] + x[1] + x[2];
    struct profile kept = profile_ieee(), flushing = profile_ieee();
    flushing.subnormals[DTYPE_FLOAT32] = SUBNORMALS_MAY_FLUSH;
    struct accept strict = of_row("sum", &kept, 3, x), loose = of_row("sum", &flushing, 3, x);
    cr_expect(accepts_double(&strict, whole));
    cr_expect_not(accepts_double(&strict, whole - x[0]));
    cr_expect_not(accepts_double(&strict, 0));
    cr_expect(accepts_double(&loose, whole));
    cr_expect(accepts_double(&loose, whole - x[0]));
    cr_expect(accepts_double(&loose, 0));
    static const double normal[] = {0x1.8p-126, 0x1p-126, 0x1p-130};
    strict = of_row("sum", &flushing, 3, normal);
    cr_expect(accepts_double(&strict, 0x1.4p-125));
    cr_expect_not(accepts_double(&strict, 0), "what is normal, and adds up to what is, is not flushed");
}

/* --- sums of exponentials */

/* The greatest error that Vulkan's table allows, up or down: 3 + 2|x| ulp; 2 + 2|x| is used here because ulps
 * are half as large just below a power of two, and exp(0) is one. */
static float legal_exp(float x, int direction)
{
    return (float)(exp((double)x) * (1 + direction * (x == 0 ? 6 : 2 + 2 * fabs((double)x)) * 0x1p-24));
}

/* The online sum, rescaled at each element although the maximum stays: exp(0) need not be 1. */
static float online_sum(int n, int direction)
{
    float sum = 1;
    for (int k = 1; k < n; k++) {
        sum = sum * legal_exp(0, direction) + legal_exp(0, direction);
    }
    return sum;
}

Test(rowwise_limits, an_online_softmax_may_rescale_at_each_element)
{
    enum { MANY = 400 };
    static double x[MANY];
    struct profile profile = profile_ieee();
    profile.primitives = PRIMITIVES_VULKAN;
    for (int up = -1; up <= 1; up += 2) {
        struct accept accept = of_row("logsumexp", &profile, MANY, x);
        float sum = online_sum(MANY, up);
        cr_expect_gt(fabs((double)sum - MANY), MANY * 1.5 * MANY * 0x1p-24, "not far enough off to ask");
        cr_expect(accepts_double(&accept, (double)logf(sum)), "%.9g of %d", (double)sum, MANY);
        cr_expect_not(accepts_double(&accept, (double)logf((float)MANY * (1 + (float)up * 0x1p-11F))));
    }
}

/* exp(80) by itself errs by 163 ulp; exp(80 − 80) by 3. */
Test(rowwise_limits, a_naive_softmax_where_it_is_declared)
{
    static const double x[] = {80, 79.5, 79};
    struct attributes last = {.count = 1,
                              .item = {{.name = "dim", .type = ATTRIBUTE_INTEGER, .integer = -1}}};
    struct profile safe = profile_ieee(), naive = profile_ieee();
    safe.primitives = naive.primitives = PRIMITIVES_VULKAN;
    naive.range = RANGE_NAIVE;
    struct tensor input = tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)3), x);
    struct truth *truth = truth_of_call("softmax", &last, 1, &input);
    struct accept strict = accept_of("softmax", &last, &safe, truth, 0, 0, false),
                  loose = accept_of("softmax", &last, &naive, truth, 0, 0, false);
    float up = legal_exp(80, 1), others = legal_exp(79.5F, -1) + legal_exp(79, -1);
    cr_expect(accepts_double(&loose, (double)(up / (up + others))));
    cr_expect_not(accepts_double(&strict, (double)(up / (up + others))));
    cr_expect_not(accepts_double(&loose, (double)(up / (up + others)) * (1 + 0x1p-14)));
    truth_destroy(&truth);
    tensor_destroy(&input);
}
