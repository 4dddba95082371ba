/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* A scaler's life on the device: scale, unscale, step, update, several times over, with an infinite gradient
 * on the way. Scale, tracker and parameters stay on the device between the steps. Everything is exact: small
 * integers, powers of two. */

#include "suites/build.h"

#include <math.h>
#include <string.h>

enum { ROUNDS_MAX = 6, NEVER = -1 };

struct life {
    int rounds, bad; /* the round whose last element of the last grad is not finite */
    double value;    /* that element */
    double scale;
    int interval;
    enum layout layout;
};

struct row {
    const char *name;
    enum level level;
    struct life life;
    const char *covers;
    int line;
};

#define ROW(name_, level_, covers_, ...)                                                                     \
    {                                                                                                        \
        name_, LEVEL_##level_, {__VA_ARGS__}, covers_, __LINE__                                              \
    }

static const struct row lives[] = {
    ROW("life-interval-1", SMOKE, "scaler_life order", 4, NEVER, 0, 64, 1, LAYOUT_CONTIGUOUS),
    ROW("life-inf-at-2", SMOKE, "scaler_life order scaler_skip", 5, 2, INFINITY, 64, 2, LAYOUT_CONTIGUOUS),
    ROW("life-nan-at-0", STANDARD, "scaler_life scaler_skip", 3, 0, NAN, 64, 1, LAYOUT_CONTIGUOUS),
    ROW("life-inf-at-5", STANDARD, "scaler_life scaler_skip", 6, 5, -INFINITY, 32, 2, LAYOUT_CONTIGUOUS),
    ROW("life-interval-2000", STANDARD, "scaler_life", 6, 3, INFINITY, 1024, 2000, LAYOUT_CONTIGUOUS),
    ROW("life-columns", STANDARD, "scaler_life layout_grid gaps_untouched", 4, 1, INFINITY, 64, 1,
        LAYOUT_COLUMNS),
    ROW("life-transposed", STANDARD, "scaler_life layout_grid", 4, 2, INFINITY, 64, 2,
        LAYOUT_TRANSPOSED_BLOCK),
};

static struct view scalar(struct builder *b, enum dtype dtype, double x)
{
    struct shape one = {.rank = 1, .dim = {1}};
    struct view view = build_tensor(b, dtype, &one, LAYOUT_CONTIGUOUS);
    build_set(b, &view, 0, x);
    return view;
}

static struct step *exact(struct builder *b, const char *op, const struct attributes *attributes, int inputs,
                          const struct view *input)
{
    struct step *step = build_step(b, op_find(op), attributes, inputs, input);
    if (step) {
        step->exact = true;
    }
    return step;
}

static void update(struct builder *b, const struct view *scale, const struct view *tracker,
                   const struct view *found, int interval)
{
    struct attributes attributes = {
        .count = 3,
        .item = {{.name = "growth_factor", .type = ATTRIBUTE_REAL, .real = 2},
                 {.name = "backoff_factor", .type = ATTRIBUTE_REAL, .real = 0.5},
                 {.name = "growth_interval", .type = ATTRIBUTE_INTEGER, .integer = interval}}};
    struct view input[] = {*scale, *tracker, *found};
    exact(b, "amp_update_scale", &attributes, 3, input);
}

/* Integers of even value up to 4, times `factor`. */
static struct view even(struct builder *b, const struct shape *shape, enum layout layout, int salt,
                        double factor)
{
    struct view view = build_tensor(b, b->c->dtype, shape, layout);
    for (int64_t i = 0; i < shape_elements(shape); i++) {
        build_set(b, &view, i, factor * (double)(2 * ((i * 3 + salt) % 5) - 4));
    }
    return view;
}

/* The gradients that a backward pass leaves: those of float32 and float64 are scaled on the device, 16-bit
 * ones arrive scaled. */
static struct view scaled(struct builder *b, const struct life *life, const struct shape *shape, int salt,
                          const struct view *scale, double known, bool bad)
{
    bool wide = b->c->dtype == DTYPE_FLOAT32 || b->c->dtype == DTYPE_FLOAT64;
    struct view grad = even(b, shape, life->layout, salt, wide ? 1 : known);
    if (bad) {
        build_set(b, &grad, shape_elements(shape) - 1, life->value);
    }
    if (!wide) {
        return grad;
    }
    struct view input[] = {grad, *scale};
    struct step *step = exact(b, "amp_scale", NULL, 2, input);
    return step ? step->output[0] : grad;
}

static void build_life(struct builder *b)
{
    const struct life *life = &((const struct row *)b->c->row)->life;
    struct shape shape[2] = {shape_of(2, (int64_t)9, (int64_t)8), shape_of(2, (int64_t)3, (int64_t)11)};
    struct view param[2], scale = scalar(b, DTYPE_FLOAT32, life->scale), tracker;
    struct attributes lr = {.count = 1, .item = {{.name = "lr", .type = ATTRIBUTE_REAL, .real = 0.5}}};
    double known = life->scale;
    int good = 0;
    tracker = scalar(b, DTYPE_INT32, 0);
    for (int t = 0; t < 2; t++) {
        param[t] = even(b, &shape[t], life->layout, 7 * t, 1);
    }
    for (int r = 0; r < life->rounds; r++) {
        struct view found = scalar(b, DTYPE_FLOAT32, 0), input[4];
        for (int t = 0; t < 2; t++) {
            input[t] = scaled(b, life, &shape[t], r + 2 * t, &scale, known, r == life->bad && t == 1);
        }
        input[2] = found;
        input[3] = scalar(b, DTYPE_FLOAT32, 1 / known);
        exact(b, "amp_unscale", NULL, 4, input);
        for (int t = 0; t < 2; t++) {
            struct view step[] = {param[t], input[t], found};
            exact(b, "amp_step", &lr, 3, step);
        }
        update(b, &scale, &tracker, &found, life->interval);
        good = r == life->bad ? 0 : good + 1;
        known *= r == life->bad ? 0.5 : good == life->interval ? 2 : 1;
        good = good == life->interval ? 0 : good;
    }
}

/* found_inf stays 1 through a clean unscale, until the caller zeroes it. */
static void build_stale(struct builder *b)
{
    struct shape shape = {.rank = 1, .dim = {70}};
    struct view found = scalar(b, DTYPE_FLOAT32, 0), half = scalar(b, DTYPE_FLOAT32, 0.5);
    struct view param = even(b, &shape, LAYOUT_CONTIGUOUS, 0, 1);
    struct attributes lr = {.count = 1, .item = {{.name = "lr", .type = ATTRIBUTE_REAL, .real = 0.5}}};
    for (int r = 0; r < 4; r++) {
        struct view grad = even(b, &shape, LAYOUT_CONTIGUOUS, r, 2), input[] = {grad, found, half};
        struct view step[] = {param, grad, found}, zeroing[] = {found, scalar(b, DTYPE_FLOAT32, 0)};
        if (r == 1) {
            build_set(b, &grad, 69, (double)INFINITY);
        }
        exact(b, "amp_unscale", NULL, 3, input);
        exact(b, "amp_step", &lr, 3, step);
        if (r == 2) {
            exact(b, "mul_", NULL, 2, zeroing);
        }
    }
}

/* Four micro-batches of scaled gradients are added up, then unscaled once. */
static void build_accumulated(struct builder *b)
{
    struct shape shape = {.rank = 1, .dim = {131}};
    struct view sum = even(b, &shape, LAYOUT_CONTIGUOUS, 0, 256);
    for (int r = 1; r < 4; r++) {
        struct view add[] = {sum, even(b, &shape, LAYOUT_CONTIGUOUS, r, 256)};
        exact(b, "add_", NULL, 2, add);
    }
    struct view found = scalar(b, DTYPE_FLOAT32, 0);
    struct view input[] = {sum, found, scalar(b, DTYPE_FLOAT32, 0x1p-8)};
    struct view step[] = {even(b, &shape, LAYOUT_CONTIGUOUS, 3, 1), sum, found};
    struct attributes lr = {.count = 1, .item = {{.name = "lr", .type = ATTRIBUTE_REAL, .real = 0.25}}};
    exact(b, "amp_unscale", NULL, 3, input);
    exact(b, "amp_step", &lr, 3, step);
}

/* Scale and tracker alone, round after round; parameter: which. Two scalers take turns in the last. */
static void build_updates(struct builder *b)
{
    static const double first[] = {0x1p125, 4, 65536};
    struct view scale[2], tracker[2], found[2];
    for (int s = 0; s < 2; s++) {
        scale[s] = scalar(b, DTYPE_FLOAT32, s ? 3 : first[b->c->parameter]);
        tracker[s] = scalar(b, DTYPE_INT32, 0);
        found[s] = scalar(b, DTYPE_FLOAT32, s);
    }
    for (int r = 0; r < 5; r++) {
        if (b->c->parameter == 2) {
            update(b, &scale[0], &tracker[0], &found[0], 2);
            update(b, &scale[1], &tracker[1], &found[r == 3 ? 1 : 0], 3);
        } else {
            update(b, &scale[0], &tracker[0], &found[b->c->parameter], 1);
        }
    }
}

static void declare(struct suite_list *list)
{
    struct suite_case c = {.op = op_find("amp_unscale"), .file = __FILE__};
    for (int d = 0; c.op && d < DTYPE_COUNT; d++) {
        c.dtype = (enum dtype)d;
        for (size_t r = 0; (c.op->dtypes >> d & 1) && r < sizeof lives / sizeof *lives; r++) {
            c.name = lives[r].name;
            c.level = level_beyond_float16_32(lives[r].level, c.dtype);
            c.covers = lives[r].covers;
            c.line = lives[r].line;
            c.row = &lives[r];
            c.build = build_life;
            suite_declare(list, &c);
        }
        c.level = LEVEL_SMOKE;
        c.line = __LINE__;
        if (c.op->dtypes >> d & 1) {
            c.name = "chain-stale-found-inf";
            c.covers = "scaler_life scaler_found_inf order";
            c.build = build_stale;
            suite_declare(list, &c);
        }
        if (d == DTYPE_FLOAT16 || d == DTYPE_FLOAT32) {
            c.name = "chain-accumulated";
            c.covers = "scaler_life order";
            c.build = build_accumulated;
            suite_declare(list, &c);
        }
    }
    static const char *const names[] = {"chain-growth-to-the-end", "chain-backoff-below-1",
                                        "chain-two-scalers"};
    c.op = op_find("amp_update_scale");
    c.dtype = DTYPE_FLOAT32;
    c.covers = "scaler_growth scaler_life order";
    c.build = build_updates;
    for (int k = 0; c.op && k < 3; k++) {
        c.name = names[k];
        c.line = __LINE__;
        c.parameter = k;
        suite_declare(list, &c);
    }
}

const struct suite suite_amp_chains = {.declare = declare};
