/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* clone: the result has the bits of the input, NaN payloads and signs of zeros included. Every pattern of the
 * 16-bit and 8-bit dtypes, random patterns and special values of the others; odd offsets, gapped and permuted
 * strides, empty tensors. */

#include "suites/shared/data.h"
#include "suites/shared/rows.h"

struct row {
    struct suite_row row;
    enum layout layout;
};

/* Dtypes of up to 16 bits: all patterns in order, so that an element taken from its neighbour shows. Others:
 * special values, then random bits. */
static void fill(struct builder *b, const struct view *x)
{
    enum dtype component = dtype_info(x->dtype)->component;
    int components = dtype_info(x->dtype)->components, bits = 8 * (int)dtype_info(component)->size;
    uint64_t special[SPECIALS_MAX];
    int specials = special_bits(component, special);
    struct philox generator = build_generator(b, 0);
    for (int64_t k = 0; k < shape_elements(&x->shape) * components; k++) {
        uint64_t word = philox_next64(&generator);
        word = x->dtype == DTYPE_BOOL                        ? word & 1
               : bits <= 16                                  ? (uint64_t)k
               : k % 2 == 0 && k / 2 < specials * components ? special[k / 2 / components]
                                                             : word;
        build_set_bits(b, x, k / components, (int)(k % components), word);
    }
}

/* Tensors of 16-bit dtypes have 2^16 elements: every pattern in every layout. */
static void build_layout(struct builder *b)
{
    const struct row *row = b->c->row;
    bool half = dtype_info(b->c->dtype)->size == 2;
    struct shape shape = half ? shape_of(3, (int64_t)16, (int64_t)64, (int64_t)64)
                              : shape_of(3, (int64_t)3, (int64_t)13, (int64_t)17);
    struct view x = build_tensor(b, b->c->dtype, &shape, row->layout);
    fill(b, &x);
    build_unary(b, b->c->op, &x);
}

static void build_length(struct builder *b)
{
    struct view x = build_vector(b, b->c->dtype, b->c->parameter);
    fill(b, &x);
    build_unary(b, b->c->op, &x);
}

/* Windows of one storage at several offsets, each copied alone; then a copy of the copy. */
static void build_windows(struct builder *b)
{
    struct view x = build_vector(b, b->c->dtype, 113);
    fill(b, &x);
    for (int64_t start = 0; start < 9; start++) {
        struct view part = view_window(&x, start, 40 + start, start % 3 == 2 ? 2 : 1);
        struct view once = build_unary(b, b->c->op, &part), twice = build_unary(b, b->c->op, &once);
        build_relate(b, &once, &twice, "a copy of a copy is the copy");
    }
}

#define LAID "layout_grid poison payloads transfer"

static const struct row rows[] = {
    {SUITE_ROW("contiguous", SMOKE, "all_patterns payloads transfer", .build = build_layout)},
    {SUITE_ROW("offset1", SMOKE, LAID, .build = build_layout), .layout = LAYOUT_OFFSET1},
    {SUITE_ROW("transposed-block", SMOKE, LAID, .build = build_layout), .layout = LAYOUT_TRANSPOSED_BLOCK},
    {SUITE_ROW("offset3", STANDARD, LAID, .build = build_layout), .layout = LAYOUT_OFFSET3},
    {SUITE_ROW("stepped2", STANDARD, LAID, .build = build_layout), .layout = LAYOUT_STEPPED2},
    {SUITE_ROW("stepped3", STANDARD, LAID, .build = build_layout), .layout = LAYOUT_STEPPED3},
    {SUITE_ROW("columns", STANDARD, LAID, .build = build_layout), .layout = LAYOUT_COLUMNS},
    {SUITE_ROW("reversed", STANDARD, LAID, .build = build_layout), .layout = LAYOUT_REVERSED},
    {SUITE_ROW("expanded-rows", STANDARD, "expanded", .build = build_layout), .layout = LAYOUT_EXPANDED_ROWS},
    {SUITE_ROW("windows", STANDARD, "order transfer", .build = build_windows)},
    {SUITE_ROW("length-0", SMOKE, "size_limits transfer", .build = build_length)},
    {SUITE_ROW("length-1", STANDARD, "size_limits transfer", .build = build_length, .parameter = 1)},
};

static void declare(struct suite_list *list)
{
    suite_declare_rows(
        list, &(struct suite_table){SUITE_ROWS(rows), .ops = {"clone"}, .level = level_beyond_float16_32});
}

const struct suite suite_conversion_clone = {.declare = declare};
