/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Tests the route wide of row reductions and row maps (kernels/vulkan/plans/rows_pass.c) by values whose sums
 * are exact in every order. */
#include "kernels/test/trial.h"

enum { CHUNK = 16384, PARTS = 4096 };

static struct trial trial_on(const char *route)
{
    return trial_open(&(struct vk_device_parameters){.no_disk_cache = true, .route = route});
}

static double number_of(int64_t i)
{
    return (double)(i * 7 % 5 - 1); /* −1 to 3 */
}

/* `rows` rows of `terms` elements that are `stride` apart, from element `offset` on. */
static struct view rows_of(struct trial *trial, enum dtype dtype, int64_t rows, int64_t terms, int64_t stride,
                           int64_t offset)
{
    const struct shape room = {.rank = 1, .dim = {offset + rows * stride}};
    struct view x = program_input(trial->program, dtype, &room);
    for (int64_t i = 0; i < room.dim[0]; i++) {
        program_set(trial->program, &x, i, 0, number_of(i));
    }
    x.shape = shape_of(2, rows, terms);
    x.stride[0] = stride;
    x.stride[1] = 1;
    x.offset = offset;
    return x;
}

static struct step *reduce(struct trial *trial, const char *name, const struct view *x, bool maps)
{
    struct attributes attributes = {.count = 1, .item = {{.name = "dim"}}};
    attributes.item[0].type = maps ? ATTRIBUTE_INTEGER : ATTRIBUTE_INTEGERS;
    attributes.item[0].integer = 1;
    attributes.item[0].integers = (struct integers){.count = 1, .item = {1}};
    struct step *step = program_step(trial->program, op_find(name), &attributes, 1, x);
    cr_assert(step);
    return step;
}

static void check_sums(enum dtype dtype, int64_t rows, int64_t terms, int64_t stride, int64_t offset)
{
    struct trial trial = trial_on("wide");
    const struct view x = rows_of(&trial, dtype, rows, terms, stride, offset),
                      sum = reduce(&trial, "sum", &x, false)->output[0],
                      most = reduce(&trial, "amax", &x, false)->output[0];
    trial_run(&trial);
    cr_assert_eq(trial.result[0].status, LAUNCH_OK, "%s", trial.result[0].message);
    for (int64_t r = 0; r < rows; r++) {
        double total = 0, greatest = -INFINITY;
        for (int64_t k = 0; k < terms; k++) {
            total += number_of(offset + r * stride + k);
            greatest = fmax(greatest, number_of(offset + r * stride + k));
        }
        cr_assert_eq(trial_value(&trial, &sum, r, 0), total, "row %d of %d %s", (int)r, (int)terms,
                     dtype_info(dtype)->name);
        cr_assert_eq(trial_value(&trial, &most, r, 0), greatest);
    }
    trial_close(&trial);
}

Test(vk_wide_rows, sums_of_every_dtype_and_length)
{
    check_sums(DTYPE_FLOAT32, 1, 256, 256, 0);
    check_sums(DTYPE_FLOAT32, 5, 1, 4, 0);
    check_sums(DTYPE_FLOAT16, 5, 9, 16, 0);
    check_sums(DTYPE_FLOAT16, 3, 771, 776, 8);
    check_sums(DTYPE_BFLOAT16, 2, 256, 264, 16);
    check_sums(DTYPE_FLOAT64, 3, 1025, 1026, 2);
    check_sums(DTYPE_INT32, 2, 2047, 2048, 4);
    check_sums(DTYPE_INT64, 2, 511, 512, 0);
}

Test(vk_wide_rows, sums_of_rows_in_parts)
{
    check_sums(DTYPE_FLOAT32, 2, CHUNK - 1, CHUNK, 0);
    check_sums(DTYPE_FLOAT32, 2, CHUNK, CHUNK, 4);
    check_sums(DTYPE_FLOAT32, 1, CHUNK + 1, CHUNK + 4, 0);
    check_sums(DTYPE_INT32, 1, 5 * CHUNK + 3, 5 * CHUNK + 4, 0);
}

Test(vk_wide_rows, rows_need_not_be_aligned)
{
    check_sums(DTYPE_FLOAT32, 3, 257, 257, 1);
    check_sums(DTYPE_FLOAT16, 3, 600, 601, 3);
    check_sums(DTYPE_BFLOAT16, 2, 131, 131, 0);
    check_sums(DTYPE_FLOAT64, 2, 301, 301, 1);
}

/* The sum of a row with rounding errors must have the same bits alone and in a batch. */
static void check_alone(int64_t terms, int64_t stride, int64_t step)
{
    enum { ROWS = 5 };
    struct trial trial = trial_on("wide");
    const struct shape room = {.rank = 1, .dim = {ROWS * stride + terms * step}};
    struct view x = program_input(trial.program, DTYPE_FLOAT32, &room), alone[2], sum[3];
    for (int64_t i = 0; i < room.dim[0]; i++) {
        program_set(trial.program, &x, i, 0, sin((double)(i + 1)));
    }
    x.shape = shape_of(2, (int64_t)ROWS, terms);
    x.stride[0] = stride;
    x.stride[1] = step;
    sum[0] = reduce(&trial, "sum", &x, false)->output[0];
    for (int k = 0; k < 2; k++) {
        alone[k] = x;
        alone[k].shape.dim[0] = 1;
        alone[k].offset = (k ? ROWS - 2 : 0) * stride;
        sum[k + 1] = reduce(&trial, "sum", &alone[k], false)->output[0];
    }
    trial_run(&trial);
    cr_assert_eq(trial.result[2].status, LAUNCH_OK, "%s", trial.result[2].message);
    cr_expect_eq(trial_value(&trial, &sum[1], 0, 0), trial_value(&trial, &sum[0], 0, 0), "%d terms",
                 (int)terms);
    cr_expect_eq(trial_value(&trial, &sum[2], 0, 0), trial_value(&trial, &sum[0], ROWS - 2, 0), "%d terms",
                 (int)terms);
    trial_close(&trial);
}

Test(vk_wide_rows, a_row_alone_has_the_bits_of_the_batch)
{
    check_alone(4099, 4099, 1);
    check_alone(CHUNK + 5, CHUNK + 5, 1);
    check_alone(4099, 1, 5);
    check_alone(300, 1, 5);
}

/* Sums of `terms` rows of `columns` elements that are `stride` apart, in each of two blocks. */
static void check_columns(enum dtype dtype, int64_t terms, int64_t columns, int64_t stride)
{
    struct trial trial = trial_on("wide");
    struct view x = rows_of(&trial, dtype, 2 * terms, columns, stride, 3);
    x.shape = shape_of(3, (int64_t)2, terms, columns);
    x.stride[0] = terms * stride;
    x.stride[1] = stride;
    x.stride[2] = 1;
    const struct view sum = reduce(&trial, "sum", &x, false)->output[0],
                      least = reduce(&trial, "amin", &x, false)->output[0];
    trial_run(&trial);
    cr_assert_eq(trial.result[0].status, LAUNCH_OK, "%s", trial.result[0].message);
    for (int64_t i = 0; i < 2 * columns; i++) {
        double total = 0, low = INFINITY;
        for (int64_t k = 0; k < terms; k++) {
            const double v = number_of(3 + (i / columns * terms + k) * stride + i % columns);
            total += v;
            low = fmin(low, v);
        }
        cr_assert_eq(trial_value(&trial, &sum, i, 0), total, "column %d of %d rows", (int)i, (int)terms);
        cr_assert_eq(trial_value(&trial, &least, i, 0), low);
    }
    trial_close(&trial);
}

Test(vk_wide_rows, sums_of_columns)
{
    check_columns(DTYPE_FLOAT32, 1, 33, 33);
    check_columns(DTYPE_FLOAT32, 32, 40, 41);
    check_columns(DTYPE_FLOAT16, 33, 257, 257);
    check_columns(DTYPE_INT64, 700, 32, 35);
    check_columns(DTYPE_FLOAT64, 65, 128, 128);
}

/* The terms of the softmax of a row of `terms` equal numbers are 1/terms, a power of two. */
static void check_softmax(enum dtype dtype, int64_t terms, int64_t stride)
{
    struct trial trial = trial_on("wide");
    struct view x = rows_of(&trial, dtype, 3, terms, stride, 0);
    for (int64_t i = 0; i < 3 * terms; i++) {
        program_set(trial.program, &x, i, 0, (double)(i / terms));
    }
    const struct view y = reduce(&trial, "softmax", &x, true)->output[0];
    trial_run(&trial);
    cr_assert_eq(trial.result[0].status, LAUNCH_OK, "%s", trial.result[0].message);
    for (int64_t i = 0; i < 3 * terms; i++) {
        cr_assert_eq(trial_value(&trial, &y, i, 0), 1.0 / (double)terms, "%d of %d %s", (int)i, (int)terms,
                     dtype_info(dtype)->name);
    }
    trial_untouched(&trial, &y);
    trial_close(&trial);
}

Test(vk_wide_rows, a_map_writes_every_element_of_its_rows)
{
    check_softmax(DTYPE_FLOAT32, 256, 256);
    check_softmax(DTYPE_FLOAT16, 512, 520);
    check_softmax(DTYPE_BFLOAT16, 1024, 1024);
    check_softmax(DTYPE_FLOAT64, 512, 512);
    check_softmax(DTYPE_FLOAT32, 256, 257);
    check_softmax(DTYPE_FLOAT16, 2, 3);
}

Test(vk_wide_rows, very_long_rows_that_lie_apart_are_refused)
{
    struct trial trial = trial_on("wide");
    struct view x = rows_of(&trial, DTYPE_FLOAT32, 1, 4, 4, 0);
    x.shape = shape_of(2, (int64_t)2, (int64_t)(1 << 20) + 1);
    x.stride[0] = 1;
    x.stride[1] = 0;
    reduce(&trial, "sum", &x, false);
    trial_run(&trial);
    cr_expect_eq(trial.result[0].status, LAUNCH_UNSUPPORTED);
    cr_expect_str_eq(trial.result[0].message, "rows of more than 1048576 elements that lie apart");
    trial_close(&trial);
}
