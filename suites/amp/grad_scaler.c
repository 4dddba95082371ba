/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* grad_scaler: sequences of unscale_, step and update on one optimizer, and sequences that must be
 * refused. */

#include "suites/shared/data.h"
#include "suites/shared/rows.h"

#include <math.h>
#include <string.h>

enum { PAIRS_MAX = 4, ELEMENTS = 35 };

struct row {
    struct suite_row row;
    const char *calls; /* U unscale_, S step, W update */
    int pairs;         /* number of pairs of param and grad; 0: two */
    int infinite;      /* the pair, counted from 1, whose last grad is `bad`; 0: none */
    double bad;
    double lr;             /* 0: 1/4 */
    double scale;          /* 0: 2^16 */
    int tracker, interval; /* interval 0: 2000 */
    enum layout layout;    /* of every param and grad */
    bool random;           /* random data; otherwise integers, of which every result is exact */
    bool narrow;           /* float16 params and grads, whatever the case's dtype */
    bool refused;
};

#define REFUSE(name_, level_, calls_)                                                                        \
    SUITE_ROW(name_, level_, "scaler_order"), .calls = calls_, .refused = true

static const struct row rows[] = {
    {SUITE_ROW("unscale-step-update", SMOKE, NULL), .calls = "USW"},
    {SUITE_ROW("step-unscales-by-itself", SMOKE, NULL), .calls = "SW"},
    {SUITE_ROW("unscale-alone", STANDARD, NULL), .calls = "U"},
    {SUITE_ROW("step-alone", STANDARD, NULL), .calls = "S"},
    {SUITE_ROW("update-without-step", STANDARD, NULL), .calls = "UW"},
    {SUITE_ROW("unscale-step", STANDARD, NULL), .calls = "US"},
    {SUITE_ROW("two-rounds", STANDARD, NULL), .calls = "USWUSW"},
    {SUITE_ROW("two-rounds-growth", SMOKE, NULL), .calls = "USWUSW", .interval = 1},
    {SUITE_ROW("growth-between-rounds", STANDARD, NULL), .calls = "SWUSW", .interval = 8, .tracker = 7},
    {SUITE_ROW("three-steps", STANDARD, NULL), .calls = "SWSWSW", .interval = 2},
    {SUITE_ROW("scale-below-1", STANDARD, NULL), .calls = "USWUSW", .scale = 0x1p-3},
    {SUITE_ROW("inf-in-last-pair", SMOKE, NULL), .calls = "USW", .pairs = 4, .infinite = 4, .bad = INFINITY},
    {SUITE_ROW("inf-in-first-pair", STANDARD, NULL), .calls = "SW", .pairs = 4, .infinite = 1,
     .bad = INFINITY},
    {SUITE_ROW("minus-inf-in-second-pair", STANDARD, NULL), .calls = "USW", .pairs = 3, .infinite = 2,
     .bad = -INFINITY},
    {SUITE_ROW("nan-in-last-pair", STANDARD, NULL), .calls = "SW", .infinite = 2, .bad = NAN},
    {SUITE_ROW("inf-in-two-rounds", STANDARD, NULL), .calls = "USWUSW", .infinite = 1, .bad = INFINITY,
     .tracker = 5},
    {SUITE_ROW("inf-unscale-update", STANDARD, NULL), .calls = "UW", .infinite = 2, .bad = INFINITY},
    {SUITE_ROW("four-pairs", STANDARD, NULL), .calls = "USW", .pairs = 4},
    {SUITE_ROW("random", STANDARD, NULL), .calls = "SW", .random = true, .lr = 0.1},
    {SUITE_ROW("random-two-rounds", SMOKE, NULL), .calls = "SWUSW", .random = true, .lr = 0.1, .interval = 1},
    {SUITE_ROW("transposed", STANDARD, "scaler_calls layout_grid"), .calls = "USW",
     .layout = LAYOUT_TRANSPOSED},
    {SUITE_ROW("block", SMOKE, "scaler_calls layout_grid poison gaps_untouched"), .calls = "USW",
     .layout = LAYOUT_BLOCK},
    {SUITE_ROW("stepped2", STANDARD, "scaler_calls layout_grid poison gaps_untouched"), .calls = "USW",
     .layout = LAYOUT_STEPPED2},
    {REFUSE("refuse-unscale-twice", SMOKE, "UU"), .pairs = 1},
    {REFUSE("refuse-unscale-twice-then-step", SMOKE, "UUSW")},
    {REFUSE("refuse-unscale-twice-second-round", STANDARD, "USWUU")},
    {REFUSE("refuse-unscale-after-step", SMOKE, "SU"), .pairs = 1},
    {REFUSE("refuse-step-twice", SMOKE, "SS")},
    {REFUSE("refuse-step-twice-unscaled", STANDARD, "USS")},
    {REFUSE("refuse-update-first", SMOKE, "W"), .pairs = 1},
    {REFUSE("refuse-update-twice", STANDARD, "USWW")},
    {REFUSE("refuse-float16-grads", SMOKE, "USW"), .narrow = true},
};

/* Fills the p-th pair of param and grad: with integers, the grads times the scale, or with random numbers. */
static void fill(struct builder *b, const struct row *row, int p, struct view pair[2])
{
    struct philox generator = build_generator(b, p);
    double scale = row->scale > 0 ? row->scale : 65536;
    int64_t elements = shape_elements(&pair[0].shape);
    for (int64_t i = 0; !b->failed && i < elements; i++) {
        double param = data_integer(&generator, 64), grad = 4 * data_integer(&generator, 8);
        if (row->random) {
            param = data_integer(&generator, 1 << 20) * 0x1p-17;
            grad = data_integer(&generator, 1 << 20) * 0x1p-19;
        }
        build_set(b, &pair[0], i, param);
        build_set(b, &pair[1], i, row->infinite == p + 1 && i == elements - 1 ? row->bad : grad * scale);
    }
}

static struct integers numbers_of(const char *calls)
{
    static const char letters[] = "USW"; /* in the order of the numbers in the attribute */
    struct integers numbers = {.count = (int)strlen(calls)};
    for (int c = 0; calls[c]; c++) {
        numbers.item[c] = strchr(letters, calls[c]) - letters;
    }
    return numbers;
}

static bool is_matrix_layout(enum layout layout)
{
    return layout == LAYOUT_TRANSPOSED || layout == LAYOUT_BLOCK;
}

static void build(struct builder *b)
{
    const struct row *row = b->c->row;
    int pairs = row->pairs > 0 ? row->pairs : 2;
    struct view input[2 * PAIRS_MAX + 2];
    struct attributes attributes = {
        .count = 5,
        .item = {{.name = "calls", .type = ATTRIBUTE_INTEGERS, .integers = numbers_of(row->calls)},
                 {.name = "lr", .type = ATTRIBUTE_REAL, .real = row->lr > 0 ? row->lr : 0.25},
                 {.name = "growth_factor", .type = ATTRIBUTE_REAL, .real = 2},
                 {.name = "backoff_factor", .type = ATTRIBUTE_REAL, .real = 0.5},
                 {.name = "growth_interval",
                  .type = ATTRIBUTE_INTEGER,
                  .integer = row->interval > 0 ? row->interval : 2000}}};
    for (int p = 0; p < pairs; p++) {
        struct shape shape = shape_of(1, (int64_t)(p == 1 ? 1 : ELEMENTS + 64 * p));
        if (is_matrix_layout(row->layout)) {
            shape = shape_of(2, (int64_t)5, (int64_t)7 + p);
        }
        for (int k = 0; k < 2; k++) {
            input[2 * p + k] =
                build_tensor(b, row->narrow ? DTYPE_FLOAT16 : b->c->dtype, &shape, row->layout);
        }
        fill(b, row, p, &input[2 * p]);
    }
    input[2 * pairs] = build_vector(b, DTYPE_FLOAT32, 1);
    input[2 * pairs + 1] = build_vector(b, DTYPE_INT32, 1);
    build_set(b, &input[2 * pairs], 0, row->scale > 0 ? row->scale : 65536);
    build_set(b, &input[2 * pairs + 1], 0, row->tracker);
    if (row->refused || row->narrow) {
        build_rejection(b, b->c->op, &attributes, 2 * pairs + 2, input);
    } else {
        struct step *step = build_step(b, b->c->op, &attributes, 2 * pairs + 2, input);
        if (step) {
            step->exact = !row->random;
        }
    }
}

static void declare(struct suite_list *list)
{
    suite_declare_rows(list, &(struct suite_table){SUITE_ROWS(rows), .ops = {"grad_scaler"},
                                                   .covers = "scaler_calls scaler_rounds", .build = build,
                                                   .level = level_beyond_float32});
}

const struct suite suite_amp_grad_scaler = {.declare = declare};
