/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* logdet, slogdet of batches: mixed kinds, layouts, chains; invariance.c holds pairs of equal or related
 * matrices. In a batch every matrix has a determinant of its own, so that a wrong batch index shows. */

#include "suites/linalg/matrices.h"

struct row {
    const char *name;
    enum level level;
    void (*build)(struct builder *b);
    int count, n; /* matrices, and their order */
    enum layout layout;
    const char *covers;
    int line;
};

static void distinct(struct builder *b)
{
    const struct row *row = b->c->row;
    struct view a = matrix_batch_random(b, row->count, row->n, row->layout);
    matrix_determinant(b, &a);
}

/* [2, count, n, n]: two batch dimensions, the outer one stepped over. */
static void two_batch_dimensions(struct builder *b)
{
    const struct row *row = b->c->row;
    struct shape shape = shape_of(4, (int64_t)2, (int64_t)row->count, (int64_t)row->n, (int64_t)row->n);
    struct view a = build_tensor(b, b->c->dtype, &shape, row->layout);
    for (int m = 0; m < 2 * row->count; m++) {
        struct view outer = view_at(&a, m / row->count), one = view_at(&outer, m % row->count);
        matrix_store(b, &one, RANDOM, 2 * m, m);
    }
    matrix_determinant(b, &a);
}

/* One matrix shown `count` times by a batch stride of 0. */
static void expanded(struct builder *b)
{
    const struct row *row = b->c->row;
    struct shape shape = shape_of(2, (int64_t)row->n, (int64_t)row->n);
    struct view one = build_tensor(b, b->c->dtype, &shape, row->layout);
    matrix_store(b, &one, RANDOM, 0, 0);
    shape = shape_of(3, (int64_t)row->count, (int64_t)row->n, (int64_t)row->n);
    struct view wide = view_broadcast(&one, &shape);
    matrix_determinant(b, &wide);
}

/* Every kind side by side: what one matrix does must not leak into its neighbours. */
static void mixed(struct builder *b)
{
    const struct row *row = b->c->row;
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
    const struct row *row = b->c->row;
    struct view a = matrix_batch(b, row->count, row->n, row->layout);
    for (int m = 0; m < row->count; m++) {
        struct view one = view_at(&a, m);
        matrix_store(b, &one, NAN_ENTRY, m % (row->n * row->n), m);
    }
    matrix_determinant(b, &a);
}

/* A subnormal pivot in every third matrix; batches of 8 and 9 have taken different paths elsewhere. */
static void subnormal_pivots(struct builder *b)
{
    const struct row *row = b->c->row;
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
    const struct row *row = b->c->row;
    uint64_t bits[SPECIALS_MAX];
    int count = special_bits(b->c->dtype, bits);
    struct shape shape = shape_of(3, (int64_t)count, (int64_t)1, (int64_t)1);
    struct view a = build_tensor(b, b->c->dtype, &shape, row->layout);
    for (int m = 0; m < count; m++) {
        build_set_bits(b, &a, m, 0, bits[m]);
    }
    matrix_determinant(b, &a);
}

/* The batch of count matrices of order n, either of them 0. */
static void empty(struct builder *b)
{
    const struct row *row = b->c->row;
    struct view a = matrix_batch(b, row->count, row->n, row->layout);
    matrix_determinant(b, &a);
}

static void empty_single(struct builder *b)
{
    const struct row *row = b->c->row;
    struct shape shape = shape_of(2, (int64_t)0, (int64_t)0);
    struct view a = build_tensor(b, b->c->dtype, &shape, row->layout);
    matrix_determinant(b, &a);
}

/* --- chains */

static void same_shape(struct builder *b)
{
    const struct row *row = b->c->row;
    for (int k = 0; k < 3; k++) {
        struct view a = matrix_batch(b, row->count, row->n, row->layout);
        for (int m = 0; m < row->count; m++) {
            struct view one = view_at(&a, m);
            matrix_store(b, &one, k == 1 ? RANDOM_NEGATIVE : RANDOM, 5 * k + 2 * m, 10 * k + m);
        }
        matrix_determinant(b, &a);
    }
}

/* Orders up and down, singular and regular in turn: scratch kept from a larger matrix shows. */
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

/* float32 and float64 in turn. */
static void dtypes(struct builder *b)
{
    const struct row *row = b->c->row;
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
    const struct row *row = b->c->row;
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

#define CASE(name_, level_, build_, count_, n_, layout_, covers_)                                            \
    {                                                                                                        \
        name_, LEVEL_##level_, build_, count_, n_, LAYOUT_##layout_, covers_, __LINE__                       \
    }
#define GRID "layout_grid poison self_encoding"

static const struct row rows[] = {
    CASE("mixed-batch-1", SMOKE, mixed, 1, 4, CONTIGUOUS, "mixed_batch"),
    CASE("mixed-batch-2", STANDARD, mixed, 2, 4, CONTIGUOUS, "mixed_batch"),
    CASE("mixed-batch-3", SMOKE, mixed, 3, 4, CONTIGUOUS, "mixed_batch"),
    CASE("mixed-batch-8", SMOKE, mixed, 8, 4, CONTIGUOUS, "mixed_batch"),
    CASE("mixed-batch-9", STANDARD, mixed, 9, 4, CONTIGUOUS, "mixed_batch"),
    CASE("mixed-batch-33", STANDARD, mixed, 33, 4, CONTIGUOUS, "mixed_batch"),
    CASE("mixed-batch-65", STANDARD, mixed, 65, 4, CONTIGUOUS, "mixed_batch"),
    CASE("mixed-batch-33-reversed", STANDARD, mixed, 33, 4, REVERSED, "mixed_batch layout_grid"),
    CASE("mixed-batch-17-n20", STANDARD, mixed, 17, 20, CONTIGUOUS, "mixed_batch"),
    CASE("nan-at-each-place-n3", SMOKE, nan_everywhere, 9, 3, CONTIGUOUS, "nan_entry mixed_batch"),
    CASE("nan-at-each-place-n5", STANDARD, nan_everywhere, 25, 5, CONTIGUOUS, "nan_entry"),
    CASE("subnormal-pivot-batch-8", STANDARD, subnormal_pivots, 8, 3, CONTIGUOUS,
         "batch_invariance diagonal_tiny"),
    CASE("subnormal-pivot-batch-9", STANDARD, subnormal_pivots, 9, 3, CONTIGUOUS,
         "batch_invariance diagonal_tiny"),
    CASE("one-by-one", SMOKE, one_by_one, 0, 1, CONTIGUOUS, "one_by_one special_values"),
    CASE("one-by-one-stepped", STANDARD, one_by_one, 0, 1, ROWS_STEPPED, "one_by_one layout_grid"),
    CASE("empty-matrix", SMOKE, empty_single, 0, 0, CONTIGUOUS, "empty_matrix size_limits"),
    CASE("empty-matrices-3", SMOKE, empty, 3, 0, CONTIGUOUS, "empty_matrix size_limits"),
    CASE("empty-batch-n3", SMOKE, empty, 0, 3, CONTIGUOUS, "empty_matrix size_limits"),

    CASE("batch-2-n5", SMOKE, distinct, 2, 5, CONTIGUOUS, "self_encoding"),
    CASE("batch-7-n6", SMOKE, distinct, 7, 6, CONTIGUOUS, "self_encoding"),
    CASE("batch-3-n33", STANDARD, distinct, 3, 33, CONTIGUOUS, "self_encoding"),
    CASE("batch-2-n64", STANDARD, distinct, 2, 64, CONTIGUOUS, "self_encoding"),
    CASE("batch-257-n3", STANDARD, distinct, 257, 3, CONTIGUOUS, "self_encoding signed_bias"),
    CASE("batch-1024-n1", STANDARD, distinct, 1024, 1, CONTIGUOUS, "signed_bias self_encoding"),
    CASE("batch-1024-n2", SMOKE, distinct, 1024, 2, CONTIGUOUS, "signed_bias self_encoding"),
    CASE("batch-2x3-n4", SMOKE, two_batch_dimensions, 3, 4, CONTIGUOUS, "self_encoding"),
    CASE("batch-2x3-n5-block", STANDARD, two_batch_dimensions, 3, 5, BLOCK, GRID),
    CASE("batch-2x3-n5-reversed", STANDARD, two_batch_dimensions, 3, 5, REVERSED, GRID),
    CASE("batch-5-expanded", STANDARD, expanded, 5, 6, OFFSET3, "layout_grid batch_invariance"),
    CASE("transposed", SMOKE, distinct, 4, 7, TRANSPOSED, GRID " transpose"),
    CASE("block", SMOKE, distinct, 4, 7, BLOCK, GRID),
    CASE("columns", STANDARD, distinct, 4, 7, COLUMNS, GRID),
    CASE("batch-rows", STANDARD, distinct, 4, 7, ROWS, GRID),
    CASE("batch-stepped", SMOKE, distinct, 4, 7, ROWS_STEPPED, GRID),
    CASE("last-stepped2", STANDARD, distinct, 4, 7, STEPPED2, GRID),
    CASE("last-stepped3", STANDARD, distinct, 4, 7, STEPPED3, GRID),
    CASE("offset1", SMOKE, distinct, 4, 7, OFFSET1, GRID),
    CASE("offset3", STANDARD, distinct, 4, 7, OFFSET3, GRID),
    CASE("far", STANDARD, distinct, 4, 7, FAR, GRID),
    CASE("heads", STANDARD, two_batch_dimensions, 3, 5, HEADS, GRID),
    CASE("batch-innermost", STANDARD, distinct, 4, 7, PERMUTED, GRID),
    CASE("reversed", STANDARD, distinct, 4, 7, REVERSED, GRID " transpose"),
    CASE("transposed-block", STANDARD, distinct, 4, 7, TRANSPOSED_BLOCK, GRID " transpose"),
    CASE("transposed-block-n33", STANDARD, distinct, 2, 33, TRANSPOSED_BLOCK, GRID),
    CASE("block-n65", STANDARD, distinct, 1, 65, BLOCK, GRID),

    CASE("chain-same-shape", SMOKE, same_shape, 3, 5, CONTIGUOUS, "order repeats"),
    CASE("chain-same-shape-n33", STANDARD, same_shape, 1, 33, CONTIGUOUS, "order repeats"),
    CASE("chain-orders", STANDARD, orders, 0, 0, CONTIGUOUS, "order"),
    CASE("chain-dtypes", STANDARD, dtypes, 2, 6, CONTIGUOUS, "order"),
    CASE("chain-ab-ba", SMOKE, order_of_two, 3, 5, CONTIGUOUS, "order repeats"),
};

static void declare(struct suite_list *list)
{
    static const char *const ops[] = {"logdet", "slogdet"};
    static const enum dtype types[] = {DTYPE_FLOAT32, DTYPE_FLOAT64};
    for (int k = 0; k < 4; k++) {
        const struct op *op = op_find(ops[k / 2]);
        for (size_t r = 0; op && r < sizeof rows / sizeof *rows; r++) {
            suite_declare(list, &(struct suite_case){.op = op,
                                                     .dtype = types[k % 2],
                                                     .name = rows[r].name,
                                                     .level = rows[r].level,
                                                     .covers = rows[r].covers,
                                                     .file = __FILE__,
                                                     .line = rows[r].line,
                                                     .build = rows[r].build,
                                                     .row = &rows[r]});
        }
    }
}

const struct suite suite_linalg_batches = {.declare = declare};
