/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* amp_scale, amp_unscale and amp_step, one call each: layouts, sizes, where a grad is infinite, what
 * found_inf was before, scales whose low and high halves differ. */

#include "suites/shared/data.h"

#include <math.h>
#include <string.h>

enum { SCALE = 1, UNSCALE = 2, STEP = 4, TENSORS_MAX = 8 };
enum { ALL = 1U << DTYPE_FLOAT16 | 1U << DTYPE_BFLOAT16 | 1U << DTYPE_FLOAT32 | 1U << DTYPE_FLOAT64 };

enum fill {
    FILL_RANDOM,
    FILL_INTEGERS,
    FILL_ENDS,     /* 65504, the type's MAX, least numbers */
    FILL_SPECIALS, /* every special value */
    FILL_TINY      /* 2^-9 and neighbours: 2^-25 after 2^-16; every eighth is large, so that they resolve */
};

enum place { NOWHERE, FIRST, MIDDLE, LAST };

struct row {
    const char *name;
    enum level level;
    unsigned ops, dtypes;
    int64_t size[TENSORS_MAX]; /* elements; amp_scale and amp_step take the first tensor alone */
    int tensors;
    enum fill fill;
    enum layout layout;
    double factor; /* scale, inv_scale or lr */
    double found;  /* before */
    enum place tensor, element;
    double bad;
    const char *covers;
    int line;
};

#define ROW(name_, level_, ops_, fill_, factor_, covers_, tensors_, sizes_, ...)                             \
    {                                                                                                        \
        .name = name_, .level = LEVEL_##level_, .ops = ops_, .dtypes = ALL, .fill = FILL_##fill_,            \
        .factor = factor_, .covers = covers_, .line = __LINE__, .tensors = tensors_, .size = sizes_,         \
        __VA_ARGS__                                                                                          \
    }
#define S(...)                                                                                               \
    {                                                                                                        \
        __VA_ARGS__                                                                                          \
    }
#define EVERY (SCALE | UNSCALE | STEP)
#define LAID(name_, level_, layout_)                                                                         \
    ROW(name_, level_, EVERY, RANDOM, 0.0625, "layout_grid poison gaps_untouched", 2, S(91, 35),             \
        .layout = LAYOUT_##layout_)
#define BAD(name_, level_, bad_, tensor_, element_)                                                          \
    ROW(name_, level_, UNSCALE, RANDOM, 0.0009765625, "scaler_found_inf special_values", 4,                  \
        S(70, 1, 257, 65), .bad = bad_, .tensor = tensor_, .element = element_)
#define SKIP(name_, level_, found_)                                                                          \
    ROW(name_, level_, STEP, SPECIALS, 0.5, "scaler_skip special_values", 1, S(80), .found = found_)

/* The low half of ODD's 0x3f9e0652, taken for float16, is another number. */
#define ODD   0x1.3c0ca4p0
#define THIRD 0x1.555556p-2

static const struct row rows[] = {
    ROW("random", SMOKE, SCALE | UNSCALE, RANDOM, 65536, "scaler_arithmetic", 1, S(129), .found = 0),
    ROW("odd-factor", SMOKE, EVERY, RANDOM, ODD, "scaler_width", 3, S(300, 5, 77), .found = 0),
    ROW("third", STANDARD, EVERY, RANDOM, THIRD, "scaler_width signed_bias", 2, S(2000, 3), .found = 0),
    ROW("power-down", SMOKE, EVERY, RANDOM, 0x1p-16, "scaler_arithmetic", 2, S(65, 130), .found = 0),
    ROW("integers", STANDARD, EVERY, INTEGERS, 0.5, "scaler_arithmetic self_encoding", 3, S(64, 63, 257),
        .found = 0),
    ROW("ends", SMOKE, SCALE | UNSCALE, ENDS, 1, "scaler_range special_values", 2, S(16, 24), .found = 0),
    ROW("ends-doubled", STANDARD, EVERY, ENDS, 2, "scaler_range special_values", 2, S(16, 24), .found = 0),
    ROW("ends-halved", STANDARD, EVERY, ENDS, 0.5, "scaler_range special_values", 2, S(16, 24), .found = 0),
    ROW("tiny", SMOKE, EVERY, TINY, 0x1p-16, "scaler_range", 1, S(40), .found = 0),
    ROW("tiny-up", STANDARD, SCALE | UNSCALE, TINY, 0x1p16, "scaler_range", 1, S(40), .found = 0),
    ROW("specials", SMOKE, SCALE | UNSCALE, SPECIALS, 0.25, "special_values scaler_found_inf", 1, S(80),
        .found = 0),
    ROW("specials-odd", STANDARD, SCALE | UNSCALE, SPECIALS, ODD, "special_values scaler_found_inf", 1, S(80),
        .found = 0),
    ROW("length-0", SMOKE, EVERY, RANDOM, 2, "size_limits", 2, S(0, 3), .found = 0),
    ROW("length-0-alone", STANDARD, EVERY, RANDOM, 2, "size_limits", 1, S(0), .found = 0),
    ROW("length-1", STANDARD, EVERY, RANDOM, 2, "size_limits", 3, S(1, 1, 1), .found = 0),
    ROW("length-65537", STANDARD, EVERY, RANDOM, 0.125, "size_limits", 2, S(65537, 2), .found = 0),
    ROW("eight-tensors", SMOKE, UNSCALE, RANDOM, 0.5, "scaler_tensors", 8, S(9, 1, 64, 0, 65, 3, 2, 130),
        .found = 0),
    ROW("stale-found-inf", SMOKE, UNSCALE, RANDOM, 0.5, "scaler_found_inf", 2, S(65, 3), .found = 1),
    ROW("stale-found-inf-eight", STANDARD, UNSCALE, RANDOM, 0.5, "scaler_found_inf scaler_tensors", 8,
        S(9, 1, 64, 0, 65, 3, 2, 130), .found = 1),
    BAD("inf-first-of-first", SMOKE, INFINITY, FIRST, FIRST),
    BAD("inf-last-of-last", SMOKE, INFINITY, LAST, LAST),
    BAD("inf-last-of-first", STANDARD, INFINITY, FIRST, LAST),
    BAD("inf-middle-of-last", STANDARD, INFINITY, LAST, MIDDLE),
    BAD("inf-first-of-last", STANDARD, INFINITY, LAST, FIRST),
    BAD("inf-alone-in-second", STANDARD, INFINITY, MIDDLE, FIRST),
    BAD("minus-inf-last-of-last", SMOKE, -INFINITY, LAST, LAST),
    BAD("minus-inf-middle-of-first", STANDARD, -INFINITY, FIRST, MIDDLE),
    BAD("nan-last-of-last", SMOKE, NAN, LAST, LAST),
    BAD("nan-first-of-first", STANDARD, NAN, FIRST, FIRST),
    ROW("inf-in-65537", STANDARD, UNSCALE, RANDOM, 0.5, "scaler_found_inf size_limits", 2, S(3, 65537),
        .bad = INFINITY, .tensor = LAST, .element = LAST),
    ROW("inf-in-columns", STANDARD, UNSCALE, RANDOM, 0.5, "scaler_found_inf layout_grid", 2, S(35, 91),
        .bad = INFINITY, .tensor = LAST, .element = LAST, .layout = LAYOUT_COLUMNS),
    SKIP("skip", SMOKE, 1),
    SKIP("skip-2", STANDARD, 2),
    SKIP("skip-nan", STANDARD, NAN),
    SKIP("skip-tiny", STANDARD, 0x1p-100),
    SKIP("skip-minus-zero", STANDARD, -0.0),
    ROW("lr-a-quarter", SMOKE, STEP, RANDOM, 0.25, "scaler_arithmetic flags", 1, S(129), .found = 0),
    ROW("lr-a-tenth", SMOKE, STEP, RANDOM, 0.1, "scaler_arithmetic flags", 1, S(1031), .found = 0),
    ROW("lr-a-thousandth-skipped", SMOKE, STEP, RANDOM, 1e-3, "scaler_skip flags", 1, S(257), .found = 1),
    LAID("transposed", STANDARD, TRANSPOSED),
    LAID("columns", SMOKE, COLUMNS),
    LAID("block", STANDARD, BLOCK),
    LAID("stepped2", STANDARD, STEPPED2),
    LAID("stepped3", STANDARD, STEPPED3),
    LAID("offset1", STANDARD, OFFSET1),
    LAID("transposed-block", SMOKE, TRANSPOSED_BLOCK),
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

/* One float32 out of the middle of a storage whose other elements are poison. */
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

/* A scalar of another dtype or of two elements; grads of an integer type. */
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

static void declare(struct suite_list *list)
{
    static const char *const names[] = {"amp_scale", "amp_unscale", "amp_step"};
    for (int o = 0; o < 3; o++) {
        const struct op *op = op_find(names[o]);
        for (int d = 0; op && d < DTYPE_COUNT; d++) {
            struct suite_case c = {.op = op, .dtype = (enum dtype)d, .file = __FILE__, .level = LEVEL_SMOKE};
            for (size_t r = 0; (op->dtypes >> d & 1) && r < sizeof rows / sizeof *rows; r++) {
                if ((rows[r].ops >> o & 1) && (rows[r].dtypes >> d & 1)) {
                    c.name = rows[r].name;
                    c.level = level_beyond_float16_32(rows[r].level, c.dtype);
                    c.covers = rows[r].covers;
                    c.line = rows[r].line;
                    c.build = build;
                    c.row = &rows[r];
                    suite_declare(list, &c);
                }
            }
            for (int k = 0; o == 1 && (op->dtypes >> d & 1) && k < 2; k++) {
                c.name = k ? "refuse-two-scales" : "refuse-float16-scale";
                c.covers = "scaler_refusals scaler_width";
                c.line = __LINE__;
                c.build = build_refusal;
                c.parameter = k;
                suite_declare(list, &c);
            }
        }
    }
}

const struct suite suite_amp_scaler = {.declare = declare};
