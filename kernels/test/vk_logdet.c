/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/test/trial.h"

static const struct vk_device_parameters plain = {.no_disk_cache = true};
static const enum dtype both[] = {DTYPE_FLOAT32, DTYPE_FLOAT64};

struct answer {
    double sign, logarithm, logdet;
};

/* logdet and slogdet of one matrix, read through a transposed, stepped view. */
static struct answer ask(struct trial *trial, enum dtype dtype, int64_t n, const double *a)
{
    program_destroy(&trial->program);
    trial->program = program_create();
    const int storage = program_storage(trial->program, (size_t)(3 + 3 * n * n) * dtype_info(dtype)->size);
    const struct view x = {
        .storage = storage, .dtype = dtype, .shape = shape_of(2, n, n), .stride = {2, 3 * n}, .offset = 1};
    program_define(trial->program, &x);
    for (int64_t i = 0; i < n * n; i++) {
        program_set(trial->program, &x, i, 0, a[i]);
    }
    const struct view l = trial_step(trial, "logdet", 1, &x)->output[0];
    const struct step *step = trial_step(trial, "slogdet", 1, &x);
    const struct view s = step->output[0], la = step->output[1];
    trial_run(trial);
    cr_assert_eq(trial->result[1].status, LAUNCH_OK, "%s", trial->result[1].message);
    return (struct answer){trial_value(trial, &s, 0, 0), trial_value(trial, &la, 0, 0),
                           trial_value(trial, &l, 0, 0)};
}

static bool equal(double a, double b, double relative)
{
    return a == b || (isnan(a) && isnan(b)) || fabs(a - b) <= relative * fabs(b);
}

static void expect(int64_t n, const double *a, double sign, double logarithm)
{
    struct trial trial = trial_open(&plain);
    for (int d = 0; d < 2; d++) {
        const double tolerance = both[d] == DTYPE_FLOAT32 ? 0x1p-22 : 0x1p-51;
        const struct answer got = ask(&trial, both[d], n, a);
        cr_expect(equal(got.sign, sign, 0), "sign %g, not %g", got.sign, sign);
        cr_expect(equal(got.logarithm, logarithm, tolerance), "log %.17g, not %.17g", got.logarithm,
                  logarithm);
        cr_expect(equal(got.logdet, sign < 0 ? NAN : logarithm, tolerance), "logdet %.17g", got.logdet);
    }
    trial_close(&trial);
}

Test(vk_logdet, small_by_hand)
{
    expect(1, (double[]){1}, 1, 0);
    expect(1, (double[]){-3}, -1, log(3));
    expect(2, (double[]){0, 1, 1, 0}, -1, 0);
    expect(2, (double[]){1, 2, 3, 4}, -1, log(2));
    expect(3, (double[]){0, 0, 1, 1, 0, 0, 0, 1, 0}, 1, 0);
}

Test(vk_logdet, singular_and_special)
{
    expect(1, (double[]){-0.0}, 0, -INFINITY);
    expect(1, (double[]){INFINITY}, 1, INFINITY);
    expect(2, (double[]){1, 1, 1, 1}, 0, -INFINITY);
    expect(2, (double[]){0, NAN, 0, 1}, NAN, NAN);
    expect(3, (double[]){1, 0, 0, 0, 2, NAN, 0, 0, 4}, NAN, NAN);
}

Test(vk_logdet, no_range_is_lost)
{
    double a[64] = {0};
    for (int i = 0; i < 8; i++) {
        a[9 * i] = 0x1p-100;
    }
    expect(8, a, 1, -800 * log(2));
    for (int i = 0; i < 8; i++) {
        a[9 * i] = 0x1p100;
    }
    expect(8, a, 1, 800 * log(2));
    for (int i = 0; i < 8; i++) {
        a[9 * i] = i % 2 ? -0x1p100 : 0x1p-99;
    }
    expect(8, a, 1, 4 * log(2));
}

Test(vk_logdet, least_subnormal)
{
    struct trial trial = trial_open(&plain);
    const struct answer single = ask(&trial, DTYPE_FLOAT32, 1, (double[]){0x1p-149});
    const struct answer twice = ask(&trial, DTYPE_FLOAT64, 1, (double[]){0x1.8p-1073});
    cr_expect(equal(single.logdet, -149 * log(2), 0x1p-23), "%.17g", single.logdet);
    cr_expect(equal(twice.logdet, -1073 * log(2) + log(1.5), 0x1p-52), "%.17g", twice.logdet);
    trial_close(&trial);
}

/* P·diag(2^k): exact up to the logarithm, on both sides of where the blocked path begins. */
static void permuted_powers(int64_t n)
{
    double *a = calloc((size_t)(n * n), sizeof *a);
    int64_t sum = 0;
    for (int64_t i = 0; i < n; i++) {
        const int k = (int)(i * 37 % 61) - 30;
        a[i * n + (i + 1) % n] = ldexp(1, k);
        sum += k;
    }
    expect(n, a, n % 2 ? 1 : -1, (double)sum * log(2));
    free(a);
}

Test(vk_logdet, permuted_powers_of_two_small)
{
    permuted_powers(32);
    permuted_powers(33);
}

Test(vk_logdet, permuted_powers_of_two_blocked)
{
    permuted_powers(48);
    permuted_powers(49);
    permuted_powers(97);
}

Test(vk_logdet, minimum_matrix_has_determinant_one)
{
    struct trial trial = trial_open(&plain);
    double *a = malloc(100 * 100 * sizeof *a);
    for (int i = 0; i < 100 * 100; i++) {
        a[i] = (i / 100 < i % 100 ? i / 100 : i % 100) + 1;
    }
    const struct answer got = ask(&trial, DTYPE_FLOAT64, 100, a);
    cr_expect_eq(got.sign, 1);
    cr_expect(fabs(got.logdet) < 1e-9, "%g", got.logdet);
    free(a);
    trial_close(&trial);
}

Test(vk_logdet, batches_and_empty_ones)
{
    struct trial trial = trial_open(&plain);
    const struct shape shapes[] = {shape_of(3, (int64_t)3, (int64_t)0, (int64_t)0),
                                   shape_of(3, (int64_t)0, (int64_t)2, (int64_t)2),
                                   shape_of(4, (int64_t)2, (int64_t)3, (int64_t)1, (int64_t)1)};
    struct view x[3], y[3];
    for (int i = 0; i < 3; i++) {
        x[i] = program_input(trial.program, DTYPE_FLOAT32, &shapes[i]);
    }
    for (int64_t i = 0; i < 6; i++) {
        program_set(trial.program, &x[2], i, 0, ldexp(1, (int)i));
    }
    for (int i = 0; i < 3; i++) {
        y[i] = trial_step(&trial, "logdet", 1, &x[i])->output[0];
    }
    trial_run(&trial);
    for (int i = 0; i < 3; i++) {
        cr_expect_eq(trial.result[i].status, LAUNCH_OK);
        cr_expect_eq(trial_value(&trial, &y[0], i, 0), 0);
    }
    for (int64_t i = 0; i < 6; i++) {
        cr_expect_eq(trial_value(&trial, &y[2], i, 0), (float)((double)i * log(2)));
    }
    trial_close(&trial);
}

Test(vk_logdet, refuses_what_is_not_square)
{
    struct trial trial = trial_open(&plain);
    const struct shape shape = shape_of(2, (int64_t)2, (int64_t)3);
    const struct view x = program_input(trial.program, DTYPE_FLOAT32, &shape);
    trial_step(&trial, "logdet", 1, &x);
    trial_run(&trial);
    cr_expect_eq(trial.result[0].status, LAUNCH_REJECTED);
    trial_close(&trial);
}
