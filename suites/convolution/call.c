/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/convolution/call.h"
#include "suites/shared/data.h"
#include "suites/shared/windows.h"

#include <math.h>
#include <string.h>

bool convolution_is_gradient(const struct op *op)
{
    return op->variant & CONVOLUTION_GRADIENT;
}

bool convolution_is_transposed(const struct op *op)
{
    return op->variant & CONVOLUTION_TRANSPOSED;
}

int convolution_rank(const struct op *op)
{
    return op->variant & CONVOLUTION_RANK;
}

static int64_t groups_of(const struct convolution_call *call)
{
    return call->groups > 0 ? call->groups : 1;
}

struct shape convolution_input_shape(const struct op *op, const struct convolution_call *call)
{
    return windows_shape(call->batch, call->in * groups_of(call), call->size, convolution_rank(op));
}

struct shape convolution_weight_shape(const struct op *op, const struct convolution_call *call)
{
    const bool transposed = convolution_is_transposed(op);
    struct shape shape = {.rank = 2};
    shape.dim[0] = (transposed ? call->in : call->out) * groups_of(call);
    shape.dim[1] = transposed ? call->out : call->in;
    for (int i = 0; i < convolution_rank(op); i++) {
        shape.dim[shape.rank++] = call->kernel[i];
    }
    return shape;
}

void convolution_set_attributes(const struct op *op, const struct convolution_call *call,
                                struct attributes *attributes)
{
    const int rank = convolution_rank(op);
    int64_t pairs[2 * CONVOLUTION_RANK_MAX];
    for (int i = 0; i < rank; i++) {
        pairs[2 * i] = call->padding[i];
        pairs[2 * i + 1] = call->end[i];
    }
    *attributes = (struct attributes){.count = 0};
    windows_add_list(attributes, "stride", call->stride, rank, 1);
    if (call->pairs) {
        struct attribute list = {
            .name = "padding", .type = ATTRIBUTE_INTEGERS, .integers = {.count = 2 * rank}};
        memcpy(list.integers.item, pairs, sizeof pairs);
        attributes->item[attributes->count++] = list;
    } else {
        windows_add_list(attributes, "padding", call->padding, rank, 0);
    }
    if (call->same) {
        build_add_attribute(attributes, "same", ATTRIBUTE_BOOL, 1);
    }
    if (convolution_is_transposed(op)) {
        windows_add_list(attributes, "output_padding", call->more, rank, 0);
    }
    windows_add_list(attributes, "dilation", call->dilation, rank, 1);
    if (call->groups > 0) {
        build_add_attribute(attributes, "groups", ATTRIBUTE_INTEGER, (double)call->groups);
    }
}

static struct view tensor_of(struct builder *b, const struct convolution_call *call,
                             const struct shape *shape, enum layout layout)
{
    const bool last = call->channels_last && shape->rank > 2,
               batched = call->batch >= 0 || shape->rank == convolution_rank(b->c->op) + 2;
    return last ? build_channels_last(b, b->c->dtype, shape, batched, LAYOUT_CONTIGUOUS)
                : build_tensor(b, b->c->dtype, shape, layout);
}

static double integer_below(struct philox *g, uint32_t most)
{
    return (double)philox_below(g, 2 * most + 1) - most;
}

/* Sets element i of an operand that is multiplied with the weights. */
static void set_input(struct builder *b, struct philox *g, const struct convolution_call *call,
                      const struct view *x, int64_t i)
{
    const double specials[] = {NAN, INFINITY, -INFINITY};
    const int64_t count = shape_elements(&x->shape);
    uint64_t bits = data_between(g, x->dtype, call->data == CONVOLUTION_POSITIVE ? -1 : -2,
                                 call->data == CONVOLUTION_POSITIVE ? -1 : 2);
    switch (call->data) {
    case CONVOLUTION_INTEGERS:
        build_set(b, x, i, integer_below(g, 3));
        return;
    case CONVOLUTION_ENCODED:
        build_set(b, x, i, (double)(i * 37 % 251 + 1));
        return;
    case CONVOLUTION_SUBNORMAL:
        build_set(b, x, i, dtype_least_subnormal(x->dtype) * (double)(1 + philox_below(g, 100)));
        return;
    case CONVOLUTION_OVERFLOW:
        if (i < count / 3) {
            build_set(b, x, i, ldexp(dtype_max(x->dtype), -8) * (i % 2 ? -0.75 : 1));
            return;
        }
        break;
    case CONVOLUTION_SPECIAL:
        if (i % (count / 3 + 1) == count / 7) {
            build_set(b, x, i, specials[i / (count / 3 + 1) % 3]);
            return;
        }
        break;
    case CONVOLUTION_POSITIVE:
        bits &= ~format_of(x->dtype).sign;
        break;
    case CONVOLUTION_RANDOM:
    case CONVOLUTION_WEIGHT_INFINITE:
        break;
    }
    build_set_bits(b, x, i, 0, bits);
}

/* Sets element i of the weights; a channel of them has `each` elements. */
static void set_weight(struct builder *b, struct philox *g, const struct convolution_call *call,
                       const struct view *w, int64_t i, int64_t each)
{
    const int64_t last = shape_elements(&w->shape) - each;
    const bool positive = call->data == CONVOLUTION_POSITIVE;
    uint64_t bits = data_between(g, w->dtype, positive ? -1 : -2, positive ? 0 : 2);
    switch (call->data) {
    case CONVOLUTION_INTEGERS:
        build_set(b, w, i, integer_below(g, 3));
        return;
    case CONVOLUTION_ENCODED:
        build_set(b, w, i, i % each == (i / each * 5 + 3) % each);
        return;
    case CONVOLUTION_SUBNORMAL:
        build_set(b, w, i, ldexp((double)(1 + philox_below(g, 7)), 11));
        return;
    case CONVOLUTION_OVERFLOW:
        build_set(b, w, i, 300);
        return;
    case CONVOLUTION_POSITIVE:
        bits &= ~format_of(w->dtype).sign;
        break;
    case CONVOLUTION_WEIGHT_INFINITE:
        if (i == last) {
            build_set(b, w, i, INFINITY);
            return;
        }
        break;
    case CONVOLUTION_RANDOM:
    case CONVOLUTION_SPECIAL:
        break;
    }
    build_set_bits(b, w, i, 0, bits);
}

/* Fills an operand of the call; `weight` if it is the weights. */
static void fill(struct builder *b, const struct convolution_call *call, const struct view *x, int tensor,
                 bool weight)
{
    struct philox g = build_generator(b, tensor);
    const int64_t count = shape_elements(&x->shape),
                  each = weight && x->shape.dim[0] > 0 ? count / x->shape.dim[0] : 1;
    for (int64_t i = 0; i < count; i++) {
        if (weight) {
            set_weight(b, &g, call, x, i, each);
        } else {
            set_input(b, &g, call, x, i);
        }
    }
    build_origin(b, x, call->data == CONVOLUTION_RANDOM);
}

static void fill_bias(struct builder *b, const struct convolution_call *call, const struct view *bias)
{
    struct philox g = build_generator(b, 3);
    const bool whole = call->data == CONVOLUTION_INTEGERS || call->data == CONVOLUTION_ENCODED;
    for (int64_t i = 0; i < bias->shape.dim[0]; i++) {
        if (whole) {
            build_set(b, bias, i, (double)(i % 7) - 3);
        } else {
            build_set_bits(b, bias, i, 0, data_between(&g, bias->dtype, -2, 2));
        }
    }
    build_origin(b, bias, call->data == CONVOLUTION_RANDOM);
}

bool convolution_make(struct builder *b, const struct convolution_call *call, struct convolution_operands *o)
{
    const struct op *op = b->c->op;
    struct shape input = convolution_input_shape(op, call), weight = convolution_weight_shape(op, call);
    struct error reason = {.text = ""};
    *o = (struct convolution_operands){.inputs = 0};
    convolution_set_attributes(op, call, &o->attributes);
    if (!convolution_of(op, &o->attributes, &input, &weight, &o->shape, &reason)) {
        return build_fail(b, reason.text);
    }
    if (convolution_is_gradient(op)) {
        o->input[o->inputs] = tensor_of(b, call, &o->shape.output, call->grad);
        fill(b, call, &o->input[o->inputs++], 0, false);
    }
    o->input[o->inputs] = tensor_of(b, call, &input, call->input);
    fill(b, call, &o->input[o->inputs++], 1, false);
    o->input[o->inputs] = tensor_of(b, call, &weight, call->weight);
    fill(b, call, &o->input[o->inputs++], 2, true);
    if (!convolution_is_gradient(op) && !call->no_bias) {
        struct shape bias = shape_of(1, call->out * groups_of(call));
        o->input[o->inputs] = build_tensor(b, b->c->dtype, &bias, call->bias);
        fill_bias(b, call, &o->input[o->inputs++]);
    }
    return !b->failed;
}

struct step *convolution_step(struct builder *b, const struct convolution_call *call,
                              const struct convolution_operands *o)
{
    struct step *step = build_step(b, b->c->op, &o->attributes, o->inputs, o->input);
    if (step) {
        step->exact = call->data == CONVOLUTION_INTEGERS || call->data == CONVOLUTION_ENCODED;
    }
    return step;
}

void convolution_plain(struct builder *b)
{
    const struct convolution_row *row = b->c->row;
    struct convolution_operands o;
    if (convolution_make(b, &row->call, &o)) {
        convolution_step(b, &row->call, &o);
    }
}
