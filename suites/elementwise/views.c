/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Operators whose numbers are views of their operands (reference/ops/elementwise/elementwise_views.h): a
 * weight for each channel beside dimensions of equal length, halves along every dimension, layouts of each
 * operand in turn, and calls that must be refused. several.c has their special values and exponents. */

#include "reference/ops/elementwise/elementwise.h"
#include "suites/shared/data.h"
#include "suites/shared/functions.h"
#include "suites/shared/rows.h"

#include <string.h>

enum { FULL, ONE, SCALAR, REFUSED_RANK, REFUSED_LENGTH, REFUSED_GRAD };

struct row {
    struct suite_row row;
    enum elementwise_views views;
    int rank;
    int64_t dim[5]; /* of the input of channels, of a half */
    int weight;     /* of channels: a number for each, one, one without a dimension; or what is refused */
    int along;      /* of halves: the dimension, ≥ 0 */
    bool from_end;  /* and named by its place from the end */
    bool omitted;   /* or not at all */
    enum layout layout;
    bool codes; /* numbers that tell their place */
};

static struct shape shape_of_row(const struct row *row)
{
    struct shape shape = {.rank = row->rank};
    memcpy(shape.dim, row->dim, sizeof row->dim);
    return shape;
}

static struct attributes attributes_of(const struct row *row)
{
    struct attributes attributes = {.count = 0};
    if (row->views == VIEWS_HALVES && !row->omitted) {
        attributes.item[attributes.count++] =
            (struct attribute){.name = "dim",
                               .type = ATTRIBUTE_INTEGER,
                               .integer = row->along - (row->from_end ? row->rank : 0)};
    }
    return attributes;
}

/* 1, 1 + 1/64, …: weights and halves that no other element has. */
static void fill(struct builder *b, const struct row *row, int k, const struct view *x)
{
    const struct function *f = function_named(b->c->op->name);
    if (!row->codes) {
        function_fill(b, f, k, x);
        return;
    }
    for (int64_t i = 0; i < shape_elements(&x->shape); i++) {
        double at = (1 + (double)(i % 61) / 64) * (k == 0 ? 1 : 1.75);
        build_set(b, x, i, (i + k) % 3 ? at : -at);
    }
}

/* The inputs in the layout one by one. */
static void build_views(struct builder *b)
{
    const struct row *row = b->c->row;
    const struct function *f = function_named(b->c->op->name);
    const struct attributes attributes = attributes_of(row);
    const struct shape shape = shape_of_row(row);
    int64_t channels = row->rank > 1 && row->weight == FULL ? row->dim[1] : 1;
    const struct shape weight = row->weight == SCALAR ? (struct shape){.rank = 0} : shape_of(1, channels);
    const int inputs = op_inputs_max(b->c->op), turns = row->layout == LAYOUT_CONTIGUOUS ? 1 : inputs;
    for (int turn = 0; turn < turns && !b->failed; turn++) {
        struct function_call call;
        enum layout layout[FUNCTION_OPERANDS];
        b->stream = 16 * turn;
        for (int k = 0; k < inputs; k++) {
            layout[k] = k == turn ? row->layout : LAYOUT_CONTIGUOUS;
        }
        function_views(b, f, &shape, &weight, row->along, layout, &call);
        for (int k = 0; k < function_operands(f) && !b->failed; k++) {
            fill(b, row, k, &call.number[k]);
        }
        build_step(b, b->c->op, &attributes, call.inputs, call.input);
    }
}

/* The row's shape is the last operand's of halves, and the input's of channels. */
static void refuse(struct builder *b)
{
    const struct row *row = b->c->row;
    const struct function *f = function_named(b->c->op->name);
    const struct attributes attributes = attributes_of(row);
    const struct shape shape = shape_of_row(row), two = shape_of(1, (int64_t)2),
                       square = shape_of(2, (int64_t)1, (int64_t)3), one = shape_of(1, (int64_t)1);
    const int inputs = op_inputs_max(b->c->op), last = inputs - 1;
    struct view input[FUNCTION_OPERANDS];
    for (int k = 0; k < inputs; k++) {
        bool grad = k == 0 && inputs > (row->views == VIEWS_CHANNELS ? 2 : 1);
        const struct shape *own = &shape;
        if (row->views == VIEWS_CHANNELS && k == last) {
            own = row->weight == REFUSED_RANK ? &square : row->weight == REFUSED_LENGTH ? &two : &one;
        }
        if (grad && row->weight == REFUSED_GRAD) {
            own = &two;
        }
        input[k] = function_tensor(b, f, k, own, LAYOUT_CONTIGUOUS);
        function_fill(b, f, k, &input[k]);
    }
    build_rejection(b, b->c->op, &attributes, inputs, input);
}

#define CHANNELS(rank_, ...)       .views = VIEWS_CHANNELS, .rank = rank_, .dim = {__VA_ARGS__}
#define HALVES(along_, rank_, ...) .views = VIEWS_HALVES, .along = along_, .rank = rank_, .dim = {__VA_ARGS__}
#define WEIGHTS                    "channel_weights self_encoding"
#define PARTS                      "halves self_encoding"
#define LAID                       "layout_grid poison"

static const struct row rows[] = {
    {SUITE_ROW("channels-equal", SMOKE, WEIGHTS), CHANNELS(3, 4, 4, 4), .codes = true},
    {SUITE_ROW("channels-4d", SMOKE, WEIGHTS), CHANNELS(4, 2, 3, 5, 3)},
    {SUITE_ROW("channels-2d", STANDARD, WEIGHTS), CHANNELS(2, 7, 5), .codes = true},
    {SUITE_ROW("channels-5d", STANDARD, WEIGHTS), CHANNELS(5, 2, 3, 2, 4, 3)},
    {SUITE_ROW("channels-65", STANDARD, WEIGHTS " many_channels"), CHANNELS(3, 2, 65, 2)},
    {SUITE_ROW("channels-130", STANDARD, WEIGHTS " many_channels"), CHANNELS(2, 2, 130)},
    {SUITE_ROW("channels-none", STANDARD, "size_limits"), CHANNELS(3, 2, 0, 4)},
    {SUITE_ROW("batch-none", STANDARD, "size_limits"), CHANNELS(3, 0, 3, 4)},
    {SUITE_ROW("weight-one", SMOKE, WEIGHTS), CHANNELS(3, 2, 3, 5), .weight = ONE},
    {SUITE_ROW("weight-scalar", STANDARD, WEIGHTS), CHANNELS(3, 2, 3, 5), .weight = SCALAR},
    {SUITE_ROW("vector", STANDARD, "size_limits"), CHANNELS(1, 9), .weight = ONE},
    {SUITE_ROW("scalar", STANDARD, "size_limits"), .views = VIEWS_CHANNELS, .weight = ONE},
    {SUITE_ROW("channels-transposed", SMOKE, LAID), CHANNELS(3, 3, 5, 6), .layout = LAYOUT_TRANSPOSED},
    {SUITE_ROW("channels-stepped3", STANDARD, LAID), CHANNELS(3, 3, 5, 6), .layout = LAYOUT_STEPPED3},
    {SUITE_ROW("channels-permuted", STANDARD, LAID), CHANNELS(3, 3, 5, 6), .layout = LAYOUT_PERMUTED},
    {SUITE_ROW("channels-offset1", STANDARD, LAID), CHANNELS(3, 3, 5, 6), .layout = LAYOUT_OFFSET1},
    {SUITE_ROW("channels-expanded", STANDARD, "expanded"), CHANNELS(3, 3, 5, 6), .layout = LAYOUT_EXPANDED},
    {SUITE_ROW("refuse-weight-length", SMOKE, "halves_refusals", .build = refuse), CHANNELS(3, 2, 3, 2),
     .weight = REFUSED_LENGTH},
    {SUITE_ROW("refuse-weight-of-vector", STANDARD, "halves_refusals", .build = refuse), CHANNELS(1, 2),
     .weight = REFUSED_LENGTH},
    {SUITE_ROW("refuse-weight-rank", STANDARD, "halves_refusals", .build = refuse), CHANNELS(3, 2, 3, 3),
     .weight = REFUSED_RANK},

    {SUITE_ROW("halves-middle", SMOKE, PARTS), HALVES(1, 3, 3, 4, 5), .codes = true},
    {SUITE_ROW("halves-first", SMOKE, PARTS), HALVES(0, 2, 4, 6)},
    {SUITE_ROW("halves-last", STANDARD, PARTS), HALVES(2, 3, 2, 3, 5)},
    {SUITE_ROW("halves-default", STANDARD, PARTS), HALVES(2, 3, 2, 3, 5), .omitted = true, .codes = true},
    {SUITE_ROW("halves-from-end", STANDARD, PARTS), HALVES(1, 3, 3, 2, 5), .from_end = true},
    {SUITE_ROW("halves-5d", STANDARD, PARTS), HALVES(2, 5, 2, 3, 2, 4, 3), .codes = true},
    {SUITE_ROW("halves-vector", STANDARD, PARTS), HALVES(0, 1, 7), .omitted = true},
    {SUITE_ROW("halves-none", STANDARD, "size_limits"), HALVES(1, 2, 3, 0)},
    {SUITE_ROW("batch-none", STANDARD, "size_limits"), HALVES(1, 2, 0, 3)},
    {SUITE_ROW("halves-transposed", SMOKE, LAID), HALVES(1, 2, 8, 6), .layout = LAYOUT_TRANSPOSED},
    {SUITE_ROW("halves-stepped3", STANDARD, LAID), HALVES(1, 2, 8, 6), .layout = LAYOUT_STEPPED3},
    {SUITE_ROW("halves-reversed", STANDARD, LAID), HALVES(1, 3, 3, 4, 5), .layout = LAYOUT_REVERSED},
    {SUITE_ROW("halves-offset1", STANDARD, LAID), HALVES(0, 2, 8, 6), .layout = LAYOUT_OFFSET1},
    {SUITE_ROW("halves-expanded", STANDARD, "expanded"), HALVES(1, 2, 8, 6), .layout = LAYOUT_EXPANDED},
    {SUITE_ROW("refuse-odd", SMOKE, "halves_refusals", .build = refuse), HALVES(1, 2, 4, 5)},
    {SUITE_ROW("refuse-dimension", STANDARD, "halves_refusals", .build = refuse), HALVES(2, 2, 4, 6)},
    {SUITE_ROW("refuse-scalar", STANDARD, "halves_refusals", .build = refuse), .views = VIEWS_HALVES,
     .omitted = true},
};

static bool asks(const void *at, const struct op *op, enum dtype dtype)
{
    (void)dtype;
    const struct row *row = at;
    return row->views == op->row->views;
}

/* A gradient's are those that its forward has, and grad_output of the input's shape or of another one. */
static const struct row gradients[] = {
    {SUITE_ROW("refuse-grad", SMOKE, "halves_refusals"), CHANNELS(2, 4, 1), .weight = REFUSED_GRAD},
    {SUITE_ROW("refuse-grad-of-whole", SMOKE, "halves_refusals"), HALVES(1, 2, 4, 6)},
    {SUITE_ROW("refuse-grad-of-vector", STANDARD, "halves_refusals"), HALVES(1, 2, 2, 2),
     .weight = REFUSED_GRAD},
};

static void declare(struct suite_list *list)
{
    for (int k = 0; k < function_count(); k++) {
        const struct function *f = function_at(k);
        const struct op *op = op_find(f->name);
        if (!op || op->row->views == VIEWS_OPERANDS) {
            continue;
        }
        suite_declare_rows(list, &(struct suite_table){SUITE_ROWS(rows), .ops = {f->name},
                                                       .build = build_views, .asks = asks});
        if (elementwise_is_gradient(op)) {
            suite_declare_rows(list, &(struct suite_table){SUITE_ROWS(gradients), .ops = {f->name},
                                                           .build = refuse, .asks = asks});
        }
    }
}

const struct suite suite_elementwise_views = {.declare = declare};
