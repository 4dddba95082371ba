/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Element-wise rows with formulas: their error bounds. */

#include "reference/numeric/simd/multiversion.h"
#include "reference/operator/bound_memo.h"
#include "reference/ops/elementwise/elementwise_views.h"
#include "reference/ops/elementwise/elementwise_workspace.h"

#include <math.h>
#include <string.h>

/* Fills a mask of the finite truths and returns true if all are finite. Most truths are seen to be finite by
 * their packed kind. Not for batches of plain numbers. */
MULTIVERSION static bool find_finite(const struct truth_output *out, int64_t first,
                                     const struct value_batch *truth, int count, int64_t *finite)
{
    const uint64_t far = value_batch_far();
    int64_t all = -1;
    for (int i = 0; i < count; i++) {
        finite[i] = mask_of(truth->kind[i] == 0) | mask_of(truth->kind[i] == far);
        all &= finite[i];
    }
    for (int i = 0; !all && i < count; i++) {
        finite[i] = mask_of(truth_output_value(out, first + i).class == VALUE_FINITE);
    }
    return all != 0;
}

/* Sets the bound to 0 where the truth is special. */
MULTIVERSION static void clear_special(const int64_t *finite, int count, double *bound)
{
    for (int i = 0; i < count; i++) {
        bound[i] = finite[i] ? bound[i] : 0;
    }
}

/* True if the results of tier 1 can be recovered from the truths. With radius 0 they cannot: tier 1 may have
 * had other numbers for elements that were certified. */
MULTIVERSION static bool tier_1_of(const struct value_batch *truth, const double *radius, int count,
                                   uint64_t far, double *value)
{
    int64_t other = 0;
    for (int i = 0; i < count; i++) {
        double hi = truth->hi[i];
        int64_t number =
            mask_of((truth->kind[i] == 0) & (truth->lo[i] == 0) & (radius[i] > 0) & (radius[i] < INFINITY));
        int64_t beyond = mask_of((truth->kind[i] == far) & (radius[i] == INFINITY) & (fabs(hi) == 1));
        value[i] = beyond ? copysign(INFINITY, hi) : hi;
        other |= ~(number | beyond);
    }
    return other == 0;
}

/* As tier_1_of, for batches of plain numbers, whose values are the truths themselves. */
MULTIVERSION static bool are_tier_1(const struct value_batch *truth, const double *radius, int count)
{
    int64_t known = -1;
    for (int i = 0; i < count; i++) {
        known &= mask_of((truth->lo[i] == 0) & (radius[i] > 0) & (radius[i] < INFINITY));
    }
    return known != 0;
}

/* Passes the results of tier 1 to a formula of one operand, which then need not be evaluated again. */
static void pass_tier_1(const struct bound_query *query, int64_t first, int count,
                        const struct value_batch *truth, double *value, struct expression_row *row)
{
    const struct truth_output *out = &query->truth->output[0];
    if (out->radius && out->sensitivities == 1) {
        const double *radius = &out->radius[first];
        if (truth->numbers) {
            row->value = are_tier_1(truth, radius, count) ? truth->hi : NULL;
        } else {
            row->value = tier_1_of(truth, radius, count, value_batch_far(), value) ? value : NULL;
        }
        row->radius = radius;
    }
}

struct primitive_errors elementwise_primitive_errors(const struct bound_query *query)
{
    const enum dtype dtype = query->truth->output[0].dtype;
    struct bound_allowed own = {.profile = NULL}, *of = query->memo ? &query->memo->allowed : &own;
    if (of->profile != query->profile || of->dtype != dtype || of->exact != query->exact) {
        *of = (struct bound_allowed){
            .profile = query->profile,
            .dtype = dtype,
            .exact = query->exact,
            .of = primitive_errors_of(query->profile, dtype, 1, 0, query->exact),
        };
    }
    return of->of;
}

/* Bounds one form; the safe form may take tier 1 from `truth`. Without memory bounds are infinite, so that
 * nothing is reported falsely. Returns true only if all bounds are finite. */
static bool bounds_of(const struct bound_query *query, const struct elementwise *row,
                      enum elementwise_form form, const struct expression_kinds *kinds, int64_t first,
                      int count, const struct value_batch *truth, double *const *bound)
{
    struct expression_workspace *workspace = elementwise_workspace(query->op, row, form);
    struct elementwise_arguments a;
    double value[BATCH_MAX];
    for (int j = 0; !workspace && j < kinds->kinds; j++) {
        for (int i = 0; i < count; i++) {
            bound[j][i] = INFINITY;
        }
    }
    if (!workspace) {
        return false;
    }
    elementwise_from_truth(query, first, count, &a);
    if (form == FORM_SAFE) {
        pass_tier_1(query, first, count, truth, value, &a.row);
    }
    return expression_limits_each(workspace, &a.row, kinds, bound);
}

/* Returns the ball that tier 1 would give for a certified truth. */
static void certified_ball(const struct value *truth, double *value, double *radius)
{
    int exponent = truth->hi == 0 ? 0 : ilogb(truth->hi) + truth->exponent;
    *value = ldexp(truth->hi, truth->exponent);
    *radius = fabs(*value) * 0x1p-52;
    if (exponent < -1000) {
        *value = copysign(exponent < -1022 ? 0x1p-1022 : fabs(*value), truth->hi);
        *radius = 0x1p-1022;
    } else if (exponent > 1023) {
        *value = copysign(INFINITY, truth->hi);
        *radius = INFINITY;
    }
}

/* Bounds one element that is unbounded, from the ball about its certified truth. */
static void bind_certified(const struct bound_query *query, struct expression_workspace *workspace,
                           const struct expression_kinds *kinds, int64_t first, int i, double *const *bound)
{
    struct expression_kinds own = *kinds;
    double value, radius, limit[EXPRESSION_KINDS], *at[EXPRESSION_KINDS];
    struct elementwise_arguments a;
    elementwise_from_truth(query, first + i, 1, &a);
    const struct value truth = truth_output_value(&query->truth->output[0], first + i);
    certified_ball(&truth, &value, &radius);
    a.row.value = &value;
    a.row.radius = &radius;
    own.far = kinds->far ? kinds->far + i : NULL;
    for (int j = 0; j < own.kinds; j++) {
        at[j] = &limit[j];
    }
    expression_limits_each(workspace, &a.row, &own, at);
    for (int j = 0; j < own.kinds; j++) {
        bound[j][i] = bound[j][i] < INFINITY ? bound[j][i] : limit[j];
    }
}

/* Returns the first element whose truth is finite and whose bound is not; `count` if there is none, as nearly
 * always. */
MULTIVERSION static int first_unknown(const int64_t *finite, const double *bound, int count)
{
    int64_t any = 0;
    int from = 0;
    for (int i = 0; i < count; i++) {
        any |= finite[i] & ~mask_of(bound[i] < INFINITY);
    }
    while (any && from < count && (!finite[from] || bound[from] < INFINITY)) {
        from++;
    }
    return any ? from : count;
}

/* Where tier 1 knows nothing (a power of a subnormal number), or only that a result lies beyond 2^1022, the
 * safe form gives no bound. The truth was certified; its ball gives one. */
static void bind_unknown(const struct bound_query *query, const struct elementwise *row,
                         const struct expression_kinds *kinds, int64_t first, int count,
                         const int64_t *finite, double *const *bound)
{
    struct expression_workspace *workspace = elementwise_workspace(query->op, row, FORM_SAFE);
    double value[BATCH_MAX], radius[BATCH_MAX];
    struct elementwise_arguments a;
    const int from = first_unknown(finite, bound[kinds->kinds - 1], count);
    if (!workspace || from == count) {
        return;
    }
    elementwise_from_truth(query, first + from, count - from, &a);
    expression_values(workspace, &a.row, value + from, radius + from);
    for (int i = from; i < count; i++) {
        const struct value truth = truth_output_value(&query->truth->output[0], first + i);
        if (finite[i] && radius[i] == INFINITY &&
            (isnan(value[i]) || fabs(value_approximately(&truth)) < INFINITY)) {
            bind_certified(query, workspace, kinds, first, i, bound);
        }
    }
}

/* Sets escaped[i] where an intermediate of this form may leave the range of the type, or everywhere without
 * memory. There the form is no legal program, as other forms stay in range. */
static void find_may_overflow(const struct bound_query *query,
                              const struct primitive_errors *primitive_errors,
                              struct expression_workspace *workspace, int64_t first, int count, bool *escaped)
{
    struct expression_measure measure[BATCH_MAX];
    struct elementwise_arguments a;
    if (workspace) {
        elementwise_from_truth(query, first, count, &a);
        expression_measures(workspace, &a.row, primitive_errors, measure);
    }
    for (int i = 0; i < count; i++) {
        escaped[i] = !workspace || measure[i].may_overflow;
    }
}

/* Widens the bounds to those of another form, except where an intermediate of that form may leave the
 * range. */
static void widen(const struct bound_query *query, const struct elementwise *row, enum elementwise_form form,
                  const struct expression_kinds *kinds, int64_t first, int count, double *const *bound)
{
    double room[2][BATCH_MAX], *const other[] = {room[0], room[1]};
    struct expression_workspace *workspace = elementwise_workspace(query->op, row, form);
    bounds_of(query, row, form, kinds, first, count, NULL, other);
    for (int j = 0; j < kinds->kinds; j++) {
        bool escaped[BATCH_MAX];
        int from = 0, to = count; /* the infinite ones lie within [from, to) */
        while (from < to && isfinite(other[j][from])) {
            from++;
        }
        while (to > from && isfinite(other[j][to - 1])) {
            to--;
        }
        if (from < to) {
            find_may_overflow(query, &kinds->of[j], workspace, first + from, to - from, escaped + from);
        }
        for (int i = 0; i < count; i++) {
            bool binds = isfinite(other[j][i]) || !escaped[i];
            bound[j][i] = binds ? fmax(bound[j][i], other[j][i]) : bound[j][i];
        }
    }
}

/* Returns the truths of a batch as columns, from the query if it has them. */
static const struct value_batch *run_of(const struct bound_query *query, int64_t first, int count,
                                        struct value_batch *own)
{
    const struct truth_output *out = &query->truth->output[0];
    if (query->values && query->values->of == value_batch_place(out, first)) {
        return query->values;
    }
    value_batch_at(out, first, count, own);
    return own;
}

/* True if all programs compute the row in one order as far as range is concerned, so that the effect of
 * infinite intermediates is known. Functions of one number do; products of several operands may be formed in
 * another order, in which other intermediates leave the range. */
static bool has_one_order(const struct bound_query *query, const struct elementwise *row)
{
    return elementwise_numbers(query->op) == 1 || row->one_order;
}

static bool knows_range(const struct bound_query *query, const struct elementwise *row)
{
    return (has_one_order(query, row) || row->infinite_beyond) && elementwise_factor(query) == 1;
}

/* Marks float64 truths beyond 2^1026; returns true if there are any. */
static bool find_far(const struct value *value, int count, bool *far)
{
    bool any = false;
    for (int i = 0; i < count; i++) {
        int exponent = value[i].exponent;
        far[i] = value[i].class == VALUE_FINITE && exponent > 0 && ilogb(value[i].hi) + exponent >= 1026;
        any = any || far[i];
    }
    return any;
}

void elementwise_bounds(const struct bound_query *query, int64_t first, int count, double *compute)
{
    const struct elementwise *row = elementwise_row(query->op, query->attributes);
    const struct truth_output *out = &query->truth->output[0];
    if (!dtype_is_floating(out->dtype) || !row->formula) {
        memset(compute, 0, (size_t)count * sizeof *compute);
        return;
    }
    double room[BATCH_MAX], *bound[] = {compute, room};
    struct bound_query pair[2];
    struct expression_kinds kinds = {.kinds = op_pair(query, pair)};
    for (int j = 0; j < kinds.kinds; j++) {
        kinds.of[j] = elementwise_primitive_errors(&pair[j]);
    }
    if (kinds.kinds > 1 && query->quality) {
        bound[0] = room;
        bound[1] = compute;
    }
    struct value_batch own;
    int64_t finite[BATCH_MAX];
    const struct value_batch *truth = run_of(query, first, count, &own);
    const bool all_finite = truth->numbers || find_finite(out, first, truth, count, finite);
    bool far[BATCH_MAX];
    kinds.in_range = knows_range(query, row);
    kinds.one_order = kinds.in_range && has_one_order(query, row);
    kinds.far = kinds.in_range && out->dtype == DTYPE_FLOAT64 && find_far(&out->value[first], count, far)
                    ? far
                    : NULL;
    if (!bounds_of(query, row, FORM_SAFE, &kinds, first, count, truth, bound)) {
        if (truth->numbers) {
            memset(finite, -1, (size_t)count * sizeof *finite);
        }
        bind_unknown(query, row, &kinds, first, count, finite, bound);
    }
    kinds.in_range = kinds.in_range && row->infinite_beyond;
    kinds.one_order = false;
    kinds.far = kinds.in_range ? kinds.far : NULL;
    for (int f = 0; f < ELEMENTWISE_FORMS_MOST && row->form[f]; f++) {
        widen(query, row, (enum elementwise_form)(FORM_OTHER + f), &kinds, first, count, bound);
    }
    if (query->profile->documented_form && row->documented) {
        widen(query, row, FORM_DOCUMENTED, &kinds, first, count, bound);
    }
    if (query->profile->range == RANGE_NAIVE && row->naive) {
        widen(query, row, FORM_NAIVE, &kinds, first, count, bound);
    }
    for (int j = 0; j < kinds.kinds; j++) {
        elementwise_bind_beyond(&pair[j], row, first, count, bound[j]);
        elementwise_allow_flushed(&pair[j], &kinds.of[j], first, count, bound[j]);
        if (!all_finite) {
            clear_special(finite, count, bound[j]);
        }
        elementwise_bind_product(&pair[j], first, count, bound[j]);
    }
    if (kinds.kinds > 1) {
        op_cache_bounds(&pair[!query->quality], first, count, room);
    }
}

double elementwise_bound(const struct bound_query *query)
{
    double compute;
    elementwise_bounds(query, query->element, 1, &compute);
    return compute;
}

/* True if the product with the factor is exact: a power of two without loss. Then only the sum rounds, fused
 * or not. */
static bool factor_rounds_nothing(const struct bound_query *query)
{
    int exponent;
    const struct truth_output *out = &query->truth->output[0];
    return fabs(frexp(elementwise_factor(query), &exponent)) == 0.5 &&
           out->value[query->element].class == VALUE_FINITE && op_bound(query) == 0;
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
    if (row == query->op->row->scaled) {
        return factor_rounds_nothing(query);
    }
    return (!row->quotient || primitives_divide_rounded(query->profile->primitives)) && !row->form[0] &&
           elementwise_workspace(query->op, row, FORM_SAFE) &&
           expression_rounds_once(elementwise_expression(row, FORM_SAFE));
}

bool elementwise_naive_may_overflow(const struct bound_query *query)
{
    const struct elementwise *row = elementwise_row(query->op, query->attributes);
    struct expression_workspace *workspace = elementwise_workspace(query->op, row, FORM_NAIVE);
    const struct primitive_errors primitive_errors = elementwise_primitive_errors(query);
    bool escaped = false;
    if (workspace) {
        find_may_overflow(query, &primitive_errors, workspace, query->element, 1, &escaped);
    }
    return escaped;
}
