/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Operators that write into an operand, at shapes of their own: five dimensions with strides, matrices of
 * several tiles against their transposes, a random divisor without dimensions, more elements than 65,535
 * workgroups of 64 take. */

#include "suites/inplace/operands.h"

enum {
    HALF = 1 << DTYPE_FLOAT16,
    SINGLE = 1 << DTYPE_FLOAT32,
    FLOATS = HALF | 1 << DTYPE_BFLOAT16 | SINGLE | 1 << DTYPE_FLOAT64,
    SOME = HALF | SINGLE | 1 << DTYPE_INT32
};

static const struct row {
    const char *name;
    enum level level;
    const char *operators; /* blanks on both sides of every name; NULL: all */
    unsigned dtypes;
    struct shape written, read;
    enum { READ_ALL, READ_DIVISOR } reads; /* which operands have the shape of what is read */
    enum layout written_layout, read_layout;
    enum data data;
    const char *covers;
    int line;
} rows[] = {
#define DIMENSIONS(rank_, ...)                                                                               \
    {                                                                                                        \
        rank_,                                                                                               \
        {                                                                                                    \
            __VA_ARGS__                                                                                      \
        }                                                                                                    \
    }
#define SCALAR DIMENSIONS(0, 0)
#define ROW(name_, level_, operators_, dtypes_, shape_, written_, read_, covers_, ...)                       \
    {                                                                                                        \
        .name = name_, .level = LEVEL_##level_, .operators = operators_, .dtypes = dtypes_,                  \
        .written = shape_, .written_layout = LAYOUT_##written_, .read_layout = LAYOUT_##read_,               \
        .covers = covers_, .line = __LINE__, __VA_ARGS__                                                     \
    }
#define FIVE  DIMENSIONS(5, 2, 3, 2, 5, 3)
#define TILES DIMENSIONS(2, 257, 130)
#define CONV  DIMENSIONS(4, 70, 65, 1, 1)
#define SAME  "layout_grid poison allow_non_contiguous"
    ROW("rank-5-reversed-permuted", STANDARD, NULL, SOME, FIVE, REVERSED, PERMUTED, SAME, .read = FIVE),
    ROW("rank-5-heads-reversed", STANDARD, NULL, SOME, FIVE, HEADS, REVERSED, SAME, .read = FIVE),
    ROW("rank-5-block-transposed", STANDARD, NULL, SINGLE, FIVE, BLOCK, TRANSPOSED, SAME " gaps_untouched",
        .read = FIVE),
#define TILED " copy_ add_ mul_out "
    ROW("tiles-from-transposed", STANDARD, TILED, HALF | SINGLE, TILES, CONTIGUOUS, TRANSPOSED, SAME,
        .read = TILES),
    ROW("tiles-to-transposed", STANDARD, TILED, HALF | SINGLE, TILES, TRANSPOSED, CONTIGUOUS, SAME,
        .read = TILES),
    ROW("tiles-of-ones-from-transposed", STANDARD, TILED, SINGLE, CONV, CONTIGUOUS, REVERSED, SAME,
        .read = CONV),
    ROW("tiles-of-ones-to-transposed", STANDARD, TILED, SINGLE, CONV, REVERSED, CONTIGUOUS, SAME,
        .read = CONV),
#define FROM_ONE " copy_ add_ mul_ "
    ROW("weight-from-one", STANDARD, FROM_ONE, SINGLE, DIMENSIONS(4, 32, 256, 1, 1), CONTIGUOUS, CONTIGUOUS,
        "layout_grid broadcast_operands", .read = DIMENSIONS(2, 1, 1)),
    ROW("weight-transposed-from-one", STANDARD, FROM_ONE, SINGLE, DIMENSIONS(4, 32, 256, 1, 1), REVERSED,
        OFFSET1, "layout_grid broadcast_operands", .read = DIMENSIONS(2, 1, 1)),
#define DIVISIONS " div_ div_out addcdiv_ "
    ROW("random-by-scalar", STANDARD, DIVISIONS, FLOATS, DIMENSIONS(1, 1031), CONTIGUOUS, CONTIGUOUS,
        "broadcast_operands signed_bias", .read = SCALAR, .reads = READ_DIVISOR, .data = DATA_RANDOM),
    ROW("random-by-scalar-transposed", STANDARD, DIVISIONS, FLOATS, DIMENSIONS(2, 41, 29), TRANSPOSED_BLOCK,
        OFFSET3, "broadcast_operands signed_bias", .read = SCALAR, .reads = READ_DIVISOR,
        .data = DATA_RANDOM),
#define MANY DIMENSIONS(1, 4194305)
    ROW("length-4194305", STANDARD, " fill_ ", HALF, MANY, CONTIGUOUS, CONTIGUOUS, "size_limits",
        .read = MANY),
    ROW("length-4194305", EXHAUSTIVE, " add_ copy_ ", HALF, MANY, CONTIGUOUS, CONTIGUOUS, "size_limits",
        .read = MANY),
    ROW("length-16777217", EXHAUSTIVE, " add_ copy_ fill_ ", HALF, DIMENSIONS(1, 16777217), CONTIGUOUS,
        CONTIGUOUS, "size_limits", .read = DIMENSIONS(1, 16777217)),
};

static void build_shape(struct builder *b)
{
    const struct row *row = b->c->row;
    const struct writes *w = writes_find(b->c->op->name);
    struct view operand[WRITES_OPERANDS];
    for (int k = 0; k < w->operands; k++) {
        bool read = k != w->written && (row->reads == READ_ALL || w->role[k] == ROLE_DIVISOR);
        operand[k] = writes_operand(b, w, k, read ? &row->read : &row->written,
                                    read              ? row->read_layout
                                    : k == w->written ? row->written_layout
                                                      : LAYOUT_CONTIGUOUS,
                                    row->data);
    }
    writes_step(b, w, w->operands, operand, NULL, row->data == DATA_INTEGERS);
}

static void declare(struct suite_list *list)
{
    for (int w = 0; w < writes_count(); w++) {
        const struct op *op = op_find(writes[w].name);
        for (int d = 0; op && d < DTYPE_COUNT; d++) {
            for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
                bool asked = !rows[r].operators || writes_listed(rows[r].operators, op->name);
                if (asked && ((rows[r].dtypes & writes[w].dtypes) >> d & 1)) {
                    suite_declare(list, &(struct suite_case){.op = op,
                                                             .dtype = (enum dtype)d,
                                                             .name = rows[r].name,
                                                             .level = rows[r].level,
                                                             .covers = rows[r].covers,
                                                             .file = __FILE__,
                                                             .line = rows[r].line,
                                                             .build = build_shape,
                                                             .row = &rows[r]});
                }
            }
        }
    }
}

const struct suite suite_inplace_shapes = {.declare = declare};
