/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* vector_norm, matrix_norm: orders, dimensions, lengths, layouts, ranges, special values, invariances. */

#include "suites/norm/norms.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    ZERO = 1,
    ONE = 2,
    TWO = 4,
    THREE = 8,
    MAX = 16,
    MIN = 32,
    HALF = 64,
    MORE = 128,
    LESS = 256,
    LEAST = 512,
    FRO = 1024,
    UNHELD = 1 << 11, /* 2.1 and 0.3 are in no binary format; float64's are 1e-8 from float32's */
    UNHELD_LESS = 1 << 12,
    P128 = 1 << 13, /* powers of a float32 in [1, 2) overflow from here on */
    MINUS_128 = 1 << 14,
    P1000 = 1 << 15,
    MINUS_1000 = 1 << 16,
    P1E10 = 1 << 17,
    MINUS_1E10 = 1 << 18,
    P1E300 = 1 << 19, /* infinite in float32 */
    MINUS_1E300 = 1 << 20,
    TINY = 1 << 21,
    TINIEST = 1 << 22,  /* 0 in float32 */
    SMALL_UP = 1 << 23, /* 2^-200 to this power still counts in bfloat16, 2^-2000 in float64 */
    SMALL_DOWN = 1 << 24,
    ROOT160 = 1 << 25, /* 2^160, the norm of (1, 1), overflows float32 until it is scaled back */
    MINUS_ROOT160 = 1 << 26
};
enum {
    EXACT_ORDERS = ZERO | ONE | MAX | MIN,
    NAMED = EXACT_ORDERS | TWO | THREE,
    ALL = NAMED | HALF | MORE | LESS | LEAST,
    OF_MATRIX = FRO | ONE | MAX | LESS | MIN,
    OF_UNHELD = UNHELD | UNHELD_LESS,
    SMALL = SMALL_UP | SMALL_DOWN,
    LARGE = P128 | MINUS_128 | P1000 | MINUS_1000 | P1E10 | MINUS_1E10
};

static const struct order {
    unsigned bit;
    const char *name;
    double p;
} orders[] = {{ZERO, "p0", 0},
              {ONE, "p1", 1},
              {TWO, "p2", 2},
              {THREE, "p3", 3},
              {MAX, "pinf", INFINITY},
              {MIN, "p-inf", -INFINITY},
              {HALF, "p0-5", 0.5},
              {MORE, "p1-5", 1.5},
              {LESS, "p-1", -1},
              {LEAST, "p-2", -2},
              {FRO, "fro", 2},
              {UNHELD, "p2-1", 2.1},
              {UNHELD_LESS, "p0-3", 0.3},
              {P128, "p128", 128},
              {MINUS_128, "p-128", -128},
              {P1000, "p1000", 1000},
              {MINUS_1000, "p-1000", -1000},
              {P1E10, "p1e10", 1e10},
              {MINUS_1E10, "p-1e10", -1e10},
              {P1E300, "p1e300", 1e300},
              {MINUS_1E300, "p-1e300", -1e300},
              {TINY, "p1e-10", 1e-10},
              {TINIEST, "p1e-300", 1e-300},
              {SMALL_UP, "p0-015625", 0.015625},
              {SMALL_DOWN, "p-0-015625", -0.015625},
              {ROOT160, "p0-00625", 0.00625},
              {MINUS_ROOT160, "p-0-00625", -0.00625}};

struct row {
    const char *name;
    enum level level;
    unsigned orders;
    void (*build)(struct builder *b, const struct row *row, const struct attributes *attributes);
    int rank;
    int64_t dim[5];
    unsigned mask;       /* dimensions to reduce; 0: all, by leaving `dim` out */
    bool keep, negative; /* keepdim; dimensions counted from the end */
    enum layout layout;
    enum norm_fill fill;
    const char *covers;
    int line;
    unsigned dtypes; /* bit DTYPE_…; 0: all */
};

/* --- builders */

static struct view make(struct builder *b, const struct row *row)
{
    struct shape shape = {.rank = row->rank};
    memcpy(shape.dim, row->dim, sizeof row->dim);
    return norm_tensor(b, &shape, row->layout, row->fill);
}

static bool is_matrix(const struct op *op)
{
    return strcmp(op->name, "matrix_norm") == 0;
}

static struct attributes attributes_of(const struct row *row, const struct order *order, bool matrix)
{
    struct attributes a = {.count = 0};
    if (!(matrix && order->bit == FRO)) {
        a.item[a.count++] = (struct attribute){.name = "ord", .type = ATTRIBUTE_REAL, .real = order->p};
    }
    if (row->mask && !matrix) {
        struct attribute *dim = &a.item[a.count++];
        *dim = (struct attribute){.name = "dim", .type = ATTRIBUTE_INTEGERS};
        for (int d = 0; d < row->rank; d++) {
            if (row->mask >> d & 1) {
                dim->integers.dim[dim->integers.rank++] = row->negative ? d - row->rank : d;
            }
        }
    }
    if (row->keep) {
        a.item[a.count++] = (struct attribute){.name = "keepdim", .type = ATTRIBUTE_BOOL, .integer = 1};
    }
    return a;
}

static struct view norm(struct builder *b, const struct view *x, const struct attributes *attributes)
{
    struct step *step = build_step(b, b->c->op, attributes, 1, x);
    return step ? step->output[0] : *x;
}

static void plain(struct builder *b, const struct row *row, const struct attributes *attributes)
{
    struct view x = make(b, row);
    struct step *step = build_step(b, b->c->op, attributes, 1, &x);
    double p = attributes_real(attributes, "ord", 2);
    if (step) {
        step->exact = row->fill == NORM_INTEGERS && (p == 0 || p == 1 || isinf(p));
    }
}

/* One matrix under several orders, over one dimension and the other in turn: an order or a plan kept from the
 * first call shows. */
static void chain_orders(struct builder *b, const struct row *row, const struct attributes *attributes)
{
    static const unsigned vector[] = {TWO, ONE, MAX, TWO, ONE, MAX},
                          matrix[] = {FRO, ONE, MAX, LESS, FRO, MIN};
    bool of_matrix = is_matrix(b->c->op);
    struct view x = make(b, row);
    (void)attributes;
    for (int k = 0; k < 6; k++) {
        struct row turn = *row;
        const struct order *order = orders;
        while (order->bit != (of_matrix ? matrix[k] : vector[k])) {
            order++;
        }
        turn.mask = 1U << k % 2;
        turn.keep = k == 3;
        struct attributes asked = attributes_of(&turn, order, of_matrix);
        norm(b, &x, &asked);
    }
}

/* Rows alone, and the same rows read through other strides, give the bits they give within the batch. */
static void invariance(struct builder *b, const struct row *row, const struct attributes *attributes)
{
    struct view x = make(b, row);
    struct view y = norm(b, &x, attributes);
    struct attributes alone = *attributes;
    if (row->mask) { /* the last dimension of a matrix: of a row, the only one */
        alone.item[1].integers.dim[0] = 0;
    }
    int64_t rows = row->dim[0];
    const int64_t picks[] = {0, 1, rows / 2, rows - 1};
    for (int k = 0; !b->failed && k < 4; k++) {
        struct view one = view_at(&x, picks[k]), inside = view_at(&y, picks[k]);
        struct view single = norm(b, &one, &alone);
        build_relate(b, &inside, &single, "a row alone has the norm it has within the batch");
    }
}

static void positions(struct builder *b, const struct row *row, const struct attributes *attributes)
{
    struct row line = *row;
    line.rank = 1;
    line.dim[0] = row->dim[1];
    struct view one = make(b, &line);
    struct shape shape = {.rank = 2, .dim = {row->dim[0], row->dim[1]}};
    struct view x = view_broadcast(&one, &shape), y = norm(b, &x, attributes);
    if (!b->failed) {
        struct view first = view_window(&y, 0, 1, 1);
        build_relate_all(b, &y, &first, "equal rows have equal norms at every place of a batch");
    }
}

static void refuse(struct builder *b, const struct row *row, const struct attributes *attributes)
{
    struct view x = make(b, row);
    build_rejection(b, b->c->op, attributes, 1, &x);
}

static void refuse_dimension(struct builder *b, const struct row *row, const struct attributes *attributes)
{
    struct view x = make(b, row);
    struct attributes wrong = *attributes;
    wrong.item[1].integers =
        row->negative ? (struct shape){.rank = 2, .dim = {1, -1}} : (struct shape){.rank = 1, .dim = {2}};
    build_rejection(b, b->c->op, &wrong, 1, &x);
}

#define CASE(name_, level_, orders_, build_, rank_, d0_, d1_, d2_, mask_, keep_, negative_, layout_, fill_,  \
             covers_)                                                                                        \
    {                                                                                                        \
        name_, LEVEL_##level_, orders_, build_, rank_, {d0_, d1_, d2_}, mask_, keep_, negative_,             \
            LAYOUT_##layout_, NORM_##fill_, covers_, __LINE__, 0                                             \
    }
/* Of the shape given last; `dtypes_` 0: all. */
#define SHAPED(name_, level_, orders_, dtypes_, mask_, layout_, fill_, covers_, rank_, ...)                  \
    {                                                                                                        \
        name_, LEVEL_##level_, orders_, plain, rank_, {__VA_ARGS__}, mask_, false, false, LAYOUT_##layout_,  \
            NORM_##fill_, covers_, __LINE__, dtypes_                                                         \
    }
#define LENGTH(n_, level_, orders_)                                                                          \
    CASE("length-" #n_, level_, orders_, plain, 1, n_, 0, 0, 0, false, false, CONTIGUOUS, RANDOM,            \
         "norm_lengths norm_orders")
#define CUBE(name_, level_, mask_, keep_, negative_)                                                         \
    CASE(name_, level_, TWO | ONE | MAX | ZERO, plain, 3, 5, 5, 5, mask_, keep_, negative_, CONTIGUOUS,      \
         RANDOM, "norm_dimensions flags")
#define LAYOUT(name_, level_, layout_)                                                                       \
    CASE(name_, level_, TWO | ONE | MIN, plain, 2, 7, 33, 0, 2, false, false, layout_, RANDOM,               \
         "layout_grid poison")

static const struct row rows[] = {
    LENGTH(0, SMOKE, ZERO | ONE | TWO | THREE | HALF),
    LENGTH(1, SMOKE, ALL),
    LENGTH(2, SMOKE, NAMED),
    LENGTH(33, SMOKE, ALL),
    LENGTH(257, SMOKE, NAMED),
    LENGTH(1000, STANDARD, NAMED),
    CASE("outlier-last-257", SMOKE, NAMED, plain, 2, 3, 257, 0, 2, false, false, CONTIGUOUS, OUTLIER,
         "norm_outlier"),
    CASE("outlier-last-4099", STANDARD, NAMED, plain, 2, 2, 4099, 0, 2, false, false, CONTIGUOUS, OUTLIER,
         "norm_outlier"),
    CASE("nan-last", SMOKE, ALL, plain, 2, 3, 65, 0, 2, false, false, CONTIGUOUS, NAN_LAST,
         "norm_outlier special_values"),
    CASE("nan-last-4099", STANDARD, NAMED, plain, 2, 2, 4099, 0, 2, false, false, CONTIGUOUS, NAN_LAST,
         "norm_outlier special_values"),
#define DOUBLE (1U << DTYPE_FLOAT64)
#define WIDE   (1U << DTYPE_BFLOAT16 | 1U << DTYPE_FLOAT32 | DOUBLE) /* in range */
#define RANGES "norm_any_order norm_safe_range"
#define SHORT  (1U << DTYPE_FLOAT16 | 1U << DTYPE_FLOAT32)
#define PLACES "norm_outlier nan_places special_values"
    SHAPED("nan-each", STANDARD, ALL, 0, 2, CONTIGUOUS, NAN_EACH, PLACES, 2, 65, 65),
    SHAPED("nan-each-first", STANDARD, TWO | ONE | MAX | MIN, 0, 1, CONTIGUOUS, NAN_EACH, PLACES, 2, 65, 65),
    SHAPED("nan-each-4099", STANDARD, NAMED, SHORT, 2, CONTIGUOUS, NAN_EACH, PLACES, 2, 9, 4099),
    SHAPED("infinity-each", STANDARD, NAMED, 0, 2, CONTIGUOUS, INFINITY_EACH, PLACES, 2, 65, 65),
    SHAPED("infinity-each-4099", STANDARD, NAMED, SHORT, 2, CONTIGUOUS, INFINITY_EACH, PLACES, 2, 9, 4099),
    CASE("constant-1000", SMOKE, ONE | TWO | THREE, plain, 2, 3, 1000, 0, 2, false, false, CONTIGUOUS,
         CONSTANT, "norm_constant"),
    CASE("constant-4099", STANDARD, ONE | TWO | THREE, plain, 1, 4099, 0, 0, 0, false, false, CONTIGUOUS,
         CONSTANT, "norm_constant"),
    CASE("integers-100", SMOKE, EXACT_ORDERS, plain, 2, 9, 100, 0, 2, false, false, CONTIGUOUS, INTEGERS,
         "integers_exact"),
    CASE("integers-5000", STANDARD, EXACT_ORDERS, plain, 1, 5000, 0, 0, 0, false, false, CONTIGUOUS, INTEGERS,
         "integers_exact"),
    CASE("pairs", SMOKE, ALL, plain, 2, 0, 2, 0, 2, false, false, CONTIGUOUS, SPECIALS, "special_values"),
    CASE("triples", SMOKE, ALL, plain, 2, 0, 3, 0, 2, false, false, CONTIGUOUS, TRIPLES, "special_values"),
    CASE("subnormals", SMOKE, NAMED, plain, 2, 9, 17, 0, 2, false, false, CONTIGUOUS, SUBNORMALS,
         "special_values"),
    CASE("pythagoras", SMOKE, TWO | ONE | MAX | THREE, plain, 2, 41, 2, 0, 2, false, false, CONTIGUOUS,
         PYTHAGORAS, "norm_safe_range power_of_two_equivariance"),
    CASE("pythagoras-columns", STANDARD, TWO, plain, 2, 41, 2, 0, 2, true, true, COLUMNS, PYTHAGORAS,
         "norm_safe_range"),
    CASE("tiny-3e-25", SMOKE, TWO | ONE, plain, 1, 2, 0, 0, 0, false, false, CONTIGUOUS, SMALL_EXACT,
         "norm_safe_range"),
    CASE("range-ends", SMOKE, TWO, plain, 2, 4, 33, 0, 2, false, false, CONTIGUOUS, RANGE_ENDS,
         "norm_safe_range"),
    CASE("range-ends-257", STANDARD, TWO, plain, 2, 4, 257, 0, 2, false, false, CONTIGUOUS, RANGE_ENDS,
         "norm_safe_range"),
    CASE("close", SMOKE, LARGE | OF_UNHELD | P1E300 | MINUS_1E300, plain, 2, 5, 17, 0, 2, false, false,
         CONTIGUOUS, CLOSE, "norm_any_order"),
    CASE("close-100", STANDARD, LARGE | OF_UNHELD, plain, 2, 3, 100, 0, 2, false, false, CONTIGUOUS, CLOSE,
         "norm_any_order"),
    CASE("unheld-257", STANDARD, OF_UNHELD, plain, 2, 3, 257, 0, 2, false, false, CONTIGUOUS, RANDOM,
         "norm_any_order"),
    CASE("ranges", SMOKE, P128 | MINUS_128 | P1E10, plain, 2, 41, 2, 0, 2, false, false, CONTIGUOUS,
         PYTHAGORAS, "norm_any_order norm_safe_range"),
    SHAPED("ranges", STANDARD, ROOT160 | MINUS_ROOT160, WIDE, 2, CONTIGUOUS, PYTHAGORAS, RANGES, 2, 41, 2),
    SHAPED("apart", STANDARD, SMALL, WIDE, 2, CONTIGUOUS, APART, RANGES, 2, 4, 2),
    SHAPED("apart-columns", STANDARD, SMALL, WIDE, 2, COLUMNS, APART, RANGES, 2, 8, 2),
    CASE("out-of-range", SMOKE, TINY | TINIEST, plain, 2, 3, 5, 0, 2, false, false, CONTIGUOUS, RANDOM,
         "norm_any_order"),
    CUBE("cube-all", SMOKE, 0, false, false),
    CUBE("cube-all-keep", SMOKE, 0, true, false),
    CUBE("cube-first", SMOKE, 1, false, false),
    CUBE("cube-middle-keep", SMOKE, 2, true, true),
    CUBE("cube-last", SMOKE, 4, false, true),
    CUBE("cube-first-two", SMOKE, 3, false, false),
    CUBE("cube-outer-two", STANDARD, 5, true, false),
    CUBE("cube-last-two", STANDARD, 6, false, true),
    CASE("batch-empty", SMOKE, ONE | TWO | MAX, plain, 2, 0, 5, 0, 2, false, false, CONTIGUOUS, RANDOM,
         "norm_lengths"),
    CASE("reduce-empty", SMOKE, ZERO | ONE | TWO | THREE, plain, 2, 3, 0, 0, 2, true, false, CONTIGUOUS,
         RANDOM, "norm_lengths"),
    CASE("scalar", SMOKE, ALL, plain, 0, 0, 0, 0, 0, false, false, CONTIGUOUS, RANDOM, "norm_lengths"),
    LAYOUT("transposed", SMOKE, TRANSPOSED),
    LAYOUT("columns", STANDARD, COLUMNS),
    LAYOUT("block", SMOKE, BLOCK),
    LAYOUT("stepped2", STANDARD, STEPPED2),
    LAYOUT("stepped3", STANDARD, STEPPED3),
    LAYOUT("rows-stepped", STANDARD, ROWS_STEPPED),
    LAYOUT("offset1", SMOKE, OFFSET1),
    LAYOUT("offset3", STANDARD, OFFSET3),
    LAYOUT("transposed-block", STANDARD, TRANSPOSED_BLOCK),
    LAYOUT("far", STANDARD, FAR),
    LAYOUT("expanded", STANDARD, EXPANDED),
    LAYOUT("expanded-rows", STANDARD, EXPANDED_ROWS),
#define STRIDED(name_, mask_, layout_, rank_, ...)                                                           \
    SHAPED(name_, STANDARD, TWO | ONE | MIN, 0, mask_, layout_, RANDOM, "layout_grid poison", rank_,         \
           __VA_ARGS__)
    STRIDED("heads-3d", 4, HEADS, 3, 4, 5, 33),
    STRIDED("heads-4d", 8, HEADS, 4, 2, 3, 5, 33),
    STRIDED("block-3d", 4, BLOCK, 3, 4, 5, 33),
    STRIDED("rows-stepped-3d", 4, ROWS_STEPPED, 3, 4, 5, 33),
    STRIDED("rank-5-reversed", 16, REVERSED, 5, 2, 3, 2, 5, 3),
    STRIDED("rank-5-permuted-two", 10, PERMUTED, 5, 2, 3, 2, 5, 3),
    SHAPED("batch-65537", EXHAUSTIVE, TWO, 1U << DTYPE_FLOAT32, 2, CONTIGUOUS, RANDOM, "size_limits", 2,
           65537, 3),
    CASE("chain-orders", STANDARD, TWO, chain_orders, 2, 5, 5, 0, 0, false, false, CONTIGUOUS, RANDOM,
         "order flags"),
    CASE("chain-orders-transposed", STANDARD, TWO, chain_orders, 2, 65, 65, 0, 0, false, false, TRANSPOSED,
         RANDOM, "order flags"),
    CASE("batch-invariance-65", SMOKE, NAMED, invariance, 2, 9, 65, 0, 2, false, false, CONTIGUOUS, RANDOM,
         "batch_invariance"),
    CASE("batch-invariance-4099", STANDARD, TWO | ONE, invariance, 2, 5, 4099, 0, 2, false, false, BLOCK,
         RANDOM, "batch_invariance layout_grid"),
    CASE("position-invariance-257", SMOKE, TWO | ONE | THREE, positions, 2, 70, 257, 0, 2, false, false,
         CONTIGUOUS, RANDOM, "position_invariance"),
    CASE("batch-1000", STANDARD, TWO, plain, 2, 1000, 17, 0, 2, false, false, CONTIGUOUS, RANDOM,
         "signed_bias"),
    CASE("refuse-empty", SMOKE, MAX | MIN | LESS, refuse, 2, 3, 0, 0, 2, false, false, CONTIGUOUS, RANDOM,
         "norm_refusals"),
    CASE("refuse-out-of-range", SMOKE, TWO, refuse_dimension, 2, 3, 5, 0, 2, false, false, CONTIGUOUS, RANDOM,
         "norm_refusals"),
    CASE("refuse-twice", SMOKE, TWO, refuse_dimension, 2, 3, 5, 0, 2, false, true, CONTIGUOUS, RANDOM,
         "norm_refusals"),
};

#define MATRIX(name_, level_, orders_, build_, rank_, d0_, d1_, d2_, keep_, layout_, fill_)                  \
    CASE(name_, level_, orders_, build_, rank_, d0_, d1_, d2_, 0, keep_, false, layout_, fill_, "norm_matrix")

static const struct row matrix_rows[] = {
    MATRIX("square-17", SMOKE, OF_MATRIX, plain, 2, 17, 17, 0, false, CONTIGUOUS, RANDOM),
    MATRIX("wide-3-257", STANDARD, OF_MATRIX, plain, 2, 3, 257, 0, true, CONTIGUOUS, RANDOM),
    MATRIX("tall-1000-2", STANDARD, OF_MATRIX, plain, 2, 1000, 2, 0, false, CONTIGUOUS, RANDOM),
    MATRIX("large-70-65", STANDARD, OF_MATRIX, plain, 2, 70, 65, 0, false, TRANSPOSED, RANDOM),
    MATRIX("batch-5", SMOKE, OF_MATRIX, plain, 3, 5, 7, 9, false, BLOCK, RANDOM),
    MATRIX("batch-5-keep", SMOKE, OF_MATRIX, plain, 3, 5, 9, 7, true, REVERSED, RANDOM),
    MATRIX("outlier-last", SMOKE, OF_MATRIX, plain, 2, 33, 17, 0, false, OFFSET1, OUTLIER),
    MATRIX("nan-last", SMOKE, OF_MATRIX, plain, 2, 9, 8, 0, false, CONTIGUOUS, NAN_LAST),
#define MATRIX_PLACES(name_, fill_, ...)                                                                     \
    SHAPED(name_, STANDARD, OF_MATRIX, 0, 0, CONTIGUOUS, fill_, "norm_matrix nan_places", 3, __VA_ARGS__)
    MATRIX_PLACES("nan-each", NAN_EACH, 9, 3, 3),
    MATRIX_PLACES("nan-each-5-13", NAN_EACH, 9, 5, 13),
    MATRIX_PLACES("infinity-each", INFINITY_EACH, 9, 3, 3),
    MATRIX_PLACES("infinity-each-5-13", INFINITY_EACH, 9, 5, 13),
#define MATRIX_STRIDED(name_, layout_, rank_, ...)                                                           \
    SHAPED(name_, STANDARD, FRO | ONE, 0, 0, layout_, RANDOM, "norm_matrix layout_grid poison", rank_,       \
           __VA_ARGS__)
    MATRIX_STRIDED("batch-heads", HEADS, 3, 5, 7, 9),
    MATRIX_STRIDED("batch-permuted", PERMUTED, 3, 5, 7, 9),
    MATRIX_STRIDED("batch-rows-stepped", ROWS_STEPPED, 3, 5, 7, 9),
    MATRIX_STRIDED("batch-expanded-rows", EXPANDED_ROWS, 3, 5, 7, 9),
    MATRIX_STRIDED("rank-5-reversed", REVERSED, 5, 2, 3, 2, 5, 3),
    MATRIX_STRIDED("rank-5-permuted", PERMUTED, 5, 2, 3, 2, 5, 3),
    SHAPED("batch-65537", EXHAUSTIVE, FRO | ONE, 1U << DTYPE_FLOAT32, 0, CONTIGUOUS, RANDOM,
           "norm_matrix size_limits", 3, 65537, 2, 2),
    MATRIX("chain-orders", STANDARD, FRO, chain_orders, 2, 5, 5, 0, false, CONTIGUOUS, RANDOM),
    MATRIX("chain-orders-65", STANDARD, FRO, chain_orders, 2, 65, 65, 0, false, TRANSPOSED, RANDOM),
    MATRIX("integers", SMOKE, OF_MATRIX & ~FRO, plain, 3, 4, 20, 30, false, CONTIGUOUS, INTEGERS),
    MATRIX("pythagoras", SMOKE, OF_MATRIX & ~(MAX | ONE), plain, 2, 2, 2, 0, false, CONTIGUOUS, PYTHAGORAS),
    MATRIX("range-ends", SMOKE, FRO, plain, 2, 4, 33, 0, false, CONTIGUOUS, RANGE_ENDS),
    MATRIX("batch-invariance", SMOKE, OF_MATRIX, invariance, 3, 4, 9, 12, false, CONTIGUOUS, RANDOM),
    MATRIX("empty-batch", SMOKE, OF_MATRIX, plain, 3, 0, 3, 4, false, CONTIGUOUS, RANDOM),
    MATRIX("no-rows", SMOKE, FRO | ONE, plain, 2, 0, 4, 0, false, CONTIGUOUS, RANDOM),
    MATRIX("refuse-no-columns", SMOKE, ONE | LESS, refuse, 2, 4, 0, 0, false, CONTIGUOUS, RANDOM),
    MATRIX("refuse-no-rows", SMOKE, MAX | MIN, refuse, 2, 0, 4, 0, false, CONTIGUOUS, RANDOM),
    MATRIX("refuse-vector", SMOKE, FRO | ONE, refuse, 1, 4, 0, 0, false, CONTIGUOUS, RANDOM),
};

static void build(struct builder *b)
{
    const struct row *row = b->c->row;
    struct attributes attributes = attributes_of(row, &orders[b->c->parameter], is_matrix(b->c->op));
    row->build(b, row, &attributes);
}

static void declare_rows(struct suite_list *list, const char *name, const struct row *row, size_t count)
{
    const struct op *op = op_find(name);
    for (size_t k = 0; op && k < DTYPE_COUNT * count * (sizeof orders / sizeof *orders); k++) {
        const struct row *r = &row[k / (sizeof orders / sizeof *orders) % count];
        const struct order *order = &orders[k % (sizeof orders / sizeof *orders)];
        enum dtype dtype = (enum dtype)(k / (sizeof orders / sizeof *orders) / count);
        char text[64];
        bool out_of_range = r->fill == NORM_SMALL_EXACT && dtype == DTYPE_FLOAT16;
        bool left_out = r->dtypes && !(r->dtypes >> dtype & 1);
        if (!(op->dtypes >> dtype & 1) || !(r->orders & order->bit) || out_of_range || left_out) {
            continue;
        }
        snprintf(text, sizeof text, "%s-%s", r->name, order->name);
        suite_declare(list, &(struct suite_case){.op = op,
                                                 .dtype = dtype,
                                                 .name = text,
                                                 .level = r->level,
                                                 .covers = r->covers,
                                                 .file = __FILE__,
                                                 .line = r->line,
                                                 .build = build,
                                                 .row = r,
                                                 .parameter = order - orders});
    }
}

static void declare(struct suite_list *list)
{
    declare_rows(list, "vector_norm", rows, sizeof rows / sizeof *rows);
    declare_rows(list, "matrix_norm", matrix_rows, sizeof matrix_rows / sizeof *matrix_rows);
}

const struct suite suite_norm_vector_norm = {.declare = declare};
