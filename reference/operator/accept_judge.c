/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Tests whether a result lies in an acceptance set; texts of the rules. */

#include "reference/numeric/elementary/portable.h"
#include "reference/operator/accept.h"

#include <math.h>
#include <mpfr.h>

enum { DECIDE_BITS = 256 }; /* exact for differences of a double-double and a float64 of comparable size */

/* Returns whether |got − centre|, over the components, is within the radius, decided exactly. */
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

/* Returns got − centre to a few units of double precision. Centres outside the range of double go through
 * MPFR. */
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
    return (struct accept_verdict){.accepted = false, .rule = rule, .error_over_bound = INFINITY};
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
        square = measured ? portable_hypot(square, d) : fabs(d);
        measured = true;
    }
    if (square == 0) {
        return (struct accept_verdict){.accepted = true, .rule = set->rule, .error_over_bound = 0};
    }
    if (isinf(set->radius)) {
        return (struct accept_verdict){.accepted = true, .rule = set->rule, .error_over_bound = 0};
    }
    double error_over_bound = square / set->radius;
    bool accepted = error_over_bound <= 1;
    if (fabs(error_over_bound - 1) < 0x1p-40) {
        accepted = within_exactly(set, got, components);
        error_over_bound = accepted ? fmin(error_over_bound, 1) : fmax(error_over_bound, nextafter(1, 2));
    }
    return (struct accept_verdict){
        .accepted = accepted, .rule = set->rule, .error_over_bound = error_over_bound};
}

struct accept_verdict accept_judge(const struct accept *accept, const void *got)
{
    const struct dtype_info *info = dtype_info(accept->dtype);
    size_t size = dtype_info(info->component)->size;
    struct value value[2];
    if (info->kind == KIND_BOOL && *(const unsigned char *)got > 1) {
        return refuse(RULE_BOUND); /* a bool is one byte, 0 or 1 */
    }
    for (int c = 0; c < info->components; c++) {
        const unsigned char *from = (const unsigned char *)got + (size_t)c * size;
        value[c] = value_of_element(info->component, from);
    }
    struct accept_verdict best = judge_set(&accept->set[0], value, info->components);
    for (int s = 1; s < accept->sets && !(best.accepted && best.error_over_bound == 0); s++) {
        struct accept_verdict next = judge_set(&accept->set[s], value, info->components);
        if ((next.accepted && !best.accepted) ||
            (next.accepted == best.accepted && next.error_over_bound < best.error_over_bound)) {
            best = next;
        }
    }
    return best;
}

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
        [RULE_ROUNDED] = "rule 10: what rounds once must be the truth rounded to nearest, ties to even",
        [RULE_ENVELOPE] =
            "rule envelope: within B, but beyond Q = 16 S + N, the limit of independent rounding",
    };
    return texts[rule];
}

const char *accept_rule_name(enum accept_rule rule)
{
    static const char *const names[] = {
        [RULE_OPERATOR] = "operator's own",
        [RULE_NAN] = "NaN",
        [RULE_INFINITY] = "infinity",
        [RULE_BOUND] = "bound",
        [RULE_FLUSH] = "bound",
        [RULE_ZERO_SIGN] = "sign of zero",
        [RULE_RANGE] = "range",
        [RULE_CONVENTION] = "convention",
        [RULE_COMPLEX] = "bound",
        [RULE_PAYLOAD] = "copied bits",
        [RULE_ROUNDED] = "rounding",
        [RULE_ENVELOPE] = "envelope",
    };
    return names[rule];
}
