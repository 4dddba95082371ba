/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/judge/statistics/metrics.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <math.h>

static void add(struct metrics *metrics, double truth, float got, double compute_error)
{
    struct value value = value_of(truth);
    struct measured element = {.dtype = DTYPE_FLOAT32,
                               .truth = &value,
                               .got = &got,
                               .accepted = true,
                               .error_over_bound = 0.25,
                               .power = 0.02,
                               .compute_error = compute_error};
    metrics_add(metrics, &element);
}

Test(metrics, ulp_error_is_signed_and_in_units_of_the_truth)
{
    struct value one_and_a_half = value_from_dd(1.5, 0x1p-30), tiny = value_of(0x1p-149),
                 big = value_of(1e300);
    float above = 1.5F + 0x1p-23F, zero = 0, max = 0x1.FFFFFEp127F, nan = NAN;
    cr_assert_float_eq(metrics_ulp_error(DTYPE_FLOAT32, &one_and_a_half, &above), 1 - 0x1p-7, 1e-12);
    cr_assert_eq(metrics_ulp_error(DTYPE_FLOAT32, &tiny, &zero), -1);
    cr_assert(isfinite(metrics_ulp_error(DTYPE_FLOAT32, &big, &max)));
    cr_assert(isnan(metrics_ulp_error(DTYPE_FLOAT32, &tiny, &nan)));
    struct value z[2] = {value_of(3), value_of(4)};
    float w[2] = {3 + 3 * 0x1p-20F, 4 + 4 * 0x1p-20F}; /* |w − z| = 5·2^-20; ulp(5) = 2^-21 */
    cr_assert_float_eq(metrics_ulp_error(DTYPE_COMPLEX64, z, w), 10, 1e-9);
}

Test(metrics, integers_are_counted_in_steps)
{
    struct value zero = value_of_integer(0), large = value_of_integer(INT64_MAX - 4);
    int64_t near = INT64_MAX - 2;
    cr_expect_eq(metrics_ulp_error(DTYPE_INT8, &zero, &(int8_t){-3}), -3, "a zero has neighbours");
    cr_expect_eq(metrics_ulp_error(DTYPE_UINT8, &zero, &(uint8_t){200}), 200);
    cr_expect_eq(metrics_ulp_error(DTYPE_INT64, &large, &near), 2, "beyond what a double tells apart");
    cr_expect_eq(metrics_ulp_error(DTYPE_INT64, &large, &(int64_t){INT64_MAX - 4}), 0);
}

Test(metrics, counts_and_means)
{
    struct metrics m = {.elements = 0};
    add(&m, 1.5, 1.5F, 0);
    add(&m, 1.5, 1.5F + 0x1p-23F, 0);
    add(&m, 1.5, 1.5F - 0x1p-22F, 0);
    add(&m, NAN, NAN, 0);
    cr_assert_eq(m.elements, 4);
    cr_assert_eq(m.finite, 3);
    cr_assert_eq(m.over_0, 2);
    cr_assert_eq(m.over_1, 1);
    cr_assert_eq(m.exact, 2);
    cr_assert_eq(m.faithful, 2);
    cr_assert_eq(m.max_ulp, 2);
    cr_assert_eq(metrics_sum(m.sum.ulp), 3);
    cr_assert_float_eq(metrics_sum(m.sum.square_error), 5 * 0x1p-46, 1e-20);
    cr_assert_eq(metrics_percentile_nu(&m, 0.99), 0.25);
    cr_assert(metrics_end_tensor(&m, 2));
    cr_assert_eq(metrics_median_rho(&m), 0.01);
    metrics_destroy(&m);
}

Test(metrics, errors_are_counted_by_powers_of_two)
{
    static const struct {
        double ulp;
        int bucket;
    } rows[] = {{0, 0},   {0x1p-60, 1}, {0.5, 1},     {0.51, 2},         {-1, 2},
                {1.5, 3}, {2, 3},       {0x1p12, 14}, {0x1.0001p12, 15}, {INFINITY, 15}};
    for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++) {
        cr_expect_eq(metrics_bucket(rows[k].ulp), rows[k].bucket, "%g ulp: bucket %d", rows[k].ulp,
                     metrics_bucket(rows[k].ulp));
    }
    struct metrics m = {.elements = 0};
    cr_expect_eq(metrics_buckets(&m), 0);
    add(&m, 1.5, 1.5F, 0);
    add(&m, 1.5, 1.5F - 0x1p-22F, 0);
    add(&m, NAN, NAN, 0);
    cr_expect_eq(metrics_buckets(&m), 4, "no bucket behind that of 2 ulp");
    cr_expect_eq(m.bucket[0] + m.bucket[3], 2);
    cr_expect_eq(m.bucket[0], 1, "a NaN for a NaN has no ulp and is not counted");
    metrics_destroy(&m);
}

/* Quantiles of parts of 250 to 10,000 numbers, infinities and zeros included, merged into empty, small and
 * large quantiles. */
Test(metrics, numbers_that_were_parted_count_as_each_alone)
{
    struct quantile merged = {.count = 0}, alone = {.count = 0}, part = {.count = 0};
    for (int64_t n = 0, most = 250; n < 120000; n++) {
        double x = n % 97 == 0   ? 0
                   : n % 89 == 0 ? INFINITY
                   : n % 83 == 0 ? 5e-324
                                 : exp2((double)(n * 7919 % 400000) / 1e4 - 20 + (double)(n / 30000));
        cr_assert(quantile_add(&alone, x, 1) && quantile_add(&part, x, 1));
        if (part.count == most) {
            cr_assert(quantile_merge(&merged, &part));
            cr_expect_eq(part.count, 0);
            cr_assert_eq(merged.count, n + 1);
            cr_expect_eq(merged.greatest, alone.greatest);
            for (int percent = 0; percent <= 100; percent += 10) {
                cr_expect_eq(quantile_at(&merged, percent / 100.0), quantile_at(&alone, percent / 100.0),
                             "%d %% of %" PRId64, percent, n + 1);
            }
            most = most < 10000 ? most * 2 : 250;
        }
    }
    quantile_clear(&merged);
    quantile_clear(&alone);
    quantile_clear(&part);
}

/* Runs with zeros, infinities and subnormal numbers among them, then runs of numbers alone, which may have
 * less octaves or others. */
Test(metrics, numbers_that_come_together_count_as_each_alone)
{
    struct quantile together = {.count = 0}, alone = {.count = 0}, various = {.count = 0};
    double some[250];
    for (int64_t i = 0; i < 400; i++) {
        double greatest = 0;
        for (int k = 0; k < 250; k++) {
            int64_t n = i * 250 + k;
            bool any = i < 200;
            some[k] = any && n % 97 == 0              ? 0
                      : any && i > 100 && n % 89 == 0 ? INFINITY
                      : any && n % 83 == 0            ? 5e-324
                      : i % 10 == 9                   ? exp2((double)i / 4)
                                                      : exp2((double)(n * 7919 % 400000) / 1e4 - 20);
            cr_assert(quantile_add(&alone, some[k], 1));
            greatest = fmax(greatest, some[k]);
        }
        cr_assert(quantile_add_all(&together, some, 250));
        cr_assert(quantile_add_various(&various, some, 250, greatest));
        cr_assert(various.count == alone.count && various.greatest == alone.greatest);
    }
    for (int percent = 0; percent <= 100; percent++) {
        double each = quantile_at(&alone, percent / 100.0);
        cr_expect_eq(quantile_at(&together, percent / 100.0), each, "%d %%", percent);
        cr_expect_eq(quantile_at(&various, percent / 100.0), each, "%d %%", percent);
    }
    cr_expect(various.zeros == alone.zeros && various.infinite == alone.infinite);
    quantile_clear(&together);
    quantile_clear(&alone);
    quantile_clear(&various);
}

/* While they are few each is kept, however near to the others. */
Test(metrics, few_numbers_that_come_together_are_kept)
{
    struct quantile q = {.count = 0};
    const double near[] = {1.001, 1, 1.002};
    cr_assert(quantile_add_all(&q, near, 3));
    cr_expect_eq(quantile_at(&q, 0), 1);
    cr_expect_eq(quantile_at(&q, 0.5), 1.001);
    cr_expect_eq(quantile_at(&q, 1), 1.002);
    quantile_clear(&q);
}

Test(metrics, quantiles_are_order_statistics)
{
    struct quantile few = {.count = 0}, many = {.count = 0}, scaled = {.count = 0};
    for (int i = 0; i < 101; i++) {
        cr_assert(quantile_add(&few, (i * 37) % 101, 1));
    }
    cr_expect_eq(quantile_at(&few, 0.99), 99);
    cr_expect_eq(quantile_at(&few, 0.5), 50);
    for (int64_t i = 0; i < 400000; i++) {
        cr_assert(quantile_add(&many, exp2((double)(i * 7919 % 400000) / 1e4 - 20), 1));
    }
    cr_assert(quantile_add(&many, 0, 2000) && quantile_add(&many, INFINITY, 2000));
    for (int percent = 1; percent < 99; percent++) {
        double rank = floor(percent / 100.0 * 403999), expect = exp2((rank - 2000) / 1e4 - 20);
        expect = rank < 2000 ? 0 : expect;
        cr_expect_float_eq(quantile_at(&many, percent / 100.0), expect, 0x1p-8 * expect, "%d %%", percent);
    }
    struct quantile ones = {.count = 0};
    cr_assert(quantile_add(&ones, 1, 9000) && quantile_add(&ones, 5e-324, 1));
    cr_expect_eq(quantile_at(&ones, 0.99), 1, "no more than the greatest");
    cr_expect_eq(quantile_at(&ones, 0), 0);
    quantile_clear(&ones);
    cr_expect_eq(quantile_at(&many, 0), 0);
    cr_expect(isinf(quantile_at(&many, 1)));
    cr_assert(quantile_add_scaled(&scaled, &many, 3) && quantile_add_scaled(&scaled, &few, 0));
    cr_expect_eq(scaled.count, 404101);
    double middle = exp2((202050 - 2001) / 1e4 - 20) / 3;
    cr_expect_float_eq(quantile_at(&scaled, 0.5), middle, 0x1p-7 * middle);
    cr_expect(isinf(quantile_at(&scaled, (404101 - 2100 + 1) / 404100.0)), "1 … 100 over 0");
    cr_expect(isfinite(quantile_at(&scaled, (404101 - 2100 - 1) / 404100.0)));
    quantile_clear(&few);
    quantile_clear(&many);
    quantile_clear(&scaled);
}

/* ρ is relative to the scale of its own tensor. */
Test(metrics, each_tensor_has_its_scale)
{
    struct metrics m = {.elements = 0};
    add(&m, 1.5, 1.5F, 0);
    cr_assert(metrics_end_tensor(&m, 2));
    for (int i = 0; i < 2; i++) {
        add(&m, 1.5, 1.5F, 0);
    }
    cr_assert(metrics_end_tensor(&m, 4));
    add(&m, 1.5, 1.5F, 0);
    cr_assert(metrics_end_tensor(&m, 8));
    cr_expect_eq(metrics_median_rho(&m), 0.005);
    cr_expect_eq(quantile_at(&m.bound_over_scale, 0), 0.0025);
    cr_expect_eq(quantile_at(&m.bound_over_scale, 1), 0.01);
    metrics_destroy(&m);
}

/* N results, every `period`-th an ulp above the correctly rounded one. */
static struct metrics leaning(int n, int period, double compute_error)
{
    struct metrics m = {.elements = 0};
    for (int i = 0; i < n; i++) {
        double truth = (i % 2 ? -1 : 1) * (1 + i * 0x1p-20);
        add(&m, truth, (float)(truth + (i % period == 0 ? copysign(0x1p-23, truth) : 0)), compute_error);
    }
    return m;
}

Test(metrics, bias_is_against_rounded_truth_and_away_from_zero)
{
    struct metrics m = leaning(1024, 2, 0);
    cr_assert_float_eq(metrics_bias(&m), 0.5, 2e-3);
    cr_assert(metrics_bias_fails(&m));
    metrics_destroy(&m);
    m = (struct metrics){.elements = 0};
    for (int i = 0; i < 1000; i++) { /* correct rounding of truths that all lie a quarter ulp above a float */
        double rounded = 1.5 + i * 0x1p-23;
        add(&m, rounded + 0x1p-25, (float)rounded, 0);
    }
    cr_assert_eq(metrics_bias(&m), 0);
    metrics_destroy(&m);
}

Test(metrics, bias_fails_iff_it_exceeds_bound_and_six_standard_errors)
{
    /* Every 16th: mean 1/16, sd √(15)/16 = 0.242, six standard errors of 1024: 0.0454. */
    struct metrics strict = leaning(1024, 16, 0), allowed = leaning(1024, 16, 0.02 * 0x1p-23);
    cr_assert_float_eq(metrics_bias_limit(&strict), 6 * sqrt(15.0 / 256 * 1024 / 1023 / 1024), 2e-3);
    cr_assert(metrics_bias_fails(&strict));
    struct metrics four = strict; /* by four of one truth: half as many standard errors */
    four.cluster = 4;
    cr_assert_float_eq(metrics_bias_limit(&four), 2 * metrics_bias_limit(&strict), 1e-12);
    cr_assert_float_eq(metrics_bias_limit(&allowed) - metrics_bias_limit(&strict), 0.02, 1e-3);
    cr_assert_not(metrics_bias_fails(&allowed));
    struct metrics rare = leaning(1024, 64, 0); /* mean 1/64 = 0.0156 < 6·0.124/32 = 0.0233 */
    cr_assert_not(metrics_bias_fails(&rare));
    metrics_destroy(&strict);
    metrics_destroy(&allowed);
    metrics_destroy(&rare);
}

Test(metrics, few_elements_are_never_called_biased)
{
    struct metrics m = leaning(BIAS_LEAST_ELEMENTS - 1, 1, 0), n = leaning(BIAS_LEAST_ELEMENTS, 1, 0);
    cr_assert_not(metrics_bias_fails(&m));
    cr_assert(metrics_bias_fails(&n));
    struct metrics few = leaning(4 * BIAS_LEAST_ELEMENTS - 1, 1, 0); /* by four of one truth */
    few.cluster = 4;
    cr_assert_not(metrics_bias_fails(&few));
    few.cluster = 1;
    cr_assert(metrics_bias_fails(&few));
    metrics_destroy(&m);
    metrics_destroy(&n);
    metrics_destroy(&few);
}

Test(metrics, bias_leaves_out_what_has_no_bound)
{
    struct metrics m = {.elements = 0};
    add(&m, 1.5, 1.75F, -1);
    cr_assert_eq(m.biased, 0);
    cr_assert_eq(metrics_bias(&m), 0);
    metrics_destroy(&m);
}

Test(metrics, bias_leaves_out_what_may_err_by_all_of_it)
{
    struct metrics m = leaning(1024, 8, 0);
    double limit = metrics_bias_limit(&m), resolution = metrics_bias_resolution(&m);
    add(&m, 1.5, 1.75F, 1.5);
    add(&m, 1.5, 1.75F, 1e30);
    cr_expect_eq(m.biased, 1024);
    cr_expect_eq(metrics_bias_limit(&m), limit);
    cr_expect_eq(metrics_bias_resolution(&m), resolution);
    add(&m, 1.5, 1.75F, 1.4);
    cr_expect_eq(m.biased, 1025, "it may lean by less");
    metrics_destroy(&m);
}

Test(metrics, resolution_is_the_scale_error_that_would_just_fail)
{
    struct metrics m = leaning(4096, 5000, 0); /* one flipped */
    double limit = metrics_bias_limit(&m), resolution = metrics_bias_resolution(&m);
    cr_assert_float_eq(resolution * metrics_sum(m.sum.scale) / 4096, fmax(limit, 1.0 / 4096), 1e-12);
    metrics_destroy(&m);
}
