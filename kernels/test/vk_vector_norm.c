/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/test/trial.h"

enum { STEPS = 4 };

static const struct vk_device_parameters plain = {.no_disk_cache = true};

static void set_order(struct step *step, double p)
{
    step->attributes.item[0] = (struct attribute){.name = "ord", .type = ATTRIBUTE_REAL, .real = p};
    step->attributes.count = 1;
}

/* (3, 4)·2^k for every k that keeps the result normal: 5·2^k to the bit, in one step over the last dimension.
 */
static void check_powers(enum dtype dtype, int low, int high)
{
    struct trial trial = trial_open(&plain);
    struct view y[STEPS];
    for (int s = 0; s < STEPS; s++) {
        const struct shape pair = shape_of(1, (int64_t)2);
        const struct view x = program_input(trial.program, dtype, &pair);
        const int k = low + s * (high - low) / (STEPS - 1);
        program_set(trial.program, &x, 0, 0, ldexp(3, k));
        program_set(trial.program, &x, 1, 0, ldexp(-4, k));
        y[s] = trial_step(&trial, "vector_norm", 1, &x)->output[0];
    }
    trial_run(&trial);
    for (int s = 0; s < STEPS; s++)
        cr_expect_eq(trial_value(&trial, &y[s], 0, 0), ldexp(5, low + s * (high - low) / (STEPS - 1)),
                     "%s, %d", dtype_info(dtype)->name, s);
    trial_close(&trial);
}

Test(vk_vector_norm, no_square_overflows_or_underflows)
{
    check_powers(DTYPE_FLOAT32, -125, 125);
    check_powers(DTYPE_FLOAT64, -1020, 1020);
    check_powers(DTYPE_BFLOAT16, -125, 125);
    check_powers(DTYPE_FLOAT16, -14, 12);
}

/* 74 parts: integers are summed exactly whatever the order. */
Test(vk_vector_norm, many_parts_are_all_counted)
{
    enum { COUNT = 300001 };
    struct trial trial = trial_open(&plain);
    const struct shape shape = shape_of(1, (int64_t)COUNT);
    const struct view x = program_input(trial.program, DTYPE_FLOAT32, &shape);
    double sum = 0, nonzero = 0;
    for (int64_t i = 0; i < COUNT; i++) {
        const double v = (double)(i * 7919 % 31) - 15;
        program_set(trial.program, &x, i, 0, v);
        sum += fabs(v);
        nonzero += v != 0;
    }
    struct view y[3];
    static const double order[] = {1, 0, -INFINITY};
    for (int s = 0; s < 3; s++) {
        struct step *step = trial_step(&trial, "vector_norm", 1, &x);
        set_order(step, order[s]);
        y[s] = step->output[0];
    }
    trial_run(&trial);
    cr_expect_eq(trial_value(&trial, &y[0], 0, 0), sum);
    cr_expect_eq(trial_value(&trial, &y[1], 0, 0), nonzero);
    cr_expect_eq(trial_value(&trial, &y[2], 0, 0), 0);
    trial_close(&trial);
}

/* The powers written by hand: (1 + 2^p)^(1/p), to 8 ulp. */
static void check_power(enum dtype dtype, double ulp, const double order[STEPS])
{
    struct trial trial = trial_open(&plain);
    const struct shape pair = shape_of(1, (int64_t)2);
    const struct view x = program_input(trial.program, dtype, &pair);
    program_set(trial.program, &x, 0, 0, 1);
    program_set(trial.program, &x, 1, 0, 2);
    struct view y[STEPS];
    for (int s = 0; s < STEPS; s++) {
        struct step *step = trial_step(&trial, "vector_norm", 1, &x);
        set_order(step, order[s]);
        y[s] = step->output[0];
    }
    trial_run(&trial);
    for (int s = 0; s < STEPS; s++) {
        const double want = pow(1 + pow(2, order[s]), 1 / order[s]);
        cr_expect_leq(fabs(trial_value(&trial, &y[s], 0, 0) - want), 8 * ulp * want, "%s, order %g: %.17g",
                      dtype_info(dtype)->name, order[s], trial_value(&trial, &y[s], 0, 0));
    }
    trial_close(&trial);
}

Test(vk_vector_norm, powers_of_any_order)
{
    static const double order[2][STEPS] = {{0.25, 0.5, 1.3, 2.5}, {4, 17, -0.5, -3}};
    for (int k = 0; k < 2; k++) {
        check_power(DTYPE_FLOAT32, 0x1p-23, order[k]);
        check_power(DTYPE_FLOAT64, 0x1p-52, order[k]);
    }
}
