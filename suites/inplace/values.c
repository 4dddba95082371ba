/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Operators that write into an operand: values of every kind, one update per case. Those of add_ and mul_
 * stand in inplace.c, attributes in attributes.c, conversions in conversions.c. */

#include "suites/inplace/operands.h"

#include <string.h>

enum {
    FLOATS = 1 << DTYPE_FLOAT16 | 1 << DTYPE_BFLOAT16 | 1 << DTYPE_FLOAT32 | 1 << DTYPE_FLOAT64,
    INTEGERS = 1 << DTYPE_INT32 | 1 << DTYPE_INT64,
    ALL = FLOATS | INTEGERS
};

struct row {
    const char *name;
    enum level level;
    const char *operators; /* blanks on both sides of every name */
    unsigned dtypes;
    int64_t rows, columns;
    enum layout written, read;
    enum data data;
    const char *covers;
    int line;
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

#define CASE(name_, level_, operators_, dtypes_, rows_, columns_, written_, read_, data_, covers_)           \
    {                                                                                                        \
        name_, LEVEL_##level_, operators_, dtypes_, rows_, columns_, LAYOUT_##written_, LAYOUT_##read_,      \
            DATA_##data_, covers_, __LINE__                                                                  \
    }
#define OUT        " add_out sub_out mul_out div_out "
#define ARITHMETIC " sub_ div_ addcmul_ addcdiv_ lerp_ clamp_ " OUT
#define MOVES      " copy_ fill_ masked_fill_ "

static const struct row rows[] = {
    CASE("random", SMOKE, ARITHMETIC, ALL, 0, 1031, CONTIGUOUS, CONTIGUOUS, RANDOM, "signed_bias"),
    CASE("random-transposed", STANDARD, ARITHMETIC, ALL, 41, 29, TRANSPOSED, COLUMNS, RANDOM,
         "signed_bias allow_non_contiguous"),
    CASE("wide-exponents", STANDARD, ARITHMETIC, ALL, 0, 2048, CONTIGUOUS, CONTIGUOUS, WIDE, "exponents"),
    CASE("specials", SMOKE, ARITHMETIC MOVES, ALL, 0, 0, CONTIGUOUS, CONTIGUOUS, SPECIALS, "special_values"),
    CASE("specials-stepped", STANDARD, ARITHMETIC MOVES, ALL, 0, 0, STEPPED2, TRANSPOSED, SPECIALS,
         "special_values allow_non_contiguous"),
    CASE("overflow", STANDARD, " sub_ add_out sub_out clamp_ ", FLOATS, 0, 403, CONTIGUOUS, CONTIGUOUS, HUGE,
         "special_values"),
    CASE("wraparound", STANDARD, ARITHMETIC, INTEGERS, 0, 403, CONTIGUOUS, CONTIGUOUS, HUGE,
         "integers_exact"),
    CASE("beyond-double", STANDARD, ARITHMETIC MOVES, INTEGERS, 13, 21, TRANSPOSED, STEPPED3, ODD_LARGE,
         "integers_exact allow_non_contiguous"),
    CASE("full-significands", STANDARD, ARITHMETIC, FLOATS, 0, 777, CONTIGUOUS, CONTIGUOUS, ODD_LARGE,
         "signed_bias"),
    CASE("subnormals", STANDARD, " sub_ add_out sub_out clamp_ copy_ masked_fill_ ", FLOATS, 0, 301,
         CONTIGUOUS, CONTIGUOUS, TINY, "special_values"),
    CASE("subnormal-products", STANDARD, " mul_out addcmul_ ", FLOATS, 0, 301, CONTIGUOUS, CONTIGUOUS,
         SMALL_PRODUCTS, "special_values"),
    CASE("cancelling", STANDARD, " sub_ add_out sub_out ", ALL, 0, 129, CONTIGUOUS, CONTIGUOUS, CANCELLING,
         "special_values"),
    CASE("length-0", STANDARD, ARITHMETIC MOVES, ALL, 0, 0, CONTIGUOUS, CONTIGUOUS, INTEGERS,
         "allow_empty size_limits"),
    CASE("length-0-columns", STANDARD, ARITHMETIC MOVES, ALL, 5, 0, COLUMNS, STEPPED2, INTEGERS,
         "allow_empty size_limits gaps_untouched"),
    CASE("length-1", STANDARD, ARITHMETIC MOVES, ALL, 0, 1, OFFSET1, OFFSET3, INTEGERS, "size_limits"),
    CASE("length-70001-stepped", EXHAUSTIVE, ARITHMETIC MOVES, ALL, 0, 70001, STEPPED2, OFFSET1, INTEGERS,
         "size_limits layout_grid gaps_untouched"),
};

static void declare(struct suite_list *list)
{
    for (int w = 0; w < writes_count(); w++) {
        const struct op *op = op_find(writes[w].name);
        for (int d = 0; op && d < DTYPE_COUNT; d++) {
            for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
                const struct row *row = &rows[r];
                if ((row->dtypes & writes[w].dtypes) >> d & 1 && writes_listed(row->operators, op->name)) {
                    suite_declare(list, &(struct suite_case){
                                            .op = op,
                                            .dtype = (enum dtype)d,
                                            .name = row->name,
                                            .level = level_beyond_float16_32(row->level, (enum dtype)d),
                                            .covers = row->covers,
                                            .file = __FILE__,
                                            .line = row->line,
                                            .build = build_values,
                                            .row = row});
                }
            }
        }
    }
}

const struct suite suite_inplace_values = {.declare = declare};
