/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The bound, the acceptance set, the envelope and the resolving power of one judged element or a batch. */

#include "reference/numeric/simd/multiversion.h"
#include "reference/operator/bound_batch.h"
#include "reference/operator/bound_memo.h"

#include <math.h>
#include <string.h>

bool op_rounds_once(const struct bound_query *query)
{
    (void)query;
    return true;
}

bool op_is_rounded(const struct bound_query *query)
{
    const struct op *op = query->op;
    return op->one_rounding && (!op->accept || op->accepts_rounded) && op->one_rounding(query) &&
           profile_rounds_to_nearest(query->profile, query->truth->output[query->output].dtype);
}

static void accept_one(const struct bound_query *query, struct accept *accept)
{
    const struct truth_output *output = &query->truth->output[query->output];
    struct value known;
    const struct value *value = &known;
    if (output->value) {
        value = truth_value(output, query->element);
    } else {
        known = truth_output_value(output, query->element);
    }
    if (op_result_is_verified(query->op, query->output)) {
        /* Single elements are neither right nor wrong; `verify` judges them together. */
        accept_default(accept, output->dtype, query->profile, value, INFINITY);
        return;
    }
    if (query->op->accept) {
        query->op->accept(query, accept);
    } else if (query->op->one_rounding && query->op->one_rounding(query)) {
        accept_rounded(accept, output->dtype, query->profile, value);
    } else {
        accept_default(accept, output->dtype, query->profile, value, op_bound(query));
    }
    if (query->op->may_overflow && query->op->may_overflow(query)) {
        accept_overflowed(accept, query->profile);
    }
}

bool op_may_flush(const struct bound_query *query)
{
    bool may = false;
    for (int d = 0; d < DTYPE_COUNT && query->truth->flushed && !may; d++) {
        may = (query->truth->flushed_dtypes >> d & 1) &&
              profile_loses_subnormals(query->profile, (enum dtype)d);
    }
    return may;
}

void op_accept(const struct bound_query *query, struct accept *accept)
{
    accept_one(query, accept);
    if (op_may_flush(query) && !limit_flushes_alike(query, query->element)) {
        struct bound_query flushed_query = *query;
        flushed_query.truth = query->truth->flushed;
        struct accept flushed;
        accept_one(&flushed_query, &flushed);
        accept_union(accept, &flushed);
    }
}

/* Returns the type in which sums are held: the coarsest over the judged tensors, because float32 parameters
 * may accompany 16-bit elements. */
static enum dtype accumulator_of(const struct bound_query *query, enum dtype *coarsest)
{
    enum dtype accumulator = DTYPE_FLOAT64;
    *coarsest = DTYPE_FLOAT64;
    for (int o = 0; o < query->truth->outputs; o++) {
        enum dtype dtype = dtype_info(query->truth->output[o].dtype)->component;
        enum dtype wide = query->profile->accumulate[dtype];
        if (!dtype_is_floating(dtype)) {
            continue;
        }
        *coarsest = dtype_unit_roundoff(dtype) > dtype_unit_roundoff(*coarsest) ? dtype : *coarsest;
        accumulator = dtype_unit_roundoff(wide) > dtype_unit_roundoff(accumulator) ? wide : accumulator;
    }
    return accumulator;
}

/* Returns the terms of the envelope that are equal for all elements of a judged tensor. */
static struct envelope_terms terms_of(const struct bound_query *query)
{
    const struct profile *profile = query->profile;
    enum dtype dtype = query->truth->output[query->output].dtype, coarsest,
               wide = accumulator_of(query, &coarsest);
    double u = profile_accumulate_roundoff(profile, coarsest);
    bool to_nearest = profile->rounding[dtype] == ROUNDING_RTE;
    /* products of fast algorithms err normwise */
    bool fast = profile_fast_crossover(profile, query->op->name) > 0;
    return (struct envelope_terms){.truth = query->truth,
                                   .profile = profile,
                                   .output = query->output,
                                   .none = fast,
                                   .may_fail = !profile_accumulate_is_open(profile, coarsest) && to_nearest,
                                   .width = wide == coarsest        ? ENVELOPE_OWN
                                            : wide == DTYPE_FLOAT32 ? ENVELOPE_FLOAT32
                                                                    : ENVELOPE_FLOAT64,
                                   .u = u,
                                   .own = profile_unit_roundoff(profile, dtype),
                                   .wider = u / dtype_unit_roundoff(wide),
                                   .underflow = profile_underflow_unit(profile, dtype),
                                   .least_normal = dtype_least_normal(dtype)};
}

/* Returns the cached terms, or computes them into the memo or `own`; NULL for a tensor that has no envelope.
 */
static const struct envelope_terms *terms_for(const struct bound_query *query, struct envelope_terms *own)
{
    struct envelope_terms *terms = query->memo ? &query->memo->terms : own;
    if (!query->truth->output[query->output].envelope || query->exact) {
        return NULL;
    }
    if (!query->memo || terms->truth != query->truth || terms->profile != query->profile ||
        terms->output != query->output) {
        *terms = terms_of(query);
    }
    return terms->none ? NULL : terms;
}

bool op_envelope_may_fail(const struct bound_query *query)
{
    struct envelope_terms own;
    const struct envelope_terms *terms = terms_for(query, &own);
    return terms && terms->may_fail;
}

static void envelope_of(const struct envelope_terms *terms, const struct truth_output *out, int64_t element,
                        double primitive_error, struct envelope_limit *limit)
{
    const struct envelope *e = &out->envelope[element];
    double truth = fabs(value_approximately(&out->value[element]));
    double least = terms->least_normal, u = terms->u, drift = e->drift[terms->width];
    limit->spread = u * e->spread;
    limit->certain = terms->own * truth + drift * terms->wider + e->truncation + primitive_error +
                     (truth < 4 * least ? terms->underflow : 0);
    bool fixed = e->sign_spread == 0 || 16 * u * e->sign_spread + drift + primitive_error < 1;
    limit->fixed = e->sign_spread > 0 && fixed;
    limit->group = e->group;
    limit->group_spread = u * e->group_spread;
    limit->known = fixed && isfinite(limit->spread) && (isfinite(limit->certain) || limit->fixed);
    limit->may_fail = terms->may_fail;
}

void op_envelope(const struct bound_query *query, struct envelope_limit *limit)
{
    const struct truth_output *out = &query->truth->output[query->output];
    struct envelope_terms own;
    const struct envelope_terms *terms = terms_for(query, &own);
    *limit = (struct envelope_limit){.group = -1};
    if (terms) {
        envelope_of(terms, out, query->element, op_primitive_error(query), limit);
    }
}

bool bound_batch_concerns(const struct bound_query *query)
{
    const struct op *op = query->op;
    const struct truth_output *out = &query->truth->output[query->output];
    return dtype_info(out->dtype)->components == 1 && dtype_is_floating(out->dtype) && op->bound &&
           (!op->accept || op->bounded) && !op->flipped_sign && !op->resolving_power &&
           !op_result_is_verified(op, query->output);
}

/* Marks the finite numbers to which only rule 3 applies: those far from the ends of the range, where other
 * rules begin. */
MULTIVERSION static void find_ordinary(const struct value_batch *values, double least, double most, int count,
                                       int64_t *plain)
{
    for (int i = 0; i < count; i++) {
        double size = fabs(values->hi[i]);
        plain[i] = mask_of((values->kind[i] == 0) & (size >= least) & (size <= most));
    }
}

/* Computes B of the numbers that are plain so far, and keeps those that have a bound. Others are replaced by
 * 1, because u·|value| may be a subnormal double there, and such a product takes a hundred times as long. */
MULTIVERSION static void find_radii(const struct value_batch *values, double u, double most, int count,
                                    struct bound_batch *run)
{
    for (int i = 0; i < count; i++) {
        double size = run->plain[i] ? fabs(values->hi[i]) : 1;
        double radius = run->compute[i] + u * size;
        run->radius[i] = radius;
        run->plain[i] &= mask_of((run->compute[i] > 0) & (radius <= most));
    }
}

/* Excludes elements that round once, may overflow, or have a sign rule in their envelope, as far as the
 * operator has such. */
static void leave_out(const struct bound_query *query, int64_t first, int count, bool enveloped,
                      struct bound_batch *run)
{
    const struct op *op = query->op;
    const struct truth_output *out = &query->truth->output[query->output];
    struct bound_query each = *query;
    each.element = first;
    bool alone = op->one_rounding && !op->bounds,
         once = !alone && op->one_rounding && op->one_rounding(&each);
    run->by_default = op->bounds && !op->accept && !op->may_overflow && !once && !enveloped;
    if (once) {
        memset(run->plain, 0, (size_t)count * sizeof *run->plain);
    }
    for (int i = 0; i < count && (alone || op->may_overflow || enveloped); i++) {
        each.element = first + i;
        bool plain = run->plain[i] && !(alone && op->one_rounding(&each)) &&
                     !(enveloped && out->envelope[each.element].sign_spread != 0) &&
                     !(op->may_overflow && op->may_overflow(&each));
        run->plain[i] = mask_of(plain);
    }
}

/* Excludes elements for which more is accepted where subnormal operands are replaced by zeros. By default the
 * bounds decide this, else a comparison of the operands. */
static void leave_out_flushed(const struct bound_query *query, int64_t first, int count,
                              struct bound_batch *run)
{
    if (!op_may_flush(query)) {
        return;
    }
    if (run->by_default) {
        limits_flush_alike(query, first, count, run->compute, run->plain);
        return;
    }
    for (int i = 0; i < count; i++) {
        run->plain[i] &= mask_of(run->plain[i] && limit_flushes_alike(query, first + i));
    }
}

static void find_envelopes(const struct bound_query *query, const struct envelope_terms *terms, int64_t first,
                           int count, struct bound_batch *run)
{
    const struct truth_output *out = &query->truth->output[query->output];
    double primitive_error[BATCH_MAX];
    bool plain[BATCH_MAX] = {false};
    for (int i = 0; i < count; i++) {
        plain[i] = run->plain[i] != 0;
    }
    op_primitive_errors(query, first, count, plain, primitive_error);
    for (int i = 0; i < count; i++) {
        struct envelope_limit limit = {.known = false};
        if (run->plain[i]) {
            envelope_of(terms, out, first + i, primitive_error[i], &limit);
        }
        run->known[i] = limit.known;
        run->spread[i] = limit.spread;
        run->certain[i] = limit.certain;
        run->reach[i] = envelope_limit_reach(&limit);
    }
}

void bound_batch_of(const struct bound_query *query, int64_t first, int count,
                    const struct value_batch *values, struct bound_batch *run)
{
    const struct op *op = query->op;
    const struct truth_output *out = &query->truth->output[query->output];
    double least = 4 * dtype_least_normal(out->dtype), most = dtype_max(out->dtype) / 4;
    double u = profile_unit_roundoff(query->profile, out->dtype);
    struct bound_query each = *query;
    struct envelope_terms own;
    const struct envelope_terms *terms = terms_for(query, &own);
    run->enveloped = terms != NULL;
    run->group_u = run->enveloped ? terms->u : 0;
    find_ordinary(values, least, most, count, run->plain);
    leave_out(query, first, count, run->enveloped, run);
    if (op->bounds) {
        each.values = values;
        op_bounds(&each, first, count, run->compute);
    }
    leave_out_flushed(query, first, count, run);
    for (int i = 0; !op->bounds && i < count; i++) {
        each.element = first + i;
        run->compute[i] = run->plain[i] ? op_bound(&each) : 0;
    }
    find_radii(values, u, most, count, run);
    if (run->enveloped) {
        find_envelopes(query, terms, first, count, run);
    }
}

double envelope_limit_reach(const struct envelope_limit *limit)
{
    return 16 * limit->spread + limit->certain;
}

/* Returns whether an overflow may have left this number. Where rounding may go towards zero, MAX may replace
 * an infinity, and what follows from it is any number. */
static bool overflow_leaves(const struct bound_query *query, const void *got)
{
    enum dtype dtype = dtype_info(query->truth->output[query->output].dtype)->component;
    return !got || !isfinite(dtype_load(dtype, got)) ||
           query->profile->rounding[query->profile->accumulate[dtype]] == ROUNDING_OPEN;
}

bool op_range_finding(const struct bound_query *query, const void *got)
{
    const struct op *op = query->op;
    return query->profile->range == RANGE_NAIVE && op->naive_may_overflow && op->naive_may_overflow(query) &&
           (!op->naive_is_infinite || !op->naive_is_infinite(query) || overflow_leaves(query, got));
}

double op_resolving_power(const struct bound_query *query, const struct accept *accept, bool *scaled)
{
    *scaled = query->op->resolving_power == NULL;
    if (!*scaled) {
        return query->op->resolving_power(query, accept);
    }
    double radius = 0, max = dtype_max(dtype_info(accept->dtype)->component);
    for (int s = 0; s < accept->sets; s++) {
        const struct accept_set *set = &accept->set[s];
        double centre = fabs(value_approximately(&set->component[0].centre));
        /* accepts an infinity only, no number */
        bool beyond = set->component[0].special && centre - set->radius > max;
        radius = fmax(radius, beyond ? 0 : set->radius);
    }
    return radius;
}
