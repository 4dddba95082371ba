/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Error bound of sums of products: profile_sum_error(r)·(|A||B| + |bias|) with r = h + 1, or h + 2 with a
 * bias, or 1 less where the terms are no products. h = K − 1 for any order of summation; assay's own order
 * (blocks of 128) has h ≤ 127 + ⌈K/128⌉. Each product and each sum may underflow. If the direction of
 * rounding is open, the cast may round a factor to its other neighbour, also if the sum itself is exact. If
 * subnormals may be flushed, terms with a subnormal factor may be lost.
 *
 * If products or partial sums may overflow, NaN and the infinities are accepted. If all terms have the same
 * sign, only the infinity of that sign or the sum is accepted.
 *
 * A product that the profile declares fast (Strassen's or Winograd's form, of which the latter has the
 * greater constant) is bounded normwise: after l levels down to blocks of n0, 18^l·(n0² +
 * 6·n0)·u·max|A|·max|B| (Higham, §23.2.2), and a NaN or an infinity in either operand may reach every
 * element. */

#include "reference/ops/product_sum/product_sum_bound.h"
#include "reference/numeric/elementary/portable.h"
#include "reference/operator/bound_memo.h"
#include "reference/ops/product_sum/product_sum.h"

#include <math.h>

enum { BLOCK = 128 };

/* True if all terms have the same sign and the sum is at least twice the greatest finite number: the result
 * is the infinity, or the greatest finite number if rounding may be towards zero. */
static bool is_beyond(const struct value *value, const double *s, enum dtype accumulate)
{
    return s[ONE_SIGN] != 0 && fabs(ldexp(value->hi, value->exponent - 1)) > dtype_max(accumulate);
}

/* A fast product: growth is a bound of its intermediates, error its normwise error in units of u; both 0 for
 * classical products. A block is split while its halves are not smaller than the profile's crossover. */
struct fast {
    double growth, error;
};

static int64_t crossover_of(const struct bound_query *query)
{
    return query->op->product_sum->fast ? profile_fast_crossover(query->profile, query->op->name) : 0;
}

static struct fast fast_of(const struct bound_query *query, const double *s)
{
    int64_t crossover = crossover_of(query);
    struct fast fast = {.growth = 0};
    if (crossover > 0) {
        double halvings = s[TERMS] / (double)crossover;
        int levels = halvings > 1 ? portable_log2_floor(halvings) : 0;
        double power = portable_power(18, levels), block = ceil(ldexp(s[TERMS], -levels));
        fast.growth = power * block * s[GREATEST];
        fast.error = power * (block * block + 6 * block) * s[GREATEST];
    }
    return fast;
}

/* The most roundings that a term goes through. The order of summation is that of all terms, exact zeros too;
 * adding these rounds nothing, so that an element has no more roundings than terms. */
static double roundings(const struct bound_query *query, const double *s)
{
    double all = s[PADDED], h = summation_depth(profile_summation(query->profile, query->op->name), all);
    h = h < 0 ? fmin(all - 1, BLOCK - 1 + ceil(all / BLOCK)) : h;
    h = all > s[TERMS] ? fmax(fmin(h, s[TERMS] - 1), 0) : h;
    return h + 1 - s[PLAIN_SUM] + s[BIAS];
}

double product_sum_bound(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[query->output];
    const struct value *value = &out->value[query->element];
    const double *s = &out->sensitivity[query->element * out->sensitivities];
    const struct profile *profile = query->profile;
    struct fast fast = fast_of(query, s);
    if (value->class != VALUE_FINITE ||
        (s[BORDER_SPECIAL] != 0 && profile->padding == PADDING_ZEROS)) { /* the result is NaN */
        return 0;
    }
    enum dtype accumulate = profile->accumulate[out->dtype];
    double cast = profile->rounding[out->dtype] == ROUNDING_OPEN ? s[CAST_OTHER] : 0;
    double magnitude = s[MAGNITUDE] + cast;
    cast += profile_unit_roundoff(profile, out->dtype) * cast; /* the result is rounded with it */
    if ((magnitude == 0 && fast.growth == 0) ||
        (query->exact &&
         fmax(magnitude, fast.growth) <= ldexp(1, dtype_info(accumulate)->precision))) { /* integers */
        return cast;
    }
    double k = s[TERMS], relative = profile_sum_error(profile, out->dtype, roundings(query, s));
    if (isinf(s[MAGNITUDE]) && relative < 0.5 && is_beyond(value, s, accumulate)) {
        return 0;
    }
    double error = relative * magnitude + profile_accumulate_roundoff(profile, out->dtype) * fast.error +
                   (2 * k + 2) * profile_underflow_unit(profile, accumulate) + cast;
    if (profile_loses_subnormals(profile, out->dtype)) {
        error += s[SUBNORMAL];
    }
    return error;
}

/* The primitive error: underflow of products and sums, and flushed subnormal operands. */
double product_sum_primitive_error(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[query->output];
    const double *s = &out->sensitivity[query->element * out->sensitivities];
    double underflow =
        (2 * s[TERMS] + 2) * profile_underflow_unit(query->profile, query->profile->accumulate[out->dtype]);
    return underflow + (profile_loses_subnormals(query->profile, out->dtype) ? s[SUBNORMAL] : 0);
}

/* True if a product or a partial sum may overflow although the result does not. If all terms have the same
 * sign, the result overflows, too. A factor that overflows in the cast may be the greatest finite number if
 * the direction of rounding is open. */
bool product_sum_may_overflow(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[query->output];
    const double *s = &out->sensitivity[query->element * out->sensitivities];
    const struct value *value = &out->value[query->element];
    if (s[CAST_INFINITE] != 0 && query->profile->rounding[out->dtype] == ROUNDING_OPEN) {
        return true;
    }
    if (s[HAS_SPECIAL] != 0 && crossover_of(query) > 0) {
        return true; /* sums of blocks spread them to every element */
    }
    if (fast_of(query, s).growth > dtype_max(query->profile->accumulate[out->dtype])) {
        return true;
    }
    return value->class != VALUE_NAN && s[ONE_SIGN] == 0 &&
           s[MAGNITUDE] + op_bound(query) > dtype_max(query->profile->accumulate[out->dtype]);
}

/* The sign of a zero depends on the order of summation. A term in the padding may be left out, or be 0 times
 * its other factor, which is NaN if that factor is a NaN or an infinity. */
void product_sum_accept(const struct bound_query *query, struct accept *accept)
{
    const struct truth_output *out = &query->truth->output[query->output];
    const struct value *value = &out->value[query->element];
    const double *s = &out->sensitivity[query->element * out->sensitivities];
    accept_default(accept, out->dtype, query->profile, value, op_bound(query));
    if (value->class == VALUE_FINITE && value->hi == 0) {
        accept_any_zero(accept);
    }
    if (s[BORDER_SPECIAL] != 0 && query->profile->padding == PADDING_ZEROS) {
        const struct value nan = value_of(NAN);
        accept_default(accept, out->dtype, query->profile, &nan, 0);
    } else if (s[BORDER_SPECIAL] != 0 && query->profile->padding == PADDING_OPEN) {
        for (int k = 0; k < accept->sets; k++) {
            accept->set[k].component[0].special |= ACCEPT_NAN;
        }
    }
}
