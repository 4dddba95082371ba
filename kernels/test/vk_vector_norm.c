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

/* The norms of x in each of these orders. */
static void run_orders(struct trial *trial, const struct view *x, int count, const double *order,
                       struct view *y)
{
    for (int s = 0; s < count; s++) {
        struct step *step = trial_step(trial, "vector_norm", 1, x);
        set_order(step, order[s]);
        y[s] = step->output[0];
    }
    trial_run(trial);
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
    for (int s = 0; s < STEPS; s++) {
        cr_expect_eq(trial_value(&trial, &y[s], 0, 0), ldexp(5, low + s * (high - low) / (STEPS - 1)),
                     "%s, %d", dtype_info(dtype)->name, s);
    }
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
    run_orders(&trial, &x, 3, order, y);
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
    run_orders(&trial, &x, STEPS, order, y);
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

/* Equal elements: n^(1/p) times one of them, where no power of it is in range, nor the order itself. */
static void check_large(enum dtype dtype, double ulp, const double order[STEPS])
{
    struct trial trial = trial_open(&plain);
    const struct shape triple = shape_of(1, (int64_t)3);
    const struct view x = program_input(trial.program, dtype, &triple);
    struct view y[STEPS];
    for (int i = 0; i < 3; i++) {
        program_set(trial.program, &x, i, 0, i == 1 ? -1.96875 : 1.96875);
    }
    run_orders(&trial, &x, STEPS, order, y);
    for (int s = 0; s < STEPS; s++) {
        cr_expect_float_eq(trial_value(&trial, &y[s], 0, 0), 1.96875 * pow(3, 1 / order[s]), 8 * ulp,
                           "%s, order %g: %.17g", dtype_info(dtype)->name, order[s],
                           trial_value(&trial, &y[s], 0, 0));
    }
    trial_close(&trial);
}

Test(vk_vector_norm, large_orders_do_not_overflow)
{
    static const double order[3][STEPS] = {
        {128, -128, 1000, -1000}, {1e5, 1e10, -1e10, 1e300}, {-1e300, 1e17, -1e17, 2.1}};
    for (int k = 0; k < 3; k++) {
        check_large(DTYPE_FLOAT16, 0x1p-11, order[k]);
        check_large(DTYPE_FLOAT32, 0x1p-23, order[k]);
        check_large(DTYPE_FLOAT64, 0x1p-52, order[k]);
    }
}

/* (x, x) has the norm x·2^(1/p): in range where 2^(1/p) is not, or in no format; (x, 0) has x. */
Test(vk_vector_norm, small_orders_leave_the_range_only_where_the_norm_does)
{
    enum { ORDERS = 7 };
    static const double order[ORDERS] = {0x1p-7, -0x1p-7, 1e-10, -1e-10, 1e-300, -1e-300, 0x1p-1074};
    static const double first[ORDERS] = {0x1p-60, 0x1p60, 1, 1, 1, 1, 1};
    for (int s = 0; s < ORDERS; s++) {
        struct trial trial = trial_open(&plain);
        struct view y[2];
        for (int k = 0; k < 2; k++) {
            const struct shape pair = shape_of(1, (int64_t)2);
            const struct view x = program_input(trial.program, DTYPE_FLOAT32, &pair);
            program_set(trial.program, &x, 0, 0, first[s]);
            program_set(trial.program, &x, 1, 0, k ? 0 : -first[s]);
            struct step *step = trial_step(&trial, "vector_norm", 1, &x);
            set_order(step, order[s]);
            y[k] = step->output[0];
        }
        trial_run(&trial);
        const double range = s == 0 ? 0x1p68 : s == 1 ? 0x1p-68 : order[s] > 0 ? HUGE_VAL : 0;
        const double got = trial_value(&trial, &y[0], 0, 0), alone = trial_value(&trial, &y[1], 0, 0);
        cr_expect(got == range || fabs(got - range) < 0x1p-14 * range, "order %g: %g", order[s], got);
        cr_expect_eq(alone, order[s] > 0 ? first[s] : 0, "order %g: %g", order[s], alone);
        trial_close(&trial);
    }
}
