/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/norm/normalization.h"
#include "suites/plan/call_builder.h"

/* An outlier that holds a part of the variance, so that what the others become still varies. */
static double outlier(int64_t count)
{
    double x = 2;
    while (x * x < 4.0 * (double)count) {
        x *= 2;
    }
    return x;
}

/* The call on runs of `count` elements that follow one another and share a statistic. */
static void normalization_step(const struct call_builder *m, const struct normalization_call *call,
                               int64_t runs, int64_t count, bool special)
{
    bool gradient = normalization_is_gradient(m->b->c->op);
    for (int64_t k = 0; k < runs; k++) {
        call_set_decisive(m, &call->input[gradient], (struct run){k * count, 1, count}, k, runs,
                          outlier(count), special);
    }
    build_step(m->b, m->b->c->op, &call->attributes, call->inputs, call->input);
}

static struct normalization_row normalization_row_of(const struct call_builder *m)
{
    static const unsigned absent[] = {0, NO_BIAS, NO_WEIGHT, NO_WEIGHT | NO_BIAS};
    bool gradient = normalization_is_gradient(m->b->c->op);
    struct normalization_row row = {.absent = absent[m->call->turn / 2 % 4], .fill = FILL_RANDOM};
    row.x = call_layout(m, 0, 3);
    row.grad = gradient ? call_layout(m, 1, 3) : LAYOUT_CONTIGUOUS;
    row.weight = row.bias = call_layout(m, 2, 3);
    return row;
}

void call_build_layer(const struct call_builder *m)
{
    struct normalization_row row = normalization_row_of(m);
    int64_t rows = call_size(m, PLAN_ROWS), terms = call_size(m, PLAN_TERMS);
    row.parameter = 1;
    row.rank = rows == 1 && m->call->turn % 2 ? 1 : 2;
    row.dim[0] = row.rank == 1 ? terms : rows;
    row.dim[1] = terms;
    struct normalization_call call = normalization_layer(m->b, &row);
    normalization_step(m, &call, rows, terms, !normalization_is_gradient(m->b->c->op));
}

/* A group's elements as one channel, two, or a channel each. */
void call_build_group(const struct call_builder *m)
{
    struct normalization_row row = normalization_row_of(m);
    int64_t batch = call_size(m, PLAN_BATCH), groups = call_size(m, PLAN_GROUPS),
            terms = call_size(m, PLAN_TERMS);
    bool instance = normalization_kind(m->b->c->op) == NORMALIZATION_INSTANCE;
    int64_t channels = instance                                  ? 1
                       : m->call->turn % 3 == 2 && terms <= 1025 ? terms
                       : m->call->turn % 2 && terms % 2 == 0     ? 2
                                                                 : 1;
    row.parameter = (int)groups;
    row.statistics =
        m->planned->form == FORM_INSTANCE ? (enum normalization_statistics)m->call->variant : STATISTICS_OWN;
    row.running = call_layout(m, 2, 3);
    row.rank = !instance && channels == terms ? 2 : 3;
    row.dim[0] = batch;
    row.dim[1] = groups * channels;
    row.dim[2] = terms / channels;
    struct normalization_call call = normalization_group(m->b, &row);
    /* A NaN would reach every sum of a gradient, and the mean over the samples. */
    normalization_step(m, &call, batch * groups, terms,
                       !normalization_is_gradient(m->b->c->op) &&
                           (row.statistics != STATISTICS_MOVED || batch == 1));
}

void call_build_channels(const struct call_builder *m)
{
    struct normalization_row row = normalization_row_of(m);
    int64_t batch = call_size(m, PLAN_BATCH), groups = call_size(m, PLAN_GROUPS),
            columns = call_size(m, PLAN_COLUMNS);
    bool split = columns % 2 == 0 && m->call->turn % 3 == 0;
    row.parameter = m->call->variant;
    row.rank = columns == 1 && m->call->turn % 2 ? 2 : split ? 4 : 3;
    row.dim[0] = batch;
    row.dim[1] = groups;
    row.dim[2] = split ? 2 : columns;
    row.dim[3] = columns / 2;
    row.running = call_layout(m, 2, 3);
    struct normalization_call call = normalization_channels(m->b, &row);
    bool gradient = normalization_is_gradient(m->b->c->op);
    for (int64_t c = 0; c < groups; c++) { /* whose elements lie in every sample */
        enum plan_place place = (enum plan_place)((m->call->place + c) % PLACES);
        int64_t at = call_place(place, batch * columns);
        struct run one = {at / columns * groups * columns + c * columns + at % columns, 1, 1};
        call_set_decisive(m, &call.input[gradient], one, c, groups, outlier(batch * columns), !gradient);
    }
    build_step(m->b, m->b->c->op, &call.attributes, call.inputs, call.input);
}
