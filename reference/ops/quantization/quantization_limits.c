/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Quantization: error bounds and accepted results. */

#include "reference/ops/quantization/quantization_parts.h"

#include <math.h>

static bool is_power_of_two(double s)
{
    int exponent;
    return frexp(s, &exponent) == 0.5;
}

/* Returns the type of intermediates. */
static enum dtype type_of(const struct bound_query *query)
{
    enum dtype dtype = query->truth->output[0].dtype;
    dtype = dtype_is_floating(dtype) ? dtype : DTYPE_FLOAT32;
    return query->profile->accumulate[dtype];
}

/* Fills the range of n + z before clamping. A quotient within δ of a tie has two integers n. */
static void reachable(const struct bound_query *query, const double *known, double *low, double *high)
{
    enum dtype type = type_of(query);
    double ratio = known[RATIO], s = known[SCALE], size = fabs(ratio), end = ldexp(1, SATURATES);
    double u = profile_unit_roundoff(query->profile, type), delta = 0;
    if (size >= end) {
        *low = *high = copysign(end, ratio);
        return;
    }
    if (!is_power_of_two(s)) {
        delta = profile_divide_error(query->profile, type, size) + u * size * (dtype_holds(type, s) ? 1 : 2);
        delta *= 1 + 8 * u;
    }
    double exact = quantization_nearest(ratio * 1, 1); /* for a power of two, x/s is a double */
    *low = delta == 0 ? exact : ceil(ratio - 0.5 - delta);
    *high = delta == 0 ? exact : floor(ratio + 0.5 + delta);
    double beyond = ldexp(1, dtype_info(type)->precision),
           sum = fmax(fabs(*low), fabs(*high)) + fabs(known[ZERO]);
    double sloppy = sum > beyond ? ceil(2 * u * sum) : 0; /* the zero point and the sum may round */
    *low += known[ZERO] - sloppy;
    *high += known[ZERO] + sloppy;
}

/* Accepts every integer from low to high, the truth first. */
static void accept_integers(const struct bound_query *query, double low, double high, struct accept *accept)
{
    const struct truth_output *out = &query->truth->output[0];
    const struct value *q = &out->value[query->element];
    if (high - low > 1) {
        accept_default(accept, out->dtype, query->profile, q, fmax(q->hi - low, high - q->hi));
        return;
    }
    accept_default(accept, out->dtype, query->profile, q, 0);
    for (int side = 0; side < 2; side++) {
        struct value other = value_of(side ? high : low);
        struct accept more;
        accept_default(&more, out->dtype, query->profile, &other, 0);
        accept_union(accept, &more);
    }
    for (int set = 0; set < accept->sets; set++) {
        accept->set[set].rule = RULE_OPERATOR;
    }
}

/* Returns E_compute of n·s if n is off by `steps`: the scale may be rounded first, and the product too if the
 * type of intermediates is wider than that of the result. */
static double product_error(const struct bound_query *query, double n, double s, double steps)
{
    enum dtype type = type_of(query), dtype = query->truth->output[0].dtype;
    double u = profile_unit_roundoff(query->profile, type), size = fabs(n * s);
    bool held = dtype_holds(type, s), fits = dtype_holds(type, n * s) && fma(n, s, -(n * s)) == 0;
    double error = steps * fabs(s) + (held ? 0 : u * size);
    error *= 1 + 2 * u;
    return error + (type != dtype && (error > 0 || !fits) ? u * size : 0);
}

/* Accepts the product n·s for one n that is off by `steps`. */
static void accept_product(const struct bound_query *query, double n, double s, double steps,
                           struct accept *accept)
{
    enum dtype dtype = query->truth->output[0].dtype;
    struct value value = quantization_product(n, s);
    double error = product_error(query, n, s, steps);
    if (error > 0) {
        accept_default(accept, dtype, query->profile, &value, error);
    } else {
        accept_rounded(accept, dtype, query->profile, &value);
    }
    accept_any_zero(accept); /* 0·s for an n that may have been −0 */
}

static void accept_fake(const struct bound_query *query, const double *known, double low, double high,
                        struct accept *accept)
{
    double truth = query->truth->output[0].value[query->element].hi / known[SCALE];
    double z = known[ZERO], middle = nearbyint(truth);
    if (high - low > 1) {
        accept_product(query, middle, known[SCALE], fmax(middle - (low - z), (high - z) - middle), accept);
        return;
    }
    accept_product(query, middle, known[SCALE], 0, accept);
    for (int side = 0; side < 2; side++) {
        struct accept more;
        accept_product(query, (side ? high : low) - z, known[SCALE], 0, &more);
        accept_union(accept, &more);
    }
}

/* Accepts grad_output if the number may lie inside the interval, ends included, and 0 if it may lie outside;
 * 0 times NaN or infinity may be NaN. */
static void accept_gradient(const struct bound_query *query, const double *known, bool within, bool without,
                            struct accept *accept)
{
    enum dtype dtype = query->truth->output[0].dtype;
    struct value grad = value_of(known[NUMBER]), zero = value_of(0);
    struct accept more;
    accept_default(accept, dtype, query->profile, within ? &grad : &zero, 0);
    if (without) {
        zero.open = !isfinite(known[NUMBER]);
        accept_default(&more, dtype, query->profile, &zero, 0);
        accept_any_zero(&more);
        if (within) {
            accept_union(accept, &more);
        } else {
            *accept = more;
        }
    }
}

/* Returns the error of q − z when dequantizing; 0 if q, z and q − z are numbers of the type. */
static double difference_error(const struct bound_query *query, const double *known)
{
    enum dtype type = type_of(query);
    double u = profile_unit_roundoff(query->profile, type), steps = 0;
    const double parts[] = {known[NUMBER], known[ZERO], known[RATIO]};
    for (int k = 0; k < 3; k++) {
        steps += dtype_holds(type, parts[k]) ? 0 : u * fabs(parts[k]);
    }
    return steps +
           (steps > 0 ? u * fabs(known[RATIO]) + steps * u : 0); /* of the difference of rounded parts */
}

/* Fills the least and the greatest q. */
static void held(const struct bound_query *query, const double *known, double *low, double *high)
{
    int64_t least, most;
    enum dtype dtype = query->truth->output[0].dtype;
    quantization_limits(query->attributes, dtype_is_floating(dtype) ? DTYPE_INT32 : dtype, &least, &most);
    reachable(query, known, low, high);
    *low = quantization_clamped(*low, (double)least, (double)most);
    *high = quantization_clamped(*high, (double)least, (double)most);
}

/* All errors may lean one way, so the bound is the whole distance. */
double quantization_bound(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[0];
    const double *known = &out->sensitivity[query->element * SENSITIVITIES];
    enum quantization_action action = quantization_action(query->op);
    double low, high, n = known[RATIO];
    if (action == FAKE_QUANTIZE_BACKWARD) {
        return 0;
    }
    if (isnan(known[RATIO])) {
        return INFINITY;
    }
    if (action == DEQUANTIZE) {
        return product_error(query, n, known[SCALE], difference_error(query, known));
    }
    held(query, known, &low, &high);
    n = value_approximately(&out->value[query->element]) / known[SCALE];
    return action == QUANTIZE ? high - low : product_error(query, nearbyint(n), known[SCALE], high - low);
}

void quantization_accept(const struct bound_query *query, struct accept *accept)
{
    const struct truth_output *out = &query->truth->output[0];
    const double *known = &out->sensitivity[query->element * SENSITIVITIES];
    enum quantization_action action = quantization_action(query->op);
    double low, high;
    int64_t least, most;
    if (action == DEQUANTIZE) {
        accept_product(query, known[RATIO], known[SCALE], difference_error(query, known), accept);
        return;
    }
    if (isnan(known[RATIO])) {
        if (action == FAKE_QUANTIZE_BACKWARD) {
            accept_gradient(query, known, true, true, accept);
            accept->set[0].component[0].special |= ACCEPT_NAN;
        } else {
            accept_default(accept, out->dtype, query->profile, &out->value[query->element], INFINITY);
            accept->set[0].component[0].zero = ZERO_ANY;
        }
        return;
    }
    if (action == FAKE_QUANTIZE_BACKWARD) {
        quantization_limits(query->attributes, DTYPE_INT32, &least, &most);
        reachable(query, known, &low, &high);
        bool within = high >= (double)least && low <= (double)most;
        bool without = low < (double)least || high > (double)most;
        accept_gradient(query, known, within, without, accept);
        return;
    }
    held(query, known, &low, &high);
    if (action == QUANTIZE) {
        accept_integers(query, low, high, accept);
    } else {
        accept_fake(query, known, low, high, accept);
    }
}

/* True if a single number is accepted, to the bit. */
bool quantization_rounds_once(const struct bound_query *query)
{
    struct accept accept;
    quantization_accept(query, &accept);
    return accept.sets == 1 && accept.set[0].radius == 0 && accept.set[0].component[0].special == 0;
}
