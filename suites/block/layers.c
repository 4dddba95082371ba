/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/block/layers.h"
#include "suites/shared/data.h"

struct block block_begin(struct builder *b)
{
    build_observed(b);
    return (struct block){.b = b};
}

struct view block_random(struct block *block, const struct shape *shape, int low, int high)
{
    struct builder *b = block->b;
    struct view view = build_tensor(b, b->c->dtype, shape, LAYOUT_CONTIGUOUS);
    struct philox generator = build_generator(b, block->tensors++);
    for (int64_t i = 0; i < shape_elements(&view.shape); i++) {
        build_set_bits(b, &view, i, 0, data_between(&generator, b->c->dtype, low, high));
    }
    build_origin(b, &view, true);
    return view;
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
    layer.weight = block_random(block, &weight, -4, -2); /* results keep about the size of the operand */
    layer.bias = block_random(block, &bias, -3, -1);
    layer.output =
        block_step(block, "linear", NULL, 3, (struct view[]){layer.input, layer.weight, layer.bias});
    return layer;
}

struct view block_linear_backward(struct block *block, const struct layer *layer, const struct view *grad)
{
    const struct view turned = view_transposed(grad);
    const struct attributes rows = integers("dim", 0);
    block_step(block, "matmul", NULL, 2, (struct view[]){turned, layer->input}); /* of the weight */
    block_step(block, "sum", &rows, 1, grad);                                    /* of the bias */
    return block_step(block, "matmul", NULL, 2, (struct view[]){*grad, layer->weight});
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
