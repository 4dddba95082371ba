/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/test/trial.h"

static const struct vk_device_parameters plain = {.no_disk_cache = true};

static struct attributes size_of(int64_t rows, int64_t columns)
{
    return (struct attributes){
        .count = 1,
        .item = {
            {.name = "size", .type = ATTRIBUTE_INTEGERS, .integers = {.count = 2, .item = {rows, columns}}}}};
}

static struct step *sparse_step(struct trial *trial, const char *name, int64_t rows, int64_t columns,
                                int inputs, const struct view *input)
{
    const struct attributes size = size_of(rows, columns);
    struct step *step = program_step(trial->program, op_find(name), &size, inputs, input);
    cr_assert(step);
    return step;
}

static void set_place(struct trial *trial, const struct view *indices, int64_t p, int64_t row, int64_t column)
{
    program_set_bits(trial->program, indices, p, 0, (uint64_t)row);
    program_set_bits(trial->program, indices, indices->shape.dim[1] + p, 0, (uint64_t)column);
}

/* Integers, so that every order of summation is exact: many entries, rows beyond 2^16, each row's sum known.
 */
Test(vk_sparse, a_large_matrix_is_summed_row_by_row)
{
    enum { ROWS = 65537, COLUMNS = 11, ENTRIES = 150000 };
    struct trial trial = trial_open(&plain);
    const struct shape places = shape_of(2, (int64_t)2, (int64_t)ENTRIES),
                       one = shape_of(1, (int64_t)ENTRIES), vector = shape_of(1, (int64_t)COLUMNS);
    const struct view input[] = {program_input(trial.program, DTYPE_INT64, &places),
                                 program_input(trial.program, DTYPE_FLOAT32, &one),
                                 program_input(trial.program, DTYPE_FLOAT32, &vector)};
    double *sum = calloc(ROWS, sizeof *sum);
    for (int64_t c = 0; c < COLUMNS; c++) {
        program_set(trial.program, &input[2], c, 0, (double)(c - 5));
    }
    for (int64_t p = 0; p < ENTRIES; p++) {
        const int64_t row = p * 40503 % ROWS, column = p * 7 % COLUMNS;
        const double v = (double)(p % 13) - 6;
        set_place(&trial, &input[0], p, row, column);
        program_set(trial.program, &input[1], p, 0, v);
        sum[row] += v * (double)(column - 5);
    }
    const struct view y = sparse_step(&trial, "sparse_mv", ROWS, COLUMNS, 3, input)->output[0];
    trial_run(&trial);
    cr_assert_eq(trial.result[0].status, LAUNCH_OK, "%s", trial.result[0].message);
    for (int64_t r = 0; r < ROWS; r++) {
        cr_assert_eq(trial_value(&trial, &y, r, 0), sum[r], "row %d", (int)r);
    }
    trial_untouched(&trial, &y);
    free(sum);
    trial_close(&trial);
}

/* 70,000 duplicates in one of two places: counted by a workgroup, numbered by the scan. */
Test(vk_sparse, many_duplicates_are_one_entry)
{
    enum { ENTRIES = 70001 };
    struct trial trial = trial_open(&plain);
    const struct shape places = shape_of(2, (int64_t)2, (int64_t)ENTRIES),
                       one = shape_of(1, (int64_t)ENTRIES);
    const struct view input[] = {program_input(trial.program, DTYPE_INT32, &places),
                                 program_input(trial.program, DTYPE_FLOAT64, &one)};
    for (int64_t p = 0; p < ENTRIES; p++) {
        set_place(&trial, &input[0], p, 4, p == 77 ? 2 : 8);
        program_set(trial.program, &input[1], p, 0, p == 77 ? 0.1 : 1);
    }
    const struct step *step = sparse_step(&trial, "coalesce", 5, 9, 2, input);
    const struct view indices = step->output[0], values = step->output[1];
    cr_assert_eq(values.shape.dim[0], 2);
    trial_run(&trial);
    cr_assert_eq(trial.result[0].status, LAUNCH_OK, "%s", trial.result[0].message);
    const double wanted[] = {4, 4, 2, 8};
    for (int64_t i = 0; i < 4; i++) {
        cr_expect_eq(trial_value(&trial, &indices, i, 0), wanted[i]);
    }
    cr_expect_eq(trial_value(&trial, &values, 0, 0), 0.1);
    cr_expect_eq(trial_value(&trial, &values, 1, 0), ENTRIES - 1);
    trial_close(&trial);
}

/* The host cannot see indices that an earlier step computes: the kernel passes over those out of range, and
 * reads nothing for them. */
Test(vk_sparse, computed_indices_out_of_range_take_no_part)
{
    struct trial trial = trial_open(&plain);
    const struct shape places = shape_of(2, (int64_t)2, (int64_t)3), three = shape_of(1, (int64_t)3),
                       dense = shape_of(2, (int64_t)3, (int64_t)1);
    const struct view input[] = {program_input(trial.program, DTYPE_INT64, &places),
                                 program_input(trial.program, DTYPE_FLOAT32, &three)};
    set_place(&trial, &input[0], 0, 2, 1);
    set_place(&trial, &input[0], 1, 1000000000, 0);
    set_place(&trial, &input[0], 2, (int64_t)1 << 40, 1);
    for (int64_t p = 0; p < 3; p++) {
        program_set(trial.program, &input[1], p, 0, (double)(p + 3));
    }
    const struct step *turned =
        sparse_step(&trial, "sparse_transpose", (int64_t)1 << 30, 2, 2, input); /* refused: 2^40 */
    cr_assert_eq(turned->expect, EXPECT_REJECTION);
    trial.program->steps = 0;
    set_place(&trial, &input[0], 2, 1 << 29, 1);
    turned = sparse_step(&trial, "sparse_transpose", (int64_t)1 << 30, 2, 2, input);
    const struct view next[] = {turned->output[0], turned->output[1],
                                program_input(trial.program, DTYPE_FLOAT32, &dense)};
    for (int64_t r = 0; r < 3; r++) {
        program_set(trial.program, &next[2], r, 0, 10);
    }
    const struct view y = sparse_step(&trial, "sparse_mm", 2, 3, 3, next)->output[0];
    trial_run(&trial);
    cr_assert_eq(trial.result[1].status, LAUNCH_OK, "%s", trial.result[1].message);
    cr_expect_eq(trial_value(&trial, &y, 0, 0), 0);
    cr_expect_eq(trial_value(&trial, &y, 1, 0), 30);
    trial_close(&trial);
}

Test(vk_sparse, places_outside_the_matrix_are_rejected)
{
    static const struct {
        int64_t row, column;
    } places[] = {{3, 0}, {-1, 0}, {0, 4}, {0, -1}, {0, ((int64_t)1 << 32) + 1}, {(int64_t)1 << 33, 0}};
    const struct shape one = shape_of(2, (int64_t)2, (int64_t)1), value = shape_of(1, (int64_t)1);
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        struct trial trial = trial_open(&plain);
        const struct view input[] = {program_input(trial.program, DTYPE_INT64, &one),
                                     program_input(trial.program, DTYPE_FLOAT32, &value)};
        set_place(&trial, &input[0], 0, places[k].row, places[k].column);
        sparse_step(&trial, "to_dense", 3, 4, 2, input);
        trial_run(&trial);
        cr_expect_eq(trial.result[0].status, LAUNCH_REJECTED, "place %zu", k);
        cr_expect(trial.result[0].message[0]);
        trial_close(&trial);
    }
}
