/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/operator/bound_memo.h"
#include "reference/numeric/simd/multiversion.h"

#include <math.h>
#include <string.h>

/* Returns whether a slot covers `count` elements of the query from `first` on. */
static bool answers(const struct bound_known *known, const struct bound_query *query, int64_t first,
                    int count)
{
    int64_t at = first - known->first;
    return known->op == query->op && known->truth == query->truth && known->profile == query->profile &&
           known->exact == query->exact && known->quality == query->quality && at >= 0 &&
           at + count <= known->count;
}

/* Returns the cached bound of an element; NULL if there is none. */
static const double *known_of(const struct bound_known slot[BOUND_SLOTS], const struct bound_query *query,
                              int64_t element)
{
    for (int k = 0; k < BOUND_SLOTS; k++) {
        const double *bound =
            answers(&slot[k], query, element, 1) ? &slot[k].bound[element - slot[k].first] : NULL;
        if (bound && !isnan(*bound)) {
            return bound;
        }
    }
    return NULL;
}

static void remember(struct bound_known slot[BOUND_SLOTS], const struct bound_query *query, int64_t first,
                     int count, const double *bound)
{
    const struct truth *run = slot[BOUND_RUN].truth;
    bool other = slot[BOUND_ONE].truth && slot[BOUND_ONE].op != query->op;
    struct bound_known *known = slot + (count == 1 ? (other ? BOUND_INNER : BOUND_ONE)
                                        : run && run->flushed == query->truth ? BOUND_FLUSHED
                                                                              : BOUND_RUN);
    known->op = query->op;
    known->truth = query->truth;
    known->profile = query->profile;
    known->exact = query->exact;
    known->quality = query->quality;
    known->first = first;
    known->count = count;
    memcpy(known->bound, bound, (size_t)count * sizeof *bound);
}

void op_cache_bounds(const struct bound_query *query, int64_t first, int count, const double *compute)
{
    if (query->memo) {
        remember(query->memo->bound, query, first, count, compute);
    }
}

void op_cache_primitive_errors(const struct bound_query *query, int64_t first, int count,
                               const double *primitive_error)
{
    if (query->memo) {
        remember(query->memo->primitive_error, query, first, count, primitive_error);
    }
}

void op_forget_bounds(struct bound_memo *memo)
{
    for (int k = 0; k < BOUND_SLOTS; k++) {
        memo->bound[k].truth = memo->primitive_error[k].truth = NULL;
    }
}

static void forget(struct bound_known *known, int64_t element)
{
    int64_t at = element - known->first;
    if (known->truth && at >= 0 && at < known->count) {
        known->bound[at] = NAN;
    }
}

void op_forget_bound(struct bound_memo *memo, int64_t element)
{
    for (int k = 0; k < BOUND_SLOTS; k++) {
        forget(&memo->bound[k], element);
        forget(&memo->primitive_error[k], element);
    }
}

/* Returns whether an element of one real component has the same truth with flushed operands; the operands may
 * differ. */
static bool flushes_to_same(const struct truth_output *a, const struct truth_output *b, int64_t element)
{
    const struct value *x = truth_value(a, element), *y = truth_value(b, element);
    return dtype_info(a->dtype)->components == 1 && memcmp(&x->hi, &y->hi, sizeof x->hi) == 0 &&
           x->lo == y->lo && x->exponent == y->exponent && x->class == y->class && x->exact == y->exact &&
           x->open == y->open && (!a->radius || a->radius[element] == b->radius[element]);
}

static bool operands_alike(const struct truth_output *a, const struct truth_output *b, int64_t element)
{
    size_t size = (size_t)a->sensitivities * sizeof(double), at = (size_t)element * size;
    return size == 0 ||
           memcmp((const char *)a->sensitivity + at, (const char *)b->sensitivity + at, size) == 0;
}

bool limit_flushes_alike(const struct bound_query *query, int64_t element)
{
    if (!query->truth->flushed) {
        return true;
    }
    const struct truth_output *a = &query->truth->output[query->output],
                              *b = &query->truth->flushed->output[query->output];
    return flushes_to_same(a, b, element) && operands_alike(a, b, element);
}

void limits_flush_alike(const struct bound_query *query, int64_t first, int count, const double *compute,
                        int64_t *mask)
{
    const struct truth_output *a = &query->truth->output[query->output],
                              *b = &query->truth->flushed->output[query->output];
    double flushed[BATCH_MAX];
    bool others = false;
    for (int i = 0; i < count; i++) {
        mask[i] &= mask_of(mask[i] && flushes_to_same(a, b, first + i));
        others = others || (mask[i] && !operands_alike(a, b, first + i));
    }
    if (others) {
        struct bound_query other = *query;
        other.truth = query->truth->flushed;
        other.values = NULL;
        op_bounds(&other, first, count, flushed);
        for (int i = 0; i < count; i++) {
            mask[i] &= mask_of(compute[i] == flushed[i]);
        }
    }
}

/* Returns how many elements, from this one to the end of the current batch, to compute together: more than
 * one if flushed operands change the truth of many of them. */
static int flushed_together(const struct bound_query *query)
{
    enum { LOOK = 32, MANY = 4 };
    const struct bound_known *run = &query->memo->bound[BOUND_RUN];
    int64_t rest = run->truth ? run->first + run->count - query->element : 0;
    if (!query->op->bounds || !run->truth || run->truth->flushed != query->truth ||
        query->element < run->first || rest < LOOK) {
        return 1;
    }
    struct bound_query plain = *query;
    plain.truth = run->truth;
    int others = 0;
    for (int i = 0; i < LOOK; i++) {
        others += !limit_flushes_alike(&plain, query->element + i);
    }
    return others >= MANY ? (int)rest : 1;
}

/* Returns how many elements to compute together where elements are queried one by one: the more, the longer
 * consecutive elements have been queried. */
static int asked_in_turn(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[query->output];
    const struct bound_known *one = &query->memo->bound[BOUND_ONE], *run = &query->memo->bound[BOUND_RUN];
    const int64_t before = query->element - 1, left = out->elements - query->element;
    int64_t count = 1;
    if (query->op->bounds && answers(run, query, before, 1) && !answers(run, query, query->element, 1)) {
        count = 2 * (int64_t)run->count;
    } else if (query->op->bounds && answers(one, query, before, 1)) {
        count = 2;
    }
    count = count < left ? count : left;
    return count < BATCH_MAX ? (int)count : BATCH_MAX;
}

static int together(const struct bound_query *query)
{
    int count = query->memo ? flushed_together(query) : 1;
    return query->memo && count == 1 ? asked_in_turn(query) : count;
}

double op_bound(const struct bound_query *query)
{
    const double *known = query->memo ? known_of(query->memo->bound, query, query->element) : NULL;
    if (known || !query->op->bound) {
        return known ? *known : 0;
    }
    const int count = together(query);
    double bound[BATCH_MAX];
    if (count > 1) {
        op_bounds(query, query->element, count, bound);
        return bound[0];
    }
    bound[0] = query->op->bound(query);
    op_cache_bounds(query, query->element, 1, bound);
    return bound[0];
}

void op_hand_on_bound(const struct bound_query *query, const struct bound_query *inner)
{
    const double *known = query->memo ? known_of(query->memo->bound, query, query->element) : NULL;
    if (known && !known_of(query->memo->bound, inner, query->element)) {
        const double bound = *known;
        op_cache_bounds(inner, query->element, 1, &bound);
    }
}

/* Copies the cached bounds of a batch; returns false if one is unknown. */
static bool take_known(const struct bound_known *slot, const struct bound_query *query, int64_t first,
                       int count, double *bound)
{
    for (int k = 0; slot && k < BOUND_SLOTS; k++) {
        if (answers(&slot[k], query, first, count)) {
            int unknown = 0;
            memcpy(bound, &slot[k].bound[first - slot[k].first], (size_t)count * sizeof *bound);
            for (int i = 0; i < count; i++) {
                unknown |= bound[i] != bound[i];
            }
            return !unknown;
        }
    }
    return false;
}

void op_bounds(const struct bound_query *query, int64_t first, int count, double *compute)
{
    if (!take_known(query->memo ? query->memo->bound : NULL, query, first, count, compute)) {
        query->op->bounds(query, first, count, compute);
        op_cache_bounds(query, first, count, compute);
    }
}

double op_primitive_error(const struct bound_query *query)
{
    const double *known = query->memo ? known_of(query->memo->primitive_error, query, query->element) : NULL;
    return known ? *known : query->op->primitive_error ? query->op->primitive_error(query) : 0;
}

void op_primitive_errors(const struct bound_query *query, int64_t first, int count, const bool *plain,
                         double *primitive_error)
{
    struct bound_query each = *query;
    if (query->op->primitive_errors) {
        if (!take_known(query->memo ? query->memo->primitive_error : NULL, query, first, count,
                        primitive_error)) {
            query->op->primitive_errors(query, first, count, primitive_error);
            op_cache_primitive_errors(query, first, count, primitive_error);
        }
        return;
    }
    for (int i = 0; i < count; i++) {
        each.element = first + i;
        primitive_error[i] = plain[i] && query->op->primitive_error ? query->op->primitive_error(&each) : 0;
    }
}

int op_pair(const struct bound_query *query, struct bound_query pair[2])
{
    pair[0] = pair[1] = *query;
    if (!query->memo || !query->memo->other) {
        return 1;
    }
    struct bound_query *other = &pair[!query->quality];
    other->profile = query->memo->other_profile;
    other->quality = !query->quality;
    other->memo = query->memo->other;
    return 2;
}
