/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Error bounds of norms: a float32 evaluation in sequential order is inside, results of wrong evaluations are
 * not. */

#include "reference/ops/norm/test/vector_norm.h"

#include <float.h>

static float naive_norm(const double *x, int64_t n, double p)
{
    float sum = 0;
    for (int64_t i = 0; i < n; i++) {
        float a = fabsf((float)x[i]);
        sum += p == 1 ? a : p == 2 ? a * a : p == 3 ? a * a * a : powf(a, (float)p);
    }
    return p == 1 ? sum : p == 2 ? sqrtf(sum) : powf(sum, (float)(1 / p));
}

static bool accepts(double p, const struct profile *profile, const struct truth *truth, double y)
{
    struct attributes attributes = order(p);
    struct accept accept = accept_of("vector_norm", &attributes, profile, truth, 0, 0, false);
    return accepts_double(&accept, y);
}

Test(vector_norm, naive_evaluation_is_inside_and_a_lost_element_is_not)
{
    static const double orders[] = {1, 2, 3, 0.5, 1.5, -1, -2};
    double x[1000];
    struct profile profile = profile_ieee();
    for (int trial = 0; trial < 280; trial++) {
        double p = orders[trial % 7];
        int64_t n = trial % 3 == 0 ? 1000 : 7 + trial % 50;
        random_row(x, n, DTYPE_FLOAT32, 77 + (uint64_t)trial, 2);
        x[n - 1] = p > 0 ? -8 : 0.25; /* counts among a thousand, too */
        struct truth *truth = norm_of(DTYPE_FLOAT32, p, n, x);
        cr_expect(accepts(p, &profile, truth, (double)naive_norm(x, n, p)), "order %g, n %d", p, (int)n);
        cr_expect_not(accepts(p, &profile, truth, (double)naive_norm(x, n - 1, p)), "order %g, n %d", p,
                      (int)n);
        truth_destroy(&truth);
    }
}

Test(vector_norm, bounds_are_those_of_the_table)
{
    double x[101];
    for (int i = 0; i < 101; i++) {
        x[i] = 1;
    }
    double u = 0x1p-24, root = sqrt(101);
    struct profile profile = profile_ieee();
    struct attributes one = order(1), two = order(2), most = order(INFINITY), none = order(0);
    struct truth *sum = norm_of(DTYPE_FLOAT32, 1, 101, x), *norm = norm_of(DTYPE_FLOAT32, 2, 101, x);
    struct bound_query query = {
        .op = op_find("vector_norm"), .profile = &profile, .attributes = &one, .truth = sum};
    cr_expect_float_eq(query.op->bound(&query), 100 * u * 101, 1e-12);
    query.exact = true;
    cr_expect_eq(query.op->bound(&query), 0);
    query.exact = false;
    query.attributes = &most;
    cr_expect_eq(query.op->bound(&query), 0);
    query.attributes = &none;
    cr_expect_eq(query.op->bound(&query), 0);
    query.attributes = &two;
    query.truth = norm;
    cr_expect_float_eq(query.op->bound(&query), (0.5 * 102 + 1) * u * root, 1e-12);
    profile.summation = SUMMATION_DECLARED; /* 256 and more only where there are as many elements */
    cr_expect_float_eq(query.op->bound(&query), (0.5 * 102 + 1) * u * root, 1e-12);
    truth_destroy(&sum);
    truth_destroy(&norm);
}

/* Orders for which the powers of the elements overflow and the norm does not: the bound is a few ulp, and the
 * result of unscaled powers is outside. */
Test(vector_norm, large_orders_are_held_to_a_few_ulp)
{
    static const double orders[] = {128, -128, 200, 1000, -1000, 1e10, -1e10, 1e300};
    double x[3] = {1.9375, -1.9375, 1.75};
    for (size_t k = 0; k < sizeof orders / sizeof *orders; k++) {
        for (int vulkan = 0; vulkan < 2; vulkan++) {
            struct profile profile = profile_ieee();
            profile.primitives = vulkan ? PRIMITIVES_VULKAN : PRIMITIVES_LIBM;
            const double p = orders[k];
            struct truth *truth = norm_of(DTYPE_FLOAT32, p, 3, x);
            const double y = value_approximately(&truth->output[0].value[0]);
            cr_expect(accepts(p, &profile, truth, (double)(float)y), "order %g", p);
            for (int side = -1; side <= 1; side += 2) {
                cr_expect_not(accepts(p, &profile, truth, y * (1 + side * 0x1p-18)), "order %g", p);
            }
            cr_expect_not(accepts(p, &profile, truth, HUGE_VAL), "order %g", p);
            cr_expect_not(accepts(p, &profile, truth, 0), "order %g", p);
            truth_destroy(&truth);
        }
    }
}

/* A norm that overflows even with its largest error must be an infinity; one that underflows likewise, 0. */
Test(vector_norm, small_orders_leave_the_range)
{
    static const double orders[] = {1e-3, 1e-10, 1e-300};
    double x[2] = {1.5, -3};
    struct profile profile = profile_ieee();
    for (size_t k = 0; k < sizeof orders / sizeof *orders; k++) {
        for (int d = 0; d < 2; d++) {
            const enum dtype dtype = d ? DTYPE_FLOAT64 : DTYPE_FLOAT32;
            if (d && orders[k] > 1e-4) { /* 2^1000 */
                continue;
            }
            struct truth *large = norm_of(dtype, orders[k], 2, x), *small = norm_of(dtype, -orders[k], 2, x);
            cr_expect(accepts(orders[k], &profile, large, HUGE_VAL), "order %g", orders[k]);
            cr_expect_not(accepts(orders[k], &profile, large, dtype_max(dtype)), "order %g", orders[k]);
            cr_expect_not(accepts(orders[k], &profile, large, 0), "order %g", orders[k]);
            cr_expect_not(accepts(orders[k], &profile, large, NAN), "order %g", orders[k]);
            cr_expect(accepts(-orders[k], &profile, small, 0), "order %g", -orders[k]);
            cr_expect_not(accepts(-orders[k], &profile, small, 1), "order %g", -orders[k]);
            cr_expect_not(accepts(-orders[k], &profile, small, NAN), "order %g", -orders[k]);
            truth_destroy(&large);
            truth_destroy(&small);
        }
    }
}

/* A norm beyond float64 is an infinity in every order: zeros are none of it. */
Test(vector_norm, beyond_float64_only_infinity_is_right)
{
    static const double orders[] = {1, 2, 3, 1.5, 0.5};
    double x[3] = {DBL_MAX, -DBL_MAX, DBL_MAX};
    struct profile profile = profile_ieee();
    for (size_t k = 0; k < sizeof orders / sizeof *orders; k++) {
        struct truth *truth = norm_of(DTYPE_FLOAT64, orders[k], 3, x);
        cr_expect(accepts(orders[k], &profile, truth, HUGE_VAL), "order %g", orders[k]);
        cr_expect_not(accepts(orders[k], &profile, truth, 0), "order %g", orders[k]);
        cr_expect_not(accepts(orders[k], &profile, truth, DBL_MAX), "order %g", orders[k]);
        cr_expect_not(accepts(orders[k], &profile, truth, NAN), "order %g", orders[k]);
        truth_destroy(&truth);
    }
}

/* 2.1 and 0.3 rounded to float32 move a float64 norm by 1e-9 and more, and a float32 norm by less than its
 * ulp. */
Test(vector_norm, an_order_held_in_float32_is_wrong_in_float64_alone)
{
    static const double orders[] = {2.1, 0.3};
    double x[33];
    struct profile profile = profile_ieee();
    for (int k = 0; k < 4; k++) {
        const double p = orders[k / 2], held = (double)(float)p;
        const enum dtype dtype = k % 2 ? DTYPE_FLOAT64 : DTYPE_FLOAT32;
        random_row(x, 33, DTYPE_FLOAT32, 5, 2);
        double sum = 0;
        for (int i = 0; i < 33; i++) {
            sum += pow(fabs(x[i]), held);
        }
        struct truth *truth = norm_of(dtype, p, 33, x);
        const double wrong = pow(sum, 1 / held), right = value_approximately(&truth->output[0].value[0]);
        cr_expect(accepts(p, &profile, truth, right));
        cr_expect_gt(fabs(wrong / right - 1), 1e-9);
        cr_expect_eq(accepts(p, &profile, truth, wrong), dtype == DTYPE_FLOAT32, "order %g", p);
        truth_destroy(&truth);
    }
}

/* A declared tree is held to less than n − 1. */
Test(vector_norm, a_declared_tree_is_held_to_its_height)
{
    enum { COUNT = 65537 };
    double *x = malloc(COUNT * sizeof *x);
    for (int i = 0; i < COUNT; i++) {
        x[i] = (double)12345.678F;
    }
    struct truth *truth = norm_of(DTYPE_FLOAT32, 1, COUNT, x);
    struct profile profile = profile_ieee();
    double y = (double)naive_norm(x, COUNT, 1);
    cr_expect(accepts(1, &profile, truth, y));
    profile.summation = SUMMATION_DECLARED;
    cr_expect_not(accepts(1, &profile, truth, y));
    truth_destroy(&truth);
    free(x);
}
