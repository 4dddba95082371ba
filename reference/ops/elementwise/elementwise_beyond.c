/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Element-wise rows with intermediates that may leave the range. */

#include "reference/ops/elementwise/elementwise_workspace.h"

#include <math.h>

double elementwise_most(const struct bound_query *query, const struct elementwise *row,
                        enum elementwise_form which)
{
    struct expression_workspace *workspace = elementwise_workspace(query->op, row, which);
    double value = INFINITY, radius = 0;
    struct elementwise_arguments a;
    if (workspace) {
        elementwise_from_truth(query, query->element, 1, &a);
        expression_values(workspace, &a.row, &value, &radius);
    }
    if (workspace && isinf(radius)) { /* next to the ends of float64's range, where doubles are not enough */
        struct value certified = value_of(INFINITY);
        struct error reason = {.text = ""};
        int bits = 0;
        value = expression_certify(workspace, &a.row, NULL, &certified, &bits, &reason)
                    ? value_approximately(&certified)
                    : INFINITY;
        radius = 0;
    }
    return isnan(value) ? INFINITY : fabs(value) + radius;
}

void elementwise_bind_beyond(const struct bound_query *query, const struct elementwise *row, int64_t first,
                             int count, double *bound)
{
    const struct truth_output *out = &query->truth->output[0];
    const double most = dtype_max(query->profile->accumulate[out->dtype]),
                 u = query->exact ? 0 : profile_accumulate_roundoff(query->profile, out->dtype);
    struct expression_workspace *workspace =
        row->beyond ? elementwise_workspace(query->op, row, FORM_BEYOND) : NULL;
    struct bound_query each = *query;
    struct elementwise_arguments a;
    double value[BATCH_MAX], radius[BATCH_MAX];
    if (workspace) { /* together: one at a time costs more than the rest of the bound */
        elementwise_from_truth(query, first, count, &a);
        expression_values(workspace, &a.row, value, radius);
    }
    for (int i = 0; row->beyond && i < count; i++) {
        const bool plain = workspace && radius[i] < INFINITY && !isnan(value[i]);
        each.element = first + i;
        const double there = plain ? fabs(value[i]) + radius[i] : elementwise_most(&each, row, FORM_BEYOND);
        if (there >= most * (1 - 4 * u) && there < most * (1 + 4 * u)) {
            bound[i] = fmax(bound[i], 4 * u * elementwise_most(&each, row, FORM_ROUNDS));
        }
    }
}
