/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_KERNELS_VULKAN_LAUNCH_H
#define ASSAY_KERNELS_VULKAN_LAUNCH_H

/* Runs a program on a device: uploads its storages, executes the dispatches of all steps in one command
 * buffer, and downloads the storages. */

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
    char message[256]; /* the reason, unless OK */
};

struct launch {
    const struct program *program;
    size_t guard; /* bytes before and after each storage in its image; a multiple of 256 */
    unsigned char *const
        *image;    /* one per storage, of its bytes + 2·guard; in: contents, out: device memory afterwards */
    bool in_place; /* images of whole pages (storage_pages of reference/program/program.h) may be used
                      zero-copy if the device works in host memory; guard must then be STORAGE_MARGIN */
    struct launch_result
        *result; /* out: one per step. After a step that is neither OK nor REJECTED no other step runs */
    /* The dispatches are executed warm_up times, then `rounds` times (at most VK_ROUNDS_MAX) between two
     * timestamps `repeats` times; 0 and 1: once. Only for programs that may be run more than once. */
    int repeats, warm_up, rounds;
    int64_t device_ns; /* out: device time of one execution of all steps in ns, the median over the rounds; 0
                          if the device has no timestamps */
};

/* Returns false, with the reason, only if the device fails to execute the commands or bookkeeping runs out of
 * host memory. Failures of steps are in launch->result. */
bool vk_launch(struct vk_device *device, struct launch *launch, struct error *error);

#endif
