/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/operator/accept.h"
#include "reference/numeric/elementary/portable.h"

#include <math.h>
#include <string.h>

enum { ALL_SPECIAL = ACCEPT_NAN | ACCEPT_POSITIVE_INFINITY | ACCEPT_NEGATIVE_INFINITY };
/* Returns whether the dtype holds this finite value exactly, so that a correctly rounded operation, in
 * whatever direction, returns it. */
static bool representable(const struct value *value, enum dtype component)
{
    if (!value->exact || value->class != VALUE_FINITE) {
        return false;
    }
    if (!dtype_is_floating(component)) {
        return true;
    }
    if (value->lo != 0) {
        return false;
    }
    unsigned char bytes[8];
    value_store(value, component, bytes);
    double stored = dtype_load(component, bytes);
    return isfinite(stored) && (value->exponent == 0 ? stored == value->hi
                                                     : stored == ldexp(value->hi, value->exponent) &&
                                                           ldexp(stored, -value->exponent) == value->hi);
}

static void describe_component(struct accept_set *set, int c, const struct value *truth, bool special_values)
{
    set->component[c].centre = *truth;
    set->component[c].zero = ZERO_ANY;
    switch ((enum value_class)truth->class) {
    case VALUE_NAN:
        set->component[c].special = ACCEPT_NAN;
        set->rule = RULE_NAN;
        break;
    case VALUE_POSITIVE_INFINITY:
        set->component[c].special = ACCEPT_POSITIVE_INFINITY;
        set->rule = RULE_INFINITY;
        break;
    case VALUE_NEGATIVE_INFINITY:
        set->component[c].special = ACCEPT_NEGATIVE_INFINITY;
        set->rule = RULE_INFINITY;
        break;
    case VALUE_FINITE:
        set->component[c].finite = true;
        if (truth->hi == 0 && special_values) {
            set->component[c].zero = signbit(truth->hi) ? ZERO_NEGATIVE : ZERO_POSITIVE;
        }
    }
    if (truth->open) {
        set->component[c].special = ALL_SPECIAL;
    } else if (truth->meets) {
        set->component[c].special |= ACCEPT_NAN;
    }
    if ((truth->class != VALUE_FINITE || truth->special_input) && !special_values) {
        /* The device promises nothing for NaN and infinity, so every result is accepted. */
        set->component[c].special = ALL_SPECIAL;
        set->component[c].finite = true;
        set->component[c].centre = value_of(0);
        set->radius = INFINITY;
    }
}

static bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0; /* signs of zeros and NaN payloads count */
}

/* Compares the members that judge_set reads, one by one, because padding bytes are undefined. */
static bool same_set(const struct accept_set *a, const struct accept_set *b, int components)
{
    bool same = a->unbounded_below == b->unbounded_below && same_bits(a->radius, b->radius);
    for (int c = 0; c < components && same; c++) {
        const struct value *x = &a->component[c].centre, *y = &b->component[c].centre;
        same = a->component[c].special == b->component[c].special &&
               a->component[c].finite == b->component[c].finite &&
               a->component[c].zero == b->component[c].zero && x->class == y->class &&
               x->exponent == y->exponent && x->payload == y->payload && same_bits(x->hi, y->hi) &&
               same_bits(x->lo, y->lo);
    }
    return same;
}

static void add_set(struct accept *accept, const struct accept_set *set)
{
    for (int s = 0; s < accept->sets; s++) {
        if (same_set(&accept->set[s], set, dtype_info(accept->dtype)->components)) {
            return;
        }
    }
    if (accept->sets < ACCEPT_SETS_MAX) {
        accept->set[accept->sets++] = *set;
    } else {
        accept->incomplete = true;
    }
}

/* Puts the set at the truth first, because reports print set[0]. */
static void add_set_first(struct accept *accept, const struct accept_set *set)
{
    if (accept->sets == ACCEPT_SETS_MAX) {
        accept->sets--;
        accept->incomplete = true;
    }
    memmove(&accept->set[1], &accept->set[0], (size_t)accept->sets * sizeof *set);
    accept->set[0] = *set;
    accept->sets++;
}

/* Rule 3 at the end of the range: accepts an infinity for results that round beyond MAX. */
static void describe_overflow(struct accept_set *set, int c, enum dtype component)
{
    double max = dtype_max(component);
    double truth = value_approximately(&set->component[c].centre);
    if (fabs(truth) + set->radius < max) { /* nearly always */
        return;
    }
    const double end = max + dtype_ulp(component, max) / 2;
    bool rounds_over = fabs(truth) + set->radius >= end;
    if (rounds_over) {
        set->component[c].special |= truth > 0 ? ACCEPT_POSITIVE_INFINITY : ACCEPT_NEGATIVE_INFINITY;
    }
    if (set->radius - fabs(truth) >= end) { /* the bound spans the whole range */
        set->component[c].special |= truth > 0 ? ACCEPT_NEGATIVE_INFINITY : ACCEPT_POSITIVE_INFINITY;
    }
}

/* Returns whether 0 < |truth| < the least normal number, exactly. */
static bool is_tiny(const struct value *truth, enum dtype component)
{
    double least = truth->exponent == 0 ? dtype_least_normal(component)
                                        : ldexp(1, dtype_info(component)->emin - truth->exponent);
    double hi = fabs(truth->hi), lo = signbit(truth->hi) ? -truth->lo : truth->lo;
    return hi > 0 && (hi < least || (hi == least && lo < 0));
}

/* The alternative result that a component may legally have: a zero where it is subnormal and may be flushed,
 * MAX where it is larger and the rounding direction is open. */
enum alternative { ALTERNATIVE_NONE, ALTERNATIVE_ZERO, ALTERNATIVE_GREATEST };

static enum alternative alternative_of(const struct accept_set *set, int c, const struct profile *profile,
                                       enum dtype component)
{
    const struct value *centre = &set->component[c].centre;
    if (!set->component[c].finite) {
        return ALTERNATIVE_NONE;
    }
    if (profile->subnormals[component] == SUBNORMALS_MAY_FLUSH && is_tiny(centre, component)) {
        return ALTERNATIVE_ZERO;
    }
    bool beyond = profile->rounding[component] == ROUNDING_OPEN &&
                  fabs(value_approximately(centre)) > dtype_max(component);
    return beyond ? ALTERNATIVE_GREATEST : ALTERNATIVE_NONE;
}

static bool take_alternative(struct accept_set *set, int c, const struct profile *profile, enum dtype dtype)
{
    const struct dtype_info *info = dtype_info(dtype);
    switch (alternative_of(set, c, profile, info->component)) {
    case ALTERNATIVE_ZERO:
        set->component[c].centre = value_of(0);
        set->component[c].zero = ZERO_ANY;
        set->rule = RULE_FLUSH;
        return true;
    case ALTERNATIVE_GREATEST: {
        double truth = value_approximately(&set->component[c].centre);
        set->component[c].centre = value_of(copysign(dtype_max(info->component), truth));
        set->component[c].special = 0;
        set->radius = info->components > 1 ? set->radius : 0;
        return true;
    }
    case ALTERNATIVE_NONE:
        break;
    }
    return false;
}

/* Adds every combination of the alternatives of both components: either one, or both, may be flushed or stay
 * at MAX. */
static void accept_alternatives(struct accept *accept, const struct profile *profile,
                                const struct accept_set *set)
{
    const struct dtype_info *info = dtype_info(accept->dtype);
    struct accept_set list[4];
    int count = 1;
    bool any = false; /* rarely true; skips building the list */
    for (int c = 0; c < info->components; c++) {
        any = any || alternative_of(set, c, profile, info->component) != ALTERNATIVE_NONE;
    }
    if (!any) {
        return;
    }
    memcpy(&list[0], set, sizeof *set);
    for (int c = 0; c < info->components; c++) {
        int more = 0;
        for (int k = 0; k < count; k++) {
            memcpy(&list[count + k], &list[k], sizeof *set);
            more += take_alternative(&list[count + k], c, profile, accept->dtype);
        }
        count += more; /* take_alternative holds for all k or for none */
    }
    for (int k = 1; k < count; k++) {
        add_set(accept, &list[k]);
    }
}

void accept_default(struct accept *accept, enum dtype dtype, const struct profile *profile,
                    const struct value *truth, double compute_error)
{
    const struct dtype_info *info = dtype_info(dtype);
    accept->dtype = dtype; /* the sets are written when added; clearing all of them here would cost more */
    accept->sets = 0;
    accept->incomplete = false;
    struct accept_set set = {.radius = 0};
    set.rule = info->components > 1 ? RULE_COMPLEX : RULE_BOUND;
    double magnitude = 0;
    /* an error in our own bound must not make a backend fail */
    compute_error = isnan(compute_error) ? INFINITY : compute_error;
    bool exact = compute_error == 0;
    for (int c = 0; c < info->components; c++) {
        describe_component(&set, c, &truth[c], profile->special_values[info->component]);
        if (truth[c].class == VALUE_FINITE) {
            double t = value_approximately(&truth[c]);
            magnitude = info->components == 1 ? fabs(t) : portable_hypot(magnitude, t);
        }
        exact = exact && (truth[c].class != VALUE_FINITE || representable(&truth[c], info->component));
    }
    if (dtype_is_floating(dtype) && !exact && set.radius == 0 && isfinite(compute_error)) {
        set.radius = compute_error +
                     profile_unit_roundoff(profile, dtype) * fmin(magnitude, dtype_max(info->component));
        if (magnitude < 2 * dtype_least_normal(info->component)) {
            set.radius += profile_underflow_unit(profile, dtype);
        }
    } else if (dtype_is_integer(dtype) && isfinite(compute_error)) {
        set.radius = compute_error;    /* in steps; numbers beyond the range of the dtype do not occur */
    } else if (isinf(compute_error)) { /* an intermediate may overflow: every result is accepted */
        set.radius = INFINITY;
        for (int c = 0; c < info->components; c++) {
            set.component[c].special = ALL_SPECIAL;
            set.component[c].finite = true;
        }
    }
    for (int c = 0; c < info->components; c++) {
        if (truth[c].class == VALUE_FINITE && dtype_is_floating(dtype)) {
            describe_overflow(&set, c, info->component);
        }
    }
    if (dtype_is_floating(dtype)) {
        accept_alternatives(accept, profile, &set);
    }
    add_set_first(accept, &set);
}

/* Returns the value rounded to nearest in the dtype; an infinity beyond its range. */
static struct value rounded_to(const struct value *value, enum dtype dtype)
{
    unsigned char bytes[8];
    value_store(value, dtype, bytes);
    return value_of_element(dtype, bytes);
}

void accept_rounded(struct accept *accept, enum dtype dtype, const struct profile *profile,
                    const struct value *truth)
{
    accept_default(accept, dtype, profile, truth, 0);
    bool exact = accept->set[0].radius == 0, nothing_promised = isinf(accept->set[0].radius);
    if (!profile_rounds_to_nearest(profile, dtype) || truth->class != VALUE_FINITE || truth->open || exact ||
        nothing_promised) {
        return;
    }
    struct accept_set set;
    memset(&set, 0, sizeof set);
    struct value rounded = rounded_to(truth, dtype);
    describe_component(&set, 0, &rounded, true);
    if (!profile->special_values[dtype]) {
        set.component[0].zero = ZERO_ANY;
    }
    set.rule = RULE_ROUNDED;
    accept->sets = 0;
    add_set(accept, &set);
    if (profile_loses_subnormals(profile, dtype) && is_tiny(truth, dtype)) {
        set.component[0].centre = value_of(0);
        set.component[0].zero = ZERO_ANY;
        set.rule = RULE_FLUSH;
        add_set(accept, &set);
    }
}

void accept_converted(struct accept *accept, enum dtype dtype, const struct profile *profile,
                      const struct value *truth)
{
    accept_rounded(accept, dtype, profile, truth);
    bool narrow = dtype == DTYPE_FLOAT16 || dtype == DTYPE_BFLOAT16;
    if (narrow && profile->conversions_via_float32 && truth->class == VALUE_FINITE) {
        struct value between = rounded_to(truth, DTYPE_FLOAT32);
        struct accept twice;
        accept_rounded(&twice, dtype, profile, &between);
        accept_union(accept, &twice);
    }
}

void accept_overflowed(struct accept *accept, const struct profile *profile)
{
    enum dtype component = dtype_info(accept->dtype)->component;
    bool any = profile->rounding[profile->accumulate[component]] == ROUNDING_OPEN ||
               profile->rounding[component] == ROUNDING_OPEN;
    for (int s = 0; s < accept->sets; s++) {
        for (int c = 0; c < dtype_info(accept->dtype)->components; c++) {
            accept->set[s].component[c].special = ALL_SPECIAL;
            accept->set[s].component[c].finite |= any;
        }
        accept->set[s].radius = any ? INFINITY : accept->set[s].radius;
    }
}

void accept_any_zero(struct accept *accept)
{
    for (int s = 0; s < accept->sets; s++) {
        accept->set[s].component[0].zero = ZERO_ANY;
    }
}

void accept_also(struct accept *accept, double x)
{
    struct accept_set set = {.radius = 0};
    const struct value value = value_of(x);
    describe_component(&set, 0, &value, true);
    set.rule = RULE_FLUSH;
    add_set(accept, &set);
}

void accept_union(struct accept *accept, const struct accept *other)
{
    for (int s = 0; s < other->sets; s++) {
        add_set(accept, &other->set[s]);
    }
    accept->incomplete = accept->incomplete || other->incomplete;
}
