/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* sgn and sign in programs of several steps: anything cached from one step must not affect another. */

#include "suites/shared/data.h"
#include "suites/shared/rows.h"

enum {
    REALS = 1 << DTYPE_FLOAT16 | 1 << DTYPE_BFLOAT16 | 1 << DTYPE_FLOAT32 | 1 << DTYPE_FLOAT64,
    INT32 = 1 << DTYPE_INT32,
    COMPLEX = 1 << DTYPE_COMPLEX64,
    ALL = REALS | INT32 | COMPLEX
};

struct row {
    struct suite_row row;
};

static struct view coded_vector(struct builder *b, enum dtype dtype, int64_t length, int tensor)
{
    struct view x = build_vector(b, dtype, length);
    data_fill_sign_coded(b, &x, tensor);
    return x;
}

/* The same shape again with other data: a result kept from the last time shows. */
static void build_again(struct builder *b)
{
    for (int k = 0; k < 4; k++) {
        struct view x = coded_vector(b, b->c->dtype, 97, k);
        build_unary(b, b->c->op, &x);
    }
}

static void build_shapes(struct builder *b)
{
    static const int64_t lengths[] = {300, 7, 1, 301, 64, 300, 0, 65};
    for (int k = 0; k < 8; k++) {
        struct view x = coded_vector(b, b->c->dtype, lengths[k], k);
        build_unary(b, b->c->op, &x);
    }
}

/* The case's dtype between all others, same shape: a pipeline or argument block kept under too small a key.
 */
static void build_dtypes(struct builder *b)
{
    static const enum dtype others[] = {DTYPE_FLOAT16, DTYPE_INT32, DTYPE_FLOAT32, DTYPE_BFLOAT16};
    for (int k = 0; k < 9; k++) {
        struct view x = coded_vector(b, k % 2 == 0 ? b->c->dtype : others[k / 2], 70, k);
        build_unary(b, b->c->op, &x);
    }
}

/* A, B, B, A: neither order nor company may change a bit. */
static void build_orders(struct builder *b)
{
    struct view p = coded_vector(b, b->c->dtype, 129, 0), q = coded_vector(b, b->c->dtype, 61, 1);
    struct view pq = build_unary(b, b->c->op, &p), qp = build_unary(b, b->c->op, &q);
    struct view qq = build_unary(b, b->c->op, &q), pp = build_unary(b, b->c->op, &p);
    build_relate(b, &pq, &pp, "A then B gives the bits of B then A");
    build_relate(b, &qp, &qq, "A then B gives the bits of B then A");
}

/* sgn(sgn(x)) has the bits of sgn(x). */
static void build_twice(struct builder *b)
{
    struct view x = coded_vector(b, b->c->dtype, 257, 0);
    struct view y = build_unary(b, b->c->op, &x), z = build_unary(b, b->c->op, &y);
    build_relate(b, &y, &z, "sgn(sgn(x)) has the bits of sgn(x)");
}

static const struct row rows[] = {
    {SUITE_ROW("chain-same-shape", SMOKE, "order repeats", .build = build_again)},
    {SUITE_ROW("chain-shapes", STANDARD, "order", .build = build_shapes)},
    {SUITE_ROW("chain-dtypes", STANDARD, "order", .build = build_dtypes, .dtypes = ALL & ~COMPLEX)},
    {SUITE_ROW("chain-ab-ba", SMOKE, "order repeats", .build = build_orders)},
    {SUITE_ROW("chain-twice", STANDARD, "order", .build = build_twice, .dtypes = REALS | INT32)},
};

static void declare(struct suite_list *list)
{
    suite_declare_rows(list, &(struct suite_table){SUITE_ROWS(rows), .ops = {"sgn", "sign"}, .dtypes = ALL});
}

const struct suite suite_elementwise_sgn_chains = {.declare = declare};
