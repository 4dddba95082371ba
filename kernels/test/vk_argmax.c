/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/test/trial.h"

static const struct vk_device_parameters plain = {.no_disk_cache = true};

static int64_t place(const struct trial *trial, const struct view *y, int64_t i)
{
    int64_t got;
    memcpy(&got, trial->image[y->storage] + TRIAL_GUARD + (size_t)view_element(y, i) * sizeof got,
           sizeof got);
    return got;
}

static struct view leader(struct trial *trial, const char *name, const struct view *x, int64_t dim)
{
    const struct attributes attributes = {
        .count = dim < RANK_MAX, .item = {{.name = "dim", .type = ATTRIBUTE_INTEGER, .integer = dim}}};
    return program_step(trial->program, op_find(name), &attributes, 1, x)->output[0];
}

/* 74 parts of one row: the leading element in the first, a middle and the last one. */
Test(vk_argmax, many_parts_are_joined)
{
    enum { COUNT = 300001 };
    static const int64_t places[] = {5, 150007, COUNT - 1};
    struct trial trial = trial_open(&plain);
    const struct shape shape = shape_of(1, (int64_t)COUNT);
    struct view y[3];
    for (int k = 0; k < 3; k++) {
        const struct view x = program_input(trial.program, DTYPE_FLOAT32, &shape);
        program_set(trial.program, &x, places[k], 0, k == 1 ? -1e-40 : 1e-40);
        y[k] = leader(&trial, k == 1 ? "argmin" : "argmax", &x, RANK_MAX);
    }
    trial_run(&trial);
    for (int k = 0; k < 3; k++) {
        cr_assert_eq(trial.result[k].status, LAUNCH_OK, "%s", trial.result[k].message);
        cr_expect_eq(place(&trial, &y[k], 0), places[k], "%lld", (long long)place(&trial, &y[k], 0));
    }
    trial_close(&trial);
}

/* Of equal elements the first, in whatever part and invocation it is. */
Test(vk_argmax, the_first_of_several_is_taken)
{
    enum { COUNT = 9001 };
    static const int64_t places[][2] = {{0, COUNT - 1}, {63, 64}, {4095, 4096}, {130, 131}};
    struct trial trial = trial_open(&plain);
    const struct shape shape = shape_of(1, (int64_t)COUNT);
    struct view y[4];
    for (int k = 0; k < 4; k++) {
        const struct view x = program_input(trial.program, DTYPE_INT32, &shape);
        for (int64_t i = 0; i < 2; i++) {
            program_set(trial.program, &x, places[k][i], 0, k % 2 ? -3 : 3);
        }
        y[k] = leader(&trial, k % 2 ? "argmin" : "argmax", &x, 0);
    }
    trial_run(&trial);
    for (int k = 0; k < 4; k++) {
        cr_expect_eq(place(&trial, &y[k], 0), places[k][0], "%d: %lld", k,
                     (long long)place(&trial, &y[k], 0));
    }
    trial_close(&trial);
}

/* Dimensions of more than six are joined, none that is reduced with one that is not. */
Test(vk_argmax, eight_dimensions)
{
    struct trial trial = trial_open(&plain);
    const struct shape shape = shape_of(8, (int64_t)2, (int64_t)1, (int64_t)2, (int64_t)3, (int64_t)2,
                                        (int64_t)1, (int64_t)2, (int64_t)2);
    const struct view x = program_input(trial.program, DTYPE_FLOAT32, &shape);
    for (int64_t i = 0; i < 96;
         i++) { /* along dimension 3, 8 elements apart, the greatest is at (i % 8) % 3 */
        program_set(trial.program, &x, i, 0, i / 8 % 3 == i % 8 % 3 ? 2 : 1);
    }
    const struct view y = leader(&trial, "argmax", &x, 3), all = leader(&trial, "argmin", &x, RANK_MAX);
    trial_run(&trial);
    cr_assert_eq(trial.result[0].status, LAUNCH_OK, "%s", trial.result[0].message);
    for (int64_t i = 0; i < 32; i++) {
        cr_expect_eq(place(&trial, &y, i), i % 8 % 3, "%lld", (long long)i);
    }
    cr_expect_eq(place(&trial, &all, 0), 1);
    trial_close(&trial);
}
