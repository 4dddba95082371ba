/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/block/encoder.h"
#include "suites/block/cases.h"

#include <stdio.h>

/* The layers, which the backward part reads again. `inner` and `outer` are the norms of the first and the
 * second half. */
struct encoder {
    const struct block_call *call;
    struct layer inner, outer, first, second;
    struct heads heads;
    struct view activated, output;
};

/* Numbers of a token between the two linear layers: odd. */
static int64_t hidden(const int64_t value[BLOCK_AXES])
{
    return 2 * heads_width(value) + 1;
}

static bool is_post(const struct encoder *e)
{
    return e->call->value[ENCODER_POST];
}

static bool is_relu(const struct encoder *e)
{
    return e->call->value[ENCODER_RELU];
}

static struct view feed_forward(struct block *block, struct encoder *e, const struct view *x)
{
    e->first = block_linear(block, x, hidden(e->call->value));
    e->activated = block_step(block, is_relu(e) ? "relu" : "gelu", NULL, 1, &e->first.output);
    e->second = block_linear(block, &e->activated, heads_width(e->call->value));
    return e->second.output;
}

static struct view feed_forward_backward(struct block *block, const struct encoder *e,
                                         const struct view *grad)
{
    const struct view of_activated = block_linear_backward(block, &e->second, grad);
    const struct view of_first = block_step(block, is_relu(e) ? "relu_backward" : "gelu_backward", NULL, 2,
                                            (struct view[]){of_activated, e->first.output});
    return block_linear_backward(block, &e->first, &of_first);
}

static struct encoder forward(struct block *block, const struct block_call *call, const struct view *x)
{
    struct encoder e = {.call = call};
    if (is_post(&e)) {
        e.heads = block_heads(block, call, x);
        const struct view sum = block_add(block, x, &e.heads.result.output);
        e.inner = block_layer_norm(block, &sum);
        const struct view fed = feed_forward(block, &e, &e.inner.output);
        const struct view last = block_add(block, &e.inner.output, &fed);
        e.outer = block_layer_norm(block, &last);
        e.output = e.outer.output;
    } else {
        e.inner = block_layer_norm(block, x);
        e.heads = block_heads(block, call, &e.inner.output);
        const struct view sum = block_add(block, x, &e.heads.result.output);
        e.outer = block_layer_norm(block, &sum);
        const struct view fed = feed_forward(block, &e, &e.outer.output);
        e.output = block_add(block, &sum, &fed);
    }
    return e;
}

static struct view backward(struct block *block, const struct encoder *e, const struct view *grad)
{
    if (is_post(e)) {
        const struct view last = block_layer_norm_backward(block, &e->outer, grad);
        const struct view fed = feed_forward_backward(block, e, &last);
        const struct view of_inner = block_add(block, &last, &fed);
        const struct view sum = block_layer_norm_backward(block, &e->inner, &of_inner);
        const struct view mixed = block_heads_backward(block, &e->heads, &sum);
        return block_add(block, &sum, &mixed);
    }
    const struct view fed = feed_forward_backward(block, e, grad);
    const struct view of_outer = block_layer_norm_backward(block, &e->outer, &fed);
    const struct view sum = block_add(block, grad, &of_outer);
    const struct view mixed = block_heads_backward(block, &e->heads, &sum);
    const struct view of_inner = block_layer_norm_backward(block, &e->inner, &mixed);
    return block_add(block, &sum, &of_inner);
}

struct block_ends encoder_build(struct block *block, const struct block_call *call, bool gradient)
{
    const struct shape shape =
        shape_of(3, call->value[HEADS_BATCH], call->value[HEADS_LENGTH], heads_width(call->value));
    const struct view x = block_batch(block, &shape, -2, 0);
    const struct encoder e = forward(block, call, &x);
    struct block_ends ends = {.output = e.output, .grad_input = {.storage = -1}};
    if (gradient) {
        const struct view grad = block_batch(block, &shape, -2, 0);
        ends.grad_input = backward(block, &e, &grad);
    }
    return ends;
}

static int64_t work(const int64_t value[BLOCK_AXES])
{
    const int64_t tokens = value[HEADS_BATCH] * value[HEADS_LENGTH];
    if (heads_width(value) == 1) {
        return -1; /* layer_norm of one number is its bias, whatever the number */
    }
    return heads_work(value) + (6 * tokens + 2 * BLOCK_ELEMENT) * heads_width(value) * hidden(value);
}

static struct block_axes axes(void)
{
    struct block_axes axes = heads_axes();
    axes.count = ENCODER_AXES;
    for (int a = HEADS_AXES; a < ENCODER_AXES; a++) {
        axes.axis[a].values = 2;
        axes.axis[a].value[1] = 1;
    }
    axes.small[ENCODER_POST] = 1;
    axes.work = work;
    return axes;
}

static void print(const struct block_call *call, char *text, size_t size)
{
    char sizes[BLOCK_NAME];
    heads_print(call, sizes, sizeof sizes);
    snprintf(text, size, "%.64s-%s-%s", sizes, call->value[ENCODER_POST] ? "post" : "pre",
             call->value[ENCODER_RELU] ? "relu" : "gelu");
}

static const struct block_kind kind = {.op = "layer_norm",
                                       .name = "encoder",
                                       .file = __FILE__,
                                       .line = __LINE__,
                                       .axes = axes,
                                       .batch = HEADS_BATCH,
                                       .dtype = HEADS_DTYPE,
                                       .build = encoder_build,
                                       .print = print,
                                       .separate = true};

static void declare(struct suite_list *list)
{
    block_declare(list, &kind);
}

const struct suite suite_block_encoder = {.declare = declare};
