/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Tests the route tiled (kernels/vulkan/ops/tiled.c). */
#include "kernels/test/integers.h"
#include "kernels/test/trial.h"

static const struct vk_device_parameters tiled = {.no_disk_cache = true, .route = "tiled"};
static const struct vk_device_parameters any = {.no_disk_cache = true};

/* A matrix within a storage that holds NaN all around it, at an element number that breaks the alignment to
 * 16 bytes if `shifted`. */
static struct view matrix(struct trial *trial, enum dtype dtype, int64_t rows, int64_t columns, bool shifted,
                          double (*element)(int64_t i, int64_t j))
{
    const int64_t wide = columns + (shifted ? 3 : 8), before = shifted ? wide + 1 : 4;
    const struct shape all = shape_of(1, before + rows * wide + 4);
    struct view view = program_input(trial->program, dtype, &all);
    for (int64_t i = 0; dtype != DTYPE_INT8 && i < all.dim[0]; i++) {
        program_set(trial->program, &view, i, 0, NAN);
    }
    view.shape = shape_of(2, rows, columns);
    view.offset = before;
    view.stride[0] = wide;
    view.stride[1] = 1;
    for (int64_t i = 0; i < rows * columns; i++) {
        program_set(trial->program, &view, i, 0, element(i / columns, i % columns));
    }
    return view;
}

/* Thirds and sevenths: every sum is rounded. */
static double third(int64_t i, int64_t k)
{
    return ((double)((i * 5 + k * 3) % 23) - 11) / 3;
}

static double seventh(int64_t k, int64_t j)
{
    return ((double)((k * 7 + j) % 19) - 9) / 7;
}

/* Integers, so that every order is exact. Elements of float16 stay below 2048. */
static void check(enum dtype dtype, int64_t rows, int64_t terms, int64_t columns, bool shifted)
{
    struct trial trial = trial_open(&tiled);
    const struct view input[] = {matrix(&trial, dtype, rows, terms, shifted, integer_left),
                                 matrix(&trial, dtype, terms, columns, shifted, integer_right)};
    const struct view y = trial_step(&trial, dtype == DTYPE_INT8 ? "int_mm" : "matmul", 2, input)->output[0];
    trial_run(&trial);
    cr_assert_eq(trial.result[0].status, LAUNCH_OK, "%s", trial.result[0].message);
    for (int64_t e = 0; e < rows * columns; e++) {
        double sum = 0;
        for (int64_t k = 0; k < terms; k++) {
            sum += integer_left(e / columns, k) * integer_right(k, e % columns);
        }
        cr_assert_eq(trial_value(&trial, &y, e, 0), sum, "%s %dx%dx%d, element %d: %g for %g",
                     dtype_info(dtype)->name, (int)rows, (int)terms, (int)columns, (int)e,
                     trial_value(&trial, &y, e, 0), sum);
    }
    trial_untouched(&trial, &y);
    trial_close(&trial);
}

static const enum dtype dtypes[] = {DTYPE_FLOAT16, DTYPE_BFLOAT16, DTYPE_FLOAT32, DTYPE_FLOAT64, DTYPE_INT8};
enum { DTYPES = sizeof dtypes / sizeof *dtypes };

Test(vk_tiled, extents_at_tiles_and_one_beside_takes_seconds)
{
    for (int d = 0; d < DTYPES; d++) {
        check(dtypes[d], 32, 16, 32, false); /* whole tiles, read by vectors */
        check(dtypes[d], 33, 17, 31, false);
        check(dtypes[d], 31, 15, 33, true);
        check(dtypes[d], 65, 33, 63, true);
        check(dtypes[d], 1, 129, 8, true);
        check(dtypes[d], 3, 127, 5, false);
    }
}

Test(vk_tiled, terms_in_parts)
{
    static const int64_t terms[] = {2048, 2049, 3072, 3073};
    for (size_t t = 0; t < sizeof terms / sizeof *terms; t++) {
        check(DTYPE_FLOAT32, 3, terms[t], 7, t % 2);
        check(DTYPE_FLOAT64, 3, terms[t], 7, t % 2);
        check(DTYPE_INT8, 3, terms[t], 7, t % 2);
    }
    check(DTYPE_FLOAT32, 2, 70001, 600, true); /* more than a dispatch takes, of many columns */
}

Test(vk_tiled, no_terms)
{
    check(DTYPE_FLOAT32, 5, 0, 9, false);
    check(DTYPE_INT8, 5, 0, 9, false);
}

/* Fills `bits` with those of the first row of a product of `rows` equal rows. */
static void first_row(enum dtype dtype, int64_t rows, int64_t terms, int64_t columns, uint64_t *bits)
{
    struct trial trial = trial_open(&any);
    const struct view input[] = {matrix(&trial, dtype, rows, terms, rows % 2, third),
                                 matrix(&trial, dtype, terms, columns, false, seventh)};
    const struct view y = trial_step(&trial, "matmul", 2, input)->output[0];
    trial_run(&trial);
    cr_assert_eq(trial.result[0].status, LAUNCH_OK, "%s", trial.result[0].message);
    cr_assert_str_eq(vk_device_routes(trial.device), "tiled");
    for (int64_t j = 0; j < columns; j++) {
        bits[j] = dtype_bits(dtype, trial.image[y.storage] + TRIAL_GUARD +
                                        (size_t)view_element(&y, j) * dtype_info(dtype)->size);
    }
    trial_close(&trial);
}

/* Rows are a batch: their number decides about the tiles, but not about a bit of a result. */
Test(vk_tiled, the_number_of_rows_changes_no_bit_takes_seconds)
{
    static const int64_t rows[] = {1, 2, 33, 300};
    enum { COLUMNS = 65, MOST = 80 };
    static const int64_t terms[] = {300, 2500};
    uint64_t one[MOST], many[MOST];
    for (int d = 0; d < 4; d++) {
        for (size_t t = 0; t < 2; t++) {
            first_row(dtypes[d], rows[0], terms[t], COLUMNS, one);
            for (size_t r = 1; r < sizeof rows / sizeof *rows; r++) {
                first_row(dtypes[d], rows[r], terms[t], COLUMNS, many);
                cr_assert_arr_eq(one, many, COLUMNS * sizeof *one, "%s, %d rows of %d terms",
                                 dtype_info(dtypes[d])->name, (int)rows[r], (int)terms[t]);
            }
        }
    }
}

/* Plain vulkan on a CPU tiles large products alone. */
Test(vk_tiled, pays_for_large_products)
{
    static const int64_t sizes[][2] = {{8, 8}, {127, 128}, {128, 128}};
    static const char *const expected[] = {"portable", "portable", "tiled"};
    for (int s = 0; s < 3; s++) {
        struct trial trial = trial_open(&(struct vk_device_parameters){.selector = "llvmpipe"});
        const struct view input[] = {
            matrix(&trial, DTYPE_FLOAT32, 3, sizes[s][0], false, integer_left),
            matrix(&trial, DTYPE_FLOAT32, sizes[s][0], sizes[s][1], false, integer_right)};
        trial_step(&trial, "matmul", 2, input);
        trial_run(&trial);
        cr_assert_eq(trial.result[0].status, LAUNCH_OK, "%s", trial.result[0].message);
        cr_assert_str_eq(vk_device_routes(trial.device), expected[s]);
        trial_close(&trial);
    }
}

Test(vk_tiled, few_columns_and_terms_are_left_to_other_routes)
{
    struct trial trial = trial_open(&tiled);
    const struct view input[] = {matrix(&trial, DTYPE_FLOAT32, 2, 3, false, integer_left),
                                 matrix(&trial, DTYPE_FLOAT32, 3, 3, false, integer_right)};
    trial_step(&trial, "matmul", 2, input);
    trial_run(&trial);
    cr_assert_eq(trial.result[0].status, LAUNCH_UNSUPPORTED);
    cr_assert_str_eq(trial.result[0].message, "too few columns and terms for a tile");
    trial_close(&trial);
}
