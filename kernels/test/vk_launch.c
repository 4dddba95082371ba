/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/test/trial.h"
#include "kernels/vulkan/internal.h"

static struct view filled(struct trial *trial, enum dtype dtype, int64_t elements, double value)
{
    const struct shape shape = shape_of(1, elements);
    const struct view view = program_input(trial->program, dtype, &shape);
    for (int64_t i = 0; i < elements; i++) {
        program_set(trial->program, &view, i, 0, value);
    }
    return view;
}

/* x += 3 y, sgn(x) → z, x *= y; then what a rejection in between leaves alone. */
static void chain(const struct vk_device_parameters *parameters)
{
    struct trial trial = trial_open(parameters);
    const struct view x = filled(&trial, DTYPE_FLOAT32, 1000, -2),
                      y = filled(&trial, DTYPE_FLOAT32, 1000, 0.5);
    struct view shifted = x;
    shifted.shape.dim[0] = 999;
    struct view rest = shifted;
    rest.offset = 1;
    struct step *step = trial_step(&trial, "add_", 2, (struct view[]){x, y});
    step->attributes = (struct attributes){1, {{.name = "alpha", .type = ATTRIBUTE_INTEGER, .integer = 3}}};
    const struct view z = trial_step(&trial, "sgn", 1, &x)->output[0];
    trial_step(&trial, "add_", 2, (struct view[]){rest, shifted});
    trial_step(&trial, "mul_", 2, (struct view[]){x, y});
    for (int repeat = 0; repeat < 3; repeat++) {
        trial_run(&trial);
        cr_assert_eq(trial.result[0].status, LAUNCH_OK, "%s", trial.result[0].message);
        cr_assert_eq(trial.result[2].status, LAUNCH_REJECTED);
        cr_assert_eq(trial.result[3].status, LAUNCH_OK);
        for (int64_t i = 0; i < 1000; i++) {
            cr_assert_eq(trial_value(&trial, &x, i, 0), -0.25);
            cr_assert_eq(trial_value(&trial, &z, i, 0), -1);
        }
        cr_assert_gt(trial.device_ns, 0);
    }
    struct vk_memory_counters counters;
    vk_device_memory(trial.device, &counters);
    cr_expect_leq(counters.allocated, 4096, "only the argument block stays");
    cr_expect_gt(counters.peak, 12000);
    vk_device_empty_cache(trial.device);
    trial_run(&trial);
    cr_assert_eq(trial_value(&trial, &x, 999, 0), -0.25);
    trial_close(&trial);
}

Test(vk_launch, chain_on_mapped_memory)
{
    chain(&(struct vk_device_parameters){.no_disk_cache = true});
}

Test(vk_launch, chain_through_staging)
{
    chain(&(struct vk_device_parameters){.no_disk_cache = true, .staging = true});
}

Test(vk_launch, many_dispatches_through_staging)
{
    struct trial trial = trial_open(&(struct vk_device_parameters){.no_disk_cache = true, .staging = true});
    const struct shape shape = shape_of(2, (int64_t)80, (int64_t)80);
    const struct view a = program_input(trial.program, DTYPE_FLOAT64, &shape);
    for (int64_t i = 0; i < 80; i++) {
        program_set(trial.program, &a, 80 * i + 79 - i, 0, 2);
    }
    const struct view y = trial_step(&trial, "logdet", 1, &a)->output[0];
    trial_run(&trial);
    cr_assert_eq(trial_value(&trial, &y, 0, 0), 80 * log(2));
    trial_untouched(&trial, &y);
    trial_close(&trial);
}

Test(vk_launch, out_of_memory_is_an_answer)
{
    struct trial trial =
        trial_open(&(struct vk_device_parameters){.no_disk_cache = true, .memory_fraction = 1e-9});
    const struct view x = filled(&trial, DTYPE_FLOAT32, 4096, 1);
    trial_step(&trial, "sgn", 1, &x);
    trial_step(&trial, "sgn", 1, &x);
    trial_run(&trial);
    cr_assert_eq(trial.result[0].status, LAUNCH_OUT_OF_MEMORY);
    cr_assert(strstr(trial.result[0].message, "out of device memory"), "%s", trial.result[0].message);
    cr_assert_eq(trial.result[1].status, LAUNCH_NOT_RUN);
    trial_close(&trial);
}

Test(vk_launch, scratch_out_of_memory_is_an_answer)
{
    struct trial trial = trial_open(&(struct vk_device_parameters){.no_disk_cache = true});
    struct vk_memory_counters counters;
    vk_device_memory(trial.device, &counters);
    const double fraction = 0.75 * 1024 * 1024 * 0.9 / (double)counters.limit; /* of the heap: 0.75 MiB */
    vk_device_destroy(&trial.device);
    trial.device = vk_device_create(
        &(struct vk_device_parameters){.no_disk_cache = true, .memory_fraction = fraction}, NULL);
    cr_assert(trial.device);
    const struct shape shape = shape_of(2, (int64_t)350, (int64_t)350); /* 479 KiB, twice */
    const struct view a = program_input(trial.program, DTYPE_FLOAT32, &shape);
    trial_step(&trial, "logdet", 1, &a);
    trial_run(&trial);
    cr_assert_eq(trial.result[0].status, LAUNCH_OUT_OF_MEMORY, "%s", trial.result[0].message);
    vk_device_memory(trial.device, &counters);
    cr_assert_leq(counters.allocated, 4096, "nothing is held after a failure");
    trial_close(&trial);
}

Test(vk_launch, views_outside_their_storage_are_refused)
{
    struct trial trial = trial_open(&(struct vk_device_parameters){.no_disk_cache = true});
    const struct view x = filled(&trial, DTYPE_FLOAT32, 8, 1);
    struct step *step = trial_step(&trial, "sgn", 1, &x);
    step->input[0].offset = 1;
    trial_run(&trial);
    cr_assert_eq(trial.result[0].status, LAUNCH_ERROR);
    cr_assert(strstr(trial.result[0].message, "leaves its storage"));
    trial_close(&trial);
}

Test(vk_launch, grids_beyond_one_dimension)
{
    struct trial trial = trial_open(&(struct vk_device_parameters){.no_disk_cache = true});
    const struct shape shape =
        shape_of(3, (int64_t)70000, (int64_t)1, (int64_t)1); /* a workgroup per matrix */
    const struct view a = program_input(trial.program, DTYPE_FLOAT32, &shape);
    program_set(trial.program, &a, 65535, 0, 2);
    program_set(trial.program, &a, 69999, 0, 4);
    const struct view y = trial_step(&trial, "logdet", 1, &a)->output[0];
    trial_run(&trial);
    cr_assert_eq(trial_value(&trial, &y, 0, 0), -INFINITY);
    cr_assert_eq(trial_value(&trial, &y, 65535, 0), (float)log(2));
    cr_assert_eq(trial_value(&trial, &y, 69999, 0), (float)log(4));
    trial_close(&trial);
}

/* If the device works in host memory, images of whole pages are used zero-copy, and nothing stays allocated;
 * otherwise they are copied. The results are the same. */
static void on_pages(const struct vk_device_parameters *parameters)
{
    enum { ELEMENTS = 1 << 19 };
    struct trial trial = trial_open(parameters);
    const struct view x = filled(&trial, DTYPE_FLOAT32, ELEMENTS, 3),
                      small = filled(&trial, DTYPE_FLOAT32, 8, 2);
    const struct view y = trial_step(&trial, "neg", 1, &x)->output[0],
                      z = trial_step(&trial, "neg", 1, &small)->output[0];
    struct vk_device_usage before, after;
    struct vk_memory_counters counters;
    trial.in_place = true;
    trial_run(&trial);
    vk_device_usage(trial.device, &before);
    trial_run(&trial);
    vk_device_usage(trial.device, &after);
    vk_device_memory(trial.device, &counters);
    for (int k = 0; k < after.kinds; k++) {
        cr_expect_eq(after.kind[k].live, before.kind[k].live, "%s", after.kind[k].name);
    }
    cr_expect_leq(counters.allocated, 4096, "only the argument block stays");
    if (trial.device->direct && trial.device->physical.import_alignment) {
        cr_expect_lt(counters.peak, 65536);
    } else {
        cr_expect_gt(counters.peak, 2 * sizeof(float) * ELEMENTS);
    }
    for (int64_t i = 0; i < ELEMENTS; i++) {
        cr_assert_eq(trial_value(&trial, &y, i, 0), -3);
    }
    cr_expect_eq(trial_value(&trial, &z, 7, 0), -2);
    cr_expect_arr_eq(trial.image[x.storage] + TRIAL_GUARD, trial.program->storage[x.storage].data,
                     sizeof(float) * ELEMENTS);
    for (size_t i = 0; i < TRIAL_GUARD; i++) {
        cr_assert_eq(trial.image[y.storage][i], TRIAL_FILLER);
        cr_assert_eq(trial.image[y.storage][TRIAL_GUARD + sizeof(float) * ELEMENTS + i], TRIAL_FILLER);
    }
    trial_close(&trial);
}

Test(vk_launch, images_that_are_pages)
{
    on_pages(&(struct vk_device_parameters){.no_disk_cache = true});
}

Test(vk_launch, images_that_are_pages_through_staging)
{
    on_pages(&(struct vk_device_parameters){.no_disk_cache = true, .staging = true});
}
