/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Calls that pooling must refuse. Each case first makes the call that is right, then the wrong ones. */

#include "suites/pooling/calls.h"

#include <string.h>

static const struct pool_call right = {
    .batch = 2, .channels = 2, .size = {6, 6, 6}, .kernel = {3, 3, 3}, .stride = {2, 2, 2}};

/* The right call with another number for all dimensions, or too many of them. */
static void refuse_list(struct builder *b, const char *name, int count, int64_t x)
{
    struct pool_operands o;
    if (!op_attribute_named(b->c->op, name) || !pool_make(b, &right, &o)) {
        return;
    }
    struct attribute list = {.name = name, .type = ATTRIBUTE_INTEGERS, .integers = {.count = count}};
    int at = 0;
    while (at < o.attributes.count && strcmp(o.attributes.item[at].name, name) != 0) {
        at++;
    }
    for (int i = 0; i < count; i++) {
        list.integers.item[i] = x;
    }
    o.attributes.item[at] = list;
    o.attributes.count += at == o.attributes.count;
    build_rejection(b, b->c->op, &o.attributes, o.inputs, o.input);
}

static void refuse_kernels(struct builder *b)
{
    const int many = pool_rank(b->c->op) + 1;
    refuse_list(b, "kernel_size", 1, 0);
    refuse_list(b, "kernel_size", 1, -1);
    refuse_list(b, "kernel_size", 1, 7); /* beyond the input */
    refuse_list(b, "kernel_size", many, 2);
    refuse_list(b, "dilation", 1, 3); /* reaches over 7 */
    refuse_list(b, "dilation", 1, 0);
}

static void refuse_strides(struct builder *b)
{
    refuse_list(b, "stride", 1, 0);
    refuse_list(b, "stride", 1, -2);
    refuse_list(b, "stride", pool_rank(b->c->op) + 1, 2);
}

static void refuse_padding(struct builder *b)
{
    refuse_list(b, "padding", 1, 2); /* more than half of 3 */
    refuse_list(b, "padding", 1, -1);
    refuse_list(b, "padding", pool_rank(b->c->op) + 1, 1);
}

static void refuse_divisor(struct builder *b)
{
    struct pool_operands o;
    if (pool_make(b, &right, &o)) {
        o.attributes.item[o.attributes.count++] =
            (struct attribute){.name = "divisor_override", .type = ATTRIBUTE_INTEGER};
        build_rejection(b, b->c->op, &o.attributes, o.inputs, o.input);
    }
}

/* An operand without a dimension, or with one row less. */
static void refuse_operands(struct builder *b)
{
    struct pool_operands o;
    if (!pool_make(b, &right, &o)) {
        return;
    }
    for (int i = 0; i < o.inputs; i++) {
        const struct view whole = o.input[i];
        struct view wrong = whole;
        if (o.inputs > 1) {
            o.input[i] = view_window(&whole, 0, 1, 1);
            build_rejection(b, b->c->op, &o.attributes, o.inputs, o.input);
            o.input[i] = view_at(&whole, 0);
        } else {
            wrong = view_at(&whole, 0);
            o.input[i] = view_at(&wrong, 0);
        }
        build_rejection(b, b->c->op, &o.attributes, o.inputs, o.input);
        o.input[i] = whole;
    }
}

/* The last index names no place of the plane. */
static void refuse_indices(struct builder *b)
{
    const struct pool_row *row = b->c->row;
    struct pool_operands o;
    if (pool_make(b, &right, &o)) {
        const int64_t beyond[] = {pool_x_size(&o.shape), -1, INT64_C(1) << 32},
                      last = shape_elements(&o.input[2].shape) - 1;
        build_set_bits(b, &o.input[2], last, 0, (uint64_t)beyond[row->row.parameter]);
        build_rejection(b, b->c->op, &o.attributes, o.inputs, o.input);
    }
}

#define ROW(name_, ...)                                                                                      \
    {                                                                                                        \
        SUITE_ROW(name_, SMOKE, "pool_refusals", __VA_ARGS__)                                                \
    }
enum { MAX_GRADIENT = 8 };

static const struct pool_row rows[] = {
    ROW("refuse-kernels", .build = refuse_kernels),
    ROW("refuse-strides", .build = refuse_strides),
    ROW("refuse-padding", .build = refuse_padding),
    ROW("refuse-operands", .build = refuse_operands),
    ROW("refuse-index-beyond", .build = refuse_indices, .ops = MAX_GRADIENT, .parameter = 0),
    ROW("refuse-index-negative", .build = refuse_indices, .ops = MAX_GRADIENT, .parameter = 1),
    ROW("refuse-index-high-word", .build = refuse_indices, .ops = MAX_GRADIENT, .parameter = 2),
};

static const struct pool_row divisors[] = {ROW("refuse-divisor", .build = refuse_divisor)};

static void declare(struct suite_list *list)
{
    const struct suite_table tables[] = {
        {SUITE_ROWS(rows), .ops = {"avg_pool1d", "avg_pool1d_backward", "max_pool1d", "max_pool1d_backward"}},
        {SUITE_ROWS(rows), .ops = {"avg_pool2d", "avg_pool2d_backward", "max_pool2d", "max_pool2d_backward"}},
        {SUITE_ROWS(rows), .ops = {"avg_pool3d", "avg_pool3d_backward", "max_pool3d", "max_pool3d_backward"}},
        {SUITE_ROWS(divisors),
         .ops = {"avg_pool2d", "avg_pool2d_backward", "avg_pool3d", "avg_pool3d_backward"}}};
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++) {
        struct suite_table table = tables[t];
        table.dtypes = 1U << DTYPE_FLOAT32;
        suite_declare_rows(list, &table);
    }
}

const struct suite suite_pooling_refusals = {.declare = declare};
