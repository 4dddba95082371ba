/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_BENCH_BENCH_CHECKED_H
#define ASSAY_HARNESS_BENCH_BENCH_CHECKED_H

/* Measures what the truth, the error bounds and the verdict of one program cost. No device takes part: each
 * result is the rounded truth or, in two of three elements of an operator that may err, the neighbour on the
 * other side of the truth. */

#include "reference/program/program.h"

struct checked {
    double truth;     /* seconds for the truth alone; NaN: several threads computed its slices */
    double all;       /* seconds with error bounds, verdict and every number of the record */
    double mebibytes; /* growth of the process's peak memory; inputs and results are not counted */
    int64_t elements; /* judged elements */
};

/* Measures a program. Returns false with the reason, also where a result is reported as wrong. */
bool checked_measure(const struct program *program, int threads, struct checked *checked,
                     struct error *error);

#endif
