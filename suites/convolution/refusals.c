/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Calls that a convolution must refuse. Each case first makes the call that is right, then the wrong ones. */

#include "suites/convolution/call.h"

static const struct convolution_call right = {
    .batch = 2, .in = 2, .out = 3, .groups = 2, .size = {6, 6, 6}, .kernel = {3, 3, 3}};

/* Sets one attribute of the call anew. */
static void set(struct attributes *attributes, const struct attribute *attribute)
{
    attributes->item[attributes->count++] = *attribute;
}

static struct attribute list_of(const char *name, int count, int64_t x)
{
    struct attribute list = {.name = name, .type = ATTRIBUTE_INTEGERS, .integers = {.count = count}};
    for (int i = 0; i < count; i++) {
        list.integers.item[i] = x;
    }
    return list;
}

/* The right call with another list. */
static void refuse_list(struct builder *b, const char *name, int count, int64_t x)
{
    struct convolution_operands o;
    if (convolution_make(b, &right, &o)) {
        struct attribute list = list_of(name, count, x);
        set(&o.attributes, &list);
        build_rejection(b, b->c->op, &o.attributes, o.inputs, o.input);
    }
}

static void refuse_strides(struct builder *b)
{
    refuse_list(b, "stride", 1, 0);
    refuse_list(b, "stride", 1, -1);
    refuse_list(b, "stride", convolution_rank(b->c->op) + 1, 2);
    refuse_list(b, "dilation", 1, 0);
    refuse_list(b, "dilation", convolution_rank(b->c->op) + 1, 1);
}

static void refuse_padding(struct builder *b)
{
    refuse_list(b, "padding", 1, -1);
    refuse_list(b, "padding", 2 * convolution_rank(b->c->op) + 1, 1);
    refuse_list(b, "dilation", 1, convolution_is_transposed(b->c->op) ? -1 : 7); /* the kernel is too long */
    if (convolution_is_transposed(b->c->op)) {
        refuse_list(b, "padding", 1, 100); /* nothing is left of the result */
        refuse_list(b, "output_padding", 1, 1);
        refuse_list(b, "output_padding", 1, -1);
    }
}

static void refuse_same(struct builder *b)
{
    struct convolution_operands o;
    if (convolution_make(b, &right, &o)) {
        struct attribute stride = list_of("stride", 1, 2);
        set(&o.attributes, &(struct attribute){.name = "same", .type = ATTRIBUTE_BOOL, .integer = 1});
        set(&o.attributes, &stride);
        build_rejection(b, b->c->op, &o.attributes, o.inputs, o.input);
    }
}

static void refuse_groups(struct builder *b)
{
    static const int64_t groups[] = {0, -1, 3, 4, 1};
    for (size_t k = 0; k < sizeof groups / sizeof *groups; k++) {
        struct convolution_operands o;
        if (convolution_make(b, &right, &o)) {
            o.attributes.item[o.attributes.count - 1].integer = groups[k];
            build_rejection(b, b->c->op, &o.attributes, o.inputs, o.input);
        }
    }
}

/* One operand is replaced by a view of one element less, or without a dimension. */
static void refuse_operands(struct builder *b)
{
    struct convolution_operands o;
    const int operands = convolution_is_gradient(b->c->op) ? 3 : 3;
    for (int i = 0; i < operands && convolution_make(b, &right, &o); i++) {
        struct view whole = o.input[i];
        if (whole.shape.dim[0] > 1 && !(i == 0 && !convolution_is_gradient(b->c->op))) {
            o.input[i] = view_window(&whole, 0, whole.shape.dim[0] - 1, 1); /* another batch or channel */
            build_rejection(b, b->c->op, &o.attributes, o.inputs, o.input);
        }
        o.input[i] = view_at(&whole, 0);
        if (i + 1 == o.inputs || convolution_is_gradient(b->c->op) || i == 1) {
            build_rejection(b, b->c->op, &o.attributes, o.inputs, o.input);
        }
    }
}

#define ROW(name_, ...)                                                                                      \
    {                                                                                                        \
        SUITE_ROW(name_, SMOKE, "window_refusals", __VA_ARGS__)                                              \
    }
enum { PLAIN = 1 | 4 };

static const struct convolution_row rows[] = {
    ROW("refuse-strides", .build = refuse_strides),         ROW("refuse-padding", .build = refuse_padding),
    ROW("refuse-same", .build = refuse_same, .ops = PLAIN), ROW("refuse-groups", .build = refuse_groups),
    ROW("refuse-operands", .build = refuse_operands),
};

static void declare(struct suite_list *list)
{
    const struct suite_table tables[] = {
        {SUITE_ROWS(rows),
         .ops = {"conv1d", "conv_transpose1d", "conv1d_backward", "conv_transpose1d_backward"}},
        {SUITE_ROWS(rows),
         .ops = {"conv2d", "conv_transpose2d", "conv2d_backward", "conv_transpose2d_backward"}},
        {SUITE_ROWS(rows),
         .ops = {"conv3d", "conv_transpose3d", "conv3d_backward", "conv_transpose3d_backward"}}};
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++) {
        struct suite_table table = tables[t];
        table.dtypes = 1U << DTYPE_FLOAT32;
        suite_declare_rows(list, &table);
    }
}

const struct suite suite_convolution_refusals = {.declare = declare};
