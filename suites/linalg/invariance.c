/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* logdet and slogdet: equal matrices at different places of a batch, and metamorphic pairs whose determinants
 * are related. */

#include "suites/linalg/matrices.h"

static void batch_invariance(struct builder *b)
{
    const struct matrix_row *row = b->c->row;
    struct view a = matrix_batch_random(b, row->count, row->n, row->layout), y = matrix_determinant(b, &a);
    const int picks[] = {0, 1, row->count / 2, row->count - 1};
    for (size_t k = 0; k < sizeof picks / sizeof *picks; k++) {
        struct view one = view_at(&a, picks[k]), inside = view_at(&y, picks[k]);
        struct view alone = matrix_determinant(b, &one);
        build_relate(b, &inside, &alone, "a matrix has the same determinant alone and in a batch");
    }
}

static void position_invariance(struct builder *b)
{
    const struct matrix_row *row = b->c->row;
    struct view a = matrix_batch(b, row->count, row->n, row->layout);
    for (int m = 0; m < row->count; m++) {
        struct view one = view_at(&a, m);
        matrix_store(b, &one, RANDOM, 0, 0);
    }
    struct view y = matrix_determinant(b, &a), first = view_window(&y, 0, 1, 1);
    build_relate_all(b, &y, &first, "a matrix has the same determinant at every place of a batch");
}

/* The same matrix through different strides in one program: each result must be within its bound. Equal bits
 * are not required, because a library may pass the transpose to a column-major elimination, which rounds
 * otherwise. */
static void same_matrix_layouts(struct builder *b)
{
    const struct matrix_row *row = b->c->row;
    static const enum layout layouts[] = {LAYOUT_CONTIGUOUS, LAYOUT_TRANSPOSED, LAYOUT_BLOCK,
                                          LAYOUT_STEPPED2};
    struct shape shape = shape_of(2, (int64_t)row->n, (int64_t)row->n);
    for (int k = 0; k < 4; k++) {
        struct view a = build_tensor(b, b->c->dtype, &shape, layouts[k]);
        matrix_store(b, &a, RANDOM, 0, 0);
        matrix_determinant(b, &a);
    }
}

/* --- metamorphic: each matrix of a pair has its own certified truth */

static void transpose_too(struct builder *b)
{
    const struct matrix_row *row = b->c->row;
    struct shape shape = shape_of(2, (int64_t)row->n, (int64_t)row->n);
    struct view a = build_tensor(b, b->c->dtype, &shape, row->layout);
    matrix_store(b, &a, RANDOM, 0, 0);
    struct view turned = view_transposed(&a);
    matrix_determinant(b, &a);
    matrix_determinant(b, &turned);
}

enum { ORDER_SMALL = 24 };

static void store(struct builder *b, const struct view *view, const double *a)
{
    int64_t count = shape_elements(&view->shape);
    for (int64_t i = 0; i < count; i++) {
        build_set(b, view, i, a[i]);
    }
}

static void exchange_first(double *a, int n, int row)
{
    for (int j = 0; j < n; j++) {
        double x = a[j];
        a[j] = a[row * n + j];
        a[row * n + j] = x;
    }
}

/* PA: matrix m of the batch is A after m row exchanges, so that the sign alternates. */
static void rows_exchanged(struct builder *b)
{
    const struct matrix_row *row = b->c->row;
    double a[ORDER_SMALL * ORDER_SMALL];
    struct view all = matrix_batch(b, row->count, row->n, row->layout);
    matrix_make(b, RANDOM, row->n, 0, 0, a);
    for (int m = 0; m < row->count; m++) {
        struct view one = view_at(&all, m);
        store(b, &one, a);
        exchange_first(a, row->n, 1 + m % (row->n - 1));
    }
    matrix_determinant(b, &all);
}

/* 2^k·A adds n·k·ln 2: k from −50 to 50 in tens, so that the product of the pivots leaves the range on both
 * sides. */
static void power_scaled(struct builder *b)
{
    const struct matrix_row *row = b->c->row;
    double a[ORDER_SMALL * ORDER_SMALL];
    struct view all = matrix_batch(b, row->count, row->n, row->layout);
    matrix_make(b, RANDOM, row->n, 0, 0, a);
    for (int i = 0; i < row->n * row->n; i++) {
        a[i] = a[i] * 0x1p-50;
    }
    for (int m = 0; m < row->count; m++) {
        struct view one = view_at(&all, m);
        store(b, &one, a);
        for (int i = 0; i < row->n * row->n; i++) {
            a[i] *= 0x1p10;
        }
    }
    matrix_determinant(b, &all);
}

static const struct matrix_row rows[] = {
    {MATRIX_ROW("batch-invariance-n2", SMOKE, "batch_invariance", batch_invariance, 65, 2)},
    {MATRIX_ROW("batch-invariance-n4", STANDARD, "batch_invariance", batch_invariance, 9, 4)},
    {MATRIX_ROW("batch-invariance-n20", STANDARD, "batch_invariance", batch_invariance, 5, 20)},
    {MATRIX_ROW("batch-invariance-n33", STANDARD, "batch_invariance", batch_invariance, 3, 33)},
    {MATRIX_ROW("batch-invariance-n5-block", STANDARD, "batch_invariance layout_grid", batch_invariance, 8,
                5),
     .layout = LAYOUT_BLOCK},
    {MATRIX_ROW("position-invariance-n3", SMOKE, "position_invariance length_invariance", position_invariance,
                65, 3)},
    {MATRIX_ROW("position-invariance-n17", STANDARD, "position_invariance", position_invariance, 9, 17)},
    {MATRIX_ROW("same-matrix-layouts-n6", SMOKE, "layout_grid position_invariance", same_matrix_layouts, 1,
                6)},
    {MATRIX_ROW("same-matrix-layouts-n33", STANDARD, "layout_grid position_invariance", same_matrix_layouts,
                1, 33)},
    {MATRIX_ROW("transpose-n6", SMOKE, "transpose", transpose_too, 1, 6)},
    {MATRIX_ROW("transpose-n33", STANDARD, "transpose", transpose_too, 1, 33)},
    {MATRIX_ROW("rows-exchanged-n5", SMOKE, "row_permutation row_exchange", rows_exchanged, 9, 5)},
    {MATRIX_ROW("rows-exchanged-n18", STANDARD, "row_permutation row_exchange", rows_exchanged, 6, 18)},
    {MATRIX_ROW("scaled-by-powers-of-2-n4", SMOKE, "scaled power_of_two_equivariance", power_scaled, 11, 4)},
    {MATRIX_ROW("scaled-by-powers-of-2-n16", STANDARD, "scaled power_of_two_equivariance", power_scaled, 11,
                16)},
};

static void declare(struct suite_list *list)
{
    suite_declare_rows(list, &(struct suite_table){SUITE_ROWS(rows), .ops = {"logdet", "slogdet"}});
}

const struct suite suite_linalg_invariance = {.declare = declare};
