/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Programs of several rounds of a gradient scaler: scale, unscale, step, update, with an infinite gradient in
 * one round. Scale, tracker and parameters stay on the device between the steps. All data are small integers
 * and powers of two, so that every result is exact. */

#include "suites/shared/rows.h"

#include <math.h>
#include <string.h>

enum { NEVER = -1, FLOAT16_32 = 1U << DTYPE_FLOAT16 | 1U << DTYPE_FLOAT32, FLOAT32 = 1U << DTYPE_FLOAT32 };

struct row {
    struct suite_row row;
    /* bad: the round in which the last element of the last grad is `value`, no finite number */
    int rounds, bad;
    double value;
    double scale; /* the scale at the start */
    int interval; /* growth interval */
    enum layout layout;
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

/* Fills a tensor with even integers up to 4 in size, times `factor`. */
static struct view even(struct builder *b, const struct shape *shape, enum layout layout, int salt,
                        double factor)
{
    struct view view = build_tensor(b, b->c->dtype, shape, layout);
    for (int64_t i = 0; i < shape_elements(shape); i++) {
        build_set(b, &view, i, factor * (double)(2 * ((i * 3 + salt) % 5) - 4));
    }
    return view;
}

/* Returns scaled gradients as a backward pass leaves them: float32 and float64 ones are scaled by a step on
 * the device, 16-bit ones are filled scaled. */
static struct view scaled(struct builder *b, const struct row *row, const struct shape *shape, int salt,
                          const struct view *scale, double known, bool bad)
{
    bool wide = b->c->dtype == DTYPE_FLOAT32 || b->c->dtype == DTYPE_FLOAT64;
    struct view grad = even(b, shape, row->layout, salt, wide ? 1 : known);
    if (bad) {
        build_set(b, &grad, shape_elements(shape) - 1, row->value);
    }
    if (!wide) {
        return grad;
    }
    struct view input[] = {grad, *scale};
    struct step *step = exact(b, "amp_scale", NULL, 2, input);
    return step ? step->output[0] : grad;
}

static void build_rounds(struct builder *b)
{
    const struct row *row = b->c->row;
    struct shape shape[2] = {shape_of(2, (int64_t)9, (int64_t)8), shape_of(2, (int64_t)3, (int64_t)11)};
    struct view param[2], scale = scalar(b, DTYPE_FLOAT32, row->scale), tracker;
    struct attributes lr = {.count = 1, .item = {{.name = "lr", .type = ATTRIBUTE_REAL, .real = 0.5}}};
    double known = row->scale;
    int good = 0;
    tracker = scalar(b, DTYPE_INT32, 0);
    for (int t = 0; t < 2; t++) {
        param[t] = even(b, &shape[t], row->layout, 7 * t, 1);
    }
    for (int r = 0; r < row->rounds; r++) {
        struct view found = scalar(b, DTYPE_FLOAT32, 0), input[4];
        for (int t = 0; t < 2; t++) {
            input[t] = scaled(b, row, &shape[t], r + 2 * t, &scale, known, r == row->bad && t == 1);
        }
        input[2] = found;
        input[3] = scalar(b, DTYPE_FLOAT32, 1 / known);
        exact(b, "amp_unscale", NULL, 4, input);
        for (int t = 0; t < 2; t++) {
            struct view step[] = {param[t], input[t], found};
            exact(b, "amp_step", &lr, 3, step);
        }
        update(b, &scale, &tracker, &found, row->interval);
        good = r == row->bad ? 0 : good + 1;
        known *= r == row->bad ? 0.5 : good == row->interval ? 2 : 1;
        good = good == row->interval ? 0 : good;
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

/* The scaled gradients of four micro-batches are added up, then unscaled once. */
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

/* Only updates of scale and tracker, round after round. The case's parameter selects the sequence; in the
 * last one two scalers take turns. */
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

#define ROUNDS(name_, level_, covers_, rounds_, scale_, interval_)                                           \
    SUITE_ROW(name_, level_, covers_, .build = build_rounds), .rounds = rounds_, .scale = scale_,            \
                                                              .interval = interval_
#define SKIPPED "scaler_rounds scaler_skip"

static const struct row rows[] = {
    {ROUNDS("life-interval-1", SMOKE, "scaler_rounds order", 4, 64, 1), .bad = NEVER},
    {ROUNDS("life-inf-at-2", SMOKE, SKIPPED " order", 5, 64, 2), .bad = 2, .value = INFINITY},
    {ROUNDS("life-nan-at-0", STANDARD, SKIPPED, 3, 64, 1), .bad = 0, .value = NAN},
    {ROUNDS("life-inf-at-5", STANDARD, SKIPPED, 6, 32, 2), .bad = 5, .value = -INFINITY},
    {ROUNDS("life-interval-2000", STANDARD, "scaler_rounds", 6, 1024, 2000), .bad = 3, .value = INFINITY},
    {ROUNDS("life-columns", STANDARD, "scaler_rounds layout_grid gaps_untouched", 4, 64, 1), .bad = 1,
     .value = INFINITY, .layout = LAYOUT_COLUMNS},
    {ROUNDS("life-transposed", STANDARD, "scaler_rounds layout_grid", 4, 64, 2), .bad = 2, .value = INFINITY,
     .layout = LAYOUT_TRANSPOSED_BLOCK},
    {SUITE_ROW("chain-stale-found-inf", SMOKE, "scaler_rounds scaler_found_inf order", .build = build_stale,
               .same_level = true)},
    {SUITE_ROW("chain-accumulated", SMOKE, "scaler_rounds order", .build = build_accumulated,
               .dtypes = FLOAT16_32, .same_level = true)},
};

static const struct row update_rows[] = {
    {SUITE_ROW("chain-growth-to-the-end", SMOKE, NULL, .parameter = 0)},
    {SUITE_ROW("chain-backoff-below-1", SMOKE, NULL, .parameter = 1)},
    {SUITE_ROW("chain-two-scalers", SMOKE, NULL, .parameter = 2)},
};

static void declare(struct suite_list *list)
{
    suite_declare_rows(list, &(struct suite_table){SUITE_ROWS(rows), .ops = {"amp_unscale"},
                                                   .level = level_beyond_float16_32});
    suite_declare_rows(
        list, &(struct suite_table){SUITE_ROWS(update_rows), .ops = {"amp_update_scale"}, .dtypes = FLOAT32,
                                    .covers = "scaler_growth scaler_rounds order", .build = build_updates});
}

const struct suite suite_amp_chains = {.declare = declare};
