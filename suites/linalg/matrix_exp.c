/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* matrix_exp: difficult matrices, batches that mix norms, layouts, chains. Only e^0 = I is `exact`, because
 * polynomials in another form (PyTorch's, with irrational coefficients) round even if A² = 0. */

#include "suites/linalg/exp_matrices.h"
#include "suites/linalg/matrices.h"

#include <math.h>

struct row {
    struct suite_row row;
    enum exp_kind kind;
    double p;     /* parameter of the kind or of the builder */
    int count, n; /* number of matrices, and their order */
    enum layout layout;
    bool exact;
};

static struct view evaluate(struct builder *b, const struct view *a, bool exact)
{
    struct step *step = build_step(b, b->c->op, NULL, 1, a);
    if (!step) {
        return *a;
    }
    step->exact = exact;
    return step->output[0];
}

static void single(struct builder *b)
{
    const struct row *row = b->c->row;
    struct shape shape = shape_of(2, (int64_t)row->n, (int64_t)row->n);
    struct view a = build_tensor(b, b->c->dtype, &shape, row->layout);
    exp_matrix_store(b, &a, row->kind, row->p, 0);
    evaluate(b, &a, row->exact);
}

/* `count` random matrices with 1-norms spread over the ranges of the polynomial degrees in common use. */
static void batch(struct builder *b)
{
    const struct row *row = b->c->row;
    struct view a = matrix_batch(b, row->count, row->n, row->layout);
    for (int m = 0; m < row->count; m++) {
        struct view one = view_at(&a, m);
        exp_matrix_store(b, &one, row->kind, row->p * (1 + m % 7), m);
    }
    evaluate(b, &a, false);
}

/* Norms from 1e-6 to 200 in one batch, starting with small and large ones in turn. */
static void bins(struct builder *b)
{
    const struct row *row = b->c->row;
    static const double norms[] = {1e-6, 60, 0.02, 3, 0.25, 9, 1e-3, 1.2, 200, 0, 0.6, 24};
    struct view a = matrix_batch(b, row->count, row->n, row->layout);
    for (int m = 0; m < row->count; m++) {
        struct view one = view_at(&a, m);
        double norm = norms[(m + (int)row->p) % 12];
        exp_matrix_store(b, &one, m % 3 == 2 ? SHIFTED : RANDOM_P, norm, m);
    }
    evaluate(b, &a, false);
}

/* Matrices around the threshold θ of a polynomial degree: a cyclic shift, decay and rank one with ‖A‖₁ = θ(1
 * ± 2^-10)·2^s. p selects θ. */
static void thresholds(struct builder *b)
{
    const struct row *row = b->c->row;
    static const double theta[2][8] = {{.42587, 1.88015, 3.92572, 11.249, .05117, .58005, 1.46166, 3.01007},
                                       {.014956, .25394, .95042, 5.3719, 3.397e-4, .04991, .29962, 1.09086}};
    static const enum exp_kind kinds[] = {SHIFTED, DECAY, OUTER};
    struct view a = matrix_batch(b, 12, row->n, row->layout);
    for (int m = 0; m < 12; m++) {
        struct view one = view_at(&a, m);
        double t = theta[b->c->dtype == DTYPE_FLOAT64][(int)row->p];
        exp_matrix_store(b, &one, kinds[m % 3], t * (m / 3 % 2 ? 1 + 0x1p-10 : 1 - 0x1p-10) * (m / 6 ? 4 : 1),
                         m);
    }
    evaluate(b, &a, false);
}

/* A special entry (p: NaN or an infinity) at each place in turn. */
static void special_entry(struct builder *b)
{
    const struct row *row = b->c->row;
    struct view a = matrix_batch(b, row->count, row->n, row->layout);
    for (int m = 0; m < row->count; m++) {
        struct view one = view_at(&a, m);
        exp_matrix_store(b, &one, RANDOM_P, 2, m);
        build_set(b, &one, m % (row->n * row->n), row->p);
    }
    evaluate(b, &a, false);
}

static void one_by_one(struct builder *b)
{
    const struct row *row = b->c->row;
    uint64_t bits[SPECIALS_MAX];
    int count = special_bits(b->c->dtype, bits);
    struct view a = matrix_batch(b, count, 1, row->layout);
    for (int m = 0; m < count; m++) {
        build_set_bits(b, &a, m, 0, bits[m]);
    }
    evaluate(b, &a, false);
}

/* Aᵀ through strides, −A, and A again: e^Aᵀ, e^−A, and e^A with equal bits alone and in a batch. */
static void related(struct builder *b)
{
    const struct row *row = b->c->row;
    struct view a = matrix_batch(b, row->count, row->n, row->layout), negative = a;
    negative = matrix_batch(b, row->count, row->n, row->layout);
    for (int m = 0; m < row->count; m++) {
        struct view one = view_at(&a, m), other = view_at(&negative, m);
        exp_matrix_store(b, &one, SHIFTED, row->p * (m + 1), m);
        exp_matrix_store(b, &other, SHIFTED, -row->p * (m + 1), m);
        build_set(b, &one, 0, 0.5);
        build_set(b, &other, 0, -0.5);
    }
    struct view transposed = view_transposed(&a), y = evaluate(b, &a, false);
    evaluate(b, &transposed, false);
    evaluate(b, &negative, false);
    struct view again = evaluate(b, &a, false);
    build_relate(b, &y, &again, "the same batch again gives the same bits");
    struct view one = view_at(&a, row->count - 1), inside = view_at(&y, row->count - 1);
    struct view alone = evaluate(b, &one, false);
    build_relate(b, &inside, &alone, "a matrix has the same exponential alone and in a batch");
}

static void empty(struct builder *b)
{
    const struct row *row = b->c->row;
    struct view a = matrix_batch(b, row->count, row->n, row->layout);
    evaluate(b, &a, false);
}

enum { FLOAT64 = 1U << DTYPE_FLOAT64 };

#define ONE(name_, level_, covers_, kind_, n_) SUITE_ROW(name_, level_, covers_), .kind = kind_, .n = n_
#define LAID(name_, level_, covers_, layout_)                                                                \
    MATRIX_ROW(name_, level_, covers_, batch, 4, 5), .kind = RANDOM_P, .p = 0.4, .layout = LAYOUT_##layout_
#define GRID "layout_grid poison self_encoding"

static const struct row rows[] = {
    {ONE("zero-n1", SMOKE, "expm_zero", ZERO, 1), .exact = true},
    {ONE("zero-n5", SMOKE, "expm_zero", ZERO, 5), .exact = true},
    {ONE("zero-n33", STANDARD, "expm_zero", ZERO, 33), .exact = true},
    {ONE("square-zero-n4", SMOKE, "expm_nilpotent", SQUARE_ZERO, 4)},
    {ONE("square-zero-n8", STANDARD, "expm_nilpotent", SQUARE_ZERO, 8), .p = 3},
    {ONE("square-zero-n24", STANDARD, "expm_nilpotent", SQUARE_ZERO, 24), .p = -2},
    {ONE("shift6-n4", SMOKE, "expm_nilpotent", SHIFT, 4), .p = 6},
    {ONE("shift-n12", STANDARD, "expm_nilpotent", SHIFT, 12), .p = 1},
    {ONE("scalar-1", SMOKE, "expm_scalar", SCALAR, 1), .p = 1},
    {ONE("scalar-minus-20", STANDARD, "expm_scalar", SCALAR, 1), .p = -20},
    {ONE("scalar-88", STANDARD, "expm_scalar", SCALAR, 1), .p = 88},
    {ONE("scalar-overflow", SMOKE, "expm_scalar expm_range", SCALAR, 1), .p = 1000},
    {ONE("scalar-underflow", STANDARD, "expm_scalar expm_range", SCALAR, 1), .p = -1000},
    {ONE("jordan-n3", SMOKE, "expm_jordan", JORDAN, 3), .p = 0.5},
    {ONE("jordan-n4-negative", STANDARD, "expm_jordan", JORDAN, 4), .p = -1},
    {ONE("overscaled-b100", SMOKE, "expm_overscaling", OVERSCALED, 2), .p = 100},
    {ONE("overscaled-b1e3", STANDARD, "expm_overscaling", OVERSCALED, 2), .p = 1e3},
    {SUITE_ROW("overscaled-b1e6", SMOKE, "expm_overscaling", .dtypes = FLOAT64), .kind = OVERSCALED, .n = 2,
     .p = 1e6},
    {ONE("skew-half-pi", SMOKE, "expm_skew", SKEW, 2), .p = 1.5707963267948966},
    {ONE("skew-100", STANDARD, "expm_skew", SKEW, 2), .p = 100},
    {SUITE_ROW("skew-1e4", SMOKE, "expm_skew", .dtypes = FLOAT64), .kind = SKEW, .n = 2, .p = 1e4},
    {ONE("rotations-n6", SMOKE, "expm_blocks expm_skew", ROTATIONS, 6), .p = 2},
    {ONE("rotations-n16", STANDARD, "expm_blocks", ROTATIONS, 16), .p = 1},
    {ONE("generator-n5", SMOKE, "expm_generator", GENERATOR, 5), .p = 1},
    {ONE("generator-n5-times-50", SMOKE, "expm_generator", GENERATOR, 5), .p = 50},
    {ONE("generator-n12", STANDARD, "expm_generator", GENERATOR, 12), .p = 1},
    {ONE("moler-van-loan", SMOKE, "expm_ward", MOLER_VAN_LOAN, 2)},
    {ONE("ward-1", SMOKE, "expm_ward", WARD1, 3)},
    {ONE("ward-2", STANDARD, "expm_ward", WARD2, 3)},
    {ONE("ward-3", STANDARD, "expm_ward", WARD3, 3)},
    {ONE("ward-4", SMOKE, "expm_ward", WARD4, 10)},
    {ONE("cancelled-n4", STANDARD, "expm_blocks", CANCELLED, 4), .p = 1},
    {ONE("diagonal-100", SMOKE, "expm_range", DIAGONAL, 2), .p = 100},
    {ONE("diagonal-700", STANDARD, "expm_range", DIAGONAL, 4), .p = 700},
    {ONE("decay-60", STANDARD, "expm_range", DECAY, 5), .p = 60},
    {ONE("tiny", SMOKE, "expm_range", TINY, 4), .p = -60},
    {ONE("subnormal", STANDARD, "expm_range", TINY, 3), .p = -130},
    {ONE("triangular-n6", STANDARD, "expm_blocks", TRIANGLE, 6), .p = 3},
    {MATRIX_ROW("theta-pade3", SMOKE, "expm_truncation", thresholds, 12, 4)},
    {MATRIX_ROW("theta-pade5", STANDARD, "expm_truncation", thresholds, 12, 4), .p = 1},
    {MATRIX_ROW("theta-pade7", SMOKE, "expm_truncation", thresholds, 12, 4), .p = 2},
    {MATRIX_ROW("theta-pade13", STANDARD, "expm_truncation", thresholds, 12, 4), .p = 3},
    {MATRIX_ROW("theta-taylor4", STANDARD, "expm_truncation", thresholds, 12, 4), .p = 4},
    {MATRIX_ROW("theta-taylor8", SMOKE, "expm_truncation", thresholds, 12, 4), .p = 5},
    {MATRIX_ROW("theta-taylor12", STANDARD, "expm_truncation", thresholds, 12, 4), .p = 6},
    {MATRIX_ROW("theta-taylor18", SMOKE, "expm_truncation", thresholds, 12, 4), .p = 7},
    {ONE("norm-1", SMOKE, "expm_truncation", SHIFTED, 3), .p = 1},
    {ONE("norm-2", SMOKE, "expm_truncation", SHIFTED, 3), .p = 2},
    {ONE("decay-1", STANDARD, "expm_truncation", DECAY, 3), .p = 1},
    {ONE("decay-2", STANDARD, "expm_truncation", DECAY, 3), .p = 2},
    {ONE("rank-one-1", STANDARD, "expm_truncation", OUTER, 5), .p = 1},
    {ONE("rank-one-2", STANDARD, "expm_truncation", OUTER, 5), .p = 2},

    {MATRIX_ROW("norm-bins-12-n3", SMOKE, "expm_bins self_encoding", bins, 12, 3)},
    {MATRIX_ROW("norm-bins-13-n4", SMOKE, "expm_bins self_encoding", bins, 13, 4), .p = 1},
    {MATRIX_ROW("norm-bins-24-n2", STANDARD, "expm_bins layout_grid", bins, 24, 2), .p = 4,
     .layout = LAYOUT_REVERSED},
    {MATRIX_ROW("norm-bins-12-n9", STANDARD, "expm_bins", bins, 12, 9), .p = 8},
    {MATRIX_ROW("norm-bins-5-n33", STANDARD, "expm_bins", bins, 5, 33), .p = 2},
    {MATRIX_ROW("nan-at-each-place-n1", SMOKE, "expm_nan", special_entry, 1, 1), .p = NAN},
    {MATRIX_ROW("nan-at-each-place-n3", SMOKE, "expm_nan", special_entry, 9, 3), .p = NAN},
    {MATRIX_ROW("nan-in-each-other-n33", STANDARD, "expm_nan", special_entry, 2, 33), .p = NAN},
    {MATRIX_ROW("infinity-at-each-place-n2", SMOKE, "expm_nan", special_entry, 4, 2), .p = INFINITY},
    {MATRIX_ROW("minus-infinity-n3", STANDARD, "expm_nan", special_entry, 9, 3), .p = -INFINITY},
    {MATRIX_ROW("one-by-one", SMOKE, "expm_scalar special_values", one_by_one, 0, 1)},
    {MATRIX_ROW("empty-matrices-3", SMOKE, "size_limits", empty, 3, 0)},
    {MATRIX_ROW("empty-batch-n3", SMOKE, "size_limits", empty, 0, 3)},
    {MATRIX_ROW("related-n3", SMOKE, "transpose batch_invariance repeats", related, 4, 3), .p = 0.7},
    {MATRIX_ROW("related-n17", STANDARD, "transpose batch_invariance", related, 2, 17), .p = 1.1},
    {MATRIX_ROW("related-n33", STANDARD, "transpose batch_invariance", related, 2, 33), .p = 1.1,
     .layout = LAYOUT_BLOCK},

    {LAID("transposed", SMOKE, GRID " transpose", TRANSPOSED)},
    {LAID("block", SMOKE, GRID, BLOCK)},
    {LAID("columns", STANDARD, GRID, COLUMNS)},
    {LAID("batch-rows", STANDARD, GRID, ROWS)},
    {LAID("batch-stepped", SMOKE, GRID, ROWS_STEPPED)},
    {LAID("last-stepped2", STANDARD, GRID, STEPPED2)},
    {LAID("last-stepped3", STANDARD, GRID, STEPPED3)},
    {LAID("offset1", SMOKE, GRID, OFFSET1)},
    {LAID("offset3", STANDARD, GRID, OFFSET3)},
    {LAID("far", STANDARD, GRID, FAR)},
    {LAID("heads", STANDARD, GRID, HEADS)},
    {LAID("batch-innermost", STANDARD, GRID, PERMUTED)},
    {LAID("reversed", STANDARD, GRID " transpose", REVERSED)},
    {LAID("transposed-block", STANDARD, GRID " transpose", TRANSPOSED_BLOCK)},
    {MATRIX_ROW("transposed-block-n33", STANDARD, GRID, batch, 2, 33), .kind = RANDOM_P, .p = 2,
     .layout = LAYOUT_TRANSPOSED_BLOCK},
    {MATRIX_ROW("batch-257-n2", STANDARD, "self_encoding signed_bias", batch, 257, 2), .kind = RANDOM_P,
     .p = 0.4},

    {ONE("random-n1", STANDARD, "size_limits", RANDOM_P, 1), .p = 2},
    {ONE("random-n2", SMOKE, "size_limits", RANDOM_P, 2), .p = 2},
    {ONE("random-n3", STANDARD, "size_limits", RANDOM_P, 3), .p = 8},
    {ONE("random-n4", STANDARD, "size_limits", RANDOM_P, 4), .p = 0.5},
    {ONE("random-n5", STANDARD, "size_limits", RANDOM_P, 5), .p = 8},
    {ONE("random-n6", STANDARD, "size_limits", RANDOM_P, 6), .p = 2},
    {ONE("random-n7", STANDARD, "size_limits", RANDOM_P, 7), .p = 30},
    {ONE("random-n8", SMOKE, "size_limits", RANDOM_P, 8), .p = 2},
    {ONE("random-n9", STANDARD, "size_limits", RANDOM_P, 9), .p = 8},
    {ONE("random-n10", STANDARD, "size_limits", RANDOM_P, 10), .p = 0.5},
    {ONE("random-n11", STANDARD, "size_limits", RANDOM_P, 11), .p = 2},
    {ONE("random-n12", STANDARD, "size_limits", RANDOM_P, 12), .p = 8},
    {ONE("random-n16", STANDARD, "size_limits", RANDOM_P, 16), .p = 2},
    {ONE("random-n17", STANDARD, "size_limits", RANDOM_P, 17), .p = 8},
    {ONE("random-n20", STANDARD, "size_limits", RANDOM_P, 20), .p = 8},
    {ONE("random-n21", STANDARD, "size_limits", RANDOM_P, 21), .p = 8},
    {ONE("random-n24", STANDARD, "size_limits", RANDOM_P, 24), .p = 4},
    {ONE("random-n32", STANDARD, "size_limits", RANDOM_P, 32), .p = 4},
    {ONE("random-n33", SMOKE, "size_limits", RANDOM_P, 33), .p = 4},
    {ONE("random-n64", STANDARD, "size_limits", RANDOM_P, 64), .p = 4},
};

static void declare(struct suite_list *list)
{
    suite_declare_rows(list, &(struct suite_table){SUITE_ROWS(rows), .ops = {"matrix_exp"}, .build = single});
}

const struct suite suite_linalg_matrix_exp = {.declare = declare};
