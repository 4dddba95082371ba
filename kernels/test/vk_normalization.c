/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Normalization kernels on problems whose results are known by hand. */

#include "kernels/test/trial.h"

static const struct vk_device_parameters plain = {.no_disk_cache = true};

static struct view values(struct trial *trial, enum dtype dtype, struct shape shape, const double *x)
{
    struct view view = program_input(trial->program, dtype, &shape);
    for (int64_t i = 0; i < shape_elements(&shape); i++) {
        program_set(trial->program, &view, i, 0, x[i]);
    }
    return view;
}

/* Adds a step with its attributes, which program_step needs to determine the outputs. */
static struct step *step_with(struct trial *trial, const char *name, const struct attributes *attributes,
                              int inputs, const struct view *input)
{
    struct step *step = program_step(trial->program, op_find(name), attributes, inputs, input);
    cr_assert(step && step->expect == EXPECT_VALUE, "%s", name);
    return step;
}

static struct attributes with_eps(double eps)
{
    return (struct attributes){.count = 1, .item = {{.name = "eps", .type = ATTRIBUTE_REAL, .real = eps}}};
}

static struct attributes layer(int64_t n, double eps)
{
    struct attributes a = with_eps(eps);
    a.item[a.count++] = (struct attribute){
        .name = "normalized_shape", .type = ATTRIBUTE_INTEGERS, .integers = {.count = 1, .item = {n}}};
    return a;
}

/* ±3 with eps = 7: V + eps = 16. */
Test(vk_normalization, root_of_sixteen)
{
    static const enum dtype dtypes[] = {DTYPE_FLOAT16, DTYPE_BFLOAT16, DTYPE_FLOAT32, DTYPE_FLOAT64};
    static const double x[8] = {3, -3, 3, -3, -3, 3, -3, 3};
    struct trial trial = trial_open(&plain);
    const struct attributes attributes = layer(4, 7);
    struct view y[4];
    for (int t = 0; t < 4; t++) {
        const struct view input = values(&trial, dtypes[t], shape_of(2, (int64_t)2, (int64_t)4), x);
        y[t] = step_with(&trial, "layer_norm", &attributes, 1, &input)->output[0];
    }
    trial_run(&trial);
    for (int t = 0; t < 4; t++) {
        for (int i = 0; i < 8; i++) {
            cr_expect_eq(trial_value(&trial, &y[t], i, 0), x[i] / 4, "%s, %d", dtype_info(dtypes[t])->name,
                         i);
        }
    }
    trial_close(&trial);
}

/* Squares of 2^127 overflow float32, and the sum of the row does too; a constant row has no spread at all. */
Test(vk_normalization, squares_that_overflow)
{
    static const double x[8] = {0x1p127, -0x1p127, 0x1p127, -0x1p127, 0x1p127, 0x1p127, 0x1p127, 0x1p127};
    struct trial trial = trial_open(&plain);
    const struct attributes attributes = layer(4, 1e-5);
    const struct view input = values(&trial, DTYPE_FLOAT32, shape_of(2, (int64_t)2, (int64_t)4), x);
    const struct view y = step_with(&trial, "layer_norm", &attributes, 1, &input)->output[0];
    trial_run(&trial);
    for (int i = 0; i < 4; i++) {
        cr_expect_eq(trial_value(&trial, &y, i, 0), i % 2 ? -1 : 1);
        cr_expect_eq(trial_value(&trial, &y, 4 + i, 0), 0);
    }
    trial_close(&trial);
}

/* A group of 100,000 elements, more than one pass of a workgroup: half 1, half −1. */
Test(vk_normalization, a_long_group)
{
    enum { COUNT = 100000 };
    struct trial trial = trial_open(&plain);
    const struct shape shape = shape_of(2, (int64_t)1, (int64_t)COUNT);
    const struct view x = program_input(trial.program, DTYPE_FLOAT32, &shape);
    for (int64_t i = 0; i < COUNT; i++) {
        program_set(trial.program, &x, i, 0, i < COUNT / 2 ? 5 : 3);
    }
    const struct attributes attributes = layer(COUNT, 3);
    const struct view y = step_with(&trial, "layer_norm", &attributes, 1, &x)->output[0];
    trial_run(&trial);
    for (int64_t i = 0; i < COUNT; i += 7777) {
        cr_expect_eq(trial_value(&trial, &y, i, 0), i < COUNT / 2 ? 0.5 : -0.5);
    }
    trial_close(&trial);
}

/* n = 2, mean 3 and 30, biased variance 1 and 100, unbiased 2 and 200; momentum 1/2. Evaluation changes
 * nothing. */
Test(vk_normalization, running_statistics_move_in_training_alone)
{
    static const double x[4] = {2, 20, 4, 40}, zeros[2] = {0, 0}, ones[2] = {1, 1};
    for (int training = 0; training < 2; training++) {
        struct trial trial = trial_open(&plain);
        struct attributes attributes = with_eps(3);
        attributes.item[attributes.count++] =
            (struct attribute){.name = "training", .type = ATTRIBUTE_BOOL, .integer = training};
        attributes.item[attributes.count++] =
            (struct attribute){.name = "momentum", .type = ATTRIBUTE_REAL, .real = 0.5};
        const struct shape channels = shape_of(1, (int64_t)2);
        const struct view input[3] = {values(&trial, DTYPE_FLOAT32, shape_of(2, (int64_t)2, (int64_t)2), x),
                                      values(&trial, DTYPE_FLOAT32, channels, zeros),
                                      values(&trial, DTYPE_FLOAT32, channels, ones)};
        const struct view y = step_with(&trial, "batch_norm", &attributes, 3, input)->output[0];
        trial_run(&trial);
        cr_expect_eq(trial_value(&trial, &input[1], 0, 0), training ? 1.5 : 0);
        cr_expect_eq(trial_value(&trial, &input[1], 1, 0), training ? 15 : 0);
        cr_expect_eq(trial_value(&trial, &input[2], 0, 0), training ? 1.5 : 1);
        cr_expect_eq(trial_value(&trial, &input[2], 1, 0), training ? 100.5 : 1);
        cr_expect_eq(trial_value(&trial, &y, 0, 0), training ? -0.5 : 1);
        cr_expect_eq(trial_value(&trial, &y, 2, 0), training ? 0.5 : 2);
        trial_close(&trial);
    }
}

/* [1, 4, 2] in two groups, x with its channels innermost: X = ±1/2 in the group of ±1 around 8, 0 in the
 * other. dy = 1 on one element: dx = r (w − 1/4 − X·X0/4). */
Test(vk_normalization, gradient_of_two_groups)
{
    static const double dy[8] = {1, 0, 0, 0, 0, 0, 0, 0}, ones[4] = {1, 1, 1, 1};
    struct trial trial = trial_open(&plain);
    const struct shape shape = shape_of(3, (int64_t)1, (int64_t)4, (int64_t)2);
    struct view input[3] = {values(&trial, DTYPE_FLOAT32, shape, dy),
                            program_input(trial.program, DTYPE_FLOAT32, &shape),
                            values(&trial, DTYPE_FLOAT32, shape_of(1, (int64_t)4), ones)};
    input[1].stride[1] = 1;
    input[1].stride[2] = 4;
    for (int i = 0; i < 8; i++) {
        program_set(trial.program, &input[1], i, 0, i < 4 ? 8 + (i % 2 ? 1 : -1) : 5);
    }
    struct attributes attributes = with_eps(3);
    attributes.item[attributes.count++] =
        (struct attribute){.name = "num_groups", .type = ATTRIBUTE_INTEGER, .integer = 2, .real = 2};
    const struct step *step = step_with(&trial, "group_norm_backward", &attributes, 3, input);
    const struct view dx = step->output[0], dweight = step->output[1], dbias = step->output[2];
    trial_run(&trial);
    for (int i = 0; i < 8; i++) {
        const double X = i % 2 ? 0.5 : -0.5, w = i == 0;
        cr_expect_eq(trial_value(&trial, &dx, i, 0), i < 4 ? 0.5 * (w - 0.25 + X * 0.125) : 0, "%d", i);
    }
    for (int c = 0; c < 4; c++) {
        cr_expect_eq(trial_value(&trial, &dweight, c, 0), c == 0 ? -0.5 : 0);
        cr_expect_eq(trial_value(&trial, &dbias, c, 0), c == 0 ? 1 : 0);
    }
    trial_close(&trial);
}

static struct attributes evaluation(double eps)
{
    struct attributes a = with_eps(eps);
    a.item[a.count++] = (struct attribute){.name = "training", .type = ATTRIBUTE_BOOL, .integer = 0};
    return a;
}

/* In evaluation x·r, x − m and g·X + b leave the range on the way to results that are in it: V + eps = 2^-4,
 * r = 4. Every step is a power of two: the results are exact, at the end of float32's range and of float64's.
 */
Test(vk_normalization, evaluation_keeps_what_is_in_range)
{
    static const enum dtype dtypes[] = {DTYPE_BFLOAT16, DTYPE_FLOAT32, DTYPE_FLOAT64};
    for (int t = 0; t < 3; t++) {
        const double end = dtypes[t] == DTYPE_FLOAT64 ? 0x1p1023 : 0x1p127;
        const double x[6] = {end, end, -end, -end, end, end / 2}, mean[3] = {0, -end, end},
                     variance[3] = {0x1p-4, 0x1p-4, 0x1p-4}, weight[3] = {0x1p-40, 0x1p-5, 1},
                     bias[3] = {1, 0, end};
        struct trial trial = trial_open(&plain);
        const struct attributes attributes = evaluation(0);
        const struct shape channels = shape_of(1, (int64_t)3);
        const struct view input[5] = {
            values(&trial, dtypes[t], shape_of(2, (int64_t)2, (int64_t)3), x),
            values(&trial, dtypes[t], channels, mean), values(&trial, dtypes[t], channels, variance),
            values(&trial, dtypes[t], channels, weight), values(&trial, dtypes[t], channels, bias)};
        const struct view y = step_with(&trial, "batch_norm", &attributes, 5, input)->output[0];
        trial_run(&trial);
        /* Channel 2: 4·(end/2 − end) + end, and 4·(−2·end) + end, which is out of range indeed. */
        const double want[6] = {end * 0x1p-38, end / 4, -HUGE_VAL, -end * 0x1p-38, end / 4, -end};
        for (int i = 0; i < 6; i++) {
            cr_expect_eq(trial_value(&trial, &y, i, 0), want[i], "%s, %d: %g", dtype_info(dtypes[t])->name, i,
                         trial_value(&trial, &y, i, 0));
        }
        trial_close(&trial);
    }
}

/* [4, 1] in evaluation: dx, dweight, dbias. */
static void evaluation_gradient(enum dtype dtype, const double dy[4], const double x[4], double variance,
                                double weight, double result[6])
{
    static const double zero = 0;
    struct trial trial = trial_open(&plain);
    const struct attributes attributes = evaluation(0);
    const struct shape column = shape_of(2, (int64_t)4, (int64_t)1), one = shape_of(1, (int64_t)1);
    const struct view input[5] = {values(&trial, dtype, column, dy), values(&trial, dtype, column, x),
                                  values(&trial, dtype, one, &zero), values(&trial, dtype, one, &variance),
                                  values(&trial, dtype, one, &weight)};
    const struct step *step = step_with(&trial, "batch_norm_backward", &attributes, 5, input);
    const struct view output[3] = {step->output[0], step->output[1], step->output[2]};
    trial_run(&trial);
    for (int i = 0; i < 6; i++) {
        result[i] = trial_value(&trial, &output[i < 4 ? 0 : i - 3], i < 4 ? i : 0, 0);
    }
    trial_close(&trial);
}

/* dx = dy·g·r, dweight = sum dy·x·r, dbias = sum dy: a product and parts of both sums overflow. */
Test(vk_normalization, gradients_keep_what_is_in_range)
{
    static const enum dtype dtypes[] = {DTYPE_BFLOAT16, DTYPE_FLOAT32, DTYPE_FLOAT64};
    for (int t = 0; t < 3; t++) {
        const double end = dtypes[t] == DTYPE_FLOAT64 ? 0x1p1023 : 0x1p127;
        const double far[4] = {end, end, -end, -end / 2}, ones[4] = {1, 1, 1, 1};
        double got[6];
        evaluation_gradient(dtypes[t], far, ones, 0x1p20, 0x1p5, got);
        for (int i = 0; i < 4; i++) {
            cr_expect_eq(got[i], far[i] * 0x1p-5, "%d: %g", i, got[i]);
        }
        cr_expect_eq(got[5], end / 2, "dbias %g", got[5]);
        evaluation_gradient(dtypes[t], ones, far, 1, 1, got);
        cr_expect_eq(got[4], end / 2, "dweight %g", got[4]);
        evaluation_gradient(dtypes[t], ones, far, 0x1p-4, 0x1p-9, got);
        cr_expect_eq(got[4], HUGE_VAL, "dweight out of range: %g", got[4]);
    }
}

/* dweight of terms of both signs beyond 2^190, end^2 times 2^20: their sum is beyond the range, or 0. */
Test(vk_normalization, terms_far_out_of_range_keep_their_sum)
{
    static const enum dtype dtypes[] = {DTYPE_BFLOAT16, DTYPE_FLOAT32, DTYPE_FLOAT64};
    for (int t = 0; t < 3; t++) {
        const double end = dtypes[t] == DTYPE_FLOAT64 ? 0x1p1023 : 0x1p127;
        const double far[4] = {end, end, -end, -end / 2}, down[4] = {-end, -end, end, end / 2},
                     even[4] = {end, -end, end, -end}, ends[4] = {end, end, end, end};
        double got[6];
        evaluation_gradient(dtypes[t], ends, far, 0x1p-40, 1, got);
        cr_expect_eq(got[4], HUGE_VAL, "%s: %g", dtype_info(dtypes[t])->name, got[4]);
        evaluation_gradient(dtypes[t], ends, down, 0x1p-40, 1, got);
        cr_expect_eq(got[4], -HUGE_VAL, "%s: %g", dtype_info(dtypes[t])->name, got[4]);
        evaluation_gradient(dtypes[t], ends, even, 0x1p-40, 1, got);
        cr_expect_eq(got[4], 0, "%s: %g", dtype_info(dtypes[t])->name, got[4]);
    }
}

/* Momentum 1,000: -999 times the old statistic and 1,000 times the new one leave the range. Channel 0 holds
 * end twice, whose mean is the old one: it stays. */
Test(vk_normalization, a_large_momentum_keeps_what_is_in_range)
{
    static const enum dtype dtypes[] = {DTYPE_BFLOAT16, DTYPE_FLOAT32, DTYPE_FLOAT64};
    for (int t = 0; t < 3; t++) {
        const double end = dtypes[t] == DTYPE_FLOAT64 ? 0x1p1023 : 0x1p127;
        const double x[4] = {end, end, end, end / 2}, mean[2] = {end, -end}, variance[2] = {end, end / 4};
        struct trial trial = trial_open(&plain);
        struct attributes attributes = with_eps(1);
        attributes.item[attributes.count++] =
            (struct attribute){.name = "training", .type = ATTRIBUTE_BOOL, .integer = 1};
        attributes.item[attributes.count++] =
            (struct attribute){.name = "momentum", .type = ATTRIBUTE_REAL, .real = 1000};
        const struct shape channels = shape_of(1, (int64_t)2);
        const struct view input[3] = {values(&trial, dtypes[t], shape_of(2, (int64_t)2, (int64_t)2), x),
                                      values(&trial, dtypes[t], channels, mean),
                                      values(&trial, dtypes[t], channels, variance)};
        (void)step_with(&trial, "batch_norm", &attributes, 3, input);
        trial_run(&trial);
        const double want[4] = {end, HUGE_VAL, -HUGE_VAL, HUGE_VAL};
        for (int i = 0; i < 4; i++) {
            const double got = trial_value(&trial, &input[1 + i / 2], i % 2, 0);
            cr_expect_eq(got, want[i], "%s, %d: %g", dtype_info(dtypes[t])->name, i, got);
        }
        trial_close(&trial);
    }
}

/* In training: dy = end·(1, 1, 1, −1) with X = ±1/2: w sums to 2·end, its mean is end/2. r = 1/2, and
 * mean(w·X) = 0 or end/4. */
Test(vk_normalization, training_gradients_keep_what_is_in_range)
{
    const double end = 0x1p127, dy[4] = {end, end, end, -end}, x[4] = {1, 1, -1, -1}, one = 1;
    struct trial trial = trial_open(&plain);
    const struct attributes attributes = layer(4, 3);
    const struct shape row = shape_of(2, (int64_t)1, (int64_t)4);
    const double ones[4] = {one, one, one, one};
    const struct view input[3] = {values(&trial, DTYPE_FLOAT32, row, dy),
                                  values(&trial, DTYPE_FLOAT32, row, x),
                                  values(&trial, DTYPE_FLOAT32, shape_of(1, (int64_t)4), ones)};
    const struct view dx = step_with(&trial, "layer_norm_backward", &attributes, 3, input)->output[0];
    trial_run(&trial);
    for (int i = 0; i < 4; i++) {
        const double X = x[i] / 2, projection = end / 4;
        cr_expect_eq(trial_value(&trial, &dx, i, 0), (dy[i] / 2 - end / 4) - X * projection / 2, "%d: %g", i,
                     trial_value(&trial, &dx, i, 0) / end);
    }
    trial_close(&trial);
}
