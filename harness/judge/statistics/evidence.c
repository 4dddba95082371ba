/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/judge/statistics/evidence.h"
#include "reference/numeric/elementary/portable.h"

#include <math.h>
#include <stdlib.h>

bool evidence_open(struct evidence *e, int64_t capacity, enum dtype dtype, bool may_fail)
{
    size_t room = (size_t)capacity + 1;
    *e = (struct evidence){.may_fail = may_fail,
                           .dtype = dtype,
                           .capacity = capacity,
                           .greatest_at = -1,
                           .limit_resolution = INFINITY};
    e->truth = malloc(room * sizeof *e->truth);
    e->error = malloc(room * sizeof *e->error);
    e->spread = malloc(room * sizeof *e->spread);
    e->certain = malloc(room * sizeof *e->certain);
    e->group = malloc(room * sizeof *e->group);
    e->group_spread = malloc(room * sizeof *e->group_spread);
    return evidence_sums_open(&e->sums, may_fail) && e->truth && e->error && e->spread && e->certain &&
           e->group && e->group_spread;
}

void evidence_close(struct evidence *e)
{
    free(e->truth);
    free(e->error);
    free(e->spread);
    free(e->certain);
    free(e->group);
    free(e->group_spread);
    evidence_sums_close(&e->sums);
    *e = (struct evidence){.capacity = 0};
}

void evidence_merge(struct evidence *to, const struct evidence *from)
{
    if (from->greatest_at >= 0 && (from->greatest_q > to->greatest_q || to->greatest_at < 0)) {
        to->greatest_q = from->greatest_q;
        to->greatest_at = from->greatest_at;
    }
    to->limit_resolution = fmin(to->limit_resolution, from->limit_resolution);
    to->elements += from->elements;
    for (int class = 0; class < WRONG_CLASSES; class ++) {
        to->tried[class] += from->tried[class];
        to->excluded[class] = to->excluded[class] || from->excluded[class];
        to->class_square[class] += from->class_square[class];
    }
    evidence_sums_merge(&to->sums, &from->sums);
}

static const struct value *value_at(const struct bound_query *query)
{
    return truth_value(&query->truth->output[query->output], query->element);
}

static enum value_class class_of(double x)
{
    return isnan(x)    ? VALUE_NAN
           : !isinf(x) ? VALUE_FINITE
           : x > 0     ? VALUE_POSITIVE_INFINITY
                       : VALUE_NEGATIVE_INFINITY;
}

/* The truth of flushed inputs if the profile may flush them: it is then a truth as well. Else NULL. */
static const struct value *flushed_at(const struct bound_query *query)
{
    return op_may_flush(query) ? truth_value(&query->truth->flushed->output[query->output], query->element)
                               : NULL;
}

double evidence_error(const struct bound_query *query, double got)
{
    const struct value *flushed = flushed_at(query);
    double error = value_distance(value_at(query), got);
    double other = flushed && flushed->class == VALUE_FINITE ? value_distance(flushed, got) : error;
    return fabs(other) < fabs(error) ? other : error;
}

/* Infinity where got has another class or a certain sign is lost. */
double evidence_beyond(const struct bound_query *query, const struct envelope_limit *limit, double got,
                       double *error)
{
    const struct value *truth = value_at(query);
    *error = 0;
    if (truth->class != VALUE_FINITE || !isfinite(got)) {
        const struct value *flushed = flushed_at(query);
        enum value_class class = class_of(got);
        bool known =
            class == (enum value_class)truth->class || (flushed && class == (enum value_class)flushed->class);
        return limit->fixed && !known ? INFINITY : 0;
    }
    *error = evidence_error(query, got);
    double reach = envelope_limit_reach(limit);
    return *error == 0 ? 0 : reach > 0 ? fabs(*error) / reach : INFINITY;
}

/* --- resolution by B and Q: the least |δ| whose rounded truth leaves [t − limit, t + limit] */

/* x rounded to the dtype. */
static double rounded_to(enum dtype dtype, double x)
{
    double size = fabs(x);
    if (dtype != DTYPE_FLOAT64 && size >= dtype_least_normal(dtype) && size <= dtype_max(dtype) / 2) {
        return dtype_round_normal(dtype, x);
    }
    unsigned char bytes[8];
    dtype_store(dtype, bytes, x);
    return dtype_load(dtype, bytes);
}

/* Least |δ| on the side of `sign`: half way between the last number within the limit and the next one. */
static double step_beyond(enum dtype dtype, double truth, double limit, double sign)
{
    if (!dtype_is_floating(dtype)) {
        return (floor(limit) + 0.5) / fabs(truth);
    }
    double last = rounded_to(dtype, truth + sign * limit);
    if (!isfinite(last)) {
        return INFINITY;
    }
    double spacing = dtype_ulp(dtype, last);
    last = fabs(last - truth) > limit ? last - sign * spacing : last;
    return (sign * (last - truth) + spacing / 2) / fabs(truth);
}

double evidence_reach(const struct accept *accept)
{
    double reach = 0;
    for (int s = 0; s < accept->sets; s++) {
        const struct accept_set *set = &accept->set[s];
        reach = set->unbounded_below ? INFINITY : set->component[0].finite ? fmax(reach, set->radius) : reach;
    }
    return reach;
}

/* How far RN(truth) is from the truth, if the result must be RN(truth); else 0. */
static double rounded_away(const struct accept *accept, double truth)
{
    double away = 0;
    for (int s = 0; s < accept->sets; s++) {
        const struct accept_set *set = &accept->set[s];
        if (set->rule == RULE_ROUNDED && set->component[0].finite) {
            away = fmax(away, fabs(value_approximately(&set->component[0].centre) - truth));
        }
    }
    return away;
}

void evidence_resolve(struct evidence *e, double truth, double limit)
{
    enum dtype component = dtype_info(e->dtype)->component;
    if (evidence_is_resolved(e, dtype_unit_roundoff(component), truth, limit)) {
        return; /* the middle between the last number within the limit and the next is further away */
    }
    for (int side = -1; side <= 1; side += 2) {
        double step = step_beyond(component, truth, limit, side);
        e->limit_resolution = step < e->limit_resolution ? step : e->limit_resolution;
    }
}

static void resolve_element(struct evidence *e, const struct bound_query *query, const struct accept *accept,
                            double reach)
{
    const struct value *value = value_at(query);
    double truth = value_approximately(value);
    if (value->class != VALUE_FINITE || truth == 0 || !isfinite(truth)) {
        return;
    }
    double limit = fmax(fmin(evidence_reach(accept), reach), rounded_away(accept, truth));
    if (dtype_info(e->dtype)->components == 1) {
        evidence_resolve(e, truth, limit);
    } else {
        double least = limit / portable_hypot(truth, value_approximately(value + 1));
        least += dtype_unit_roundoff(dtype_info(e->dtype)->component);
        e->limit_resolution = fmin(e->limit_resolution, least);
    }
}

/* --- wrong classes */

/* True if the element's truth is a number in the dtype's normal range; *zero: it is zero. */
static bool is_normal(const struct bound_query *query, bool *zero)
{
    const struct truth_output *out = &query->truth->output[query->output];
    const struct dtype_info *info = dtype_info(out->dtype);
    const struct value *value = value_at(query);
    double greatest = 0;
    for (int c = 0; c < info->components; c++) {
        greatest =
            value[c].class == VALUE_FINITE ? fmax(greatest, fabs(value_approximately(&value[c]))) : INFINITY;
    }
    *zero = greatest == 0;
    double least = dtype_is_floating(info->component) ? dtype_least_normal(info->component) : 1;
    return greatest >= least && greatest <= dtype_max(info->component);
}

/* Writes the bytes of a wrong class for this element; false if the element has none. */
static bool wrong_value(const struct bound_query *query, enum wrong_class class, unsigned char *bytes)
{
    const struct truth_output *out = &query->truth->output[query->output];
    const struct dtype_info *info = dtype_info(out->dtype);
    size_t size = dtype_info(info->component)->size;
    const struct value *value = value_at(query);
    if (class == WRONG_SIGN) {
        return query->op->flipped_sign(query, bytes);
    }
    bool zero, normal = is_normal(query, &zero);
    if (info->kind == KIND_BOOL) { /* the other one; twice is no bool */
        bytes[0] = class == WRONG_NEGATED ? zero : class == WRONG_ONE_MORE;
        return class == WRONG_NEGATED || (class != WRONG_DOUBLED && (class == WRONG_ONE_MORE) == zero);
    }
    for (int c = 0; c < info->components; c++) {
        double t = value_approximately(&value[c]);
        double wrong = class == WRONG_NEGATED ? -t : class == WRONG_DOUBLED ? 2 * t : class == WRONG_ONE_MORE;
        if (dtype_is_floating(info->component)) {
            dtype_store(info->component, bytes + (size_t)c * size, wrong);
        } else {
            bool small = fabs(t) < 0x1p62;
            dtype_store_bits(info->component, bytes,
                             small ? (uint64_t)(int64_t)wrong : class == WRONG_DOUBLED);
        }
    }
    return class == WRONG_ONE_MORE ? zero : normal;
}

bool evidence_refuses(const struct bound_query *query, const struct accept *accept,
                      const struct envelope_limit *limit, bool may_fail, const void *got, double *error)
{
    enum dtype component = dtype_info(accept->dtype)->component;
    bool decided = may_fail && evidence_decides(accept, limit);
    *error = 0;
    double q = decided ? evidence_beyond(query, limit, dtype_load(component, got), error) : 0;
    return !accept_judge(accept, got).accepted || q > 1;
}

static void try_class(struct evidence *e, const struct bound_query *query, const struct accept *accept,
                      const struct envelope_limit *limit, enum wrong_class class)
{
    unsigned char bytes[16] = {0};
    double error;
    if (!wrong_value(query, class, bytes)) {
        return;
    }
    e->tried[class]++;
    if (evidence_refuses(query, accept, limit, e->may_fail, bytes, &error)) {
        e->excluded[class] = true;
    } else if (limit->known && e->may_fail && limit->spread > 0) {
        double x = fmax(0, fabs(error) - limit->certain) / limit->spread;
        e->class_square[class] += x * x;
    }
}

const char *evidence_accepts_class(const struct evidence *e)
{
    static const char *const name[WRONG_CLASSES] = {"the negated truth", "twice the truth", "zeros",
                                                    "a determinant of the other sign", "truth + 1"};
    for (int class = 0; class < WRONG_CLASSES; class ++) {
        double t = e->sums.count ? sqrt(e->class_square[class] / (double)e->sums.count) : 0;
        bool whole = class != WRONG_ONE_MORE || e->tried[class] == e->elements; /* of zeros alone */
        if (e->tried[class] && whole && !e->excluded[class] && !(t > EVIDENCE_T_LIMIT)) {
            return name[class];
        }
    }
    return NULL;
}

/* --- elements */

static double greatest_radius(const struct accept *accept)
{
    double radius = 0;
    for (int s = 0; s < accept->sets; s++) {
        radius = accept->set[s].unbounded_below ? INFINITY : fmax(radius, accept->set[s].radius);
    }
    return radius;
}

/* If N alone exceeds B, the envelope refuses nothing that B accepts. */
bool evidence_decides(const struct accept *accept, const struct envelope_limit *limit)
{
    return limit->known && (limit->fixed || limit->certain <= greatest_radius(accept));
}

void evidence_keep(struct evidence *e, double truth, double error, const struct envelope_limit *limit)
{
    if (e->count < e->capacity) {
        int64_t i = e->count++;
        e->truth[i] = truth;
        e->error[i] = error;
        e->spread[i] = limit->spread;
        e->certain[i] = limit->certain;
        e->group[i] = limit->group;
        e->group_spread[i] = limit->group_spread;
    }
}

double evidence_add(struct evidence *e, const struct bound_query *query, const struct accept *accept,
                    const struct envelope_limit *given, const void *got)
{
    struct envelope_limit limit = *given;
    limit.known = evidence_decides(accept, given);
    double reach = limit.known && e->may_fail ? envelope_limit_reach(&limit) : INFINITY, error = 0, q = 0;
    e->elements++;
    for (int class = 0; class < WRONG_CLASSES; class ++) {
        bool apart = class == WRONG_SIGN ? query->op->flipped_sign == NULL
                                         : class == WRONG_ONE_MORE && value_at(query)->hi != 0;
        if (!e->excluded[class] && !apart) {
            try_class(e, query, accept, &limit, (enum wrong_class) class);
        }
    }
    if (!(limit.known && limit.fixed && limit.spread == 0)) { /* a sign is certain or not, it has no scale */
        resolve_element(e, query, accept, reach);
    }
    if (!limit.known) {
        return 0;
    }
    double x = dtype_load(dtype_info(e->dtype)->component, got);
    q = evidence_beyond(query, &limit, x, &error);
    if (q > e->greatest_q || e->greatest_at < 0) {
        e->greatest_q = q;
        e->greatest_at = query->element;
    }
    if (isfinite(x) && value_at(query)->class == VALUE_FINITE && limit.spread > 0) {
        evidence_keep(e, value_approximately(value_at(query)), error, &limit);
    }
    return q;
}

void evidence_narrow(struct accept *narrow, const struct accept *accept, const struct envelope_limit *limit)
{
    double reach = envelope_limit_reach(limit);
    bool certain = limit->fixed && accept->sets > 1; /* any sign becomes the certain one */
    narrow->dtype = accept->dtype;
    narrow->sets = certain ? 1 : accept->sets;
    narrow->incomplete = accept->incomplete;
    for (int s = 0; s < narrow->sets; s++) {
        narrow->set[s] = accept->set[s];
        narrow->set[s].unbounded_below = false;
        narrow->set[s].radius = certain ? 0 : fmin(narrow->set[s].radius, reach);
    }
}
