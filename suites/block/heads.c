/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/block/heads.h"

#include <stdio.h>

struct block_axes heads_axes(void)
{
    return (struct block_axes){
        .count = HEADS_AXES,
        .axis = {[HEADS_BATCH] = {6, {1, 2, 3, 8, 65, 257}},
                 [HEADS_LENGTH] = {4, {1, 5, 33, 129}},
                 [HEADS_HEADS] = {3, {1, 3, 12}},
                 [HEADS_DIM] = {9, {1, 8, 12, 33, 40, 64, 72, 96, 128}},
                 [HEADS_DTYPE] = {3, {DTYPE_FLOAT32, DTYPE_FLOAT16, DTYPE_BFLOAT16}},
                 [HEADS_MASK] = {3, {HEADS_EVERY_KEY, HEADS_CAUSAL, HEADS_PADDED}},
                 [HEADS_PACKED] = {2, {0, 1}}},
        .small = {[HEADS_BATCH] = 3,
                  [HEADS_LENGTH] = 5,
                  [HEADS_HEADS] = 3,
                  [HEADS_DIM] = 12,
                  [HEADS_DTYPE] = DTYPE_FLOAT32,
                  [HEADS_MASK] = HEADS_CAUSAL,
                  [HEADS_PACKED] = 1},
    };
}

int64_t heads_width(const int64_t value[BLOCK_AXES])
{
    return value[HEADS_HEADS] * value[HEADS_DIM];
}

int64_t heads_work(const int64_t value[BLOCK_AXES])
{
    const int64_t tokens = value[HEADS_BATCH] * value[HEADS_LENGTH], width = heads_width(value);
    const int64_t weights = 4 * width * width, scores = tokens * value[HEADS_LENGTH] * width;
    /* the gradient of a product is two products; attention has 2, and its gradient 5 */
    return (3 * tokens + BLOCK_ELEMENT) * weights + 7 * BLOCK_SCORE * scores;
}

/* Returns the part of [batch, length, …] from `first` on in its last dimension as [batch, heads, length,
 * dim]. */
static struct view split(const struct view *x, int64_t first, const struct block_call *call)
{
    struct view view = *x;
    const int64_t dim = call->value[HEADS_DIM];
    view.shape = shape_of(4, x->shape.dim[0], call->value[HEADS_HEADS], x->shape.dim[1], dim);
    view.offset += first;
    view.stride[0] = x->stride[0];
    view.stride[1] = dim;
    view.stride[2] = x->stride[1];
    view.stride[3] = 1;
    return view;
}

/* Appends a copy of [batch, heads, length, dim] and returns it as [batch, length, heads · dim]. */
static struct view merge(struct block *block, const struct view *x)
{
    struct view turned = *x;
    turned.shape.dim[1] = x->shape.dim[2];
    turned.shape.dim[2] = x->shape.dim[1];
    turned.stride[1] = x->stride[2];
    turned.stride[2] = x->stride[1];
    const struct view copy = block_step(block, "clone", NULL, 1, &turned);
    const struct shape merged =
        shape_of(3, turned.shape.dim[0], turned.shape.dim[1], turned.shape.dim[2] * turned.shape.dim[3]);
    return block->b->failed ? copy : view_contiguous(copy.storage, copy.dtype, &merged);
}

enum { QUERY, KEY, VALUE, PARTS };

static void project(struct block *block, const struct view *x, struct heads *h)
{
    struct view *const parts[] = {&h->query, &h->key, &h->value};
    const int64_t width = heads_width(h->call->value);
    const bool packed = h->call->value[HEADS_PACKED];
    struct layer all = {.input = *x};
    if (packed) {
        all = block_linear(block, x, 3 * width);
    }
    for (int k = 0; k < PARTS; k++) {
        if (packed) {
            h->projection[k] = all;
            h->projection[k].weight = view_window(&all.weight, k * width, width, 1);
        } else {
            h->projection[k] = k == KEY ? block_product(block, x, width) : block_linear(block, x, width);
        }
        *parts[k] = split(&h->projection[k].output, packed ? k * width : 0, h->call);
    }
}

static struct attributes causal(void)
{
    return (struct attributes){.count = 1,
                               .item = {{.name = "is_causal", .type = ATTRIBUTE_BOOL, .integer = 1}}};
}

struct heads block_heads(struct block *block, const struct block_call *call, const struct view *x)
{
    const struct attributes attributes = causal();
    const int64_t mask = call->value[HEADS_MASK];
    struct heads h = {.call = call};
    project(block, x, &h);
    if (mask == HEADS_PADDED) {
        h.mask = block_padding(block, call->value[HEADS_BATCH], call->value[HEADS_LENGTH]);
    }
    const struct view mixed =
        block_step(block, "scaled_dot_product_attention", mask == HEADS_CAUSAL ? &attributes : NULL,
                   mask == HEADS_PADDED ? 4 : 3, (struct view[]){h.query, h.key, h.value, h.mask});
    const struct view merged = merge(block, &mixed);
    h.result = block_linear(block, &merged, heads_width(call->value));
    return h;
}

struct view block_heads_backward(struct block *block, const struct heads *h, const struct view *grad)
{
    const struct attributes attributes = causal();
    const int64_t mask = h->call->value[HEADS_MASK];
    const struct view of_merged = block_linear_backward(block, &h->result, grad);
    const struct view of_mixed = split(&of_merged, 0, h->call);
    struct view of_part[PARTS], of_input[PARTS];
    block_results(block, "scaled_dot_product_attention_backward", mask == HEADS_CAUSAL ? &attributes : NULL,
                  mask == HEADS_PADDED ? 5 : 4,
                  (struct view[]){of_mixed, h->query, h->key, h->value, h->mask}, PARTS, of_part);
    for (int k = 0; k < PARTS; k++) {
        const struct view of_output = merge(block, &of_part[k]);
        /* a bias of the keys adds one number to all scores of a query and changes no result: its gradient is
         * zero but for rounding, and would be evidence of nothing */
        of_input[k] = k == KEY ? block_product_backward(block, &h->projection[k], &of_output)
                               : block_linear_backward(block, &h->projection[k], &of_output);
    }
    const struct view two = block_add(block, &of_input[QUERY], &of_input[KEY]);
    return block_add(block, &two, &of_input[VALUE]);
}

void heads_print(const struct block_call *call, char *text, size_t size)
{
    static const char *const masks[] = {"", "-c", "-p"};
    const int64_t *v = call->value;
    snprintf(text, size, "%dx%dx%dx%d%s%s", (int)v[HEADS_BATCH], (int)v[HEADS_LENGTH], (int)v[HEADS_HEADS],
             (int)v[HEADS_DIM], masks[v[HEADS_MASK]], v[HEADS_PACKED] ? "-q" : "");
}
