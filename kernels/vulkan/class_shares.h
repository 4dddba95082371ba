/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_KERNELS_VULKAN_CLASS_SHARES_H
#define ASSAY_KERNELS_VULKAN_CLASS_SHARES_H

/* cross_entropy of targets that are probabilities, or its gradient by the input. */

#include "kernels/vulkan/kernel.h"

void vk_plan_class_shares(struct vk_plan *plan, const struct step *step, bool gradient);

#endif
