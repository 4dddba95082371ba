/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_BLOCK_LAYERS_H
#define ASSAY_SUITES_BLOCK_LAYERS_H

/* Layers of networks as observed steps: each function appends the step or steps of one layer and returns the
 * view of its result. Parameters and inputs are random data of the case's dtype; the tensors of a block are
 * numbered in the order in which the block makes them, so that every one has other numbers. */

#include "suites/build.h"

enum { BLOCK_TENSORS_MAX = 40, BLOCK_WHOLE = -1 };

struct block {
    struct builder *b;
    int tensors; /* how many tensors of data the block has made, or has taken again */
    /* BLOCK_WHOLE: the tensors are made. Otherwise the block is appended once more for this sample alone: the
     * functions that make tensors return the same parameters again, and of data with a batch this sample. */
    int64_t sample;
    struct view made[BLOCK_TENSORS_MAX];
};

/* Starts a block: all steps that follow are observed. */
struct block block_begin(struct builder *b);

/* Returns a tensor of random numbers of either sign and of sizes from 2^low to 2^(high + 1): a parameter, or
 * with block_batch data whose first dimension is the batch. */
struct view block_random(struct block *block, const struct shape *shape, int low, int high);
struct view block_batch(struct block *block, const struct shape *shape, int low, int high);

/* A parameter of positive numbers; and a weight of sums of so many products, which have about the size of
 * their operands then. */
struct view block_positive(struct block *block, const struct shape *shape, int low, int high);
struct view block_weight(struct block *block, const struct shape *shape, int64_t terms);

/* Returns conditions [batch, 1, 1, keys]: which keys of a sample take part, the first ones, at least one. */
struct view block_padding(struct block *block, int64_t batch, int64_t keys);

/* What a block returns: the result, and of a block with its gradient that of the input (storage −1: none). */
struct block_ends {
    struct view output, grad_input;
};

/* Appends the block, then again for its first, its middle and its last sample alone, and relates what it
 * returns: no sample may depend on the others. */
struct block_call; /* suites/block/array.h */
typedef struct block_ends block_build(struct block *block, const struct block_call *call, bool gradient);
void block_alone(struct builder *b, block_build *build, const struct block_call *call, bool gradient,
                 int64_t batch);

/* Appends a step with one result, or returns one of its results. On a fault of the builder the result is the
 * first operand. */
struct view block_step(struct block *block, const char *op, const struct attributes *attributes, int inputs,
                       const struct view *input);
void block_results(struct block *block, const char *op, const struct attributes *attributes, int inputs,
                   const struct view *input, int results, struct view *result);

struct view block_add(struct block *block, const struct view *x, const struct view *y);

/* A layer and what its gradient needs. */
struct layer {
    struct view input, weight, bias, output;
};
struct layer block_linear(struct block *block, const struct view *x, int64_t features);
struct layer block_layer_norm(struct block *block, const struct view *x);
/* A linear layer without bias. */
struct layer block_product(struct block *block, const struct view *x, int64_t features);
struct view block_softmax(struct block *block, const struct view *x);

/* Append the gradient of a layer and return that of its input. The gradients of its parameters are computed
 * and judged as well; nothing reads them. */
struct view block_linear_backward(struct block *block, const struct layer *layer, const struct view *grad);
/* Without the gradient of a bias; operands and gradient have no gaps. */
struct view block_product_backward(struct block *block, const struct layer *layer, const struct view *grad);
struct view block_layer_norm_backward(struct block *block, const struct layer *layer,
                                      const struct view *grad);
struct view block_softmax_backward(struct block *block, const struct view *grad, const struct view *output);

#endif
