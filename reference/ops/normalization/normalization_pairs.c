/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Proof of the error bounds. A sum of n terms has an error of at most λ·Σ|terms| (lanes_error of
 * reference/numeric/compensated_lanes.h). Each d_j = x_j − m has a rounding error of 2^-103·(|x_j| + |m|).
 * The error δm of m changes Σd² only by n·δm², since Σ(x − m) = 0. Hence, with D = Σd²,
 *
 *     δV·n ≤ λ·D + 2^-101·sqrt(D·Σ(|x| + |m|)²) + 2^-200·Σ(|x| + |m|)² + n·δm²
 *
 * and the relative error of r is at most δV/(V + eps) + 2^-97, as long as that is small. */

#include "reference/ops/normalization/normalization_pairs.h"
#include "reference/numeric/compensated_lanes.h"
#include "reference/numeric/round_up.h"

#include <math.h>

static const double least_square = 0x1p-300;

static bool in_range(const double *x, int64_t n)
{
    double most = 0;
    bool numbers = true;
    for (int64_t j = 0; j < n; j++) {
        most = fabs(x[j]) > most ? fabs(x[j]) : most;
        numbers = numbers && x[j] - x[j] == 0;
    }
    return numbers && most <= PAIRS_GREATEST;
}

static void take_mean(const double *x, int64_t n, struct group_pairs *e)
{
    struct compensated_lanes sum = {{0}, {0}};
    double magnitude[LANES] = {0}, all = 0, count = (double)n;
    for (int64_t j = 0; j < n; j++) {
        lanes_add(&sum, j, x[j], 0);
        magnitude[j % LANES] += fabs(x[j]);
    }
    for (int lane = 0; lane < LANES; lane++) {
        all += magnitude[lane];
    }
    all *= 1 + (count + 8) * 0x1p-52;
    e->moments.mean_abs = round_up_quotient(all, count);
    e->mean = dd_over(lanes_total(&sum), count);
    e->error_mean =
        (lanes_error(count) / count + 0x1p-100) * all; /* of the sum over n, and of the quotient */
}

/* Stores Σ(x − m)² in `squares` and returns the error bound δV·n. */
static double take_squares(const double *x, int64_t n, const struct group_pairs *e,
                           struct double_double *squares)
{
    struct compensated_lanes sum = {{0}, {0}};
    double around[LANES] = {0}, both = 0, count = (double)n, m = fabs(e->mean.hi);
    for (int64_t j = 0; j < n; j++) {
        struct double_double d = deviation_pair(e, x[j]);
        struct double_double square = dd_product(d.hi, d.hi);
        lanes_add(&sum, j, square.hi, square.lo + 2 * d.hi * d.lo);
        around[j % LANES] += (fabs(x[j]) + m) * (fabs(x[j]) + m);
    }
    for (int lane = 0; lane < LANES; lane++) {
        both += around[lane];
    }
    *squares = lanes_total(&sum);
    double d = fabs(squares->hi);
    return lanes_error(count) * d + 0x1p-101 * sqrt(d) * sqrt(both) + 0x1p-200 * both +
           count * e->error_mean * e->error_mean;
}

bool normalization_keep(struct truth_output *out, int64_t at, struct double_double value, double error)
{
    out->value[at] = value_from_dd(value.hi, value.lo);
    out->value[at].exact = false;
    out->radius[at] = error * (1 + 0x1p-20) + 0x1p-800;
    return out->radius[at] <= 0x1p-20 * dtype_unit_roundoff(out->dtype) * fabs(value.hi) &&
           fabs(value.lo) > out->radius[at];
}

bool normalization_pairs(const struct normalization *n, int64_t group, const double *x, struct group_pairs *e)
{
    int64_t length = normalization_length(n);
    double count = (double)length, error = 0;
    *e = (struct group_pairs){.moments = {.n = count}};
    if (n->evaluates) {
        double v = tensor_component(n->running_var, group);
        e->moments.n = 0;
        e->mean.hi = tensor_component(n->running_mean, group);
        e->variance = (struct double_double){v, 0};
        if (!(fabs(e->mean.hi) <= PAIRS_GREATEST) || !(v >= 0)) {
            return false;
        }
    } else {
        if (!in_range(x, length)) {
            return false;
        }
        take_mean(x, length, e);
        if (!n->centred) {
            e->mean = (struct double_double){0, 0};
            e->error_mean = 0;
        }
        error = take_squares(x, length, e, &e->variance) / count;
        e->variance = dd_over(e->variance, count);
    }
    struct double_double sum = dd_sum(e->variance.hi, n->eps),
                         whole = dd_tidy(sum.hi, sum.lo + e->variance.lo);
    if (!(whole.hi >= least_square) || !(whole.hi <= PAIRS_GREATEST)) {
        return false;
    }
    e->error_variance = error + 0x1p-100 * e->variance.hi;
    e->r = dd_rsqrt(whole);
    e->error_r = error / whole.hi * (1 + 0x1p-20) + 0x1p-97;
    e->moments.mean = e->mean.hi;
    e->moments.r = e->r.hi * (1 + 0x1p-50);
    e->moments.deviation =
        n->evaluates ? round_up_root(e->variance.hi) : sqrt(e->variance.hi + error) * (1 + 0x1p-50);
    return e->error_r < 0x1p-60;
}
