/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Calls of the plan of operators whose numbers are views of their operands: the input of channels, and a
 * half, have the sizes that are asked. Variant 3: one weight for all channels; halves along any dimension
 * in turn, else along the last one, which is named from variant 2 on. */
#include "suites/plan/call_builder.h"
#include "suites/shared/functions.h"

#include "reference/elementwise.h"

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
