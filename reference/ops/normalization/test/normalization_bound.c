/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The error bounds of normalization, term by term, for one row of x = 10 ± 1 with dy = 1 at the first
 * element. */

#include "reference/test/normalization_model.h"

enum { N = 100 };

/* The row has m = 10, V = 1 (RMS: 101) and eps = 3, so that r = 1/2. */
static const double u = 0x1p-24, M = 10, EPS = 3;

static struct model row_of_eleven_and_nine(const char *name, const char *gradient, bool over_batch)
{
    struct model m = {.name = name,
                      .gradient = gradient,
                      .dtype = DTYPE_FLOAT32,
                      .batch = over_batch ? N : 1,
                      .channels = over_batch ? 1 : N,
                      .inner = 1,
                      .groups = over_batch ? 0 : 1,
                      .centred = true,
                      .affine = true,
                      .eps = EPS};
    for (int i = 0; i < N; i++) {
        m.x[i] = i % 2 ? 9 : 11;
        m.dy[i] = i == 0;
        m.weight[i] = 2;
        m.bias[i] = 7;
        m.running_mean[i] = 4;
        m.running_var[i] = 2;
    }
    return m;
}

/* The bound of element 0 of one judged tensor. */
static double bound_of(const struct model *m, bool gradient, int output, const struct profile *profile)
{
    struct truth *truth = truth_of_model(m, gradient);
    struct attributes attributes = attributes_of(m);
    struct bound_query query = {.op = op_find(gradient ? m->gradient : m->name),
                                .profile = profile,
                                .attributes = &attributes,
                                .truth = truth,
                                .output = output};
    double bound = query.op->bound(&query);
    truth_destroy(&truth);
    return bound;
}

static void check(const char *what, double bound, double want)
{
    cr_expect_float_eq(bound / want, 1, 1e-6, "%s: %.9g, not %.9g", what, bound, want);
}

/* The derivation of normalization_bound.c, written independently: depth h, c·u for 1/sqrt, and kappa for an
 * undeclared order. */
struct terms {
    double h, c, mean, rho, stretched, normal;
};

static struct terms terms_of(double h, double kappa)
{
    struct terms t = {.h = h, .c = 4};
    t.mean = (h + 2) * u * M;
    double variance = (h + 5) * u * kappa + t.mean * t.mean;
    if (kappa > 1) {
        variance += (h + 5) * u * t.mean * M;
    }
    t.rho = 1 / sqrt(1 - variance / 4) - 1;
    t.stretched = (1 + t.rho) / 2;
    t.normal = t.stretched * (t.mean + 2 * u * (11 + M)) + 0.5 * (t.rho + (4 + t.c) * u);
    return t;
}

static void check_layer(const struct profile *profile, double h, double kappa, bool declared)
{
    struct model m = row_of_eleven_and_nine("layer_norm", "layer_norm_backward", false);
    struct terms t = terms_of(h, kappa);
    check("y", bound_of(&m, false, 0, profile), 2 * t.normal + u * (2 * 0.5 + 7));
    double w = 2, alpha = w / N, beta = w * 0.5 / N, weighted = alpha * (11 + M);
    double error_alpha = (h + 3) * u * alpha;
    double error_beta = alpha * t.stretched * t.mean + 2 * u * weighted * t.stretched +
                        alpha * 0.5 * (t.rho + (4 + t.c) * u) + (h + 4) * u * alpha * 0.5;
    error_beta += declared ? 0 : (h + 4) * u * weighted / 2;
    double inner = error_alpha + t.normal * beta + 0.5 * error_beta + t.normal * error_beta +
                   4 * u * (w + alpha + 0.5 * beta);
    double dx = 0.5 * (w - alpha - 0.5 * beta);
    check("dx", bound_of(&m, true, 0, profile), t.stretched * inner + dx * (t.rho + (t.c + 2) * u));
}

Test(normalization_bound, layer_norm)
{
    struct profile profile = profile_ieee();
    check_layer(&profile, N - 1, sqrt(101), false);
    profile.summation = SUMMATION_DECLARED;
    check_layer(&profile, 12 + N / 32.0, 1, true);
}

Test(normalization_bound, rms_norm)
{
    struct model m = row_of_eleven_and_nine("rms_norm", "rms_norm_backward", false);
    struct profile profile = profile_ieee();
    m.centred = false;
    double X = 11 / sqrt(104), rho = 1 / sqrt(1 - (N - 1 + 3) * u * 101 / 104) - 1;
    check("y", bound_of(&m, false, 0, &profile), 2 * X * (rho + 8 * u) + u * 2 * X);
}

/* One channel of N samples: dweight = sum dy·X over it, dbias = sum dy. */
Test(normalization_bound, parameters)
{
    struct model m = row_of_eleven_and_nine("batch_norm", "batch_norm_backward", true);
    struct profile profile = profile_ieee();
    double h = N - 1, variance = (h + 5) * u * sqrt(101) / 4, mean = (h + 2) * u * M / 2;
    double rho = 1 / sqrt(1 - variance - mean * mean - (h + 5) * u * mean * M / 2) - 1;
    double want =
        (1 + rho) * (mean + u * (11 + M)) + 0.5 * rho + 0.5 * 8 * u + (h + 2) * u * (0.5 + 0.5 * (11 + M));
    check("dweight", bound_of(&m, true, 1, &profile), want);
    check("dbias", bound_of(&m, true, 2, &profile), h * u);
}

Test(normalization_bound, running_statistics)
{
    struct model m = row_of_eleven_and_nine("batch_norm", "batch_norm_backward", true);
    struct profile profile = profile_ieee();
    double h = N - 1, mean = (h + 2) * u * M, unbiased = (double)N / (N - 1);
    double variance = unbiased * ((h + 5) * u * sqrt(101) + mean * mean);
    check("running_mean", bound_of(&m, false, 0, &profile),
          0.1 * mean + 3 * u * (0.1 * M + 0.9 * 4) + u * 0.1 * 4);
    check("running_var", bound_of(&m, false, 1, &profile),
          0.1 * variance + 3 * u * (0.1 * unbiased + 0.9 * 2) + u * 0.1 * 2);
    m.evaluates = true;
    cr_expect_eq(bound_of(&m, false, 0, &profile), 0);
    cr_expect_eq(bound_of(&m, false, 1, &profile), 0);
}

/* Two samples of means 10 and 1, variances 1 and 4, mean magnitudes 10 and 2. */
Test(normalization_bound, running_statistics_over_samples)
{
    struct model m = {.name = "instance_norm",
                      .dtype = DTYPE_FLOAT32,
                      .batch = 2,
                      .channels = 1,
                      .inner = 4,
                      .groups = 1,
                      .centred = true,
                      .running = true,
                      .eps = EPS,
                      .x = {9, 11, 9, 11, 3, -1, 3, -1},
                      .running_mean = {4},
                      .running_var = {2}};
    struct profile profile = profile_ieee();
    double h = 3, unbiased = 4.0 / 3, mean = 0.1 * 5.5 + 0.9 * 4, variance = 0.1 * unbiased * 2.5 + 0.9 * 2;
    double of_mean = 0.1 * (h + 2) * u * 6 + 3 * u * mean + u * 0.1 * 4,
           of_variance =
               0.1 * unbiased * (h + 5) * u * sqrt(2.5 * (2.5 + 50.5)) + 3 * u * variance + u * 0.1 * 2;
    /* one addition, 1/2 and the product, and each sample's value kept as a float32 */
    check("running_mean", bound_of(&m, false, 0, &profile), of_mean + (1 + 2 + 1) * u * mean);
    check("running_var", bound_of(&m, false, 1, &profile), of_variance + (1 + 2 + 1) * u * variance);
    m.evaluates = true;
    m.groups = 0;
    check("copies of running_mean", bound_of(&m, false, 0, &profile), (1 + 2) * u * 4);
    check("copies of running_var", bound_of(&m, false, 1, &profile), (1 + 2) * u * 2);
    profile.summation = SUMMATION_DECLARED;
    cr_expect_eq(bound_of(&m, false, 0, &profile), 0);
    cr_expect_eq(bound_of(&m, false, 1, &profile), 0);
    m.evaluates = false;
    m.groups = 1;
    check("running_mean, declared", bound_of(&m, false, 0, &profile), of_mean + (1 + 2) * u * mean);
}

/* In evaluation nothing is summed: x − m, the root and three products. */
Test(normalization_bound, evaluation)
{
    struct model m = row_of_eleven_and_nine("batch_norm", "batch_norm_backward", true);
    struct profile profile = profile_ieee();
    m.evaluates = true;
    double r = 1 / sqrt(5), X = 7 * r;
    check("y", bound_of(&m, false, 2, &profile), 2 * (r * 2 * u * (11 + 4) + X * 8 * u) + u * (2 * X + 7));
    check("dx", bound_of(&m, true, 0, &profile), 2 * r * 9 * u);
}

/* For an exact query only the primitive error of the root remains. */
Test(normalization_bound, exactness_probe)
{
    struct model m = row_of_eleven_and_nine("layer_norm", "layer_norm_backward", false);
    struct truth *truth = truth_of_model(&m, false);
    struct attributes attributes = attributes_of(&m);
    struct profile profile = profile_ieee();
    struct bound_query query = {.op = op_find("layer_norm"),
                                .profile = &profile,
                                .attributes = &attributes,
                                .truth = truth,
                                .exact = true};
    check("y", query.op->bound(&query), 2 * 0.5 * 4 * u);
    truth_destroy(&truth);
}
