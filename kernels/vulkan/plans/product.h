/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_KERNELS_VULKAN_PRODUCT_H
#define ASSAY_KERNELS_VULKAN_PRODUCT_H

/* Matrix products: what the routes of matmul, mv, linear, autocast_matmul, autocast_linear, int_mm and
 * int8_linear share. */

#include "kernels/vulkan/kernel.h"

enum { PRODUCT_LINEAR = 1, PRODUCT_AUTOCAST = 2, PRODUCT_VECTOR = 4 }; /* flags of the variants */

/* The sum of a product is taken over blocks of so many terms in their order, and then over the blocks. */
enum { PRODUCT_BLOCK = 128 };

/* [batches, m, k] times [batches, k, n] to [batches, m, n], in the last dimensions of the views, with strides
 * of zero along broadcast batches. bias has n elements. */
struct product {
    struct vk_view_argument a, b, bias, result;
    uint32_t inner; /* k */
    bool biased;
    enum dtype dtype;  /* what the operands take part as */
    uint32_t formats;  /* FORMATS of lib/formats.glsl, without its flags */
    uint64_t scale;    /* of int8_linear: the address of input_scale; bias has the scales of weight */
    const char *width; /* "float32", "float64", "mixed" (float16 or bfloat16 in memory) or "autocast" (rounded
                          to these first); "int8" or "scaled" */
};

/* Fills the product of a step of one of the operators; `variant` has flags PRODUCT_…. Fails the plan if
 * shapes or dtypes do not fit. */
struct product vk_product(struct vk_plan *plan, const struct step *step, int variant);

/* The same of int_mm, or of int8_linear if `linear`. */
struct product vk_product_int8(struct vk_plan *plan, const struct step *step, bool linear);

/* Checks their shapes and dtypes; the first fault fails the plan. */
void vk_product_int8_check(struct vk_plan *plan, const struct step *step, bool linear);

/* Add the dispatches of a product: an element per invocation, or per workgroup if `group`; or by tiles. */
void vk_product_portable(struct vk_plan *plan, const struct product *product, bool group);
void vk_product_tiled(struct vk_plan *plan, const struct product *product);

/* Returns whether the product has the columns and terms that tiles need: a tile of the smallest matrices
 * would hold little but zeros, and there may be very many of them. */
bool vk_product_fits_tiles(const struct product *product);

#endif
