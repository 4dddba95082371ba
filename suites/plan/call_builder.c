/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/plan/call_builder.h"

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
