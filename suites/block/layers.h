/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_BLOCK_LAYERS_H
#define ASSAY_SUITES_BLOCK_LAYERS_H

/* Layers of networks as observed steps: each function appends the step or steps of one layer and returns the
 * view of its result. Parameters and inputs are random data of the case's dtype; the tensors of a block are
 * numbered in the order in which the block makes them, so that every one has other numbers. */

#include "suites/build.h"

struct block {
    struct builder *b;
    int tensors; /* how many tensors of random data the block has */
};

/* Starts a block: all steps that follow are observed. */
struct block block_begin(struct builder *b);

/* Returns a tensor of random numbers of either sign and of sizes from 2^low to 2^(high + 1). */
struct view block_random(struct block *block, const struct shape *shape, int low, int high);

/* Appends a step with one result, or returns one of its results. On a fault of the builder the result is the
 * first operand. */
struct view block_step(struct block *block, const char *op, const struct attributes *attributes, int inputs,
                       const struct view *input);
void block_results(struct block *block, const char *op, const struct attributes *attributes, int inputs,
                   const struct view *input, int results, struct view *result);

/* A layer and what its gradient needs. */
struct layer {
    struct view input, weight, bias, output;
};
struct layer block_linear(struct block *block, const struct view *x, int64_t features);
struct layer block_layer_norm(struct block *block, const struct view *x);
struct view block_softmax(struct block *block, const struct view *x);

/* Append the gradient of a layer and return that of its input. The gradients of its parameters are computed
 * and judged as well; nothing reads them. */
struct view block_linear_backward(struct block *block, const struct layer *layer, const struct view *grad);
struct view block_layer_norm_backward(struct block *block, const struct layer *layer,
                                      const struct view *grad);
struct view block_softmax_backward(struct block *block, const struct view *grad, const struct view *output);

#endif
