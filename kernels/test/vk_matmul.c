/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/test/integers.h"
#include "kernels/test/trial.h"

static const struct vk_device_parameters plain = {.no_disk_cache = true};

static struct view filled(struct trial *trial, enum dtype dtype, int64_t rows, int64_t columns,
                          double (*element)(int64_t i, int64_t j))
{
    const struct shape shape = shape_of(2, rows, columns);
    const struct view view = program_input(trial->program, dtype, &shape);
    for (int64_t i = 0; i < rows * columns; i++) {
        program_set(trial->program, &view, i, 0, element(i / columns, i % columns));
    }
    return view;
}

/* Integers, so that every order is exact: terms beyond several dispatches. mv: of one column. */
static void check_terms(enum dtype dtype, int64_t terms, bool vector)
{
    enum { M = 3 };
    const int64_t columns = vector ? 1 : 2;
    struct trial trial = trial_open(&plain);
    struct view input[] = {filled(&trial, dtype, M, terms, integer_left),
                           filled(&trial, dtype, terms, columns, integer_right)};
    input[1].shape.rank = vector ? 1 : 2;
    const struct view y = trial_step(&trial, vector ? "mv" : "matmul", 2, input)->output[0];
    trial_run(&trial);
    cr_assert_eq(trial.result[0].status, LAUNCH_OK, "%s", trial.result[0].message);
    for (int64_t e = 0; e < M * columns; e++) {
        double sum = 0;
        for (int64_t k = 0; k < terms; k++) {
            sum += integer_left(e / columns, k) * integer_right(k, e % columns);
        }
        cr_expect_eq(trial_value(&trial, &y, e, 0), sum, "%s, %d terms, element %d", dtype_info(dtype)->name,
                     (int)terms, (int)e);
    }
    trial_untouched(&trial, &y);
    trial_close(&trial);
}

Test(vk_matmul, terms_of_several_dispatches)
{
    static const int64_t terms[] = {0, 1, 127, 129, 32768, 32769, 100003};
    for (size_t t = 0; t < sizeof terms / sizeof *terms; t++) {
        check_terms(DTYPE_FLOAT32, terms[t], false);
        check_terms(DTYPE_FLOAT64, terms[t], false);
    }
    check_terms(DTYPE_FLOAT32, 32768 * 128 + 9, true);
    check_terms(DTYPE_FLOAT64, 32768 * 64 + 129, true);
}

/* 65504 stays, 65520 is infinite, 2049 is a tie; bfloat16 takes 257 for 256. */
Test(vk_matmul, autocast_rounds_to_nearest_even)
{
    static const double x[] = {65504, 65520, 2049, 2051, 257, 0x1p-25};
    static const double half[] = {65504, INFINITY, 2048, 2052, 257, 0},
                        brain[] = {65536, 65536, 2048, 2048, 256, 0x1p-25};
    for (int code = 10; code <= 16; code += 6) {
        struct trial trial = trial_open(&plain);
        const struct shape column = shape_of(2, (int64_t)6, (int64_t)1),
                           one = shape_of(2, (int64_t)1, (int64_t)1);
        const struct view input[] = {program_input(trial.program, DTYPE_FLOAT32, &column),
                                     program_input(trial.program, DTYPE_FLOAT32, &one)};
        const struct attributes to = {
            .count = 1, .item = {{.name = "dtype", .type = ATTRIBUTE_INTEGER, .integer = code}}};
        for (int i = 0; i < 6; i++) {
            program_set(trial.program, &input[0], i, 0, x[i]);
        }
        program_set(trial.program, &input[1], 0, 0, 1);
        const struct step *step = program_step(trial.program, op_find("autocast_matmul"), &to, 2, input);
        cr_assert(step);
        const struct view y = step->output[0];
        trial_run(&trial);
        for (int i = 0; i < 6; i++) {
            cr_expect_eq(trial_value(&trial, &y, i, 0), code == 10 ? half[i] : brain[i], "%g to %d", x[i],
                         code);
        }
        trial_close(&trial);
    }
}
