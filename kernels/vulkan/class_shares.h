/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_KERNELS_VULKAN_CLASS_SHARES_H
#define ASSAY_KERNELS_VULKAN_CLASS_SHARES_H

/* Plans cross_entropy with class probabilities as targets, or, where `gradient`, its gradient with respect to
 * the input. ops/nll_loss.c calls it for a target that holds probabilities instead of class indices. */

#include "kernels/vulkan/kernel.h"

void vk_plan_class_shares(struct vk_plan *plan, const struct step *step, bool gradient);

#endif
