/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* amp_scale, amp_unscale and amp_step, one call per case: layouts, sizes, the place of an infinite grad,
 * values of found_inf before the call, scales whose low and high halves differ. */

#include "suites/shared/data.h"
#include "suites/shared/rows.h"

#include <math.h>
#include <string.h>

enum { SCALE = 1, UNSCALE = 2, STEP = 4, TENSORS_MAX = 8 }; /* bits of the table's operators */

enum fill {
    FILL_RANDOM,
    FILL_INTEGERS,
    FILL_ENDS,     /* 65504, the greatest numbers of the dtype, the least ones */
    FILL_SPECIALS, /* every special value */
    /* 2^-9 and neighbours, which become 2^-25 when multiplied by 2^-16; every eighth number is large, so
     * that the case is not vacuous */
    FILL_TINY
};

enum place { NOWHERE, FIRST, MIDDLE, LAST };

struct row {
    struct suite_row row;
    int64_t size[TENSORS_MAX]; /* numbers of elements; amp_scale and amp_step take the first tensor only */
    int tensors;
    enum fill fill;
    enum layout layout;
    double factor; /* scale, inv_scale or lr */
    double found;  /* found_inf before the call */
    enum place tensor, element;
    double bad;
};

static uint64_t random_bits(struct philox *g, const struct row *row, enum dtype dtype)
{
    return row->factor > 1000 || row->factor < 0.001 ? data_between(g, dtype, -4, 4)
                                                     : data_between(g, dtype, -6, 6);
}

static void set_element(struct builder *b, struct philox *g, const struct row *row, const struct view *view,
                        int64_t i)
{
    enum dtype dtype = view->dtype;
    double least = dtype_least_subnormal(dtype), max = dtype_max(dtype);
    const double ends[] = {65504,   -65504,   max,       -max, dtype_least_normal(dtype),
                           least,   -least,   3 * least, 1,    1024 * least,
                           max / 2, -max / 2, 0,         -0.0, 32752,
                           65472};
    uint64_t special[SPECIALS_MAX];
    switch (row->fill) {
    case FILL_INTEGERS:
        build_set(b, view, i, (double)(i % 127) - 63);
        return;
    case FILL_ENDS:
        build_set(b, view, i, ends[i % (int64_t)(sizeof ends / sizeof *ends)]);
        return;
    case FILL_SPECIALS:
        build_set_bits(b, view, i, 0, special[i % special_bits(dtype, special)]);
        return;
    case FILL_TINY:
        build_set(b, view, i, i % 8 == 7 ? 16384 : ldexp(1 + (double)(i % 4) / 4, -8 - (int)(i % 6)));
        return;
    case FILL_RANDOM:
        build_set_bits(b, view, i, 0, random_bits(g, row, dtype));
        return;
    }
}

static bool is_matrix_layout(enum layout layout)
{
    return layout == LAYOUT_TRANSPOSED || layout == LAYOUT_COLUMNS || layout == LAYOUT_BLOCK ||
           layout == LAYOUT_TRANSPOSED_BLOCK;
}

static struct view tensor(struct builder *b, const struct row *row, int t)
{
    int64_t size = row->size[t];
    struct shape shape = {.rank = 1, .dim = {size}};
    struct philox g = build_generator(b, t);
    if (is_matrix_layout(row->layout)) {
        shape = shape_of(2, size / 7, (int64_t)7);
    }
    struct view view = build_tensor(b, b->c->dtype, &shape, row->layout);
    for (int64_t i = 0; i < size; i++) {
        set_element(b, &g, row, &view, i);
    }
    int last = row->tensors - 1, bad = row->tensor == LAST ? last : row->tensor == MIDDLE ? 1 : 0;
    if (row->tensor != NOWHERE && t == bad) {
        int64_t place = row->element == LAST ? size - 1 : row->element == MIDDLE ? size / 2 : 0;
        build_set(b, &view, place, row->bad);
    }
    return view;
}

/* One float32 in the middle of a storage whose other elements are poison. */
static struct view scalar(struct builder *b, double x)
{
    struct shape one = {.rank = 1, .dim = {1}};
    struct view view = build_tensor(b, DTYPE_FLOAT32, &one, LAYOUT_OFFSET1);
    build_set(b, &view, 0, x);
    return view;
}

static void build(struct builder *b)
{
    const struct row *row = b->c->row;
    struct attributes lr = {.count = 1};
    lr.item[0] = (struct attribute){.name = "lr", .type = ATTRIBUTE_REAL, .real = row->factor};
    struct view input[OPERANDS_MAX];
    if (strcmp(b->c->op->name, "amp_unscale") == 0) {
        for (int t = 0; t < row->tensors; t++) {
            input[t] = tensor(b, row, t);
        }
        input[row->tensors] = scalar(b, row->found);
        input[row->tensors + 1] = scalar(b, row->factor);
        build_step(b, b->c->op, NULL, row->tensors + 2, input);
        return;
    }
    input[0] = tensor(b, row, 0);
    if (strcmp(b->c->op->name, "amp_scale") == 0) {
        input[1] = scalar(b, row->factor);
        build_step(b, b->c->op, NULL, 2, input);
        return;
    }
    struct row other = *row;
    input[1] = tensor(b, &other, 0);
    for (int64_t i = 0; i < row->size[0] && row->fill == FILL_RANDOM; i++) {
        struct philox g = build_generator(b, 100 + (int)(i % 1000));
        build_set_bits(b, &input[1], i, 0, data_between(&g, b->c->dtype, -3, 3));
    }
    input[2] = scalar(b, row->found);
    build_step(b, b->c->op, &lr, 3, input);
}

/* Must be refused: a scalar of another dtype or of two elements. */
static void build_refusal(struct builder *b)
{
    struct shape two = {.rank = 1, .dim = {2}}, one = {.rank = 1, .dim = {1}};
    struct view x = build_vector(b, b->c->dtype, 5), good = scalar(b, 0);
    struct view bad = b->c->parameter == 0 ? build_tensor(b, DTYPE_FLOAT16, &one, LAYOUT_CONTIGUOUS)
                                           : build_tensor(b, DTYPE_FLOAT32, &two, LAYOUT_CONTIGUOUS);
    struct view scaling[] = {x, bad}, unscaling[] = {x, good, bad}, stepping[] = {x, x, bad};
    bool scale = strcmp(b->c->op->name, "amp_scale") == 0, step = strcmp(b->c->op->name, "amp_step") == 0;
    build_rejection(b, b->c->op, NULL, scale ? 2 : 3, scale ? scaling : step ? stepping : unscaling);
}

#define LAID(name_, level_, layout_)                                                                         \
    SUITE_ROW(name_, level_, "layout_grid poison gaps_untouched"),                                           \
        .factor = 0.0625, .tensors = 2, .size = {91, 35}, .layout = LAYOUT_##layout_
#define BAD(name_, level_, bad_, tensor_, element_)                                                          \
    SUITE_ROW(name_, level_, "scaler_found_inf special_values", .ops = UNSCALE),                             \
        .factor = 0x1p-10, .tensors = 4, .size = {70, 1, 257, 65}, .bad = bad_, .tensor = tensor_,           \
        .element = element_
#define SKIP(name_, level_, found_)                                                                          \
    SUITE_ROW(name_, level_, "scaler_skip special_values", .ops = STEP),                                     \
        .fill = FILL_SPECIALS, .factor = 0.5, .tensors = 1, .size = {80}, .found = found_

/* The low half of ODD's bits, 0x3f9e0652, is another number when it is read as float16. */
#define ODD   0x1.3c0ca4p0
#define THIRD 0x1.555556p-2

static const struct row rows[] = {
    {SUITE_ROW("random", SMOKE, "scaler_arithmetic", .ops = SCALE | UNSCALE), .factor = 65536, .tensors = 1,
     .size = {129}},
    {SUITE_ROW("odd-factor", SMOKE, "scaler_width"), .factor = ODD, .tensors = 3, .size = {300, 5, 77}},
    {SUITE_ROW("third", STANDARD, "scaler_width signed_bias"), .factor = THIRD, .tensors = 2,
     .size = {2000, 3}},
    {SUITE_ROW("power-down", SMOKE, "scaler_arithmetic"), .factor = 0x1p-16, .tensors = 2, .size = {65, 130}},
    {SUITE_ROW("integers", STANDARD, "scaler_arithmetic self_encoding"), .fill = FILL_INTEGERS, .factor = 0.5,
     .tensors = 3, .size = {64, 63, 257}},
    {SUITE_ROW("ends", SMOKE, "scaler_range special_values", .ops = SCALE | UNSCALE), .fill = FILL_ENDS,
     .factor = 1, .tensors = 2, .size = {16, 24}},
    {SUITE_ROW("ends-doubled", STANDARD, "scaler_range special_values"), .fill = FILL_ENDS, .factor = 2,
     .tensors = 2, .size = {16, 24}},
    {SUITE_ROW("ends-halved", STANDARD, "scaler_range special_values"), .fill = FILL_ENDS, .factor = 0.5,
     .tensors = 2, .size = {16, 24}},
    {SUITE_ROW("tiny", SMOKE, "scaler_range"), .fill = FILL_TINY, .factor = 0x1p-16, .tensors = 1,
     .size = {40}},
    {SUITE_ROW("tiny-up", STANDARD, "scaler_range", .ops = SCALE | UNSCALE), .fill = FILL_TINY,
     .factor = 0x1p16, .tensors = 1, .size = {40}},
    {SUITE_ROW("specials", SMOKE, "special_values scaler_found_inf", .ops = SCALE | UNSCALE),
     .fill = FILL_SPECIALS, .factor = 0.25, .tensors = 1, .size = {80}},
    {SUITE_ROW("specials-odd", STANDARD, "special_values scaler_found_inf", .ops = SCALE | UNSCALE),
     .fill = FILL_SPECIALS, .factor = ODD, .tensors = 1, .size = {80}},
    {SUITE_ROW("length-0", SMOKE, "size_limits"), .factor = 2, .tensors = 2, .size = {0, 3}},
    {SUITE_ROW("length-0-alone", STANDARD, "size_limits"), .factor = 2, .tensors = 1, .size = {0}},
    {SUITE_ROW("length-1", STANDARD, "size_limits"), .factor = 2, .tensors = 3, .size = {1, 1, 1}},
    {SUITE_ROW("length-65537", STANDARD, "size_limits"), .factor = 0.125, .tensors = 2, .size = {65537, 2}},
    {SUITE_ROW("eight-tensors", SMOKE, "scaler_tensors", .ops = UNSCALE), .factor = 0.5, .tensors = 8,
     .size = {9, 1, 64, 0, 65, 3, 2, 130}},
    {SUITE_ROW("stale-found-inf", SMOKE, "scaler_found_inf", .ops = UNSCALE), .factor = 0.5, .tensors = 2,
     .size = {65, 3}, .found = 1},
    {SUITE_ROW("stale-found-inf-eight", STANDARD, "scaler_found_inf scaler_tensors", .ops = UNSCALE),
     .factor = 0.5, .tensors = 8, .size = {9, 1, 64, 0, 65, 3, 2, 130}, .found = 1},
    {BAD("inf-first-of-first", SMOKE, INFINITY, FIRST, FIRST)},
    {BAD("inf-last-of-last", SMOKE, INFINITY, LAST, LAST)},
    {BAD("inf-last-of-first", STANDARD, INFINITY, FIRST, LAST)},
    {BAD("inf-middle-of-last", STANDARD, INFINITY, LAST, MIDDLE)},
    {BAD("inf-first-of-last", STANDARD, INFINITY, LAST, FIRST)},
    {BAD("inf-alone-in-second", STANDARD, INFINITY, MIDDLE, FIRST)},
    {BAD("minus-inf-last-of-last", SMOKE, -INFINITY, LAST, LAST)},
    {BAD("minus-inf-middle-of-first", STANDARD, -INFINITY, FIRST, MIDDLE)},
    {BAD("nan-last-of-last", SMOKE, NAN, LAST, LAST)},
    {BAD("nan-first-of-first", STANDARD, NAN, FIRST, FIRST)},
    {SUITE_ROW("inf-in-65537", STANDARD, "scaler_found_inf size_limits", .ops = UNSCALE), .factor = 0.5,
     .tensors = 2, .size = {3, 65537}, .bad = INFINITY, .tensor = LAST, .element = LAST},
    {SUITE_ROW("inf-in-columns", STANDARD, "scaler_found_inf layout_grid", .ops = UNSCALE), .factor = 0.5,
     .tensors = 2, .size = {35, 91}, .bad = INFINITY, .tensor = LAST, .element = LAST,
     .layout = LAYOUT_COLUMNS},
    {SKIP("skip", SMOKE, 1)},
    {SKIP("skip-2", STANDARD, 2)},
    {SKIP("skip-nan", STANDARD, NAN)},
    {SKIP("skip-tiny", STANDARD, 0x1p-100)},
    {SKIP("skip-minus-zero", STANDARD, -0.0)},
    {SUITE_ROW("lr-a-quarter", SMOKE, "scaler_arithmetic flags", .ops = STEP), .factor = 0.25, .tensors = 1,
     .size = {129}},
    {SUITE_ROW("lr-a-tenth", SMOKE, "scaler_arithmetic flags", .ops = STEP), .factor = 0.1, .tensors = 1,
     .size = {1031}},
    {SUITE_ROW("lr-a-thousandth-skipped", SMOKE, "scaler_skip flags", .ops = STEP), .factor = 1e-3,
     .tensors = 1, .size = {257}, .found = 1},
    {LAID("transposed", STANDARD, TRANSPOSED)},
    {LAID("columns", SMOKE, COLUMNS)},
    {LAID("block", STANDARD, BLOCK)},
    {LAID("stepped2", STANDARD, STEPPED2)},
    {LAID("stepped3", STANDARD, STEPPED3)},
    {LAID("offset1", STANDARD, OFFSET1)},
    {LAID("transposed-block", SMOKE, TRANSPOSED_BLOCK)},
    {SUITE_ROW("refuse-float16-scale", SMOKE, "scaler_refusals scaler_width", .ops = UNSCALE,
               .build = build_refusal)},
    {SUITE_ROW("refuse-two-scales", SMOKE, "scaler_refusals scaler_width", .ops = UNSCALE,
               .build = build_refusal, .parameter = 1)},
};

static void declare(struct suite_list *list)
{
    suite_declare_rows(list, &(struct suite_table){SUITE_ROWS(rows),
                                                   .ops = {"amp_scale", "amp_unscale", "amp_step"},
                                                   .build = build, .level = level_beyond_float16_32});
}

const struct suite suite_amp_scaler = {.declare = declare};
