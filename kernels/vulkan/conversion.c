/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/vulkan/conversion.h"

/* The shader for each pair of dtypes; none for equal dtypes, whose elements are copied as bits. */
#define FROM(from)                                                                                           \
    {                                                                                                        \
        [DTYPE_FLOAT16] = "convert." from "_float16", [DTYPE_BFLOAT16] = "convert." from "_bfloat16",        \
        [DTYPE_FLOAT32] = "convert." from "_float32", [DTYPE_FLOAT64] = "convert." from "_float64",          \
        [DTYPE_INT8] = "convert." from "_int8", [DTYPE_UINT8] = "convert." from "_uint8",                    \
        [DTYPE_INT32] = "convert." from "_int32", [DTYPE_INT64] = "convert." from "_int64",                  \
        [DTYPE_BOOL] = "convert." from "_bool"                                                               \
    }

static const char *const shader[DTYPE_COUNT][DTYPE_COUNT] = {
    [DTYPE_FLOAT16] = FROM("float16"), [DTYPE_BFLOAT16] = FROM("bfloat16"), [DTYPE_FLOAT32] = FROM("float32"),
    [DTYPE_FLOAT64] = FROM("float64"), [DTYPE_INT8] = FROM("int8"),         [DTYPE_UINT8] = FROM("uint8"),
    [DTYPE_INT32] = FROM("int32"),     [DTYPE_INT64] = FROM("int64"),       [DTYPE_BOOL] = FROM("bool")};

static const char *shader_of(enum dtype from, enum dtype to)
{
    if (from != to) {
        return shader[from][to];
    }
    switch (dtype_info(from)->size) {
    case 1:
        return "convert.bits8";
    case 2:
        return "convert.bits16";
    case 4:
        return "convert.bits32";
    default:
        return "convert.bits64";
    }
}

void vk_plan_conversion(struct vk_plan *plan, const char *name, const struct view *from,
                        const struct view *to)
{
    const char *chosen = shader_of(from->dtype, to->dtype);
    if (!chosen) {
        vk_plan_fail(plan, LAUNCH_UNSUPPORTED, "%s of %s into %s", name, dtype_info(from->dtype)->name,
                     dtype_info(to->dtype)->name);
        return;
    }
    vk_plan_map(plan, chosen, from, to);
}
