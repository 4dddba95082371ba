/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/plan/call_builder.h"
#include "suites/shared/data.h"

#include <math.h>

int64_t call_size(const struct call_builder *m, enum plan_kind kind)
{
    for (int a = 0; a < plan_axes(m->planned); a++) {
        if (m->planned->axis[a].kind == kind) {
            return m->call->size[a];
        }
    }
    return 1;
}

void call_resize(struct plan_call *call, const struct plan_operator *planned, enum plan_kind kind,
                 int64_t size)
{
    for (int a = 0; a < plan_axes(planned); a++) {
        if (planned->axis[a].kind == kind) {
            call->size[a] = size;
        }
    }
}

int64_t call_place(enum plan_place place, int64_t count)
{
    return place == PLACE_FIRST ? 0 : place == PLACE_MIDDLE ? count / 2 : count - 1;
}

int call_laid(const struct call_builder *m, int operands)
{
    return m->call->turn % 4 == 3 ? -1 : m->call->turn % operands;
}

enum layout call_layout(const struct call_builder *m, int operand, int operands)
{
    int which = call_laid(m, operands);
    return which < 0 || which == operand ? m->call->layout : LAYOUT_CONTIGUOUS;
}

void call_set_decisive(const struct call_builder *m, const struct view *x, struct run run, int64_t k,
                       int64_t runs, double large, bool special)
{
    enum plan_place place = (enum plan_place)((m->call->place + k) % PLACES);
    int64_t at = run.start + call_place(place, run.count) * run.step;
    if (run.count > 0 && k == runs - 1) {
        build_set(m->b, x, at, large);
    } else if (run.count > 0 && k % 4 < 3) {
        build_set(m->b, x, at, !special ? large : (k + m->call->turn) % 2 ? (double)NAN : -(double)INFINITY);
    }
}

struct shape call_flat_shape(const struct call_builder *m)
{
    int64_t rows = call_size(m, PLAN_ROWS), columns = call_size(m, PLAN_COLUMNS);
    if (rows == 1 && m->call->turn % 2) {
        return shape_of(1, columns);
    }
    return rows > 0 && rows % 2 == 0 && m->call->turn % 3 == 0 ? shape_of(3, (int64_t)2, rows / 2, columns)
                                                               : shape_of(2, rows, columns);
}

void call_broadcast_shapes(const struct call_builder *m, struct shape shape[CALL_BROADCASTS])
{
    const struct shape whole = call_flat_shape(m);
    shape[0] = shape[2] = whole;
    shape[1] = shape_of(1, call_size(m, PLAN_COLUMNS));
    shape[2].dim[whole.rank - 1] = 1;
    shape[3] = (struct shape){.rank = 0};
}

void call_fill_random(const struct call_builder *m, const struct view *x, int tensor)
{
    struct philox generator = build_generator(m->b, tensor);
    for (int64_t i = 0; i < shape_elements(&x->shape); i++) {
        build_set_bits(m->b, x, i, 0, data_between(&generator, x->dtype, -4, 4));
    }
}

unsigned plan_dtypes(const struct plan_operator *planned)
{
    const struct op *op = op_find(planned->name);
    return !op ? 0 : planned->form->dtypes ? planned->form->dtypes(op) : op->dtypes;
}

bool plan_build(struct builder *b, const struct plan_operator *planned, const struct plan_call *call)
{
    const struct call_builder m = {b, planned, call};
    planned->form->build(&m);
    return !b->failed;
}
