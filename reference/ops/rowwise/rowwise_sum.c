/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Sums and means of rows.
 *
 * Truth: eight compensated lanes (reference/numeric/compensated_lanes.h), or one long MPFR number. A sum
 * counts as exact if every term is a multiple of a power of two g and Σ|x| ≤ 2^53·g: then no partial sum in
 * any order is rounded.
 *
 * Bound: profile_sum_error(h)·Σ|x|, or 0 if the condition above holds with the precision of the accumulation
 * type in place of 53. A mean divides, or multiplies by a rounded 1/n: two roundings more, and the profile's
 * division error. Where subnormals may be flushed, subnormal operands may be lost entirely, and each partial
 * sum may lose η if the terms have both signs; with one sign, a subnormal partial sum consists of subnormal
 * terms.
 *
 * Envelope: that of the sum (reference/numeric/exact/envelope_sum.h); two roundings more for a mean. */

#include "reference/numeric/compensated_lanes.h"
#include "reference/numeric/round_up.h"
#include "reference/operator/bound_memo.h"
#include "reference/operator/ziv.h"
#include "reference/ops/rowwise/rowwise.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* Sensitivities, over the finite terms: their number (of all terms); Σ|x|; Σ|x| of subnormal ones; g. Then:
 * all nonzero terms, infinities too, have one sign; a term is infinite or NaN. */
enum { TERMS, MAGNITUDE, SUBNORMAL, GRANULE, ONE_SIGN, SPECIAL, SUM_SENSITIVITIES };

/* Bits that hold any sum of 2^40 float32, or float64. */
enum { NARROW_BITS = 384, WIDE_BITS = 2304, QUOTIENT_BITS = 200 };

int rowwise_sum_sensitivities(const struct op_call *call, int output)
{
    (void)output;
    return dtype_is_floating(call->input[0].dtype) ? SUM_SENSITIVITIES : 0;
}

struct sums {
    const struct op_call *call;
    const struct tensor *x;
    struct truth *truth;
    struct truth_output *out;
    struct rowwise_rows rows;
    double u[ENVELOPE_WIDTHS];
    bool wide;         /* terms are doubles (float64), else floats */
    bool there;        /* the operand's memory holds rows in that layout */
    const void *terms; /* of the current row */
    void *copy;        /* of a row in another layout */
    double special;
};

static inline double term_at(const struct sums *s, int64_t k)
{
    return s->wide ? ((const double *)s->terms)[k] : (double)((const float *)s->terms)[k];
}

static bool sums_open(struct sums *s, const struct op_call *call, struct truth *truth)
{
    *s = (struct sums){.call = call, .x = &call->input[0], .truth = truth, .out = &truth->output[0]};
    envelope_widths(s->out->dtype, s->u);
    if (!rowwise_rows_create(&s->rows, call->op, call->attributes, &s->x->shape)) {
        return false;
    }
    s->wide = s->x->dtype == DTYPE_FLOAT64;
    s->there = !s->rows.base && s->x->data && (s->wide || s->x->dtype == DTYPE_FLOAT32);
    return true;
}

static void sums_close(struct sums *s)
{
    rowwise_rows_clear(&s->rows);
    free(s->copy);
}

static const void *copy_row(struct sums *s, int64_t row)
{
    const size_t size = s->wide ? sizeof(double) : sizeof(float);
    s->copy = s->copy ? s->copy : malloc(((size_t)s->rows.terms + 1) * size);
    for (int64_t k = 0; s->copy && k < s->rows.terms; k++) {
        double term = tensor_component(s->x, rowwise_element(&s->rows, row, k));
        if (s->wide) {
            ((double *)s->copy)[k] = term;
        } else {
            ((float *)s->copy)[k] = (float)term; /* exact */
        }
    }
    return s->copy;
}

/* Reads the terms of a row and fills their sensitivities. Returns false when out of memory. */
static bool take_row(struct sums *s, int64_t row, double *sensitivity)
{
    const double normal = dtype_least_normal(s->x->dtype);
    double magnitude = 0, subnormal = 0;
    int grid = INT_MAX;
    bool positive = false, negative = false, special = false;
    s->special = 0;
    for (int64_t k = 0; k < s->rows.terms; k++) {
        double x = tensor_component(s->x, rowwise_element(&s->rows, row, k)), size = fabs(x);
        positive = positive || x > 0; /* infinities too: finite terms may overflow against one */
        negative = negative || x < 0;
        if (!isfinite(x)) {
            s->special += x; /* inf − inf gives NaN */
            special = true;
            continue;
        }
        magnitude = round_up_sum(magnitude, size);
        subnormal = size < normal ? round_up_sum(subnormal, size) : subnormal;
        int lowest = size > 0 ? dtype_lowest_bit(size) : INT_MAX;
        grid = lowest < grid ? lowest : grid;
    }
    sensitivity[TERMS] = (double)s->rows.terms;
    sensitivity[MAGNITUDE] = magnitude;
    sensitivity[SUBNORMAL] = subnormal;
    sensitivity[GRANULE] = grid == INT_MAX ? 0 : ldexp(1, grid);
    sensitivity[ONE_SIGN] = !(positive && negative);
    sensitivity[SPECIAL] = special;
    if (s->there) {
        s->terms = s->x->data + (size_t)(row * s->rows.terms) * dtype_info(s->x->dtype)->size;
    } else {
        s->terms = copy_row(s, row);
    }
    return s->terms;
}

static bool adds_exactly(const double *sensitivity, int precision)
{
    return sensitivity[MAGNITUDE] <= ldexp(sensitivity[GRANULE], precision);
}

static void surround(struct sums *s, int64_t row)
{
    const double n = (double)s->rows.terms, share = s->call->op->rowwise->mean && n > 0 ? 1 / n : 1;
    struct envelope *envelope = &s->out->envelope[row];
    struct envelope_sum sum;
    if (s->special != 0) { /* the result is no number and has no envelope */
        envelope->spread = NAN;
        envelope_alone(envelope, row, 1);
        return;
    }
    if (s->wide) {
        envelope_sum(s->terms, s->rows.terms, s->u, &sum);
    } else {
        envelope_sum_narrow(s->terms, s->rows.terms, s->u, &sum);
    }
    double own = share < 1 ? 2 * sum.total * share : 0;
    envelope->spread = envelope_join(sum.order * share, own);
    for (int w = 0; w < ENVELOPE_WIDTHS; w++) {
        envelope->drift[w] = sum.drift[w] * share;
    }
    envelope_alone(envelope, row, sum.total * share);
}

/* Computes Σ x or Σ x/n to 104 bits or more. */
static void exactly(struct sums *s, int64_t row)
{
    const bool mean = s->call->op->rowwise->mean;
    mpfr_t sum, quotient;
    mpfr_init2(sum, s->wide ? WIDE_BITS : NARROW_BITS);
    mpfr_init2(quotient, QUOTIENT_BITS);
    mpfr_set_zero(sum, 1);
    for (int64_t k = 0; k < s->rows.terms; k++) {
        mpfr_add_d(sum, sum, term_at(s, k), MPFR_RNDN);
    }
    int inexact = mean ? mpfr_div_ui(quotient, sum, (unsigned long)s->rows.terms, MPFR_RNDN) : 0;
    s->out->value[row] = value_from_mpfr(mean ? quotient : sum, inexact == 0);
    if (!s->out->value[row].exact && ZIV_TARGET_BITS < s->truth->bits) {
        s->truth->bits = ZIV_TARGET_BITS;
    }
    mpfr_clears(sum, quotient, (mpfr_ptr)0);
}

/* Computes the sum or mean as two doubles. Returns the radius; infinite where doubles are not enough. */
static double nearly(struct sums *s, int64_t row, const double *sensitivity)
{
    const double n = (double)s->rows.terms;
    struct compensated_lanes lanes = {.hi = {0}};
    for (int64_t k = 0; k < s->rows.terms; k++) {
        lanes_add(&lanes, k, term_at(s, k), 0);
    }
    struct double_double sum = lanes_total(&lanes);
    bool exact = adds_exactly(sensitivity, 53), plain = sensitivity[MAGNITUDE] < 0x1p900;
    double radius = exact ? 0 : lanes_error(n) * sensitivity[MAGNITUDE] + 0x1p-1060;
    if (s->call->op->rowwise->mean) {
        struct double_double whole = sum;
        sum = dd_over(whole, n);
        struct double_double back = dd_product(sum.hi, n);
        exact = exact && sum.lo == 0 && back.hi == whole.hi && back.lo == whole.lo;
        plain = plain && (whole.hi == 0 || fabs(whole.hi) > 0x1p-900);
        radius = exact ? 0 : radius / n * (1 + 0x1p-50) + fabs(sum.hi) * 0x1p-100;
    }
    s->out->value[row] = value_from_dd(sum.hi, sum.lo);
    s->out->value[row].exact = exact;
    return plain && isfinite(sum.hi) ? radius : INFINITY;
}

static bool answer(const struct op_call *call, struct truth *truth, bool enclosed, struct error *error)
{
    if (!dtype_is_floating(call->input[0].dtype)) {
        return rowwise_integers(call, truth, error);
    }
    struct sums s;
    bool good = sums_open(&s, call, truth) && truth_output_envelope(s.out) &&
                (!enclosed || truth_output_radius(s.out, true));
    for (int64_t row = 0; good && row < s.out->elements; row++) {
        double *sensitivity = &s.out->sensitivity[row * SUM_SENSITIVITIES];
        if (!take_row(&s, row, sensitivity)) {
            good = false;
            break;
        }
        surround(&s, row);
        if (s.rows.terms == 0 || sensitivity[SPECIAL] != 0) {
            s.out->value[row] = value_of(s.rows.terms == 0 ? call->op->rowwise->empty : s.special);
            continue;
        }
        double radius = nearly(&s, row, sensitivity);
        if (enclosed && isfinite(radius)) {
            s.out->radius[row] = radius;
        } else if (radius != 0) {
            exactly(&s, row);
        }
    }
    sums_close(&s);
    return good || error_set(error, "%s: out of memory", call->op->name);
}

bool rowwise_sum_truth(const struct op_call *call, struct truth *truth, struct error *error)
{
    return answer(call, truth, false, error);
}

bool rowwise_sum_enclose(const struct op_call *call, struct truth *truth, struct error *error)
{
    return answer(call, truth, true, error);
}

bool rowwise_sum_certify(const struct op_call *call, struct truth *truth, int output, int64_t element,
                         struct error *error)
{
    struct sums s;
    double sensitivity[SUM_SENSITIVITIES];
    bool good = sums_open(&s, call, truth) && take_row(&s, element, sensitivity);
    if (good) {
        exactly(&s, element);
        truth->output[output].radius[element] = 0;
    }
    sums_close(&s);
    return good || error_set(error, "%s: out of memory", call->op->name);
}

/* --- error bounds */

static double bound_of(const struct bound_query *query, bool rounds)
{
    const struct truth_output *out = &query->truth->output[0];
    const struct value *value = &out->value[query->element];
    const struct profile *profile = query->profile;
    if (value->class != VALUE_FINITE || !dtype_is_floating(out->dtype)) {
        return 0;
    }
    const double *s = &out->sensitivity[query->element * SUM_SENSITIVITIES];
    enum dtype accumulate = profile->accumulate[out->dtype];
    bool mean = query->op->rowwise->mean, exact = adds_exactly(s, dtype_info(accumulate)->precision);
    double n = s[TERMS], share = mean ? 1 / n : 1,
           y = fmin(fabs(value_approximately(value)), s[MAGNITUDE] * share);
    double h = rowwise_depth(profile, query->op->name, n) + (mean ? 2 : 0);
    double relative = !rounds || (exact && !mean) ? 0 : profile_sum_error(profile, out->dtype, exact ? 2 : h);
    double magnitude = exact ? y / share : s[MAGNITUDE];
    if (s[MAGNITUDE] == 0) {
        return 0;
    }
    bool beyond = fabs(ldexp(value->hi, value->exponent - 1)) > dtype_max(accumulate);
    if (isinf(magnitude) && s[ONE_SIGN] != 0 && relative < 0.5 && beyond) {
        return 0; /* the result is the infinity, or the greatest number where rounding may be towards zero */
    }
    double error = relative > 0 ? relative * magnitude * share : 0;
    if (mean && !(exact && y == 0)) { /* 0/n is 0 */
        error += profile_divide_error(profile, accumulate, y + error) +
                 profile_underflow_unit(profile, accumulate);
    }
    /* Partial sums may be subnormal though their terms are not. */
    bool tiny = s[ONE_SIGN] == 0 && s[GRANULE] > 0 && s[GRANULE] < dtype_least_normal(accumulate);
    if (tiny && profile->subnormals[accumulate] == SUBNORMALS_MAY_FLUSH) {
        error += n * profile_underflow_unit(profile, accumulate) * share;
    }
    return error + (profile_loses_subnormals(profile, out->dtype) ? s[SUBNORMAL] * share : 0);
}

double rowwise_sum_bound(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[0];
    if (!query->exact || !dtype_is_floating(out->dtype)) {
        return bound_of(query, true);
    }
    double magnitude = out->sensitivity[query->element * SUM_SENSITIVITIES + MAGNITUDE];
    int precision = dtype_info(query->profile->accumulate[out->dtype])->precision;
    return bound_of(query, !(magnitude <= ldexp(1, precision)));
}

/* The part of the bound that is not independent rounding. */
double rowwise_sum_primitive_error(const struct bound_query *query)
{
    return bound_of(query, false);
}

bool rowwise_sum_may_overflow(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[0];
    const struct value *value = &out->value[query->element];
    if (!dtype_is_floating(out->dtype) || value->class == VALUE_NAN) {
        return false;
    }
    const double *s = &out->sensitivity[query->element * SUM_SENSITIVITIES];
    double most = dtype_max(query->profile->accumulate[out->dtype]);
    bool over = s[MAGNITUDE] + rowwise_sum_bound(query) > most;
    return over && (query->op->rowwise->mean || s[ONE_SIGN] == 0);
}

/* Accepts zeros of either sign: the sign depends on the order of summation. */
void rowwise_accept_sum(const struct bound_query *query, struct accept *accept)
{
    const struct truth_output *out = &query->truth->output[0];
    const struct value *value = &out->value[query->element];
    accept_default(accept, out->dtype, query->profile, value, op_bound(query));
    if (value->class == VALUE_FINITE && value->hi == 0) {
        accept_any_zero(accept);
    }
}
