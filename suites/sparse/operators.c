/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Every sparse operator on the same matrices: orders of entries, duplicates, gaps, sizes, special values,
 * index widths, layouts of each operand. */

#include "suites/shared/rows.h"
#include "suites/sparse/matrices.h"

#include <string.h>

enum {
    ALL = 1U << DTYPE_FLOAT16 | 1U << DTYPE_BFLOAT16 | 1U << DTYPE_FLOAT32 | 1U << DTYPE_FLOAT64,
    LARGE = 1U << DTYPE_FLOAT32 | 1U << DTYPE_FLOAT64,
};

struct row {
    struct suite_row row;
    struct sparse_case matrix;
    bool coo; /* not for CSR operators, which the difficulties of COO do not concern */
    bool far; /* only for operators that take such matrices (sparse_takes_far) */
};

static void build(struct builder *b)
{
    const struct row *row = b->c->row;
    const struct op *op = b->c->op;
    struct view input[OPERANDS_MAX];
    struct attributes attributes = sparse_attributes(op, &row->matrix);
    int inputs = sparse_build(b, sparse_operands_of(op), &row->matrix, input);
    struct step *step = build_step(b, op, &attributes, inputs, input);
    if (step && row->matrix.fill == FILL_INTEGERS) {
        step->exact = true;
    }
}

#define MATRIX(rows_, columns_, entries_, ...)                                                               \
    .matrix = {.rows = rows_,                                                                                \
               .columns = columns_,                                                                          \
               .entries = entries_,                                                                          \
               .alpha = 1,                                                                                   \
               .beta = 1,                                                                                    \
               .width = __VA_ARGS__}
/* A matrix of more than 2^32 places; a dense result would take 17 GB. */
#define FAR_PLACES(name_, ...)                                                                               \
    SUITE_ROW(name_, STANDARD, "sparse_far size_limits", .dtypes = LARGE),                                   \
        MATRIX(65537, 65537, 300, 1, .kind = SPARSE_FAR, __VA_ARGS__), .far = true
#define LAID(name_, level_, dtypes_, layout_, laid_)                                                         \
    SUITE_ROW(name_, level_, "layout_grid poison", .dtypes = dtypes_),                                       \
        MATRIX(8, 7, 19, 4, .kind = SPARSE_UNIQUE, .layout = LAYOUT_##layout_, .laid = laid_)
/* A layout for all operands, then for one after the other. */
#define LAYOUT(name_, level_, dtypes_, layout_)                                                              \
    {LAID("all-" name_, level_, dtypes_, layout_, -1)},                                                      \
        {LAID("input0-" name_, STANDARD, dtypes_, layout_, 0)},                                              \
        {LAID("input1-" name_, STANDARD, dtypes_, layout_, 1)},                                              \
        {LAID("input2-" name_, STANDARD, dtypes_, layout_, 2)},                                              \
        {LAID("input3-" name_, STANDARD, dtypes_, layout_, 3)},                                              \
    {                                                                                                        \
        LAID("input4-" name_, STANDARD, dtypes_, layout_, 4)                                                 \
    }
#define SCALED(name_, ...)                                                                                   \
    SUITE_ROW(name_, SMOKE, "flags sparse_beta_zero"),                                                       \
        .matrix = {.rows = 9, .columns = 8, .entries = 21, .width = 5, .kind = SPARSE_GAPS, __VA_ARGS__}

static const struct row rows[] = {
    {SUITE_ROW("random-9x7", SMOKE, "sparse_order self_encoding"), MATRIX(9, 7, 20, 3)},
    {SUITE_ROW("random-9x7-int32", SMOKE, "sparse_index_width"), MATRIX(9, 7, 20, 3, .narrow = true)},
    {SUITE_ROW("random-33x65", STANDARD, "sparse_order self_encoding signed_bias"), MATRIX(33, 65, 300, 5)},
    {SUITE_ROW("random-70x130-int32", STANDARD, "sparse_index_width"),
     MATRIX(70, 130, 500, 17, .narrow = true)},
    {SUITE_ROW("random-1x1", STANDARD, "sparse_sizes"), MATRIX(1, 1, 3, 1)},
    /* square and not symmetric: a matrix read as its transpose fits */
    {SUITE_ROW("square-9x9", STANDARD, "sparse_square self_encoding"), MATRIX(9, 9, 25, 3)},
    {SUITE_ROW("square-9x9-width-9", STANDARD, "sparse_square"), MATRIX(9, 9, 25, 9, .narrow = true)},
    {SUITE_ROW("square-9x9-integers", STANDARD, "sparse_square integers_exact"),
     MATRIX(9, 9, 25, 9, .fill = FILL_INTEGERS)},
    {SUITE_ROW("random-300x2", STANDARD, "sparse_order"), MATRIX(300, 2, 400, 1)},
    {SUITE_ROW("unique-9x8", STANDARD, "sparse_order"), .coo = true,
     MATRIX(9, 8, 31, 3, .kind = SPARSE_UNIQUE)},
    {SUITE_ROW("unique-40x30", STANDARD, "sparse_order"), .coo = true,
     MATRIX(40, 30, 300, 7, .kind = SPARSE_UNIQUE, .narrow = true)},
    {SUITE_ROW("sorted", STANDARD, "sparse_order"), .coo = true,
     MATRIX(17, 19, 70, 4, .kind = SPARSE_SORTED)},
    {SUITE_ROW("by-column", STANDARD, "sparse_order"), .coo = true,
     MATRIX(17, 19, 70, 4, .kind = SPARSE_BY_COLUMN)},
    {SUITE_ROW("duplicates", SMOKE, "sparse_duplicates"), .coo = true,
     MATRIX(5, 4, 60, 3, .kind = SPARSE_HEAVY)},
    {SUITE_ROW("duplicates-1000", STANDARD, "sparse_duplicates"), .coo = true,
     MATRIX(9, 12, 1000, 2, .kind = SPARSE_HEAVY, .fill = FILL_POSITIVE, .narrow = true)},
    {SUITE_ROW("duplicates-one-place", STANDARD, "sparse_duplicates"), .coo = true,
     MATRIX(3, 5, 300, 2, .kind = SPARSE_ONE_PLACE, .fill = FILL_POSITIVE)},
    {SUITE_ROW("cancelling", SMOKE, "sparse_cancelling"), .coo = true,
     MATRIX(12, 10, 36, 3, .kind = SPARSE_CANCELLING)},
    {SUITE_ROW("cancelling-33", STANDARD, "sparse_cancelling"), .coo = true,
     MATRIX(33, 31, 150, 2, .kind = SPARSE_CANCELLING, .narrow = true)},
    {SUITE_ROW("empty-rows", SMOKE, "sparse_empty_rows"), MATRIX(11, 8, 14, 3, .kind = SPARSE_GAPS)},
    {SUITE_ROW("empty-rows-65", STANDARD, "sparse_empty_rows"),
     MATRIX(65, 64, 130, 2, .kind = SPARSE_GAPS, .narrow = true)},
    {SUITE_ROW("no-entries", SMOKE, "sparse_no_entries"), MATRIX(5, 4, 0, 3)},
    {SUITE_ROW("no-entries-int32", STANDARD, "sparse_no_entries"), MATRIX(65, 1, 0, 1, .narrow = true)},
    {SUITE_ROW("no-rows", STANDARD, "sparse_sizes size_limits"), MATRIX(0, 4, 0, 3)},
    {SUITE_ROW("no-columns", STANDARD, "sparse_sizes size_limits"), MATRIX(4, 0, 0, 3)},
    {SUITE_ROW("no-width", STANDARD, "sparse_sizes size_limits"), MATRIX(4, 5, 9, 0)},
    {SUITE_ROW("zero-times-infinity", SMOKE, "sparse_explicit_zero special_values"),
     MATRIX(11, 10, 24, 3, .kind = SPARSE_GAPS, .fill = FILL_INFINITIES)},
    {SUITE_ROW("zero-times-infinity-33", STANDARD, "sparse_explicit_zero special_values"),
     MATRIX(33, 30, 90, 2, .kind = SPARSE_GAPS, .fill = FILL_INFINITIES, .narrow = true)},
    {SUITE_ROW("specials", STANDARD, "special_values"),
     MATRIX(36, 36, 34, 34, .kind = SPARSE_DIAGONAL, .fill = FILL_SPECIALS)},
    {SUITE_ROW("subnormals", STANDARD, "special_values"), MATRIX(9, 8, 24, 3, .fill = FILL_SUBNORMALS)},
    {SUITE_ROW("integers", SMOKE, "integers_exact"), MATRIX(13, 11, 50, 5, .fill = FILL_INTEGERS)},
    {SUITE_ROW("integers-duplicates", STANDARD, "integers_exact sparse_duplicates"), .coo = true,
     MATRIX(7, 5, 200, 3, .kind = SPARSE_HEAVY, .fill = FILL_INTEGERS, .narrow = true)},
    {SUITE_ROW("integers-3000", STANDARD, "integers_exact size_limits", .dtypes = LARGE),
     MATRIX(300, 257, 3000, 3, .fill = FILL_INTEGERS)},
    {SUITE_ROW("one-row-257", STANDARD, "sparse_one_row"),
     MATRIX(9, 300, 257, 2, .kind = SPARSE_ONE_ROW, .fill = FILL_POSITIVE)},
    {SUITE_ROW("one-row-5000", STANDARD, "sparse_one_row"),
     MATRIX(3, 9000, 5000, 1, .kind = SPARSE_ONE_ROW, .fill = FILL_POSITIVE)},
    {SUITE_ROW("entries-63", STANDARD, "size_limits"), MATRIX(20, 21, 63, 2, .kind = SPARSE_SORTED)},
    {SUITE_ROW("entries-64", STANDARD, "size_limits"), MATRIX(20, 21, 64, 2, .narrow = true)},
    {SUITE_ROW("entries-65", STANDARD, "size_limits"), MATRIX(20, 21, 65, 2)},
    {SUITE_ROW("entries-1025", STANDARD, "size_limits"), MATRIX(64, 65, 1025, 1)},
    {SUITE_ROW("rows-65537", STANDARD, "size_limits sparse_empty_rows", .dtypes = 1U << DTYPE_FLOAT32),
     MATRIX(65537, 5, 70000, 1, .kind = SPARSE_GAPS)},
    {SUITE_ROW("columns-65537", STANDARD, "size_limits", .dtypes = 1U << DTYPE_FLOAT32),
     MATRIX(5, 65537, 3000, 1, .narrow = true)},
    {FAR_PLACES("far-places", .narrow = false)},
    {FAR_PLACES("far-places-int32", .narrow = true)},
    {SUITE_ROW("entries-200000", EXHAUSTIVE, "size_limits", .dtypes = 1U << DTYPE_FLOAT32),
     MATRIX(20011, 15, 200000, 1, .fill = FILL_POSITIVE)},
    LAYOUT("transposed", STANDARD, ALL, TRANSPOSED),
    LAYOUT("columns", STANDARD, LARGE, COLUMNS),
    LAYOUT("block", STANDARD, LARGE, BLOCK),
    LAYOUT("stepped2", STANDARD, ALL, STEPPED2),
    LAYOUT("stepped3", STANDARD, LARGE, STEPPED3),
    LAYOUT("offset1", STANDARD, ALL, OFFSET1),
    LAYOUT("offset3", STANDARD, LARGE, OFFSET3),
    LAYOUT("transposed-block", SMOKE, ALL, TRANSPOSED_BLOCK),
    LAYOUT("far", STANDARD, LARGE, FAR),
    LAYOUT("expanded", STANDARD, LARGE, EXPANDED),
    LAYOUT("expanded-rows", STANDARD, LARGE, EXPANDED_ROWS),
    {SCALED("alpha-half", .alpha = 0.5, .beta = 1)},
    {SCALED("alpha-beta", .alpha = -2, .beta = 0.75)},
    {SCALED("alpha-beta-above", .alpha = 3, .beta = 2.5)},
    {SCALED("beta-zero", .alpha = 1.5, .beta = 0)},
    {SCALED("beta-zero-nan", .alpha = 1, .beta = 0, .fill = FILL_INFINITIES)},
    {SCALED("beta-zero-nan-alpha", .alpha = -0.5, .beta = 0, .fill = FILL_INFINITIES)},
};

static bool asks(const void *row, const struct op *op, enum dtype dtype)
{
    const struct row *r = row;
    const char *letters = sparse_operands_of(op);
    const struct sparse_case *s = &r->matrix;
    bool there = s->laid < (int)strlen(letters), scaled = s->alpha != 1 || s->beta != 1;
    bool indices = there && (s->laid < 0 || strchr("IRC", letters[s->laid]));
    /* an expanded operand repeats one entry: another matrix */
    bool another = indices && layout_repeats(s->layout);
    (void)dtype;
    return there && !another && !(r->coo && letters[0] == 'R') && (!r->far || sparse_takes_far(op)) &&
           (!scaled || op->attributes[1].name);
}

static void declare(struct suite_list *list)
{
    for (int o = 0; o < op_count(); o++) {
        if (sparse_operands_of(op_at(o))) {
            suite_declare_rows(list, &(struct suite_table){SUITE_ROWS(rows), .ops = {op_at(o)->name},
                                                           .dtypes = ALL, .build = build,
                                                           .level = level_beyond_float32, .asks = asks});
        }
    }
}

const struct suite suite_sparse_operators = {.declare = declare};
