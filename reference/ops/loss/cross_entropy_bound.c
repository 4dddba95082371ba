/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/ops/loss/cross_entropy_bound.h"
#include "reference/operator/bound_memo.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define REDUCED(formula_)                                                                                    \
    .name = "cross_entropy", .outputs = 1, .dtypes = ELEMENTWISE_FLOATS, ROWWISE_BY_FORMULA,                 \
    .operands = {{"input", OPERAND_READ}, {"weight", OPERAND_READ}, {"count", OPERAND_READ}},                \
    ROWWISE_ROW(.formula = formula_)
static const struct op mean = {REDUCED("c = row_max(count); t = c >= 0 ? c : sum(z); sum(x) / t")};
static const struct op sum_of_losses = {REDUCED("sum(x)")};

/* Fills what sample i adds to a mean or a sum: its loss or, for probabilities, each term of the loss, because
 * programs may add all terms at once. Terms are as large as they may be if the loss errs by e. */
static void put_terms(const struct cross_entropy_parts *p, int64_t i, const struct attributes *attributes,
                      bool probable, double e, double *to)
{
    if (!probable) {
        to[i] = fabs(p->loss[i]) + e;
        return;
    }
    to += i * p->classes;
    cross_entropy_terms(&p->row[i * p->classes * CROSS_ENTROPY_GIVEN], p->classes, attributes, to);
    for (int64_t c = 0; c < p->classes; c++) {
        to[c] = fabs(to[c]) * (1 + 0x1p-20) + e;
    }
}

/* A bound that is computed: B, or the primitive error, under one profile. All sides of a query are computed
 * together, because one sweep over a sample's row yields all of them. */
enum { SIDES_MAX = 4 };
struct side {
    const struct bound_query *asked;
    struct bound_query inner; /* the query for the samples */
    bool primitive_error;
    double u, errors, limit; /* u: roundoff of the sum of losses; errors: sum over the samples */
};

static void ask(const struct side *side, int64_t first, int count, double *limit)
{
    if (side->primitive_error) {
        op_primitive_errors(&side->inner, first, count, NULL, limit);
    } else {
        op_bounds(&side->inner, first, count, limit);
    }
}

/* Fills the sides: queries for an operator and truth of the samples, with memos of their own. Returns their
 * number. */
static int sides_of(const struct bound_query *query, int pairs, const struct bound_query pair[2],
                    const struct op *op, const struct truth *truth, struct bound_memo memo[2],
                    struct side side[SIDES_MAX])
{
    const enum dtype dtype = query->truth->output[0].dtype;
    const int kinds = query->exact ? 1 : 2; /* a probe has no primitive error */
    for (int k = 0; k < pairs * kinds; k++) {
        const int p = k / kinds;
        const bool primitive_error = k % kinds == 1, exact = primitive_error || query->exact;
        memo[p].other = pairs == 2 ? &memo[!p] : NULL;
        memo[p].other_profile = pair[!p].profile;
        side[k] = (struct side){.asked = &pair[p],
                                .inner = pair[p],
                                .primitive_error = primitive_error,
                                .u = exact ? 0 : profile_accumulate_roundoff(pair[p].profile, dtype)};
        side[k].inner.op = op;
        side[k].inner.truth = truth;
        side[k].inner.memo = &memo[p];
    }
    return pairs * kinds;
}

/* Fills error[side][sample] with the bound of each sample, and the sum of each side. */
static void add_up_samples(const struct cross_entropy_parts *p, int sides, struct side *side, double *error)
{
    double limit[BATCH_MAX];
    for (int64_t first = 0; first < p->samples; first += BATCH_MAX) {
        const int count = p->samples - first < BATCH_MAX ? (int)(p->samples - first) : BATCH_MAX;
        for (int k = 0; k < sides; k++) {
            const struct bound_query *inner = &side[k].inner;
            const enum dtype accumulator = inner->profile->accumulate[inner->truth->output[0].dtype];
            ask(&side[k], first, count, limit);
            for (int i = 0; i < count; i++) {
                const double loss = p->loss[first + i];
                const bool nothing = limit[i] == 0 && loss == 0;
                const double e =
                    limit[i] + (nothing ? 0 : side[k].u * fabs(loss) + dtype_least_normal(accumulator));
                error[k * p->samples + first + i] = e;
                side[k].errors += e;
            }
        }
    }
}

/* Bounds the mean or the sum of samples with these errors. `operands` has room for the operands of `terms`
 * terms. */
static double limit_of_sum(const struct side *side, const struct cross_entropy_parts *p, bool probable,
                           const double *error, int64_t terms, double *operands)
{
    const struct bound_query *inner = &side->inner;
    const bool over = cross_entropy_reduction(inner->attributes) == LOSS_MEAN;
    struct value one = value_of(1);
    struct truth whole = {.outputs = 1};
    struct side sum = *side;
    double t = 0, bound;
    if (side->errors == 0) {
        return 0; /* no sample counts: the sum of zeros is exact */
    }
    if (!isfinite(side->errors)) {
        return INFINITY;
    }
    for (int64_t i = 0; i < p->samples; i++) {
        put_terms(p, i, inner->attributes, probable, error[i], operands);
        t += p->weight[i];
    }
    for (int64_t k = 0; k < terms; k++) {
        operands[terms + k] = probable ? 1 : p->weight[k];
        operands[2 * terms + k] = p->count;
    }
    whole.output[0] = (struct truth_output){.dtype = inner->truth->output[0].dtype,
                                            .elements = 1,
                                            .value = &one,
                                            .sensitivities = (int)(CROSS_ENTROPY_HEAD * terms),
                                            .sensitivity = operands};
    sum.inner.truth = &whole;
    sum.inner.memo = NULL; /* this truth does not outlive the call */
    sum.inner.op = over ? &mean : &sum_of_losses;
    ask(&sum, 0, 1, &bound);
    return (bound + side->errors / (over ? fabs(t) : 1)) * (1 + 0x1p-20);
}

/* Fills the bound of a mean or a sum for each side. Returns false when out of memory. */
static bool reduced_limits(const struct cross_entropy_parts *p, int sides, struct side *side, bool probable)
{
    const int64_t terms = p->samples * (probable ? p->classes : 1);
    double *operands = malloc(CROSS_ENTROPY_HEAD * (size_t)terms * sizeof *operands),
           *error = malloc((size_t)sides * (size_t)p->samples * sizeof *error);
    const bool good = operands && error;
    if (good) {
        add_up_samples(p, sides, side, error);
    }
    for (int k = 0; good && k < sides; k++) {
        side[k].limit = limit_of_sum(&side[k], p, probable, error + k * p->samples, terms, operands);
    }
    free(operands);
    free(error);
    return good;
}

static double remember(const struct bound_query *query, bool primitive_error, int sides,
                       const struct side *side)
{
    double limit = INFINITY;
    for (int k = 0; k < sides; k++) {
        const struct bound_query *asked = side[k].asked;
        const double *found = &side[k].limit;
        if (side[k].primitive_error) {
            op_cache_primitive_errors(asked, query->element, 1, found);
        } else {
            op_cache_bounds(asked, query->element, 1, found);
        }
        if (asked->quality == query->quality &&
            side[k].primitive_error == (primitive_error && !query->exact)) {
            limit = *found;
        }
    }
    return limit;
}

/* Returns the requested bound; those computed with it are cached. Infinite when out of memory. */
static double reduced_limit(const struct bound_query *query, bool primitive_error)
{
    const struct truth_output *out = &query->truth->output[0];
    const struct cross_entropy_parts p = cross_entropy_parts_of(out->sensitivity);
    if (out->value[query->element].class != VALUE_FINITE || p.samples == 0) {
        return 0;
    }
    const bool probable = cross_entropy_is_probable(p.row, p.classes);
    struct value *value = malloc((size_t)p.samples * sizeof *value);
    struct bound_memo *memo = calloc(2, sizeof *memo);
    struct truth each = {.outputs = 1};
    struct bound_query pair[2];
    struct side side[SIDES_MAX];
    double limit = INFINITY;
    each.output[0] = (struct truth_output){.dtype = out->dtype,
                                           .elements = p.samples,
                                           .value = value,
                                           .sensitivities = (int)(CROSS_ENTROPY_GIVEN * p.classes),
                                           .sensitivity = p.row};
    for (int64_t i = 0; value && i < p.samples; i++) {
        value[i] = value_of(p.loss[i]);
    }
    if (value && memo) {
        const struct op *op = cross_entropy_sample(query->attributes, probable);
        const int sides = sides_of(query, op_pair(query, pair), pair, op, &each, memo, side);
        if (reduced_limits(&p, sides, side, probable)) {
            limit = remember(query, primitive_error, sides, side);
        }
    }
    free(value);
    free(memo);
    return limit;
}

/* Returns the query for the loss of one sample. */
static struct bound_query of_sample(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[0];
    struct bound_query inner = *query;
    inner.op = cross_entropy_sample(
        query->attributes, cross_entropy_is_probable(&out->sensitivity[query->element * out->sensitivities],
                                                     out->sensitivities / CROSS_ENTROPY_GIVEN));
    return inner;
}

double cross_entropy_bound(const struct bound_query *query)
{
    const struct bound_query inner = of_sample(query);
    return cross_entropy_reduction(query->attributes) == LOSS_NONE ? op_bound(&inner)
                                                                   : reduced_limit(query, false);
}

double cross_entropy_primitive_error(const struct bound_query *query)
{
    const struct bound_query inner = of_sample(query);
    return cross_entropy_reduction(query->attributes) == LOSS_NONE ? op_primitive_error(&inner)
                                                                   : reduced_limit(query, true);
}

bool cross_entropy_naive_may_overflow(const struct bound_query *query)
{
    struct bound_query inner = of_sample(query);
    if (cross_entropy_reduction(query->attributes) == LOSS_NONE) {
        return rowwise_naive_may_overflow(&inner);
    }
    const struct truth_output *out = &query->truth->output[0];
    const struct cross_entropy_parts p = cross_entropy_parts_of(out->sensitivity);
    struct truth each = {.outputs = 1};
    each.output[0] = (struct truth_output){.dtype = out->dtype,
                                           .elements = p.samples,
                                           .sensitivities = (int)(CROSS_ENTROPY_GIVEN * p.classes),
                                           .sensitivity = p.row};
    inner.truth = &each;
    inner.memo = NULL;
    inner.op = cross_entropy_sample(query->attributes, cross_entropy_is_probable(p.row, p.classes));
    bool may_overflow = false;
    for (inner.element = 0; inner.element < p.samples; inner.element++) {
        may_overflow = may_overflow || rowwise_naive_may_overflow(&inner);
    }
    return may_overflow;
}

/* True for a mean with label smoothing whose weights add up to 0. */
static bool divides_terms_by_zero(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[0];
    if (cross_entropy_reduction(query->attributes) != LOSS_MEAN ||
        cross_entropy_smoothing(query->attributes) == 0) {
        return false;
    }
    const struct cross_entropy_parts p = cross_entropy_parts_of(out->sensitivity);
    double weights = 0;
    for (int64_t i = 0; i < p.samples; i++) {
        weights += p.weight[i];
    }
    return weights == 0;
}

/* True if the terms of a sample may be NaN beside an infinite loss: finite terms of its smoothing or its
 * probabilities overflow against it, an infinite weight meets a factor that is rounded to 0, or a weight
 * times a probability that is rounded to 0 meets an infinity. True when out of memory. */
static bool may_be_nan(const double *row, int64_t classes, const struct attributes *attributes, double most,
                       double least)
{
    const double smoothing = cross_entropy_smoothing(attributes);
    const bool probable = cross_entropy_is_probable(row, classes);
    double *term = calloc(4 * (size_t)classes + 1, sizeof *term), *own = term + classes, sum = 0;
    bool infinite = !term;
    if (term) { /* for class indices: all classes have one share, and the target once more */
        memcpy(own, row, (probable ? 3 : 1) * (size_t)classes * sizeof *own);
        memcpy(own + 2 * classes, row + 2 * classes, (size_t)classes * sizeof *own);
        cross_entropy_terms(own, classes, attributes, term);
    }
    for (int64_t c = 0; term && c < classes; c++) {
        const double weight = own[2 * classes + c],
                     share = weight * ((1 - smoothing) * own[classes + c] + smoothing / (double)classes);
        sum += isfinite(term[c]) ? fabs(term[c]) : 0;
        infinite = infinite || isinf(weight) || (isinf(term[c]) && fabs(share) < least);
    }
    free(term);
    return infinite || sum >= most;
}

static bool terms_may_be_nan(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[0];
    const bool each = cross_entropy_reduction(query->attributes) == LOSS_NONE;
    struct cross_entropy_parts p = {.samples = 1,
                                    .classes = out->sensitivities / CROSS_ENTROPY_GIVEN,
                                    .row = &out->sensitivity[query->element * out->sensitivities]};
    if (!each) {
        p = cross_entropy_parts_of(out->sensitivity);
    }
    const int64_t width = CROSS_ENTROPY_GIVEN * p.classes;
    const enum dtype type = query->profile->accumulate[out->dtype];
    const double most = dtype_max(type) / (double)p.samples, least = 2 * dtype_least_normal(type);
    bool found = false;
    for (int64_t i = 0; !found && i < p.samples; i++) {
        const bool alone = !cross_entropy_is_probable(p.row + i * width, p.classes) &&
                           cross_entropy_smoothing(query->attributes) == 0;
        found = !alone && may_be_nan(p.row + i * width, p.classes, query->attributes, most, least);
    }
    return found;
}

/* Accepts zeros of either sign. Where the weights add up to 0 the documented mean is the sum of all terms
 * over 0, which may be infinite; ATen divides the sum of the targets' terms and that of the smoothed terms
 * separately, and adds 0/0 or two infinities to a NaN. */
void cross_entropy_accept(const struct bound_query *query, struct accept *accept)
{
    const struct truth_output *out = &query->truth->output[0];
    accept_default(accept, out->dtype, query->profile, &out->value[query->element], op_bound(query));
    accept_any_zero(accept);
    if (value_is_infinite(&out->value[query->element]) &&
        (divides_terms_by_zero(query) || terms_may_be_nan(query))) {
        accept_also(accept, NAN);
    }
}
