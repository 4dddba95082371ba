/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_BENCH_KERNEL_WORKER_H
#define ASSAY_HARNESS_BENCH_KERNEL_WORKER_H

/* A process that holds one backend and measures rows on it (kernel_measure.h). It lives for many rows,
 * because some backends take seconds to open; a backend that crashes or hangs costs one row. */

#include "harness/bench/kernel_measure.h"

#include <sys/types.h>

struct kernel_hello {
    bool is_open;
    char why[256]; /* the reason, unless it is open */
    char device[256];
    uint64_t memory_bytes; /* of the device; 0: unknown */
    double copy_rate;      /* bytes read and written per second by a copy; 0: not measured */
};

struct kernel_worker {
    const char *backend; /* as --backend takes it */
    pid_t pid;           /* 0: not running */
    int line;            /* a socket to the process */
    struct kernel_hello hello;
};

/* What all processes share. */
struct kernel_workers {
    int count;
    struct kernel_worker *worker;
    int file; /* the kept results: a descriptor */
    int64_t scale;
    uint64_t seed;
};

/* Starts the process of worker `index` and fills its `hello`. Returns false with the reason in hello.why. */
bool kernel_worker_start(const struct kernel_workers *workers, int index);

/* Measures a row. Restarts the process if it is not running. A process that ends or takes longer than
 * KERNEL_SECONDS is reported as STEP_CRASHED. */
enum { KERNEL_SECONDS = 600 };
void kernel_worker_measure(const struct kernel_workers *workers, int index, int row, enum kernel_role role,
                           struct kernel_measured *measured);

/* Returns whether a row of so many bytes fits in the memory of the device (0: unknown) and in the free memory
 * of this machine (0: unknown), which also holds the images and what the driver or a program behind the
 * backend copies. Else sets the status and the reason. */
bool kernel_fits(int64_t bytes, uint64_t device, int64_t host, struct kernel_measured *measured);

void kernel_worker_stop(struct kernel_worker *worker); /* does nothing if it is not running */

#endif
