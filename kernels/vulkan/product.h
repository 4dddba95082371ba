/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_KERNELS_VULKAN_PRODUCT_H
#define ASSAY_KERNELS_VULKAN_PRODUCT_H

/* Matrix products: what the routes of matmul, mv, linear, autocast_matmul and autocast_linear share. */

#include "kernels/vulkan/kernel.h"

enum { PRODUCT_LINEAR = 1, PRODUCT_AUTOCAST = 2, PRODUCT_VECTOR = 4 }; /* flags of the variants */

/* The sum of a product is taken over blocks of so many terms in their order, and then over the blocks. */
enum { PRODUCT_BLOCK = 128 };

/* [batches, m, k] times [batches, k, n] to [batches, m, n], in the last dimensions of the views, with strides of
 * zero along broadcast batches. bias has n elements. */
struct product {
    struct vk_view_argument a, b, bias, result;
    uint32_t inner; /* k */
    bool biased;
    enum dtype dtype;  /* what the operands take part as */
    uint32_t formats;  /* FORMATS of lib/formats.glsl, without its flags */
    const char *width; /* "float32", "float64", "mixed" (float16 or bfloat16 in memory) or "autocast" (rounded to
                          these first) */
};

/* Fills the product of a step of one of the operators; `variant` has flags PRODUCT_…. Fails the plan if shapes or
 * dtypes do not fit. */
struct product vk_product(struct vk_plan *plan, const struct step *step, int variant);

#endif
