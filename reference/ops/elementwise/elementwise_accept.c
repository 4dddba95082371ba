/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Element-wise rows with formulas: which results are accepted beside those within the error bound. */

#include "reference/operator/bound_memo.h"
#include "reference/ops/elementwise/elementwise_workspace.h"

#include <math.h>

/* True if `other` within its radius does not show whether it differs from the truth by more than `error`, as
 * may happen next to the ends of float64's range. */
static bool is_undecided(const struct value *truth, double other, double radius, double error)
{
    const double distance = truth->class == VALUE_FINITE ? fabs(value_distance(truth, other)) : 0;
    return !isfinite(radius) || (distance > error && distance - radius <= error);
}

/* Accepts the result of one of the formulas `also` where it differs from the truth. */
static void accept_other(const struct bound_query *query, const struct elementwise *row, int which,
                         double error, struct accept *accept)
{
    struct expression_workspace *workspace =
        elementwise_workspace(query->op, row, (enum elementwise_form)(FORM_ALSO + which));
    if (!workspace) {
        return;
    }
    const struct truth_output *out = &query->truth->output[0];
    const struct value *value = &out->value[query->element];
    struct primitive_errors primitive_errors = elementwise_primitive_errors(query);
    struct elementwise_arguments a;
    double other, radius, bound;
    elementwise_from_truth(query, query->element, 1, &a);
    expression_values(workspace, &a.row, &other, &radius);
    struct value there = value_of(other);
    if (is_undecided(value, other, radius, error)) {
        int bits = 0;
        struct error reason = {.text = ""};
        if (!expression_certify(workspace, &a.row, NULL, &there, &bits, &reason)) {
            return;
        }
        other = value_approximately(&there);
        radius = 0;
    }
    const bool zeros = other == 0 && value->class == VALUE_FINITE && value->hi == 0;
    bool differs = there.class != value->class || (zeros && signbit(other) != signbit(value->hi)) ||
                   (value->class == VALUE_FINITE && fabs(value_distance(value, other)) - radius > error);
    if (differs && there.class == VALUE_FINITE &&
        isinf(other)) { /* beyond float64's range, and so is its bound */
        accept_also(accept, other);
    } else if (differs) {
        struct accept also;
        expression_limits(workspace, &a.row, &primitive_errors, &bound);
        accept_default(&also, out->dtype, query->profile, &there,
                       there.class == VALUE_FINITE ? bound + radius : 0);
        accept_union(accept, &also);
    }
}

/* Accepts another operand that a comparison may choose if it treats subnormals as zeros. Choosing it does not
 * flush it. */
static void accept_selected(const struct bound_query *query, const struct elementwise *row, int which,
                            struct accept *accept)
{
    struct expression_workspace *workspace =
        elementwise_workspace(query->op, row, (enum elementwise_form)(FORM_ALSO + which));
    const enum dtype dtype = query->truth->output[0].dtype;
    struct elementwise_arguments a;
    struct accept also;
    double other, radius;
    if (workspace) {
        elementwise_from_truth(query, query->element, 1, &a);
        expression_values(workspace, &a.row, &other, &radius);
        const struct value chosen = value_of(other);
        if (fabs(other) < dtype_least_normal(dtype)) {
            accept_rounded(&also, dtype, query->profile, &chosen);
            accept_union(accept, &also);
        }
    }
}

/* True if comparisons may treat the result as a zero. */
static bool compares_as_zero(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[0];
    return profile_loses_subnormals(query->profile, out->dtype) &&
           fabs(value_approximately(&out->value[query->element])) < dtype_least_normal(out->dtype);
}

/* Computes a gradient's slope by one form, and its error bound; the sensitivities hold an infinite
 * grad_output as 1. Returns false when out of memory. */
static bool find_slope(const struct bound_query *query, const struct elementwise *row,
                       enum elementwise_form form, double *slope, double *limit)
{
    struct expression_workspace *workspace = elementwise_workspace(query->op, row, form);
    struct primitive_errors primitive_errors = elementwise_primitive_errors(query);
    struct elementwise_arguments a;
    double radius, bound;
    if (!workspace) {
        return false;
    }
    elementwise_from_truth(query, query->element, 1, &a);
    expression_values(workspace, &a.row, slope, &radius);
    expression_limits(workspace, &a.row, &primitive_errors, &bound);
    *limit = bound + radius;
    return true;
}

/* Accepts an infinite grad_output times the slope on the other side of a kink. Where the truth is infinite
 * because of an infinite weight instead, grad_output is a number, and the result on the other side is that
 * number. */
static void accept_other_slope(const struct bound_query *query, const struct elementwise *row, int which,
                               double slope, struct accept *accept)
{
    const struct truth_output *out = &query->truth->output[0];
    const bool held = fabs(out->sensitivity[query->element * out->sensitivities]) == 1; /* 1 stands for an
                                                                                           infinity */
    double other, limit;
    const bool found = find_slope(query, row, (enum elementwise_form)(FORM_ALSO + which), &other, &limit);
    if (found && isinf(slope)) {
        accept_other(query, row, which, 0, accept);
    }
    if (found && held && fabs(other) > limit) {
        accept_also(accept, copysign(INFINITY, other));
    }
}

/* Accepts results of an infinite grad_output times a slope whose parts are multiplied in some order: NaN,
 * because a part may be 0 or two infinite parts may be subtracted; and the other sign, where the slope may
 * have it within its error bound. */
static void accept_infinite_gradient(const struct bound_query *query, const struct elementwise *row,
                                     double truth, bool others, struct accept *accept)
{
    double slope = truth, limit = INFINITY;
    const bool found = find_slope(query, row, FORM_SAFE, &slope, &limit);
    accept_also(accept, NAN);
    if (!found || !(fabs(slope) > limit)) {
        accept_also(accept, -truth);
    }
    for (int k = 0; others && k < ELEMENTWISE_ALSO_MOST && row->also[k]; k++) {
        accept_other_slope(query, row, k, slope, accept);
    }
}

/* Accepts infinities and NaN for a finite result if an intermediate leaves the range. */
static void accept_beyond(const struct bound_query *query, const struct elementwise *row,
                          struct accept *accept)
{
    const struct truth_output *out = &query->truth->output[0];
    const struct value *result = &out->value[query->element];
    const enum dtype wide = query->profile->accumulate[out->dtype];
    const double most = dtype_max(wide), there = elementwise_most(query, row, FORM_BEYOND);
    if (fabs(value_approximately(result)) > dtype_max(out->dtype)) {
        return;
    }
    if (there >= most * (1 + dtype_unit_roundoff(wide) / 2)) {
        accept_overflowed(accept, query->profile);
    }
}

void elementwise_accept_formula(const struct bound_query *query, struct accept *accept)
{
    const struct elementwise *row = elementwise_row(query->op, query->attributes);
    const struct truth_output *out = &query->truth->output[0];
    if (!dtype_is_floating(out->dtype)) {
        elementwise_accept(query, accept);
        return;
    }
    const double *x = &out->sensitivity[query->element * out->sensitivities];
    double last = x[out->sensitivities - 1];
    bool open = row->open_nan && elementwise_any_is_nan(x + 1, out->sensitivities - 1),
         gradient = elementwise_is_gradient(query->op);
    double error = open ? INFINITY : op_bound(query);
    accept_default(accept, out->dtype, query->profile, &out->value[query->element], error);
    bool any_zero = row->open_zero || gradient;
    enum value_class class = out->value[query->element].class;
    bool infinite = value_is_infinite(&out->value[query->element]);
    const bool others =
        !open && (!row->also_at_infinity || isinf(last)) && (!row->selects || compares_as_zero(query));
    for (int k = 0; others && !(infinite && gradient) && k < ELEMENTWISE_ALSO_MOST && row->also[k]; k++) {
        if (row->selects) {
            accept_selected(query, row, k, accept);
        } else {
            accept_other(query, row, k, error, accept);
        }
    }
    const bool over = row->over_infinity && class == VALUE_FINITE && isinf(last);
    if (row->partial && (infinite || over)) {
        if (elementwise_most(query, row, FORM_PARTIAL) >= dtype_max(out->dtype) / 2) {
            accept_also(accept, NAN);
        }
    } else if (row->beyond && class == VALUE_FINITE) {
        accept_beyond(query, row, accept);
    } else if (infinite && gradient) {
        accept_infinite_gradient(query, row, class == VALUE_POSITIVE_INFINITY ? INFINITY : -INFINITY, others,
                                 accept);
    }
    if (any_zero) {
        accept_any_zero(accept);
    }
}

void elementwise_accept_either(const struct bound_query *query, struct accept *accept)
{
    const struct truth_output *out = &query->truth->output[0];
    const struct value *value = &out->value[query->element];
    const struct elementwise *row = elementwise_row(query->op, query->attributes);
    if (!row->formula) {
        elementwise_accept(query, accept);
    } else if (elementwise_rounds_once(query)) {
        accept_rounded(accept, out->dtype, query->profile, value);
    } else if (row == query->op->row->scaled) {
        elementwise_accept_formula(query, accept);
        elementwise_accept_product(query, accept);
    } else {
        accept_default(accept, out->dtype, query->profile, value, op_bound(query));
    }
}
