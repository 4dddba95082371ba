/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* A residual block of a convolutional network: conv2d, relu, batch_norm in training, twice; the sum with the
 * input, or with its projection by a convolution of kernel 1 where the first convolution halves the sides.
 * relu stands before batch_norm: directly behind a convolution batch_norm would take off its bias again,
 * whose gradient is then zero but for rounding and evidence of nothing. The samples of a batch share their
 * statistics, so none is compared with itself alone. */

#include "suites/block/cases.h"

#include <stdio.h>

/* Numbers in a channel. Of one batch_norm has no statistics, and of few its gradient is what rounding leaves.
 */
enum { PLACES_LEAST = 8 };

enum axis { BATCH, CHANNELS, SIDE, DTYPE, HALVED, AXES };

struct convolution {
    struct view input, weight, output;
    struct attributes attributes;
};

struct norm {
    struct view input, weight, output;
};

/* What the backward part reads again. */
struct residual {
    bool halved;
    struct convolution first, second, projection;
    struct view inner, outer; /* activated */
    struct norm first_norm, second_norm;
    struct view output;
};

static struct convolution convolve(struct block *block, const struct view *x, int64_t features,
                                   int64_t kernel, int64_t stride)
{
    const int64_t in = x->shape.dim[1], terms = in * kernel * kernel;
    const struct shape shape = shape_of(4, features, in, kernel, kernel), numbers = shape_of(1, features);
    struct convolution c = {.input = *x};
    c.attributes = (struct attributes){
        .count = 2,
        .item = {
            {.name = "stride", .type = ATTRIBUTE_INTEGERS, .integers = {.count = 1, .item = {stride}}},
            {.name = "padding", .type = ATTRIBUTE_INTEGERS, .integers = {.count = 1, .item = {kernel / 2}}}}};
    c.weight = block_weight(block, &shape, terms);
    const struct view bias = block_random(block, &numbers, -3, -1);
    c.output = block_step(block, "conv2d", &c.attributes, 3, (struct view[]){*x, c.weight, bias});
    return c;
}

static struct view convolve_backward(struct block *block, const struct convolution *c,
                                     const struct view *grad)
{
    struct view result[3];
    block_results(block, "conv2d_backward", &c->attributes, 3, (struct view[]){*grad, c->input, c->weight}, 3,
                  result);
    return result[0];
}

static struct attributes training(void)
{
    return (struct attributes){.count = 1,
                               .item = {{.name = "training", .type = ATTRIBUTE_BOOL, .integer = 1}}};
}

/* The running statistics are updated too. */
static struct norm normalize(struct block *block, const struct view *x)
{
    const struct shape channels = shape_of(1, x->shape.dim[1]);
    const struct attributes attributes = training();
    struct norm n = {.input = *x};
    const struct view mean = block_random(block, &channels, -2, -1);
    const struct view variance = block_positive(block, &channels, -1, 0);
    n.weight = block_random(block, &channels, -1, 0);
    const struct view bias = block_random(block, &channels, -2, -1);
    n.output =
        block_step(block, "batch_norm", &attributes, 5, (struct view[]){*x, mean, variance, n.weight, bias});
    return n;
}

static struct view normalize_backward(struct block *block, const struct norm *n, const struct view *grad)
{
    const struct attributes attributes = training();
    const struct view none = {.storage = -1};
    struct view result[3];
    block_results(block, "batch_norm_backward", &attributes, 5,
                  (struct view[]){*grad, n->input, none, none, n->weight}, 3, result);
    return result[0];
}

static struct residual forward(struct block *block, const struct view *x, int64_t features, bool halved)
{
    struct residual r = {.halved = halved};
    r.first = convolve(block, x, features, 3, halved ? 2 : 1);
    r.inner = block_step(block, "relu", NULL, 1, &r.first.output);
    r.first_norm = normalize(block, &r.inner);
    r.second = convolve(block, &r.first_norm.output, features, 3, 1);
    r.outer = block_step(block, "relu", NULL, 1, &r.second.output);
    r.second_norm = normalize(block, &r.outer);
    struct view shortcut = *x;
    if (halved) {
        r.projection = convolve(block, x, features, 1, 2);
        shortcut = r.projection.output;
    }
    r.output = block_add(block, &r.second_norm.output, &shortcut);
    return r;
}

static struct view relu_backward(struct block *block, const struct view *grad, const struct view *x)
{
    return block_step(block, "relu_backward", NULL, 2, (struct view[]){*grad, *x});
}

static struct view backward(struct block *block, const struct residual *r, const struct view *grad)
{
    const struct view shortcut = r->halved ? convolve_backward(block, &r->projection, grad) : *grad;
    struct view next = normalize_backward(block, &r->second_norm, grad);
    next = relu_backward(block, &next, &r->second.output);
    next = convolve_backward(block, &r->second, &next);
    next = normalize_backward(block, &r->first_norm, &next);
    next = relu_backward(block, &next, &r->first.output);
    next = convolve_backward(block, &r->first, &next);
    return block_add(block, &next, &shortcut);
}

/* Halved blocks have twice the channels, and one more. */
static int64_t features_of(const int64_t value[BLOCK_AXES])
{
    return value[HALVED] ? 2 * value[CHANNELS] + 1 : value[CHANNELS];
}

static int64_t work(const int64_t value[BLOCK_AXES])
{
    const int64_t side = value[HALVED] ? (value[SIDE] + 1) / 2 : value[SIDE], out = features_of(value);
    const int64_t places = value[BATCH] * side * side;
    if (places < PLACES_LEAST) {
        return -1;
    }
    const int64_t products = 3 * places * out * (9 * value[CHANNELS] + 9 * out + value[CHANNELS]);
    return 4 * products + 2 * BLOCK_ELEMENT * places * out;
}

static struct block_ends build(struct block *block, const struct block_call *call, bool gradient)
{
    const int64_t *value = call->value, side = value[SIDE];
    const struct shape shape = shape_of(4, value[BATCH], value[CHANNELS], side, side);
    const struct view x = block_batch(block, &shape, -2, 0);
    const struct residual r = forward(block, &x, features_of(value), value[HALVED]);
    struct block_ends ends = {.output = r.output, .grad_input = {.storage = -1}};
    if (gradient) {
        const struct view grad = block_batch(block, &r.output.shape, -2, 0);
        ends.grad_input = backward(block, &r, &grad);
    }
    return ends;
}

static struct block_axes axes(void)
{
    return (struct block_axes){
        .count = AXES,
        .axis = {[BATCH] = {6, {1, 2, 3, 8, 65, 257}},
                 [CHANNELS] = {7, {1, 3, 8, 12, 33, 64, 96}},
                 [SIDE] = {5, {1, 2, 5, 14, 33}},
                 [DTYPE] = {3, {DTYPE_FLOAT32, DTYPE_FLOAT16, DTYPE_BFLOAT16}},
                 [HALVED] = {2, {0, 1}}},
        .small = {[BATCH] = 3, [CHANNELS] = 3, [SIDE] = 5, [DTYPE] = DTYPE_FLOAT32, [HALVED] = 1},
        .work = work};
}

static void print(const struct block_call *call, char *text, size_t size)
{
    snprintf(text, size, "%dx%dx%d%s", (int)call->value[BATCH], (int)call->value[CHANNELS],
             (int)call->value[SIDE], call->value[HALVED] ? "-halved" : "");
}

static const struct block_kind kind = {.op = "conv2d",
                                       .name = "residual",
                                       .file = __FILE__,
                                       .line = __LINE__,
                                       .axes = axes,
                                       .batch = BATCH,
                                       .dtype = DTYPE,
                                       .build = build,
                                       .print = print};

static void declare(struct suite_list *list)
{
    block_declare(list, &kind);
}

const struct suite suite_block_residual = {.declare = declare};
