/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/test/trial.h"
#include "kernels/vulkan/internal.h"

static const struct vk_device_parameters plain = {.no_disk_cache = true};

static struct view batch_of(struct trial *trial, enum dtype dtype, int64_t count, int64_t n)
{
    const struct shape shape = shape_of(3, count, n, n);
    return program_input(trial->program, dtype, &shape);
}

static void check_shift(enum dtype dtype)
{
    static const double row[] = {1, 6, 18, 36};
    struct trial trial = trial_open(&plain);
    const struct view x = batch_of(&trial, dtype, 1, 4);
    for (int i = 0; i < 3; i++) {
        program_set(trial.program, &x, i * 4 + i + 1, 0, 6);
    }
    const struct view y = trial_step(&trial, "matrix_exp", 1, &x)->output[0];
    trial_run(&trial);
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            const double expected = j < i ? 0 : row[j - i], got = trial_value(&trial, &y, i * 4 + j, 0);
            cr_expect_float_eq(got, expected, 8e-6 * 36, "%d, %d: %g", i, j, got);
        }
    }
    trial_untouched(&trial, &y);
    trial_close(&trial);
}

/* 6·shift(4): a finite series. */
Test(vk_matrix_exp, nilpotent)
{
    check_shift(DTYPE_FLOAT32);
    check_shift(DTYPE_FLOAT64);
}

/* diag(t_m): each matrix of the batch needs another degree and scaling, 0 gives the identity exactly. */
Test(vk_matrix_exp, a_batch_of_many_norms)
{
    enum { COUNT = 41, N = 3 };
    struct trial trial = trial_open(&plain);
    const struct view x = batch_of(&trial, DTYPE_FLOAT64, COUNT, N);
    for (int m = 1; m < COUNT; m++) {
        for (int i = 0; i < N; i++) {
            program_set(trial.program, &x, m * N * N + i * (N + 1), 0, ldexp(i - 1, m / 2 - 12));
        }
    }
    const struct view y = trial_step(&trial, "matrix_exp", 1, &x)->output[0];
    trial_run(&trial);
    for (int m = 0; m < COUNT; m++) {
        for (int i = 0; i < N * N; i++) {
            const double t = m ? ldexp(i / N - 1, m / 2 - 12) : 0,
                         got = trial_value(&trial, &y, m * N * N + i, 0);
            const double expected = i / N == i % N ? exp(t) : 0;
            cr_expect(got == expected || fabs(got - expected) <= 1e-13 * (1 + fabs(t)) * expected,
                      "%d, %d: %g, not %g", m, i, got, expected);
        }
    }
    trial_close(&trial);
}

/* Beyond shared memory: n = 33 and 65 take several dispatches. Blocks of rotations by angles that differ. */
static void check_rotations(int64_t n)
{
    struct trial trial = trial_open(&plain);
    const struct view x = batch_of(&trial, DTYPE_FLOAT32, 2, n);
    for (int m = 0; m < 2; m++) {
        for (int64_t i = 0; i + 1 < n; i += 2) {
            program_set(trial.program, &x, m * n * n + i * n + i + 1, 0, -0.25 * (double)(i + m));
            program_set(trial.program, &x, m * n * n + (i + 1) * n + i, 0, 0.25 * (double)(i + m));
        }
    }
    const struct view y = trial_step(&trial, "matrix_exp", 1, &x)->output[0];
    trial_run(&trial);
    for (int m = 0; m < 2; m++) {
        for (int64_t i = 0; i + 1 < n; i += 2) {
            const double angle = 0.25 * (double)(i + m);
            cr_expect_float_eq(trial_value(&trial, &y, m * n * n + i * n + i, 0), cos(angle), 2e-4);
            cr_expect_float_eq(trial_value(&trial, &y, m * n * n + (i + 1) * n + i, 0), sin(angle), 2e-4);
        }
    }
    trial_close(&trial);
}

Test(vk_matrix_exp, orders_beyond_shared_memory)
{
    check_rotations(33);
    check_rotations(65);
}

Test(vk_matrix_exp, nan_spreads_and_stays_in_its_matrix)
{
    struct trial trial = trial_open(&plain);
    const struct view x = batch_of(&trial, DTYPE_FLOAT32, 3, 2);
    program_set(trial.program, &x, 4 + 1, 0, NAN);
    program_set(trial.program, &x, 4 + 2, 0, 1);
    const struct view y = trial_step(&trial, "matrix_exp", 1, &x)->output[0];
    trial_run(&trial);
    for (int i = 0; i < 12; i++) {
        cr_expect_eq(isnan(trial_value(&trial, &y, i, 0)) != 0, i / 4 == 1, "element %d", i);
    }
    trial_close(&trial);
}

/* Order 256 needs 606,896 iterations: more than llvmpipe runs, and less than half a second elsewhere. Only
 * the plan is tested with the limit of other devices. llvmpipe ends the loops early then, and its result is
 * not read. */
Test(vk_matrix_exp, order_256_is_planned_where_loops_have_no_end)
{
    struct trial trial = trial_open(&plain);
    const struct view x = batch_of(&trial, DTYPE_FLOAT32, 1, 256);
    for (int i = 0; i < 256 * 256; i++) {
        program_set(trial.program, &x, i, 0, 0);
    }
    trial_step(&trial, "matrix_exp", 1, &x);
    trial.device->loop_limit = 60000;
    trial_run(&trial);
    cr_assert_eq(trial.result[0].status, LAUNCH_UNSUPPORTED);
    cr_assert(strstr(trial.result[0].message, "606896 loop iterations in one invocation, more than 60000"),
              "%s", trial.result[0].message);
    trial.device->loop_limit = VK_LOOPS_UNLIMITED;
    trial_run(&trial);
    cr_assert_eq(trial.result[0].status, LAUNCH_OK, "%s", trial.result[0].message);
    trial_close(&trial);
}
