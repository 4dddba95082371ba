/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Exact sums alpha·Σ a·b + beta·c for the sparse operators, and the error bounds of computed ones. */

#include "reference/numeric/round_up.h"
#include "reference/operator/bound_memo.h"
#include "reference/operator/ziv.h"
#include "reference/ops/sparse/sparse.h"

#include <math.h>
#include <stdlib.h>

/* Precisions: of sums, from the least product of two subnormals to 2^40 times the greatest product; of a
 * product, 2 · 53. The total has room for factors alpha and beta of every size that tests use. */
enum { NARROW_BITS = 640, WIDE_BITS = 4352, PRODUCT_BITS = 106, TOTAL_BITS = 1024 };

void sparse_sum_open(struct sparse_sum *s, enum dtype dtype)
{
    s->wide = dtype == DTYPE_FLOAT64;
    s->least = dtype_least_normal(dtype);
    mpfr_init2(s->sum, s->wide ? WIDE_BITS : NARROW_BITS);
    mpfr_init2(s->total, (s->wide ? WIDE_BITS : NARROW_BITS) + TOTAL_BITS);
    mpfr_init2(s->term, PRODUCT_BITS);
    s->product = NULL;
    s->room = 0;
    s->failed = false;
}

void sparse_sum_close(struct sparse_sum *s)
{
    mpfr_clears(s->sum, s->total, s->term, (mpfr_ptr)0);
    free(s->product);
}

void sparse_sum_start(struct sparse_sum *s)
{
    mpfr_set_zero(s->sum, 1);
    s->pair = (struct double_double){0, 0};
    s->outgrown = false;
    s->special = 0;
    s->terms = 0;
    s->magnitude = s->shared = s->subnormal = s->factor = 0;
    s->partner = INFINITY;
    s->shared_special = s->positive = s->negative = false;
}

static void keep_product(struct sparse_sum *s, double product)
{
    if (s->terms + 1 >= s->room) {
        int64_t room = 2 * s->room + 64;
        double *more = realloc(s->product, (size_t)room * sizeof *more);
        s->failed = s->failed || !more;
        s->product = more ? more : s->product;
        s->room = more ? room : s->room;
    }
    if (!s->failed) {
        s->product[s->terms] = product;
    }
}

/* Adds x exactly; false if the exact sum is not a double-double. */
static bool add_exactly(struct double_double *sum, double x)
{
    struct double_double high = dd_sum(sum->hi, x), low = dd_sum(sum->lo, high.lo);
    *sum = dd_sum(high.hi, low.hi);
    return low.lo == 0;
}

void sparse_sum_add(struct sparse_sum *s, double a, double b, bool shared)
{
    keep_product(s, a * b);
    s->terms++;
    if (a != 0 && b != 0) {
        s->positive = s->positive || signbit(a) == signbit(b);
        s->negative = s->negative || signbit(a) != signbit(b);
    }
    if (!isfinite(a) || !isfinite(b)) {
        s->shared_special = s->shared_special || shared;
        if (a != 0 && b != 0) {
            s->partner = fmin(s->partner, fmin(fabs(a), fabs(b)));
        }
        s->special += a * b; /* 0 · inf and inf − inf are NaN, as in IEEE 754 */
        return;
    }
    double magnitude = s->wide ? round_up_product(fabs(a), fabs(b)) : fabs(a * b); /* float32: exact */
    bool subnormal = fabs(a) < s->least || fabs(b) < s->least;
    s->magnitude = round_up_sum(s->magnitude, magnitude);
    s->shared = shared ? round_up_sum(s->shared, magnitude) : s->shared;
    s->subnormal = subnormal ? round_up_sum(s->subnormal, magnitude) : s->subnormal;
    s->factor = fmax(s->factor, fmax(fabs(a), fabs(b)));
    if (!s->wide) {
        s->outgrown = !add_exactly(&s->pair, a * b) || s->outgrown;
    } else if (a != 0 && b != 0) {
        mpfr_set_d(s->term, a, MPFR_RNDN);
        mpfr_mul_d(s->term, s->term, b, MPFR_RNDN);
        mpfr_add(s->sum, s->sum, s->term, MPFR_RNDN);
    }
}

/* Adds the stored products of narrow dtypes, which are exact, to s->sum. */
static void add_narrow_terms(struct sparse_sum *s)
{
    for (int64_t k = 0; k < s->terms && !s->wide && !s->failed; k++) {
        if (isfinite(s->product[k])) {
            mpfr_add_d(s->sum, s->sum, s->product[k], MPFR_RNDN);
        }
    }
}

struct value sparse_sum_value(struct sparse_sum *s, double alpha, double beta, double c, double *sensitivity,
                              int *bits)
{
    bool ignored = beta == 0;
    double lift = fabs(alpha), start = ignored || !isfinite(c) ? 0 : round_up_product(fabs(beta), fabs(c));
    bool upwards = ignored || c == 0 || (beta > 0) == (c > 0); /* beta·c is not negative */
    bool positive = (alpha > 0 ? s->positive : s->negative) || (!ignored && c != 0 && upwards);
    bool negative = (alpha > 0 ? s->negative : s->positive) || !upwards;
    sensitivity[SPARSE_TERMS] = (double)s->terms;
    sensitivity[SPARSE_MAGNITUDE] = round_up_sum(round_up_product(lift, s->magnitude), start);
    sensitivity[SPARSE_SHARED] = round_up_product(lift, s->shared);
    sensitivity[SPARSE_SHARED_SPECIAL] = s->shared_special;
    sensitivity[SPARSE_SUBNORMAL] = round_up_product(lift, s->subnormal);
    sensitivity[SPARSE_PLAIN] = s->magnitude;
    sensitivity[SPARSE_FACTOR] = s->factor;
    sensitivity[SPARSE_PARTNER] = s->partner;
    sensitivity[SPARSE_ONE_SIGN] = !(positive && negative);
    double special = s->special != 0 ? alpha * s->special : 0;
    special += !ignored && !isfinite(c) ? beta * c : 0;
    if (special != 0) { /* infinite or NaN */
        return value_of(special);
    }
    struct double_double sum = s->pair;
    if (!s->wide && !s->outgrown && alpha == 1 && (ignored || (beta == 1 && add_exactly(&sum, c)))) {
        return value_from_dd(sum.hi, sum.lo);
    }
    add_narrow_terms(s);
    bool exact = mpfr_mul_d(s->total, s->sum, alpha, MPFR_RNDN) == 0;
    if (!ignored) {
        mpfr_set_d(s->term, c, MPFR_RNDN);
        mpfr_mul_d(s->term, s->term, beta, MPFR_RNDN);
        exact = mpfr_add(s->total, s->total, s->term, MPFR_RNDN) == 0 && exact;
    }
    struct value value = value_from_mpfr(s->total, exact);
    if (!value.exact && ZIV_TARGET_BITS < *bits) {
        *bits = ZIV_TARGET_BITS; /* a double-double has 106 bits */
    }
    return value;
}

void sparse_sum_envelope(struct sparse_sum *s, double alpha, double beta, double c, struct truth_output *out,
                         int64_t element)
{
    struct envelope *e = out->envelope ? &out->envelope[element] : NULL;
    struct envelope_sum sum;
    double u[ENVELOPE_WIDTHS], start = beta == 0 ? 0 : beta * c;
    if (!e || s->failed || s->terms == 0) {
        return;
    }
    envelope_widths(out->dtype, u);
    for (int64_t k = 0; k < s->terms; k++) {
        s->product[k] *= alpha;
    }
    int64_t terms = s->terms;
    if (start != 0) {
        s->product[terms++] = start;
        envelope_sum_started(s->product, terms, u, &sum);
    } else {
        envelope_sum(s->product, terms, u, &sum);
    }
    /* The roundings of the product with alpha, of each term or of the sum. */
    double more = alpha == 1 ? 0 : envelope_join(sum.squares, sum.total - start);
    e->spread = envelope_join(envelope_join(sum.order, sum.squares), more);
    for (int w = 0; w < ENVELOPE_WIDTHS; w++) {
        e->drift[w] = sum.drift[w];
    }
    envelope_alone(e, element, sum.total);
}

double sparse_sum_primitive_error(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[query->output];
    if (out->sensitivities == 0) {
        return 0;
    }
    const double *s = &out->sensitivity[query->element * out->sensitivities];
    enum dtype accumulate = query->profile->accumulate[out->dtype];
    double alpha = fabs(attributes_real(query->attributes, "alpha", 1));
    double lifted = alpha == 1 ? 1 : fmax(1, fmax(alpha, s[SPARSE_FACTOR]));
    double error = (s[SPARSE_TERMS] + 2) * profile_underflow_unit(query->profile, accumulate) * lifted;
    error += profile_loses_subnormals(query->profile, out->dtype) ? s[SPARSE_SUBNORMAL] : 0;
    return error + (accumulate != out->dtype
                        ? profile_unit_roundoff(query->profile, out->dtype) * s[SPARSE_SHARED]
                        : 0);
}

/* True if all terms have the same sign and the sum is at least twice the greatest finite number: the result
 * is the infinity, or the greatest finite number if rounding may be towards zero. */
static bool is_beyond(const struct value *value, const double *s, enum dtype accumulate)
{
    return s[SPARSE_ONE_SIGN] != 0 && fabs(ldexp(value->hi, value->exponent - 1)) > dtype_max(accumulate);
}

double sparse_sum_bound(const struct bound_query *query, int more)
{
    const struct truth_output *out = &query->truth->output[query->output];
    const double *s = &out->sensitivity[query->element * out->sensitivities];
    const struct value *value = &out->value[query->element];
    if (query->exact || value->class != VALUE_FINITE || s[SPARSE_MAGNITUDE] == 0) {
        return 0;
    }
    enum dtype accumulate = query->profile->accumulate[out->dtype];
    double own = summation_depth(profile_summation(query->profile, query->op->name), s[SPARSE_TERMS]);
    double terms = s[SPARSE_TERMS] + fmin(more, 0),
           u = profile_accumulate_roundoff(query->profile, out->dtype);
    double relative = profile_sum_error(query->profile, out->dtype, own < 0 ? terms : fmin(terms, own + 1));
    for (int k = 0; k < more; k++) { /* roundings of the whole sum, not further additions */
        relative += u * (1 + relative);
    }
    double alpha = fabs(attributes_real(query->attributes, "alpha", 1));
    if (isinf(s[SPARSE_MAGNITUDE]) && alpha == 1 && relative < 0.5 && is_beyond(value, s, accumulate)) {
        return 0;
    }
    double lifted = alpha == 1 ? 1 : fmax(1, fmax(alpha, s[SPARSE_FACTOR])); /* the factor of η */
    double error = relative * s[SPARSE_MAGNITUDE] +
                   (terms + fmax(more, 0)) * profile_underflow_unit(query->profile, accumulate) * lifted;
    if (profile_loses_subnormals(query->profile, out->dtype)) {
        error += s[SPARSE_SUBNORMAL];
    }
    if (accumulate != out->dtype) { /* an implementation that sums duplicates first rounds their sum */
        error += profile_unit_roundoff(query->profile, out->dtype) * s[SPARSE_SHARED];
    }
    return error;
}

bool sparse_sum_may_overflow(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[query->output];
    if (out->sensitivities == 0 || out->value[query->element].class == VALUE_NAN) {
        return false;
    }
    const double *s = &out->sensitivity[query->element * out->sensitivities];
    double alpha = fabs(attributes_real(query->attributes, "alpha", 1));
    enum dtype accumulate = query->profile->accumulate[out->dtype];
    if (alpha != 1 && alpha * s[SPARSE_PARTNER] < profile_underflow_unit(query->profile, accumulate)) {
        return true; /* alpha times a factor may be 0, which an infinity multiplies */
    }
    if (alpha == 1 && s[SPARSE_ONE_SIGN] != 0) {
        return false; /* the infinity of that sign, or the sum */
    }
    double max = dtype_max(accumulate);
    return s[SPARSE_PLAIN] > max || s[SPARSE_MAGNITUDE] + op_bound(query) > max ||
           (alpha != 1 && alpha * s[SPARSE_FACTOR] > max);
}

void sparse_sum_accept(const struct bound_query *query, struct accept *accept)
{
    const struct truth_output *out = &query->truth->output[query->output];
    const struct value *value = &out->value[query->element];
    accept_default(accept, out->dtype, query->profile, value, op_bound(query));
    if (value->class == VALUE_FINITE && value->hi == 0) {
        accept_any_zero(accept);
    }
    /* An implementation that sums duplicates first computes (a1 + a2)·inf instead of a1·inf + a2·inf: inf
     * instead of NaN for 0 and 1, or for 2 and −1. */
    if (out->sensitivity[query->element * out->sensitivities + SPARSE_SHARED_SPECIAL] != 0) {
        accept->set[0].component[0].special |=
            ACCEPT_NAN | ACCEPT_POSITIVE_INFINITY | ACCEPT_NEGATIVE_INFINITY;
    }
}

int sparse_sum_sensitivities(const struct op_call *call, int output)
{
    (void)call, (void)output;
    return SPARSE_SENSITIVITIES;
}
