/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* One operator several times on equal shapes, with other attributes each time: an attribute cached from the
 * first call shows. */

#include "suites/inplace/operands.h"
#include "suites/shared/rows.h"

enum {
    FLOATS = 1 << DTYPE_FLOAT16 | 1 << DTYPE_BFLOAT16 | 1 << DTYPE_FLOAT32 | 1 << DTYPE_FLOAT64,
    ALL = FLOATS | 1 << DTYPE_INT32 | 1 << DTYPE_INT64
};
enum { CALLS = 6, WINDOWS = 8, WINDOW = 9 };

struct row {
    struct suite_row row;
    enum layout layout;
    int operands;
    const char *attribute[2];
    double value[CALLS][2];
};

/* Each call has fresh operands with the same data. */
static void attributes_in_turn(struct builder *b)
{
    const struct row *row = b->c->row;
    const struct writes *w = writes_find(b->c->op->name);
    struct shape shape = shape_of(2, (int64_t)5, (int64_t)15);
    for (int k = 0; k < CALLS; k++) {
        struct view operand[WRITES_OPERANDS];
        struct attributes all = {.count = 0};
        for (int i = 0; i < row->operands; i++) {
            operand[i] = writes_operand(b, w, i, &shape, i == w->written ? row->layout : LAYOUT_CONTIGUOUS,
                                        DATA_INTEGERS);
        }
        for (int a = 0; a < 2 && row->attribute[a]; a++) {
            all.item[all.count++] =
                writes_attribute(b->c->dtype, row->attribute[a], row->value[k][a]).item[0];
        }
        writes_step(b, w, row->operands, operand, &all, true);
    }
}

static void fill(struct builder *b, const char *name, struct view *self, const struct view *mask,
                 double value)
{
    struct attributes attributes = writes_attribute(b->c->dtype, "value", value);
    struct view operand[2] = {*self, mask ? *mask : *self};
    struct step *step = build_step(b, op_find(name), &attributes, mask ? 2 : 1, operand);
    if (step) {
        step->exact = true;
    }
}

/* fill_ on windows of one storage, each with its own value; then masked_fill_ with two values and masks. */
static void windows(struct builder *b)
{
    const struct row *row = b->c->row;
    const struct writes *masked = writes_find("masked_fill_");
    struct shape shape = shape_of(2, (int64_t)WINDOWS, (int64_t)WINDOW), line = shape_of(1, (int64_t)WINDOW);
    struct view x = build_tensor(b, b->c->dtype, &shape, row->layout);
    for (int k = 0; k < WINDOWS; k++) {
        struct view window = view_at(&x, k);
        fill(b, "fill_", &window, NULL, k * k - 7);
    }
    for (int k = 0; k < 2; k++) {
        struct view mask = writes_operand(b, masked, 1, k ? &line : &shape, LAYOUT_CONTIGUOUS, DATA_INTEGERS);
        fill(b, "masked_fill_", &x, &mask, k ? 99 : -88);
    }
}

#define IN_TURN_OF(covers_, op_, name_, dtypes_, operands_)                                                  \
    SUITE_ROW(name_, STANDARD, covers_, .op = op_, .dtypes = dtypes_, .build = attributes_in_turn),          \
        .operands = operands_
#define IN_TURN(...) IN_TURN_OF(NULL, __VA_ARGS__)
/* A number instead of the tensor that the calls of the plan pass. */
#define NUMBERS_IN_TURN(...) IN_TURN_OF("order flags attributes_in_turn", __VA_ARGS__)
#define WINDOWED(op_, name_) SUITE_ROW(name_, STANDARD, NULL, .op = op_, .dtypes = ALL, .build = windows)
#define FACTORS              .value = {{2}, {-1}, {3}, {0}, {2}, {1}}
#define OTHER_FACTORS        .value = {{1}, {-3}, {2}, {-2}, {1}, {0}}, .layout = LAYOUT_STEPPED2

static const struct row rows[] = {
    {IN_TURN("sub_", "chain-attributes", ALL, 2), .attribute = {"alpha"}, FACTORS},
    {IN_TURN("sub_", "chain-attributes-stepped2", ALL, 2), .attribute = {"alpha"}, OTHER_FACTORS},
    {IN_TURN("add_out", "chain-attributes", ALL, 3), .attribute = {"alpha"}, FACTORS},
    {IN_TURN("add_out", "chain-attributes-stepped2", ALL, 3), .attribute = {"alpha"}, OTHER_FACTORS},
    {IN_TURN("sub_out", "chain-attributes", ALL, 3), .attribute = {"alpha"}, FACTORS},
    {IN_TURN("sub_out", "chain-attributes-stepped2", ALL, 3), .attribute = {"alpha"}, OTHER_FACTORS},
    {IN_TURN("addcmul_", "chain-attributes", ALL, 3), .attribute = {"value"}, FACTORS},
    {IN_TURN("addcmul_", "chain-attributes-stepped2", ALL, 3), .attribute = {"value"}, OTHER_FACTORS},
    {IN_TURN("addcdiv_", "chain-attributes", FLOATS, 3), .attribute = {"value"}, FACTORS},
    {IN_TURN("addcdiv_", "chain-attributes-stepped2", FLOATS, 3), .attribute = {"value"}, OTHER_FACTORS},
    {NUMBERS_IN_TURN("lerp_", "chain-attributes", FLOATS, 2), .attribute = {"weight"},
     .value = {{0.25}, {0.75}, {0.25}, {0}, {1}, {0.5}}},
    {NUMBERS_IN_TURN("lerp_", "chain-attributes-stepped2", FLOATS, 2), .attribute = {"weight"},
     .value = {{0.5}, {0.25}, {0.5}, {0.75}, {1}, {0}}, .layout = LAYOUT_STEPPED2},
    {IN_TURN("clamp_", "chain-attributes", ALL, 1), .attribute = {"min", "max"},
     .value = {{-5, 7}, {-20, 3}, {0, 30}, {-1, 1}, {-5, 7}, {9, 11}}},
    {IN_TURN("clamp_", "chain-attributes-stepped2", ALL, 1), .attribute = {"min", "max"},
     .value = {{-30, 2}, {-2, 30}, {-9, 9}, {-30, 2}, {4, 5}, {-7, 6}}, .layout = LAYOUT_STEPPED2},
    {WINDOWED("fill_", "chain-windows")},
    {WINDOWED("fill_", "chain-windows-stepped2"), .layout = LAYOUT_STEPPED2},
    {WINDOWED("masked_fill_", "chain-windows")},
    {WINDOWED("masked_fill_", "chain-windows-stepped2"), .layout = LAYOUT_STEPPED2},
};

static void declare(struct suite_list *list)
{
    suite_declare_rows(list, &(struct suite_table){SUITE_ROWS(rows), .covers = "order flags"});
}

const struct suite suite_inplace_state = {.declare = declare};
