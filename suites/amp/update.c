/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* amp_update_scale, one call per case: growth, backoff, intervals, the ends of the range. */

#include "suites/shared/rows.h"

#include <math.h>

struct row {
    struct suite_row row;
    double scale;
    int tracker;
    double found, growth, backoff;
    int interval;
};

static struct view scalar(struct builder *b, enum dtype dtype, double x)
{
    struct shape one = {.rank = 1, .dim = {1}};
    struct view view = build_tensor(b, dtype, &one, LAYOUT_OFFSET1);
    build_set(b, &view, 0, x);
    return view;
}

static struct attributes attributes_of(const struct row *row)
{
    return (struct attributes){
        .count = 3,
        .item = {{.name = "growth_factor", .type = ATTRIBUTE_REAL, .real = row->growth},
                 {.name = "backoff_factor", .type = ATTRIBUTE_REAL, .real = row->backoff},
                 {.name = "growth_interval", .type = ATTRIBUTE_INTEGER, .integer = row->interval}}};
}

static void build(struct builder *b)
{
    const struct row *row = b->c->row;
    struct attributes attributes = attributes_of(row);
    struct view input[] = {scalar(b, DTYPE_FLOAT32, row->scale), scalar(b, DTYPE_INT32, row->tracker),
                           scalar(b, DTYPE_FLOAT32, row->found)};
    build_step(b, b->c->op, &attributes, 3, input);
}

/* Must be refused: a scale of another width, a tracker of another dtype. */
static void build_refusal(struct builder *b)
{
    struct attributes attributes =
        attributes_of(&(struct row){.growth = 2, .backoff = 0.5, .interval = 2000});
    struct view input[] = {scalar(b, b->c->parameter ? DTYPE_FLOAT32 : DTYPE_FLOAT16, 2),
                           scalar(b, b->c->parameter ? DTYPE_FLOAT32 : DTYPE_INT32, 0),
                           scalar(b, DTYPE_FLOAT32, 0)};
    build_rejection(b, b->c->op, &attributes, 3, input);
}

/* The state before the call (scale, tracker, found_inf), then growth factor, backoff factor and growth
 * interval. */
#define ROW(name_, scale_, tracker_, found_, growth_, backoff_, interval_)                                   \
    SUITE_ROW(name_, SMOKE, NULL), .scale = scale_, .tracker = tracker_, .found = found_, .growth = growth_, \
                                   .backoff = backoff_, .interval = interval_

static const struct row rows[] = {
    {ROW("first-step", 65536, 0, 0, 2, 0.5, 2000)},
    {ROW("one-before-growth", 65536, 1998, 0, 2, 0.5, 2000)},
    {ROW("growth-at-2000", 65536, 1999, 0, 2, 0.5, 2000)},
    {ROW("growth-at-1", 65536, 0, 0, 2, 0.5, 1)},
    {ROW("growth-at-2", 1024, 1, 0, 2, 0.5, 2)},
    {ROW("beyond-interval", 65536, 2000, 0, 2, 0.5, 2000)},
    {ROW("backoff", 65536, 0, 1, 2, 0.5, 2000)},
    {ROW("backoff-at-interval", 65536, 1999, 1, 2, 0.5, 2000)},
    {ROW("backoff-resets-tracker", 65536, 1234, 1, 2, 0.5, 2000)},
    {ROW("backoff-below-1", 1, 7, 1, 2, 0.5, 2000)},
    {ROW("backoff-small", 0x1p-100, 7, 1, 2, 0.25, 2000)},
    {ROW("growth-to-max", 0x1.fffffep126, 0, 0, 2, 0.5, 1)},
    {ROW("growth-past-max", 0x1p127, 0, 0, 2, 0.5, 1)},
    {ROW("growth-past-max-odd", 0x1.3c0ca4p127, 4, 0, 2, 0.5, 5)},
    {ROW("growth-past-max-by-half", 0x1.8p127, 1, 0, 1.5, 0.5, 2)},
    {ROW("backoff-from-max", 0x1.fffffep127, 3, 1, 2, 0.5, 1)},
    {ROW("odd-scale", 0x1.3c0ca4p0, 0, 0, 2, 0.5, 1)},
    {ROW("odd-scale-backoff", 0x1.3c0ca4p10, 5, 1, 2, 0.5, 1000)},
    {ROW("growth-by-half", 0x1.3c0ca4p3, 0, 0, 1.5, 0.75, 1)},
    {ROW("backoff-by-a-quarter", 0x1.3c0ca4p3, 9, 1, 1.5, 0.75, 10)},
    {ROW("growth-by-a-tenth", 1000, 0, 0, 1.1, 0.9, 1)},
    {ROW("backoff-by-a-tenth", 1000, 0, 1, 1.1, 0.9, 1)},
    {ROW("found-2", 256, 1, 2, 2, 0.5, 2)},
    {ROW("found-nan", 256, 1, NAN, 2, 0.5, 2)},
    {ROW("found-minus-zero", 256, 1, -0.0, 2, 0.5, 2)},
    {ROW("tracker-large", 256, 2147483000, 0, 2, 0.5, 2147483001)},
    {SUITE_ROW("refuse-float16-scale", SMOKE, "scaler_refusals scaler_width", .build = build_refusal)},
    {SUITE_ROW("refuse-float32-tracker", SMOKE, "scaler_refusals scaler_width", .build = build_refusal,
               .parameter = 1)},
};

static void declare(struct suite_list *list)
{
    suite_declare_rows(list, &(struct suite_table){SUITE_ROWS(rows), .ops = {"amp_update_scale"},
                                                   .dtypes = 1U << DTYPE_FLOAT32,
                                                   .covers = "scaler_growth flags", .build = build});
}

const struct suite suite_amp_update = {.declare = declare};
