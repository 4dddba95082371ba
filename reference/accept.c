/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/accept.h"

#include <math.h>
#include <string.h>

enum { ALL_SPECIAL = ACCEPT_NAN | ACCEPT_POSITIVE_INFINITY | ACCEPT_NEGATIVE_INFINITY };
enum { DECIDE_BITS = 256 }; /* exact for differences of a pair and a float64 of comparable size */

const char *accept_rule_text(enum accept_rule rule)
{
    static const char *const texts[] = {
        [RULE_OPERATOR] = "rule 0: the operator's own acceptance set",
        [RULE_NAN] = "rule 1: where the truth is NaN, the result must be NaN",
        [RULE_INFINITY] =
            "rule 2: where the truth is exactly an infinity, the result must be the same infinity",
        [RULE_BOUND] = "rule 3: the result must be within B = E_compute + u|truth| + eta of the truth",
        [RULE_FLUSH] = "rule 4: within B of f(x), or of f(x flushed to zero)",
        [RULE_ZERO_SIGN] = "rule 5: where the truth is a signed zero, the result must carry its sign",
        [RULE_RANGE] = "rule 6: an intermediate overflowed although the truth is in range",
        [RULE_CONVENTION] = "rule 7: the convention that the backend's profile declares",
        [RULE_COMPLEX] =
            "rule 8: |result - truth| must be within B, over both components of a complex number",
        [RULE_PAYLOAD] = "rule 9: what is copied keeps every bit, the payload of a NaN too",
        [RULE_ENVELOPE] =
            "rule envelope: within B, but beyond Q = 16 S + N, the limit of independent rounding",
    };
    return texts[rule];
}

/* True when a finite number of this value can be the dtype's exactly (so that a correctly rounded operation,
 * in whatever direction, returns it). */
static bool representable(const struct value *value, enum dtype component)
{
    if (!value->exact || value->class != VALUE_FINITE) {
        return false;
    }
    unsigned char bytes[8];
    value_store(value, component, bytes);
    if (!dtype_is_floating(component)) {
        return true;
    }
    double stored = dtype_load(component, bytes);
    return value->lo == 0 && isfinite(stored) && stored == ldexp(value->hi, value->exponent) &&
           ldexp(stored, -value->exponent) == value->hi;
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
    }
    if ((truth->class != VALUE_FINITE || truth->special_input) && !special_values) {
        /* The device does not promise NaN and infinity: nothing can be held against it here. */
        set->component[c].special = ALL_SPECIAL;
        set->component[c].finite = true;
        set->component[c].centre = value_of(0);
        set->radius = INFINITY;
    }
}

static void add_set(struct accept *accept, const struct accept_set *set)
{
    for (int s = 0; s < accept->sets; s++) {
        if (memcmp(&accept->set[s], set, sizeof *set) == 0) {
            return;
        }
    }
    if (accept->sets < ACCEPT_SETS_MAX) {
        accept->set[accept->sets++] = *set;
    }
}

/* The set at the truth itself leads: reports speak of set[0]. */
static void add_set_first(struct accept *accept, const struct accept_set *set)
{
    if (accept->sets == ACCEPT_SETS_MAX) {
        accept->sets--;
    }
    memmove(&accept->set[1], &accept->set[0], (size_t)accept->sets * sizeof *set);
    memcpy(&accept->set[0], set, sizeof *set);
    accept->sets++;
}

/* Rule 3 at the end of the range: results that round beyond MAX. */
static void accept_overflow(struct accept *accept, struct accept_set *set, const struct profile *profile,
                            int c)
{
    enum dtype component = dtype_info(accept->dtype)->component;
    double max = dtype_max(component);
    double truth = value_approximately(&set->component[c].centre);
    if (!(fabs(truth) + set->radius >= max + dtype_ulp(component, max) / 2) && fabs(truth) <= max) {
        return;
    }
    bool rounds_over = fabs(truth) + set->radius >= max + dtype_ulp(component, max) / 2;
    if (rounds_over) {
        set->component[c].special |= truth > 0 ? ACCEPT_POSITIVE_INFINITY : ACCEPT_NEGATIVE_INFINITY;
    }
    if (fabs(truth) > max && profile->rounding[component] == ROUNDING_OPEN) {
        struct accept_set largest = *set;
        largest.component[c].centre = value_of(copysign(max, truth));
        largest.component[c].special = 0;
        largest.radius = dtype_info(accept->dtype)->components > 1 ? set->radius : 0;
        add_set(accept, &largest);
    }
}

/* A subnormal result may itself be flushed: the same set with those components at zero. */
static void accept_flushed_result(struct accept *accept, const struct accept_set *set,
                                  const struct dtype_info *info)
{
    struct accept_set flushed;
    memcpy(&flushed, set, sizeof flushed);
    bool any = false;
    for (int c = 0; c < info->components; c++) {
        double truth = fabs(value_approximately(&set->component[c].centre));
        if (set->component[c].finite && truth > 0 && truth < dtype_least_normal(info->component)) {
            flushed.component[c].centre = value_of(0);
            flushed.component[c].zero = ZERO_ANY;
            any = true;
        }
    }
    flushed.rule = RULE_FLUSH;
    if (any) {
        add_set(accept, &flushed);
    }
}

void accept_default(struct accept *accept, enum dtype dtype, const struct profile *profile,
                    const struct value *truth, double compute_error)
{
    const struct dtype_info *info = dtype_info(dtype);
    *accept = (struct accept){.dtype = dtype};
    struct accept_set set;
    memset(&set, 0, sizeof set); /* padding too: add_set compares bytes */
    set.rule = info->components > 1 ? RULE_COMPLEX : RULE_BOUND;
    double magnitude = 0;
    compute_error = isnan(compute_error) ? INFINITY : compute_error; /* accuse nobody of our own mistake */
    bool exact = compute_error == 0;
    for (int c = 0; c < info->components; c++) {
        describe_component(&set, c, &truth[c], profile->special_values[info->component]);
        if (truth[c].class == VALUE_FINITE) {
            magnitude = hypot(magnitude, value_approximately(&truth[c]));
        }
        exact = exact && (truth[c].class != VALUE_FINITE || representable(&truth[c], info->component));
    }
    if (dtype_is_floating(dtype) && !exact && set.radius == 0 && isfinite(compute_error)) {
        set.radius = compute_error +
                     profile_unit_roundoff(profile, dtype) * fmin(magnitude, dtype_max(info->component));
        if (magnitude < 2 * dtype_least_normal(info->component)) {
            set.radius += profile_underflow_unit(profile, dtype);
        }
    } else if (isinf(compute_error)) { /* an intermediate may overflow: nothing can be said of the result */
        set.radius = INFINITY;
        for (int c = 0; c < info->components; c++) {
            set.component[c].special = ALL_SPECIAL;
            set.component[c].finite = true;
        }
    }
    if (dtype_is_floating(dtype) && profile->subnormals[info->component] == SUBNORMALS_MAY_FLUSH) {
        accept_flushed_result(accept, &set, info);
    }
    for (int c = 0; c < info->components; c++) {
        if (truth[c].class == VALUE_FINITE && dtype_is_floating(dtype)) {
            accept_overflow(accept, &set, profile, c);
        }
    }
    add_set_first(accept, &set);
}

void accept_escaped(struct accept *accept, const struct profile *profile)
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

void accept_also(struct accept *accept, double x)
{
    struct accept_set set;
    memset(&set, 0, sizeof set);
    const struct value value = value_of(x);
    describe_component(&set, 0, &value, true);
    set.rule = RULE_FLUSH;
    add_set(accept, &set);
}

void accept_union(struct accept *accept, const struct accept *other)
{
    for (int s = 0; s < other->sets; s++) {
        struct accept_set set;
        memcpy(&set, &other->set[s], sizeof set);
        add_set(accept, &set);
    }
}

/* |got − centre| over the components compared with the radius, exactly. */
static bool within_exactly(const struct accept_set *set, const struct value *got, int components)
{
    mpfr_t sum, difference, x;
    mpfr_inits2(4 * DECIDE_BITS, sum, difference, x, (mpfr_ptr)0);
    mpfr_set_zero(sum, 1);
    for (int c = 0; c < components; c++) {
        if (set->component[c].centre.class != VALUE_FINITE) {
            continue;
        }
        value_to_mpfr(&set->component[c].centre, x);
        value_to_mpfr(&got[c], difference);
        mpfr_sub(difference, difference, x, MPFR_RNDU);
        mpfr_sqr(difference, difference, MPFR_RNDU);
        mpfr_add(sum, sum, difference, MPFR_RNDU);
    }
    mpfr_set_d(x, set->radius, MPFR_RNDN);
    mpfr_sqr(x, x, MPFR_RNDN);
    bool within = mpfr_lessequal_p(sum, x);
    mpfr_clears(sum, difference, x, (mpfr_ptr)0);
    return within;
}

/* got − centre, to a few units of double. Centres outside double's range go through MPFR. */
static double distance(const struct value *centre, const struct value *got)
{
    if (centre->exponent == 0 && got->lo == 0) {
        return (got->hi - centre->hi) - centre->lo;
    }
    mpfr_t a, b;
    mpfr_inits2(4 * DECIDE_BITS, a, b, (mpfr_ptr)0);
    value_to_mpfr(got, a);
    value_to_mpfr(centre, b);
    mpfr_sub(a, a, b, MPFR_RNDN);
    double d = mpfr_get_d(a, MPFR_RNDA);
    mpfr_clears(a, b, (mpfr_ptr)0);
    return d;
}

static struct accept_verdict refuse(enum accept_rule rule)
{
    return (struct accept_verdict){.accepted = false, .rule = rule, .nu = INFINITY};
}

static struct accept_verdict judge_set(const struct accept_set *set, const struct value *got, int components)
{
    double square = 0;
    bool measured = false;
    for (int c = 0; c < components; c++) {
        bool truth_special = !set->component[c].finite;
        if (got[c].class != VALUE_FINITE) {
            unsigned bit = got[c].class == VALUE_NAN                 ? ACCEPT_NAN
                           : got[c].class == VALUE_POSITIVE_INFINITY ? ACCEPT_POSITIVE_INFINITY
                                                                     : ACCEPT_NEGATIVE_INFINITY;
            if (!(set->component[c].special & bit)) {
                return refuse(set->rule);
            }
            const struct value *copied = &set->component[c].centre;
            if (copied->payload && (got[c].hi != copied->hi || got[c].lo != copied->lo)) {
                return refuse(RULE_PAYLOAD);
            }
            continue;
        }
        if (truth_special) {
            return refuse(set->rule);
        }
        const struct value *centre = &set->component[c].centre;
        if (got[c].hi == 0 && centre->hi == 0 &&
            !(set->component[c].zero & (signbit(got[c].hi) ? ZERO_NEGATIVE : ZERO_POSITIVE))) {
            return refuse(RULE_ZERO_SIGN);
        }
        double d = distance(centre, &got[c]);
        if (set->unbounded_below && d < 0) {
            d = 0;
        }
        square = measured ? hypot(square, d) : fabs(d);
        measured = true;
    }
    if (square == 0) {
        return (struct accept_verdict){.accepted = true, .rule = set->rule, .nu = 0};
    }
    if (isinf(set->radius)) {
        return (struct accept_verdict){.accepted = true, .rule = set->rule, .nu = 0};
    }
    double nu = square / set->radius;
    bool accepted = nu <= 1;
    if (fabs(nu - 1) < 0x1p-40) {
        accepted = within_exactly(set, got, components);
        nu = accepted ? fmin(nu, 1) : fmax(nu, nextafter(1, 2));
    }
    return (struct accept_verdict){.accepted = accepted, .rule = set->rule, .nu = nu};
}

struct accept_verdict accept_judge(const struct accept *accept, const void *got)
{
    const struct dtype_info *info = dtype_info(accept->dtype);
    size_t size = dtype_info(info->component)->size;
    struct value value[2];
    for (int c = 0; c < info->components; c++) {
        const unsigned char *from = (const unsigned char *)got + (size_t)c * size;
        value[c] = value_of_element(info->component, from);
    }
    struct accept_verdict best = judge_set(&accept->set[0], value, info->components);
    for (int s = 1; s < accept->sets && !(best.accepted && best.nu == 0); s++) {
        struct accept_verdict next = judge_set(&accept->set[s], value, info->components);
        if ((next.accepted && !best.accepted) || (next.accepted == best.accepted && next.nu < best.nu)) {
            best = next;
        }
    }
    return best;
}
