/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_KERNELS_TEST_TRIAL_H
#define ASSAY_KERNELS_TEST_TRIAL_H

/* Runs a program on a device for a test.
 *
 * A test opens a trial, builds trial.program, calls trial_run, reads results with trial_value, checks with
 * trial_untouched that nothing else was written, and closes the trial. An error fails the test. */

#include "kernels/vulkan/launch.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TRIAL_GUARD = STORAGE_MARGIN, TRIAL_FILLER = 0xA5, TRIAL_STORAGES = 12, TRIAL_STEPS = 8 };

struct trial {
    struct vk_device *device;
    struct program *program;
    unsigned char *image[TRIAL_STORAGES];
    bool in_place;
    struct launch_result result[TRIAL_STEPS];
    int64_t device_ns;
};

static inline struct trial trial_open(const struct vk_device_parameters *parameters)
{
    struct error error = {0};
    struct trial trial = {.device = vk_device_create(parameters, &error), .program = program_create()};
    cr_assert(trial.device, "%s", error.text);
    cr_assert(trial.program);
    return trial;
}

/* Fills the images with the program's defined bytes, and with filler elsewhere and in the guards, and runs
 * all steps. */
static inline void trial_run(struct trial *trial)
{
    struct error error = {0};
    const struct program *program = trial->program;
    cr_assert(program->storages <= TRIAL_STORAGES && program->steps <= TRIAL_STEPS);
    for (int s = 0; s < program->storages; s++) {
        const struct storage *storage = &program->storage[s];
        free(trial->image[s]);
        trial->image[s] = storage_allocate(storage->bytes);
        cr_assert(trial->image[s]);
        memset(trial->image[s], TRIAL_FILLER, storage->bytes + 2 * TRIAL_GUARD);
        for (size_t i = 0; i < storage->bytes; i++) {
            if (storage_defined(storage, i)) {
                trial->image[s][TRIAL_GUARD + i] = storage->data[i];
            }
        }
    }
    struct launch launch = {.program = program,
                            .guard = TRIAL_GUARD,
                            .image = trial->image,
                            .in_place = trial->in_place,
                            .result = trial->result};
    cr_assert(vk_launch(trial->device, &launch, &error), "%s", error.text);
    trial->device_ns = launch.device_ns;
}

/* Checks that no byte outside the view `written` has changed, guards included. With storage −1 in `written`,
 * no byte may have changed. */
static inline void trial_untouched(const struct trial *trial, const struct view *written)
{
    for (int s = 0; s < trial->program->storages; s++) {
        const struct storage *storage = &trial->program->storage[s];
        const size_t bytes = storage->bytes, size = dtype_info(written->dtype)->size;
        unsigned char *free_of = calloc(bytes + 2 * TRIAL_GUARD, 1);
        for (int64_t i = 0; s == written->storage && i < shape_elements(&written->shape); i++) {
            memset(free_of + TRIAL_GUARD + (size_t)view_element(written, i) * size, 1, size);
        }
        for (size_t i = 0; i < bytes + 2 * TRIAL_GUARD; i++) {
            const bool inner = i >= TRIAL_GUARD && i < TRIAL_GUARD + bytes;
            const unsigned char expected = inner && storage_defined(storage, i - TRIAL_GUARD)
                                               ? storage->data[i - TRIAL_GUARD]
                                               : TRIAL_FILLER;
            if (!free_of[i]) {
                cr_assert_eq(trial->image[s][i], expected, "storage %d byte %zu was overwritten", s, i);
            }
        }
        free(free_of);
    }
}

/* Returns component c of element i of the view after the run. */
static inline double trial_value(const struct trial *trial, const struct view *view, int64_t i, int c)
{
    const struct dtype_info *info = dtype_info(view->dtype);
    return dtype_load(info->component, trial->image[view->storage] + TRIAL_GUARD +
                                           (size_t)view_element(view, i) * info->size +
                                           (size_t)c * dtype_info(info->component)->size);
}

static inline void trial_close(struct trial *trial)
{
    for (int s = 0; s < TRIAL_STORAGES; s++) {
        free(trial->image[s]);
    }
    program_destroy(&trial->program);
    vk_device_destroy(&trial->device);
}

/* Adds a step of the operator `name`, without attributes, and returns it. */
static inline struct step *trial_step(struct trial *trial, const char *name, int inputs,
                                      const struct view *input)
{
    const struct op *op = op_find(name);
    cr_assert(op);
    struct step *step = program_step(trial->program, op, &(struct attributes){0}, inputs, input);
    cr_assert(step);
    return step;
}

#endif
