/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Tests functions of one float32 number that are computed two elements at a time if there are many elements
 * that form aligned pairs (kernels/vulkan/dispatch.c). */
#include "kernels/test/trial.h"

enum { MANY = 1 << 18 };

static const struct vk_device_parameters plain = {.no_disk_cache = true};

static double element(int64_t i)
{
    return (double)(i * 17 % 8191) - 4095.5;
}

/* `count` numbers `step` apart from number `from` on of a storage that holds more. */
static struct view window(struct trial *trial, int64_t from, int64_t count, int64_t step, bool filled)
{
    const int64_t room = from + (count - 1) * step + 4;
    struct shape shape = {.rank = 1, .dim = {room}};
    struct view view = filled ? program_input(trial->program, DTYPE_FLOAT32, &shape)
                              : program_output(trial->program, DTYPE_FLOAT32, &shape);
    for (int64_t i = 0; filled && i < room; i++) {
        program_set(trial->program, &view, i, 0, (double)i);
    }
    view.shape.dim[0] = count;
    view.offset = from;
    view.stride[0] = step;
    for (int64_t i = 0; filled && i < count; i++) {
        program_set(trial->program, &view, i, 0, element(i));
    }
    return view;
}

/* floor of operands from number `from` on, `step` apart; results from number `to` on, `apart` apart. */
static void check(int64_t count, int64_t from, int64_t to, int64_t step, int64_t apart)
{
    struct trial trial = trial_open(&plain);
    const struct view x = window(&trial, from, count, step, true),
                      y = window(&trial, to, count, apart, false);
    trial_step(&trial, "floor", 1, &x)->output[0] = y;
    trial_run(&trial);
    cr_assert_eq(trial.result[0].status, LAUNCH_OK, "%s", trial.result[0].message);
    for (int64_t i = 0; i < count; i++) {
        cr_assert_eq(trial_value(&trial, &y, i, 0), floor(element(i)), "%d of %d, from %d to %d", (int)i,
                     (int)count, (int)from, (int)to);
    }
    trial_untouched(&trial, &y);
    trial_close(&trial);
}

Test(vk_pairs, from_even_elements_on)
{
    check(MANY, 0, 0, 1, 1);
    check(MANY + 2, 6, 2, 1, 1);
}

Test(vk_pairs, none_from_odd_elements_on)
{
    check(MANY, 1, 0, 1, 1);
    check(MANY, 0, 1, 1, 1);
    check(MANY, 3, 1, 1, 1);
}

Test(vk_pairs, an_odd_count_has_a_last_one)
{
    check(MANY + 1, 0, 0, 1, 1);
}

Test(vk_pairs, none_where_elements_lie_apart)
{
    check(MANY, 0, 0, 2, 1);
    check(MANY, 0, 0, 1, 2);
}
