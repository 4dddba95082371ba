/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_JUDGE_TEST_JUDGING_PROFILES_H
#define ASSAY_HARNESS_JUDGE_TEST_JUDGING_PROFILES_H

/* Profiles that lead elements through different parts of the judge. */

#include "reference/operator/profile.h"

static inline struct profile strict(void)
{
    return profile_ieee();
}

/* The bounds of a good implementation differ from the profile's, and rounding is declared. */
static inline struct profile vulkan(void)
{
    struct profile profile = profile_ieee();
    profile.primitives = PRIMITIVES_VULKAN;
    profile.accumulate[DTYPE_FLOAT16] = profile.accumulate[DTYPE_BFLOAT16] = DTYPE_FLOAT32;
    return profile;
}

static inline struct profile open_rounding(void)
{
    struct profile profile = vulkan();
    for (int d = 0; d < DTYPE_COUNT; d++) {
        profile.subnormals[d] = SUBNORMALS_MAY_FLUSH;
        profile.rounding[d] = ROUNDING_OPEN;
        profile.special_values[d] = false;
    }
    return profile;
}

#endif
