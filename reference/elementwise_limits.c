/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Rows of the element-wise kit that are formulas: their limits. */

#include "reference/bound_memo.h"
#include "reference/elementwise_workspace.h"

#include <math.h>
#include <string.h>

static void take_from_truth(const struct bound_query *query, int64_t first, int count,
                            struct elementwise_arguments *a)
{
    const struct truth_output *out = &query->truth->output[0];
    elementwise_take(query->op, query->attributes, out->dtype, &out->sensitivity[first * out->sensitivities],
                     count, a);
}

static struct expression_allowances allowances_of(const struct bound_query *query)
{
    return expression_allowances_of(query->profile, query->truth->output[0].dtype, 1, 0, query->exact);
}

/* Of one form; infinite where there is no memory: nothing is accused for want of it. */
static void bounds_of(const struct bound_query *query, const struct elementwise *row,
                      enum elementwise_form form, const struct expression_kinds *kinds, int64_t first,
                      int count, double *const *bound)
{
    struct expression_workspace *workspace = elementwise_workspace(query->op, row, form);
    struct elementwise_arguments a;
    for (int j = 0; !workspace && j < kinds->kinds; j++) {
        for (int i = 0; i < count; i++) {
            bound[j][i] = INFINITY;
        }
    }
    if (workspace) {
        take_from_truth(query, first, count, &a);
        expression_limits_each(workspace, &a.row, kinds, bound);
    }
}

/* Whether an intermediate of this form may leave the range of the type: no legal program's where the results
 * of others do not. */
static bool escapes(const struct bound_query *query, const struct expression_allowances *allowances,
                    struct expression_workspace *workspace, int64_t element)
{
    struct expression_measure measure = {.escapes = true};
    struct elementwise_arguments a;
    if (workspace) {
        take_from_truth(query, element, 1, &a);
        expression_measures(workspace, &a.row, allowances, &measure);
    }
    return measure.escapes;
}

/* To the wider of both; nothing comes of one that leaves the range. */
static void widen(const struct bound_query *query, const struct elementwise *row, enum elementwise_form form,
                  const struct expression_kinds *kinds, int64_t first, int count, double *const *bound)
{
    double room[2][LIMIT_RUN], *const other[] = {room[0], room[1]};
    struct expression_workspace *workspace = elementwise_workspace(query->op, row, form);
    bounds_of(query, row, form, kinds, first, count, other);
    for (int j = 0; j < kinds->kinds; j++) {
        for (int i = 0; i < count; i++) {
            bool binds = isfinite(other[j][i]) || !escapes(query, &kinds->of[j], workspace, first + i);
            bound[j][i] = binds ? fmax(bound[j][i], other[j][i]) : bound[j][i];
        }
    }
}

void elementwise_bounds(const struct bound_query *query, int64_t first, int count, double *compute)
{
    const struct elementwise *row = elementwise_row(query->op, query->attributes);
    const struct truth_output *out = &query->truth->output[0];
    if (!dtype_is_floating(out->dtype) || !row->formula) {
        memset(compute, 0, (size_t)count * sizeof *compute);
        return;
    }
    double room[LIMIT_RUN], *bound[] = {compute, room};
    struct bound_query pair[2];
    struct expression_kinds kinds = {.kinds = op_pair(query, pair)};
    for (int j = 0; j < kinds.kinds; j++) {
        kinds.of[j] = allowances_of(&pair[j]);
    }
    if (kinds.kinds > 1 && query->quality) {
        bound[0] = room;
        bound[1] = compute;
    }
    bounds_of(query, row, FORM_SAFE, &kinds, first, count, bound);
    if (row->form) {
        widen(query, row, FORM_OTHER, &kinds, first, count, bound);
    }
    if (row->third) {
        widen(query, row, FORM_THIRD, &kinds, first, count, bound);
    }
    if (query->profile->range == RANGE_NAIVE && row->naive) {
        widen(query, row, FORM_NAIVE, &kinds, first, count, bound);
    }
    for (int j = 0; j < kinds.kinds; j++) {
        for (int i = 0; i < count; i++) {
            bound[j][i] = out->value[first + i].class == VALUE_FINITE ? bound[j][i] : 0;
        }
    }
    if (kinds.kinds > 1) {
        op_remember_bounds(&pair[!query->quality], first, count, room);
    }
}

double elementwise_bound(const struct bound_query *query)
{
    double compute;
    elementwise_bounds(query, query->element, 1, &compute);
    return compute;
}

bool elementwise_rounds_once(const struct bound_query *query)
{
    const struct elementwise *row = elementwise_row(query->op, query->attributes);
    if (!dtype_is_floating(query->truth->output[0].dtype)) {
        return true;
    }
    if (!row->formula) {
        return elementwise_exact_rounds_once(query);
    }
    return (!row->quotient || primitives_divide_rounded(query->profile->primitives)) && !row->form &&
           elementwise_workspace(query->op, row, FORM_SAFE) &&
           expression_rounds_once(elementwise_expression(row, FORM_SAFE));
}

bool elementwise_naive_escapes(const struct bound_query *query)
{
    const struct elementwise *row = elementwise_row(query->op, query->attributes);
    struct expression_workspace *workspace = elementwise_workspace(query->op, row, FORM_NAIVE);
    const struct expression_allowances allowances = allowances_of(query);
    return workspace && escapes(query, &allowances, workspace, query->element);
}

void elementwise_accept_either(const struct bound_query *query, struct accept *accept)
{
    const struct truth_output *out = &query->truth->output[0];
    const struct value *value = &out->value[query->element];
    if (!elementwise_row(query->op, query->attributes)->formula) {
        elementwise_accept(query, accept);
    } else if (elementwise_rounds_once(query)) {
        accept_rounded(accept, out->dtype, query->profile, value);
    } else {
        accept_default(accept, out->dtype, query->profile, value, op_bound(query));
    }
}

/* Another number that is right as well: the formula `also`, where that is another one. */
static void accept_other(const struct bound_query *query, struct expression_workspace *workspace,
                         double error, struct accept *accept)
{
    const struct truth_output *out = &query->truth->output[0];
    const struct value *value = &out->value[query->element];
    struct expression_allowances allowances = allowances_of(query);
    struct elementwise_arguments a;
    double other, radius, bound;
    take_from_truth(query, query->element, 1, &a);
    expression_values(workspace, &a.row, &other, &radius);
    struct value there = value_of(other);
    bool differs = there.class != value->class ||
                   (value->class == VALUE_FINITE && fabs(value_distance(value, other)) - radius > error);
    if (isfinite(radius) && differs) {
        struct accept also;
        expression_limits(workspace, &a.row, &allowances, &bound);
        accept_default(&also, out->dtype, query->profile, &there,
                       there.class == VALUE_FINITE ? bound + radius : 0);
        accept_union(accept, &also);
    }
}

static void accept_nan(const struct bound_query *query, struct accept *accept)
{
    struct accept none;
    struct value nan = value_of(NAN);
    accept_default(&none, query->truth->output[0].dtype, query->profile, &nan, 0);
    accept_union(accept, &none);
}

/* NaN, where an intermediate may be infinite against an infinite operand. */
static void accept_lost_infinity(const struct bound_query *query, const struct elementwise *row,
                                 struct accept *accept)
{
    struct expression_workspace *workspace = elementwise_workspace(query->op, row, FORM_PARTIAL);
    double partial = INFINITY, radius = 0;
    struct elementwise_arguments a;
    if (workspace) {
        take_from_truth(query, query->element, 1, &a);
        expression_values(workspace, &a.row, &partial, &radius);
    }
    if (!(fabs(partial) + radius < dtype_max(query->truth->output[0].dtype) / 2)) {
        accept_nan(query, accept);
    }
}

void elementwise_accept_formula(const struct bound_query *query, struct accept *accept)
{
    const struct elementwise *row = elementwise_row(query->op, query->attributes);
    const struct truth_output *out = &query->truth->output[0];
    const double *x = &out->sensitivity[query->element * out->sensitivities];
    double last = x[out->sensitivities - 1];
    bool open = row->open_nan && elementwise_any_is_nan(x + 1, out->sensitivities - 1),
         gradient = elementwise_is_gradient(query->op);
    double error = open ? INFINITY : op_bound(query);
    struct expression_workspace *workspace = elementwise_workspace(query->op, row, FORM_ALSO);
    accept_default(accept, out->dtype, query->profile, &out->value[query->element], error);
    bool any_zero = row->open_zero || gradient;
    enum value_class class = out->value[query->element].class;
    bool infinite = class == VALUE_POSITIVE_INFINITY || class == VALUE_NEGATIVE_INFINITY;
    if (workspace && !open && !(infinite && gradient) && (!row->also_at_infinity || isinf(last))) {
        accept_other(query, workspace, error, accept);
    }
    if (infinite && row->partial) {
        accept_lost_infinity(query, row, accept);
    } else if (infinite && gradient) { /* grad_output times parts of a slope, one of which may be 0 */
        accept_nan(query, accept);
    }
    for (int set = 0; any_zero && set < accept->sets; set++) {
        accept->set[set].component[0].zero = ZERO_ANY;
    }
}
