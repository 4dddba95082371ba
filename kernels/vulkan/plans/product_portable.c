/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The dispatches of a product of matrices, an element per invocation or workgroup. */

#include "kernels/vulkan/plans/formats.h"
#include "kernels/vulkan/plans/product.h"

struct arguments { /* of matmul.comp */
    struct vk_view_argument a, b, bias, result;
    uint64_t partial;
    uint32_t inner, from, to, biased;
};

enum { TERMS_PER_DISPATCH = 32768 }; /* a multiple of PRODUCT_BLOCK, the shader's block */

/* Adds the dispatches, each of which sums at most `most` terms of every element. If `group`, a workgroup
 * computes an element, else an invocation does. */
static void dispatches(struct vk_plan *plan, struct arguments *v, const char *shader, uint32_t formats,
                       bool group)
{
    const uint64_t elements = v->result.elements;
    const uint32_t most = TERMS_PER_DISPATCH * (group ? VK_WORKGROUP : 1);
    if (v->inner > most) {
        v->partial = vk_plan_scratch(plan, elements * 8);
    }
    do {
        v->from = v->to;
        v->to = v->inner - v->from > most ? v->from + most : v->inner;
        vk_plan_dispatch(plan, &(struct vk_dispatch){.shader = shader,
                                                     .constants = {formats, group},
                                                     .groups = vk_groups(elements, group ? 1 : VK_WORKGROUP),
                                                     .arguments = v,
                                                     .bytes = sizeof *v,
                                                     .iterations = TERMS_PER_DISPATCH * 5 / 4 + VK_RANK_MAX});
    } while (v->to < v->inner);
}

void vk_product_portable(struct vk_plan *plan, const struct product *product, bool group)
{
    struct arguments v = {.a = product->a,
                          .b = product->b,
                          .bias = product->bias,
                          .result = product->result,
                          .inner = product->inner,
                          .biased = product->biased};
    char shader[32];
    snprintf(shader, sizeof shader, "matmul.%s", vk_format_width(product->dtype, product->formats));
    dispatches(plan, &v, shader, product->formats, group);
}
