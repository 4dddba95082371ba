/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Tests matrix_exp, logdet and slogdet on the route wide: every operation is that of the route portable, in
 * the same order, so that the results must have the same bits. */
#include "kernels/test/trial.h"

static struct trial trial_on(const char *route)
{
    return trial_open(&(struct vk_device_parameters){.no_disk_cache = true, .route = route});
}

/* `count` matrices of order n, the m-th of them scaled by 2^(power·m), with NaN and filler around them. */
static struct view matrices_of(struct trial *trial, enum dtype dtype, int64_t count, int64_t n, int power)
{
    const struct shape room = {.rank = 1, .dim = {count * n * (n + 3) + 7}};
    struct view x = program_input(trial->program, dtype, &room);
    for (int64_t i = 0; i < room.dim[0]; i++) {
        program_set(trial->program, &x, i, 0, NAN);
    }
    x.shape = shape_of(3, count, n, n);
    x.stride[0] = n * (n + 3);
    x.stride[1] = n + 3;
    x.stride[2] = 1;
    x.offset = 5;
    for (int64_t e = 0; e < count * n * n; e++) {
        program_set(trial->program, &x, e, 0,
                    ldexp(sin((double)(e * e % 7919 + 1)), power * (int)(e / (n * n))));
    }
    return x;
}

/* Runs the operator on both routes; the elements of matrix `spoilt` include a NaN, unless it is −1. */
static void check_same_bits(const char *name, enum dtype dtype, int64_t count, int64_t n, int power,
                            int64_t spoilt)
{
    struct trial trial[2] = {trial_on("portable"), trial_on("wide")};
    struct view y[2];
    for (int t = 0; t < 2; t++) {
        const struct view x = matrices_of(&trial[t], dtype, count, n, power);
        if (spoilt >= 0) {
            program_set(trial[t].program, &x, (spoilt + 1) * n * n - 1, 0, NAN);
        }
        struct step *step = trial_step(&trial[t], name, 1, &x);
        y[t] = step->output[step->outputs - 1];
        trial_run(&trial[t]);
        cr_assert_eq(trial[t].result[0].status, LAUNCH_OK, "%s", trial[t].result[0].message);
        if (step->outputs == 1) {
            trial_untouched(&trial[t], &y[t]);
        }
    }
    const int64_t elements = shape_elements(&y[0].shape), each = elements / count;
    int64_t different = 0, numbers = 0, not_numbers = 0;
    for (int64_t e = 0; e < elements; e++) {
        const double expected = trial_value(&trial[0], &y[0], e, 0),
                     got = trial_value(&trial[1], &y[1], e, 0);
        const bool bad = isnan(expected) ? !isnan(got) : got != expected;
        different += bad;
        numbers += e / each != spoilt && isfinite(expected);
        not_numbers += e / each == spoilt && isnan(got);
    }
    cr_expect_eq(different, 0, "%s of %s, order %d: %d of %d results differ", name, dtype_info(dtype)->name,
                 (int)n, (int)different, (int)elements);
    cr_expect_gt(numbers, 0, "all results of %s are beyond the range", name);
    cr_expect_eq(not_numbers, spoilt < 0 ? 0 : each, "a NaN must spread to its matrix");
    trial_close(&trial[0]);
    trial_close(&trial[1]);
}

Test(vk_wide_matrices, exponentials_in_shared_memory)
{
    check_same_bits("matrix_exp", DTYPE_FLOAT32, 3, 1, 1, -1);
    check_same_bits("matrix_exp", DTYPE_FLOAT32, 3, 16, -2, 1);
    check_same_bits("matrix_exp", DTYPE_FLOAT32, 2, 31, -3, -1);
    check_same_bits("matrix_exp", DTYPE_FLOAT32, 9, 32, -3, 4);
    check_same_bits("matrix_exp", DTYPE_FLOAT64, 3, 20, -2, 0);
}

Test(vk_wide_matrices, exponentials_by_tiles)
{
    check_same_bits("matrix_exp", DTYPE_FLOAT32, 3, 33, -4, 1);
    check_same_bits("matrix_exp", DTYPE_FLOAT32, 2, 64, -2, -1);
    check_same_bits("matrix_exp", DTYPE_FLOAT32, 1, 97, 0, -1);
    check_same_bits("matrix_exp", DTYPE_FLOAT64, 2, 21, -30, -1);
    check_same_bits("matrix_exp", DTYPE_FLOAT64, 3, 65, -5, 2);
}

/* Norms of up to 2^60: more squarings than are computed by tiles. The matrices are −2^k times the identity.
 */
static void check_many_squarings(enum dtype dtype)
{
    enum { COUNT = 5, N = 40 };
    struct trial trial = trial_on("wide");
    const struct shape shape = shape_of(3, (int64_t)COUNT, (int64_t)N, (int64_t)N);
    const struct view x = program_input(trial.program, dtype, &shape);
    for (int64_t e = 0; e < (int64_t)COUNT * N; e++) {
        program_set(trial.program, &x, e / N * N * N + e % N * (N + 1), 0, -ldexp(1, 15 * (int)(e / N)));
    }
    const struct view y = trial_step(&trial, "matrix_exp", 1, &x)->output[0];
    trial_run(&trial);
    cr_assert_eq(trial.result[0].status, LAUNCH_OK, "%s", trial.result[0].message);
    for (int64_t e = 0; e < (int64_t)COUNT * N * N; e++) {
        const double expected = e % (N * N) % (N + 1) == 0 && e < N * N ? exp(-1) : 0;
        cr_assert_float_eq(trial_value(&trial, &y, e, 0), expected, 1e-6, "element %d", (int)e);
    }
    trial_untouched(&trial, &y);
    trial_close(&trial);
}

Test(vk_wide_matrices, exponentials_of_many_squarings)
{
    check_many_squarings(DTYPE_FLOAT32);
    check_many_squarings(DTYPE_FLOAT64);
}

static void check_determinants(enum dtype dtype, int64_t count, int64_t n, int64_t spoilt)
{
    check_same_bits("slogdet", dtype, count, n, 0, spoilt);
}

Test(vk_wide_matrices, determinants_in_shared_memory)
{
    check_determinants(DTYPE_FLOAT32, 3, 1, -1);
    check_determinants(DTYPE_FLOAT32, 3, 2, 1);
    check_determinants(DTYPE_FLOAT32, 9, 16, 4);
    check_determinants(DTYPE_FLOAT32, 5, 31, -1);
    check_determinants(DTYPE_FLOAT32, 5, 33, 2);
    check_determinants(DTYPE_FLOAT32, 3, 48, 0);
    check_determinants(DTYPE_FLOAT64, 3, 32, 2);
}

Test(vk_wide_matrices, determinants_by_panels)
{
    check_determinants(DTYPE_FLOAT32, 3, 49, 1);
    check_determinants(DTYPE_FLOAT32, 2, 64, -1);
    check_determinants(DTYPE_FLOAT32, 2, 129, 0);
    check_determinants(DTYPE_FLOAT32, 1, 301, -1);
    check_determinants(DTYPE_FLOAT64, 3, 33, 2);
    check_determinants(DTYPE_FLOAT64, 2, 100, -1);
    check_determinants(DTYPE_FLOAT64, 1, 258, -1); /* panels of 4 columns where shared memory has 32 KiB */
}

/* Permutations and singular matrices, whose pivots are equal or vanish. */
static void check_permutations(enum dtype dtype, int64_t n)
{
    struct trial trial[2] = {trial_on("portable"), trial_on("wide")};
    double sign[2][3], logarithm[2][3];
    for (int t = 0; t < 2; t++) {
        const struct shape shape = shape_of(3, (int64_t)3, n, n);
        const struct view x = program_input(trial[t].program, dtype, &shape);
        for (int64_t i = 0; i < n; i++) {
            program_set(trial[t].program, &x, i * n + i * 7 % n, 0, i % 3 ? 2 : -2);
            for (int64_t j = 0; j < n; j++) {
                program_set(trial[t].program, &x, (n + i) * n + j, 0, (double)((i * j) % 5));
                program_set(trial[t].program, &x, (2 * n + i) * n + j, 0, i == j ? 3 : i > j ? -3 : 0);
            }
        }
        const struct step *step = trial_step(&trial[t], "slogdet", 1, &x);
        trial_run(&trial[t]);
        cr_assert_eq(trial[t].result[0].status, LAUNCH_OK, "%s", trial[t].result[0].message);
        for (int m = 0; m < 3; m++) {
            sign[t][m] = trial_value(&trial[t], &step->output[0], m, 0);
            logarithm[t][m] = trial_value(&trial[t], &step->output[1], m, 0);
        }
    }
    for (int m = 0; m < 3; m++) {
        cr_expect_eq(sign[1][m], sign[0][m], "order %d, matrix %d", (int)n, m);
        cr_expect_eq(logarithm[1][m], logarithm[0][m], "order %d, matrix %d", (int)n, m);
    }
    cr_expect_float_eq(logarithm[1][0], (double)n * log(2), 1e-4);
    cr_expect_eq(sign[1][1], 0, "a singular matrix");
    trial_close(&trial[0]);
    trial_close(&trial[1]);
}

Test(vk_wide_matrices, equal_and_vanishing_pivots)
{
    check_permutations(DTYPE_FLOAT32, 30);
    check_permutations(DTYPE_FLOAT32, 48);
    check_permutations(DTYPE_FLOAT64, 61);
    check_permutations(DTYPE_FLOAT32, 101);
}
