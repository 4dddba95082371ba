/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* add_, mul_ on shared storages and in sequence: self-aliases, disjoint views of one storage, programs of
 * several steps. All data are small integers, so that every link but the last is exact in float16. */

#include "suites/shared/update.h"

#include <string.h>

struct row {
    const char *name;
    enum level level;
    unsigned dtypes;
    enum { FOR_BOTH, FOR_ADD, FOR_MUL } ops;
    void (*build)(struct builder *b);
    enum layout layout;
    const char *covers;
    int line;
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

/* An operand that keeps long chains exact: integers up to 9 to add, ±1 to multiply by. */
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

/* The first row broadcast into all others. */
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

/* sgn before and after the update that turns signs: a result kept from the first time shows. */
static void sgn_around(struct builder *b)
{
    struct shape shape = shape_of(1, (int64_t)130);
    struct view self = update_operand(b, &shape, 1, 0);
    struct view other = build_tensor(b, b->c->dtype, &shape, LAYOUT_CONTIGUOUS);
    for (int i = 0; i < 130; i++) { /* |other| > |self|, or a factor −1: the sign becomes other's, or turns */
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

/* Some rows through one operator, then the whole storage, transposed, through the other. */
static void two_views(struct builder *b)
{
    struct view base = matrix(b, 9, 12, 0, 0), rows = view_window(&base, 2, 4, 1),
                turned = view_transposed(&base);
    struct view first = matrix(b, 4, 12, 1, 1), second = matrix(b, 12, 9, 1, 2);
    update_exactly(b, b->c->op, &rows, &first);
    update_exactly(b, other_op(b), &turned, &second);
}

/* Two independent updates in both orders, on equal data: equal bits. */
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

/* The same shape under one alpha after another: an argument kept from the last time shows. */
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

/* The same update on a contiguous tensor, a transposed one and a slice: equal bits. */
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

/* An update that stays exact, then the determinant of what it left on the device. Integers, diagonally
 * dominant, so that the sign is certain: 40·I + small after add_, 2·(…) after mul_. */
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

#define CASE(name_, level_, dtypes_, ops_, build_, layout_, covers_)                                         \
    {                                                                                                        \
        name_, LEVEL_##level_, dtypes_, ops_, build_, LAYOUT_##layout_, covers_, __LINE__                    \
    }
#define ALIAS "allow_self_alias allow_non_contiguous"

enum {
    FLOAT32 = 1 << DTYPE_FLOAT32,
    ALL = 1 << DTYPE_FLOAT16 | FLOAT32 | 1 << DTYPE_FLOAT64 | 1 << DTYPE_INT32
};

static const struct row rows[] = {
    CASE("self-alias", SMOKE, ALL, FOR_BOTH, self_alias, CONTIGUOUS, ALIAS),
    CASE("self-alias-transposed", STANDARD, ALL, FOR_BOTH, self_alias, TRANSPOSED, ALIAS),
    CASE("self-alias-block", STANDARD, ALL, FOR_BOTH, self_alias, TRANSPOSED_BLOCK, ALIAS " gaps_untouched"),
    CASE("self-alias-stepped2", STANDARD, ALL, FOR_BOTH, self_alias, STEPPED2, ALIAS " gaps_untouched"),
    CASE("interleaved", SMOKE, ALL, FOR_BOTH, interleaved, CONTIGUOUS, ALIAS),
    CASE("interleaved-offset", STANDARD, ALL, FOR_BOTH, interleaved, OFFSET3, ALIAS),
    CASE("halves", STANDARD, ALL, FOR_BOTH, halves, CONTIGUOUS, ALIAS),
    CASE("own-columns", STANDARD, ALL, FOR_BOTH, own_columns, CONTIGUOUS, ALIAS),
    CASE("own-row", STANDARD, ALL, FOR_BOTH, own_row, CONTIGUOUS, ALIAS),
    CASE("chain-then-sgn", SMOKE, ALL, FOR_BOTH, then_sgn, CONTIGUOUS, "order"),
    CASE("chain-then-sgn-columns", STANDARD, ALL, FOR_BOTH, then_sgn, COLUMNS, "order gaps_untouched"),
    CASE("chain-then-sgn-transposed", STANDARD, ALL, FOR_BOTH, then_sgn, TRANSPOSED,
         "order allow_non_contiguous"),
    CASE("chain-sgn-around", SMOKE, ALL, FOR_BOTH, sgn_around, CONTIGUOUS, "order repeats"),
    CASE("chain-ten-times", SMOKE, ALL, FOR_BOTH, ten_times, CONTIGUOUS, "order repeats"),
    CASE("chain-ping-pong", STANDARD, ALL, FOR_BOTH, ping_pong, CONTIGUOUS, "order"),
    CASE("chain-two-views", SMOKE, ALL, FOR_BOTH, two_views, CONTIGUOUS, "order allow_non_contiguous"),
    CASE("chain-two-views-columns", STANDARD, ALL, FOR_BOTH, two_views, COLUMNS, "order gaps_untouched"),
    CASE("chain-ab-ba", SMOKE, ALL, FOR_BOTH, orders, CONTIGUOUS, "order"),
    CASE("chain-same-shape", SMOKE, ALL, FOR_BOTH, same_shape, CONTIGUOUS, "order repeats"),
    CASE("chain-shapes", STANDARD, ALL, FOR_BOTH, shapes, CONTIGUOUS, "order"),
    CASE("chain-shapes-columns", STANDARD, ALL, FOR_BOTH, shapes, COLUMNS, "order gaps_untouched"),
    CASE("chain-dtypes", STANDARD, ALL, FOR_BOTH, dtypes, CONTIGUOUS, "order"),
    CASE("chain-alphas", SMOKE, ALL, FOR_ADD, alphas, CONTIGUOUS, "order flags"),
    CASE("chain-layouts-agree", STANDARD, ALL, FOR_BOTH, layouts_agree, CONTIGUOUS,
         "layout_grid position_invariance"),
    CASE("chain-then-logdet", SMOKE, FLOAT32, FOR_BOTH, then_determinant, CONTIGUOUS, "order scaled"),
};

static void declare(struct suite_list *list)
{
    const struct op *ops[] = {op_find("add_"), op_find("mul_")};
    for (int o = 0; o < 2; o++) {
        for (int d = 0; ops[o] && d < DTYPE_COUNT; d++) {
            for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
                const struct row *row = &rows[r];
                if ((row->dtypes >> d & 1) && row->ops != (o == 0 ? FOR_MUL : FOR_ADD)) {
                    suite_declare(list, &(struct suite_case){.op = ops[o],
                                                             .dtype = (enum dtype)d,
                                                             .name = row->name,
                                                             .level = row->level,
                                                             .covers = row->covers,
                                                             .file = __FILE__,
                                                             .line = row->line,
                                                             .build = row->build,
                                                             .row = row});
                }
            }
        }
    }
}

const struct suite suite_inplace_chains = {.declare = declare};
