/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_BENCH_KERNEL_MEASURE_H
#define ASSAY_HARNESS_BENCH_KERNEL_MEASURE_H

/* Measures one program on one backend that is open, and keeps or compares its results. */

#include "reference/program/backend.h"

enum kernel_role {
    KERNEL_KEEP,    /* write the results to the file */
    KERNEL_COMPARE, /* compare the results with those in the file */
    KERNEL_TIME     /* neither */
};

struct kernel_measured {
    enum step_status status;
    char message[256];   /* the reason, unless STEP_OK */
    double seconds;      /* on the device, for one run: a median; 0: the backend cannot measure it */
    int rounds, repeats; /* `seconds` is the median of so many rounds of so many runs each */
    bool is_repeated;    /* the backend honours repeats; false: each round is one run, without warm-up */
    bool is_compared;    /* `difference` is there */
    double difference;   /* kernel_difference; of several results the one farthest above its limit */
    double limit;        /* kernel_difference_limit of that result */
    int64_t bytes;       /* of operands and results */
};

/* Runs the program until its time is known: one cold run, and one more if it took less than 0.25 s with the
 * transfer of operands and results, from which the number of repeats follows; then, with one more transfer,
 * 300 ms to warm up and up to five rounds. A round measures up to 50 runs, 5 ms if these are fewer. All
 * rounds together last 10 s at most, unless one does. `file`: a descriptor. */
void kernel_measure(const struct backend_class *class, struct backend *backend, const struct program *program,
                    enum kernel_role role, int file, struct kernel_measured *measured);

/* Returns whether results that differ by so much are those of one function. */
static inline bool kernel_is_near(double difference, double limit)
{
    return difference <= limit; /* false for NaN */
}

#endif
