/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/test/trial.h"

static const struct vk_device_parameters plain = {.no_disk_cache = true};

static uint64_t bits_at(const struct trial *trial, const struct view *view, int64_t i)
{
    return dtype_bits(view->dtype, trial->image[view->storage] + TRIAL_GUARD +
                                       (size_t)view_element(view, i) * dtype_info(view->dtype)->size);
}

static void check_bits(enum dtype dtype, const uint64_t (*row)[2], int64_t rows)
{
    struct trial trial = trial_open(&plain);
    const struct shape shape = shape_of(1, rows);
    const struct view x = program_input(trial.program, dtype, &shape);
    for (int64_t i = 0; i < rows; i++) {
        program_set_bits(trial.program, &x, i, 0, row[i][0]);
    }
    const struct view y = trial_step(&trial, "sgn", 1, &x)->output[0];
    trial_run(&trial);
    cr_assert_eq(trial.result[0].status, LAUNCH_OK, "%s", trial.result[0].message);
    for (int64_t i = 0; i < rows; i++) {
        cr_expect_eq(bits_at(&trial, &y, i), row[i][1], "%s: sgn(0x%llx) = 0x%llx", dtype_info(dtype)->name,
                     (unsigned long long)row[i][0], (unsigned long long)bits_at(&trial, &y, i));
    }
    trial_untouched(&trial, &y);
    trial_close(&trial);
}

#define CHECK(dtype, ...)                                                                                    \
    do {                                                                                                     \
        static const uint64_t row[][2] = {__VA_ARGS__};                                                      \
        check_bits(dtype, row, (int64_t)(sizeof row / sizeof *row));                                         \
    } while (0)

Test(vk_sgn, real_dtypes_by_their_bits) /* zeros, subnormals, ones, infinities, NaN */
{
    CHECK(DTYPE_FLOAT16, {0, 0}, {0x8000, 0x8000}, {1, 0x3c00}, {0x83ff, 0xbc00}, {0x7c00, 0x3c00},
          {0xfc00, 0xbc00}, {0x7e00, 0x7e00}, {0x7c01, 0x7e01});
    CHECK(DTYPE_BFLOAT16, {0, 0}, {0x8000, 0x8000}, {1, 0x3f80}, {0x807f, 0xbf80}, {0x7f80, 0x3f80},
          {0xff80, 0xbf80}, {0xffc0, 0xffc0});
    CHECK(DTYPE_FLOAT32, {0, 0}, {0x80000000, 0x80000000}, {1, 0x3f800000}, {0x80000001, 0xbf800000},
          {0x7f800000, 0x3f800000}, {0xff7fffff, 0xbf800000}, {0x7fc00001, 0x7fc00001});
    CHECK(DTYPE_FLOAT64, {0, 0}, {1ull << 63, 1ull << 63}, {1, 0x3ff0000000000000},
          {0xfff0000000000000, 0xbff0000000000000}, {0x7ff8000000000000, 0x7ff8000000000000});
    CHECK(DTYPE_INT32, {0, 0}, {5, 1}, {0x80000000, 0xffffffff}, {0xffffffff, 0xffffffff});
}

static void check_complex(double a, double b, double x, double y)
{
    struct trial trial = trial_open(&plain);
    const struct shape shape = shape_of(0);
    const struct view z = program_input(trial.program, DTYPE_COMPLEX64, &shape);
    program_set(trial.program, &z, 0, 0, a);
    program_set(trial.program, &z, 0, 1, b);
    const struct view w = trial_step(&trial, "sgn", 1, &z)->output[0];
    trial_run(&trial);
    const double got[2] = {trial_value(&trial, &w, 0, 0), trial_value(&trial, &w, 0, 1)}, want[2] = {x, y};
    for (int c = 0; c < 2; c++) {
        if (isnan(want[c]) || want[c] == 0 || fabs(want[c]) == 1) {
            cr_expect((isnan(want[c]) && isnan(got[c])) ||
                          (got[c] == want[c] && signbit(got[c]) == signbit(want[c])),
                      "sgn(%g, %g)[%d] = %g", a, b, c, got[c]);
        } else {
            cr_expect(fabs(got[c] - want[c]) <= 1e-6, "sgn(%g, %g)[%d] = %.9g", a, b, c, got[c]);
        }
    }
    trial_close(&trial);
}

Test(vk_sgn, complex_ordinary_and_extreme)
{
    check_complex(3, -4, 0.6, -0.8);
    check_complex(3 * 0x1p125, 4 * 0x1p125, 0.6, 0.8);
    check_complex(3 * 0x1p-149, 4 * 0x1p-149, 0.6, 0.8);
    check_complex(0x1p100, -0x1p-100, 1, -0.0);
    check_complex(-7, 0.0, -1, 0.0);
}

Test(vk_sgn, complex_special)
{
    check_complex(-0.0, 0x1p-149, -0.0, 1);
    check_complex(0.0, -0.0, 0.0, -0.0);
    check_complex(NAN, 1, NAN, NAN);
    check_complex(-INFINITY, -1, NAN, -0.0);
    check_complex(INFINITY, INFINITY, NAN, NAN);
}

Test(vk_sgn, strided_views_are_read_in_place)
{
    struct trial trial = trial_open(&plain);
    const int storage = program_storage(trial.program, 40 * sizeof(float));
    const struct view x = {.storage = storage,
                           .dtype = DTYPE_FLOAT32,
                           .shape = shape_of(2, (int64_t)3, (int64_t)2),
                           .stride = {-5, 11},
                           .offset = 13};
    program_define(trial.program, &x);
    for (int i = 0; i < 6; i++) {
        program_set(trial.program, &x, i, 0, i % 2 ? -i : i);
    }
    const struct view y = trial_step(&trial, "sgn", 1, &x)->output[0];
    trial_run(&trial);
    static const double want[] = {0, -1, 1, -1, 1, -1};
    for (int i = 0; i < 6; i++) {
        cr_expect_eq(trial_value(&trial, &y, i, 0), want[i]);
    }
    trial_untouched(&trial, &y);
    trial_close(&trial);
}
