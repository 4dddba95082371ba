/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_KERNELS_VULKAN_OVERLAP_H
#define ASSAY_KERNELS_VULKAN_OVERLAP_H

/* Decides whether strided views share elements, from offsets, extents and strides alone: whether a bounded
 * linear Diophantine equation has a solution.
 *
 * The problem is NP-hard in the number of dimensions, as NumPy's numpy/core/src/common/mem_overlap.c notes,
 * whose formulation this follows. The answer is exact, except that the search gives up after a million nodes
 * and reports an overlap, which is the safe answer. All functions are pure. */

#include "reference/base/tensor.h"

/* True if two different indices of the view refer to the same element. */
bool vk_overlaps_itself(const struct view *view);

/* True if the two views have an element in common. Their dtypes must have the same size. */
bool vk_shares_memory(const struct view *a, const struct view *b);

/* True if the shapes are equal and element i of `a` is element i of `b` for every i. */
bool vk_same_elements(const struct view *a, const struct view *b);

#endif
