/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/ops/cross_entropy_bound.h"
#include "reference/bound_memo.h"

#include <math.h>
#include <stdlib.h>

#define REDUCED(formula_)                                                                                    \
    .name = "cross_entropy", .outputs = 1, .dtypes = ELEMENTWISE_FLOATS, ROWWISE_BY_FORMULA,                 \
    .operands = {{"input", OPERAND_READ}, {"weight", OPERAND_READ}, {"count", OPERAND_READ}},                \
    ROWWISE_ROW(.formula = formula_)
static const struct op mean = {REDUCED("c = row_max(count); t = c >= 0 ? c : sum(z); sum(x) / t")};
static const struct op sum = {REDUCED("sum(x)")};

typedef double limit_of(const struct bound_query *query);

/* What sample i adds to a mean or a sum: its loss or, of probabilities, which may as well be added up at
 * once, each of its terms; as large as they may be where the loss errs by e. */
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

/* What a mean or a sum may err: `sample` of each sample, and that of the sums. */
static double reduced_limit(const struct bound_query *query, limit_of *limit, bool exact)
{
    const struct truth_output *out = &query->truth->output[0];
    const struct cross_entropy_parts p = cross_entropy_parts_of(out->sensitivity);
    const double u = exact ? 0 : profile_accumulate_roundoff(query->profile, out->dtype);
    const double least = dtype_least_normal(query->profile->accumulate[out->dtype]);
    const bool over = cross_entropy_reduction(query->attributes) == LOSS_MEAN;
    if (out->value[query->element].class != VALUE_FINITE || p.samples == 0) {
        return 0;
    }
    const bool probable = cross_entropy_is_probable(p.row, p.classes);
    const int64_t terms = p.samples * (probable ? p.classes : 1);
    double *operands = malloc(CROSS_ENTROPY_HEAD * (size_t)terms * sizeof *operands), errors = 0, t = 0;
    struct value *value = malloc((size_t)p.samples * sizeof *value);
    struct truth each = {.outputs = 1}, whole = {.outputs = 1};
    struct bound_query inner = *query;
    inner.memo = NULL; /* these truths are gone when it is asked again */
    each.output[0] = (struct truth_output){.dtype = out->dtype,
                                           .elements = p.samples,
                                           .value = value,
                                           .sensitivities = (int)(CROSS_ENTROPY_GIVEN * p.classes),
                                           .sensitivity = p.row};
    inner.truth = &each;
    inner.op = cross_entropy_sample(query->attributes, probable);
    for (int64_t i = 0; operands && value && i < p.samples; i++) {
        value[i] = value_of(p.loss[i]);
        inner.element = i;
        double e = limit(&inner);
        e += e == 0 && p.loss[i] == 0 ? 0 : u * fabs(p.loss[i]) + least;
        errors += e;
        put_terms(&p, i, query->attributes, probable, e, operands);
        t += p.weight[i];
    }
    for (int64_t k = 0; operands && k < terms; k++) {
        operands[terms + k] = probable ? 1 : p.weight[k];
        operands[2 * terms + k] = p.count;
    }
    double bound = INFINITY;
    if (operands && value && errors == 0) {
        bound = 0; /* nothing counts: zeros add up to zero */
    } else if (operands && value && isfinite(errors)) {
        value[0] = value_of(1);
        whole.output[0] = (struct truth_output){.dtype = out->dtype,
                                                .elements = 1,
                                                .value = value,
                                                .sensitivities = (int)(CROSS_ENTROPY_HEAD * terms),
                                                .sensitivity = operands};
        inner.truth = &whole;
        inner.element = 0;
        inner.op = over ? &mean : &sum;
        bound = limit(&inner);
        bound = (bound + errors / (over ? fabs(t) : 1)) * (1 + 0x1p-20);
    }
    free(operands);
    free(value);
    return bound;
}

/* Of a loss of each sample. */
static struct bound_query of_sample(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[0];
    struct bound_query inner = *query;
    inner.op = cross_entropy_sample(
        query->attributes, cross_entropy_is_probable(&out->sensitivity[query->element * out->sensitivities],
                                                     out->sensitivities / CROSS_ENTROPY_GIVEN));
    return inner;
}

static double limit_of_either(const struct bound_query *query, limit_of *limit, bool exact)
{
    const struct bound_query inner = of_sample(query);
    return cross_entropy_reduction(query->attributes) == LOSS_NONE ? limit(&inner)
                                                                   : reduced_limit(query, limit, exact);
}

double cross_entropy_bound(const struct bound_query *query)
{
    return limit_of_either(query, op_bound, query->exact);
}

double cross_entropy_allowance(const struct bound_query *query)
{
    return limit_of_either(query, op_allowance, true);
}

bool cross_entropy_naive_escapes(const struct bound_query *query)
{
    struct bound_query inner = of_sample(query);
    if (cross_entropy_reduction(query->attributes) == LOSS_NONE) {
        return rowwise_naive_escapes(&inner);
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
    bool escapes = false;
    for (inner.element = 0; inner.element < p.samples; inner.element++) {
        escapes = escapes || rowwise_naive_escapes(&inner);
    }
    return escapes;
}

/* A zero of either sign. */
void cross_entropy_accept(const struct bound_query *query, struct accept *accept)
{
    const struct truth_output *out = &query->truth->output[0];
    accept_default(accept, out->dtype, query->profile, &out->value[query->element], op_bound(query));
    for (int set = 0; set < accept->sets; set++) {
        accept->set[set].component[0].zero = ZERO_ANY;
    }
}
