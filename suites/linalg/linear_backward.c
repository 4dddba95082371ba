/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The gradients of a linear layer. */

#include "suites/linalg/layer.h"
#include "suites/shared/data.h"

#include <math.h>

enum { FILL_RANDOM, FILL_INTEGERS, FILL_SPECIAL, FILL_POSITIVE };

struct layer_row {
    struct suite_row row;
    int batch; /* dimensions of the batch, at most 3 */
    int64_t dim[3], n, k;
    int fill;
    enum layout grad, input, weight;
};

static struct shape with_last(const struct layer_row *row, int64_t last)
{
    struct shape shape = {.rank = row->batch + 1};
    for (int d = 0; d < row->batch; d++) {
        shape.dim[d] = row->dim[d];
    }
    shape.dim[row->batch] = last;
    return shape;
}

static void fill(struct builder *b, const struct view *x, int tensor, int kind)
{
    struct philox g = build_generator(b, tensor);
    const int64_t count = shape_elements(&x->shape);
    for (int64_t i = 0; i < count; i++) {
        uint64_t bits =
            data_between(&g, x->dtype, kind == FILL_POSITIVE ? -1 : -2, kind == FILL_POSITIVE ? -1 : 2);
        if (kind == FILL_INTEGERS) {
            build_set(b, x, i, (double)philox_below(&g, 7) - 3);
        } else if (kind == FILL_SPECIAL && i == count / 3) {
            build_set(b, x, i, tensor % 2 ? (double)INFINITY : (double)NAN);
        } else {
            build_set_bits(b, x, i, 0, kind == FILL_POSITIVE ? bits & ~format_of(x->dtype).sign : bits);
        }
    }
    build_origin(b, x, kind == FILL_RANDOM);
}

static struct step *layer_step(struct builder *b, struct view input[3], bool exact)
{
    struct step *step = build_step(b, b->c->op, NULL, 3, input);
    if (step) {
        step->exact = exact;
    }
    return step;
}

struct step *layer_make(struct builder *b, const struct shape *grad, const struct shape *x, int64_t n,
                        int64_t k, const enum layout layout[3], struct view input[3])
{
    struct shape weight = shape_of(2, n, k);
    input[0] = build_tensor(b, b->c->dtype, grad, layout[0]);
    input[1] = build_tensor(b, b->c->dtype, x, layout[1]);
    input[2] = build_tensor(b, b->c->dtype, &weight, layout[2]);
    for (int i = 0; i < 3; i++) {
        fill(b, &input[i], i, FILL_RANDOM);
    }
    return layer_step(b, input, false);
}

static struct step *make(struct builder *b, struct view input[3])
{
    const struct layer_row *row = b->c->row;
    struct shape grad = with_last(row, row->n), x = with_last(row, row->k), w = shape_of(2, row->n, row->k);
    input[0] = build_tensor(b, b->c->dtype, &grad, row->grad);
    input[1] = build_tensor(b, b->c->dtype, &x, row->input);
    input[2] = build_tensor(b, b->c->dtype, &w, row->weight);
    for (int i = 0; i < 3; i++) {
        fill(b, &input[i], i, row->fill);
    }
    return layer_step(b, input, row->fill == FILL_INTEGERS);
}

static void build(struct builder *b)
{
    struct view input[3];
    make(b, input);
}

/* A sample alone must have the bits that it has in the batch. */
static void build_alone(struct builder *b)
{
    const struct layer_row *row = b->c->row;
    struct view input[3];
    struct step *step = make(b, input);
    struct view whole = step ? step->output[0] : input[0];
    const int64_t starts[] = {0, row->dim[0] / 2, row->dim[0] - 1};
    for (int k = 0; !b->failed && k < 3; k++) {
        struct view alone[] = {view_window(&input[0], starts[k], 1, 1),
                               view_window(&input[1], starts[k], 1, 1), input[2]};
        step = layer_step(b, alone, false);
        if (step) {
            struct view inside = view_window(&whole, starts[k], 1, 1);
            build_relate(b, &inside, &step->output[0],
                         "a sample alone has the bits that it has in the batch");
        }
    }
}

static void build_refused(struct builder *b)
{
    struct view input[3];
    if (make(b, input)) {
        for (int i = 0; i < 3; i++) {
            struct view wrong[3] = {input[0], input[1], input[2]};
            wrong[i] = view_window(&input[i], 0, input[i].shape.dim[0] - 1, 1);
            build_rejection(b, b->c->op, NULL, 3, wrong);
            wrong[i] = view_at(&input[i], 0);
            build_rejection(b, b->c->op, NULL, 3, wrong);
        }
    }
}

#define ROW(name_, level_, ...) SUITE_ROW(name_, level_, __VA_ARGS__)
#define MATRIX                  .batch = 1, .dim = {9}, .n = 5, .k = 7

static const struct layer_row rows[] = {
    {ROW("plain", SMOKE, "self_encoding"), MATRIX},
    {ROW("integers", SMOKE, "self_encoding"), MATRIX, .fill = FILL_INTEGERS},
    {ROW("vector", STANDARD, "self_encoding"), .batch = 0, .n = 5, .k = 7},
    {ROW("batch-2d", STANDARD, "self_encoding"), .batch = 2, .dim = {3, 5}, .n = 6, .k = 4,
     .fill = FILL_INTEGERS},
    {ROW("batch-3d", STANDARD, "self_encoding"), .batch = 3, .dim = {2, 3, 5}, .n = 6, .k = 4},
    {ROW("batch-0", SMOKE, "self_encoding"), .batch = 2, .dim = {0, 5}, .n = 6, .k = 4},
    {ROW("wide-128", STANDARD, "self_encoding"), .batch = 1, .dim = {65}, .n = 129, .k = 130},
    {ROW("rows-4099", STANDARD, "self_encoding"), .batch = 1, .dim = {4099}, .n = 9, .k = 17},
    {ROW("rows-4099-positive", STANDARD, "self_encoding"), .batch = 1, .dim = {4099}, .n = 3, .k = 5,
     .fill = FILL_POSITIVE},
    {ROW("rows-65537", STANDARD, "size_limits", .dtypes = 1U << DTYPE_FLOAT32), .batch = 1, .dim = {65537},
     .n = 2, .k = 3},
    {ROW("special", SMOKE, "special_values"), MATRIX, .fill = FILL_SPECIAL},
    {ROW("alone", SMOKE, "batch_invariance", .build = build_alone), .batch = 2, .dim = {7, 3}, .n = 33,
     .k = 17},
    {ROW("refuse", SMOKE, "window_refusals", .build = build_refused, .dtypes = 1U << DTYPE_FLOAT32), MATRIX},
    {ROW("grad-transposed", STANDARD, "layout_grid poison"), MATRIX, .grad = LAYOUT_TRANSPOSED},
    {ROW("grad-expanded", STANDARD, "expanded"), MATRIX, .grad = LAYOUT_EXPANDED},
    {ROW("input-block", STANDARD, "layout_grid poison"), MATRIX, .input = LAYOUT_BLOCK},
    {ROW("weight-stepped2", STANDARD, "layout_grid poison"), MATRIX, .weight = LAYOUT_STEPPED2},
    {ROW("all-permuted", STANDARD, "layout_grid poison"), .batch = 3, .dim = {2, 3, 5}, .n = 6, .k = 4,
     .grad = LAYOUT_PERMUTED, .input = LAYOUT_REVERSED, .weight = LAYOUT_TRANSPOSED},
};

static void declare(struct suite_list *list)
{
    suite_declare_rows(list, &(struct suite_table){SUITE_ROWS(rows), .ops = {"linear_backward"},
                                                   .build = build, .level = level_beyond_float32});
}

const struct suite suite_linalg_linear_backward = {.declare = declare};
