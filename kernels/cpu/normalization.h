/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_KERNELS_CPU_NORMALIZATION_H
#define ASSAY_KERNELS_CPU_NORMALIZATION_H

/* What layer, RMS, group, instance and batch normalization and their gradients compute, as the CPU backend does
 * it, of elements [batch, channels, inner]. */

#include "kernels/cpu/cpu_backend.h"

/* Operands and results; NORMAL, ROW and TAKEN (by running statistics, of each group) are room to work in. */
enum { X, GRAD, WEIGHT, BIAS, MEAN, VARIANCE, Y, DWEIGHT, DBIAS, NORMAL, ROW, TAKEN, TENSORS };

/* How the elements are grouped. */
struct grouping {
    bool centred, over_batch, evaluates, gradient;
    bool updates; /* running statistics, by a group or, where not over_batch, the mean over the samples' */
    int64_t batch, channels, inner, groups, members;
    double eps, momentum;
};

/* `tensor[k]` has no data where it is absent. CPU_OUT_OF_MEMORY with the reason, or CPU_OK. */
enum cpu_status cpu_normalize(const struct grouping *g, const struct cpu_view tensor[TENSORS],
                              struct error *reason);

#endif
