/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/pooling/calls.h"
#include "suites/shared/data.h"
#include "suites/shared/windows.h"

#include <math.h>

int pool_rank(const struct op *op)
{
    return op->variant & POOL_RANK;
}

bool pool_is_gradient(const struct op *op)
{
    return op->variant & POOL_GRADIENT;
}

bool pool_is_maximum(const struct op *op)
{
    return op->variant & POOL_MAXIMUM;
}

static void set_attributes(const struct op *op, const struct pool_call *call, struct attributes *attributes)
{
    const int rank = pool_rank(op);
    *attributes = (struct attributes){.count = 0};
    windows_add_list(attributes, "kernel_size", call->kernel, rank, 1);
    windows_add_list(attributes, "stride", call->stride, rank, 1);
    windows_add_list(attributes, "padding", call->padding, rank, 0);
    if (pool_is_maximum(op)) {
        windows_add_list(attributes, "dilation", call->dilation, rank, 1);
    }
    if (call->ceil) {
        build_add_attribute(attributes, "ceil_mode", ATTRIBUTE_BOOL, 1);
    }
    if (call->uncounted && !pool_is_maximum(op)) {
        build_add_attribute(attributes, "count_include_pad", ATTRIBUTE_BOOL, 0);
    }
    if (call->divisor != 0 && op_attribute_named(op, "divisor_override")) {
        build_add_attribute(attributes, "divisor_override", ATTRIBUTE_INTEGER, (double)call->divisor);
    }
}

static struct view tensor_of(struct builder *b, const struct pool_call *call, enum dtype dtype,
                             const struct shape *shape, enum layout layout)
{
    return call->channels_last ? build_channels_last(b, dtype, shape, call->batch >= 0, LAYOUT_CONTIGUOUS)
                               : build_tensor(b, dtype, shape, layout);
}

static void set_element(struct builder *b, const struct pool_call *call, struct philox *g,
                        const struct view *x, int64_t i)
{
    static const double specials[] = {NAN, INFINITY, -INFINITY, 0.0, -0.0};
    const bool one = call->data == POOL_NEGATIVE || call->data == POOL_POSITIVE;
    const uint64_t sign = format_of(x->dtype).sign,
                   bits = data_between(g, x->dtype, one ? -1 : -2, one ? -1 : 2);
    switch (call->data) {
    case POOL_INTEGERS:
        build_set(b, x, i, (double)philox_below(g, 7) - 3);
        return;
    case POOL_ENCODED: /* of the 16-bit types every 251st is equal */
        build_set(b, x, i, (double)((i * 97 + 31) % 251 - 125));
        return;
    case POOL_SPECIAL:
        if (i % 7 == 3) {
            build_set(b, x, i, specials[i / 7 % 5]);
            return;
        }
        break;
    case POOL_SUBNORMAL:
        if (i < shape_elements(&x->shape) / 3) {
            build_set(b, x, i, dtype_least_subnormal(x->dtype) * ((double)philox_below(g, 101) - 50));
            return;
        }
        break;
    case POOL_RANDOM:
    case POOL_NEGATIVE:
    case POOL_POSITIVE:
        break;
    }
    build_set_bits(b, x, i, 0,
                   call->data == POOL_NEGATIVE   ? bits | sign
                   : call->data == POOL_POSITIVE ? bits & ~sign
                                                 : bits);
}

static void fill(struct builder *b, const struct pool_call *call, const struct view *x, int tensor)
{
    struct philox g = build_generator(b, tensor);
    const int64_t count = layout_repeats(call->layout) && tensor == 1 ? 1 : shape_elements(&x->shape);
    for (int64_t i = 0; i < count; i++) {
        set_element(b, call, &g, x, i);
    }
    build_origin(b, x, call->data == POOL_RANDOM);
}

/* Any element of each window, so that some have several gradients and some none. */
static void fill_indices(struct builder *b, const struct pool *p, const struct view *indices)
{
    struct philox g = build_generator(b, 2);
    const int64_t size = pool_y_size(p), taps = pool_taps(p);
    for (int64_t i = 0; i < shape_elements(&indices->shape); i++) {
        int64_t at = -1, t = philox_below(&g, (uint32_t)taps);
        t = i % 4 == 1 ? taps - 1 : i % 4 == 3 ? 0 : t;
        for (int64_t k = 0; k < taps && at < 0; k++) {
            at = pool_meets(p, i % size, (t + k) % taps);
        }
        build_set_bits(b, indices, i, 0, (uint64_t)at);
    }
    build_origin(b, indices, true);
}

bool pool_make(struct builder *b, const struct pool_call *call, struct pool_operands *o)
{
    const struct op *op = b->c->op;
    const struct shape input = windows_shape(call->batch, call->channels, call->size, pool_rank(op));
    struct error reason = {.text = ""};
    *o = (struct pool_operands){.inputs = 0};
    set_attributes(op, call, &o->attributes);
    if (!pool_of(op, &o->attributes, &input, &o->shape, &reason)) {
        return build_fail(b, reason.text);
    }
    if (pool_is_gradient(op)) {
        o->input[o->inputs] = tensor_of(b, call, b->c->dtype, &o->shape.output, call->grad);
        fill(b, call, &o->input[o->inputs++], 0);
    }
    o->input[o->inputs] = tensor_of(b, call, b->c->dtype, &input, call->layout);
    fill(b, call, &o->input[o->inputs++], 1);
    if (pool_is_gradient(op) && pool_is_maximum(op)) {
        o->input[o->inputs] = tensor_of(b, call, DTYPE_INT64, &o->shape.output,
                                        layout_repeats(call->grad) ? LAYOUT_CONTIGUOUS : call->grad);
        fill_indices(b, &o->shape, &o->input[o->inputs++]);
    }
    return !b->failed;
}

struct step *pool_step(struct builder *b, const struct pool_operands *o)
{
    return build_step(b, b->c->op, &o->attributes, o->inputs, o->input);
}

void pool_plain(struct builder *b)
{
    const struct pool_row *row = b->c->row;
    struct pool_operands o;
    if (pool_make(b, &row->call, &o)) {
        pool_step(b, &o);
    }
}
