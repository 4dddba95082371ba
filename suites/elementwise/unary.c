/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Functions of one number: special values, every 16-bit pattern, all exponents, where something happens,
 * layouts. */

#include "suites/shared/unary.h"
#include "suites/shared/data.h"
#include "suites/shared/rows.h"

#include <math.h>

enum {
    HALVES = 1 << DTYPE_FLOAT16 | 1 << DTYPE_BFLOAT16,
    REALS = HALVES | 1 << DTYPE_FLOAT32 | 1 << DTYPE_FLOAT64
};

struct row {
    struct suite_row row;
    enum layout layout;
    bool five; /* dimensions, not two */
};

static const struct unary *unary_of(const struct builder *b)
{
    return unary_named(b->c->op->name);
}

/* Each special value as often in a row as the parameter says: seven times, it comes wherever in a vector of
 * eight, and not so often that a test of means takes repetitions for independent errors. */
static void build_specials(struct builder *b)
{
    uint64_t bits[SPECIALS_MAX];
    int run = (int)b->c->parameter, count = special_bits(b->c->dtype, bits);
    struct view x = build_vector(b, b->c->dtype, count * run);
    for (int i = 0; i < count * run; i++) {
        build_set_bits(b, &x, i, 0, bits[i / run]);
    }
    build_unary(b, b->c->op, &x);
}

static void build_all_patterns(struct builder *b)
{
    data_patterns(b, 0, 65536);
}

/* Evenly over all exponents, of both signs where the function takes them. */
static void build_exponents(struct builder *b)
{
    int64_t length = b->c->dtype == DTYPE_FLOAT64 ? 4096 : 2048;
    struct view x = build_vector(b, b->c->dtype, length);
    struct philox generator = build_generator(b, 0);
    uint64_t sign = unary_of(b)->positive ? format_of(b->c->dtype).sign : 0;
    for (int64_t i = 0; i < length; i++) {
        build_set_bits(b, &x, i, 0, data_any_exponent(&generator, b->c->dtype, i) & ~sign);
    }
    build_unary(b, b->c->op, &x);
}

/* Evenly over the interval where results are ordinary, with full significands. */
static void build_ordinary(struct builder *b)
{
    const struct unary *u = unary_of(b);
    struct view x = build_vector(b, b->c->dtype, b->c->parameter);
    struct philox generator = build_generator(b, 0);
    for (int64_t i = 0; i < b->c->parameter; i++) {
        double at = u->least + (u->most - u->least) * philox_unit(&generator);
        build_set(b, &x, i, dtype_is_floating(b->c->dtype) ? at : round(at));
    }
    build_origin(b, &x, true);
    build_unary(b, b->c->op, &x);
}

/* The parameter's bits decide the exponent's range about 1, or about 0: 1 ± 2^-k, ± 2^-k. */
static void build_near(struct builder *b)
{
    int precision = dtype_info(b->c->dtype)->precision;
    double about = (double)b->c->parameter;
    struct view x = build_vector(b, b->c->dtype, 64 * precision);
    struct philox generator = build_generator(b, 0);
    for (int64_t i = 0; i < 64 * precision; i++) {
        double away = ldexp(1 + philox_unit(&generator), -1 - (int)(i / 64));
        build_set(b, &x, i, about + (i % 2 && !(about == 0 && unary_of(b)->positive) ? -away : away));
    }
    build_unary(b, b->c->op, &x);
}

/* Each turn and its powers of two, and four neighbours on either side. */
static void build_turns(struct builder *b)
{
    enum { NEAR = 4, TURNS = sizeof((struct unary *)NULL)->turn / sizeof(double) };
    const struct unary *u = unary_of(b);
    struct view x = build_vector(b, b->c->dtype, TURNS * (2 * NEAR + 1));
    for (int64_t i = 0; i < TURNS * (2 * NEAR + 1); i++) {
        unsigned char bytes[8] = {0};
        double turn = u->turn[i / (2 * NEAR + 1)];
        dtype_store(b->c->dtype, bytes, turn == 0 ? 1 : turn);
        build_set_bits(b, &x, i, 0, dtype_bits(b->c->dtype, bytes) + (uint64_t)(i % (2 * NEAR + 1)) - NEAR);
    }
    build_unary(b, b->c->op, &x);
}

static void build_layout(struct builder *b)
{
    const struct row *row = b->c->row;
    struct shape shape = row->five ? shape_of(5, (int64_t)2, (int64_t)3, (int64_t)2, (int64_t)5, (int64_t)3)
                                   : shape_of(2, (int64_t)32, (int64_t)16);
    struct view x = build_tensor(b, b->c->dtype, &shape, row->layout);
    unary_fill(b, unary_of(b), &x);
    build_unary(b, b->c->op, &x);
}

#define LAID "layout_grid poison"

static const struct row rows[] = {
    {SUITE_ROW("specials", SMOKE, "special_values", .build = build_specials, .parameter = 1)},
    {SUITE_ROW("ordinary", SMOKE, "signed_bias", .build = build_ordinary, .parameter = 1024)},
    {SUITE_ROW("turns", SMOKE, "exponents", .build = build_turns, .dtypes = REALS)},
    {SUITE_ROW("transposed", SMOKE, LAID, .build = build_layout), .layout = LAYOUT_TRANSPOSED},
    {SUITE_ROW("specials-in-runs", STANDARD, "special_values position_invariance", .build = build_specials,
               .parameter = 7)},
    {SUITE_ROW("exponents", STANDARD, "exponents signed_bias", .build = build_exponents)},
    {SUITE_ROW("all-patterns", STANDARD, "all_patterns special_values", .build = build_all_patterns,
               .dtypes = HALVES)},
    {SUITE_ROW("ordinary-65536", STANDARD, "signed_bias", .build = build_ordinary,
               .dtypes = 1 << DTYPE_FLOAT32, .parameter = 65536)},
    {SUITE_ROW("near-0", STANDARD, "exponents", .build = build_near, .dtypes = REALS, .parameter = 0)},
    {SUITE_ROW("near-1", STANDARD, "exponents", .build = build_near, .dtypes = REALS, .parameter = 1)},
    {SUITE_ROW("stepped3", STANDARD, LAID, .build = build_layout), .layout = LAYOUT_STEPPED3},
    {SUITE_ROW("far", STANDARD, LAID, .build = build_layout), .layout = LAYOUT_FAR},
    {SUITE_ROW("expanded", STANDARD, "expanded", .build = build_layout), .layout = LAYOUT_EXPANDED},
    {SUITE_ROW("expanded-rows", STANDARD, "expanded", .build = build_layout), .layout = LAYOUT_EXPANDED_ROWS},
    {SUITE_ROW("rank-5-reversed", STANDARD, LAID, .build = build_layout), .five = true,
     .layout = LAYOUT_REVERSED},
    {SUITE_ROW("rank-5-permuted", STANDARD, LAID, .build = build_layout), .five = true,
     .layout = LAYOUT_PERMUTED},
    {SUITE_ROW("rank-5-heads", STANDARD, LAID, .build = build_layout), .five = true, .layout = LAYOUT_HEADS},
    {SUITE_ROW("offset1", STANDARD, LAID, .build = build_layout), .layout = LAYOUT_OFFSET1},
};

static void declare(struct suite_list *list)
{
    for (int k = 0; k < unary_count(); k++) {
        suite_declare_rows(list, &(struct suite_table){SUITE_ROWS(rows), .ops = {unary_at(k)->name}});
    }
}

const struct suite suite_elementwise_unary = {.declare = declare};
