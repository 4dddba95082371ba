/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The profile of a Vulkan device, from what the device reports of its float arithmetic. */

#include "kernels/vulkan/internal.h"

#include <criterion/criterion.h>

Test(vk_profile, subnormals_of_bfloat16_are_kept_where_those_of_float32_are)
{
    struct vk_physical physical = {.usable = true};
    struct profile profile;
    physical.float_controls.shaderDenormPreserveFloat64 = VK_TRUE;
    vk_physical_profile(&physical, &profile);
    cr_expect_eq(profile.subnormals[DTYPE_FLOAT32], SUBNORMALS_MAY_FLUSH);
    cr_expect_eq(profile.subnormals[DTYPE_BFLOAT16], SUBNORMALS_MAY_FLUSH);
    cr_expect_eq(profile.subnormals[DTYPE_FLOAT16], SUBNORMALS_KEPT);
    cr_expect_eq(profile.subnormals[DTYPE_FLOAT64], SUBNORMALS_KEPT);

    physical.float_controls.shaderDenormPreserveFloat32 = VK_TRUE;
    physical.float_controls.shaderDenormPreserveFloat64 = VK_FALSE;
    vk_physical_profile(&physical, &profile);
    cr_expect_eq(profile.subnormals[DTYPE_BFLOAT16], SUBNORMALS_KEPT);
    cr_expect_eq(profile.subnormals[DTYPE_FLOAT64], SUBNORMALS_MAY_FLUSH);
}
