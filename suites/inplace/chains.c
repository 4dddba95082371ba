/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* add_ and mul_ on shared storages and in sequences: an operand that is its own operand, disjoint views of
 * one storage, programs of several steps. All data are small integers, so that every step but the last is
 * exact in float16. */

#include "suites/shared/rows.h"
#include "suites/shared/update.h"

#include <string.h>

struct row {
    struct suite_row row;
    enum layout layout;
};

static bool is_add(const struct builder *b)
{
    return strcmp(b->c->op->name, "add_") == 0;
}

static const struct op *other_op(const struct builder *b)
{
    return op_find(is_add(b) ? "mul_" : "add_");
}

static struct view matrix(struct builder *b, int64_t rows, int64_t columns, int role, int tensor)
{
    struct shape shape = shape_of(2, rows, columns);
    struct view view = build_tensor(b, b->c->dtype, &shape, ((const struct row *)b->c->row)->layout);
    update_fill(b, &view, DATA_INTEGERS, role, tensor);
    return view;
}

/* An operand with which long chains stay exact: integers up to 9 to add, ±1 to multiply by. */
static struct view link_operand(struct builder *b, const struct shape *shape, int tensor)
{
    struct view view = build_tensor(b, b->c->dtype, shape, LAYOUT_CONTIGUOUS);
    struct philox generator = build_generator(b, tensor);
    for (int64_t i = 0; i < shape_elements(shape); i++) {
        int32_t x = data_integer(&generator, 9);
        build_set(b, &view, i, is_add(b) ? x : x < 0 ? -1 : 1);
    }
    return view;
}

/* --- one storage, two views */

static void self_alias(struct builder *b)
{
    struct view x = matrix(b, 13, 21, 0, 0);
    update_exactly(b, b->c->op, &x, &x);
}

static void interleaved(struct builder *b)
{
    struct view x = matrix(b, 1, 202, 0, 0), line = view_at(&x, 0);
    struct view even = view_window(&line, 0, 101, 2), odd = view_window(&line, 1, 101, 2);
    update_exactly(b, b->c->op, &even, &odd);
}

static void halves(struct builder *b)
{
    struct view x = matrix(b, 1, 202, 0, 0), line = view_at(&x, 0);
    struct view head = view_window(&line, 0, 101, 1), tail = view_window(&line, 101, 101, 1);
    update_exactly(b, b->c->op, &tail, &head);
}

static void own_columns(struct builder *b)
{
    struct view x = matrix(b, 19, 10, 0, 0), left = x, right = x;
    left.shape.dim[1] = right.shape.dim[1] = 5;
    right.offset += 5 * x.stride[1];
    update_exactly(b, b->c->op, &left, &right);
}

/* Adds (multiplies) the first row to all other rows. */
static void own_row(struct builder *b)
{
    struct view x = matrix(b, 9, 14, 0, 0), first = view_at(&x, 0), rest = view_window(&x, 1, 8, 1);
    update_exactly(b, b->c->op, &rest, &first);
}

/* --- sequences */

static void then_sgn(struct builder *b)
{
    struct view self = matrix(b, 17, 23, 0, 0), other = matrix(b, 17, 23, 1, 1);
    update_exactly(b, b->c->op, &self, &other);
    build_unary(b, op_find("sgn"), &self);
}

/* sgn before and after an update that changes signs: a cached result of the first call shows. */
static void sgn_around(struct builder *b)
{
    struct shape shape = shape_of(1, (int64_t)130);
    struct view self = update_operand(b, &shape, 1, 0);
    struct view other = build_tensor(b, b->c->dtype, &shape, LAYOUT_CONTIGUOUS);
    /* |other| > |self|, or a factor −1: the sign changes to that of other, or flips */
    for (int i = 0; i < 130; i++) {
        build_set(b, &other, i, is_add(b) ? (i % 3 == 0 ? 50 : -50) : -1);
    }
    build_unary(b, op_find("sgn"), &self);
    update_exactly(b, b->c->op, &self, &other);
    build_unary(b, op_find("sgn"), &self);
}

static void ten_times(struct builder *b)
{
    struct shape shape = shape_of(1, (int64_t)200);
    struct view self = update_operand(b, &shape, 0, 0), other = link_operand(b, &shape, 1);
    for (int k = 0; k < 10; k++) {
        update_exactly(b, b->c->op, &self, &other);
    }
}

/* y ← y·x, x ← x·y, …: each step reads what the one before wrote. */
static void ping_pong(struct builder *b)
{
    struct shape shape = shape_of(1, (int64_t)300);
    struct view x = link_operand(b, &shape, 0), y = link_operand(b, &shape, 1);
    for (int k = 0; k < 3; k++) {
        update_exactly(b, b->c->op, &y, &x);
        update_exactly(b, b->c->op, &x, &y);
    }
}

/* Updates some rows by one operator, then the whole storage, transposed, by the other. */
static void two_views(struct builder *b)
{
    struct view base = matrix(b, 9, 12, 0, 0), rows = view_window(&base, 2, 4, 1),
                turned = view_transposed(&base);
    struct view first = matrix(b, 4, 12, 1, 1), second = matrix(b, 12, 9, 1, 2);
    update_exactly(b, b->c->op, &rows, &first);
    update_exactly(b, other_op(b), &turned, &second);
}

/* Two independent updates in both orders, on equal data: the bits must be equal. */
static void orders(struct builder *b)
{
    struct shape shape = shape_of(1, (int64_t)97);
    struct view p = update_operand(b, &shape, 1, 2), q = update_operand(b, &shape, 1, 3);
    struct view x[2], y[2];
    for (int k = 0; k < 2; k++) {
        x[k] = update_operand(b, &shape, 0, 0);
        y[k] = update_operand(b, &shape, 0, 1);
    }
    update_exactly(b, b->c->op, &x[0], &p);
    update_exactly(b, other_op(b), &y[0], &q);
    update_exactly(b, other_op(b), &y[1], &q);
    update_exactly(b, b->c->op, &x[1], &p);
    build_relate(b, &x[0], &x[1], "A then B gives the bits of B then A");
    build_relate(b, &y[0], &y[1], "A then B gives the bits of B then A");
}

static void same_shape(struct builder *b)
{
    struct shape shape = shape_of(1, (int64_t)75);
    for (int k = 0; k < 4; k++) {
        struct view self = update_operand(b, &shape, 0, 2 * k),
                    other = update_operand(b, &shape, 1, 2 * k + 1);
        update_exactly(b, b->c->op, &self, &other);
    }
}

static void shapes(struct builder *b)
{
    static const int64_t sizes[][2] = {{3, 50}, {50, 3}, {1, 1}, {0, 4}, {7, 43}, {3, 50}, {2, 33}};
    for (int k = 0; k < 7; k++) {
        struct view self = matrix(b, sizes[k][0], sizes[k][1], 0, 2 * k);
        struct shape row = shape_of(1, sizes[k][1]);
        struct view other =
            k % 2 ? update_operand(b, &row, 1, 2 * k + 1) : matrix(b, sizes[k][0], sizes[k][1], 1, 2 * k + 1);
        update_exactly(b, b->c->op, &self, &other);
    }
}

static void dtypes(struct builder *b)
{
    static const enum dtype sequence[] = {DTYPE_FLOAT32, DTYPE_FLOAT16, DTYPE_INT32};
    struct shape shape = shape_of(1, (int64_t)66);
    for (int k = 0; k < 8; k++) {
        enum dtype dtype = k % 2 == 0 ? b->c->dtype : sequence[k / 2 % 3];
        struct view self = build_tensor(b, dtype, &shape, LAYOUT_CONTIGUOUS);
        struct view other = build_tensor(b, dtype, &shape, LAYOUT_CONTIGUOUS);
        update_fill(b, &self, DATA_INTEGERS, 0, 2 * k);
        update_fill(b, &other, DATA_INTEGERS, 1, 2 * k + 1);
        update_exactly(b, b->c->op, &self, &other);
    }
}

/* The same shape with several values of alpha: an argument cached from the last call shows. */
static void alphas(struct builder *b)
{
    static const double values[] = {1, 2, -1, 3, 0, 2};
    struct shape shape = shape_of(1, (int64_t)75);
    for (int k = 0; k < 6; k++) {
        struct view self = update_operand(b, &shape, 0, 2 * k),
                    other = update_operand(b, &shape, 1, 2 * k + 1);
        struct attributes alpha = update_alpha(b->c->dtype, true, values[k]);
        struct step *step = update(b, b->c->op, &self, &other, &alpha);
        if (step) {
            step->exact = true;
        }
    }
}

/* The same update on a contiguous, a transposed and a sliced tensor: the bits must be equal. */
static void layouts_agree(struct builder *b)
{
    static const enum layout layouts[] = {LAYOUT_CONTIGUOUS, LAYOUT_TRANSPOSED, LAYOUT_COLUMNS,
                                          LAYOUT_STEPPED3};
    struct shape shape = shape_of(2, (int64_t)15, (int64_t)18);
    struct view other = build_tensor(b, b->c->dtype, &shape, LAYOUT_CONTIGUOUS), first = other;
    update_fill(b, &other, DATA_RANDOM, 1, 1);
    for (int k = 0; k < 4; k++) {
        struct view self = build_tensor(b, b->c->dtype, &shape, layouts[k]);
        update_fill(b, &self, DATA_RANDOM, 0, 0);
        update(b, b->c->op, &self, &other, NULL);
        first = k == 0 ? self : first;
        build_relate(b, &first, &self, "a layout of self does not change a bit");
    }
}

/* An exact update, then the determinant of its result on the device. The matrix is an integer matrix with
 * dominant diagonal, so that the sign is certain: 40·I + small after add_, 2·(…) after mul_. */
static void then_determinant(struct builder *b)
{
    const int64_t n = 6;
    struct shape shape = shape_of(2, n, n), scalar = {.rank = 0};
    struct view self = update_operand(b, &shape, 1, 0);
    struct view other = build_tensor(b, b->c->dtype, is_add(b) ? &shape : &scalar, LAYOUT_CONTIGUOUS);
    for (int64_t i = 0; i < n; i++) {
        if (is_add(b)) {
            build_set(b, &other, i * n + i, 60 + (double)i);
        } else {
            build_set(b, &self, i * n + i, 60 + (double)i);
        }
    }
    if (!is_add(b)) {
        build_set(b, &other, 0, 2);
    }
    update_exactly(b, b->c->op, &self, &other);
    build_step(b, op_find("logdet"), NULL, 1, &self);
    build_step(b, op_find("slogdet"), NULL, 1, &self);
}

enum {
    ADD = 1, /* add_ only */
    FLOAT32 = 1 << DTYPE_FLOAT32,
    ALL = 1 << DTYPE_FLOAT16 | FLOAT32 | 1 << DTYPE_FLOAT64 | 1 << DTYPE_INT32
};

#define ALIAS "allow_self_alias allow_non_contiguous"

static const struct row rows[] = {
    {SUITE_ROW("self-alias", SMOKE, ALIAS, .build = self_alias)},
    {SUITE_ROW("self-alias-transposed", STANDARD, ALIAS, .build = self_alias), .layout = LAYOUT_TRANSPOSED},
    {SUITE_ROW("self-alias-block", STANDARD, ALIAS " gaps_untouched", .build = self_alias),
     .layout = LAYOUT_TRANSPOSED_BLOCK},
    {SUITE_ROW("self-alias-stepped2", STANDARD, ALIAS " gaps_untouched", .build = self_alias),
     .layout = LAYOUT_STEPPED2},
    {SUITE_ROW("interleaved", SMOKE, ALIAS, .build = interleaved)},
    {SUITE_ROW("interleaved-offset", STANDARD, ALIAS, .build = interleaved), .layout = LAYOUT_OFFSET3},
    {SUITE_ROW("halves", STANDARD, ALIAS, .build = halves)},
    {SUITE_ROW("own-columns", STANDARD, ALIAS, .build = own_columns)},
    {SUITE_ROW("own-row", STANDARD, ALIAS, .build = own_row)},
    {SUITE_ROW("chain-then-sgn", SMOKE, "order", .build = then_sgn)},
    {SUITE_ROW("chain-then-sgn-columns", STANDARD, "order gaps_untouched", .build = then_sgn),
     .layout = LAYOUT_COLUMNS},
    {SUITE_ROW("chain-then-sgn-transposed", STANDARD, "order allow_non_contiguous", .build = then_sgn),
     .layout = LAYOUT_TRANSPOSED},
    {SUITE_ROW("chain-sgn-around", SMOKE, "order repeats", .build = sgn_around)},
    {SUITE_ROW("chain-ten-times", SMOKE, "order repeats", .build = ten_times)},
    {SUITE_ROW("chain-ping-pong", STANDARD, "order", .build = ping_pong)},
    {SUITE_ROW("chain-two-views", SMOKE, "order allow_non_contiguous", .build = two_views)},
    {SUITE_ROW("chain-two-views-columns", STANDARD, "order gaps_untouched", .build = two_views),
     .layout = LAYOUT_COLUMNS},
    {SUITE_ROW("chain-ab-ba", SMOKE, "order", .build = orders)},
    {SUITE_ROW("chain-same-shape", SMOKE, "order repeats", .build = same_shape)},
    {SUITE_ROW("chain-shapes", STANDARD, "order", .build = shapes)},
    {SUITE_ROW("chain-shapes-columns", STANDARD, "order gaps_untouched", .build = shapes),
     .layout = LAYOUT_COLUMNS},
    {SUITE_ROW("chain-dtypes", STANDARD, "order", .build = dtypes)},
    {SUITE_ROW("chain-alphas", SMOKE, "order flags", .build = alphas, .ops = ADD)},
    {SUITE_ROW("chain-layouts-agree", STANDARD, "layout_grid position_invariance", .build = layouts_agree)},
    {SUITE_ROW("chain-then-logdet", SMOKE, "order scaled", .build = then_determinant, .dtypes = FLOAT32)},
};

static void declare(struct suite_list *list)
{
    suite_declare_rows(list, &(struct suite_table){SUITE_ROWS(rows), .ops = {"add_", "mul_"}, .dtypes = ALL});
}

const struct suite suite_inplace_chains = {.declare = declare};
