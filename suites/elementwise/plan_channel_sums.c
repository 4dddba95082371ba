/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Calls of the plan of sizes: prelu_backward_weight, which sums for each channel or over all. */
#include "suites/plan/call_builder.h"
#include "suites/plan/measure.h"

/* A sum for each channel, or (variant 1) one of all; what decides is a product with 2. */
static void build_channel_sums(const struct call_builder *m)
{
    int64_t batch = call_size(m, PLAN_BATCH), groups = call_size(m, PLAN_GROUPS),
            columns = call_size(m, PLAN_COLUMNS);
    const bool split = columns % 2 == 0 && m->call->turn % 3 == 0, each = m->call->variant == 0;
    struct shape shape = {.rank = columns == 1 && m->call->turn % 2 ? 2
                                  : split                           ? 4
                                                                    : 3,
                          .dim = {batch, groups, split ? 2 : columns, columns / 2}};
    const struct shape weight = shape_of(1, each ? groups : 1);
    const int64_t sums = each ? groups : 1, run = each ? columns : groups * columns, terms = batch * run;
    struct view input[3];
    for (int k = 0; k < 3; k++) {
        input[k] = build_tensor(m->b, m->call->dtype, k == 2 ? &weight : &shape, call_layout(m, k, 3));
        call_fill_random(m, &input[k], k);
        build_origin(m->b, &input[k], true);
    }
    for (int64_t c = 0; c < sums && terms > 0; c++) {
        int64_t at = call_place((enum plan_place)((m->call->place + c) % PLACES), terms);
        struct run one = {at / run * sums * run + c * run + at % run, 1, 1};
        build_set(m->b, &input[0], one.start, 2);
        call_set_decisive(m, &input[1], one, c, sums, -512, true);
    }
    build_step(m->b, m->b->c->op, NULL, 3, input);
}

/* Of one weight the terms are those of all channels. */
static int64_t measure(const struct program *program, const struct step *step, enum plan_kind kind)
{
    (void)program;
    const struct shape *x = &step->input[op_input_named(step->op, "input")].shape;
    const int64_t sums = shape_elements(&step->output[0].shape);
    if (x->rank < 2) {
        return -1;
    }
    switch (kind) {
    case PLAN_BATCH:
        return x->dim[0];
    case PLAN_GROUPS:
        return x->dim[1];
    case PLAN_COLUMNS:
        return measure_span(x, 2, x->rank);
    case PLAN_TERMS:
        return sums > 0 ? shape_elements(x) / sums : -1;
    default:
        return -1;
    }
}

static int64_t channels(const struct op *op, const struct step *step)
{
    (void)op;
    return step ? shape_elements(&step->input[step->inputs - 1].shape) : 0;
}

extern const struct plan_form plan_form_elementwise_channel_sums;

static const struct plan_operator operators[] = {
    PLAN_OPERATOR("prelu_backward_weight", elementwise_channel_sums, PLAN_AXIS(BATCH, 0, 65537),
                  PLAN_AXIS(GROUPS, 0, 65537), PLAN_AXIS(COLUMNS, 0, 65537), PLAN_DERIVED(TERMS, 0, 65537)),
};

const struct plan_form plan_form_elementwise_channel_sums = {
    .place = 190,
    PLAN_OPERATORS(operators),
    .variants = 2, /* a sum for each channel, or one of all */
    .variants_at = VARIANTS_AT_BESIDE,
    .places = true,
    .budget = {.times = 3},
    .build = build_channel_sums,
    .measure = measure,
    .channels = channels,
};
