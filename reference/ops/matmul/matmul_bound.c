/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Bound of matmul, mv and linear: profile_sum_error(r)·(|A||B| + |bias|) with r = h + 1, one more with bias.
 * h = K − 1 for any order; assay's own holds h ≤ 127 + ⌈K/128⌉: blocks of 128. Each product and each sum may
 * underflow. Where the direction of rounding is open, the cast may give the other neighbour of a factor that
 * it rounds, also where the sum itself is exact; where its subnormals may be flushed, terms with one may be
 * lost.
 *
 * Where products or partial sums may leave the range, NaN and the infinities are accepted, unless every term
 * has one sign: the infinity of that sign then, or the sum.
 *
 * A product that the profile declares fast (Strassen's, or Winograd's form, whose constant is the greater) is
 * bounded normwise: after l levels down to blocks of n0, 18^l·(n0² + 6·n0)·u·max|A|·max|B| (Higham, §23.2.2),
 * and a NaN or an infinity in either operand may reach every element. */

#include "reference/ops/matmul/matmul_bound.h"
#include "reference/operator/bound_memo.h"
#include "reference/numeric/elementary/portable.h"

#include <math.h>

enum { BLOCK = 128 };

/* A sum of one sign twice beyond the range: the infinity, or MAX where rounding may be towards zero. */
static bool is_beyond(const struct value *value, const double *s, enum dtype accumulate)
{
    return s[ONE_SIGN] != 0 && fabs(ldexp(value->hi, value->exponent - 1)) > dtype_max(accumulate);
}

/* What a fast product makes of max|A|·max|B|: the greatest intermediate, and the normwise error in units of
 * u; 0 where products are classical. The halves of a block that is split are no smaller than the crossover.
 */
struct fast {
    double growth, error;
};

static struct fast fast_of(const struct bound_query *query, const double *s)
{
    int64_t crossover = profile_fast_crossover(query->profile, query->op->name);
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

double matmul_bound(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[0];
    const struct value *value = &out->value[query->element];
    const double *s = &out->sensitivity[query->element * MATMUL_SENSITIVITIES];
    const struct profile *profile = query->profile;
    struct fast fast = fast_of(query, s);
    if (value->class != VALUE_FINITE) {
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
    double k = s[TERMS], h = summation_depth(profile_summation(profile, query->op->name), k);
    h = h < 0 ? fmin(k - 1, BLOCK - 1 + ceil(k / BLOCK)) : h;
    double relative = profile_sum_error(profile, out->dtype, h + 1 + s[BIAS]);
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

/* What is not random: underflow of products and sums, operands taken for zeros. */
double matmul_primitive_error(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[0];
    const double *s = &out->sensitivity[query->element * MATMUL_SENSITIVITIES];
    double underflow =
        (2 * s[TERMS] + 2) * profile_underflow_unit(query->profile, query->profile->accumulate[out->dtype]);
    return underflow + (profile_loses_subnormals(query->profile, out->dtype) ? s[SUBNORMAL] : 0);
}

/* A product or a partial sum may leave the range where the whole does not; where all terms have one sign, the
 * whole does, too. A factor that the cast overflows is MAX where the direction of rounding is open. */
bool matmul_may_overflow(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[0];
    const double *s = &out->sensitivity[query->element * MATMUL_SENSITIVITIES];
    const struct value *value = &out->value[query->element];
    if (s[CAST_INFINITE] != 0 && query->profile->rounding[out->dtype] == ROUNDING_OPEN) {
        return true;
    }
    if (s[HAS_SPECIAL] != 0 && profile_fast_crossover(query->profile, query->op->name) > 0) {
        return true; /* sums of blocks take them everywhere */
    }
    if (fast_of(query, s).growth > dtype_max(query->profile->accumulate[out->dtype])) {
        return true;
    }
    return value->class != VALUE_NAN && s[ONE_SIGN] == 0 &&
           s[MAGNITUDE] + op_bound(query) > dtype_max(query->profile->accumulate[out->dtype]);
}

/* The sign of a zero depends on the order of summation. */
void matmul_accept(const struct bound_query *query, struct accept *accept)
{
    const struct truth_output *out = &query->truth->output[0];
    const struct value *value = &out->value[query->element];
    accept_default(accept, out->dtype, query->profile, value, op_bound(query));
    if (value->class == VALUE_FINITE && value->hi == 0) {
        accept_any_zero(accept);
    }
}
