/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Multi-head attention, forward and backward. */

#include "suites/block/cases.h"
#include "suites/block/heads.h"

static struct block_ends build(struct block *block, const struct block_call *call, bool gradient)
{
    const struct shape shape =
        shape_of(3, call->value[HEADS_BATCH], call->value[HEADS_LENGTH], heads_width(call->value));
    const struct view x = block_batch(block, &shape, -2, 0);
    const struct heads heads = block_heads(block, call, &x);
    struct block_ends ends = {.output = heads.result.output, .grad_input = {.storage = -1}};
    if (gradient) {
        const struct view grad = block_batch(block, &shape, -2, 0);
        ends.grad_input = block_heads_backward(block, &heads, &grad);
    }
    return ends;
}

static struct block_axes axes(void)
{
    struct block_axes axes = heads_axes();
    axes.work = heads_work;
    return axes;
}

static const struct block_kind kind = {.op = "scaled_dot_product_attention",
                                       .name = "attention",
                                       .file = __FILE__,
                                       .line = __LINE__,
                                       .axes = axes,
                                       .batch = HEADS_BATCH,
                                       .dtype = HEADS_DTYPE,
                                       .build = build,
                                       .print = heads_print,
                                       .separate = true};

static void declare(struct suite_list *list)
{
    block_declare(list, &kind);
}

const struct suite suite_block_attention = {.declare = declare};
