/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_KERNELS_VULKAN_OVERLAP_H
#define ASSAY_KERNELS_VULKAN_OVERLAP_H

/* Whether strided views share elements, decided from strides alone: a bounded linear Diophantine equation.
 *
 * Deciding it is NP-hard in the number of dimensions (as NumPy's numpy/core/src/common/mem_overlap.c notes,
 * whose formulation this follows); with at most six, the search below visits few nodes. Where it would visit
 * more than a million, the answer is the safe one: overlap. Exact otherwise. Pure. */

#include "reference/base/tensor.h"

/* Two different indices of the view name the same element. */
bool vk_overlaps_itself(const struct view *view);

/* The two views have an element in common. Their dtypes must have the same size. */
bool vk_shares_memory(const struct view *a, const struct view *b);

/* Same shape, and element i of one is element i of the other for every i. */
bool vk_same_elements(const struct view *a, const struct view *b);

#endif
