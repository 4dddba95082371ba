/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Functions of one number: special values, every 16-bit pattern, all exponents, breakpoints, layouts. */

#include "suites/shared/functions.h"
#include "suites/shared/angles.h"
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
    bool five;     /* dimensions, not two */
    unsigned only; /* for functions with any of these `cases`; 0: for all */
};

static const struct function *function_of(const struct builder *b)
{
    return function_named(b->c->op->name);
}

static const struct domain *domain_of(const struct builder *b)
{
    return &function_of(b)->domain[0];
}

static void build_call(struct builder *b, struct view *x)
{
    static const struct attributes none = {.count = 0};
    build_step(b, b->c->op, b->c->subject ? b->c->subject : &none, 1, x);
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
    build_call(b, &x);
}

static void build_all_patterns(struct builder *b)
{
    struct view x = build_vector(b, b->c->dtype, 65536);
    for (int64_t i = 0; i < 65536; i++) {
        build_set_bits(b, &x, i, 0, (uint64_t)i);
    }
    build_call(b, &x);
}

/* Evenly over all exponents, of both signs where the function takes them. */
static void build_exponents(struct builder *b)
{
    int64_t length = b->c->dtype == DTYPE_FLOAT64 ? 4096 : 2048;
    struct view x = build_vector(b, b->c->dtype, length);
    struct philox generator = build_generator(b, 0);
    uint64_t sign = domain_of(b)->positive ? format_of(b->c->dtype).sign : 0;
    for (int64_t i = 0; i < length; i++) {
        build_set_bits(b, &x, i, 0, data_any_exponent(&generator, b->c->dtype, i) & ~sign);
    }
    build_call(b, &x);
}

/* Evenly over the interval where results are ordinary, with full significands. */
static void build_ordinary(struct builder *b)
{
    const struct domain *u = domain_of(b);
    struct view x = build_vector(b, b->c->dtype, b->c->parameter);
    struct philox generator = build_generator(b, 0);
    for (int64_t i = 0; i < b->c->parameter; i++) {
        double at = u->least + (u->most - u->least) * philox_unit(&generator);
        build_set(b, &x, i, dtype_is_floating(b->c->dtype) ? at : round(at));
    }
    build_origin(b, &x, true);
    build_call(b, &x);
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
        build_set(b, &x, i, about + (i % 2 && !(about == 0 && domain_of(b)->positive) ? -away : away));
    }
    build_call(b, &x);
}

/* Each turn and its powers of two, and four neighbours on either side. */
static void build_breakpoints(struct builder *b)
{
    enum { NEAR = 4, BREAKPOINTS = FUNCTION_BREAKPOINTS };
    const struct domain *u = domain_of(b);
    struct view x = build_vector(b, b->c->dtype, BREAKPOINTS * (2 * NEAR + 1));
    for (int64_t i = 0; i < BREAKPOINTS * (2 * NEAR + 1); i++) {
        unsigned char bytes[8] = {0};
        double turn = u->turn[i / (2 * NEAR + 1)];
        dtype_store(b->c->dtype, bytes, turn == 0 ? 1 : turn);
        build_set_bits(b, &x, i, 0, dtype_bits(b->c->dtype, bytes) + (uint64_t)(i % (2 * NEAR + 1)) - NEAR);
    }
    build_call(b, &x);
}

/* Next to multiples of π/2, of either sign. */
static void build_angles(struct builder *b)
{
    int count = angle_count(b->c->dtype);
    struct view x = build_vector(b, b->c->dtype, 2 * (int64_t)count);
    for (int i = 0; i < 2 * count; i++) {
        build_set(b, &x, i, (i % 2 ? -1 : 1) * angle_at(b->c->dtype, i / 2));
    }
    build_call(b, &x);
}

static void build_layout(struct builder *b)
{
    const struct row *row = b->c->row;
    struct shape shape = row->five ? shape_of(5, (int64_t)2, (int64_t)3, (int64_t)2, (int64_t)5, (int64_t)3)
                                   : shape_of(2, (int64_t)32, (int64_t)16);
    struct view x = build_tensor(b, b->c->dtype, &shape, row->layout);
    function_fill(b, function_of(b), 0, &x);
    build_call(b, &x);
}

#define LAID "layout_grid poison"

static const struct row rows[] = {
    {SUITE_ROW("specials", SMOKE, "special_values", .build = build_specials, .parameter = 1)},
    {SUITE_ROW("ordinary", SMOKE, "signed_bias", .build = build_ordinary, .parameter = 1024)},
    {SUITE_ROW("turns", SMOKE, "exponents", .build = build_breakpoints, .dtypes = REALS)},
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
    {SUITE_ROW("near-2", STANDARD, "exponents", .build = build_near, .dtypes = REALS, .parameter = 2),
     .only = FUNCTION_ROOT_AT_2},
    {SUITE_ROW("angles", SMOKE, "exponents", .build = build_angles,
               .dtypes = 1 << DTYPE_FLOAT32 | 1 << DTYPE_FLOAT64),
     .only = FUNCTION_ANGLE},
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

static bool asks(const void *at, const struct op *op, enum dtype dtype)
{
    (void)dtype;
    const struct row *row = at;
    return !row->only || (function_named(op->name)->cases & row->only);
}

/* Attributes change the function and not the way to its elements. */
static bool asks_with_attributes(const void *at, const struct op *op, enum dtype dtype)
{
    return asks(at, op, dtype) && ((const struct row *)at)->row.build != build_layout;
}

static void declare(struct suite_list *list)
{
    const struct suite_table table = {SUITE_ROWS(rows), .asks = asks};
    functions_declare(list, &table, asks_with_attributes, 1, 1);
}

const struct suite suite_elementwise_functions = {.declare = declare};
