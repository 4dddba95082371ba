/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_KERNELS_CPU_NORMALIZATION_H
#define ASSAY_KERNELS_CPU_NORMALIZATION_H

/* Layer, RMS, group, instance and batch normalization of the CPU backend, and their gradients. All of them
 * are one computation on elements [batch, channels, inner], which ops/normalization.c describes by a struct
 * grouping. */

#include "kernels/cpu/cpu_backend.h"

/* Places of the operands and results in an array of tensors. NORMAL, ROW and TAKEN are working memory:
 * normalized elements, terms of a sum, and the contribution of each group to the running statistics. */
enum { X, GRAD, WEIGHT, BIAS, MEAN, VARIANCE, Y, DWEIGHT, DBIAS, NORMAL, ROW, TAKEN, TENSORS };

/* Which elements have common statistics, and what is computed: centred, the mean is subtracted; over_batch, a
 * group is a channel in all samples, else it lies within one sample; evaluates, the given mean and variance
 * are used in place of those of the group. */
struct grouping {
    bool centred, over_batch, evaluates, gradient;
    bool updates; /* updates the running statistics: by those of the channel's group, or, unless over_batch,
                     by their mean over the samples */
    int64_t batch, channels, inner, groups, members;
    double eps, momentum;
};

/* Computes the results among `tensor`; an absent tensor has the data NULL. Returns CPU_OK, or
 * CPU_OUT_OF_MEMORY with the reason. */
enum cpu_status cpu_normalize(const struct grouping *g, const struct cpu_view tensor[TENSORS],
                              struct error *reason);

#endif
