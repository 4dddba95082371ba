/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Operators that write into an operand, at special shapes: five dimensions with strides, matrices of several
 * tiles with their transposes, a random divisor without dimensions, more elements than 65,535 workgroups of
 * 64 process. */

#include "suites/inplace/operands.h"
#include "suites/shared/rows.h"

enum {
    HALF = 1 << DTYPE_FLOAT16,
    SINGLE = 1 << DTYPE_FLOAT32,
    FLOATS = HALF | 1 << DTYPE_BFLOAT16 | SINGLE | 1 << DTYPE_FLOAT64,
    SOME = HALF | SINGLE | 1 << DTYPE_INT32
};

struct row {
    struct suite_row row;
    unsigned cases;                        /* for operators with any of these bits (operands.h); 0: for all */
    struct shape written, read;            /* rank and dimensions */
    enum { READ_ALL, READ_DIVISOR } reads; /* which operands have the shape `read` */
    enum layout written_layout, read_layout;
    enum data data;
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

/* The read operands have the shape of the written one. */
#define ALIKE(rank_, ...) .written = {rank_, {__VA_ARGS__}}, .read = {rank_, {__VA_ARGS__}}
#define SAME              "layout_grid poison allow_non_contiguous"

static const struct row rows[] = {
    {SUITE_ROW("rank-5-reversed-permuted", STANDARD, SAME, .dtypes = SOME), ALIKE(5, 2, 3, 2, 5, 3),
     .written_layout = LAYOUT_REVERSED, .read_layout = LAYOUT_PERMUTED},
    {SUITE_ROW("rank-5-heads-reversed", STANDARD, SAME, .dtypes = SOME), ALIKE(5, 2, 3, 2, 5, 3),
     .written_layout = LAYOUT_HEADS, .read_layout = LAYOUT_REVERSED},
    {SUITE_ROW("rank-5-block-transposed", STANDARD, SAME " gaps_untouched", .dtypes = SINGLE),
     ALIKE(5, 2, 3, 2, 5, 3), .written_layout = LAYOUT_BLOCK, .read_layout = LAYOUT_TRANSPOSED},
    {SUITE_ROW("tiles-from-transposed", STANDARD, SAME, .dtypes = HALF | SINGLE), .cases = WRITES_TILES,
     ALIKE(2, 257, 130), .read_layout = LAYOUT_TRANSPOSED},
    {SUITE_ROW("tiles-to-transposed", STANDARD, SAME, .dtypes = HALF | SINGLE), .cases = WRITES_TILES,
     ALIKE(2, 257, 130), .written_layout = LAYOUT_TRANSPOSED},
    {SUITE_ROW("tiles-of-ones-from-transposed", STANDARD, SAME, .dtypes = SINGLE), .cases = WRITES_TILES,
     ALIKE(4, 70, 65, 1, 1), .read_layout = LAYOUT_REVERSED},
    {SUITE_ROW("tiles-of-ones-to-transposed", STANDARD, SAME, .dtypes = SINGLE), .cases = WRITES_TILES,
     ALIKE(4, 70, 65, 1, 1), .written_layout = LAYOUT_REVERSED},
    {SUITE_ROW("weight-from-one", STANDARD, "layout_grid broadcast_operands", .dtypes = SINGLE),
     .cases = WRITES_FROM_ONE, .written = {4, {32, 256, 1, 1}}, .read = {2, {1, 1}}},
    {SUITE_ROW("weight-transposed-from-one", STANDARD, "layout_grid broadcast_operands", .dtypes = SINGLE),
     .cases = WRITES_FROM_ONE, .written = {4, {32, 256, 1, 1}}, .read = {2, {1, 1}},
     .written_layout = LAYOUT_REVERSED, .read_layout = LAYOUT_OFFSET1},
    {SUITE_ROW("random-by-scalar", STANDARD, "broadcast_operands signed_bias", .dtypes = FLOATS),
     .cases = WRITES_DIVIDE, .written = {1, {1031}}, .read = {.rank = 0}, .reads = READ_DIVISOR,
     .data = DATA_RANDOM},
    {SUITE_ROW("random-by-scalar-transposed", STANDARD, "broadcast_operands signed_bias", .dtypes = FLOATS),
     .cases = WRITES_DIVIDE, .written = {2, {41, 29}}, .read = {.rank = 0},
     .written_layout = LAYOUT_TRANSPOSED_BLOCK, .read_layout = LAYOUT_OFFSET3, .reads = READ_DIVISOR,
     .data = DATA_RANDOM},
    {SUITE_ROW("length-4194305", STANDARD, "size_limits", .dtypes = HALF), .cases = WRITES_LONG,
     ALIKE(1, 4194305)},
    {SUITE_ROW("length-4194305", EXHAUSTIVE, "size_limits", .dtypes = HALF), .cases = WRITES_LONG_MORE,
     ALIKE(1, 4194305)},
    {SUITE_ROW("length-16777217", EXHAUSTIVE, "size_limits", .dtypes = HALF), .cases = WRITES_LONGEST,
     ALIKE(1, 16777217)},
};

static bool asks(const void *row, const struct op *op, enum dtype dtype)
{
    const struct writes *w = writes_find(op->name);
    const unsigned cases = ((const struct row *)row)->cases;
    return (w->dtypes >> dtype & 1) && (!cases || (w->cases & cases));
}

static void declare(struct suite_list *list)
{
    for (int w = 0; w < writes_count(); w++) {
        suite_declare_rows(list, &(struct suite_table){SUITE_ROWS(rows), .ops = {writes[w].name},
                                                       .build = build_shape, .asks = asks});
    }
}

const struct suite suite_inplace_shapes = {.declare = declare};
