/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_KERNELS_VULKAN_LAUNCH_H
#define ASSAY_KERNELS_VULKAN_LAUNCH_H

/* Running a program: storages up, every step's dispatches in one command buffer, storages down. */

#include "kernels/vulkan/device.h"
#include "reference/program/program.h"

enum launch_status { /* in the order of reference/program/backend.h's enum step_status */
                     LAUNCH_OK,
                     LAUNCH_REJECTED,
                     LAUNCH_UNSUPPORTED,
                     LAUNCH_OUT_OF_MEMORY,
                     LAUNCH_ERROR,
                     LAUNCH_NOT_RUN
};

struct launch_result {
    enum launch_status status;
    char message[256]; /* why, unless OK */
};

struct launch {
    const struct program *program;
    size_t guard; /* bytes before and after each storage in its image; a multiple of 256 */
    unsigned char *const
        *image;    /* one per storage, its bytes + 2·guard long; in: contents, out: device memory after */
    bool in_place; /* images that are whole pages, storage_pages of reference/program/program.h, may be device memory
                      where the device works in memory of the host; guard is then STORAGE_MARGIN */
    struct launch_result
        *result;       /* out: one per step. A step that is neither OK nor REJECTED ends the program */
    int64_t device_ns; /* out: time of all steps on the device; 0 where it has no timestamps */
};

/* False only when the device is lost or memory for bookkeeping is missing. */
bool vk_launch(struct vk_device *device, struct launch *launch, struct error *error);

#endif
