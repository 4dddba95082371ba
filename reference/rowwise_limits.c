/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Rows of the row kit that are formulas: their limits.
 *
 * An element of a map has a limit that its whole row decides, and is asked for alone: limits of all elements
 * are worked out together, and kept.
 *
 * Where sums are carried from one maximum to the next as the row goes by (the online form of a softmax), each
 * addition multiplies a partial sum by an exponential first: two roundings and what the profile allows the
 * exponential more. Its arguments add up to those of the safe form. */

#include "reference/rowwise_workspace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct expression_allowances allowances_of(const struct bound_query *query, double n, bool exact)
{
    const struct profile *profile = query->profile;
    enum dtype dtype = query->truth->output[0].dtype;
    double h = rowwise_depth(profile, query->op->name, n);
    struct expression_allowances a = expression_allowances_of(profile, dtype, n, h, exact);
    bool own = profile_summation(profile, query->op->name).kind == SUMMATION_DECLARED;
    if (query->op->rowwise->rescales && !own) {
        double u = profile_accumulate_roundoff(profile, dtype), each = a.of[EXPRESSION_EXP];
        a.of[EXPRESSION_SUM] = exact ? h * each : profile_sum_error(profile, dtype, h * (2 + each / u));
    }
    return a;
}

/* --- results for the row */

/* What Welford's and Chan's variance errs beyond that in two passes: (h + 5)·u·V·κ, κ² = 1 + m²/V (Chan,
 * Golub and LeVeque, The American Statistician 37 (1983); first order in u; reference/normalization_bound.c).
 */
static double deviation_bound(const struct bound_query *query, int64_t element, const double *x, double n)
{
    const struct truth_output *out = &query->truth->output[0];
    double u = profile_accumulate_roundoff(query->profile, out->dtype), m = 0, squares = 0;
    double y = fabs(value_approximately(&out->value[element]));
    for (int64_t k = 0; k < (int64_t)n; k++) {
        m += x[k] / n;
    }
    for (int64_t k = 0; k < (int64_t)n; k++) {
        squares += (x[k] - m) * (x[k] - m);
    }
    double kappa = squares > 0 ? sqrt(1 + m * m / (squares / n)) : 1;
    double relative = (rowwise_depth(query->profile, query->op->name, n) + 5) * u * kappa * (1 + 0x1p-20);
    if (!query->op->rowwise->root) {
        return relative * y;
    }
    if (query->op->rowwise->maps) { /* over the root: 1/√(1 − relative) at most */
        return relative < 1 ? y * (1 / sqrt(1 - relative) - 1) : INFINITY;
    }
    return relative < 1 ? y * (1 - sqrt(1 - relative)) : y * fmax(1, sqrt(1 + relative) - 1);
}

static bool deviates(const struct bound_query *query, bool exact)
{
    bool own = profile_summation(query->profile, query->op->name).kind == SUMMATION_DECLARED;
    return query->op->rowwise->deviates && !own && !exact;
}

static double bound_of_row(const struct bound_query *query, enum rowwise_form form, bool exact)
{
    const struct truth_output *out = &query->truth->output[0];
    struct expression_workspace *workspace = rowwise_workspace(query->op, form);
    const int64_t terms = out->sensitivities / op_inputs_max(query->op);
    const double *operands = &out->sensitivity[query->element * out->sensitivities];
    struct expression_allowances allowances = allowances_of(query, (double)terms, exact);
    struct rowwise_arguments a;
    double bound = INFINITY;
    if (workspace && terms > 0) {
        rowwise_take(query->op, query->attributes, out->dtype, operands, terms, &a);
        expression_limits(workspace, &a.row, &allowances, &bound);
        if (deviates(query, exact)) {
            bound += deviation_bound(query, query->element, operands, (double)terms);
        }
    }
    return bound;
}

/* --- maps */

static bool work_out(const struct bound_query *query, struct rowwise_kept *kept)
{
    const struct truth_output *out = &query->truth->output[0];
    const int inputs = op_inputs_max(query->op);
    struct expression_workspace *workspace = rowwise_workspace(query->op, kept->form);
    struct rowwise_rows rows;
    struct rowwise_arguments a;
    bool good = rowwise_rows_create(&rows, query->op, query->attributes, &out->shape) && workspace;
    double *operands = malloc(((size_t)rows.terms * (size_t)(inputs + 1) + 1) * sizeof *operands);
    for (int64_t row = 0; good && operands && row < rows.rows; row++) {
        double *bound = operands + inputs * rows.terms;
        for (int64_t t = 0; t < rows.terms; t++) {
            const double *from = &out->sensitivity[rowwise_element(&rows, row, t) * out->sensitivities];
            for (int k = 0; k < inputs; k++) {
                operands[k * rows.terms + t] = from[k];
            }
        }
        rowwise_take(query->op, query->attributes, out->dtype, operands, rows.terms, &a);
        expression_limits(workspace, &a.row, &kept->allowances, bound);
        for (int64_t t = 0; t < rows.terms; t++) {
            const int64_t element = rowwise_element(&rows, row, t);
            kept->bound[element] = bound[t];
            if (kept->deviates && bound[t] < INFINITY) {
                kept->bound[element] +=
                    deviation_bound(query, element, operands + (inputs - 1) * rows.terms, (double)rows.terms);
            }
        }
    }
    good = good && operands;
    rowwise_rows_clear(&rows);
    free(operands);
    return good;
}

static double bound_in_map(const struct bound_query *query, enum rowwise_form form, bool exact)
{
    const struct truth_output *out = &query->truth->output[0];
    unsigned mask;
    double terms = 1;
    bool known;
    rowwise_mask(query->op, query->attributes, out->shape.rank, &mask);
    for (int d = 0; d < out->shape.rank; d++) {
        terms *= mask >> d & 1 ? (double)out->shape.dim[d] : 1;
    }
    const struct rowwise_kept key = {
        .op = query->op,
        .form = form,
        .digest = out->sensitivity[query->element * out->sensitivities + out->sensitivities - 1],
        .allowances = allowances_of(query, terms, exact),
        .deviates = deviates(query, exact),
        .elements = out->elements};
    struct rowwise_kept *kept = rowwise_keep(&key, &known);
    if (kept && !known && !work_out(query, kept)) {
        rowwise_forget(kept);
        kept = NULL;
    }
    return kept ? kept->bound[query->element] : INFINITY;
}

/* --- both */

static double bound_of(const struct bound_query *query, enum rowwise_form form, bool exact)
{
    return query->op->rowwise->maps ? bound_in_map(query, form, exact) : bound_of_row(query, form, exact);
}

static double widest(const struct bound_query *query, bool exact)
{
    const struct rowwise *row = query->op->rowwise;
    const struct truth_output *out = &query->truth->output[0];
    if (out->value[query->element].class != VALUE_FINITE || out->sensitivities == 0) {
        return 0;
    }
    double bound = bound_of(query, ROWWISE_SAFE, exact);
    for (enum rowwise_form form = ROWWISE_OTHER; form <= ROWWISE_NAIVE; form++) {
        bool counts =
            form == ROWWISE_OTHER ? row->form != NULL : row->naive && query->profile->range == RANGE_NAIVE;
        double other = counts ? bound_of(query, form, exact) : 0;
        bound = isfinite(other) ? fmax(bound, other) : bound; /* an infinite one binds nothing: it escapes */
    }
    return bound;
}

double rowwise_bound(const struct bound_query *query)
{
    return widest(query, query->exact);
}

/* What primitives and underflow may err. */
double rowwise_allowance(const struct bound_query *query)
{
    return widest(query, true);
}

void rowwise_accept_formula(const struct bound_query *query, struct accept *accept)
{
    const struct truth_output *out = &query->truth->output[0];
    accept_default(accept, out->dtype, query->profile, &out->value[query->element], op_bound(query));
    for (int set = 0; query->op->rowwise->open_zero && set < accept->sets; set++) {
        accept->set[set].component[0].zero = ZERO_ANY;
    }
}

bool rowwise_naive_escapes(const struct bound_query *query)
{
    return query->op->rowwise->naive && query->truth->output[0].sensitivities > 0 &&
           isinf(bound_of(query, ROWWISE_NAIVE, query->exact));
}
