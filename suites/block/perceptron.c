/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* A multi-layer perceptron, forward and backward: linear, layer_norm, gelu, linear, softmax, and the
 * gradients in the reverse order. Widths are no multiples of 8. */

#include "suites/block/layers.h"
#include "suites/shared/rows.h"

struct row {
    struct suite_row row;
};

enum { INPUTS = 27, HIDDEN = 43, CLASSES = 18 };

/* The layers, which the backward part reads again. */
struct perceptron {
    struct layer first, norm, second;
    struct view activated, output;
};

static struct perceptron forward(struct block *block)
{
    const struct shape shape = shape_of(2, block->b->c->parameter, (int64_t)INPUTS);
    const struct view x = block_random(block, &shape, -2, 0);
    struct perceptron p;
    p.first = block_linear(block, &x, HIDDEN);
    p.norm = block_layer_norm(block, &p.first.output);
    p.activated = block_step(block, "gelu", NULL, 1, &p.norm.output);
    p.second = block_linear(block, &p.activated, CLASSES);
    p.output = block_softmax(block, &p.second.output);
    return p;
}

static void build_forward(struct builder *b)
{
    struct block block = block_begin(b);
    forward(&block);
}

static void build_backward(struct builder *b)
{
    struct block block = block_begin(b);
    const struct perceptron p = forward(&block);
    const struct view grad = block_random(&block, &p.output.shape, -2, 0);
    struct view next = block_softmax_backward(&block, &grad, &p.output);
    next = block_linear_backward(&block, &p.second, &next);
    next = block_step(&block, "gelu_backward", NULL, 2, (struct view[]){next, p.norm.output});
    next = block_layer_norm_backward(&block, &p.norm, &next);
    block_linear_backward(&block, &p.first, &next);
}

/* The parameter is the batch. */
#define BOTH(batch_, forward_, backward_)                                                                    \
    {SUITE_ROW("perceptron-forward-batch-" #batch_, forward_, NULL, .op = "linear", .build = build_forward,  \
               .parameter = batch_)},                                                                        \
    {                                                                                                        \
        SUITE_ROW("perceptron-backward-batch-" #batch_, backward_, NULL, .op = "linear",                     \
                  .build = build_backward, .parameter = batch_)                                              \
    }

static const struct row rows[] = {
    BOTH(1, STANDARD, STANDARD),
    BOTH(3, SMOKE, SMOKE),
    BOTH(65, STANDARD, STANDARD),
};

static void declare(struct suite_list *list)
{
    suite_declare_rows(list, &(struct suite_table){SUITE_ROWS(rows), .family = "block", .covers = "",
                                                   .level = level_beyond_float32});
}

const struct suite suite_block_perceptron = {.declare = declare};
