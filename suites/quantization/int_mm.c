/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* int_mm and int8_linear: products of int8 summed in int32. Sums of extremes, of up to 65,537 terms, exceed
 * 2048 with one term, 2^15 with three and 2^24 with 1,041, so that an accumulator of fewer bits shows. With
 * scales that are powers of two int8_linear rounds only the sum. */

#include "suites/shared/int_products.h"
#include "suites/shared/rows.h"

enum { LINEAR = 2 }; /* bit of the second operator of the table */

struct row {
    struct suite_row row;
    struct int_product p;
};

static void build(struct builder *b)
{
    struct int_product p = ((const struct row *)b->c->row)->p;
    p.scale = p.scale == 0 ? 0.37 : p.scale;
    int_product_step(b, &p);
}

static void build_refusal(struct builder *b)
{
    const struct int_product p = {.m = 3, .k = 4, .n = 5, .scale = 1};
    int_product_rejection(b, &p, (enum int_fault)b->c->parameter);
}

/* Other data of the same shape, then the first again: cached results show. */
static void build_again(struct builder *b)
{
    const struct int_product p = {.m = 5, .k = 37, .n = 6, .scale = 0.37};
    for (int turn = 0; turn < 4 && !b->failed; turn++) {
        b->stream = 16 * (turn % 2);
        int_product_step(b, &p);
    }
}

#define ROW(name, level, covers, ...)                                                                        \
    {                                                                                                        \
        SUITE_ROW(name, level, covers), .p = { __VA_ARGS__ }                                                 \
    }
#define SIZE(m_, k_, n_) .m = m_, .k = k_, .n = n_

static const struct row rows[] = {
    ROW("encoded", SMOKE, "int_products self_encoding", SIZE(7, 9, 5), .data = INT_ENCODED),
    ROW("random", SMOKE, "int_products", SIZE(17, 33, 19)),
    ROW("square", STANDARD, "int_products product_square", SIZE(24, 24, 24)),
    ROW("one-term", STANDARD, "int_products size_limits", SIZE(9, 1, 7), .data = INT_EXTREMES),
    ROW("extremes-k3", SMOKE, "int_products", SIZE(4, 3, 5), .data = INT_EXTREMES),
    ROW("extremes-k16", STANDARD, "int_products", SIZE(9, 16, 5), .data = INT_EXTREMES),
    ROW("extremes-k1041", STANDARD, "int_products", SIZE(4, 1041, 5), .data = INT_EXTREMES),
    ROW("extremes-k4099", SMOKE, "int_products", SIZE(4, 4099, 5), .data = INT_EXTREMES),
    ROW("extremes-k32769", STANDARD, "int_products", SIZE(2, 32769, 3), .data = INT_EXTREMES),
    ROW("extremes-k65537", STANDARD, "int_products", SIZE(2, 65537, 2), .data = INT_EXTREMES),
    ROW("least-k2", SMOKE, "int_products integer_extremes", SIZE(1, 2, 1), .data = INT_LEAST),
    ROW("least-k67", STANDARD, "int_products integer_extremes", SIZE(5, 67, 9), .data = INT_LEAST),
    ROW("cancel-k257", STANDARD, "int_products", SIZE(3, 257, 4), .data = INT_CANCEL),
    ROW("cancel-k2049", STANDARD, "int_products", SIZE(3, 2049, 4), .data = INT_CANCEL),
    ROW("transposed-all", SMOKE, "layout_grid poison", SIZE(13, 21, 11), .laid = -1,
        .layout = LAYOUT_TRANSPOSED_BLOCK),
    ROW("transposed-input", STANDARD, "layout_grid poison", SIZE(13, 21, 11), .layout = LAYOUT_TRANSPOSED),
    ROW("transposed-other", STANDARD, "layout_grid poison", SIZE(13, 21, 11), .laid = 1,
        .layout = LAYOUT_TRANSPOSED),
    ROW("stepped3-input", STANDARD, "layout_grid poison", SIZE(13, 21, 11), .layout = LAYOUT_STEPPED3),
    ROW("columns-other", STANDARD, "layout_grid poison", SIZE(13, 21, 11), .laid = 1,
        .layout = LAYOUT_COLUMNS),
    ROW("expanded-rows-input", STANDARD, "expanded", SIZE(6, 21, 11), .layout = LAYOUT_EXPANDED_ROWS),
    ROW("no-rows", STANDARD, "size_limits", SIZE(0, 4, 5)),
    ROW("no-columns", STANDARD, "size_limits", SIZE(4, 4, 0)),
    ROW("no-terms", STANDARD, "size_limits", SIZE(4, 0, 5)),
    {SUITE_ROW("again", STANDARD, "order repeats", .build = build_again)},
    {SUITE_ROW("refuse-inner", SMOKE, "product_refusals", .build = build_refusal,
               .parameter = INT_FAULT_INNER)},
    {SUITE_ROW("refuse-rank", STANDARD, "product_refusals", .build = build_refusal,
               .parameter = INT_FAULT_RANK)},
    {SUITE_ROW("refuse-dtype", STANDARD, "product_refusals", .build = build_refusal,
               .parameter = INT_FAULT_DTYPE)},

    {SUITE_ROW("powers", SMOKE, "int_products", .ops = LINEAR),
     .p = {SIZE(9, 65, 12), .scale = 0.25, .powers = true}},
    {SUITE_ROW("powers-extremes-k1041", STANDARD, "int_products", .ops = LINEAR),
     .p = {SIZE(4, 1041, 6), .scale = 0.25, .powers = true, .data = INT_EXTREMES}},
    {SUITE_ROW("input-power", STANDARD, "int_products", .ops = LINEAR), .p = {SIZE(9, 65, 12), .scale = 0.5}},
    {SUITE_ROW("batch", STANDARD, "int_products", .ops = LINEAR), .p = {SIZE(4, 19, 6), .several = true}},
    {SUITE_ROW("vector", STANDARD, "int_products", .ops = LINEAR), .p = {SIZE(1, 19, 6), .vector = true}},
    {SUITE_ROW("channels-65", STANDARD, "int_products many_channels", .ops = LINEAR), .p = {SIZE(3, 5, 65)}},
    {SUITE_ROW("channels-130", STANDARD, "int_products many_channels", .ops = LINEAR),
     .p = {SIZE(2, 7, 130)}},
    {SUITE_ROW("refuse-scales", STANDARD, "product_refusals", .ops = LINEAR, .build = build_refusal,
               .parameter = INT_FAULT_SCALES)},
};

static void declare(struct suite_list *list)
{
    suite_declare_rows(
        list, &(struct suite_table){SUITE_ROWS(rows), .ops = {"int_mm", "int8_linear"}, .build = build});
}

const struct suite suite_quantization_int_mm = {.declare = declare};
