/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_KERNELS_VULKAN_NORMALIZATION_H
#define ASSAY_KERNELS_VULKAN_NORMALIZATION_H

/* Shared by the routes of normalizations: their arguments, and what a step is to them. */

#include "kernels/vulkan/kernel.h"

enum vk_normalization_flags { /* of lib/normalization.glsl */
                              CENTRED = 1,
                              OVER_BATCH = 2,
                              EVALUATES = 4,
                              HAS_WEIGHT = 8,
                              HAS_BIAS = 16,
                              HAS_DWEIGHT = 32,
                              HAS_DBIAS = 64,
                              WIDE_PARAMETERS = 128,
                              FINDS_MEANS = 256,
                              APPLIES = 512, /* of normalization_wide.comp */
                              SECOND_PASS = 1024
};

enum { STATISTICS_PER_GROUP = 9 };

struct vk_normalization_arguments { /* of lib/normalization.glsl */
    struct vk_view_argument x, grad, weight, bias, mean, variance, y, dweight, dbias;
    uint64_t statistics;
    uint64_t eps, momentum, rest, share, unbiased, sample_share;
    uint32_t batch, channels, inner, groups, members, flags;
    uint32_t parts, chunk; /* of route wide: a group has so many parts of `chunk` elements, and */
    uint64_t partial;      /* each of them PARTIAL_WORDS words of scratch */
};

/* A step in the form common to all normalizations. Absent operands are NULL. */
struct vk_normalization {
    const struct view *x, *grad, *weight, *bias, *mean, *variance;
    bool centred, over_batch, evaluates;
    bool wide; /* the elements have 16 bits, the parameters are float32 */
    uint64_t batch, channels, inner, groups;
    double eps, momentum;
};

/* Fails the plan as unsupported if the device lacks what route wide needs. How elements lie does not matter:
 * a sample has then the same bits alone and in any batch. */
void vk_normalization_wide_check(struct vk_plan *plan);

/* On route wide: dispatches what computes the statistics of all groups, unless in evaluation, and, where
 * `applies`, the results of the forward operator. */
void vk_normalization_wide(struct vk_plan *plan, const struct vk_normalization *n,
                           const struct vk_normalization_arguments *a, bool applies);

/* On route wide: dispatches the gradient with respect to x from the statistics of all groups. */
void vk_normalization_wide_gradient(struct vk_plan *plan, const struct vk_normalization *n,
                                    const struct vk_normalization_arguments *a);

#endif
