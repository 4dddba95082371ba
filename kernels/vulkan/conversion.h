/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_KERNELS_VULKAN_CONVERSION_H
#define ASSAY_KERNELS_VULKAN_CONVERSION_H

/* One dispatch of ops/convert.comp: the elements of `from` into those of `to`, views of one shape, of any two
 * of float16 bfloat16 float32 float64 int8 uint8 int32 int64 bool, or both of one dtype, whose bits are
 * moved. Fails the plan as unsupported for other pairs; `name`: the operator's, for the reason. */

#include "kernels/vulkan/kernel.h"

void vk_plan_conversion(struct vk_plan *plan, const char *name, const struct view *from,
                        const struct view *to);

#endif
