/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_KERNELS_VULKAN_CONVERSION_H
#define ASSAY_KERNELS_VULKAN_CONVERSION_H

/* Plans one dispatch of ops/convert.comp, which converts the elements of `from` into those of `to`.
 *
 * The two views have the same shape. Their dtypes are any two of float16, bfloat16, float32, float64, int8,
 * uint8, int32, int64 and bool, or are equal: then the bits are copied. For other pairs the plan fails as
 * unsupported; the reason names the operator, `name`. */

#include "kernels/vulkan/kernel.h"

void vk_plan_conversion(struct vk_plan *plan, const char *name, const struct view *from,
                        const struct view *to);

#endif
