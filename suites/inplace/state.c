/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* One operator again and again on equal shapes, with other attributes each time: an attribute that was kept
 * from the first call shows. */

#include "suites/inplace/operands.h"

enum {
    FLOATS = 1 << DTYPE_FLOAT16 | 1 << DTYPE_BFLOAT16 | 1 << DTYPE_FLOAT32 | 1 << DTYPE_FLOAT64,
    ALL = FLOATS | 1 << DTYPE_INT32 | 1 << DTYPE_INT64
};
enum { CALLS = 6, WINDOWS = 8, WINDOW = 9 };

struct row {
    const char *op, *name;
    unsigned dtypes;
    void (*build)(struct builder *b);
    enum layout layout;
    int operands;
    const char *attribute[2];
    double value[CALLS][2];
    int line;
};

/* Each time fresh operands of the same data. */
static void attributes_in_turn(struct builder *b)
{
    const struct row *row = b->c->row;
    const struct writes *w = writes_find(row->op);
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

/* Windows of one storage with a value each, then two values through two masks. */
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

#define IN_TURN(op_, name_, dtypes_, layout_, operands_, ...)                                                \
    {                                                                                                        \
        op_, name_, dtypes_, attributes_in_turn, LAYOUT_##layout_, operands_, __VA_ARGS__, __LINE__          \
    }
#define ALPHAS(op_, operands_)                                                                               \
    IN_TURN(op_, "chain-attributes", ALL, CONTIGUOUS, operands_, {"alpha"},                                  \
            {{2}, {-1}, {3}, {0}, {2}, {1}}),                                                                \
        IN_TURN(op_, "chain-attributes-stepped2", ALL, STEPPED2, operands_, {"alpha"},                       \
                {{1}, {-3}, {2}, {-2}, {1}, {0}})
#define VALUES(op_, dtypes_)                                                                                 \
    IN_TURN(op_, "chain-attributes", dtypes_, CONTIGUOUS, 3, {"value"}, {{2}, {-1}, {3}, {0}, {2}, {1}}),    \
        IN_TURN(op_, "chain-attributes-stepped2", dtypes_, STEPPED2, 3, {"value"},                           \
                {{1}, {-3}, {2}, {-2}, {1}, {0}})
#define WINDOWED(op_)                                                                                        \
    {op_, "chain-windows", ALL, windows, LAYOUT_CONTIGUOUS, 0, {NULL}, {{0}}, __LINE__},                     \
    {                                                                                                        \
        op_, "chain-windows-stepped2", ALL, windows, LAYOUT_STEPPED2, 0, {NULL}, {{0}}, __LINE__             \
    }

static const struct row rows[] = {
    ALPHAS("sub_", 2),
    ALPHAS("add_out", 3),
    ALPHAS("sub_out", 3),
    VALUES("addcmul_", ALL),
    VALUES("addcdiv_", FLOATS),
    IN_TURN("lerp_", "chain-attributes", FLOATS, CONTIGUOUS, 2, {"weight"},
            {{0.25}, {0.75}, {0.5}, {0}, {1}, {0.25}}),
    IN_TURN("lerp_", "chain-attributes-stepped2", FLOATS, STEPPED2, 2, {"weight"},
            {{0.5}, {0.25}, {1}, {0.75}, {0.5}, {0}}),
    IN_TURN("clamp_", "chain-attributes", ALL, CONTIGUOUS, 1, {"min", "max"},
            {{-5, 7}, {-20, 3}, {0, 30}, {-1, 1}, {-5, 7}, {9, 11}}),
    IN_TURN("clamp_", "chain-attributes-stepped2", ALL, STEPPED2, 1, {"min", "max"},
            {{-30, 2}, {-2, 30}, {-9, 9}, {-30, 2}, {4, 5}, {-7, 6}}),
    WINDOWED("fill_"),
    WINDOWED("masked_fill_"),
};

static void declare(struct suite_list *list)
{
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        suite_declare_dtypes(list,
                             &(struct suite_case){.op = op_find(rows[r].op),
                                                  .name = rows[r].name,
                                                  .level = LEVEL_STANDARD,
                                                  .covers = "order flags",
                                                  .file = __FILE__,
                                                  .line = rows[r].line,
                                                  .build = rows[r].build,
                                                  .row = &rows[r]},
                             rows[r].dtypes);
    }
}

const struct suite suite_inplace_state = {.declare = declare};
