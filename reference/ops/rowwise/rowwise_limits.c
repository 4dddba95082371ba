/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Row-wise operators with formulas: their error bounds.
 *
 * The bound of an element of a map depends on its whole row, but is requested for the element alone. So the
 * bounds of all elements are computed together and cached.
 *
 * Where sums are rescaled when the running maximum of the row changes (the online form of a softmax), each
 * addition first multiplies a partial sum by an exponential: two roundings and the profile's error of the
 * exponential more. The arguments of these exponentials add up to those of the safe form. */

#include "reference/operator/bound_memo.h"
#include "reference/ops/rowwise/rowwise_workspace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct primitive_errors allowances_of(const struct bound_query *query, double n, bool exact)
{
    const struct profile *profile = query->profile;
    enum dtype dtype = query->truth->output[0].dtype;
    double h = rowwise_depth(profile, query->op->name, n);
    struct primitive_errors a = primitive_errors_of(profile, dtype, n, h, exact);
    bool own = profile_summation(profile, query->op->name).kind == SUMMATION_DECLARED;
    if (query->op->rowwise->rescales && !own) {
        double u = profile_accumulate_roundoff(profile, dtype), each = a.of[EXPRESSION_EXP];
        a.of[EXPRESSION_SUM] = exact ? h * each : profile_sum_error(profile, dtype, h * (2 + each / u));
    }
    return a;
}

/* --- results for the row */

/* The error of Welford's and Chan's variance beyond that of the two-pass form: (h + 5)·u·V·κ, κ² = 1 + m²/V
 * (Chan, Golub and LeVeque, The American Statistician 37 (1983); first order in u;
 * reference/ops/normalization/normalization_bound.c). */
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
    if (query->op->rowwise->maps) { /* divided by the root: 1/√(1 − relative) at most */
        return relative < 1 ? y * (1 / sqrt(1 - relative) - 1) : INFINITY;
    }
    return relative < 1 ? y * (1 - sqrt(1 - relative)) : y * fmax(1, sqrt(1 + relative) - 1);
}

static bool deviates(const struct bound_query *query, bool exact)
{
    bool own = profile_summation(query->profile, query->op->name).kind == SUMMATION_DECLARED;
    return query->op->rowwise->deviates && !own && !exact;
}

/* --- bounds that are computed together: for each profile of the query, B and a probe of exactness */

struct together {
    struct bound_query pair[2];
    struct expression_kinds kinds;
};

static struct together together_of(const struct bound_query *query, double n)
{
    struct together t = {.kinds = {.kinds = 1}};
    if (query->exact) { /* only the probe */
        t.kinds.of[0] = allowances_of(query, n, true);
        return t;
    }
    t.kinds.kinds = 2 * op_pair(query, t.pair);
    for (int k = 0; k < t.kinds.kinds; k++) {
        t.kinds.of[k] = allowances_of(&t.pair[k / 2], n, k % 2 == 1);
    }
    return t;
}

/* Returns the index of the kind that the query requests. */
static int asked(const struct together *t, const struct bound_query *query, bool exact)
{
    return t->kinds.kinds == 1 ? 0 : (t->kinds.kinds > 2 && query->quality ? 2 : 0) + exact;
}

static bool deviates_in(const struct together *t, int k)
{
    return t->kinds.kinds > 1 && deviates(&t->pair[k / 2], k % 2 == 1);
}

static void bounds_of_row(const struct bound_query *query, const struct together *t, enum rowwise_form form,
                          double bound[EXPRESSION_KINDS])
{
    const struct truth_output *out = &query->truth->output[0];
    struct expression_workspace *workspace = rowwise_workspace(query->op, form);
    const int64_t terms = out->sensitivities / op_inputs_max(query->op);
    const double *operands = &out->sensitivity[query->element * out->sensitivities];
    struct rowwise_arguments a;
    double *at[EXPRESSION_KINDS];
    for (int k = 0; k < EXPRESSION_KINDS; k++) {
        bound[k] = INFINITY;
        at[k] = &bound[k];
    }
    if (workspace && terms > 0) {
        rowwise_take(query->op, query->attributes, out->dtype, operands, terms, &a);
        expression_limits_each(workspace, &a.row, &t->kinds, at);
        for (int k = 0; k < t->kinds.kinds; k++) {
            bound[k] += deviates_in(t, k)
                            ? deviation_bound(&t->pair[k / 2], query->element, operands, (double)terms)
                            : 0;
        }
    }
}

/* --- maps */

/* Computes the bounds of one row of a map under each kind at once. */
static void work_out_row(const struct bound_query *query, const struct rowwise_rows *rows, int64_t row,
                         struct expression_workspace *workspace, const struct expression_kinds *kinds,
                         struct rowwise_kept *const *kept, double *operands)
{
    const struct truth_output *out = &query->truth->output[0];
    const int inputs = op_inputs_max(query->op);
    double *bound[EXPRESSION_KINDS];
    struct rowwise_arguments a;
    for (int k = 0; k < EXPRESSION_KINDS; k++) {
        bound[k] = operands + (inputs + k) * rows->terms;
    }
    for (int64_t t = 0; t < rows->terms; t++) {
        const double *from = &out->sensitivity[rowwise_element(rows, row, t) * out->sensitivities];
        for (int k = 0; k < inputs; k++) {
            operands[k * rows->terms + t] = from[k];
        }
    }
    rowwise_take(query->op, query->attributes, out->dtype, operands, rows->terms, &a);
    expression_limits_each(workspace, &a.row, kinds, bound);
    for (int k = 0; k < kinds->kinds; k++) {
        for (int64_t t = 0; t < rows->terms; t++) {
            const int64_t element = rowwise_element(rows, row, t);
            kept[k]->bound[element] = bound[k][t];
            if (kept[k]->deviates && bound[k][t] < INFINITY) {
                kept[k]->bound[element] += deviation_bound(
                    query, element, operands + (inputs - 1) * rows->terms, (double)rows->terms);
            }
        }
    }
}

static bool work_out(const struct bound_query *query, const struct expression_kinds *kinds,
                     struct rowwise_kept *const *kept)
{
    const struct truth_output *out = &query->truth->output[0];
    const size_t columns = (size_t)op_inputs_max(query->op) + EXPRESSION_KINDS;
    struct expression_workspace *workspace = rowwise_workspace(query->op, kept[0]->form);
    struct rowwise_rows rows;
    bool good = rowwise_rows_create(&rows, query->op, query->attributes, &out->shape) && workspace;
    double *operands = malloc(((size_t)rows.terms * columns + 1) * sizeof *operands);
    for (int64_t row = 0; good && operands && row < rows.rows; row++) {
        work_out_row(query, &rows, row, workspace, kinds, kept, operands);
    }
    good = good && operands;
    rowwise_rows_clear(&rows);
    free(operands);
    return good;
}

/* Returns the number of terms of a row. */
static double terms_of(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[0];
    if (!query->op->rowwise->maps) {
        return (double)(out->sensitivities / op_inputs_max(query->op));
    }
    unsigned mask;
    double terms = 1;
    rowwise_mask(query->op, query->attributes, out->shape.rank, &mask);
    for (int d = 0; d < out->shape.rank; d++) {
        terms *= mask >> d & 1 ? (double)out->shape.dim[d] : 1;
    }
    return terms;
}

/* Finds or computes the cached bounds of all elements of a map. Returns false when out of memory. */
static bool keep_map(const struct bound_query *query, const struct together *t, enum rowwise_form form,
                     struct rowwise_kept *kept[EXPRESSION_KINDS])
{
    const struct truth_output *out = &query->truth->output[0];
    struct rowwise_kept key = {
        .op = query->op,
        .form = form,
        .digest = out->sensitivity[query->element * out->sensitivities + out->sensitivities - 1],
        .elements = out->elements};
    bool known = true, all = true, room = true;
    for (int k = 0; k < t->kinds.kinds; k++) {
        key.primitive_errors = t->kinds.of[k];
        key.deviates = deviates_in(t, k);
        kept[k] = rowwise_keep(&key, &known);
        all = all && known;
        room = room && kept[k];
    }
    bool good = room && (all || work_out(query, &t->kinds, kept));
    for (int k = 0; !good && k < t->kinds.kinds; k++) {
        if (kept[k]) {
            rowwise_forget(kept[k]);
        }
    }
    return good;
}

/* --- both */

typedef double columns[EXPRESSION_KINDS][BATCH_MAX];

/* Bounds one form; infinite when out of memory, so that nothing is reported falsely. With `numbers` the bound
 * is 0 where the truth is no number. */
static void bounds_of(const struct bound_query *query, const struct together *t, enum rowwise_form form,
                      bool numbers, int64_t first, int count, columns bound)
{
    struct bound_query each = *query;
    struct rowwise_kept *kept[EXPRESSION_KINDS];
    double one[EXPRESSION_KINDS];
    each.element = first;
    bool maps = query->op->rowwise->maps, good = maps && keep_map(&each, t, form, kept);
    for (int i = 0; i < count; i++) {
        each.element = first + i;
        bool number = !numbers || query->truth->output[0].value[each.element].class == VALUE_FINITE;
        if (number && !maps) {
            bounds_of_row(&each, t, form, one);
        }
        for (int k = 0; k < t->kinds.kinds; k++) {
            bound[k][i] = !number ? 0 : !maps ? one[k] : good ? kept[k]->bound[each.element] : INFINITY;
        }
    }
}

/* Fills the greatest bound of all forms that apply. */
static void widest(const struct bound_query *query, const struct together *t, int64_t first, int count,
                   columns bound)
{
    const struct rowwise *row = query->op->rowwise;
    columns other;
    bounds_of(query, t, ROWWISE_SAFE, true, first, count, bound);
    for (enum rowwise_form form = ROWWISE_OTHER; form <= ROWWISE_NAIVE; form++) {
        bool counts =
            form == ROWWISE_OTHER ? row->form != NULL : row->naive && query->profile->range == RANGE_NAIVE;
        if (counts) {
            bounds_of(query, t, form, true, first, count, other);
        }
        for (int k = 0; counts && k < t->kinds.kinds; k++) {
            for (int i = 0; i < count; i++) { /* an infinite bound does not count: that form may overflow */
                bound[k][i] = isfinite(other[k][i]) ? fmax(bound[k][i], other[k][i]) : bound[k][i];
            }
        }
    }
}

/* Computes the requested bounds; those computed with them are cached. */
static void find(const struct bound_query *query, bool exact, int64_t first, int count, double *bound)
{
    const struct truth_output *out = &query->truth->output[0];
    columns all;
    bool any = false;
    for (int i = 0; i < count; i++) {
        any = any || out->value[first + i].class == VALUE_FINITE;
    }
    if (out->sensitivities == 0 || !any) {
        memset(bound, 0, (size_t)count * sizeof *bound);
        return;
    }
    const struct together t = together_of(query, terms_of(query));
    widest(query, &t, first, count, all);
    memcpy(bound, all[asked(&t, query, exact)], (size_t)count * sizeof *bound);
    for (int p = 0; !query->exact && 2 * p < t.kinds.kinds; p++) {
        op_cache_bounds(&t.pair[p], first, count, all[2 * p]);
        op_cache_primitive_errors(&t.pair[p], first, count, all[2 * p + 1]);
    }
}

void rowwise_bounds(const struct bound_query *query, int64_t first, int count, double *compute)
{
    find(query, query->exact, first, count, compute);
}

void rowwise_primitive_errors(const struct bound_query *query, int64_t first, int count,
                              double *primitive_error)
{
    find(query, true, first, count, primitive_error);
}

double rowwise_bound(const struct bound_query *query)
{
    double bound;
    find(query, query->exact, query->element, 1, &bound);
    return bound;
}

/* The part of the bound from primitives and underflow. */
double rowwise_primitive_error(const struct bound_query *query)
{
    double bound;
    find(query, true, query->element, 1, &bound);
    return bound;
}

void rowwise_accept_formula(const struct bound_query *query, struct accept *accept)
{
    const struct truth_output *out = &query->truth->output[0];
    accept_default(accept, out->dtype, query->profile, &out->value[query->element], op_bound(query));
    if (query->op->rowwise->open_zero) {
        accept_any_zero(accept);
    }
}

bool rowwise_naive_may_overflow(const struct bound_query *query)
{
    if (!query->op->rowwise->naive || query->truth->output[0].sensitivities == 0) {
        return false;
    }
    const struct together t = together_of(query, terms_of(query));
    columns bound;
    bounds_of(query, &t, ROWWISE_NAIVE, false, query->element, 1, bound);
    return isinf(bound[asked(&t, query, query->exact)][0]);
}
