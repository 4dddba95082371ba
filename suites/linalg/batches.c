/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* logdet and slogdet of batches: mixed kinds of matrices, layouts, chains. invariance.c has pairs of equal or
 * related matrices. The determinants within a batch differ, so that a wrong batch index shows. */

#include "suites/linalg/matrices.h"

static void distinct(struct builder *b)
{
    const struct matrix_row *row = b->c->row;
    struct view a = matrix_batch_random(b, row->count, row->n, row->layout);
    matrix_determinant(b, &a);
}

/* A batch [2, count, n, n]: two batch dimensions, the outer one with a step. */
static void two_batch_dimensions(struct builder *b)
{
    const struct matrix_row *row = b->c->row;
    struct shape shape = shape_of(4, (int64_t)2, (int64_t)row->count, (int64_t)row->n, (int64_t)row->n);
    struct view a = build_tensor(b, b->c->dtype, &shape, row->layout);
    for (int m = 0; m < 2 * row->count; m++) {
        struct view outer = view_at(&a, m / row->count), one = view_at(&outer, m % row->count);
        matrix_store(b, &one, RANDOM, 2 * m, m);
    }
    matrix_determinant(b, &a);
}

/* One matrix `count` times, by a batch stride of 0. */
static void expanded(struct builder *b)
{
    const struct matrix_row *row = b->c->row;
    struct shape shape = shape_of(2, (int64_t)row->n, (int64_t)row->n);
    struct view one = build_tensor(b, b->c->dtype, &shape, row->layout);
    matrix_store(b, &one, RANDOM, 0, 0);
    shape = shape_of(3, (int64_t)row->count, (int64_t)row->n, (int64_t)row->n);
    struct view wide = view_broadcast(&one, &shape);
    matrix_determinant(b, &wide);
}

/* Matrices of every kind in one batch: no matrix may affect its neighbours. */
static void mixed(struct builder *b)
{
    const struct matrix_row *row = b->c->row;
    static const enum family kinds[] = {
        RANDOM,          ZEROS,      RANDOM_NEGATIVE, NAN_ENTRY, DIAGONAL_DECIMAL,
        DUPLICATE_EXACT, TINY_PIVOT, GROWTH,          RANK_ONE,  DIAGONAL_SUBNORMAL,
        CYCLIC,          LOWER,      RANDOM,          HILBERT,   PERMUTED_DIAGONAL};
    enum { KINDS = sizeof kinds / sizeof *kinds };
    struct view a = matrix_batch(b, row->count, row->n, row->layout);
    for (int m = 0; m < row->count; m++) {
        struct view one = view_at(&a, m);
        enum family kind = kinds[m % KINDS];
        int64_t p = kind == NAN_ENTRY          ? m % 16
                    : kind == DIAGONAL_DECIMAL ? (m % 2 ? 30 : -30)
                    : kind == RANDOM           ? m
                                               : 0;
        matrix_store(b, &one, kind, p, m);
    }
    matrix_determinant(b, &a);
}

static void nan_everywhere(struct builder *b)
{
    const struct matrix_row *row = b->c->row;
    struct view a = matrix_batch(b, row->count, row->n, row->layout);
    for (int m = 0; m < row->count; m++) {
        struct view one = view_at(&a, m);
        matrix_store(b, &one, NAN_ENTRY, m % (row->n * row->n), m);
    }
    matrix_determinant(b, &a);
}

/* A subnormal pivot in every third matrix; in batches of 8 and 9 matrices, because libraries have chosen
 * different algorithms for them. */
static void subnormal_pivots(struct builder *b)
{
    const struct matrix_row *row = b->c->row;
    struct view a = matrix_batch(b, row->count, row->n, row->layout);
    for (int m = 0; m < row->count; m++) {
        struct view one = view_at(&a, m);
        matrix_store(b, &one, m % 3 == 0 ? DIAGONAL_SUBNORMAL : RANDOM, 0, m);
    }
    struct view y = matrix_determinant(b, &a), first = view_window(&y, 0, 1, 1);
    struct view equal = view_window(&y, 0, (row->count + 2) / 3, 3);
    build_relate_all(b, &equal, &first, "equal matrices of a batch have equal determinants");
}

/* 1×1 matrices of every special value. */
static void one_by_one(struct builder *b)
{
    const struct matrix_row *row = b->c->row;
    uint64_t bits[SPECIALS_MAX];
    int count = special_bits(b->c->dtype, bits);
    struct shape shape = shape_of(3, (int64_t)count, (int64_t)1, (int64_t)1);
    struct view a = build_tensor(b, b->c->dtype, &shape, row->layout);
    for (int m = 0; m < count; m++) {
        build_set_bits(b, &a, m, 0, bits[m]);
    }
    matrix_determinant(b, &a);
}

/* A batch in which `count` or the order n is 0. */
static void empty(struct builder *b)
{
    const struct matrix_row *row = b->c->row;
    struct view a = matrix_batch(b, row->count, row->n, row->layout);
    matrix_determinant(b, &a);
}

static void empty_single(struct builder *b)
{
    const struct matrix_row *row = b->c->row;
    struct shape shape = shape_of(2, (int64_t)0, (int64_t)0);
    struct view a = build_tensor(b, b->c->dtype, &shape, row->layout);
    matrix_determinant(b, &a);
}

/* --- chains */

static void same_shape(struct builder *b)
{
    const struct matrix_row *row = b->c->row;
    for (int k = 0; k < 3; k++) {
        struct view a = matrix_batch(b, row->count, row->n, row->layout);
        for (int m = 0; m < row->count; m++) {
            struct view one = view_at(&a, m);
            matrix_store(b, &one, k == 1 ? RANDOM_NEGATIVE : RANDOM, 5 * k + 2 * m, 10 * k + m);
        }
        matrix_determinant(b, &a);
    }
}

/* Growing and shrinking orders, singular and regular matrices in turn: scratch memory kept from a larger
 * matrix shows. */
static void orders(struct builder *b)
{
    static const int sizes[] = {20, 3, 33, 1, 4, 33, 2, 0, 5};
    for (int k = 0; k < 9; k++) {
        struct shape shape = shape_of(2, (int64_t)sizes[k], (int64_t)sizes[k]);
        struct view a = build_tensor(b, b->c->dtype, &shape, LAYOUT_CONTIGUOUS);
        matrix_store(b, &a, k == 1 ? ZEROS : RANDOM, 0, k);
        matrix_determinant(b, &a);
    }
}

/* float32 and float64 matrices in turn. */
static void dtypes(struct builder *b)
{
    const struct matrix_row *row = b->c->row;
    struct shape shape = shape_of(3, (int64_t)row->count, (int64_t)row->n, (int64_t)row->n);
    for (int k = 0; k < 4; k++) {
        struct view a = build_tensor(b, k % 2 ? DTYPE_FLOAT64 : DTYPE_FLOAT32, &shape, LAYOUT_CONTIGUOUS);
        for (int m = 0; m < row->count; m++) {
            struct view one = view_at(&a, m);
            matrix_store(b, &one, RANDOM, 2 * m, 10 * k + m);
        }
        matrix_determinant(b, &a);
    }
}

static void order_of_two(struct builder *b)
{
    const struct matrix_row *row = b->c->row;
    struct view p = matrix_batch_random(b, row->count, row->n, row->layout),
                q = matrix_batch(b, row->count, row->n, row->layout);
    for (int m = 0; m < row->count; m++) {
        struct view one = view_at(&q, m);
        matrix_store(b, &one, TINY_PIVOT, 9 + m, 100 + m);
    }
    struct view pq = matrix_determinant(b, &p), qp = matrix_determinant(b, &q),
                qq = matrix_determinant(b, &q), pp = matrix_determinant(b, &p);
    build_relate(b, &pq, &pp, "A then B gives the bits of B then A");
    build_relate(b, &qp, &qq, "A then B gives the bits of B then A");
}

#define GRID "layout_grid poison self_encoding"

static const struct matrix_row rows[] = {
    {MATRIX_ROW("mixed-batch-1", SMOKE, "mixed_batch", mixed, 1, 4)},
    {MATRIX_ROW("mixed-batch-2", STANDARD, "mixed_batch", mixed, 2, 4)},
    {MATRIX_ROW("mixed-batch-3", SMOKE, "mixed_batch", mixed, 3, 4)},
    {MATRIX_ROW("mixed-batch-8", SMOKE, "mixed_batch", mixed, 8, 4)},
    {MATRIX_ROW("mixed-batch-9", STANDARD, "mixed_batch", mixed, 9, 4)},
    {MATRIX_ROW("mixed-batch-33", STANDARD, "mixed_batch", mixed, 33, 4)},
    {MATRIX_ROW("mixed-batch-65", STANDARD, "mixed_batch", mixed, 65, 4)},
    {MATRIX_ROW("mixed-batch-33-reversed", STANDARD, "mixed_batch layout_grid", mixed, 33, 4),
     .layout = LAYOUT_REVERSED},
    {MATRIX_ROW("mixed-batch-17-n20", STANDARD, "mixed_batch", mixed, 17, 20)},
    {MATRIX_ROW("nan-at-each-place-n3", SMOKE, "nan_entry mixed_batch", nan_everywhere, 9, 3)},
    {MATRIX_ROW("nan-at-each-place-n5", STANDARD, "nan_entry", nan_everywhere, 25, 5)},
    {MATRIX_ROW("subnormal-pivot-batch-8", STANDARD, "batch_invariance diagonal_tiny", subnormal_pivots, 8,
                3)},
    {MATRIX_ROW("subnormal-pivot-batch-9", STANDARD, "batch_invariance diagonal_tiny", subnormal_pivots, 9,
                3)},
    {MATRIX_ROW("one-by-one", SMOKE, "one_by_one special_values", one_by_one, 0, 1)},
    {MATRIX_ROW("one-by-one-stepped", STANDARD, "one_by_one layout_grid", one_by_one, 0, 1),
     .layout = LAYOUT_ROWS_STEPPED},
    {MATRIX_ROW("empty-matrix", SMOKE, "empty_matrix size_limits", empty_single, 0, 0)},
    {MATRIX_ROW("empty-matrices-3", SMOKE, "empty_matrix size_limits", empty, 3, 0)},
    {MATRIX_ROW("empty-batch-n3", SMOKE, "empty_matrix size_limits", empty, 0, 3)},

    {MATRIX_ROW("batch-2-n5", SMOKE, "self_encoding", distinct, 2, 5)},
    {MATRIX_ROW("batch-7-n6", SMOKE, "self_encoding", distinct, 7, 6)},
    {MATRIX_ROW("batch-3-n33", STANDARD, "self_encoding", distinct, 3, 33)},
    {MATRIX_ROW("batch-2-n64", STANDARD, "self_encoding", distinct, 2, 64)},
    {MATRIX_ROW("batch-257-n3", STANDARD, "self_encoding signed_bias", distinct, 257, 3)},
    {MATRIX_ROW("batch-1024-n1", STANDARD, "signed_bias self_encoding", distinct, 1024, 1)},
    {MATRIX_ROW("batch-1024-n2", SMOKE, "signed_bias self_encoding", distinct, 1024, 2)},
    {MATRIX_ROW("batch-2x3-n4", SMOKE, "self_encoding", two_batch_dimensions, 3, 4)},
    {MATRIX_ROW("batch-2x3-n5-block", STANDARD, GRID, two_batch_dimensions, 3, 5), .layout = LAYOUT_BLOCK},
    {MATRIX_ROW("batch-2x3-n5-reversed", STANDARD, GRID, two_batch_dimensions, 3, 5),
     .layout = LAYOUT_REVERSED},
    {MATRIX_ROW("batch-5-expanded", STANDARD, "layout_grid batch_invariance", expanded, 5, 6),
     .layout = LAYOUT_OFFSET3},
    {MATRIX_ROW("transposed", SMOKE, GRID " transpose", distinct, 4, 7), .layout = LAYOUT_TRANSPOSED},
    {MATRIX_ROW("block", SMOKE, GRID, distinct, 4, 7), .layout = LAYOUT_BLOCK},
    {MATRIX_ROW("columns", STANDARD, GRID, distinct, 4, 7), .layout = LAYOUT_COLUMNS},
    {MATRIX_ROW("batch-rows", STANDARD, GRID, distinct, 4, 7), .layout = LAYOUT_ROWS},
    {MATRIX_ROW("batch-stepped", SMOKE, GRID, distinct, 4, 7), .layout = LAYOUT_ROWS_STEPPED},
    {MATRIX_ROW("last-stepped2", STANDARD, GRID, distinct, 4, 7), .layout = LAYOUT_STEPPED2},
    {MATRIX_ROW("last-stepped3", STANDARD, GRID, distinct, 4, 7), .layout = LAYOUT_STEPPED3},
    {MATRIX_ROW("offset1", SMOKE, GRID, distinct, 4, 7), .layout = LAYOUT_OFFSET1},
    {MATRIX_ROW("offset3", STANDARD, GRID, distinct, 4, 7), .layout = LAYOUT_OFFSET3},
    {MATRIX_ROW("far", STANDARD, GRID, distinct, 4, 7), .layout = LAYOUT_FAR},
    {MATRIX_ROW("heads", STANDARD, GRID, two_batch_dimensions, 3, 5), .layout = LAYOUT_HEADS},
    {MATRIX_ROW("batch-innermost", STANDARD, GRID, distinct, 4, 7), .layout = LAYOUT_PERMUTED},
    {MATRIX_ROW("reversed", STANDARD, GRID " transpose", distinct, 4, 7), .layout = LAYOUT_REVERSED},
    {MATRIX_ROW("transposed-block", STANDARD, GRID " transpose", distinct, 4, 7),
     .layout = LAYOUT_TRANSPOSED_BLOCK},
    {MATRIX_ROW("transposed-block-n33", STANDARD, GRID, distinct, 2, 33), .layout = LAYOUT_TRANSPOSED_BLOCK},
    {MATRIX_ROW("block-n65", STANDARD, GRID, distinct, 1, 65), .layout = LAYOUT_BLOCK},

    {MATRIX_ROW("chain-same-shape", SMOKE, "order repeats", same_shape, 3, 5)},
    {MATRIX_ROW("chain-same-shape-n33", STANDARD, "order repeats", same_shape, 1, 33)},
    {MATRIX_ROW("chain-orders", STANDARD, "order", orders, 0, 0)},
    {MATRIX_ROW("chain-dtypes", STANDARD, "order", dtypes, 2, 6)},
    {MATRIX_ROW("chain-ab-ba", SMOKE, "order repeats", order_of_two, 3, 5)},
};

static void declare(struct suite_list *list)
{
    suite_declare_rows(list, &(struct suite_table){SUITE_ROWS(rows), .ops = {"logdet", "slogdet"}});
}

const struct suite suite_linalg_batches = {.declare = declare};
