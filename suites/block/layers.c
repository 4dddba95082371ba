/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/block/layers.h"
#include "suites/shared/data.h"

struct block block_begin(struct builder *b)
{
    build_observed(b);
    return (struct block){.b = b, .sample = BLOCK_WHOLE};
}

/* Returns a new tensor for the block to fill; where the block is appended again, the one that has its number.
 * `made`: it is new. */
static struct view next_tensor(struct block *block, enum dtype dtype, const struct shape *shape, bool *made)
{
    struct builder *b = block->b;
    const int number = block->tensors++;
    if (number >= BLOCK_TENSORS_MAX) {
        build_fail(b, "has a block of more than BLOCK_TENSORS_MAX tensors");
    }
    *made = block->sample == BLOCK_WHOLE && !b->failed;
    if (*made) {
        block->made[number] = build_tensor(b, dtype, shape, LAYOUT_CONTIGUOUS);
    }
    return block->made[number < BLOCK_TENSORS_MAX ? number : 0];
}

/* Bits of the numbers that are in `cleared` are zero. */
static struct view random_tensor(struct block *block, const struct shape *shape, int low, int high,
                                 uint64_t cleared)
{
    struct builder *b = block->b;
    bool made;
    struct view view = next_tensor(block, b->c->dtype, shape, &made);
    if (made) {
        struct philox generator = build_generator(b, block->tensors - 1);
        for (int64_t i = 0; i < shape_elements(&view.shape); i++) {
            build_set_bits(b, &view, i, 0, data_between(&generator, b->c->dtype, low, high) & ~cleared);
        }
        build_origin(b, &view, true);
    }
    return view;
}

struct view block_random(struct block *block, const struct shape *shape, int low, int high)
{
    return random_tensor(block, shape, low, high, 0);
}

struct view block_positive(struct block *block, const struct shape *shape, int low, int high)
{
    return random_tensor(block, shape, low, high, format_of(block->b->c->dtype).sign);
}

struct view block_weight(struct block *block, const struct shape *shape, int64_t terms)
{
    int halvings = 0; /* 2^-halvings is about the root of 1/terms */
    for (; terms >= 4; terms /= 4) {
        halvings++;
    }
    return block_random(block, shape, -2 - halvings, -halvings);
}

static struct view own_sample(const struct block *block, const struct view *all)
{
    return block->sample == BLOCK_WHOLE ? *all : view_window(all, block->sample, 1, 1);
}

struct view block_batch(struct block *block, const struct shape *shape, int low, int high)
{
    struct view view = block_random(block, shape, low, high);
    return own_sample(block, &view);
}

struct view block_padding(struct block *block, int64_t batch, int64_t keys)
{
    const struct shape shape = shape_of(4, batch, (int64_t)1, (int64_t)1, keys);
    bool made;
    struct view view = next_tensor(block, DTYPE_BOOL, &shape, &made);
    struct philox generator = build_generator(block->b, block->tensors - 1);
    for (int64_t s = 0; made && s < batch; s++) {
        const int64_t length = 1 + (int64_t)philox_below(&generator, (uint32_t)keys);
        for (int64_t k = 0; k < keys; k++) {
            build_set(block->b, &view, s * keys + k, k < length);
        }
    }
    build_origin(block->b, &view, true);
    return own_sample(block, &view);
}

static void relate(struct builder *b, const struct view *all, const struct view *own, int64_t sample)
{
    const struct view inside = view_window(all, sample, 1, 1);
    build_relate(b, &inside, own, "a sample of the block is the same alone and in its batch");
}

void block_alone(struct builder *b, block_build *build, const struct block_call *call, bool gradient,
                 int64_t batch)
{
    const int64_t samples[] = {0, batch / 2, batch - 1};
    struct block block = block_begin(b);
    const struct block_ends all = build(&block, call, gradient);
    for (int k = 0; k < 3 && !b->failed; k++) {
        if (k > 0 && samples[k] == samples[k - 1]) {
            continue;
        }
        block.sample = samples[k];
        block.tensors = 0;
        const struct block_ends own = build(&block, call, gradient);
        relate(b, &all.output, &own.output, samples[k]);
        if (gradient) {
            relate(b, &all.grad_input, &own.grad_input, samples[k]);
        }
    }
}

void block_results(struct block *block, const char *op, const struct attributes *attributes, int inputs,
                   const struct view *input, int results, struct view *result)
{
    const struct step *step = build_step(block->b, op_find(op), attributes, inputs, input);
    for (int r = 0; r < results; r++) {
        result[r] = step ? step->output[r] : input[0];
    }
}

struct view block_step(struct block *block, const char *op, const struct attributes *attributes, int inputs,
                       const struct view *input)
{
    struct view result;
    block_results(block, op, attributes, inputs, input, 1, &result);
    return result;
}

struct view block_add(struct block *block, const struct view *x, const struct view *y)
{
    return block_step(block, "add", NULL, 2, (struct view[]){*x, *y});
}

static struct attributes integers(const char *name, int64_t value)
{
    return (struct attributes){
        .count = 1,
        .item = {{.name = name, .type = ATTRIBUTE_INTEGERS, .integers = {.count = 1, .item = {value}}}}};
}

static struct attributes integer(const char *name, int64_t value)
{
    return (struct attributes){.count = 1,
                               .item = {{.name = name, .type = ATTRIBUTE_INTEGER, .integer = value}}};
}

static int64_t last(const struct view *x)
{
    return x->shape.dim[x->shape.rank - 1];
}

struct layer block_linear(struct block *block, const struct view *x, int64_t features)
{
    const struct shape weight = shape_of(2, features, last(x)), bias = shape_of(1, features);
    struct layer layer = {.input = *x};
    layer.weight = block_weight(block, &weight, last(x));
    layer.bias = block_random(block, &bias, -3, -1);
    layer.output =
        block_step(block, "linear", NULL, 3, (struct view[]){layer.input, layer.weight, layer.bias});
    return layer;
}

struct layer block_product(struct block *block, const struct view *x, int64_t features)
{
    const struct shape weight = shape_of(2, features, last(x));
    struct layer layer = {.input = *x, .bias = {.storage = -1}};
    layer.weight = block_weight(block, &weight, last(x));
    layer.output = block_step(block, "linear", NULL, 2, (struct view[]){layer.input, layer.weight});
    return layer;
}

/* Returns [batch, …, k] without gaps as [rows, k]. */
static struct view flat(const struct view *x)
{
    struct view view = *x;
    const int64_t k = last(x), elements = shape_elements(&x->shape);
    view.shape = shape_of(2, k ? elements / k : 0, k);
    view.stride[0] = k;
    view.stride[1] = 1;
    return view;
}

struct view block_product_backward(struct block *block, const struct layer *layer, const struct view *grad)
{
    const struct view rows = flat(grad), x = flat(&layer->input), turned = view_transposed(&rows);
    block_step(block, "matmul", NULL, 2, (struct view[]){turned, x}); /* of the weight */
    return block_step(block, "matmul", NULL, 2, (struct view[]){*grad, layer->weight});
}

struct view block_linear_backward(struct block *block, const struct layer *layer, const struct view *grad)
{
    struct view result[3];
    block_results(block, "linear_backward", NULL, 3, (struct view[]){*grad, layer->input, layer->weight}, 3,
                  result);
    return result[0];
}

struct layer block_layer_norm(struct block *block, const struct view *x)
{
    const struct shape tail = shape_of(1, last(x));
    const struct attributes attributes = integers("normalized_shape", last(x));
    struct layer layer = {.input = *x};
    layer.weight = block_random(block, &tail, -1, 0);
    layer.bias = block_random(block, &tail, -2, -1);
    layer.output = block_step(block, "layer_norm", &attributes, 3,
                              (struct view[]){layer.input, layer.weight, layer.bias});
    return layer;
}

struct view block_layer_norm_backward(struct block *block, const struct layer *layer, const struct view *grad)
{
    const struct attributes attributes = integers("normalized_shape", last(&layer->input));
    struct view result[3];
    block_results(block, "layer_norm_backward", &attributes, 3,
                  (struct view[]){*grad, layer->input, layer->weight}, 3, result);
    return result[0];
}

struct view block_softmax(struct block *block, const struct view *x)
{
    const struct attributes attributes = integer("dim", -1);
    return block_step(block, "softmax", &attributes, 1, x);
}

struct view block_softmax_backward(struct block *block, const struct view *grad, const struct view *output)
{
    const struct attributes attributes = integer("dim", -1);
    return block_step(block, "softmax_backward", &attributes, 2, (struct view[]){*grad, *output});
}
