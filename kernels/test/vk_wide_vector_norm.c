/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Tests vector_norm on the route wide: beside known values, and beside the route portable. */
#include "kernels/test/trial.h"

enum { CHUNK = 4096, PARTS = 1024, ORDERS = 6 };

static const double orders[ORDERS] = {0, 1, 2, 2.5, INFINITY, -INFINITY};

static struct trial trial_on(const char *route)
{
    return trial_open(&(struct vk_device_parameters){.no_disk_cache = true, .route = route});
}

/* `rows` rows of `terms` elements, `stride` apart, from element `offset` on. */
static struct view rows_of(struct trial *trial, enum dtype dtype, int64_t rows, int64_t terms, int64_t stride,
                           int64_t offset)
{
    const struct shape room = {.rank = 1, .dim = {offset + rows * stride}};
    struct view x = program_input(trial->program, dtype, &room);
    for (int64_t i = 0; i < room.dim[0]; i++) {
        program_set(trial->program, &x, i, 0, (double)(i * 7 % 5 - 1));
    }
    x.shape = shape_of(2, rows, terms);
    x.stride[0] = stride;
    x.stride[1] = 1;
    x.offset = offset;
    return x;
}

static struct view norm_of(struct trial *trial, const struct view *x, int64_t dim, double order)
{
    const struct attributes attributes = {
        .count = 2,
        .item = {{.name = "ord", .type = ATTRIBUTE_REAL, .real = order},
                 {.name = "dim", .type = ATTRIBUTE_INTEGERS, .integers = {.count = 1, .item = {dim}}}}};
    struct step *step = program_step(trial->program, op_find("vector_norm"), &attributes, 1, x);
    cr_assert(step);
    return step->output[0];
}

static void check_like_portable(enum dtype dtype, int64_t rows, int64_t terms, int64_t stride, int64_t offset)
{
    struct trial trial[2] = {trial_on("portable"), trial_on("wide")};
    const double error = dtype == DTYPE_FLOAT64 ? 1e-14 : dtype == DTYPE_FLOAT32 ? 1e-5 : 1e-2;
    struct view y[2][ORDERS];
    for (int t = 0; t < 2; t++) {
        const struct view x = rows_of(&trial[t], dtype, rows, terms, stride, offset);
        for (int k = 0; k < ORDERS; k++) {
            y[t][k] = norm_of(&trial[t], &x, 1, orders[k]);
        }
        trial_run(&trial[t]);
        cr_assert_eq(trial[t].result[0].status, LAUNCH_OK, "%s", trial[t].result[0].message);
    }
    for (int k = 0; k < ORDERS; k++) {
        const bool exact = orders[k] == 0 || isinf(orders[k]);
        for (int64_t r = 0; r < rows; r++) {
            const double expected = trial_value(&trial[0], &y[0][k], r, 0);
            const double got = trial_value(&trial[1], &y[1][k], r, 0);
            cr_expect(fabs(got - expected) <= (exact ? 0 : error) * expected, "order %g: %.9g, not %.9g",
                      orders[k], got, expected);
        }
    }
    trial_close(&trial[0]);
    trial_close(&trial[1]);
}

Test(vk_wide_vector_norm, every_dtype_and_length_as_on_portable)
{
    check_like_portable(DTYPE_FLOAT32, 3, 257, 260, 0);
    check_like_portable(DTYPE_FLOAT32, 2, 1, 4, 0);
    check_like_portable(DTYPE_FLOAT16, 2, 777, 784, 8);
    check_like_portable(DTYPE_BFLOAT16, 2, 1031, 1040, 0);
    check_like_portable(DTYPE_FLOAT64, 2, 513, 514, 2);
}

Test(vk_wide_vector_norm, parts_as_on_portable)
{
    check_like_portable(DTYPE_FLOAT32, 2, CHUNK, CHUNK, 0);
    check_like_portable(DTYPE_FLOAT64, 2, 9 * CHUNK + 1, 9 * CHUNK + 2, 0);
    check_like_portable(DTYPE_FLOAT16, 1, 3 * CHUNK - 1, 3 * CHUNK, 0);
}

Test(vk_wide_vector_norm, rows_need_not_be_aligned)
{
    check_like_portable(DTYPE_FLOAT32, 2, 2 * CHUNK + 1, 2 * CHUNK + 1, 1);
    check_like_portable(DTYPE_FLOAT16, 2, 601, 601, 3);
    check_like_portable(DTYPE_FLOAT64, 2, 301, 301, 1);
}

/* Parts become longer so that there are no more than PARTS; the norm of order 1 is exact. */
Test(vk_wide_vector_norm, a_row_of_more_than_the_most_parts)
{
    const int64_t terms = (int64_t)CHUNK * PARTS + 3;
    struct trial trial = trial_on("wide");
    const struct view x = rows_of(&trial, DTYPE_FLOAT32, 1, terms, terms, 0);
    const struct view count = norm_of(&trial, &x, 1, 0), sum = norm_of(&trial, &x, 1, 1),
                      most = norm_of(&trial, &x, 1, INFINITY), two = norm_of(&trial, &x, 1, 2);
    double numbers = 0, total = 0, squares = 0;
    for (int64_t i = 0; i < terms; i++) {
        const double number = (double)(i * 7 % 5 - 1);
        numbers += number != 0;
        total += fabs(number);
        squares += number * number;
    }
    trial_run(&trial);
    cr_expect_eq(trial_value(&trial, &count, 0, 0), numbers);
    cr_expect_eq(trial_value(&trial, &sum, 0, 0), total);
    cr_expect_eq(trial_value(&trial, &most, 0, 0), 3);
    cr_expect_float_eq(trial_value(&trial, &two, 0, 0), sqrt(squares), 1e-5 * sqrt(squares));
    trial_close(&trial);
}

Test(vk_wide_vector_norm, a_row_has_the_same_bits_alone_and_in_a_batch)
{
    enum { ROWS = 5, TERMS = 3 * CHUNK + 5 };
    struct trial trial = trial_on("wide");
    struct view x = rows_of(&trial, DTYPE_FLOAT32, ROWS, TERMS, TERMS, 0), alone, y[2];
    for (int64_t i = 0; i < (int64_t)ROWS * TERMS; i++) {
        program_set(trial.program, &x, i, 0, sin((double)(i + 1)));
    }
    alone = x;
    alone.shape.dim[0] = 1;
    alone.offset = 3 * TERMS;
    y[0] = norm_of(&trial, &x, 1, 2);
    y[1] = norm_of(&trial, &alone, 1, 2);
    trial_run(&trial);
    cr_expect_eq(trial_value(&trial, &y[1], 0, 0), trial_value(&trial, &y[0], 3, 0));
    trial_close(&trial);
}

Test(vk_wide_vector_norm, a_nan_stays_in_its_row)
{
    enum { ROWS = 3, TERMS = 2 * CHUNK };
    struct trial trial = trial_on("wide");
    const struct view x = rows_of(&trial, DTYPE_FLOAT32, ROWS, TERMS, TERMS, 0);
    program_set(trial.program, &x, 2 * TERMS - 1, 0, NAN);
    const struct view two = norm_of(&trial, &x, 1, 2), most = norm_of(&trial, &x, 1, INFINITY);
    trial_run(&trial);
    for (int r = 0; r < ROWS; r++) {
        cr_expect_eq((bool)isnan(trial_value(&trial, &two, r, 0)), r == 1, "row %d", r);
        cr_expect_eq((bool)isnan(trial_value(&trial, &most, r, 0)), r == 1, "row %d", r);
    }
    trial_close(&trial);
}

Test(vk_wide_vector_norm, columns_are_refused_and_computed_by_portable)
{
    struct trial trial = trial_on("wide");
    struct view x = rows_of(&trial, DTYPE_FLOAT32, 300, 3, 3, 0);
    norm_of(&trial, &x, 0, 2);
    trial_run(&trial);
    cr_expect_eq(trial.result[0].status, LAUNCH_UNSUPPORTED);
    trial_close(&trial);
    trial = trial_on(NULL);
    x = rows_of(&trial, DTYPE_FLOAT32, 300, 3, 3, 0);
    const struct view y = norm_of(&trial, &x, 0, INFINITY);
    trial_run(&trial);
    cr_expect_eq(trial_value(&trial, &y, 0, 0), 3);
    trial_untouched(&trial, &y);
    trial_close(&trial);
}
