/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/test/trial.h"

static const struct vk_device_parameters plain = {.no_disk_cache = true};

static struct view vector(struct trial *trial, enum dtype dtype, int64_t length, double x)
{
    const struct shape shape = shape_of(1, length);
    const struct view view = program_input(trial->program, dtype, &shape);
    for (int64_t i = 0; i < length; i++) {
        program_set(trial->program, &view, i, 0, x);
    }
    return view;
}

/* The one infinity of three grads, wherever it lies in the last of 70,001 elements. */
Test(vk_amp, one_infinity_is_found)
{
    static const int64_t places[] = {0, 65535, 65536, 70000};
    for (size_t p = 0; p <= sizeof places / sizeof *places; p++) {
        struct trial trial = trial_open(&plain);
        const bool any = p < sizeof places / sizeof *places;
        const struct view input[] = {vector(&trial, DTYPE_FLOAT16, 3, 2), vector(&trial, DTYPE_FLOAT16, 0, 0),
                                     vector(&trial, DTYPE_FLOAT16, 70001, 4),
                                     vector(&trial, DTYPE_FLOAT32, 1, 0),
                                     vector(&trial, DTYPE_FLOAT32, 1, 0.25)};
        if (any) {
            program_set(trial.program, &input[2], places[p], 0, -(double)INFINITY);
        }
        trial_step(&trial, "amp_unscale", 5, input);
        trial_run(&trial);
        cr_assert_eq(trial.result[0].status, LAUNCH_OK, "%s", trial.result[0].message);
        cr_expect_eq(trial_value(&trial, &input[3], 0, 0), any, "place %zu", p);
        cr_expect_eq(trial_value(&trial, &input[0], 2, 0), 0.5);
        cr_expect_eq(trial_value(&trial, &input[2], 777, 0), 1);
        cr_expect_eq(trial_value(&trial, &input[4], 0, 0), 0.25);
        trial_close(&trial);
    }
}

Test(vk_amp, the_scale_stays_finite_and_the_tracker_counts)
{
    static const struct {
        double scale, tracker, found, after, count;
    } rows[] = {{0x1p127, 2, 0, 0x1p127, 0},
                {0x1p126, 2, 0, 0x1p127, 0},
                {8, 1, 0, 8, 2},
                {8, 2, 1, 4, 0},
                {1, 0, 1, 0.5, 0}};
    const struct attributes every_third = {
        .count = 1, .item = {{.name = "growth_interval", .type = ATTRIBUTE_INTEGER, .integer = 3}}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct trial trial = trial_open(&plain);
        const struct view input[] = {vector(&trial, DTYPE_FLOAT32, 1, rows[r].scale),
                                     vector(&trial, DTYPE_INT32, 1, rows[r].tracker),
                                     vector(&trial, DTYPE_FLOAT32, 1, rows[r].found)};
        cr_assert(program_step(trial.program, op_find("amp_update_scale"), &every_third, 3, input));
        trial_run(&trial);
        cr_expect_eq(trial_value(&trial, &input[0], 0, 0), rows[r].after, "row %zu", r);
        cr_expect_eq(trial_value(&trial, &input[1], 0, 0), rows[r].count, "row %zu", r);
        trial_close(&trial);
    }
}

Test(vk_amp, a_scale_of_another_width_is_rejected)
{
    struct trial trial = trial_open(&plain);
    const struct view input[] = {vector(&trial, DTYPE_FLOAT32, 4, 2), vector(&trial, DTYPE_FLOAT32, 1, 0),
                                 vector(&trial, DTYPE_FLOAT16, 1, 0.25)};
    trial_step(&trial, "amp_unscale", 3, input);
    trial_run(&trial);
    cr_expect_eq(trial.result[0].status, LAUNCH_REJECTED);
    cr_expect(trial.result[0].message[0]);
    trial_close(&trial);
}

/* 1/scale: exact for powers of two, which a division need not be; else within what Vulkan asks of one, and
 * the product's rounding. */
Test(vk_amp, grads_are_divided_by_any_scale)
{
    static const double scales[] = {1, 65536, 0x1p-100, 0x1p120, 3, 1000, 0x1.3c0ca4p10, 0x1.fffffep-90};
    const struct attributes unscale = {
        .count = 1,
        .item = {{.name = "calls", .type = ATTRIBUTE_INTEGERS, .integers = integers_of(1, (int64_t)0)}}};
    for (size_t s = 0; s < sizeof scales / sizeof *scales; s++) {
        int exponent;
        const double grad = ldexp(12, ilogb(scales[s]) / 2), wanted = grad / scales[s];
        const bool power = frexp(scales[s], &exponent) == 0.5;
        struct trial trial = trial_open(&plain);
        const struct view input[] = {
            vector(&trial, DTYPE_FLOAT32, 70, 1), vector(&trial, DTYPE_FLOAT32, 70, grad),
            vector(&trial, DTYPE_FLOAT32, 1, scales[s]), vector(&trial, DTYPE_INT32, 1, 0)};
        cr_assert(program_step(trial.program, op_find("grad_scaler"), &unscale, 4, input));
        trial_run(&trial);
        cr_assert_eq(trial.result[0].status, LAUNCH_OK, "%s", trial.result[0].message);
        const double error = fabs(trial_value(&trial, &input[1], 69, 0) / wanted - 1);
        cr_expect_leq(error, power ? 0 : 4 * 0x1p-23, "scale %g: relative error %g", scales[s], error);
        cr_expect_eq(trial_value(&trial, &input[0], 69, 0), 1);
        trial_close(&trial);
    }
}
