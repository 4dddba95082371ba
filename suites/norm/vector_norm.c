/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* vector_norm, matrix_norm: orders, dimensions, lengths, layouts, ranges, special values, invariances. */

#include "suites/norm/norms.h"
#include "suites/norm/orders.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct row {
    const char *name;
    enum level level;
    unsigned orders;
    void (*build)(struct builder *b, const struct row *row,
                  const struct attributes *attributes); /* builder; NULL: plain() */
    int rank;
    int64_t dim[5];
    unsigned mask;       /* bits of the dimensions to reduce; 0: all, by omitting `dim` */
    bool keep, negative; /* passes keepdim; counts dimensions from the end */
    enum layout layout;
    enum norm_fill fill;
    const char *covers;
    unsigned dtypes; /* bit DTYPE_…; 0: all */
    int line;
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

static struct attributes attributes_of(const struct row *row, const struct norm_order *order, bool matrix)
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
                dim->integers.item[dim->integers.count++] = row->negative ? d - row->rank : d;
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

/* One matrix with several orders, over its dimensions in turn: an order or plan cached from the first call
 * shows. */
static void chain_orders(struct builder *b, const struct row *row, const struct attributes *attributes)
{
    static const unsigned vector[] = {TWO, ONE, MAX, TWO, ONE, MAX},
                          matrix[] = {FRO, ONE, MAX, MINUS_1, FRO, MIN};
    bool of_matrix = is_matrix(b->c->op);
    struct view x = make(b, row);
    (void)attributes;
    for (int k = 0; k < 6; k++) {
        struct row turn = *row;
        const struct norm_order *order = norm_orders;
        while (order->bit != (of_matrix ? matrix[k] : vector[k])) {
            order++;
        }
        turn.mask = 1U << k % 2;
        turn.keep = k == 3;
        struct attributes requested = attributes_of(&turn, order, of_matrix);
        norm(b, &x, &requested);
    }
}

/* Single rows, and the same rows through other strides, must have the bits that they have within the
 * batch. */
static void invariance(struct builder *b, const struct row *row, const struct attributes *attributes)
{
    struct view x = make(b, row);
    struct view y = norm(b, &x, attributes);
    struct attributes alone = *attributes;
    if (row->mask) { /* `dim` is the last of a matrix; a row has only dimension 0 */
        alone.item[1].integers.item[0] = 0;
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
        row->negative ? integers_of(2, (int64_t)1, (int64_t)-1) : integers_of(1, (int64_t)2);
    build_rejection(b, b->c->op, &wrong, 1, &x);
}

#define ROW(name_, level_, covers_, orders_)                                                                 \
    .name = name_, .level = LEVEL_##level_, .line = __LINE__, .covers = covers_, .orders = orders_
#define CUBE(name_, level_)                                                                                  \
    ROW(name_, level_, "norm_dimensions flags", TWO | ONE | MAX | ZERO), .rank = 3, .dim = {5, 5, 5}
#define LAYOUT(name_, level_, layout_)                                                                       \
    ROW(name_, level_, LAID, TWO | ONE | MIN), .rank = 2, .dim = {7, 33}, .mask = 2,                         \
                                               .layout = LAYOUT_##layout_
#define DOUBLE      (1U << DTYPE_FLOAT64)
#define WIDE        (1U << DTYPE_BFLOAT16 | 1U << DTYPE_FLOAT32 | DOUBLE) /* in range */
#define RANGES      "norm_any_order norm_safe_range"
#define SHORT       (1U << DTYPE_FLOAT16 | 1U << DTYPE_FLOAT32)
#define PLACES      "norm_outlier nan_places special_values"
#define LAID        "layout_grid poison"
#define MATRIX_LAID "norm_matrix layout_grid poison"

static const struct row rows[] = {
    {ROW("length-0", SMOKE, "norm_lengths norm_orders", ZERO | ONE | TWO | THREE | HALF), .rank = 1,
     .dim = {0}},
    {ROW("length-1", SMOKE, "norm_lengths norm_orders", ALL), .rank = 1, .dim = {1}},
    {ROW("length-2", SMOKE, "norm_lengths norm_orders", NAMED), .rank = 1, .dim = {2}},
    {ROW("length-33", SMOKE, "norm_lengths norm_orders", ALL), .rank = 1, .dim = {33}},
    {ROW("length-257", SMOKE, "norm_lengths norm_orders", NAMED), .rank = 1, .dim = {257}},
    {ROW("length-1000", STANDARD, "norm_lengths norm_orders", NAMED), .rank = 1, .dim = {1000}},
    {ROW("outlier-last-257", SMOKE, "norm_outlier", NAMED), .rank = 2, .dim = {3, 257}, .mask = 2,
     .fill = NORM_OUTLIER},
    {ROW("outlier-last-4099", STANDARD, "norm_outlier", NAMED), .rank = 2, .dim = {2, 4099}, .mask = 2,
     .fill = NORM_OUTLIER},
    {ROW("nan-last", SMOKE, "norm_outlier special_values", ALL), .rank = 2, .dim = {3, 65}, .mask = 2,
     .fill = NORM_NAN_LAST},
    {ROW("nan-last-4099", STANDARD, "norm_outlier special_values", NAMED), .rank = 2, .dim = {2, 4099},
     .mask = 2, .fill = NORM_NAN_LAST},
    {ROW("nan-each", STANDARD, PLACES, ALL), .rank = 2, .dim = {65, 65}, .mask = 2, .fill = NORM_NAN_EACH},
    {ROW("nan-each-first", STANDARD, PLACES, TWO | ONE | MAX | MIN), .rank = 2, .dim = {65, 65}, .mask = 1,
     .fill = NORM_NAN_EACH},
    {ROW("nan-each-4099", STANDARD, PLACES, NAMED), .rank = 2, .dim = {9, 4099}, .mask = 2,
     .fill = NORM_NAN_EACH, .dtypes = SHORT},
    {ROW("infinity-each", STANDARD, PLACES, NAMED), .rank = 2, .dim = {65, 65}, .mask = 2,
     .fill = NORM_INFINITY_EACH},
    {ROW("infinity-each-4099", STANDARD, PLACES, NAMED), .rank = 2, .dim = {9, 4099}, .mask = 2,
     .fill = NORM_INFINITY_EACH, .dtypes = SHORT},
    {ROW("constant-1000", SMOKE, "norm_constant", ONE | TWO | THREE), .rank = 2, .dim = {3, 1000}, .mask = 2,
     .fill = NORM_CONSTANT},
    {ROW("constant-4099", STANDARD, "norm_constant", ONE | TWO | THREE), .rank = 1, .dim = {4099},
     .fill = NORM_CONSTANT},
    {ROW("integers-100", SMOKE, "integers_exact", EXACT_ORDERS), .rank = 2, .dim = {9, 100}, .mask = 2,
     .fill = NORM_INTEGERS},
    {ROW("integers-5000", STANDARD, "integers_exact", EXACT_ORDERS), .rank = 1, .dim = {5000},
     .fill = NORM_INTEGERS},
    {ROW("pairs", SMOKE, "special_values", ALL), .rank = 2, .dim = {0, 2}, .mask = 2, .fill = NORM_SPECIALS},
    {ROW("triples", SMOKE, "special_values", ALL), .rank = 2, .dim = {0, 3}, .mask = 2, .fill = NORM_TRIPLES},
    {ROW("subnormals", SMOKE, "special_values", NAMED), .rank = 2, .dim = {9, 17}, .mask = 2,
     .fill = NORM_SUBNORMALS},
    {ROW("pythagoras", SMOKE, "norm_safe_range power_of_two_equivariance", TWO | ONE | MAX | THREE),
     .rank = 2, .dim = {41, 2}, .mask = 2, .fill = NORM_PYTHAGORAS},
    {ROW("pythagoras-columns", STANDARD, "norm_safe_range", TWO), .rank = 2, .dim = {41, 2}, .mask = 2,
     .keep = true, .negative = true, .layout = LAYOUT_COLUMNS, .fill = NORM_PYTHAGORAS},
    {ROW("tiny-3e-25", SMOKE, "norm_safe_range", TWO | ONE), .rank = 1, .dim = {2}, .fill = NORM_SMALL_EXACT,
     .dtypes = WIDE},
    {ROW("range-ends", SMOKE, "norm_safe_range", TWO), .rank = 2, .dim = {4, 33}, .mask = 2,
     .fill = NORM_RANGE_ENDS},
    {ROW("range-ends-257", STANDARD, "norm_safe_range", TWO), .rank = 2, .dim = {4, 257}, .mask = 2,
     .fill = NORM_RANGE_ENDS},
    {ROW("close", SMOKE, "norm_any_order", LARGE | INEXACT | P1E300 | MINUS_1E300), .rank = 2, .dim = {5, 17},
     .mask = 2, .fill = NORM_CLOSE},
    {ROW("close-100", STANDARD, "norm_any_order", LARGE | INEXACT), .rank = 2, .dim = {3, 100}, .mask = 2,
     .fill = NORM_CLOSE},
    {ROW("unheld-257", STANDARD, "norm_any_order", INEXACT), .rank = 2, .dim = {3, 257}, .mask = 2},
    {ROW("ranges", SMOKE, "norm_any_order norm_safe_range", P128 | MINUS_128 | P1E10), .rank = 2,
     .dim = {41, 2}, .mask = 2, .fill = NORM_PYTHAGORAS},
    {ROW("ranges", STANDARD, RANGES, ROOT160 | MINUS_ROOT160), .rank = 2, .dim = {41, 2}, .mask = 2,
     .fill = NORM_PYTHAGORAS, .dtypes = WIDE},
    {ROW("apart", STANDARD, RANGES, SMALL), .rank = 2, .dim = {4, 2}, .mask = 2, .fill = NORM_APART,
     .dtypes = WIDE},
    {ROW("apart-columns", STANDARD, RANGES, SMALL), .rank = 2, .dim = {8, 2}, .mask = 2,
     .layout = LAYOUT_COLUMNS, .fill = NORM_APART, .dtypes = WIDE},
    {ROW("out-of-range", SMOKE, "norm_any_order", TINY | TINIEST), .rank = 2, .dim = {3, 5}, .mask = 2},
    {CUBE("cube-all", SMOKE)},
    {CUBE("cube-all-keep", SMOKE), .keep = true},
    {CUBE("cube-first", SMOKE), .mask = 1},
    {CUBE("cube-middle-keep", SMOKE), .mask = 2, .keep = true, .negative = true},
    {CUBE("cube-last", SMOKE), .mask = 4, .negative = true},
    {CUBE("cube-first-two", SMOKE), .mask = 3},
    {CUBE("cube-outer-two", STANDARD), .mask = 5, .keep = true},
    {CUBE("cube-last-two", STANDARD), .mask = 6, .negative = true},
    {ROW("batch-empty", SMOKE, "norm_lengths", ONE | TWO | MAX), .rank = 2, .dim = {0, 5}, .mask = 2},
    {ROW("reduce-empty", SMOKE, "norm_lengths", ZERO | ONE | TWO | THREE), .rank = 2, .dim = {3, 0},
     .mask = 2, .keep = true},
    {ROW("scalar", SMOKE, "norm_lengths", ALL)},
    {LAYOUT("transposed", SMOKE, TRANSPOSED)},
    {LAYOUT("columns", STANDARD, COLUMNS)},
    {LAYOUT("block", SMOKE, BLOCK)},
    {LAYOUT("stepped2", STANDARD, STEPPED2)},
    {LAYOUT("stepped3", STANDARD, STEPPED3)},
    {LAYOUT("rows-stepped", STANDARD, ROWS_STEPPED)},
    {LAYOUT("offset1", SMOKE, OFFSET1)},
    {LAYOUT("offset3", STANDARD, OFFSET3)},
    {LAYOUT("transposed-block", STANDARD, TRANSPOSED_BLOCK)},
    {LAYOUT("far", STANDARD, FAR)},
    {LAYOUT("expanded", STANDARD, EXPANDED)},
    {LAYOUT("expanded-rows", STANDARD, EXPANDED_ROWS)},
    {ROW("heads-3d", STANDARD, LAID, TWO | ONE | MIN), .rank = 3, .dim = {4, 5, 33}, .mask = 4,
     .layout = LAYOUT_HEADS},
    {ROW("heads-4d", STANDARD, LAID, TWO | ONE | MIN), .rank = 4, .dim = {2, 3, 5, 33}, .mask = 8,
     .layout = LAYOUT_HEADS},
    {ROW("block-3d", STANDARD, LAID, TWO | ONE | MIN), .rank = 3, .dim = {4, 5, 33}, .mask = 4,
     .layout = LAYOUT_BLOCK},
    {ROW("rows-stepped-3d", STANDARD, LAID, TWO | ONE | MIN), .rank = 3, .dim = {4, 5, 33}, .mask = 4,
     .layout = LAYOUT_ROWS_STEPPED},
    {ROW("rank-5-reversed", STANDARD, LAID, TWO | ONE | MIN), .rank = 5, .dim = {2, 3, 2, 5, 3}, .mask = 16,
     .layout = LAYOUT_REVERSED},
    {ROW("rank-5-permuted-two", STANDARD, LAID, TWO | ONE | MIN), .rank = 5, .dim = {2, 3, 2, 5, 3},
     .mask = 10, .layout = LAYOUT_PERMUTED},
    {ROW("apart-4d", STANDARD, "apart norm_dimensions", TWO | MAX), .rank = 4, .dim = {3, 4, 3, 5},
     .mask = 10},
    {ROW("apart-5d", STANDARD, "apart norm_dimensions", TWO | MAX), .rank = 5, .dim = {3, 2, 3, 4, 3},
     .mask = 10, .negative = true},
    {ROW("batch-65537", EXHAUSTIVE, "size_limits", TWO), .rank = 2, .dim = {65537, 3}, .mask = 2,
     .dtypes = 1U << DTYPE_FLOAT32},
    {ROW("chain-orders", STANDARD, "order flags", TWO), .build = chain_orders, .rank = 2, .dim = {5, 5}},
    {ROW("chain-orders-transposed", STANDARD, "order flags", TWO), .build = chain_orders, .rank = 2,
     .dim = {65, 65}, .layout = LAYOUT_TRANSPOSED},
    {ROW("batch-invariance-65", SMOKE, "batch_invariance", NAMED), .build = invariance, .rank = 2,
     .dim = {9, 65}, .mask = 2},
    {ROW("batch-invariance-4099", STANDARD, "batch_invariance layout_grid", TWO | ONE), .build = invariance,
     .rank = 2, .dim = {5, 4099}, .mask = 2, .layout = LAYOUT_BLOCK},
    {ROW("position-invariance-257", SMOKE, "position_invariance", TWO | ONE | THREE), .build = positions,
     .rank = 2, .dim = {70, 257}, .mask = 2},
    {ROW("batch-1000", STANDARD, "signed_bias", TWO), .rank = 2, .dim = {1000, 17}, .mask = 2},
    {ROW("refuse-empty", SMOKE, "norm_refusals", MAX | MIN | MINUS_1), .build = refuse, .rank = 2,
     .dim = {3, 0}, .mask = 2},
    {ROW("refuse-out-of-range", SMOKE, "norm_refusals", TWO), .build = refuse_dimension, .rank = 2,
     .dim = {3, 5}, .mask = 2},
    {ROW("refuse-twice", SMOKE, "norm_refusals", TWO), .build = refuse_dimension, .rank = 2, .dim = {3, 5},
     .mask = 2, .negative = true},
};

static const struct row matrix_rows[] = {
    {ROW("square-17", SMOKE, "norm_matrix", OF_MATRIX), .rank = 2, .dim = {17, 17}},
    {ROW("wide-3-257", STANDARD, "norm_matrix", OF_MATRIX), .rank = 2, .dim = {3, 257}, .keep = true},
    {ROW("tall-1000-2", STANDARD, "norm_matrix", OF_MATRIX), .rank = 2, .dim = {1000, 2}},
    {ROW("large-70-65", STANDARD, "norm_matrix", OF_MATRIX), .rank = 2, .dim = {70, 65},
     .layout = LAYOUT_TRANSPOSED},
    {ROW("batch-5", SMOKE, "norm_matrix", OF_MATRIX), .rank = 3, .dim = {5, 7, 9}, .layout = LAYOUT_BLOCK},
    {ROW("batch-5-keep", SMOKE, "norm_matrix", OF_MATRIX), .rank = 3, .dim = {5, 9, 7}, .keep = true,
     .layout = LAYOUT_REVERSED},
    {ROW("outlier-last", SMOKE, "norm_matrix", OF_MATRIX), .rank = 2, .dim = {33, 17},
     .layout = LAYOUT_OFFSET1, .fill = NORM_OUTLIER},
    {ROW("nan-last", SMOKE, "norm_matrix", OF_MATRIX), .rank = 2, .dim = {9, 8}, .fill = NORM_NAN_LAST},
    {ROW("nan-each", STANDARD, "norm_matrix nan_places", OF_MATRIX), .rank = 3, .dim = {9, 3, 3},
     .fill = NORM_NAN_EACH},
    {ROW("nan-each-5-13", STANDARD, "norm_matrix nan_places", OF_MATRIX), .rank = 3, .dim = {9, 5, 13},
     .fill = NORM_NAN_EACH},
    {ROW("infinity-each", STANDARD, "norm_matrix nan_places", OF_MATRIX), .rank = 3, .dim = {9, 3, 3},
     .fill = NORM_INFINITY_EACH},
    {ROW("infinity-each-5-13", STANDARD, "norm_matrix nan_places", OF_MATRIX), .rank = 3, .dim = {9, 5, 13},
     .fill = NORM_INFINITY_EACH},
    {ROW("batch-heads", STANDARD, MATRIX_LAID, FRO | ONE), .rank = 3, .dim = {5, 7, 9},
     .layout = LAYOUT_HEADS},
    {ROW("batch-permuted", STANDARD, MATRIX_LAID, FRO | ONE), .rank = 3, .dim = {5, 7, 9},
     .layout = LAYOUT_PERMUTED},
    {ROW("batch-rows-stepped", STANDARD, MATRIX_LAID, FRO | ONE), .rank = 3, .dim = {5, 7, 9},
     .layout = LAYOUT_ROWS_STEPPED},
    {ROW("batch-expanded-rows", STANDARD, MATRIX_LAID, FRO | ONE), .rank = 3, .dim = {5, 7, 9},
     .layout = LAYOUT_EXPANDED_ROWS},
    {ROW("rank-5-reversed", STANDARD, MATRIX_LAID, FRO | ONE), .rank = 5, .dim = {2, 3, 2, 5, 3},
     .layout = LAYOUT_REVERSED},
    {ROW("rank-5-permuted", STANDARD, MATRIX_LAID, FRO | ONE), .rank = 5, .dim = {2, 3, 2, 5, 3},
     .layout = LAYOUT_PERMUTED},
    {ROW("batch-65537", EXHAUSTIVE, "norm_matrix size_limits", FRO | ONE), .rank = 3, .dim = {65537, 2, 2},
     .dtypes = 1U << DTYPE_FLOAT32},
    {ROW("chain-orders", STANDARD, "norm_matrix", FRO), .build = chain_orders, .rank = 2, .dim = {5, 5}},
    {ROW("chain-orders-65", STANDARD, "norm_matrix", FRO), .build = chain_orders, .rank = 2, .dim = {65, 65},
     .layout = LAYOUT_TRANSPOSED},
    {ROW("integers", SMOKE, "norm_matrix", OF_MATRIX & ~FRO), .rank = 3, .dim = {4, 20, 30},
     .fill = NORM_INTEGERS},
    {ROW("pythagoras", SMOKE, "norm_matrix", OF_MATRIX & ~(MAX | ONE)), .rank = 2, .dim = {2, 2},
     .fill = NORM_PYTHAGORAS},
    {ROW("range-ends", SMOKE, "norm_matrix", FRO), .rank = 2, .dim = {4, 33}, .fill = NORM_RANGE_ENDS},
    {ROW("batch-invariance", SMOKE, "norm_matrix", OF_MATRIX), .build = invariance, .rank = 3,
     .dim = {4, 9, 12}},
    {ROW("empty-batch", SMOKE, "norm_matrix", OF_MATRIX), .rank = 3, .dim = {0, 3, 4}},
    {ROW("no-rows", SMOKE, "norm_matrix", FRO | ONE), .rank = 2, .dim = {0, 4}},
    {ROW("refuse-no-columns", SMOKE, "norm_matrix", ONE | MINUS_1), .build = refuse, .rank = 2,
     .dim = {4, 0}},
    {ROW("refuse-no-rows", SMOKE, "norm_matrix", MAX | MIN), .build = refuse, .rank = 2, .dim = {0, 4}},
    {ROW("refuse-vector", SMOKE, "norm_matrix", FRO | ONE), .build = refuse, .rank = 1, .dim = {4}},
};

static void build(struct builder *b)
{
    const struct row *row = b->c->row;
    struct attributes attributes = attributes_of(row, &norm_orders[b->c->parameter], is_matrix(b->c->op));
    (row->build ? row->build : plain)(b, row, &attributes);
}

static void declare_rows(struct suite_list *list, const char *name, const struct row *row, size_t count)
{
    const struct op *op = op_find(name);
    for (size_t k = 0; op && k < DTYPE_COUNT * count * NORM_ORDERS; k++) {
        const struct row *r = &row[k / NORM_ORDERS % count];
        const struct norm_order *order = &norm_orders[k % NORM_ORDERS];
        enum dtype dtype = (enum dtype)(k / NORM_ORDERS / count);
        bool left_out = r->dtypes && !(r->dtypes >> dtype & 1);
        if (!(op->dtypes >> dtype & 1) || !(r->orders & order->bit) || left_out) {
            continue;
        }
        suite_declare_named(list,
                            &(struct suite_case){.op = op,
                                                 .dtype = dtype,
                                                 .level = r->level,
                                                 .covers = r->covers,
                                                 .file = __FILE__,
                                                 .line = r->line,
                                                 .build = build,
                                                 .row = r,
                                                 .parameter = order - norm_orders},
                            "%s-%s", r->name, order->name);
    }
}

static void declare(struct suite_list *list)
{
    declare_rows(list, "vector_norm", rows, sizeof rows / sizeof *rows);
    declare_rows(list, "matrix_norm", matrix_rows, sizeof matrix_rows / sizeof *matrix_rows);
}

const struct suite suite_norm_vector_norm = {.declare = declare};
