/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Cases of embedding and of its gradient. */

#include "suites/embedding/calls.h"

enum { FORWARD = 1, BACKWARD = 2 }; /* the operators of the table */

struct embedding_row {
    struct suite_row row;
    struct embedding_call call;
};

static void build(struct builder *b)
{
    const struct embedding_row *row = b->c->row;
    embedding_step(b, &row->call);
}

/* The same indices in two parts: the gradient of the whole has the rows of a part that no index of the other
 * part names, to the bit; a part of the result is what the part of the indices gives. */
static void build_parts(struct builder *b)
{
    const struct embedding_row *row = b->c->row;
    struct attributes attributes;
    struct view input[2];
    embedding_make(b, &row->call, input, &attributes);
    struct step *step = build_step(b, b->c->op, &attributes, 2, input);
    struct view whole = step ? step->output[0] : input[0];
    const int64_t half = row->call.dim[0] / 2;
    for (int k = 0; !b->failed && k < 2; k++) {
        const bool gradient = embedding_is_gradient(b->c->op);
        struct view part[2] = {gradient ? view_window(&input[0], k * half, half, 1) : input[0],
                               view_window(&input[1], k * half, half, 1)};
        step = build_step(b, b->c->op, &attributes, 2, part);
        if (step) { /* INDICES_SORTED: the first half of the indices names the first half of the rows */
            const int64_t rows = gradient ? row->call.rows / 2 : half;
            struct view inside = view_window(&whole, k * rows, rows, 1),
                        own = gradient ? view_window(&step->output[0], k * rows, rows, 1) : step->output[0];
            build_relate(b, &inside, &own, "a part of the indices alone gives the same bits");
        }
    }
}

static void build_refused(struct builder *b)
{
    const struct embedding_row *row = b->c->row;
    struct attributes attributes;
    struct view input[2];
    embedding_make(b, &row->call, input, &attributes);
    build_rejection(b, b->c->op, &attributes, 2, input);
}

/* Tables without a dimension, indices of another length, gradients of another shape. */
static void build_refused_shapes(struct builder *b)
{
    const struct embedding_row *row = b->c->row;
    struct attributes attributes;
    struct view input[2], wrong[2];
    embedding_make(b, &row->call, input, &attributes);
    build_step(b, b->c->op, &attributes, 2, input);
    wrong[0] = view_at(&input[0], 0);
    wrong[1] = input[1];
    build_rejection(b, b->c->op, &attributes, 2, wrong);
    if (embedding_is_gradient(b->c->op)) {
        wrong[0] = view_window(&input[0], 0, input[0].shape.dim[0] - 1, 1);
        build_rejection(b, b->c->op, &attributes, 2, wrong);
        wrong[0] = input[0];
        wrong[1] = view_at(&input[1], 0);
        build_rejection(b, b->c->op, &attributes, 2, wrong);
        attributes.item[0].integer = -1;
        build_rejection(b, b->c->op, &attributes, 2, input);
    }
}

#define ROW(name_, level_, ...) SUITE_ROW(name_, level_, __VA_ARGS__)
#define CALL(...)               .call = {__VA_ARGS__}
#define VECTOR(n_)              .rank = 1, .dim = {n_}
#define SMALL                   .rank = 2, .dim = {5, 7}, .rows = 11, .width = 6
#define MANY                    VECTOR(24), .rows = 65537, .width = 3
#define LAYOUTS                 "layout_grid poison"
enum { F32 = 1U << DTYPE_FLOAT32 };

static const struct embedding_row rows[] = {
    {ROW("plain", SMOKE, "embedding_indices self_encoding"), CALL(SMALL)},
    {ROW("bits", SMOKE, "payloads embedding_indices", .ops = FORWARD),
     CALL(SMALL, .data = EMBEDDING_BITS, .indices = INDICES_EACH)},
    {ROW("bits-wide", STANDARD, "payloads embedding_indices", .ops = FORWARD),
     CALL(VECTOR(9), .rows = 13, .width = 515, .data = EMBEDDING_BITS)},
    {ROW("integers", SMOKE, "embedding_duplicates self_encoding"), CALL(SMALL, .data = EMBEDDING_INTEGERS)},
    {ROW("one-index", STANDARD, "embedding_indices"), CALL(.rank = 0, .rows = 5, .width = 9)},
    {ROW("cube", STANDARD, "embedding_indices"), CALL(.rank = 3, .dim = {2, 3, 4}, .rows = 9, .width = 5)},
    {ROW("no-index", SMOKE, "embedding_indices"), CALL(.rank = 2, .dim = {3, 0}, .rows = 9, .width = 5)},
    {ROW("no-width", STANDARD, "embedding_indices"), CALL(VECTOR(4), .rows = 9, .width = 0)},
    {ROW("no-row", STANDARD, "embedding_indices"), CALL(VECTOR(0), .rows = 0, .width = 5)},
    {ROW("one-row", STANDARD, "embedding_duplicates"), CALL(VECTOR(33), .rows = 1, .width = 7)},
    {ROW("each-once", STANDARD, "embedding_indices"),
     CALL(VECTOR(65), .rows = 65, .width = 9, .indices = INDICES_EACH)},
    {ROW("equal", SMOKE, "embedding_duplicates"),
     CALL(VECTOR(300), .rows = 9, .width = 5, .indices = INDICES_EQUAL)},
    {ROW("equal-integers", STANDARD, "embedding_duplicates"),
     CALL(VECTOR(515), .rows = 4, .width = 3, .indices = INDICES_EQUAL, .data = EMBEDDING_INTEGERS)},
    {ROW("equal-positive", STANDARD, "embedding_duplicates", .ops = BACKWARD),
     CALL(VECTOR(4099), .rows = 3, .width = 3, .indices = INDICES_EQUAL, .data = EMBEDDING_POSITIVE)},
    {ROW("sorted", STANDARD, "embedding_duplicates"),
     CALL(VECTOR(257), .rows = 33, .width = 5, .indices = INDICES_SORTED)},
    {ROW("random", STANDARD, "embedding_duplicates"), CALL(VECTOR(1000), .rows = 17, .width = 8)},
    {ROW("ends", SMOKE, "embedding_indices"),
     CALL(VECTOR(12), .rows = 300, .width = 4, .indices = INDICES_ENDS)},
    {ROW("rows-65537", STANDARD, "size_limits embedding_indices"), CALL(MANY, .indices = INDICES_ENDS)},
    {ROW("rows-65537-integers", STANDARD, "size_limits embedding_indices"),
     CALL(MANY, .indices = INDICES_ENDS, .data = EMBEDDING_INTEGERS)},
    {ROW("indices-65537", STANDARD, "size_limits embedding_duplicates", .dtypes = F32),
     CALL(VECTOR(65537), .rows = 3, .width = 2)},
    {ROW("width-65537", STANDARD, "size_limits embedding_indices", .dtypes = F32),
     CALL(VECTOR(3), .rows = 3, .width = 65537)},
    {ROW("special", SMOKE, "special_values embedding_duplicates"), CALL(SMALL, .data = EMBEDDING_SPECIAL)},
    {ROW("special-equal", STANDARD, "special_values embedding_duplicates"),
     CALL(VECTOR(40), .rows = 5, .width = 23, .indices = INDICES_EQUAL, .data = EMBEDDING_SPECIAL)},
    {ROW("padding-2", SMOKE, "embedding_padding flags"), CALL(SMALL, .padded = true, .padding = 2)},
    {ROW("padding-first", STANDARD, "embedding_padding flags"),
     CALL(SMALL, .padded = true, .padding = 0, .data = EMBEDDING_INTEGERS)},
    {ROW("padding-last", STANDARD, "embedding_padding flags"), CALL(SMALL, .padded = true, .padding = -1)},
    {ROW("padding-from-the-end", STANDARD, "embedding_padding flags"),
     CALL(SMALL, .padded = true, .padding = -11, .data = EMBEDDING_INTEGERS)},
    {ROW("padding-special", STANDARD, "embedding_padding special_values"),
     CALL(VECTOR(40), .rows = 5, .width = 23, .indices = INDICES_EQUAL, .data = EMBEDDING_SPECIAL,
          .padded = true, .padding = 2)},
    {ROW("parts", SMOKE, "batch_invariance", .build = build_parts),
     CALL(VECTOR(64), .rows = 16, .width = 33, .indices = INDICES_SORTED)},
    {ROW("table-transposed", STANDARD, LAYOUTS), CALL(SMALL, .table = LAYOUT_TRANSPOSED)},
    {ROW("table-block", STANDARD, LAYOUTS), CALL(SMALL, .table = LAYOUT_BLOCK)},
    {ROW("table-stepped3", STANDARD, LAYOUTS), CALL(SMALL, .table = LAYOUT_STEPPED3)},
    {ROW("table-rows-stepped", STANDARD, LAYOUTS), CALL(SMALL, .table = LAYOUT_ROWS_STEPPED)},
    {ROW("table-offset1", STANDARD, LAYOUTS), CALL(SMALL, .table = LAYOUT_OFFSET1)},
    {ROW("table-expanded", STANDARD, "expanded"), CALL(SMALL, .table = LAYOUT_EXPANDED)},
    {ROW("table-expanded-rows", STANDARD, "expanded"), CALL(SMALL, .table = LAYOUT_EXPANDED_ROWS)},
    {ROW("table-distant", STANDARD, "distant"), CALL(SMALL, .table = LAYOUT_DISTANT)},
    {ROW("indices-transposed", STANDARD, LAYOUTS), CALL(SMALL, .index_layout = LAYOUT_TRANSPOSED)},
    {ROW("indices-block", STANDARD, LAYOUTS), CALL(SMALL, .index_layout = LAYOUT_BLOCK)},
    {ROW("indices-stepped2", STANDARD, LAYOUTS), CALL(SMALL, .index_layout = LAYOUT_STEPPED2)},
    {ROW("indices-repeated", STANDARD, "expanded"), CALL(SMALL, .expanded = true)},
    {ROW("all-permuted", STANDARD, LAYOUTS), CALL(.rank = 3, .dim = {2, 3, 4}, .rows = 9, .width = 5,
                                                  .table = LAYOUT_REVERSED, .index_layout = LAYOUT_PERMUTED)},
};

static const struct embedding_row refusals[] = {
    {ROW("refuse-beyond", SMOKE, NULL), CALL(SMALL, .indices = INDICES_BEYOND)},
    {ROW("refuse-negative", SMOKE, NULL), CALL(SMALL, .indices = INDICES_NEGATIVE)},
    {ROW("refuse-high-word", SMOKE, NULL), CALL(SMALL, .indices = INDICES_HIGH_WORD)},
    {ROW("refuse-no-row", STANDARD, NULL), CALL(VECTOR(1), .rows = 0, .width = 5, .indices = INDICES_BEYOND)},
    {ROW("refuse-padding-beyond", SMOKE, NULL), CALL(SMALL, .padded = true, .padding = 11)},
    {ROW("refuse-padding-before", STANDARD, NULL), CALL(SMALL, .padded = true, .padding = -12)},
    {ROW("refuse-shapes", SMOKE, NULL, .build = build_refused_shapes), CALL(SMALL)},
};

static void declare(struct suite_list *list)
{
    const struct suite_table table = {SUITE_ROWS(rows), .ops = {"embedding", "embedding_backward"},
                                      .build = build};
    suite_declare_rows(list, &table);
    suite_declare_rows(list, &(struct suite_table){SUITE_ROWS(refusals),
                                                   .ops = {"embedding", "embedding_backward"}, .dtypes = F32,
                                                   .covers = "embedding_refusals", .build = build_refused});
}

const struct suite suite_embedding_embedding = {.declare = declare};
