/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_BENCH_BENCH_CHECKED_H
#define ASSAY_HARNESS_BENCH_BENCH_CHECKED_H

/* What the truth, the limits and the verdict of one program cost. No device takes part: each result is the
 * rounded truth, the neighbour on the other side of the truth in two of three elements where rounding may be.
 */

#include "reference/program/program.h"

struct checked {
    double truth;     /* s, of the truth alone; NaN: several threads took its slices in turn */
    double all;       /* s, with limits, verdict and every number of the record */
    double mebibytes; /* by which that made the process larger than it had been, inputs and results there */
    int64_t elements; /* judged */
};

/* False with the reason, also where a result is accused. */
bool checked_measure(const struct program *program, int threads, struct checked *checked,
                     struct error *error);

#endif
