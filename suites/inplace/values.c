/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Operators that write into an operand: every kind of value, one update per case. Values of add_ and mul_ are
 * in inplace.c, attributes in attributes.c, conversions in conversions.c. */

#include "suites/inplace/operands.h"
#include "suites/shared/rows.h"

#include <string.h>

enum {
    FLOATS = 1 << DTYPE_FLOAT16 | 1 << DTYPE_BFLOAT16 | 1 << DTYPE_FLOAT32 | 1 << DTYPE_FLOAT64,
    INTEGERS = 1 << DTYPE_INT32 | 1 << DTYPE_INT64,
    ALL = FLOATS | INTEGERS
};

struct row {
    struct suite_row row;
    unsigned cases;        /* for operators with any of these bits (operands.h) */
    int64_t rows, columns; /* rows = 0: a vector */
    enum layout written, read;
    enum data data;
};

static void build_values(struct builder *b)
{
    const struct row *row = b->c->row;
    const struct writes *w = writes_find(b->c->op->name);
    struct shape shape = row->data == DATA_SPECIALS ? update_specials_shape(b->c->dtype)
                         : row->rows                ? shape_of(2, row->rows, row->columns)
                                                    : shape_of(1, row->columns);
    struct view operand[WRITES_OPERANDS];
    for (int k = 0; k < w->operands; k++) {
        operand[k] = writes_operand(b, w, k, &shape, k == w->written ? row->written : row->read, row->data);
    }
    struct attributes none = {.count = 0};
    bool plain = w->attribute && strcmp(w->attribute, "value") == 0 && w->operands == 3;
    writes_step(b, w, w->operands, operand, plain ? &none : NULL, row->data == DATA_INTEGERS);
}

static const struct row rows[] = {
    {SUITE_ROW("random", SMOKE, "signed_bias"), .cases = WRITES_ROUND, .columns = 1031, .data = DATA_RANDOM},
    {SUITE_ROW("random-transposed", STANDARD, "signed_bias allow_non_contiguous"), .cases = WRITES_ROUND,
     .rows = 41, .columns = 29, .written = LAYOUT_TRANSPOSED, .read = LAYOUT_COLUMNS, .data = DATA_RANDOM},
    {SUITE_ROW("wide-exponents", STANDARD, "exponents"), .cases = WRITES_ROUND, .columns = 2048,
     .data = DATA_WIDE},
    {SUITE_ROW("specials", SMOKE, "special_values"), .cases = WRITES_SPECIALS, .data = DATA_SPECIALS},
    {SUITE_ROW("specials-stepped", STANDARD, "special_values allow_non_contiguous"), .cases = WRITES_SPECIALS,
     .written = LAYOUT_STEPPED2, .read = LAYOUT_TRANSPOSED, .data = DATA_SPECIALS},
    {SUITE_ROW("overflow", STANDARD, "special_values", .dtypes = FLOATS), .cases = WRITES_OVERFLOW,
     .columns = 403, .data = DATA_HUGE},
    {SUITE_ROW("wraparound", STANDARD, "integers_exact", .dtypes = INTEGERS), .cases = WRITES_ROUND,
     .columns = 403, .data = DATA_HUGE},
    {SUITE_ROW("beyond-double", STANDARD, "integers_exact allow_non_contiguous", .dtypes = INTEGERS),
     .cases = WRITES_SPECIALS, .rows = 13, .columns = 21, .written = LAYOUT_TRANSPOSED,
     .read = LAYOUT_STEPPED3, .data = DATA_ODD_LARGE},
    {SUITE_ROW("full-significands", STANDARD, "signed_bias", .dtypes = FLOATS), .cases = WRITES_ROUND,
     .columns = 777, .data = DATA_ODD_LARGE},
    {SUITE_ROW("subnormals", STANDARD, "special_values", .dtypes = FLOATS), .cases = WRITES_SUBNORMALS,
     .columns = 301, .data = DATA_TINY},
    {SUITE_ROW("subnormal-products", STANDARD, "special_values", .dtypes = FLOATS), .cases = WRITES_PRODUCTS,
     .columns = 301, .data = DATA_SMALL_PRODUCTS},
    {SUITE_ROW("cancelling", STANDARD, "special_values"), .cases = WRITES_CANCEL, .columns = 129,
     .data = DATA_CANCELLING},
    {SUITE_ROW("length-0", STANDARD, "allow_empty size_limits"), .cases = WRITES_SPECIALS},
    {SUITE_ROW("length-0-columns", STANDARD, "allow_empty size_limits gaps_untouched"),
     .cases = WRITES_SPECIALS, .rows = 5, .written = LAYOUT_COLUMNS, .read = LAYOUT_STEPPED2},
    {SUITE_ROW("length-1", STANDARD, "size_limits"), .cases = WRITES_SPECIALS, .columns = 1,
     .written = LAYOUT_OFFSET1, .read = LAYOUT_OFFSET3},
    {SUITE_ROW("length-70001-stepped", EXHAUSTIVE, "size_limits layout_grid gaps_untouched"),
     .cases = WRITES_SPECIALS, .columns = 70001, .written = LAYOUT_STEPPED2, .read = LAYOUT_OFFSET1},
};

static bool asks(const void *row, const struct op *op, enum dtype dtype)
{
    const struct writes *w = writes_find(op->name);
    return (w->dtypes >> dtype & 1) && (w->cases & ((const struct row *)row)->cases);
}

static void declare(struct suite_list *list)
{
    for (int w = 0; w < writes_count(); w++) {
        suite_declare_rows(list, &(struct suite_table){SUITE_ROWS(rows), .ops = {writes[w].name},
                                                       .build = build_values, .asks = asks,
                                                       .level = level_beyond_float16_32});
    }
}

const struct suite suite_inplace_values = {.declare = declare};
