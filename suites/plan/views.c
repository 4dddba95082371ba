/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Calls of the plan of operators whose numbers are views of their operands: the input of channels, and a
 * half, have the sizes that are asked. Variant 3: one weight for all channels; halves along any dimension
 * in turn, else along the last one, which is named from variant 2 on. And of sums over channels. */
#include "suites/plan/call_builder.h"
#include "suites/shared/data.h"
#include "suites/shared/functions.h"

#include "reference/ops/elementwise/elementwise.h"

void call_build_views(const struct call_builder *m, const struct shape *shape)
{
    const struct function *f = function_named(m->planned->name);
    const bool halves = m->b->c->op->row->views == VIEWS_HALVES;
    const int inputs = op_inputs_max(m->b->c->op);
    int dim = shape->rank - 1 - (m->call->variant == 3 ? m->call->turn % shape->rank : 0);
    int64_t channels = shape->rank > 1 && m->call->variant != 3 ? shape->dim[1] : 1;
    struct shape weight = shape_of(1, channels);
    struct attributes attributes = {.count = halves && m->call->variant > 1,
                                    .item = {{.name = "dim", .type = ATTRIBUTE_INTEGER, .integer = dim}}};
    enum layout layout[FUNCTION_OPERANDS];
    struct function_call call;
    for (int k = 0; k < inputs; k++) {
        layout[k] = call_layout(m, k, inputs);
    }
    function_views(m->b, f, shape, &weight, dim, layout, &call);
    for (int k = 0; k < function_operands(f) && !m->b->failed; k++) {
        function_fill(m->b, f, k, &call.number[k]);
    }
    build_step(m->b, m->b->c->op, &attributes, call.inputs, call.input);
}

static void fill(const struct call_builder *m, const struct view *x, int tensor)
{
    struct philox generator = build_generator(m->b, tensor);
    for (int64_t i = 0; i < shape_elements(&x->shape); i++) {
        build_set_bits(m->b, x, i, 0, data_between(&generator, x->dtype, -4, 4));
    }
    build_origin(m->b, x, true);
}

/* A sum for each channel, or (variant 1) one of all; what decides is a product with 2. */
void call_build_channel_sums(const struct call_builder *m)
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
        fill(m, &input[k], k);
    }
    for (int64_t c = 0; c < sums && terms > 0; c++) {
        int64_t at = call_place((enum plan_place)((m->call->place + c) % PLACES), terms);
        struct run one = {at / run * sums * run + c * run + at % run, 1, 1};
        build_set(m->b, &input[0], one.start, 2);
        call_set_decisive(m, &input[1], one, c, sums, -512, true);
    }
    build_step(m->b, m->b->c->op, NULL, 3, input);
}
