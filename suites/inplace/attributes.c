/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Operators that write into an operand: attributes other than their defaults, numbers instead of tensors, and
 * optional operands that are absent. */

#include "suites/inplace/operands.h"
#include "suites/shared/rows.h"

#include <math.h>
#include <string.h>

enum {
    HALVES = 1 << DTYPE_FLOAT16 | 1 << DTYPE_BFLOAT16,
    FLOATS = HALVES | 1 << DTYPE_FLOAT32 | 1 << DTYPE_FLOAT64,
    INT64 = 1 << DTYPE_INT64,
    INTEGERS = 1 << DTYPE_INT32 | INT64,
    ALL = FLOATS | INTEGERS,
    WIDE_OR_INTEGERS = 1 << DTYPE_FLOAT64 | INTEGERS
};

struct row {
    struct suite_row row;
    int operands;    /* number of tensors passed; other operands are numbers or absent */
    unsigned absent; /* bit k: operand k is passed as absent */
    const char *attribute[2];
    double value[2];
    int64_t far; /* an integer that float64 does not hold, instead of value[0]; 0: none */
    enum data data;
    enum layout layout; /* of the written operand */
};

static struct attributes attributes_of(const struct row *row, enum dtype dtype)
{
    struct attributes all = {.count = 0};
    for (int k = 0; k < 2 && row->attribute[k]; k++) {
        all.item[all.count++] = writes_attribute(dtype, row->attribute[k], row->value[k]).item[0];
    }
    if (row->far) {
        all.item[0].type = ATTRIBUTE_INTEGER;
        all.item[0].integer = row->far;
    }
    return all;
}

static void build_attribute(struct builder *b)
{
    const struct row *row = b->c->row;
    const struct writes *w = writes_find(b->c->op->name);
    struct shape shape = row->data == DATA_SPECIALS ? update_specials_shape(b->c->dtype)
                                                    : shape_of(2, (int64_t)11, (int64_t)29);
    struct view operand[WRITES_OPERANDS];
    for (int k = 0; k < row->operands; k++) {
        if (row->absent >> k & 1) {
            operand[k] = (struct view){.storage = -1, .dtype = b->c->dtype};
        } else {
            operand[k] =
                writes_operand(b, w, k, &shape, k == w->written ? row->layout : LAYOUT_CONTIGUOUS, row->data);
        }
    }
    struct attributes attributes = attributes_of(row, b->c->dtype);
    writes_step(b, w, row->operands, operand, &attributes, row->data == DATA_INTEGERS && !row->far);
}

#define ONE(name_, op_, dtypes_, operands_, attribute_, value_, data_, layout_)                              \
    {                                                                                                        \
        SUITE_ROW(name_, STANDARD, NULL, .op = op_, .dtypes = dtypes_),                                      \
            .operands = operands_, .attribute = {attribute_}, .value = {value_}, .data = DATA_##data_,       \
            .layout = LAYOUT_##layout_                                                                       \
    }
#define FAR(name_, op_, operands_, attribute_, value_)                                                       \
    {                                                                                                        \
        SUITE_ROW(name_, STANDARD, NULL, .op = op_, .dtypes = INT64),                                        \
            .operands = operands_, .attribute = {attribute_}, .far = value_, .data = DATA_RANDOM,            \
            .layout = LAYOUT_COLUMNS                                                                         \
    }
#define CLAMP(name_, dtypes_, data_)                                                                         \
    SUITE_ROW(name_, STANDARD, NULL, .op = "clamp_", .dtypes = dtypes_), .data = DATA_##data_,               \
                                                                         .layout = LAYOUT_STEPPED2
#define LIMIT(name_, dtypes_, which_, x_, data_)                                                             \
    {                                                                                                        \
        CLAMP(name_, dtypes_, data_), .attribute = {which_}, .value = {x_}, .operands = 1                    \
    }
#define LIMITS(name_, dtypes_, min_, max_, data_)                                                            \
    {                                                                                                        \
        CLAMP(name_, dtypes_, data_), .attribute = {"min", "max"}, .value = {min_, max_}, .operands = 1      \
    }
/* Factors that float32 or float16 do not hold, and a factor of 0, which turns infinity into NaN. */
#define ALPHAS_FAR(op_, operands_)                                                                           \
    ONE("alpha-tenth-random", op_, FLOATS, operands_, "alpha", 0.1, RANDOM, CONTIGUOUS),                     \
        ONE("alpha-minus-three-tenths-random", op_, FLOATS, operands_, "alpha", -0.3, RANDOM, TRANSPOSED),   \
        ONE("alpha-16777217", op_, INTEGERS, operands_, "alpha", 16777217, RANDOM, CONTIGUOUS),              \
        ONE("alpha-minus-16777217", op_, INTEGERS, operands_, "alpha", -16777217, RANDOM, STEPPED2),         \
        ONE("alpha-0-specials", op_, FLOATS, operands_, "alpha", 0, SPECIALS, CONTIGUOUS),                   \
        ONE("alpha-0-specials-columns", op_, FLOATS, operands_, "alpha", 0, SPECIALS, COLUMNS)
#define ALPHAS(op_, operands_)                                                                               \
    ALPHAS_FAR(op_, operands_), ONE("alpha-2", op_, ALL, operands_, "alpha", 2, INTEGERS, CONTIGUOUS),       \
        ONE("alpha-minus-1", op_, ALL, operands_, "alpha", -1, INTEGERS, TRANSPOSED),                        \
        ONE("alpha-0", op_, ALL, operands_, "alpha", 0, INTEGERS, CONTIGUOUS),                               \
        ONE("alpha-half", op_, FLOATS, operands_, "alpha", 0.5, INTEGERS, COLUMNS),                          \
        ONE("alpha-3-random", op_, ALL, operands_, "alpha", 3, RANDOM, STEPPED2),                            \
        ONE("alpha-minus-1-cancelling", op_, ALL, operands_, "alpha", -1, CANCELLING, CONTIGUOUS),           \
        FAR("alpha-far", op_, operands_, "alpha", 0x20000000000001)
#define VALUES(op_, dtypes_)                                                                                 \
    ONE("value-1", op_, dtypes_, 3, "value", 1, RANDOM, CONTIGUOUS),                                         \
        ONE("value-minus-1", op_, dtypes_, 3, "value", -1, INTEGERS, TRANSPOSED),                            \
        ONE("value-0", op_, dtypes_, 3, "value", 0, INTEGERS, CONTIGUOUS),                                   \
        ONE("value-half", op_, FLOATS, 3, "value", 0.5, INTEGERS, COLUMNS),                                  \
        ONE("value-3-random", op_, dtypes_, 3, "value", 3, RANDOM, STEPPED2),                                \
        ONE("value-tenth-random", op_, FLOATS, 3, "value", 0.1, RANDOM, CONTIGUOUS),                         \
        ONE("value-minus-three-tenths-random", op_, FLOATS, 3, "value", -0.3, RANDOM, TRANSPOSED)
#define WEIGHT(name_, value_)                                                                                \
    ONE("weight-" name_, "lerp_", FLOATS, 2, "weight", value_, INTEGERS, COLUMNS),                           \
        ONE("weight-" name_ "-random", "lerp_", FLOATS, 2, "weight", value_, RANDOM, CONTIGUOUS)
/* A number above a midpoint of bfloat16 (8 bits) or float16 (11 bits) by less than float32 resolves. */
#define ABOVE_MIDPOINT(bits_) (1 + 0x1p-##bits_ + 0x1p-40)
#define FILLS(op_, operands_)                                                                                \
    ONE("value-0", op_, ALL, operands_, "value", 0, INTEGERS, COLUMNS),                                      \
        ONE("value-negative-zero", op_, FLOATS, operands_, "value", -0.0, INTEGERS, COLUMNS),                \
        ONE("value-infinity", op_, FLOATS, operands_, "value", -INFINITY, INTEGERS, TRANSPOSED),             \
        ONE("value-nan", op_, FLOATS, operands_, "value", NAN, INTEGERS, STEPPED2),                          \
        ONE("value-tenth", op_, FLOATS, operands_, "value", 0.1, INTEGERS, TRANSPOSED_BLOCK),                \
        ONE("value-three-tenths", op_, FLOATS, operands_, "value", 0.3, INTEGERS, CONTIGUOUS),               \
        ONE("value-16777217", op_, WIDE_OR_INTEGERS, operands_, "value", 16777217, INTEGERS, CONTIGUOUS),    \
        ONE("value-minus-16777217", op_, WIDE_OR_INTEGERS, operands_, "value", -16777217, INTEGERS, BLOCK),  \
        ONE("value-above-midpoint-8", op_, HALVES, operands_, "value", ABOVE_MIDPOINT(8), INTEGERS,          \
            COLUMNS),                                                                                        \
        ONE("value-above-midpoint-11", op_, HALVES, operands_, "value", ABOVE_MIDPOINT(11), INTEGERS,        \
            BLOCK),                                                                                          \
        ONE("value-127", op_, ALL, operands_, "value", 127, INTEGERS, ROWS_STEPPED),                         \
        FAR("value-far", op_, operands_, "value", 0x20000000000001)

static const struct row rows[] = {
    ALPHAS("sub_", 2),
    ALPHAS("add_out", 3),
    ALPHAS("sub_out", 3),
    ALPHAS_FAR("add_", 2),
    FAR("alpha-far", "add_", 2, "alpha", 0x20000000000001),
    VALUES("addcmul_", ALL),
    VALUES("addcdiv_", FLOATS),
    ONE("value-0-specials", "addcmul_", FLOATS, 3, "value", 0, SPECIALS, CONTIGUOUS),
    ONE("value-0-specials-columns", "addcmul_", FLOATS, 3, "value", 0, SPECIALS, COLUMNS),
    ONE("value-0-specials", "addcdiv_", FLOATS, 3, "value", 0, SPECIALS, CONTIGUOUS),
    ONE("value-0-specials-columns", "addcdiv_", FLOATS, 3, "value", 0, SPECIALS, COLUMNS),
    ONE("value-16777217", "addcmul_", INTEGERS, 3, "value", 16777217, RANDOM, CONTIGUOUS),
    ONE("value-minus-16777217", "addcmul_", INTEGERS, 3, "value", -16777217, RANDOM, STEPPED2),
    FAR("value-far", "addcmul_", 3, "value", -0x20000000000001),
    WEIGHT("0", 0),
    WEIGHT("quarter", 0.25),
    WEIGHT("half", 0.5),
    WEIGHT("three-quarters", 0.75),
    WEIGHT("1", 1),
    WEIGHT("2", 2),
    WEIGHT("minus-half", -0.5),
    ONE("weight-tenth-random", "lerp_", FLOATS, 2, "weight", 0.1, RANDOM, TRANSPOSED),
    ONE("weight-three-tenths-random", "lerp_", FLOATS, 2, "weight", 0.3, RANDOM, CONTIGUOUS),
    LIMIT("min", ALL, "min", -5, INTEGERS),
    LIMIT("max", ALL, "max", 7, INTEGERS),
    LIMITS("min-max", ALL, -5, 7, INTEGERS),
    LIMITS("min-above-max", ALL, 5, -7, INTEGERS),
    LIMIT("min-random", FLOATS, "min", 0.25, RANDOM),
    LIMITS("min-max-specials", FLOATS, -1, 1, WIDE),
    LIMITS("min-max-tenths-random", FLOATS, -0.3, 0.1, RANDOM),
    LIMIT("min-tenth-random", FLOATS, "min", 0.1, RANDOM),
    LIMIT("max-minus-tenth-random", FLOATS, "max", -0.1, RANDOM),
    LIMIT("min-above-midpoint-8", HALVES, "min", ABOVE_MIDPOINT(8), RANDOM),
    LIMIT("min-above-midpoint-11", HALVES, "min", ABOVE_MIDPOINT(11), RANDOM),
    LIMIT("min-16777217", WIDE_OR_INTEGERS, "min", 16777217, RANDOM),
    LIMIT("max-minus-16777217", WIDE_OR_INTEGERS, "max", -16777217, RANDOM),
    {CLAMP("min-tensor", ALL, INTEGERS), .operands = 2},
    {CLAMP("max-tensor", ALL, INTEGERS), .operands = 3, .absent = 2},
    FAR("min-far", "clamp_", 1, "min", 0x20000000000001),
    FAR("max-far", "clamp_", 1, "max", -0x20000000000001),
    FILLS("fill_", 1),
    FILLS("masked_fill_", 2),
};

static void declare(struct suite_list *list)
{
    suite_declare_rows(list, &(struct suite_table){SUITE_ROWS(rows), .covers = "flags allow_non_contiguous",
                                                   .build = build_attribute});
}

const struct suite suite_inplace_attributes = {.declare = declare};
