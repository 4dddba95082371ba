/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* square: special values, every float16, all exponents, layouts. */

#include "suites/shared/data.h"
#include "suites/shared/rows.h"

struct row {
    struct suite_row row;
    int64_t length;
    enum layout layout;
    bool specials;
    bool five; /* dimensions, not two */
};

static void build(struct builder *b)
{
    const struct row *row = b->c->row;
    uint64_t special[SPECIALS_MAX];
    int64_t length = row->specials ? special_bits(b->c->dtype, special) : row->length;
    struct shape shape = row->five ? shape_of(5, (int64_t)2, (int64_t)3, (int64_t)2, (int64_t)5, (int64_t)3)
                                   : shape_of(2, length / 16, (int64_t)16);
    struct view x = row->layout == LAYOUT_CONTIGUOUS ? build_vector(b, b->c->dtype, length)
                                                     : build_tensor(b, b->c->dtype, &shape, row->layout);
    struct philox generator = build_generator(b, 0);
    for (int64_t i = 0; i < length; i++) {
        build_set_bits(b, &x, i, 0,
                       row->specials ? special[i] : data_any_exponent(&generator, b->c->dtype, i));
    }
    build_unary(b, b->c->op, &x);
}

#define LAID "layout_grid poison"

static const struct row rows[] = {
    {SUITE_ROW("specials", SMOKE, "special_values"), .specials = true},
    {SUITE_ROW("exponents", SMOKE, "exponents signed_bias"), .length = 4096},
    {SUITE_ROW("transposed", SMOKE, LAID), .length = 512, .layout = LAYOUT_TRANSPOSED},
    {SUITE_ROW("stepped3", STANDARD, LAID), .length = 512, .layout = LAYOUT_STEPPED3},
    {SUITE_ROW("far", STANDARD, LAID), .length = 512, .layout = LAYOUT_FAR},
    /* whose last element, shown everywhere, has a square in every range */
    {SUITE_ROW("expanded", STANDARD, "expanded"), .length = 1168, .layout = LAYOUT_EXPANDED},
    {SUITE_ROW("expanded-rows", STANDARD, "expanded"), .length = 512, .layout = LAYOUT_EXPANDED_ROWS},
    {SUITE_ROW("rank-5-reversed", STANDARD, LAID), .length = 180, .five = true, .layout = LAYOUT_REVERSED},
    {SUITE_ROW("rank-5-permuted", STANDARD, LAID), .length = 180, .five = true, .layout = LAYOUT_PERMUTED},
    {SUITE_ROW("rank-5-heads", STANDARD, LAID), .length = 180, .five = true, .layout = LAYOUT_HEADS},
    {SUITE_ROW("offset1", STANDARD, LAID), .length = 512, .layout = LAYOUT_OFFSET1},
};

static void declare(struct suite_list *list)
{
    suite_declare_rows(list, &(struct suite_table){SUITE_ROWS(rows), .ops = {"square"}, .build = build});
}

const struct suite suite_elementwise_square = {.declare = declare};
