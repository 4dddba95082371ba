/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/plan/measure.h"

int64_t measure_span(const struct shape *shape, int from, int to)
{
    int64_t count = 1;
    for (int d = from < 0 ? 0 : from; d < to; d++) {
        count *= shape->dim[d];
    }
    return count;
}

int64_t measure_last(const struct shape *shape, int back)
{
    return shape->rank >= back ? shape->dim[shape->rank - back] : 1;
}

int64_t measure_flat(const struct shape *shape, enum plan_kind kind)
{
    return kind == PLAN_COLUMNS ? measure_last(shape, 1)
           : kind == PLAN_ROWS  ? measure_span(shape, 0, shape->rank - 1)
                                : -1;
}

int64_t measure_matrix(const struct shape *shape, enum plan_kind kind)
{
    switch (kind) {
    case PLAN_COLUMNS:
    case PLAN_ORDER:
        return measure_last(shape, 1);
    case PLAN_ROWS:
        return measure_last(shape, 2);
    case PLAN_BATCH:
        return measure_span(shape, 0, shape->rank - 2);
    default:
        return -1;
    }
}

int64_t measure_reduced(const struct step *step, const struct shape *x, enum plan_kind kind)
{
    const struct integers *dim = attributes_integers(&step->attributes, "dim");
    int64_t terms = 1, rows = 1, one = attributes_integer(&step->attributes, "dim", 0);
    bool single = !dim && attributes_given(&step->attributes, "dim");
    for (int d = 0; d < x->rank; d++) {
        bool reduced = single ? one == d || one + x->rank == d : !dim;
        for (int k = 0; dim && k < dim->count; k++) {
            reduced = reduced || dim->item[k] == d || dim->item[k] + x->rank == d;
        }
        *(reduced ? &terms : &rows) *= x->dim[d];
    }
    return kind == PLAN_TERMS ? terms : kind == PLAN_ROWS ? rows : -1;
}

int64_t measure_first_input(const struct program *program, const struct step *step, enum plan_kind kind)
{
    (void)program;
    return measure_flat(&step->input[0].shape, kind);
}
